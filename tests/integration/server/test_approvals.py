"""Questions over HTTP: answered once, on what was seen, by nobody else."""

import asyncio
from typing import Any, cast
from uuid import UUID

import httpx
import pytest
import pytest_asyncio

from execution import tasks
from execution.proposed import ProposedCall
from execution.transactions import work
from infra.ids import ApprovalId, new_id
from infra.providers.ports import Provider
from server.auth import LOCAL_WORKSPACE
from tests.integration.graphs.stage import PricedByWidth
from tests.integration.server.conftest import (
    FOREIGN,
    Live,
    assert_problem,
    make_question,
    make_step,
    make_task,
)
from tools import proposals

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(name="live")
def _live(shared: Live) -> Live:
    return shared


async def decide(
    live: Live, question: ApprovalId | str, decision: str = "approve", **body: Any
) -> httpx.Response:
    headers = {"Idempotency-Key": body.pop("key")} if "key" in body else {}
    whole = {"decision": decision, "args_hash": "hash", **body}
    return await live.http.post(f"/v1/approvals/{question}", json=whole, headers=headers)


async def card_of(live: Live, question: ApprovalId) -> dict[str, Any]:
    listed = (await live.http.get("/v1/approvals")).json()["approvals"]
    return next(card for card in listed if card["id"] == str(question))


async def ask(live: Live, **values: Any) -> ApprovalId:
    return await make_question(live.deps, await make_task(live.deps), **values)


async def test_a_question_is_shown_and_approved(live: Live) -> None:
    question = await ask(live, lines=[{"label": "12 clips", "detail": "", "amount_micros": 5}])
    card = await card_of(live, question)
    assert card["status"] == "pending"
    assert card["price"] == {
        "amount_micros": 1_500_000,
        "maximum_micros": 2_000_000,
        "currency": "USD",
    }
    answer = await decide(live, question, note="go")
    assert answer.status_code == 200
    assert answer.json()["status"] == "approved"
    assert answer.json()["decided_by"] == "owner"
    assert answer.json()["decision"] == {"decision": "approve", "choice": None, "note": "go"}
    assert (card["arguments"], card["replaces"], card["replaced_by"]) == ({}, None, None)


async def test_a_question_can_be_rejected_or_an_option_chosen(live: Live) -> None:
    assert (await decide(live, await ask(live), "reject")).json()["status"] == "rejected"
    options = [{"id": "a", "label": "A", "detail": ""}]
    closed = await ask(live, kind="question", actions=("choose",), options=options)
    assert_problem(await decide(live, closed, "choose"), 422, "invalid_request")
    assert_problem(await decide(live, closed, "choose", choice="b"), 422, "invalid_request")
    assert (await decide(live, closed, "choose", choice="a")).json()["status"] == "chosen"
    free = await ask(live, kind="question", actions=("choose",), free_text=True)
    answer = await decide(live, free, "choose", choice="\x00frei 😀")
    assert answer.json()["decision"]["choice"] == "frei 😀"


async def test_an_answer_that_is_not_offered_is_refused(live: Live) -> None:
    question = await ask(live)
    for decision in ("edit", "choose"):
        problem = assert_problem(await decide(live, question, decision), 422, "invalid_request")
        assert "approve, reject" in problem["detail"]
    for body in (
        {"decision": "maybe", "args_hash": "hash"},
        {"decision": "approve"},
        {"decision": "approve", "args_hash": 5},
        {"decision": "approve", "args_hash": "hash", "choice": "x" * 30_000},
        {"decision": "approve", "args_hash": "hash", "approve": True},
        {"decision": "approve", "args_hash": "hash", "edited": {"prompt": "another"}},
        {"decision": "edit", "args_hash": "hash", "edited": ["prompt"]},
    ):
        answer = await live.http.post(f"/v1/approvals/{question}", json=body)
        assert_problem(answer, 422, "invalid_request")
    assert (await card_of(live, question))["status"] == "pending"


async def test_a_question_is_answered_once(live: Live) -> None:
    question = await ask(live)
    answers = await asyncio.gather(*(decide(live, question) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409]
    assert_problem(await decide(live, question, "reject"), 409, "already_decided")


async def test_an_answer_to_what_has_changed_is_superseded(live: Live) -> None:
    answer = await decide(live, await ask(live), args_hash="another")
    assert_problem(answer, 409, "superseded")


async def test_an_answer_that_comes_too_late_is_refused(live: Live) -> None:
    question = await ask(live)
    async with live.context.pool.connection() as conn:
        await conn.execute(
            """
            update approvals
            set expires_at = app_now() - interval '1 second'
            where approval_id = %s
            """,
            [question],
        )
    assert_problem(await decide(live, question), 409, "expired")


async def test_a_repeated_key_brings_the_first_answer(live: Live) -> None:
    question = await ask(live)
    first = await decide(live, question, key="one")
    again = await decide(live, question, key="one")
    assert (again.status_code, again.json()) == (200, first.json())
    assert_problem(await decide(live, question, "reject", key="one"), 422, "idempotency_key_reused")
    assert_problem(await decide(live, question, key="two"), 409, "already_decided")


@pytest_asyncio.fixture(name="priced", loop_scope="module")
async def _priced(live: Live, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The card of a picture that needs a yes, from a vendor who charges by the width."""
    (name,) = live.deps.providers
    vendor = PricedByWidth(name=name)
    monkeypatch.setitem(cast("dict[str, Provider]", live.deps.providers), name, vendor)
    task_id = await make_task(live.deps)
    step_id = await make_step(live.deps, task_id)
    call = ProposedCall(
        name="generate_image", arguments={"prompt": "a harbour", "name": "Harbour", "width": 1000}
    )
    async with work(live.deps, LOCAL_WORKSPACE) as tx:
        cautious = "update workspaces set autonomy = 'cautious' where workspace_id = %s"
        await tx.conn.execute(cautious, [LOCAL_WORKSPACE])
        task = await tasks.get(tx.conn, LOCAL_WORKSPACE, task_id)
        decision = proposals.Decision(tx=tx, deps=live.deps, task=task, step_id=step_id)
        await proposals.settle(decision, call, call_key=str(step_id), tool_call_id="c", seq=1)
    listed = (await live.http.get("/v1/approvals")).json()["approvals"]
    return next(card for card in listed if card["task_id"] == str(task_id))


async def edit(live: Live, card: dict[str, Any], **body: Any) -> httpx.Response:
    whole = {"args_hash": card["args_hash"], **body}
    return await decide(live, card["id"], "edit", **whole)


async def test_a_change_that_costs_no_more_is_approved(live: Live, priced: dict[str, Any]) -> None:
    assert priced["arguments"]["width"] == 1000
    assert priced["category"] == "permission"
    answer = await edit(live, priced, edited={"width": 800, "mood": "\x00calm"}, note="smaller")
    assert answer.status_code == 200
    card = answer.json()
    assert (card["id"], card["status"]) == (priced["id"], "approved")
    decision = card["decision"]
    assert (decision["decision"], decision["note"]) == ("edit", "smaller")
    assert decision["edited"] == {"width": 800, "mood": "calm"}
    assert decision["price_micros"] == 80


async def test_a_change_that_costs_more_is_answered_with_the_question_about_it(
    live: Live, priced: dict[str, Any]
) -> None:
    answer = await edit(live, priced, edited={"width": 2000}, key="dearer")
    assert answer.status_code == 200
    card = answer.json()
    assert (card["status"], card["replaces"]) == ("pending", priced["id"])
    assert card["id"] != priced["id"]
    assert card["args_hash"] != priced["args_hash"]
    assert (card["price"]["maximum_micros"], card["arguments"]["width"]) == (200, 2000)
    old = await card_of(live, ApprovalId(UUID(priced["id"])))
    assert (old["status"], old["replaced_by"]) == ("superseded", card["id"])
    again = await edit(live, priced, edited={"width": 2000}, key="dearer")
    assert (again.status_code, again.json()) == (200, card)
    assert_problem(await edit(live, priced, edited={"width": 2000}), 409, "superseded")
    assert_problem(await edit(live, priced, edited={"width": 600}), 409, "superseded")
    assert (await edit(live, card, edited={"width": 1900})).json()["status"] == "approved"


async def test_a_change_that_cannot_be_is_refused_with_its_reason(
    live: Live, priced: dict[str, Any]
) -> None:
    for edited, says in (
        (None, "Nothing would change"),
        ({"width": 5}, "width"),
        ({"slot": 2}, "slot"),
        ({"colour": "red"}, "colour"),
        ({"prompt": "x" * 2001}, "2,000"),
    ):
        problem = assert_problem(await edit(live, priced, edited=edited), 422, "invalid_request")
        assert problem["refusal"] == "invalid"
        assert says in problem["detail"]
    not_json = f'{{"decision":"edit","args_hash":"{priced["args_hash"]}","edited":{{"width":NaN}}}}'
    answer = await live.http.post(
        f"/v1/approvals/{priced['id']}",
        content=not_json,
        headers={"content-type": "application/json"},
    )
    assert_problem(answer, 422, "invalid_request")
    assert await card_of(live, ApprovalId(UUID(priced["id"]))) == priced


async def test_a_change_of_a_foreign_question_is_not_found(
    live: Live, priced: dict[str, Any]
) -> None:
    foreign = await make_question(
        live.deps, await make_task(live.deps, FOREIGN), FOREIGN, kind="call", actions=("edit",)
    )
    answer = await edit(live, {**priced, "id": str(foreign)}, edited={"width": 800})
    assert_problem(answer, 404, "not_found")


async def test_foreign_and_unknown_questions_are_not_found(live: Live) -> None:
    foreign = await make_question(live.deps, await make_task(live.deps, FOREIGN), FOREIGN)
    for question in (str(foreign), str(new_id()), "x", "%00"):
        for decision in ("approve", "edit"):
            assert_problem(await decide(live, question, decision), 404, "not_found")
    listed = (await live.http.get("/v1/approvals")).json()["approvals"]
    assert str(foreign) not in [card["id"] for card in listed]
