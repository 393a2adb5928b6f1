"""A reply to what was only an answer: the router sees the answer and what was said around it."""

from typing import Any

from execution.intake import Incoming, accept
from execution.transactions import work
from infra.ids import MessageId, new_id
from tests.integration.graphs.stage import Stage, routed
from tests.integration.graphs.test_main import say, status
from tests.integration.graphs.test_shown import section


async def reply(stage: Stage, text: str, to: MessageId) -> MessageId:
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        incoming = Incoming(text=text, client_id=str(new_id()), reply_to=to)
        message_id = await accept(tx, incoming)
    await stage.machine.drain()
    return message_id


async def answer_to(stage: Stage, message_id: MessageId) -> MessageId:
    rows = await stage.machine.rows(
        "select message_id from messages where reply_to = %s", message_id
    )
    return MessageId(rows[0][0])


def routers(stage: Stage) -> list[Any]:
    return [each for each in stage.model.routed if each[0].content.startswith("You are the router")]


async def test_the_router_sees_the_message_that_is_replied_to_and_its_surroundings(
    stage: Stage,
) -> None:
    stage.model.route[:] = routed("answer")
    for number in range(4):
        await say(stage, f"before {number}")
    stage.model.reply = "A poster about tea would suit you."
    question = await say(stage, "what would suit a tea house?")
    answer = await answer_to(stage, question)
    stage.model.reply = "Indeed."
    for number in range(20):
        await say(stage, f"after {number}")
    stage.model.route[:] = routed("new", title="Tea")
    message_id = await reply(stage, "do that then", answer)
    prompt = routers(stage)[-1]
    seen = section(prompt, "replied_to")
    assert seen["said"]["text"] == "A poster about tea would suit you."
    assert [each["text"] for each in seen["around"]] == [
        "before 3",
        "Scripted.",
        "what would suit a tea house?",
        "A poster about tea would suit you.",
        "after 0",
        "Indeed.",
    ]
    assert "tea" not in str(section(prompt, "recent")), "it had scrolled away long ago"
    assert await status(stage, message_id) == "consumed"
    await stage.check()


async def test_what_an_answer_answered_is_shown_though_much_was_said_between(
    stage: Stage,
) -> None:
    stage.model.route[:] = routed("answer")
    question = await stage.machine.say("what would suit a tea house?")
    for number in range(6):
        await stage.machine.say(f"between {number}")
    await stage.machine.drain()
    answer = await answer_to(stage, question)
    await reply(stage, "why?", answer)
    around = [each["text"] for each in section(routers(stage)[-1], "replied_to")["around"]]
    assert "what would suit a tea house?" in around
    assert len(around) <= 7


async def test_a_message_that_replies_to_nothing_has_no_such_section(stage: Stage) -> None:
    stage.model.route[:] = routed("answer")
    await say(stage, "hello")
    assert section(routers(stage)[-1], "replied_to") is None


async def test_main_s_own_answer_sees_it_too(stage: Stage) -> None:
    stage.model.route[:] = routed("answer")
    stage.model.reply = "Twenty seconds."
    answer = await answer_to(stage, await say(stage, "how long is a film?"))
    await reply(stage, "why so short?", answer)
    assert section(stage.model.routed[-1], "replied_to")["said"]["text"] == "Twenty seconds."


async def test_tasks_are_searched_for_with_the_words_of_both(
    stage: Stage, monkeypatch: Any
) -> None:
    searched: list[str] = []

    async def find(*given: Any) -> list[Any]:
        searched.append(given[-1])
        return []

    monkeypatch.setattr("memory.routing.find", find)
    stage.model.route[:] = routed("answer")
    stage.model.reply = "A poster about tea."
    answer = await answer_to(stage, await say(stage, "an idea?"))
    await reply(stage, "yes", answer)
    assert searched[-1] == "yes\nA poster about tea."
