"""How freely the agent acts, where words come from, what cannot be undone, what grows too large."""

from typing import Any

import pytest
from pydantic import BaseModel

from execution import intake, tasks
from execution.approvals import Decision
from execution.authorization import Risk
from execution.intake import Incoming
from execution.messages import Origin
from execution.transactions import work
from infra.ids import MessageId, TaskId, new_id
from tests.harness import calls
from tests.integration.graphs.stage import PRICE, Stage, concept, fill, picture, plan, routed
from tests.integration.graphs.test_plan import answer
from tools.registry import TOOLS
from tools.tool import Tool, ToolContext, ToolResult


async def allow(stage: Stage, autonomy: str, **columns: int | list[str]) -> None:
    """Set what the owner allows."""
    wanted: dict[str, Any] = {
        "per_call_allowance_micros": PRICE,
        "daily_allowance_micros": 10 * PRICE,
        "review_points": [],
        **columns,
    }
    await stage.machine.rows(
        """
        update workspaces
        set autonomy = %s, per_call_allowance_micros = %s, daily_allowance_micros = %s,
            review_points = %s
        returning 1
        """,
        autonomy,
        *wanted.values(),
    )


async def say_by_key(stage: Stage, text: str, task_id: TaskId | None = None) -> MessageId:
    """Words that come over the open API."""
    machine = stage.machine
    async with work(machine.deps, machine.workspace_id) as tx:
        incoming = Incoming(
            text=text, client_id=str(new_id()), task_id=task_id, origin=Origin.API_KEY
        )
        message_id = await intake.accept(tx, incoming)
    await machine.drain()
    return message_id


async def test_a_small_plan_begins_by_itself_at_the_level_free(stage: Stage) -> None:
    await allow(stage, "free")
    stage.model.answers[:] = [plan(3), concept(), fill]
    task_id = await stage.begin()
    assert (await stage.task(task_id))[0] == "completed"
    assert await stage.machine.rows("select count(*) from approvals") == [(0,)]
    assert stage.model.tool_messages()[0].startswith("begun: plan version 1 is within")
    assert await stage.money() == (3 * PRICE, 0, 3 * PRICE, 0), "no more than what ran"
    await stage.check()


async def test_calls_of_a_plan_that_began_by_itself_ask_when_the_day_is_used_up(
    stage: Stage,
) -> None:
    await allow(stage, "free")
    stage.model.answers[:] = [plan(2), concept(), fill]

    async def spend_elsewhere() -> None:
        await allow(stage, "free", daily_allowance_micros=PRICE)

    stage.model.during[3] = spend_elsewhere
    task_id = await stage.begin()
    assert (await stage.task(task_id))[1] == "budget"
    (asked,) = await stage.machine.pending()
    assert (asked.kind, asked.card["category"]) == ("call", "budget")
    assert len(stage.vendor.orders) == 1
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


@pytest.mark.parametrize(
    ("autonomy", "columns", "category"),
    [
        ("cautious", {}, "permission"),
        ("balanced", {}, "permission"),
        ("free", {"per_call_allowance_micros": PRICE - 1}, "budget"),
        ("free", {"daily_allowance_micros": 3 * PRICE}, "budget"),
    ],
)
async def test_other_plans_ask_and_say_why(
    stage: Stage, autonomy: str, columns: dict[str, int], category: str
) -> None:
    await allow(stage, autonomy, **columns)
    stage.model.answers[:] = [plan(3), concept(), fill]
    task_id = await stage.begin()
    (asked,) = await stage.machine.pending()
    assert (asked.kind, asked.card["category"]) == ("plan", category)
    told = await stage.machine.rows("select tool_message from ledger")
    assert told[0][0].startswith(f"pending: approval {asked.approval_id}. Not run yet ({category})")
    assert stage.vendor.requests == []
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed", "its yes is the yes to its calls"
    await stage.check()


async def test_a_plan_that_grows_asks_again_even_at_the_level_free(stage: Stage) -> None:
    await allow(stage, "free")
    grown = plan(4, keep=["concept", "posters"])
    stage.model.answers[:] = [plan(2), concept(), fill, grown, fill]
    task_id = await stage.begin()
    assert (await stage.task(task_id))[0] == "completed"
    await stage.say("make it four", task_id)
    await stage.machine.drain()
    (asked,) = await stage.machine.pending()
    assert (asked.kind, asked.card["category"]) == ("plan", "permission")
    assert len(stage.vendor.orders) == 2
    await answer(stage)
    assert len(stage.vendor.orders) == 4
    await stage.check()


async def test_a_refused_first_plan_is_followed_by_none_that_begins_by_itself(
    stage: Stage,
) -> None:
    stage.model.answers[:] = [plan(3), plan(1)]
    task_id = await stage.begin()
    await allow(stage, "free")
    await answer(stage, Decision.REJECT, note="no")
    assert (await stage.task(task_id))[1] == "approval"
    assert stage.vendor.requests == []
    await stage.check()


@pytest.mark.parametrize("autonomy", ["cautious", "balanced", "free"])
async def test_a_review_point_holds_at_every_level(stage: Stage, autonomy: str) -> None:
    await allow(stage, autonomy, review_points=["document"])
    stage.model.answers[:] = [plan(1), concept(), fill]
    task_id = await stage.begin()
    if autonomy != "free":
        await answer(stage)
    (asked,) = await stage.machine.pending()
    assert (asked.kind, asked.card["category"]) == ("review", "permission")
    assert stage.vendor.requests == []
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_more_results_than_planned_are_a_matter_of_permission(stage: Stage) -> None:
    more = calls(
        ("generate_image", {"step": "posters", "slot": 2, "prompt": "tea", "name": "One more"})
    )
    stage.model.answers[:] = [plan(1), concept(), more, fill]
    await stage.begin()
    await answer(stage)
    refused = await stage.machine.rows(
        "select refusal, tool_message from ledger where verdict = 'refuse'"
    )
    assert [row[0] for row in refused] == ["permission"]
    assert refused[0][1].startswith(
        "refused (permission): The approved plan has 1 of 'posters' and no slot 2."
    )
    assert len(stage.vendor.orders) == 1
    await stage.check()


async def test_words_by_a_key_have_each_paid_call_of_a_plan_confirmed(stage: Stage) -> None:
    await allow(stage, "free")
    stage.model.answers[:] = [plan(2), concept(), fill]
    message_id = await say_by_key(stage, "two posters")
    task_id = await stage.machine.task_of(message_id)
    (asked,) = await stage.machine.pending()
    assert asked.kind == "plan", "nothing begins by itself for a key"
    await answer(stage)
    one, other = await stage.machine.pending()
    assert {one.kind, other.kind} == {"call"}
    assert one.body == "Calls that come over the open API are confirmed one by one."
    assert stage.vendor.requests == []
    await stage.machine.decide(one, Decision.APPROVE)
    await stage.machine.drain()
    assert len(stage.vendor.orders) == 1
    await stage.machine.decide(other, Decision.APPROVE)
    await stage.machine.drain()
    assert (await stage.task(task_id))[0] == "completed"
    assert await stage.money() == (250, 0, 2 * PRICE, 0), "within the plan's budget"
    await stage.check()


async def test_a_work_of_the_page_that_a_key_steers_is_confirmed_from_then_on(
    stage: Stage,
) -> None:
    await allow(stage, "balanced")
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture(), picture(name="Other")]
    task_id = await stage.begin()
    assert (len(stage.vendor.orders), await stage.machine.pending()) == (1, [])
    await say_by_key(stage, "another one", task_id)
    (asked,) = await stage.machine.pending()
    assert (asked.kind, asked.card["category"]) == ("call", "permission")
    assert len(stage.vendor.orders) == 1
    await stage.check()


class _Removal(BaseModel):
    name: str


@pytest.fixture
def removed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a tool has removed that cannot be brought back."""
    gone: list[str] = []

    async def remove(context: ToolContext, arguments: _Removal) -> ToolResult:
        await tasks.set_summary(context.tx, context.task_id, f"without {arguments.name}")
        gone.append(arguments.name)
        return ToolResult(message=f"{arguments.name} is gone.")

    tool = Tool(
        name="remove",
        description="Remove something for good. Use with care.",
        arguments=_Removal,
        risk=Risk.IRREVERSIBLE,
        call=remove,
    )
    monkeypatch.setitem(TOOLS, tool.name, tool)
    return gone


@pytest.mark.parametrize("autonomy", ["cautious", "balanced", "free"])
async def test_what_cannot_be_undone_runs_once_and_after_a_yes(
    stage: Stage, removed: list[str], autonomy: str
) -> None:
    await allow(stage, autonomy)
    stage.model.answers[:] = [calls(("remove", {"name": "the harbour"})), calls(say="Done.")]
    task_id = await stage.begin()
    assert removed == []
    (asked,) = await stage.machine.pending()
    assert (asked.title, asked.body) == ("Remove something for good", "This cannot be undone.")
    assert (asked.card["category"], asked.actions) == ("permission", ["approve", "reject"])
    assert asked.card["lines"] == [{"label": "name", "detail": "the harbour"}]
    told = await stage.machine.rows("select tool_message from ledger")
    assert "Not run yet (permission): This cannot be undone." in told[0][0]
    await answer(stage)
    await stage.machine.drain()
    assert removed == ["the harbour"]
    assert stage.model.states[-1]["events"][-1]["what_happened"] == (
        "The person approved 'Remove something for good', and it was done: the harbour is gone."
    )
    assert await stage.ledger() == [("settled", "succeeded")]
    summary = await stage.machine.rows("select summary from tasks where task_id = %s", task_id)
    assert summary == [("without the harbour",)]
    await stage.check()


async def test_what_cannot_be_undone_does_not_run_after_a_no(
    stage: Stage, removed: list[str]
) -> None:
    stage.model.answers[:] = [calls(("remove", {"name": "the harbour"})), calls(say="All right.")]
    await stage.begin()
    await answer(stage, Decision.REJECT, note="keep it")
    assert removed == []
    rows = await stage.machine.rows("select status, outcome, refusal from ledger")
    assert rows == [("rejected", "refused", "permission")]
    await stage.check()
