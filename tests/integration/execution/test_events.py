"""A workspace's log: no gaps, no late commits, visible only in order."""

import asyncio

import psycopg
import pytest

from execution import events, tasks
from execution.tx import Tx
from infra.ids import TaskId, ThreadId, new_id
from tests.integration.execution.world import World

WRITERS = 8
EACH = 25


async def seqs(world: World, *, after: int = 0) -> list[int]:
    async with world.conn() as conn:
        found = await events.read(conn, world.workspace_id, after=after, limit=10_000)
    return [event.seq for event in found]


async def test_eight_writers_leave_a_log_without_gaps_that_is_read_in_order(world: World) -> None:
    done = asyncio.Event()
    heard: list[int] = []

    async def write(writer: int) -> None:
        for number in range(EACH):
            async with world.work() as tx:
                for part in range(1 + number % 3):
                    tx.emit("notice", {"writer": writer, "number": number, "part": part})

    async def listen() -> None:
        """Read on from the last seq that was seen, as a client does."""
        while not done.is_set() or await seqs(world, after=heard[-1] if heard else 0):
            heard.extend(await seqs(world, after=heard[-1] if heard else 0))

    listening = asyncio.ensure_future(listen())
    await asyncio.gather(*(write(writer) for writer in range(WRITERS)))
    done.set()
    await listening
    total = WRITERS * sum(1 + number % 3 for number in range(EACH))
    assert heard == list(range(1, total + 1))
    assert await seqs(world) == heard


async def test_events_of_one_transaction_stand_together_in_their_order(world: World) -> None:
    async with world.work() as tx:
        for part in range(5):
            tx.emit("notice", {"part": part})
    async with world.conn() as conn:
        found = await events.read(conn, world.workspace_id, after=0)
    assert [event.data["part"] for event in found] == [0, 1, 2, 3, 4]


async def test_a_transaction_that_fails_takes_no_number(world: World) -> None:
    async def fail() -> None:
        async with world.work() as tx:
            tx.emit("notice", {})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    async with world.work() as tx:
        tx.emit("notice", {})
    assert await seqs(world) == [1]


async def test_nothing_is_visible_before_what_has_a_smaller_number(world: World) -> None:
    """The counter is the last lock: a later number waits for the commit of an earlier one."""
    async with world.conn() as first:
        await events.append(first, world.workspace_id, [notice()])

        async def second() -> None:
            async with world.conn() as conn:
                await events.append(conn, world.workspace_id, [notice()])

        waiting = asyncio.ensure_future(second())
        for _ in range(20):
            await asyncio.sleep(0.005)
            assert await seqs(world) == []
        assert not waiting.done()
    await waiting
    assert await seqs(world) == [1, 2]


def notice() -> events.NewEvent:
    return events.NewEvent(type="notice", data={}, task_id=None, cause=None)


async def test_a_refused_part_of_a_transaction_announces_nothing(world: World) -> None:
    task_id = await world.task()
    start = max(await seqs(world))

    async def fail(tx: Tx) -> None:
        async with tx.attempt():
            tx.emit("object.created", {})
            tx.touch_task(task_id, "task.failed")
            tx.woken.add(ThreadId(task_id))
            await tasks.set_summary(tx, task_id, "gone")
            raise ZeroDivisionError

    async with world.work() as tx:
        tx.emit("notice", {"kept": True})
        with pytest.raises(ZeroDivisionError):
            await fail(tx)
        assert (len(tx.pending), tx.touched_tasks, tx.woken) == (1, {}, set())
    async with world.conn() as conn:
        found = await events.read(conn, world.workspace_id, after=start)
    assert [event.type for event in found] == ["notice"]
    assert await world.value("select summary from tasks") == ""


async def test_a_task_s_events_can_be_read_alone(world: World) -> None:
    mine, other = await world.task(), await world.task()
    async with world.conn() as conn:
        found = await events.read(conn, world.workspace_id, after=0, task_id=mine)
    assert {event.task_id for event in found} == {mine}
    assert other not in {event.task_id for event in found}


async def test_a_task_is_announced_once_a_transaction_under_its_most_telling_name(
    world: World,
) -> None:
    task_id = await world.task()
    start = max(await seqs(world))
    async with world.work() as tx:
        tx.touch_task(task_id)
        tx.touch_task(task_id, "task.paused")
        tx.touch_task(task_id)
    async with world.conn() as conn:
        found = await events.read(conn, world.workspace_id, after=start)
    assert [event.type for event in found] == ["task.paused"]
    assert found[0].data["id"] == str(task_id)


async def test_two_workspaces_count_for_themselves(world: World) -> None:
    other = await world.workspace()
    for _ in range(2):
        async with world.work() as tx:
            tx.emit("notice", {})
        async with world.work(workspace_id=other) as tx:
            tx.emit("notice", {})
    async with world.conn() as conn:
        assert await events.last_seq(conn, other) == 2
        assert await events.last_seq(conn, world.workspace_id) == 2
        assert await events.last_seq(conn, world.workspace_id) == len(await seqs(world))


async def test_a_number_is_never_given_twice(world: World) -> None:
    async with world.work() as tx:
        tx.emit("notice", {})
    with pytest.raises(psycopg.errors.UniqueViolation):
        await world.run(
            "insert into events (workspace_id, seq, type, data) values (%s, 1, 'x', '{}')",
            world.workspace_id,
        )


async def test_an_empty_log_ends_at_zero(world: World) -> None:
    async with world.conn() as conn:
        assert await events.last_seq(conn, world.workspace_id) == 0
        assert await events.append(conn, world.workspace_id, []) is None
        assert await events.read(conn, world.workspace_id, after=0, task_id=TaskId(new_id())) == []
