"""Before a task is made it is compared with those at work: repeated ones are never made unasked."""

import json
import re
from typing import Any, override

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import Field

from execution import tasks
from execution.approvals import Decision
from execution.transactions import work
from infra.ids import TaskId
from infra.providers.rehearsal.model import RehearsalModel
from tests.integration.graphs.conftest import OpenStage
from tests.integration.graphs.stage import Model, Stage, plan, routed
from tests.integration.graphs.test_main import say, status
from tests.integration.graphs.test_main import tasks as all_tasks
from tests.integration.graphs.test_targets import of_message, the_question


def near_of(prompt: Any) -> list[dict[str, Any]] | None:
    """The tasks that a router was shown as near."""
    found = re.search(r"<near>(.*?)</near>", str(prompt[-1].content), re.DOTALL)
    return json.loads(found[1]) if found else None


class Second(Model):
    """A router that decides otherwise once it sees what is near."""

    beside: dict[str, Any] = Field(default_factory=dict)

    @override
    def _answer(self, messages: list[BaseMessage]) -> AIMessage:
        if "route" in self.bound and (near := near_of(messages)):
            ids = [item["task_id"] for item in near]
            given = {"task_id": ids[0], "options": ids, **self.beside}
            arguments = {**routed()[0], **given}
            call = {"name": "route", "args": arguments, "id": "route"}
            return AIMessage(content="", tool_calls=[call])
        return super()._answer(messages)


async def begun(stage: Stage, title: str, goal: str, text: str) -> TaskId:
    stage.model.route[:] = routed("new", title=title, goal=goal)
    stage.model.answers[:] = [plan(1)] * 9
    return await stage.begin(text)


TEA = ("Tea film", "a film of twenty seconds about a tea house in Kyoto")


async def test_a_new_task_near_to_one_at_work_goes_back_to_the_router_once(stage: Stage) -> None:
    first = await begun(stage, *TEA, "a film about a tea house in Kyoto")
    asked = len(stage.model.routed)
    second = await begun(stage, *TEA, "and a film of the Kyoto tea house")
    assert second != first
    prompts = stage.model.routed[asked:]
    assert [near_of(prompt) is not None for prompt in prompts] == [False, True]
    shown = near_of(prompts[1])
    assert shown is not None
    assert [(one["task_id"], one["same_words"]) for one in shown] == [(str(first), False)]
    rows = await stage.machine.rows(
        "select layer, outcome, reason from routes where message_id ="
        " (select source_message_id from tasks where task_id = %s)",
        second,
    )
    assert rows == [(2, "new", "near to Tea film: not a repetition; ")]
    await stage.check()


async def test_what_is_like_nothing_at_work_is_asked_about_once(stage: Stage) -> None:
    await begun(stage, *TEA, "a film about a tea house in Kyoto")
    asked = len(stage.model.routed)
    await begun(stage, "Whale posters", "four posters about whales", "four posters about whales")
    assert len(stage.model.routed) == asked + 1
    for task_id, *_ in await all_tasks(stage):
        async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
            await tasks.stop(tx, task_id)
    asked = len(stage.model.routed)
    await begun(stage, *TEA, "a film about a tea house in Kyoto, again")
    assert len(stage.model.routed) == asked + 1, "only what is at work would be repeated"
    await stage.check()


async def test_the_router_may_reuse_the_task_that_it_is_shown(open_stage: OpenStage) -> None:
    async with open_stage(model=Second(beside={"outcome": "existing", "reason": "same film"})) as s:
        first = await begun(s, *TEA, "a film about a tea house in Kyoto")
        message_id = await say(s, "I want a film about the Kyoto tea house")
        assert await s.machine.task_of(message_id) == first
        assert await of_message(s, message_id) == (
            first,
            2,
            "existing",
            "near to Tea film: existing; same film",
        )
        assert len(await all_tasks(s)) == 1
        await s.check()


async def test_a_router_that_says_nothing_usable_beside_near_ones_makes_nothing(
    open_stage: OpenStage,
) -> None:
    async with open_stage(model=Second(beside={"outcome": "destroy"})) as s:
        first = await begun(s, *TEA, "a film about a tea house in Kyoto")
        message_id = await say(s, "I want a film about the Kyoto tea house")
        assert len(await all_tasks(s)) == 1
        asked = await the_question(s)
        assert [each["id"] for each in asked.card["options"]] == [str(first), "new"]
        await s.machine.decide(asked, Decision.CHOOSE, choice="new")
        await s.machine.drain()
        assert await s.machine.task_of(message_id) != first
        assert (await of_message(s, message_id))[1:3] == (3, "new")
        await s.check()


class Rehearsed(Model):
    """Routes as the rehearsal model does; works as it is told."""

    @override
    def _answer(self, messages: list[BaseMessage]) -> AIMessage:
        if "route" not in self.bound:
            return super()._answer(messages)
        schema = {"type": "function", "function": {"name": "route", "description": "Route."}}
        answer = RehearsalModel().bind_tools([schema]).invoke(messages)
        assert isinstance(answer, AIMessage)
        return answer


async def test_the_same_message_sent_twice_is_made_once_and_asked_about(
    open_stage: OpenStage,
) -> None:
    async with open_stage(model=Rehearsed()) as stage:
        stage.model.answers[:] = [plan(1)] * 9
        film = "Ein Film von 20 Sekunden über ein Teehaus in Kyoto"
        ids = [await stage.machine.say(text) for text in (film, f"{film} ")]
        await stage.machine.drain()
        ((task_id, _, _),) = await all_tasks(stage)
        asked = await the_question(stage)
        assert asked.title == (
            "Genau das haben Sie eben schon gewünscht. Soll es ein zweites werden, oder ist es"
            " dasselbe?"
        )
        assert [each["id"] for each in asked.card["options"]] == [str(task_id), "new"]
        assert [await status(stage, each) for each in ids] == ["consumed", "routed"]
        await say(stage, "etwas Neues")
        assert len(await all_tasks(stage)) == 2
        await stage.check()


async def test_the_same_picture_asked_for_twice_at_once_is_made_once(
    open_stage: OpenStage,
) -> None:
    async with open_stage(model=Rehearsed()) as stage:
        # Both are there before the first is at work: the second one is routed after its start.
        ids = [await stage.machine.say("a picture of a cat") for _ in range(2)]
        for message_id in ids:
            await stage.machine.worker.look_at(str(message_id))
        assert len(await all_tasks(stage)) == 1
        assert [each.kind for each in await stage.machine.pending()] == ["route"]


async def test_a_second_wish_with_other_words_is_another_work(open_stage: OpenStage) -> None:
    async with open_stage(model=Rehearsed()) as stage:
        stage.model.answers[:] = [plan(1)] * 9
        await say(stage, "A film of 20 seconds about a tea house in Kyoto, calm")
        await say(stage, "A film of 20 seconds about a tea house in Kyoto, at night")
        assert len(await all_tasks(stage)) == 2
        await stage.check()
