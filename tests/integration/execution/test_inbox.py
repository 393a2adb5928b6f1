"""Messages given to a task: delivered once, read in order, by exactly one step."""

import asyncio

import psycopg
import pytest

from execution import inbox, intake, leases, tasks
from execution.errors import DiscardedDecisionError, NotFoundError, NotPossibleNowError
from execution.intake import Incoming
from execution.tasks import TaskStatus
from infra.ids import MessageId, StepId, TaskId, ThreadId, new_id
from tests.integration.execution.world import World, record_step

ROUNDS = 40


async def post(world: World, task_id: TaskId, text: str) -> MessageId:
    message_id = await world.message(text)
    async with world.work() as tx:
        await inbox.post(tx, task_id, message_id)
    return message_id


async def texts(world: World, task_id: TaskId) -> list[str]:
    async with world.conn() as conn:
        return [message.text for message in await inbox.drain(conn, task_id)]


async def read(world: World, task_id: TaskId) -> StepId:
    """A step that reads everything that waits."""
    lease = await world.held(task_id)
    step_id = StepId(new_id())
    async with world.work(lease.fence) as tx:
        waiting = await inbox.drain(tx.conn, task_id)
        await inbox.consume(tx, waiting, step_id)
        await record_step(tx, lease, step_id, calls=0)
    return step_id


async def test_messages_are_read_in_the_order_they_were_delivered(world: World) -> None:
    task_id = await world.task()
    for number in range(5):
        await post(world, task_id, f"message {number}")
    assert await texts(world, task_id) == [
        "make something",
        *(f"message {number}" for number in range(5)),
    ]


async def test_a_second_delivery_of_a_message_changes_nothing(world: World) -> None:
    task_id = await world.task()
    message_id = await post(world, task_id, "again")
    async with world.work() as tx:
        await inbox.post(tx, task_id, message_id)
        assert tx.touched_messages == {}
    assert await texts(world, task_id) == ["make something", "again"]


async def test_a_delivery_wakes_the_thread(world: World) -> None:
    task_id = await world.task()
    before = await world.value("select wake_seq from threads where thread_id = %s", task_id)
    await post(world, task_id, "more")
    after = await world.value("select wake_seq from threads where thread_id = %s", task_id)
    assert after == before + 1


async def test_a_read_message_says_which_step_read_it(world: World) -> None:
    task_id = await world.task()
    message_id = await post(world, task_id, "more")
    step_id = await read(world, task_id)
    async with world.conn() as conn:
        assert await inbox.drain(conn, task_id) == []
        found = await inbox.readers_of(conn, world.workspace_id, [message_id])
        assert found == {message_id: step_id}
        assert await inbox.last_reader(conn, task_id) == step_id
        assert [each.text for each in await inbox.consumed(conn, task_id)] == [
            "make something",
            "more",
        ]
    status = await world.value("select status from messages where message_id = %s", message_id)
    assert status == "consumed"


async def test_what_arrives_during_an_inference_belongs_to_the_next_step(world: World) -> None:
    task_id = await world.task()
    lease = await world.held(task_id)
    async with world.conn() as conn:
        seen = await inbox.drain(conn, task_id)
    await post(world, task_id, "meanwhile")
    step_id = StepId(new_id())
    async with world.work(lease.fence) as tx:
        await inbox.consume(tx, seen, step_id)
        await record_step(tx, lease, step_id)
    assert await texts(world, task_id) == ["meanwhile"]


@pytest.mark.parametrize("status", ["withdrawn", "replaced", "moved"])
async def test_a_message_withdrawn_during_the_inference_discards_the_decision(
    world: World, status: str
) -> None:
    task_id = await world.task()
    withdrawn = await post(world, task_id, "never mind")
    lease = await world.held(task_id)
    async with world.conn() as conn:
        seen = await inbox.drain(conn, task_id)
    await world.run("update inbox set status = %s where message_id = %s", status, withdrawn)

    async def commit() -> None:
        step_id = StepId(new_id())
        async with world.work(lease.fence) as tx:
            await record_step(tx, lease, step_id)
            await inbox.consume(tx, seen, step_id)

    with pytest.raises(DiscardedDecisionError):
        await commit()
    assert await world.value("select count(*) from steps") == 0
    assert await texts(world, task_id) == ["make something"]


async def test_two_steps_never_read_one_message(world: World) -> None:
    task_id = await world.task()
    async with world.conn() as conn:
        seen = await inbox.drain(conn, task_id)
    lease = await world.held(task_id)

    async def consume() -> bool:
        try:
            async with world.work(lease.fence) as tx:
                await inbox.consume(tx, seen, StepId(new_id()))
        except DiscardedDecisionError:
            return False
        return True

    assert sorted(await asyncio.gather(*(consume() for _ in range(4)))) == [False] * 3 + [True]


async def test_a_consumed_message_has_a_reader_or_the_table_refuses_it(world: World) -> None:
    await world.task()
    with pytest.raises(psycopg.errors.CheckViolation):
        await world.run("update inbox set status = 'consumed'")


async def accept(world: World, text: str, **given: object) -> MessageId:
    async with world.work() as tx:
        incoming = Incoming(**{"text": text, "client_id": text, **given})  # pyright: ignore[reportArgumentType]
        return await intake.accept(tx, incoming)


async def test_a_message_sent_again_is_the_first_one(world: World) -> None:
    task_id = await world.task()
    first = await accept(world, "hello", task_id=task_id)
    wakes = await world.value("select sum(wake_seq) from threads")
    assert await accept(world, "hello", task_id=task_id) == first
    assert await world.value("select sum(wake_seq) from threads") == wakes
    assert await texts(world, task_id) == ["make something", "hello"]


async def test_eight_senders_of_one_message_store_it_once(world: World) -> None:
    sent = await asyncio.gather(*(accept(world, "hello") for _ in range(8)))
    assert len(set(sent)) == 1
    assert await world.value("select count(*) from messages") == 1
    assert await world.value("select count(*) from threads") == 1


async def test_a_message_without_a_target_gets_a_main_thread_that_is_woken(world: World) -> None:
    message_id = await accept(world, "a film, please")
    found = await world.rows("select thread_id, kind, wake_seq, holds_order from threads")
    assert found == [(message_id, "main", 1, True)]


@pytest.mark.parametrize("status", [TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.STOPPED])
async def test_a_message_opens_an_ended_task_again(world: World, status: TaskStatus) -> None:
    task_id = await world.task()
    async with world.work() as tx:
        assert await tasks.set_status(tx, task_id, status, reason="It has ended.")
        for _ in range(3):
            await tasks.count_round(tx, task_id, progress=False)
    await accept(world, "one more thing", task_id=task_id)
    assert await world.rows(
        "select status, epoch, rounds, rounds_without_progress, reason from tasks"
    ) == [("active", 2, 0, 0, None)]


async def test_an_archived_task_takes_no_message(world: World) -> None:
    task_id = await world.task()
    await world.run("update tasks set archived_at = app_now()")
    with pytest.raises(NotPossibleNowError):
        await accept(world, "hello", task_id=task_id)
    assert await texts(world, task_id) == ["make something"]
    assert await world.value("select count(*) from messages where text = 'hello'") == 0


async def test_a_task_of_nobody_here_takes_no_message(world: World) -> None:
    with pytest.raises(NotFoundError):
        await accept(world, "hello", task_id=TaskId(new_id()))
    assert await world.value("select count(*) from messages") == 0


@pytest.mark.timeout(90)
async def test_a_message_at_the_exact_finish_opens_the_task_again_or_is_seen(world: World) -> None:
    """Whoever comes first, no message is left unread on a task that has ended."""
    outcomes = {"kept open": 0, "opened again": 0}
    for number in range(ROUNDS):
        task_id = await world.task()
        await read(world, task_id)
        generation = await world.value(
            "select generation from threads where thread_id = %s", task_id
        )
        fence = leases.Fence(thread_id=ThreadId(task_id), generation=generation)
        barrier = asyncio.Barrier(2)

        async def finish(
            task_id: TaskId = task_id,
            fence: leases.Fence = fence,
            barrier: asyncio.Barrier = barrier,
        ) -> None:
            """Complete unless a message waits, as the stop-check does."""
            await barrier.wait()
            async with world.work(fence) as tx:
                seen = await leases.read_wake_seq(tx.conn, ThreadId(task_id))
                if await inbox.waiting_count(tx.conn, task_id):
                    return
                if await leases.end_turn(tx.conn, fence, wake_seq=seen, outcome="complete"):
                    await tasks.set_status(tx, task_id, TaskStatus.COMPLETED, reason="Done.")

        async def send(
            task_id: TaskId = task_id, number: int = number, barrier: asyncio.Barrier = barrier
        ) -> None:
            await barrier.wait()
            await accept(world, f"message {number}", task_id=task_id)

        await asyncio.gather(finish(), send())
        status, epoch, woken = (
            await world.rows(
                """
                select status, epoch, wake_seq > handled_seq
                from tasks join threads on thread_id = task_id
                where task_id = %s
                """,
                task_id,
            )
        )[0]
        assert (status, woken) == ("active", True)
        assert await texts(world, task_id) == [f"message {number}"]
        outcomes["kept open" if epoch == 1 else "opened again"] += 1
    assert sum(outcomes.values()) == ROUNDS
