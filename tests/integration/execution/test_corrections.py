"""A message that no step has read is withdrawn, replaced or moved; one that was read stays read."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest

from execution import corrections, inbox, leases, steps, tasks
from execution.errors import (
    AlreadyReadError,
    ClientIdReusedError,
    DiscardedDecisionError,
    InvalidCallError,
    NotFoundError,
    NotPossibleNowError,
)
from infra.ids import MessageId, StepId, TaskId, ThreadId, new_id
from tests.database import DatabaseClock
from tests.integration.execution.test_inbox import accept, read, texts
from tests.integration.execution.world import World, record_step

ROUNDS = 20


async def withdraw(world: World, message_id: MessageId) -> None:
    async with world.work() as tx:
        await corrections.withdraw(tx, message_id)


async def replace(world: World, message_id: MessageId, text: str, client_id: str = "") -> MessageId:
    async with world.work() as tx:
        return await corrections.replace(tx, message_id, text=text, client_id=client_id or text)


async def move(world: World, message_id: MessageId, to: TaskId | None) -> TaskId:
    async with world.work() as tx:
        return await corrections.move(tx, message_id, to)


async def status(world: World, message_id: UUID) -> str:
    return await world.value("select status from messages where message_id = %s", message_id)


async def events_of(world: World, message_id: UUID) -> list[str]:
    rows = await world.rows(
        "select type from events where data ->> 'id' = %s order by seq", str(message_id)
    )
    return [row[0] for row in rows]


async def test_a_withdrawn_message_is_read_by_nobody_and_said_so(world: World) -> None:
    task_id = await world.task()
    message_id = await accept(world, "more", task_id=task_id)
    for _ in range(2):
        await withdraw(world, message_id)
    await read(world, task_id)
    assert await texts(world, task_id) == []
    assert await status(world, message_id) == "withdrawn"
    assert (await events_of(world, message_id))[-1:] == ["message.withdrawn"]
    assert (await events_of(world, message_id)).count("message.withdrawn") == 1
    assert await world.value("select count(*) from inbox where status = 'consumed'") == 1


async def stopped(world: World) -> TaskId:
    """A task that was at work and that its person has stopped."""
    task_id = await world.task()
    await read(world, task_id)
    async with world.work() as tx:
        await tasks.stop(tx, task_id)
        await steps.close(tx, ThreadId(task_id), verdict="end", reason="", progress=False)
    return task_id


async def ends(world: World, task_id: TaskId) -> list[str]:
    rows = await world.rows(
        "select type from events where task_id = %s and type in"
        " ('task.stopped', 'task.reopened') order by seq",
        task_id,
    )
    return [row[0].removeprefix("task.") for row in rows]


@pytest.mark.parametrize("moves", [False, True])
async def test_a_task_that_only_the_taken_message_had_opened_ends_as_it_had_ended(
    world: World, *, moves: bool
) -> None:
    task_id, other = await stopped(world), await world.task()
    first, second = [await accept(world, text, task_id=task_id) for text in ("blue", "fast")]
    await withdraw(world, first)
    assert await ends(world, task_id) == ["stopped", "reopened"], "another message waits"
    if moves:
        await move(world, second, other)
    else:
        await withdraw(world, second)
    assert await ends(world, task_id) == ["stopped", "reopened", "stopped"]
    row = await world.rows("select status, reason from tasks where task_id = %s", task_id)
    assert row == [("stopped", "You stopped this task.")]


async def test_a_task_that_went_on_since_stays_open_when_a_later_message_is_taken(
    world: World, database_clock: DatabaseClock
) -> None:
    task_id = await stopped(world)
    await accept(world, "blue", task_id=task_id)
    await database_clock.advance(timedelta(minutes=1))  # its first reader has let go of it
    await read(world, task_id)
    await withdraw(world, await accept(world, "fast", task_id=task_id))
    assert await ends(world, task_id) == ["stopped", "reopened"]


async def test_a_replacement_stands_where_the_first_words_stood(world: World) -> None:
    task_id = await world.task()
    first, second = [await accept(world, text, task_id=task_id) for text in ("blue", "fast")]
    instead = await replace(world, first, "green", "r")
    assert await texts(world, task_id) == ["make something", "green", "fast"]
    assert await replace(world, first, "green", "r") == instead
    assert await texts(world, task_id) == ["make something", "green", "fast"]
    assert [await status(world, each) for each in (first, instead, second)] == [
        "replaced",
        "delivered",
        "delivered",
    ]


async def test_a_replacement_needs_an_id_of_its_own_and_words(world: World) -> None:
    task_id = await world.task()
    first, second = [await accept(world, text, task_id=task_id) for text in ("blue", "fast")]
    for client_id, text in (("blue", "blue"), ("fast", "fast"), ("fast", "green")):
        with pytest.raises(ClientIdReusedError):
            await replace(world, first, text, client_id)
    with pytest.raises(InvalidCallError):
        await replace(world, first, " \n", "r")
    assert [await status(world, each) for each in (first, second)] == ["delivered"] * 2


async def test_a_moved_message_is_read_by_the_other_task_only_and_may_come_back(
    world: World,
) -> None:
    one, other = await world.task(), await world.task()
    message_id = await accept(world, "faster", task_id=one)
    assert await move(world, message_id, other) == other
    assert await texts(world, one) == ["make something"]
    assert await texts(world, other) == ["make something", "faster"]
    assert await status(world, message_id) == "moved"
    await move(world, message_id, one)
    await accept(world, "and louder", task_id=one)
    assert await texts(world, one) == ["make something", "faster", "and louder"]
    assert await texts(world, other) == ["make something"]
    await read(world, one)
    assert await status(world, message_id) == "consumed"
    route = "select task_id, reason from routes where message_id = %s"
    assert await world.rows(route, message_id) == [(one, "You moved it to this task.")]


async def test_a_message_that_comes_back_stands_after_what_came_meanwhile(world: World) -> None:
    one, other = await world.task(), await world.task()
    message_id = await accept(world, "faster", task_id=one)
    await move(world, message_id, other)
    await accept(world, "louder", task_id=one)
    await move(world, message_id, one)
    assert await texts(world, one) == ["make something", "louder", "faster"]


async def test_a_message_moved_to_something_new_begins_a_task_that_is_woken(world: World) -> None:
    one = await world.task()
    message_id = await accept(world, "a poster instead", task_id=one)
    begun = await move(world, message_id, None)
    assert await texts(world, begun) == ["a poster instead"]
    assert await texts(world, one) == ["make something"]
    found = await world.rows("select title, goal, brief from tasks where task_id = %s", begun)
    assert found == [("a poster instead", "a poster instead", {"words": ["a poster instead"]})]
    assert await world.claim(begun) is not None


async def test_a_move_opens_a_task_that_has_ended(world: World) -> None:
    one, other = await world.task(), await world.task()
    async with world.work() as tx:
        await tasks.stop(tx, other)
    await move(world, await accept(world, "go on", task_id=one), other)
    assert await world.value("select status from tasks where task_id = %s", other) == "active"


async def test_what_a_step_has_read_stays_read(world: World) -> None:
    task_id, other = await world.task(), await world.task()
    message_id = await accept(world, "more", task_id=task_id)
    await read(world, task_id)
    for correct in (
        lambda: withdraw(world, message_id),
        lambda: replace(world, message_id, "less"),
        lambda: move(world, message_id, other),
        lambda: move(world, message_id, None),
    ):
        with pytest.raises(AlreadyReadError):
            await correct()
    assert await status(world, message_id) == "consumed"
    assert await world.value("select count(*) from messages where text = 'less'") == 0
    assert await texts(world, other) == ["make something"]


async def test_what_was_taken_back_cannot_be_taken_back_otherwise(world: World) -> None:
    task_id = await world.task()
    withdrawn = await accept(world, "more", task_id=task_id)
    await withdraw(world, withdrawn)
    replaced = await accept(world, "less", task_id=task_id)
    await replace(world, replaced, "least")
    with pytest.raises(NotPossibleNowError, match="withdrawn already"):
        await replace(world, withdrawn, "most")
    with pytest.raises(NotPossibleNowError, match="replaced already"):
        await withdraw(world, replaced)
    assert await texts(world, task_id) == ["make something", "least"]


async def test_the_message_that_began_a_task_stays_its_brief(world: World) -> None:
    task_id = await world.task()
    source = await world.value("select source_message_id from tasks")
    for correct in (
        lambda: withdraw(world, source),
        lambda: replace(world, source, "other"),
        lambda: move(world, source, None),
    ):
        with pytest.raises(NotPossibleNowError, match="Stop the task"):
            await correct()
    assert await texts(world, task_id) == ["make something"]


async def test_a_message_that_is_still_being_routed_is_not_there_yet(world: World) -> None:
    message_id = await accept(world, "a film")
    with pytest.raises(NotPossibleNowError):
        await withdraw(world, message_id)


async def test_a_message_of_another_workspace_is_not_there(world: World) -> None:
    task_id = await world.task()
    message_id = await accept(world, "more", task_id=task_id)
    foreign = World(deps=world.deps, workspace_id=await world.workspace())
    for correct in (
        lambda: withdraw(foreign, message_id),
        lambda: replace(foreign, message_id, "less"),
        lambda: move(foreign, message_id, task_id),
        lambda: move(world, message_id, TaskId(new_id())),
    ):
        with pytest.raises(NotFoundError):
            await correct()
    foreign_task = await foreign.task()
    with pytest.raises(NotFoundError):
        await move(world, message_id, foreign_task)
    assert await texts(world, task_id) == ["make something", "more"]


async def test_an_archived_task_takes_no_moved_message(world: World) -> None:
    one, other = await world.task(), await world.task()
    await world.run("update tasks set archived_at = app_now() where task_id = %s", other)
    message_id = await accept(world, "more", task_id=one)
    with pytest.raises(NotPossibleNowError):
        await move(world, message_id, other)
    assert await texts(world, one) == ["make something", "more"]


@pytest.mark.parametrize("how", ["withdraw", "replace", "move"])
async def test_a_correction_and_a_step_at_once_are_one_after_the_other(
    world: World, how: str
) -> None:
    """Either the step has read it and the correction is refused, or the decision is discarded."""
    other = await world.task()
    for number in range(ROUNDS):
        task_id = await world.task()
        message_id = await accept(world, f"message {number}", task_id=task_id)
        lease = await world.held(task_id)
        async with world.conn() as conn:
            seen = await inbox.drain(conn, task_id)

        async def commit(
            lease: leases.Lease = lease, seen: list[inbox.InboxMessage] = seen
        ) -> bool:
            step_id = StepId(new_id())
            try:
                async with world.work(lease.fence) as tx:
                    await inbox.consume(tx, seen, step_id)
                    await record_step(tx, lease, step_id, calls=0)
            except DiscardedDecisionError:
                return False
            return True

        async def correct(message_id: MessageId = message_id, number: int = number) -> bool:
            try:
                match how:
                    case "withdraw":
                        await withdraw(world, message_id)
                    case "replace":
                        await replace(world, message_id, f"instead {number}")
                    case _:
                        await move(world, message_id, other)
            except AlreadyReadError:
                return False
            return True

        was_read, was_corrected = await asyncio.gather(commit(), correct())
        assert was_read is not was_corrected


async def test_two_moves_in_opposite_directions_do_not_hold_each_other_up(world: World) -> None:
    one, other = await world.task(), await world.task()
    for number in range(10):
        here = await accept(world, f"here {number}", task_id=one)
        there = await accept(world, f"there {number}", task_id=other)
        await asyncio.gather(move(world, here, other), move(world, there, one))
    assert await texts(world, one) == ["make something", *(f"there {n}" for n in range(10))]
    assert await texts(world, other) == ["make something", *(f"here {n}" for n in range(10))]


async def test_of_two_corrections_at_once_one_counts(world: World) -> None:
    one, other = await world.task(), await world.task()
    for number in range(10):
        message_id = await accept(world, f"message {number}", task_id=one)
        done = await asyncio.gather(
            withdraw(world, message_id),
            replace(world, message_id, f"instead {number}"),
            move(world, message_id, other),
            return_exceptions=True,
        )
        counted = [at for at, each in enumerate(done) if not isinstance(each, NotPossibleNowError)]
        # Whoever comes after the move has committed may still correct what was moved.
        assert counted in ([0], [1], [2], [0, 2], [1, 2]), done
        live = "select count(*) from inbox where message_id = %s and status = 'delivered'"
        assert await world.value(live, message_id) == (counted == [2])
