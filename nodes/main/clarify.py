"""`clarify`: ask the person which task they mean; the only interrupt of Main."""

from typing import Literal
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
from nodes.state import MainState, RunContext

NEW_TASK = "new"
_NEW_LABEL = {
    "de": "Etwas Neues",
    "es": "Algo nuevo",
    "fr": "Quelque chose de nouveau",
    "ko": "새로운 작업",
    "zh": "新的任务",
    "ja": "新しい作業",
}


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
    options = [
        {"id": item["task_id"], "label": item["title"], "detail": item["goal"]}
        for item in route.candidates
    ]
    label = _NEW_LABEL.get(route.language.split("-")[0], "Something new")
    options.append({"id": NEW_TASK, "label": label, "detail": ""})
    request = {"message": run.thread_id, "options": options}
    await approvals.request(
        tx,
        approval_id_of(run),
        thread_id=ThreadId(run.thread),
        task_id=None,
        kind="route",
        title=route.question or route.title,
        body="",
        card={"options": options},
        actions=["choose"],
        args_hash=ledger.hash_of("route", request, None),
    )
