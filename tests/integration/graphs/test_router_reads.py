"""The router looks into a few tasks before it decides: its own ones, on record, not for ever."""

import json
from typing import Any

import pytest
from langchain_core.messages import ToolMessage

from evals.chat_server.script import Answer, Reply, tools_of
from evals.invariants import is_legal_for_providers
from execution import tasks as execution_tasks
from execution import views
from execution.transactions import work
from infra.ids import MessageId, TaskId, new_id
from nodes.main.reading import MAX_READS
from tests.harness import calls
from tests.integration.graphs.stage import Model, Stage, routed
from tests.integration.graphs.test_main import say, status
from tests.integration.graphs.test_shown import posters
from tests.integration.graphs.test_targets import begun, foreign_task, of_message, the_question
from tests.integration.graphs.wired import Service, call, wired


def told(prompt: Any) -> list[str]:
    return [str(each.content) for each in prompt if isinstance(each, ToolMessage)]


async def reads_of(stage: Stage, message_id: MessageId) -> list[tuple[Any, ...]]:
    return await stage.machine.rows(
        "select number, asked, read_task_id from route_reads where message_id = %s order by number",
        message_id,
    )


async def test_what_the_router_reads_is_told_to_it_and_recorded_with_the_message(
    stage: Stage,
) -> None:
    task_id, pictures = await posters(stage)
    stage.model.routed.clear()
    stage.model.reads[:] = [task_id]
    stage.model.answers.append(calls(say="Yes."))
    stage.model.route[:] = routed("existing", task_id=str(task_id))
    message_id = await say(stage, "the one with P2 a bit warmer")
    first, second = stage.model.routed
    assert told(first) == []
    (read,) = [json.loads(each) for each in told(second)]
    assert (read["title"], read["status"], read["person_said"]) == (
        "Work",
        "completed",
        ["two posters"],
    )
    assert str(pictures[1].object_id) in [item["object_id"] for item in read["objects"]]
    assert read["decisions"] == [{"about": "Posters", "decided": "approved"}]
    is_legal_for_providers(second)
    assert await reads_of(stage, message_id) == [(1, str(task_id), task_id)]
    assert await stage.machine.task_of(message_id) == task_id
    async with stage.machine.deps.pools.domain.connection() as conn:
        seen = await views.message(conn, stage.machine.workspace_id, message_id)
        of_task = await views.task(conn, stage.machine.workspace_id, task_id)
    assert seen["route"]["read"] == [str(task_id)]
    assert of_task["draws_on"] == {"tasks": []}, "the reader is the message, not the task"
    await stage.check()


async def test_each_of_its_inferences_is_counted(stage: Stage) -> None:
    task_id = await begun(stage)
    before = await stage.machine.rows("select count(*) from model_calls where role = 'router'")
    stage.model.reads[:] = [task_id, new_id()]
    stage.model.route[:] = routed("answer")
    await say(stage, "what was that?")
    after = await stage.machine.rows("select count(*) from model_calls where role = 'router'")
    assert after[0][0] - before[0][0] == 3
    unended = "select count(*) from model_calls where outcome is distinct from 'answered'"
    assert await stage.machine.rows(unended) == [(0,)]


@pytest.mark.parametrize("named", ["foreign", "nobody's", "no id", "", "x" * 5000])
async def test_what_is_not_of_this_workspace_is_not_told(stage: Stage, named: str) -> None:
    ids = {"foreign": str(await foreign_task(stage)), "nobody's": str(new_id())}
    asked = ids.get(named, named)
    stage.model.reads[:] = [asked]
    stage.model.route[:] = routed("answer")
    message_id = await say(stage, "hello")
    (refused,) = told(stage.model.routed[1])
    assert refused == f"refused (invalid): There is no task {asked[:100]} in this workspace."
    assert "Secret" not in str(stage.model.routed)
    assert await reads_of(stage, message_id) == [(1, asked[:100], None)]
    assert await status(stage, message_id) == "answered"


async def test_a_task_that_it_has_read_may_be_chosen_though_it_was_no_candidate(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    task_id = await begun(stage)
    monkeypatch.setattr("memory.routing.find", no_candidates)
    stage.model.route[:] = routed("existing", task_id=str(task_id))
    message_id = await say(stage, "bluer")
    assert (await of_message(stage, message_id))[2] == "answer", "it was shown none"
    stage.model.reads[:] = [task_id]
    message_id = await say(stage, "much bluer")
    assert await stage.machine.task_of(message_id) == task_id
    await stage.check()


async def no_candidates(*_: object) -> list[dict[str, Any]]:
    return []


async def test_reading_a_stopped_task_is_no_yes_to_going_on_with_it(stage: Stage) -> None:
    task_id = await begun(stage)
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        await execution_tasks.stop(tx, task_id)
    stage.model.reads[:] = [task_id]
    stage.model.route[:] = routed("existing", task_id=str(task_id))
    await say(stage, "bluer")
    assert (await the_question(stage)).title.startswith("“Tea” was stopped.")
    assert (await stage.task(task_id))[0] == "stopped"
    await stage.check()


class Curious(Model):
    """A router that only ever reads, several at once, and never decides."""

    def _answer(self, messages: list[Any]) -> Any:
        if "read_task" not in self.bound:
            return super()._answer(messages)
        ids = [new_id() for _ in range(2)]
        return calls(*(("read_task", {"task_id": str(each)}) for each in ids))


async def test_a_router_that_reads_for_ever_is_stopped_and_harmless(open_stage: Any) -> None:
    async with open_stage(model=Curious()) as stage:
        message_id = await say(stage, "hello")
        routers = [each for each in stage.model.routed if "<candidates>" in str(each)]
        assert len(routers) - 1 == 3, "two at once, one more, and then it must decide"
        assert len(await reads_of(stage, message_id)) == MAX_READS
        assert await status(stage, message_id) == "answered"
        assert (await of_message(stage, message_id))[1:3] == (2, "answer")
        for prompt in routers:
            is_legal_for_providers(prompt)


async def test_a_decision_beside_a_read_is_a_decision(stage: Stage) -> None:
    class Both(Model):
        def _answer(self, messages: list[Any]) -> Any:
            decided = super()._answer(messages)
            return calls(("read_task", {"task_id": "x"}), ("route", decided.tool_calls[0]["args"]))

    stage.model.__class__ = Both
    stage.model.route[:] = routed("new")
    message_id = await say(stage, "a poster")
    assert await reads_of(stage, message_id) == []
    assert (await of_message(stage, message_id))[2] == "new"


@pytest.mark.parametrize("service", ["openai", "anthropic"])
async def test_a_real_client_of_a_chat_service_reads_and_then_routes(
    stage: Stage, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the wire: both tools are offered, a read is asked for, answered in place, then a route."""
    task_id = await begun(stage)
    async with wired(stage, service, monkeypatch) as at:
        routed_there = routed("existing", task_id=str(task_id))[0]

        def choose(body: dict[str, Any]) -> Answer:
            if "route" not in tools_of(body):
                return Reply(text="Good.")
            if "person_said" in json.dumps(body["messages"][-1]):
                return Reply(calls=(call("route", **routed_there),))
            return Reply(calls=(call("read_task", task_id=str(task_id)),))

        at.script.otherwise = choose
        message_id = await say(stage, "the one with the concept")
        asked = [body for body in at.script.asked if "route" in tools_of(body)]
        assert [tools_of(body) for body in asked] == [["read_task", "route"]] * 2
        assert len(asked[1]["messages"]) == len(asked[0]["messages"]) + 2
        forced = [body["tool_choice"] for body in asked]
        assert forced == [{"openai": "required", "anthropic": {"type": "any"}}[service]] * 2
        assert await stage.machine.task_of(message_id) == task_id
        assert await reads_of(stage, message_id) == [(1, str(task_id), task_id)]
        assert [row[:2] for row in (await at.model_calls())[-3:-1]] == [("router", "answered")] * 2


async def test_after_the_last_read_a_service_is_made_to_decide(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wired(stage, "anthropic", monkeypatch) as at:

        def choose(body: dict[str, Any]) -> Answer:
            if body.get("tool_choice") == {"type": "tool", "name": "route"}:
                return Reply(calls=(call("route", **routed("answer")[0]),))
            if "route" in tools_of(body):
                return Reply(calls=(call("read_task", task_id=str(TaskId(new_id()))),))
            return Reply(text="Good day.")

        at.script.otherwise = choose
        message_id = await say(stage, "hello")
        assert await status(stage, message_id) == "answered"
        assert len(await reads_of(stage, message_id)) == MAX_READS
