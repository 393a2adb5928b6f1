"""`wait`: the only interrupt of a task. The turn has ended; the graph rests here until a wake."""

from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from execution import approvals, tasks, views
from infra.deps import Deps
from infra.ids import ThreadId
from nodes.state import RunContext, TaskState


async def wait(
    state: TaskState, runtime: Runtime[RunContext], *, deps: Deps
) -> Command[Literal["call"]]:
    """Show what is waited for, built from tables; whatever resumes it says only "look again"."""
    run = runtime.context
    async with deps.pools.domain.connection() as conn:
        task = await tasks.get(conn, run.workspace, run.task)
        pending = await approvals.of_thread(conn, ThreadId(run.thread), statuses=["pending"])
        card = views.approval_card(pending[0], deps.settings.currency) if pending else None
    interrupt(_payload(task.waiting_reason or task.status, task.reason or "", card))
    return Command(goto="call")


def _payload(waiting_for: str, reason: str, card: dict[str, Any] | None) -> dict[str, Any]:
    """Return the interrupt's value in the shape that LangChain's human-in-the-loop clients show."""
    if card is None:
        return {"waiting_for": waiting_for, "reason": reason}
    arguments = card["arguments"] or {"lines": card["lines"], "price": card["price"]}
    allowed = [action for action in card["actions"] if action in ("approve", "edit", "reject")]
    return {
        "waiting_for": waiting_for,
        "reason": reason,
        "action_requests": [
            {
                "name": card["kind"],
                "args": arguments,
                "arguments": arguments,
                "description": f"{card['title']}\n\n{card['body']}".strip(),
            }
        ],
        "review_configs": [{"action_name": card["kind"], "allowed_decisions": allowed}],
        "card": card,
    }
