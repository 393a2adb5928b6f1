"""Two workers want the same thread, and people steer its task all the while."""

import asyncio
from pathlib import Path

import pytest

from infra.db.pool import Pools
from infra.ids import TaskId
from tests.faults.stage import BRIEF, Stage, open_stage

pytestmark = pytest.mark.faults

SENDERS = 2


@pytest.mark.long  # in one process: 200 barriered rounds in test_leases
@pytest.mark.parametrize("rounds", [10, pytest.param(200, marks=pytest.mark.timeout(900))])
async def test_messages_steered_into_a_shared_thread_are_each_read_once(
    rounds: int, database_url: str, pools: Pools, tmp_path: Path
) -> None:
    """In every round all senders send at the same moment; the next begins once one is read."""
    async with open_stage(database_url, pools, tmp_path) as stage:
        said = await stage.machine.say(BRIEF)
        for _ in range(2):
            await stage.running.start()
        task_id, sent = None, 0
        async for _ in stage.until_finished(said):
            if task_id is None:
                task = await stage.task_of(said)
                task_id = TaskId(task.task_id) if task else None
            elif sent < rounds and await unread(stage, task_id) < SENDERS:
                sent += 1
                await send_at_once(stage, task_id, sent)
        assert task_id is not None
        while sent < rounds:
            sent += 1
            await send_at_once(stage, task_id, sent)
            async for _ in stage.until_finished(said):
                if await unread(stage, task_id) < SENDERS:
                    break
        async for _ in stage.until_finished(said):
            pass
        read = await stage.machine.rows(
            "select count(*), count(distinct message_id) from inbox where status = 'consumed'"
        )
        assert read == [(1 + SENDERS * rounds, 1 + SENDERS * rounds)]
        await stage.check_checkpoints()
        await stage.check(works=1)


async def send_at_once(stage: Stage, task_id: TaskId, number: int) -> None:
    barrier = asyncio.Barrier(SENDERS)

    async def send(sender: int) -> None:
        await barrier.wait()
        await stage.machine.say(f"Thank you ({sender}, {number}).", task_id=task_id)

    async with asyncio.TaskGroup() as group:
        for sender in range(SENDERS):
            group.create_task(send(sender))


async def unread(stage: Stage, task_id: TaskId) -> int:
    rows = await stage.machine.rows(
        "select count(*) from inbox where task_id = %s and status = 'delivered'", task_id
    )
    return int(rows[0][0])
