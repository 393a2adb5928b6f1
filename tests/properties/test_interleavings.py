"""A stop and a completion, a message and an end, at the same moment: in every order, one outcome.

The short tests hold a run at each of its windows in turn and let the other thing happen there; the
long ones hold both sides at windows drawn by chance.
"""

import itertools
import random
from collections.abc import Awaitable, Callable, Iterable
from datetime import timedelta
from typing import cast

import pytest
from langchain_core.messages import AIMessage

from execution import corrections, intake, leases, messages, tasks, workspaces
from execution.errors import AlreadyReadError, NotPossibleNowError
from execution.intake import Incoming
from execution.messages import Outcome
from execution.transactions import work
from execution.workspaces import AutonomyLevel
from infra.ids import MessageId, TaskId, ThreadId, new_id
from tests.database import DatabaseClock
from tests.integration.graphs.conftest import database_url, open_stage, shared_database, stage
from tests.integration.graphs.stage import Behaviour, Stage, picture
from tests.properties.schedule import Actor, meet

__all__ = ["database_url", "open_stage", "shared_database", "stage"]

ENDINGS: tuple[Behaviour, ...] = ("made", "failed", "lost")
MORE_ENDINGS: tuple[Behaviour, ...] = (
    *ENDINGS,
    "over",
    "quota",
    "accepted",
    "cheap",
    "broken_file",
    "not_delivered",
    "rejected",
    "policy",
    "failed_charged",
    "lost_before",
)
LONG = 1000


async def allow(stage: Stage) -> None:
    """The owner allows any number of pictures."""
    async with stage.machine.deps.pools.domain.connection() as conn:
        await workspaces.update_settings(
            conn,
            stage.machine.workspace_id,
            autonomy=AutonomyLevel.FREE,
            per_call_allowance_micros=10**9,
            daily_allowance_micros=10**12,
            review_points=[],
        )


async def begin(stage: Stage) -> TaskId:
    """A task whose first message waits, as routing leaves it."""
    task_id, message_id = TaskId(new_id()), MessageId(new_id())
    machine = stage.machine
    async with work(machine.deps, machine.workspace_id) as tx:
        await messages.accept(
            tx, message_id=message_id, client_id=str(message_id), text="please", language="en"
        )
        await tasks.create(
            tx,
            task_id,
            kind="lightweight",
            title="Work",
            goal="work",
            language="en",
            brief={},
            source_message_id=message_id,
        )
        await messages.record_route(
            tx,
            message_id,
            layer=1,
            outcome=Outcome.LIGHTWEIGHT,
            language="en",
            reason="the test's own",
            task_id=task_id,
        )
        await intake.deliver(tx, task_id, message_id)
    return task_id


async def settle(stage: Stage, clock: DatabaseClock) -> None:
    """Let everything come to its rest, whatever was put off."""
    await stage.machine.drain()
    for _ in range(10):
        rows = await stage.machine.rows(
            """
            select (select count(*) from jobs where closed_at is null)
                 + (select count(*) from turns where status = 'active')
            """
        )
        if rows == [(0,)]:
            return
        await clock.advance(timedelta(seconds=61))
        await stage.machine.drain()
    pytest.fail("it comes to no rest")


# ---------------------------------------------------------------- a stop and a completion


async def stop_meets_completion(
    stage: Stage,
    clock: DatabaseClock,
    told: Behaviour,
    *,
    at: int,
    stop_at: int = 0,
    stop_goes_on: bool = True,
) -> Actor:
    """A job's whole way to its task's end, and a stop while it is held; return the first."""
    machine = stage.machine
    task_id = await begin(stage)
    await machine.worker.look_at(str(task_id))
    ((job_id,),) = await machine.rows("select job_id from jobs where task_id = %s", task_id)
    stage.vendor.default = told
    woken: int | None = None

    async def complete() -> None:
        await machine.executor.look_at(str(job_id))
        await machine.worker.look_at(str(task_id))

    async def stop() -> None:
        nonlocal woken
        async with work(machine.deps, machine.workspace_id) as tx:
            try:
                await tasks.stop(tx, task_id)
            except NotPossibleNowError:
                return
            # Under the thread's lock: exact.
            seq = await leases.read_wake_seq(tx.conn, ThreadId(task_id))
        woken = seq

    completion = Actor(complete, at=at)
    await meet(completion, Actor(stop, at=stop_at), second_goes_on=stop_goes_on)
    await settle(stage, clock)
    stage.vendor.default = "made"
    ((status, held, seq),) = await machine.rows(
        """
        select status, coalesce(held_micros, 0), wake_seq
        from tasks
        join threads on thread_id = task_id
        left join budgets using (task_id)
        where task_id = %s
        """,
        task_id,
    )
    assert held == 0, (told, at, completion.seen)
    if woken is None:
        assert status in ("completed", "failed"), (told, at, completion.seen)
    else:
        assert (status, seq) == ("stopped", woken), (told, at, completion.seen)
    ends = await machine.rows(
        """
        select type from events
        where task_id = %s and type in ('task.completed', 'task.failed', 'task.stopped')
        """,
        task_id,
    )
    assert ends == [(f"task.{status}",)], (told, at, completion.seen)
    return completion


def prepare(stage: Stage) -> None:
    """Each task orders one picture, and then has nothing to say."""
    stage.model.answers[:] = [picture()]


@pytest.mark.timeout(120)
async def test_a_stop_at_each_window_of_a_completion_leaves_one_end(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    await allow(stage)
    prepare(stage)
    met = 0
    for told in ENDINGS:
        for at in itertools.count(1):
            completion = await stop_meets_completion(stage, database_clock, told, at=at)
            met += 1
            if not completion.was_held:
                break
        await stage.check()
    assert met >= 30


@pytest.mark.timeout(60)
async def test_a_completion_that_meets_a_stop_in_its_transaction_waits_for_it(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    await allow(stage)
    prepare(stage)
    for told, at in itertools.product(("made", "failed"), (1, 3, 5)):
        await stop_meets_completion(
            stage,
            database_clock,
            cast("Behaviour", told),
            at=at,
            stop_at=1,
            stop_goes_on=False,
        )
    await stage.check()


@pytest.mark.long
@pytest.mark.timeout(3600)
async def test_a_thousand_stops_and_completions_leave_one_end_each(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    await allow(stage)
    prepare(stage)
    draw = random.Random(1)  # noqa: S311 - a schedule, not a secret
    for number in range(LONG):
        await stop_meets_completion(
            stage,
            database_clock,
            draw.choice(MORE_ENDINGS),
            at=draw.randint(0, 16),
            stop_at=draw.randint(0, 1),
            stop_goes_on=draw.random() < 0.5,
        )
        if number % 50 == 0:
            await stage.check()
    await stage.check()


# ---------------------------------------------------------------- a message and an end


type Disturb = Callable[[Stage, DatabaseClock, TaskId], Awaitable[None]]


async def send(stage: Stage, clock: DatabaseClock, task_id: TaskId) -> None:
    await _say(stage, task_id)


async def _say(stage: Stage, task_id: TaskId) -> MessageId:
    machine = stage.machine
    async with work(machine.deps, machine.workspace_id) as tx:
        return await intake.accept(
            tx, Incoming(text="and more", client_id=str(new_id()), task_id=task_id)
        )


async def send_and_withdraw(stage: Stage, clock: DatabaseClock, task_id: TaskId) -> None:
    machine = stage.machine
    message_id = await _say(stage, task_id)
    try:
        async with work(machine.deps, machine.workspace_id) as tx:
            await corrections.withdraw(tx, message_id)
    except AlreadyReadError:
        pass


async def stop_and_send(stage: Stage, clock: DatabaseClock, task_id: TaskId) -> None:
    machine = stage.machine
    try:
        async with work(machine.deps, machine.workspace_id) as tx:
            await tasks.stop(tx, task_id)
    except NotPossibleNowError:
        pass
    await _say(stage, task_id)


async def crash_and_send(stage: Stage, clock: DatabaseClock, task_id: TaskId) -> None:
    """Whoever is held is thought dead; another one takes over, and the frozen one thaws later."""
    await _say(stage, task_id)
    await clock.advance(timedelta(seconds=31))
    await stage.machine.worker.look_at(str(task_id))


async def time_out_and_send(stage: Stage, clock: DatabaseClock, task_id: TaskId) -> None:
    """The model is away when it is asked next."""
    stage.model.fails.append(TimeoutError("The model is away."))
    await _say(stage, task_id)


DISTURBANCES: tuple[Disturb, ...] = (
    send,
    send_and_withdraw,
    stop_and_send,
    crash_and_send,
    time_out_and_send,
)


async def message_meets_turn(
    stage: Stage,
    clock: DatabaseClock,
    disturb: Disturb,
    *,
    at: int,
    disturb_at: int = 0,
    disturb_goes_on: bool = True,
) -> Actor:
    """A turn from its first message to its task's end, and a message while it is held."""
    machine = stage.machine
    task_id = await begin(stage)
    turn = Actor(lambda: machine.worker.look_at(str(task_id)), at=at)
    other = Actor(lambda: disturb(stage, clock, task_id), at=disturb_at)
    await meet(turn, other, second_goes_on=disturb_goes_on)
    await settle(stage, clock)
    stage.model.fails.clear()
    told = (disturb.__name__, at, turn.seen, other.seen)
    rows = await machine.rows(
        """
        select m.status, count(*) filter (where i.status = 'consumed'),
               count(distinct s.step_id)
        from messages as m
        left join inbox as i using (message_id)
        left join steps as s on s.step_id = i.consumed_by
        where m.role = 'user' and m.task_id = %s
        group by m.message_id
        """,
        task_id,
    )
    assert len(rows) == 2, told
    for status, reads, readers in rows:
        assert (status, reads, readers) in (("consumed", 1, 1), ("withdrawn", 0, 0)), told
    if disturb is not send_and_withdraw:
        assert {status for status, *_ in rows} == {"consumed"}, told
    ((status, woken),) = await machine.rows(
        """
        select status, wake_seq > handled_seq
        from tasks join threads on thread_id = task_id
        where task_id = %s
        """,
        task_id,
    )
    assert (status, woken) == ("completed", False), told
    return turn


def speak(stage: Stage) -> None:
    """The model has nothing to make, so a turn reads, says so and completes its task."""
    stage.model.answers[:] = [AIMessage(content="Done.")] * 8


async def every_window(stage: Stage, clock: DatabaseClock, disturbances: Iterable[Disturb]) -> int:
    met = 0
    for disturb in disturbances:
        for at in itertools.count(1):
            turn = await message_meets_turn(stage, clock, disturb, at=at)
            met += 1
            if not turn.was_held:
                break
        await stage.check()
    return met


@pytest.mark.timeout(120)
async def test_a_message_at_each_window_of_a_turn_is_read_once(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    speak(stage)
    often = (send, stop_and_send, crash_and_send)
    assert await every_window(stage, database_clock, often) >= 27


@pytest.mark.timeout(60)
async def test_a_message_that_is_withdrawn_or_waits_for_the_model_is_read_once_or_never(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    speak(stage)
    for disturb, at in itertools.product((send_and_withdraw, time_out_and_send), (1, 3, 6)):
        await message_meets_turn(stage, database_clock, disturb, at=at)
    await stage.check()


@pytest.mark.long
@pytest.mark.timeout(3600)
async def test_a_thousand_messages_and_turns_lose_none(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    speak(stage)
    draw = random.Random(2)  # noqa: S311 - a schedule, not a secret
    for number in range(LONG):
        await message_meets_turn(
            stage,
            database_clock,
            draw.choice(DISTURBANCES),
            at=draw.randint(0, 10),
            disturb_at=draw.randint(0, 2),
            disturb_goes_on=draw.random() < 0.5,
        )
        if number % 50 == 0:
            await stage.check()
    await stage.check()
