"""Links in a message, as Main sees them: what they do not decide is asked about, in words."""

import pytest

from execution.intake import Incoming, Linked, accept
from execution.transactions import work
from infra.ids import ApprovalId, MessageId, new_id
from tests.integration.graphs.stage import Stage, plan
from tests.integration.graphs.test_main import replies, status
from tests.integration.graphs.test_targets import (
    archive,
    begun,
    choose,
    of_message,
    stop,
    the_question,
    unclear,
)


async def say(stage: Stage, text: str, linked: Linked) -> MessageId:
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        incoming = Incoming(text=text, client_id=str(new_id()), linked=linked)
        message_id = await accept(tx, incoming)
    await stage.machine.drain()
    return message_id


async def test_a_link_that_leads_nowhere_is_asked_about_and_sent_nowhere_by_itself(
    stage: Stage,
) -> None:
    task_id = await begun(stage)
    routers = len(stage.model.routed)
    message_id = await say(stage, "mach es bitte ein wenig wärmer", Linked(is_dead=True))
    assert len(stage.model.routed) == routers, "no model guesses what was meant"
    asked = await the_question(stage)
    assert asked.title.startswith("Der Link in Ihrer Nachricht führt hier zu nichts.")
    assert [each["label"] for each in asked.card["options"]] == ["Tea", "Etwas Neues"]
    assert await of_message(stage, message_id) == (
        None,
        3,
        "ask",
        "It links to something that is not here.",
    )
    assert await replies(stage, message_id) == []
    await choose(stage, asked, str(task_id))
    assert await status(stage, message_id) == "consumed"
    await stage.check()


async def test_with_a_dead_link_the_living_ones_are_offered(stage: Stage) -> None:
    task_id, _ = await begun(stage), await begun(stage, "Rain")
    await say(stage, "warmer", Linked(task_ids=(task_id,), is_dead=True))
    options = (await the_question(stage)).card["options"]
    assert [each["id"] for each in options] == [str(task_id), "new"]


async def test_something_new_in_place_of_a_dead_link_has_the_words_as_its_title(
    stage: Stage,
) -> None:
    text = "a lantern http://127.0.0.1:8321/#/tasks/01a2 at night"
    message_id = await say(stage, text, Linked(is_dead=True))
    stage.model.answers[:] = [plan(1)]
    await choose(stage, await the_question(stage), "new")
    made = await stage.machine.rows(
        "select title, goal from tasks where source_message_id = %s", message_id
    )
    assert made == [("a lantern at night", text)]
    await stage.check()


async def test_links_to_two_tasks_ask_which_one(stage: Stage) -> None:
    one, other = await begun(stage), await begun(stage, "Rain")
    routers = len(stage.model.routed)
    message_id = await say(stage, "warmer", Linked(task_ids=(one, other)))
    asked = await the_question(stage)
    assert [each["id"] for each in asked.card["options"]] == [str(one), str(other), "new"]
    assert (await of_message(stage, message_id))[1:3] == (1, "ask")
    await choose(stage, asked, str(other))
    assert await stage.machine.task_of(message_id) == other
    assert len(stage.model.routed) == routers
    await stage.check()


@pytest.mark.parametrize("state", ["live", "stopped", "archived"])
async def test_a_link_to_one_task_is_a_person_s_word_for_it(stage: Stage, state: str) -> None:
    task_id = await begun(stage)
    if state != "live":
        await stop(stage, task_id)
    if state == "archived":
        await archive(stage, task_id)
    message_id = await say(stage, "warmer", Linked(task_ids=(task_id,)))
    if state == "archived":
        assert (await the_question(stage)).title.startswith("“Tea” is archived.")
        assert await status(stage, message_id) == "routed"
    else:
        assert await status(stage, message_id) == "consumed"
        assert (await of_message(stage, message_id))[1:3] == (1, "existing")
    await stage.check()


async def test_words_with_a_link_to_a_question_of_main_answer_that_one(stage: Stage) -> None:
    _, older = await unclear(stage)
    first = await the_question(stage)
    stage.model.route[:] = [{**stage.model.route[0], "question": "And this?"}]
    newer = await stage.machine.say("and larger")
    await stage.machine.drain()
    linked = Linked(approval_id=ApprovalId(first.approval_id))
    await say(stage, f"2 http://127.0.0.1:8321/#/questions/{first.approval_id}", linked)
    assert await status(stage, older) == "consumed"
    assert await status(stage, newer) == "routed"
    await stage.check()
