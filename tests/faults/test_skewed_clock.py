"""Workers whose clocks are five minutes slow and five minutes fast share threads."""

from pathlib import Path

import pytest

from infra.db.pool import Pools
from infra.ids import MessageId, TaskId
from tests.faults.stage import BRIEF, Stage, briefs, open_stage
from tests.processes import WorkerProcess

pytestmark = pytest.mark.faults

MINUTES = 5
SLOW, FAST = -60.0 * MINUTES, 60.0 * MINUTES


async def start(stage: Stage, seconds: float) -> WorkerProcess:
    return await stage.running.start(program=("tests.skewed", str(seconds), "work"))


async def test_the_latest_state_is_what_was_committed_last_whatever_the_clocks_say(
    database_url: str, pools: Pools, tmp_path: Path
) -> None:
    """A fast worker leaves the thread at its question; a slow one goes on from there."""
    await by_turns([FAST, SLOW], database_url, pools, tmp_path)


@pytest.mark.long
async def test_two_wrong_clocks_take_turns_on_one_thread(
    database_url: str, pools: Pools, tmp_path: Path
) -> None:
    await by_turns([FAST, SLOW] * 4, database_url, pools, tmp_path)


async def by_turns(clocks: list[float], database_url: str, pools: Pools, folder: Path) -> None:
    """Let the first one ask; each of the others goes on from the one before, and from itself."""
    async with open_stage(database_url, pools, folder) as stage:
        said = await stage.machine.say(BRIEF)
        for number, seconds in enumerate(clocks):
            worker = await start(stage, seconds)
            if number == 0:
                await until_asked(stage)
            else:
                await until_finished(stage, said)
                task = await stage.task_of(said)
                assert task is not None
                await stage.machine.say("Thank you.", task_id=TaskId(task.task_id))
                await until_finished(stage, said)
            await worker.stop()
        assert await went_back(stage) > 0, "no checkpoint has a smaller id than its parent"
        assert await attempts(stage) == 1
        assert await turns_without_a_checkpoint(stage) == 0
        await stage.check_checkpoints()
        await stage.check(works=1)


@pytest.mark.long  # leases by the database's clock are proven in tests/properties too
@pytest.mark.parametrize("works", [2, 12])
async def test_a_wrong_clock_takes_nothing_over_early(
    works: int, database_url: str, pools: Pools, tmp_path: Path
) -> None:
    async with open_stage(database_url, pools, tmp_path, lease_seconds=10.0) as stage:
        said = [await stage.machine.say(brief) for brief in briefs(works)]
        for seconds in (SLOW, FAST):
            await start(stage, seconds)
        async for _ in stage.until_all_finished(said):
            pass
        assert await attempts(stage) == 1
        await stage.check_checkpoints()
        await stage.check(works=works)


async def until_asked(stage: Stage) -> None:
    async for _ in stage.commits():
        if await stage.machine.pending():
            return


async def until_finished(stage: Stage, said: MessageId) -> None:
    async for _ in stage.until_finished(said):
        pass


async def attempts(stage: Stage) -> int:
    """Return how often any turn or job was begun at most; a takeover makes it two."""
    found = await stage.machine.rows(
        "select greatest((select max(attempts) from turns), (select max(attempts) from jobs))"
    )
    return int(found[0][0])


async def went_back(stage: Stage) -> int:
    found = await stage.machine.rows(
        "select count(*) from checkpoints where checkpoint_id < parent_checkpoint_id"
    )
    return int(found[0][0])


async def turns_without_a_checkpoint(stage: Stage) -> int:
    """Count the turns whose end was refused: their worker had started from an older state."""
    found = await stage.machine.rows(
        """
        select (select count(*) from turns join threads using (thread_id) where kind = 'task')
             - (select count(*) from checkpoints as c
                join threads on threads.thread_id::text = c.thread_id where kind = 'task')
        """
    )
    return int(found[0][0])
