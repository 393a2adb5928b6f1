"""`check`: layer 3, code only. Is the target there, open and ours? Then go where the route says."""

from typing import Literal, assert_never
from uuid import UUID

from langgraph.runtime import Runtime
from langgraph.types import Command

from execution import approvals, messages, tasks
from execution.errors import NotFoundError
from execution.messages import Outcome, Route
from execution.transactions import work
from execution.tx import Tx
from infra.deps import Deps
from infra.ids import ApprovalId, TaskId, ThreadId
from nodes.main.clarify import NEW_TASK, approval_id_of
from nodes.state import MainState, RunContext

type Where = Literal["reply", "start", "steer", "clarify"]


async def check(
    state: MainState, runtime: Runtime[RunContext], *, deps: Deps
) -> Command[Literal["reply", "start", "steer", "clarify"]]:
    """Check the target; a person's choice on a question replaces the router's proposal."""
    run = runtime.context
    async with work(deps, run.workspace, fence=run.fence, cause=run.turn_id) as tx:
        await _apply_choice(tx, run)
        route = await messages.get_route(tx.conn, run.workspace, run.message)
        assert route is not None  # noqa: S101 - every way here has stored one
        where = await _where(tx, run, route)
    return Command(goto=where, update={"outcome": route.outcome})


async def _where(tx: Tx, run: RunContext, route: Route) -> Where:
    match Outcome(route.outcome):
        case Outcome.ANSWER:
            return "reply"
        case Outcome.LIGHTWEIGHT | Outcome.NEW:
            return "start"
        case Outcome.ASK:
            return "clarify"
        case Outcome.EXISTING:
            return "steer" if await _is_open(tx, run, route) else "reply"
    assert_never(route.outcome)


async def _is_open(tx: Tx, run: RunContext, route: Route) -> bool:
    if route.task_id is None:
        return False
    try:
        task = await tasks.get(tx.conn, run.workspace, TaskId(route.task_id))
    except NotFoundError:
        return False
    return task.archived_at is None


async def _apply_choice(tx: Tx, run: RunContext) -> None:
    answered = await approvals.of_thread(
        tx.conn, ThreadId(run.thread), statuses=["chosen"], unused_only=True
    )
    for question in answered:
        if question.approval_id != approval_id_of(run):
            continue
        choice = str((question.decision or {}).get("choice"))
        offered = {option["id"] for option in question.card["options"]}
        is_task = choice in offered and choice != NEW_TASK
        await messages.settle_question(
            tx,
            run.message,
            outcome=Outcome.EXISTING if is_task else Outcome.NEW,
            task_id=TaskId(UUID(choice)) if is_task else None,
        )
        await approvals.use(tx, ApprovalId(question.approval_id))
