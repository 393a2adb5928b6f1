"""The operator's look finds every kind of live row that nothing will move, and nothing else."""

from datetime import timedelta
from typing import Any

import pytest

from execution import approvals, leases, orphans, tasks
from execution.tasks import TaskStatus
from infra.ids import ApprovalId, TaskId, ThreadId, new_id
from tests.database import DatabaseClock
from tests.integration.execution.world import World


async def find(world: World) -> list[tuple[str, str]]:
    async with world.conn() as conn:
        return [(each.kind, each.identity) for each in await orphans.find(conn)]


async def rest(world: World, task_id: TaskId, reason: str | None = None) -> None:
    """Let the task's turn end; waiting for something, or just active."""
    lease = await world.held(task_id)
    async with world.work(lease.fence) as tx:
        seen = await leases.read_wake_seq(tx.conn, ThreadId(task_id))
        assert await leases.end_turn(tx.conn, lease.fence, wake_seq=seen, outcome="wait")
        if reason is not None:
            await tasks.set_status(
                tx, task_id, TaskStatus.WAITING, waiting_reason=reason, reason="Waits."
            )
    await world.run("update inbox set status = 'withdrawn'")


async def test_fresh_work_is_no_orphan(world: World) -> None:
    await world.task()
    await world.new_job(price=100)
    await world.thread("main", holds_order=True)
    assert await find(world) == []


async def test_a_woken_thread_without_a_worker_is_one_after_two_watchdog_periods(
    world: World, database_clock: DatabaseClock
) -> None:
    task_id = await world.task()
    await database_clock.advance(timedelta(seconds=15))
    assert await find(world) == []
    await database_clock.advance(timedelta(seconds=10))
    assert await find(world) == [("thread", str(task_id))]
    await world.held(task_id)
    assert await find(world) == []


async def test_a_worker_that_died_leaves_one_until_it_is_replaced(
    world: World, database_clock: DatabaseClock
) -> None:
    task_id = await world.task()
    await world.held(task_id)
    await database_clock.advance(timedelta(seconds=45))
    assert await find(world) == []
    await database_clock.advance(timedelta(seconds=10))
    assert await find(world) == [("thread", str(task_id))]
    await world.held(task_id)
    assert await find(world) == []


async def test_a_message_that_waits_for_its_turn_is_none_but_the_one_before_it_is(
    world: World, database_clock: DatabaseClock
) -> None:
    first = await world.thread("main", holds_order=True)
    await world.thread("main", holds_order=True)
    await database_clock.advance(timedelta(seconds=25))
    assert await find(world) == [("thread", str(first))]


@pytest.mark.parametrize("reason", [None, "jobs", "approval", "provider"])
async def test_a_task_that_waits_for_nothing_is_one(world: World, reason: str | None) -> None:
    task_id = await world.task()
    await rest(world, task_id, reason)
    assert await find(world) == [("task", str(task_id))]


@pytest.mark.parametrize("reason", ["answer", "blocked", "no_progress"])
async def test_a_task_that_waits_for_a_person_is_none(world: World, reason: str) -> None:
    await rest(world, await world.task(), reason)
    assert await find(world) == []


async def test_what_a_task_waits_for_keeps_it_from_being_one(world: World) -> None:
    task_id = await world.task()
    lease = await world.held(task_id)
    call_key = await world.call(lease, await world.step(lease))
    job_id = await world.job(task_id, call_key)
    async with world.conn() as conn:
        await leases.give_back(conn, lease, delay_seconds=0)
    await rest(world, task_id, "jobs")
    assert await find(world) == []
    await world.run("update jobs set closed_at = app_now() where job_id = %s", job_id)
    assert await find(world) == [("task", str(task_id))]
    await world.run("update threads set wake_at = app_now() + interval '1 hour'")
    assert await find(world) == []


async def test_a_message_that_nobody_will_read_is_one(world: World) -> None:
    task_id = await world.task()
    await rest(world, task_id, "answer")
    await world.run("update inbox set status = 'delivered'")
    kinds = [kind for kind, _ in await find(world)]
    assert kinds == ["message"]


async def test_money_held_for_a_call_that_has_ended_is_one(world: World) -> None:
    _, job = await world.new_job(price=100)
    await world.run("update ledger set status = 'settled', outcome = 'failed'")
    assert await find(world) == [("hold", job.call_key)]


async def test_money_held_for_an_ended_task_without_a_job_is_one(world: World) -> None:
    task_id, job = await world.new_job(price=100)
    await world.run("update tasks set status = 'stopped' where task_id = %s", task_id)
    assert await find(world) == []
    await world.run("update jobs set closed_at = app_now()")
    assert await find(world) == [("hold", job.call_key)]


async def test_a_job_that_nobody_ends_after_its_deadline_is_one(
    world: World, database_clock: DatabaseClock
) -> None:
    _, job = await world.new_job(price=100, seconds=60)
    await database_clock.advance(timedelta(seconds=70))
    assert ("job", str(job.job_id)) not in await find(world)
    await database_clock.advance(timedelta(seconds=20))
    assert ("job", str(job.job_id)) in await find(world)
    await world.run("update tasks set status = 'paused'")
    assert ("job", str(job.job_id)) not in await find(world)


async def test_a_question_of_an_ended_task_is_one(world: World) -> None:
    task_id = await world.task()
    approval_id = ApprovalId(new_id())
    async with world.work() as tx:
        await approvals.request(
            tx,
            approval_id,
            thread_id=ThreadId(task_id),
            task_id=task_id,
            kind="question",
            title="Which?",
            body="",
            card={},
            actions=["choose"],
            args_hash="h",
        )
    assert await find(world) == []
    await world.run("update tasks set status = 'completed'")
    assert await find(world) == [("approval", str(approval_id))]


async def test_an_orphan_says_in_a_line_what_it_is_and_why(world: World) -> None:
    task_id = await world.task()
    await rest(world, task_id, "jobs")
    async with world.conn() as conn:
        (found,) = await orphans.find(conn)
    expected: Any = (
        f"task {task_id} (workspace {world.workspace_id}): is waiting for jobs with nothing to come"
    )
    assert str(found) == expected
