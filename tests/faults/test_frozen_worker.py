"""A worker frozen for longer than its lease, replaced, and thawed when the work is done.

Whatever it was about to write is refused; it finds that out by itself and goes on to work.
"""

from pathlib import Path

import pytest

from infra.crash_points import CrashPoint
from infra.db.pool import Pools
from tests.faults.stage import BRIEF, open_stage
from tests.faults.windows import windows

pytestmark = pytest.mark.faults

# A synchronous provider's job is only ever accepted by being found again after a death.
NEVER_WITHOUT_A_DEATH = {CrashPoint.JOB_ACCEPTED}


@pytest.mark.parametrize(("point", "count"), windows(without=NEVER_WITHOUT_A_DEATH))
async def test_a_thawed_worker_changes_nothing_and_works_on(
    point: CrashPoint, count: int, database_url: str, pools: Pools, tmp_path: Path
) -> None:
    async with open_stage(database_url, pools, tmp_path) as stage:
        first = await stage.machine.say(BRIEF)
        frozen = await stage.running.start(crash_at=(point, count), freezes=True)
        second = None
        async for _ in stage.until_finished(first):
            if second is None and frozen.is_frozen():
                second = await stage.running.start()
        assert second is not None, "the window was never reached"
        await stage.check(works=1)
        frozen.thaw()
        await second.end()
        again = await stage.machine.say(BRIEF)
        async for _ in stage.until_finished(again):
            if not frozen.is_alive():
                # It may end when it finds its connections gone: whoever runs it starts it anew.
                frozen = await stage.running.start()
        await stage.check(works=2)
        await stage.check_checkpoints()
