"""Main: each message is answered, asked about or delivered, in order, whatever the router says."""

import re
from datetime import timedelta
from typing import Any

import pytest

from execution import leases
from execution.approvals import Approval, Decision
from execution.errors import AlreadyDecidedError
from infra.ids import MessageId, TaskId
from tests.database import DatabaseClock
from tests.integration.graphs.stage import Stage, plan, routed


def asked_about(prompt: Any) -> str:
    """The message that a router's input is about."""
    found = re.search(r"<message[^>]*>(.*)</message>", str(prompt[-1].content), re.DOTALL)
    assert found
    return found[1]


async def say(stage: Stage, text: str) -> MessageId:
    message_id = await stage.machine.say(text)
    await stage.machine.drain()
    return message_id


async def status(stage: Stage, message_id: MessageId) -> str:
    rows = await stage.machine.rows("select status from messages where message_id = %s", message_id)
    return rows[0][0]


async def replies(stage: Stage, message_id: MessageId) -> list[str]:
    rows = await stage.machine.rows(
        "select text from messages where reply_to = %s order by created_at", message_id
    )
    return [row[0] for row in rows]


async def tasks(stage: Stage) -> list[tuple[Any, ...]]:
    return await stage.machine.rows("select task_id, kind, title from tasks order by created_at")


async def test_a_question_is_answered_once_and_makes_no_task(stage: Stage) -> None:
    stage.model.route[:] = routed("answer")
    stage.model.reply = "Posters and films."
    message_id = await say(stage, "what can you make?")
    assert await status(stage, message_id) == "answered"
    assert await replies(stage, message_id) == ["Posters and films."]
    assert await tasks(stage) == []
    await stage.check()


NONSENSE = [
    pytest.param({"outcome": "destroy"}, id="no-such-outcome"),
    pytest.param({}, id="nothing"),
    pytest.param({"outcome": "existing", "task_id": "not-an-id"}, id="no-id"),
    pytest.param(
        {"outcome": "existing", "task_id": "01a22871-16ea-76c5-9886-b684608d3340"}, id="no-task"
    ),
    pytest.param({"outcome": "existing"}, id="existing-without-a-task"),
    pytest.param({"outcome": "ask", "options": ["x"]}, id="asks-about-nothing"),
]


@pytest.mark.parametrize("proposal", NONSENSE)
async def test_a_router_that_says_nonsense_causes_an_answer_and_no_action(
    stage: Stage, proposal: dict[str, Any]
) -> None:
    stage.model.route[:] = [proposal]
    message_id = await say(stage, "hello")
    assert await status(stage, message_id) == "answered"
    assert await tasks(stage) == []
    await stage.check()


async def test_a_new_wish_becomes_a_task_in_the_person_s_own_words(stage: Stage) -> None:
    stage.model.route[:] = routed("new", title="Tea", acknowledgement="I plan it.")
    stage.model.answers[:] = [plan(1)]
    message_id = await say(stage, "a poster about tea, please")
    ((task_id, kind, title),) = await tasks(stage)
    assert (kind, title) == ("persistent", "Tea")
    assert await replies(stage, message_id) == ["I plan it.", *[]]
    assert stage.model.states[0]["person_said"] == ["a poster about tea, please"]
    assert await stage.machine.task_of(message_id) == task_id
    await stage.check()


async def test_a_message_to_a_task_it_was_shown_is_delivered_there(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), plan(2)]
    task_id = await stage.begin("a poster")
    stage.model.route[:] = routed("existing", task_id=str(task_id))
    message_id = await say(stage, "make it two")
    assert await stage.machine.task_of(message_id) == task_id
    assert await status(stage, message_id) == "consumed"
    assert stage.model.states[1]["person_said"][-1] == "make it two"
    assert len(await tasks(stage)) == 1
    await stage.check()


async def ask(stage: Stage) -> tuple[list[TaskId], MessageId, Approval]:
    """Two tasks, and a message that may be about either."""
    stage.model.answers[:] = [plan(1), plan(1)]
    first, second = await stage.begin("a poster about tea"), await stage.begin("one about rain")
    stage.model.route[:] = routed(
        "ask", question="Which one?", options=[str(first), str(second), "made-up"]
    )
    message_id = await say(stage, "make it darker")
    questions = [each for each in await stage.machine.pending() if each.kind == "route"]
    assert len(questions) == 1
    return [first, second], message_id, questions[0]


async def test_an_unclear_message_is_asked_about_with_the_tasks_as_choices(stage: Stage) -> None:
    both, message_id, asked = await ask(stage)
    offered = [option["id"] for option in asked.card["options"]]
    assert set(offered[:-1]) == {str(task_id) for task_id in both}
    assert offered[-1] == "new"
    await stage.machine.decide(asked, Decision.CHOOSE, choice=str(both[1]))
    await stage.machine.drain()
    assert await stage.machine.task_of(message_id) == both[1]
    with pytest.raises(AlreadyDecidedError):
        await stage.machine.decide(asked, Decision.CHOOSE, choice=str(both[0]))
    await stage.check()


async def test_something_new_is_always_among_the_choices(stage: Stage) -> None:
    both, message_id, asked = await ask(stage)
    await stage.machine.decide(asked, Decision.CHOOSE, choice="new")
    await stage.machine.drain()
    assert await stage.machine.task_of(message_id) not in both
    assert len(await tasks(stage)) == 3
    await stage.check()


async def test_an_open_question_holds_up_no_other_message(stage: Stage) -> None:
    await ask(stage)
    stage.model.route[:] = routed("answer")
    later = await say(stage, "and what does it cost?")
    assert await status(stage, later) == "answered"
    await stage.check()


async def test_messages_are_routed_in_the_order_in_which_they_were_sent(stage: Stage) -> None:
    stage.model.route[:] = routed("answer")
    sent = [f"message {number}" for number in range(6)]
    ids = [await stage.machine.say(text) for text in sent]
    for message_id in reversed(ids):
        await stage.machine.worker.look_at(str(message_id))
    await stage.machine.drain()
    routers = [each for each in stage.model.routed if "<candidates>" in str(each[-1].content)]
    heard = list(dict.fromkeys(asked_about(prompt) for prompt in routers))
    assert heard == sent
    await stage.check()


async def wake_up(stage: Stage, clock: DatabaseClock, **time: int) -> None:
    await clock.advance(timedelta(**time))
    async with stage.machine.deps.pools.domain.connection() as conn:
        await leases.fire_timers(conn)
    await stage.machine.drain()


async def test_messages_are_kept_while_the_router_is_away_and_answered_in_their_order(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.model.route[:] = routed("answer")
    first, second = await stage.machine.say("first"), await stage.machine.say("second")
    stage.model.fails[:] = [ConnectionError("away")] * 13
    for _ in range(30):
        await wake_up(stage, database_clock, seconds=65)
    said = await replies(stage, first)
    assert said[0].endswith("Your message is kept, and tried again by itself.")
    assert len(said) == 2, "told once that it waits, and then the answer"
    assert [await status(stage, each) for each in (first, second)] == ["answered", "answered"]
    await stage.check()


async def test_a_message_that_nobody_can_answer_frees_the_next_one_after_hours(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.model.route[:] = routed("answer")
    first = await stage.machine.say("first")
    stage.model.fails[:] = [ConnectionError("away")] * 10
    for _ in range(5):
        await wake_up(stage, database_clock, seconds=65)
    second = await stage.machine.say("second")
    for _ in range(5):
        await wake_up(stage, database_clock, hours=6)
    assert await status(stage, first) == "refused"
    assert (await replies(stage, first))[-1].startswith("This could not be done in time: The chat")
    stage.model.fails.clear()
    await wake_up(stage, database_clock, hours=1)
    assert await status(stage, second) == "answered"
    await stage.check()
