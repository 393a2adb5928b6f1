"""A worker process whose queue has forgotten it."""

import asyncio
from pathlib import Path

import psycopg
import pytest
from procrastinate import PsycopgConnector

from infra.db.pool import Limits
from infra.ids import new_id
from infra.providers.ports import Lane
from infra.queue import open_queue
from tests.processes import workers

PATIENCE_SECONDS = 60


async def registered(conn: psycopg.AsyncConnection, *, beside: set[int]) -> set[int]:
    """Wait until the three parts of a worker are on the queue's list, under new numbers."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            rows = await (await conn.execute("select id from procrastinate_workers")).fetchall()
            found = {row[0] for row in rows} - beside
            if len(found) == 3:
                return found
            await asyncio.sleep(0.05)


async def until_received(conn: psycopg.AsyncConnection) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            row = await (await conn.execute("select count(*) from procrastinate_jobs")).fetchone()
            if row == (0,):
                return
            await asyncio.sleep(0.05)


async def test_a_worker_that_was_struck_off_the_list_takes_its_place_anew(
    database_url: str, tmp_path: Path
) -> None:
    log = tmp_path / "worker.log"
    async with (
        await psycopg.AsyncConnection.connect(database_url, autocommit=True) as conn,
        open_queue(database_url) as queue,
        workers(database_url, tmp_path) as running,
    ):
        process = await running.start(log=log)
        first = await registered(conn, beside=set())
        # What a worker that starts does with those that have not been heard of for half a minute.
        await conn.execute("delete from procrastinate_workers")
        await queue.wake_thread(str(new_id()))
        for lane in Lane:
            await queue.wake_job(str(new_id()), lane)
        await until_received(conn)
        second = await registered(conn, beside=first)
        assert not first & second
        assert process.returncode is None
    said = log.read_text(encoding="utf-8")
    assert "worker_registered_anew" in said
    assert "Traceback" not in said


async def test_a_worker_frozen_while_it_takes_a_wake_holds_up_no_other_wake(
    database_url: str,
) -> None:
    """It holds the row of that wake; whoever sends the next one waits for it, but not for ever."""
    limits = Limits(lock=0.5, idle_in_transaction=0.5)
    identity = str(new_id())
    async with open_queue(database_url, limits=limits) as queue:
        await queue.wake_thread(identity)
        frozen = await psycopg.AsyncConnection.connect(database_url)
        async with frozen:
            await frozen.execute("select * from procrastinate_jobs for update")
            await frozen.execute("update procrastinate_jobs set queueing_lock = 'taken'")
            with pytest.raises(ConnectionError, match="queue"):
                await queue.wake_thread(identity)
            await frozen.rollback()
        await queue.wake_thread(identity)
        pool = queue._app.connector
        assert isinstance(pool, PsycopgConnector)
        async with pool.pool.connection() as conn:
            found = await conn.execute("show idle_in_transaction_session_timeout")
            assert await found.fetchone() == ("500ms",)
