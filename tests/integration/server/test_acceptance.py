"""Accepting over HTTP: what is shown, what is decided once, and where the words go."""

from typing import Any

import pytest

from execution import acceptance, checklist, deliveries, inbox, tasks
from execution.tasks import TaskStatus
from execution.transactions import work
from infra.db.pool import transaction
from infra.ids import TaskId
from server.auth import LOCAL_WORKSPACE
from tests.integration.server.conftest import Live, assert_problem, make_task

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(name="live")
def _live(shared: Live) -> Live:
    return shared


async def delivered(live: Live) -> TaskId:
    """A task whose work was delivered: an approved plan without steps is complete."""
    task_id = await make_task(live.deps)
    async with work(live.deps, LOCAL_WORKSPACE) as tx:
        await checklist.propose(
            tx,
            task_id,
            title="A film",
            summary="",
            format_={},
            items=[],
            call_key=f"{task_id}/1/1",
            quote_micros=0,
            maximum_micros=0,
        )
        await checklist.decide(tx, task_id, f"{task_id}/1/1", approved=True)
        plan = await checklist.load(tx.conn, task_id)
        assert plan is not None
        made = await deliveries.record(
            tx,
            task_id,
            status="delivered",
            report={"title": "A film"},
            inputs_hash=deliveries.inputs_hash(plan),
        )
        await acceptance.begin(tx, task_id, made, plan, grant=None)
        await tasks.set_status(tx, task_id, TaskStatus.COMPLETED, reason="The work was delivered.")
    return task_id


async def card(live: Live, task_id: TaskId) -> dict[str, Any]:
    return (await live.http.get(f"/v1/tasks/{task_id}/acceptance")).json()["acceptance"]


async def answer(live: Live, task_id: TaskId, decision: str, **given: Any) -> Any:
    shown = await card(live, task_id)
    body = {"decision": decision, "revision": shown["revision"], "args_hash": shown["args_hash"]}
    return await live.http.post(f"/v1/tasks/{task_id}/acceptance", json={**body, **given})


async def test_a_task_that_delivered_nothing_has_nothing_to_accept(live: Live) -> None:
    task_id = await make_task(live.deps)
    assert await card(live, task_id) is None
    shown = (await live.http.get(f"/v1/tasks/{task_id}")).json()
    assert shown["acceptance"] is None


async def test_a_delivery_is_accepted_once(live: Live) -> None:
    task_id = await delivered(live)
    shown = await card(live, task_id)
    assert (shown["state"], shown["actions"]) == ("awaiting", ["accept", "ask_changes"])
    task = (await answer(live, task_id, "accept")).json()
    assert (task["status"], task["acceptance"]["state"]) == ("completed", "accepted")
    assert (task["acceptance"]["decided_by"], task["acceptance"]["actions"]) == ("owner", [])
    again = await answer(live, task_id, "accept")
    assert_problem(again, 409, "already_decided")


async def test_what_was_not_shown_cannot_be_accepted(live: Live) -> None:
    task_id = await delivered(live)
    assert_problem(await answer(live, task_id, "accept", args_hash="another"), 409, "superseded")
    assert_problem(await answer(live, task_id, "accept", revision=2), 409, "superseded")
    assert (await card(live, task_id))["state"] == "awaiting"


async def test_a_wish_for_changes_goes_to_the_task_as_the_persons_words(live: Live) -> None:
    task_id = await delivered(live)
    assert_problem(await answer(live, task_id, "ask_changes"), 422, "invalid_request")
    task = (await answer(live, task_id, "ask_changes", note="Make it blue.")).json()
    assert task["acceptance"]["state"] == "changes_asked"
    assert task["status"] == "active", "their words open it again"
    async with transaction(live.context.pool) as conn:
        waiting = await inbox.drain(conn, task_id)
    assert [message.text for message in waiting][-1] == "Make it blue."


async def test_settings_say_whether_deliveries_are_accepted_unasked(live: Live) -> None:
    before = (await live.http.get("/v1/settings")).json()
    assert before["accepts_deliveries"] is False
    given = {**before, "accepts_deliveries": True}
    assert (await live.http.put("/v1/settings", json=given)).json() == given
    older = {name: value for name, value in given.items() if name != "accepts_deliveries"}
    assert (await live.http.put("/v1/settings", json=older)).json() == given, "left as it was"
    await live.http.put("/v1/settings", json=before)
