"""A worker killed at every named window: the work is finished, nothing is made twice or lost."""

from pathlib import Path

import pytest

from infra.crash_points import CrashPoint
from infra.db.pool import Pools
from tests.faults.stage import BRIEF, open_stage
from tests.faults.windows import windows

pytestmark = pytest.mark.faults

# A synchronous provider's job is only ever accepted by being found again.
BEFORE = {CrashPoint.JOB_ACCEPTED: [CrashPoint.JOB_ANSWERED]}


@pytest.mark.parametrize(("point", "count"), windows())
async def test_a_killed_worker_loses_and_repeats_nothing(
    point: CrashPoint, count: int, database_url: str, pools: Pools, tmp_path: Path
) -> None:
    windows = [*((before, 1) for before in BEFORE.get(point, [])), (point, count)]
    coming, deaths = list(windows), 0
    async with open_stage(database_url, pools, tmp_path) as stage:
        said = await stage.machine.say(BRIEF)
        process = await stage.running.start(crash_at=coming.pop(0))
        async for _ in stage.until_finished(said):
            if process.returncode is not None:
                deaths += 1
                process = await stage.running.start(crash_at=coming.pop(0) if coming else None)
        assert deaths == len(windows), "a window was never reached"
        await stage.check(works=1)
