"""The queue's tables are emptied again and again while works run: it carried nothing but wakes."""

from pathlib import Path

import pytest

from infra.db.pool import Pools, transaction
from tests.faults.stage import Stage, briefs, open_stage

pytestmark = pytest.mark.faults


@pytest.mark.long  # in one process: test_recovery, without checkpoints, queue and window
@pytest.mark.parametrize("works", [2, 20])
async def test_an_emptied_queue_loses_nothing(
    works: int, database_url: str, pools: Pools, tmp_path: Path
) -> None:
    async with open_stage(database_url, pools, tmp_path) as stage:
        said = [await stage.machine.say(brief) for brief in briefs(works)]
        running = await stage.running.start()
        lost = 0
        async for _ in stage.until_all_finished(said):
            lost += await empty_the_queue(stage)
            if not running.is_alive():
                running = await stage.running.start()
        assert lost > 10 * works, "the queue was not in use"
        await stage.check(works=works)


async def empty_the_queue(stage: Stage) -> int:
    async with transaction(stage.machine.deps.pools.domain) as conn:
        await conn.execute("delete from procrastinate_periodic_defers")
        await conn.execute("delete from procrastinate_events")
        return (await conn.execute("delete from procrastinate_jobs")).rowcount
