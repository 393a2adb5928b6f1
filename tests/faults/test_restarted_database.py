"""Postgres is restarted again and again while works run: each is finished, nothing is lost."""

import asyncio
import itertools
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from pathlib import Path

import psycopg
import pytest
from psycopg_pool import PoolTimeout

from infra import clock
from infra.db.embedded import embedded_postgres
from infra.db.migrate import migrate
from infra.db.pool import Limits, open_pools
from infra.ids import MessageId
from tests.faults.stage import Stage, briefs, open_stage
from tests.processes import WorkerProcess, ended

pytestmark = pytest.mark.faults

EVERY_SECONDS = 5
"""A worker that has ended for want of a database needs about so long to be there again."""
FAST, IMMEDIATE = signal.SIGINT, signal.SIGQUIT
"""A restart in order, which ends sessions; and one as after a loss of power, which recovers."""

LIMITS = Limits(lock=20, statement=60, idle_in_transaction=60)
"""Of this process, which must not lose a connection for another reason than a restart."""


@pytest.mark.parametrize(
    ("works", "restarts"),
    [
        (3, 2),
        pytest.param(40, 60, marks=[pytest.mark.long, pytest.mark.timeout(1200)]),
    ],
)
async def test_restarts_of_the_database_lose_nothing(
    works: int, restarts: int, tmp_path: Path
) -> None:
    with embedded_postgres(tmp_path / "server") as database_url:
        await migrate(database_url)
        async with (
            open_pools(database_url, name="test", limits=LIMITS) as pools,
            open_stage(database_url, pools, tmp_path) as stage,
        ):
            said = [await stage.machine.say(brief) for brief in briefs(works)]
            running = [await stage.running.start() for _ in range(2)]
            how = itertools.cycle([IMMEDIATE, FAST])
            done, next_at = 0, None
            async for _ in persistently(stage, said):
                await replace_dead(stage, running)
                if next_at is None:
                    if await is_under_way(stage):
                        next_at = clock.monotonic()
                elif done < restarts and clock.monotonic() >= next_at:
                    done += 1
                    await restart(tmp_path / "server", next(how))
                    next_at = clock.monotonic() + EVERY_SECONDS
            assert done >= min(restarts, 2), "the works were done before the database was restarted"
            await stage.check(works=works)


async def persistently(stage: Stage, said: list[MessageId]) -> AsyncGenerator[None]:
    """Answer until all is finished, again and again when our own connections are ended."""
    while True:
        try:
            async with aclosing(stage.until_all_finished(said)) as working:
                async for _ in working:
                    yield
        except (psycopg.OperationalError, PoolTimeout):
            await asyncio.sleep(0.1)
        else:
            return


async def is_under_way(stage: Stage) -> bool:
    with suppress(psycopg.OperationalError, PoolTimeout):
        return bool(await stage.machine.rows("select from ledger where status = 'submitting'"))
    return False


async def replace_dead(stage: Stage, running: list[WorkerProcess]) -> None:
    """Start a worker anew that has ended for want of a database, as whoever runs it does."""
    for place, process in enumerate(running):
        if not process.is_alive():
            running[place] = await stage.running.start()


async def restart(data_dir: Path, how: signal.Signals) -> None:
    """End the server; its keeper starts it again."""
    pid = int((data_dir / "postgres" / "postmaster.pid").read_text(encoding="utf-8").split()[0])
    os.kill(pid, how)
    await ended(pid)
