"""What a vendor has just named is kept, however busy the rows of the task are at that moment."""

from datetime import timedelta
from pathlib import Path

import psycopg
import pytest

from infra.crash_points import CrashPoint, watched
from infra.db.pool import Limits, open_pools
from infra.providers.ports import Lookup
from tests.database import DatabaseClock
from tests.harness import open_machine
from tests.integration.graphs.stage import Model, Stage, Vendor, picture, routed

IMPATIENT = Limits(lock=0.2)
BUSY = """
    set idle_in_transaction_session_timeout = '900ms';
    begin;
    select 1 from {table} for update;
"""
"""Holds rows for several times as long as we wait for one; the database itself ends it."""


@pytest.mark.parametrize("table", ["event_counters", "threads"])
async def test_an_id_is_stored_though_rows_are_busy(
    table: str, database_url: str, database_clock: DatabaseClock, tmp_path: Path
) -> None:
    """The vendor cannot be asked again: without its id the order is paid for nothing."""
    vendor = Vendor(default="accepted", lookup=Lookup.CANNOT_TELL, hides=True)
    model = Model(route=routed("lightweight"), answers=[picture()])
    async with (
        open_pools(database_url, name="busy", limits=IMPATIENT) as pools,
        open_machine(database_url, pools, tmp_path, model=model, provider=vendor) as machine,
    ):
        holder = await psycopg.AsyncConnection.connect(database_url, autocommit=True)

        async def hold(point: CrashPoint) -> None:
            if point is CrashPoint.JOB_ANSWERED:
                await holder.execute(BUSY.format(table=table).encode())

        stage = Stage(machine=machine, vendor=vendor, model=model)
        with watched(hold):
            await stage.begin()
        await holder.close()
        assert len(vendor.orders) == 1
        await database_clock.advance(timedelta(minutes=1))
        await machine.drain()
        assert [row[1] for row in await stage.ledger()] == ["succeeded"]
        assert len(vendor.requests) == len(vendor.orders) == 1
        await stage.check()
