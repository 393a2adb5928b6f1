"""`clarify`: ask the person which task they mean; the only interrupt of Main."""

from datetime import timedelta
from typing import Any, Literal
from uuid import uuid5

from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from execution import approvals, leases, ledger, messages, workspaces
from execution.messages import Route
from execution.transactions import work
from execution.tx import Tx
from execution.views import approval_card
from infra.deps import Deps
from infra.ids import ApprovalId, ThreadId
from nodes.main.sentences import Sentence, say
from nodes.state import MainState, RunContext

NEW_TASK = "new"
OBJECT = "object:"
"""What a choice is: a task's id, an object's with this before it, or something new."""
LIFETIME = timedelta(days=30)
_SHOWN = 200


def approval_id_of(run: RunContext) -> ApprovalId:
    """Return the id of the one question that a message may cause."""
    return ApprovalId(uuid5(run.workspace, f"route {run.thread_id}"))


async def clarify(
    state: MainState, runtime: Runtime[RunContext], *, deps: Deps
) -> Command[Literal["check"]]:
    """Store the question before interrupting; a re-run asks nothing twice."""
    run = runtime.context
    async with work(deps, run.workspace, fence=run.fence, cause=run.turn_id) as tx:
        wake_seq = await leases.read_wake_seq(tx.conn, run.thread)
        route = await messages.get_route(tx.conn, run.workspace, run.message)
        assert route is not None  # noqa: S101 - check came before
        await _ask(tx, run, route)
        asked = await approvals.get(tx.conn, run.workspace, approval_id_of(run))
        workspace = await workspaces.get(tx.conn, run.workspace)
        rests = asked.status == "pending" and await leases.end_turn(
            tx.conn, run.fence, wake_seq=wake_seq, outcome="asked"
        )
    if rests:
        interrupt({"waiting_for": "answer", "card": approval_card(asked, workspace.currency)})
    return Command(goto="check")


async def _ask(tx: Tx, run: RunContext, route: Route) -> None:
    message = await messages.get(tx.conn, run.workspace, run.message)
    options = [_option(item) for item in route.candidates]
    options.append({"id": NEW_TASK, "label": say("new", route.language), "detail": ""})
    request = {"message": run.thread_id, "options": options}
    await approvals.request(
        tx,
        approval_id_of(run),
        thread_id=ThreadId(run.thread),
        task_id=None,
        kind="route",
        title=route.question or say(_which(route), route.language),
        body=message.text[:_SHOWN],
        card={"options": options},
        actions=["choose"],
        args_hash=ledger.hash_of("route", request, None),
        expires_in=LIFETIME,
    )


def _which(route: Route) -> Sentence:
    return "which_object" if any("object_id" in item for item in route.candidates) else "which"


def _option(item: dict[str, Any]) -> dict[str, str]:
    identity = OBJECT + item["object_id"] if "object_id" in item else item["task_id"]
    return {"id": identity, "label": item["title"], "detail": item["goal"]}
