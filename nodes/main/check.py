"""`check`: layer 3, code only. Is the target there, open and ours? Then go where the route says."""

from typing import Any, Literal, assert_never
from uuid import UUID

from langgraph.runtime import Runtime
from langgraph.types import Command

from execution import approvals, messages, route_examples, tasks
from execution.approvals import Approval
from execution.messages import Outcome, Route
from execution.transactions import work
from execution.tx import Tx
from infra.deps import Deps
from infra.ids import ApprovalId, ObjectId, TaskId, ThreadId
from nodes.main.clarify import NEW_TASK, OBJECT
from nodes.main.targets import doubt_about, heir_of, was_chosen
from nodes.state import MainState, RunContext
from workspace import objects

type Where = Literal["reply", "start", "steer", "clarify"]

_GIVEN_UP = ["expired", "superseded"]


async def check(
    state: MainState, runtime: Runtime[RunContext], *, deps: Deps
) -> Command[Literal["reply", "start", "steer", "clarify"]]:
    """Check the target; a person's choice on a question replaces the router's proposal."""
    run = runtime.context
    async with work(deps, run.workspace, fence=run.fence, cause=run.turn_id) as tx:
        await _apply_answer(tx, run)
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
            return await _deliver_or_ask(tx, run, route)
    assert_never(route.outcome)


async def _deliver_or_ask(tx: Tx, run: RunContext, route: Route) -> Where:
    if await was_chosen(tx, run):
        return "steer"
    doubt = await doubt_about(tx, run, route)
    if doubt is None:
        return "steer"
    await messages.ask(
        tx,
        run.message,
        question=doubt.question,
        candidates=doubt.candidates,
        reason=doubt.reason,
    )
    return "clarify"


async def _apply_answer(tx: Tx, run: RunContext) -> None:
    thread_id = ThreadId(run.thread)
    for question in await approvals.of_thread(
        tx.conn, thread_id, statuses=["chosen"], unused_only=True
    ):
        await _apply_choice(tx, run, question)
        await approvals.use(tx, ApprovalId(question.approval_id))
    if await approvals.of_thread(tx.conn, thread_id, statuses=_GIVEN_UP):
        await messages.settle_question(
            tx,
            run.message,
            outcome=Outcome.ANSWER,
            task_id=None,
            reason="Nobody answered the question in time.",
        )


async def _apply_choice(tx: Tx, run: RunContext, question: Approval) -> None:
    choice = str((question.decision or {}).get("choice"))
    offered = {option["id"]: option for option in question.card["options"]}
    task_id: TaskId | None = None
    if choice.startswith(OBJECT) and choice in offered:
        task_id = await _choose_object(tx, run, offered[choice])
    elif choice in offered and choice != NEW_TASK:
        task_id = await _as_it_stands(tx, question, TaskId(UUID(choice)))
    await messages.settle_question(
        tx,
        run.message,
        outcome=Outcome.EXISTING if task_id is not None else Outcome.NEW,
        task_id=task_id,
    )
    if task_id is not None:
        await tasks.unarchive(tx, task_id)
    label = offered[choice]["label"] if choice in offered else route_examples.SOMETHING_NEW
    message = await messages.get(tx.conn, tx.workspace_id, run.message)
    await route_examples.remember(
        tx,
        run.message,
        how="chosen",
        words=message.text,
        proposed=question.title,
        belongs_to=label if choice != NEW_TASK else route_examples.SOMETHING_NEW,
    )


async def _as_it_stands(tx: Tx, question: Approval, task_id: TaskId) -> TaskId:
    """Return the chosen task, or the one that it was joined to since the question was asked."""
    task = await tasks.get(tx.conn, tx.workspace_id, task_id)
    if task.archived_at is None or task.archived_at < question.created_at:
        return task_id
    heir = await heir_of(tx, task)
    return task_id if heir is None else TaskId(heir.task_id)


async def _choose_object(tx: Tx, run: RunContext, option: dict[str, Any]) -> TaskId | None:
    object_id = ObjectId(UUID(option["id"].removeprefix(OBJECT)))
    await messages.point_at(tx, run.message, [object_id])
    return await objects.task_of(tx.conn, tx.workspace_id, object_id)
