"""The network between a worker and the database fails, and nothing else does.

The provider can still be reached: a paid call goes on until the worker itself ends it. It must do
so before its lease ends, since from then on another worker may take the job over.
"""

import os
import signal
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from infra.crash_points import CrashPoint
from infra.db.pool import Pools
from tests.faults.stage import BRIEF, Stage, open_stage
from tests.processes import child_of, ended
from tests.proxy import Proxy, open_proxy

pytestmark = pytest.mark.faults

LEASE_SECONDS = 5.0
type Fault = Callable[[Proxy], None]


async def test_a_worker_without_its_database_ends_its_paid_call_before_its_lease(
    database_url: str, pools: Pools, tmp_path: Path
) -> None:
    await through(Proxy.swallow, database_url, pools, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("fault", [Proxy.swallow, Proxy.cut])
async def test_a_worker_that_has_its_database_again_works_on(
    fault: Fault, database_url: str, pools: Pools, tmp_path: Path
) -> None:
    await through(fault, database_url, pools, tmp_path, works_on=True)


async def through(
    fault: Fault, database_url: str, pools: Pools, folder: Path, *, works_on: bool = False
) -> None:
    """One work whose first order meets the fault; then, if asked for, one by the same worker."""
    async with (
        open_proxy(database_url) as proxy,
        open_stage(database_url, pools, folder, lease_seconds=LEASE_SECONDS) as stage,
    ):
        said = await stage.machine.say(BRIEF)
        first = await stage.running.start(
            crash_at=(CrashPoint.JOB_SUBMITTING, 1), freezes=True, database_url=proxy.url
        )
        async with aclosing(stage.until_finished(said)) as working:
            async for _ in working:
                if first.is_frozen():
                    break
        fault(proxy)
        first.thaw()
        generator = await child_of(first.pid, "local.guard")
        os.kill(generator, signal.SIGSTOP)  # the provider takes its time
        await ended(generator)
        assert await held(stage) == [(1, True)], "the lease had ended before the worker stopped"
        assert first.is_alive()
        second = await stage.running.start()
        async for _ in stage.until_finished(said):
            pass
        assert await stage.machine.rows(
            "select count(*) from events where type = 'job.unknown'"
        ) == [(1,)]
        await stage.check(works=1)
        if not works_on:
            return
        proxy.mend()
        await second.end()
        again = await stage.machine.say(BRIEF)
        async for _ in stage.until_finished(again):
            if not first.is_alive():
                first = await stage.running.start()
        await stage.check(works=2)


async def held(stage: Stage) -> list[tuple[int, bool]]:
    """Return the generation of the job that was being made, and whether its lease still lives."""
    found = await stage.machine.rows(
        """
        select jobs.generation, lease_expires_at > app_now()
        from jobs
        join ledger using (workspace_id, call_key)
        where ledger.status = 'submitting'
        """
    )
    return [(generation, lives) for generation, lives in found]
