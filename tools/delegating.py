"""`delegate`: a part of the work becomes a task of its own, with money of this one's.

Code writes every amount: the work that is named is priced as a plan would be, and so much is taken
from what this task's own plan does not need. A second worker is used only where that pays: the
work rests on nothing that is still to be made, nobody has it already, and it takes more rounds of
a model than coordinating it does. Nothing else is gained by it: the child's plan needs its yes like
any other, whatever that does not cover is asked about, and what came over the open API is confirmed
call by call there too.
"""

from typing import Annotated, cast
from uuid import UUID

from pydantic import BaseModel, Field

from execution import budget, delegations, limits, tasks, words
from execution.authorization import Risk
from execution.delegations import MAX_CHILDREN, MAX_DEPTH, MAX_OPEN_CHILDREN, ROUNDS_SHARE
from execution.errors import (
    BudgetExhaustedError,
    InvalidCallError,
    PermissionDeniedError,
)
from execution.progress import ItemStatus
from execution.tasks import Task
from execution.words import MAX_CHARACTERS, Kind
from infra.ids import MessageId, TaskId, new_id
from infra.money import Money
from tools import exchange
from tools.orders import STEP_KINDS
from tools.plan import DEFAULT_SIZE, StepKind, quote_micros, with_reserve
from tools.tool import MAX_CALLS_PER_STEP, Tool, ToolContext, ToolResult
from workspace import objects

COORDINATION_ROUNDS = 4
"""What a child costs beside its work: here the giving and the reading of its report, there its plan
and its end. Jobs run side by side within one task, so less work than that is done sooner alone."""
_OPERATIONS = {kind: operation for operation, kinds in STEP_KINDS.items() for kind in kinds}


class Work(BaseModel):
    """One kind of results that the child is to bring."""

    kind: StepKind
    count: Annotated[int, Field(ge=1, le=60)] = 1
    seconds: Annotated[
        float, Field(ge=0, le=3600, description="of media in all results together")
    ] = 0


class Delegate(BaseModel):
    """Arguments of `delegate`."""

    title: Annotated[str, Field(min_length=1, max_length=120)]
    goal: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_CHARACTERS,
            description="all that the other must know: it has read nothing of this work",
        ),
    ]
    language: Annotated[
        str | None, Field(max_length=20, description="BCP 47; this task's unless it is another")
    ] = None
    work: Annotated[list[Work], Field(min_length=1, max_length=20)]
    uses: Annotated[
        list[str], Field(max_length=40, description="steps of this plan whose results it needs")
    ] = []
    object_ids: Annotated[
        list[str], Field(max_length=30, description="objects that it is to use")
    ] = []


async def delegate(context: ToolContext, arguments: Delegate) -> ToolResult:
    """Give the work to a new task with its money, in the transaction of the decision."""
    depth = await _check_place(context, arguments)
    _check_separable(context, arguments)
    await _check_objects(context, arguments.object_ids)
    _check_pays(arguments)
    micros = _price(context, arguments)
    rounds, seconds = await _share(context)
    await _check_money(context, micros)
    child_id = await _begin(context, arguments)
    await delegations.begin(
        context.tx,
        child_id=child_id,
        parent_id=context.task_id,
        call_key=context.call_key,
        epoch=context.task.epoch,
        depth=depth,
        micros=micros,
        rounds=rounds,
    )
    await limits.give(context.tx, child_id, max_rounds=rounds, max_seconds=seconds)
    return ToolResult(
        message=(
            f"delegated: task {child_id} has begun with {_shown(context, micros)} of this task's "
            "money. Its report comes as words when it ends or needs the person. Wait for it, or go "
            "on with the steps of your own plan."
        )
    )


async def _check_place(context: ToolContext, arguments: Delegate) -> int:
    """Return how deep the child would be, refusing circles and too many.

    Raises:
        InvalidCallError: it would be too deep or too many, or the goal is somebody's already.
    """
    conn, task = context.tx.conn, context.task
    above = await delegations.ancestors(conn, context.task_id)
    if len(above) >= MAX_DEPTH:
        message = "You work for a task that works for another one. Do this yourself."
        raise InvalidCallError(message)
    children = await delegations.of_parent(conn, context.tx.workspace_id, context.task_id)
    if sum(each.is_open for each in children) >= MAX_OPEN_CHILDREN:
        message = f"{MAX_OPEN_CHILDREN} tasks work for you already. Wait for their reports."
        raise InvalidCallError(message)
    if sum(each.epoch == task.epoch for each in children) >= MAX_CHILDREN:
        message = f"You have given work away {MAX_CHILDREN} times. Do the rest yourself."
        raise InvalidCallError(message)
    others = [*above, *(TaskId(each.child_id) for each in children if each.is_open)]
    known = [task, *[await tasks.get(conn, context.tx.workspace_id, each) for each in others]]
    if any(_same(arguments.goal, each) for each in known):
        message = "This is the whole goal of a task that is at work. Name a part that is left over."
        raise InvalidCallError(message)
    return len(above) + 1


def _same(goal: str, task: Task) -> bool:
    return goal.split() == task.goal.split() or goal.casefold().strip() == task.goal.casefold()


def _check_separable(context: ToolContext, arguments: Delegate) -> None:
    """Refuse work that rests on what is not there, or that the own plan has.

    Raises:
        PermissionDeniedError: the plan has not been approved.
        InvalidCallError: it is not separable; the message says what is nearer.
    """
    plan = context.plan
    if plan is None:
        if arguments.uses:
            message = "There is no plan whose steps it could use."
            raise InvalidCallError(message)
        return
    if not plan.is_approved:
        message = "The plan has not been approved yet; nothing of it may be given away before."
        raise PermissionDeniedError(message)
    unknown = [key for key in arguments.uses if plan.find(key) is None]
    if unknown:
        message = f"The plan has no step '{unknown[0]}'."
        raise InvalidCallError(message)
    open_items = [each for each in plan.items if each.status is not ItemStatus.DONE]
    unfinished = [each.item.key for each in open_items if each.item.key in arguments.uses]
    if unfinished:
        message = (
            f"It rests on {', '.join(unfinished)}, which is not finished. Make that first, or do "
            "the work yourself as a step that depends on it."
        )
        raise InvalidCallError(message)
    kinds = {each.kind for each in arguments.work}
    own = [each.item.key for each in open_items if each.item.kind in kinds]
    if own:
        message = (
            f"Your own plan makes such results in {', '.join(own)}, and what another task makes "
            "fills no slot of it. Fill these slots yourself, or revise the plan without them first."
        )
        raise InvalidCallError(message)


async def _check_objects(context: ToolContext, object_ids: list[str]) -> None:
    try:
        wanted = {UUID(each) for each in object_ids}
    except ValueError:
        wanted = None
    tx = context.tx
    found = await objects.of_ids(tx.conn, tx.workspace_id, list(wanted or ()))
    if wanted is None or {each.object_id for each in found} != wanted:
        message = "Not all of these objects are in this workspace."
        raise InvalidCallError(message)


def _check_pays(arguments: Delegate) -> None:
    """Refuse work that takes no more rounds than coordinating it.

    Raises:
        InvalidCallError: it is done sooner and with fewer words by this task itself.
    """
    rounds = sum(-(-each.count // _per_round(each.kind)) for each in arguments.work)
    if rounds > COORDINATION_ROUNDS:
        return
    message = (
        f"This takes about {rounds} rounds, and giving it away {COORDINATION_ROUNDS} more. Do it "
        f"yourself: up to {MAX_CALLS_PER_STEP} calls of one answer run side by side. Put it into "
        "your plan."
    )
    raise InvalidCallError(message)


def _per_round(kind: StepKind) -> int:
    return MAX_CALLS_PER_STEP if kind in _OPERATIONS else 1


def _price(context: ToolContext, arguments: Delegate) -> int:
    """Return what the work costs, with the reserve that every plan has.

    Raises:
        CapabilityError: nothing here can make it.
    """
    quoted = sum(
        _quote(context, each.kind, each.seconds / each.count) * each.count
        for each in arguments.work
    )
    return with_reserve(quoted)


def _quote(context: ToolContext, kind: StepKind, seconds: float) -> int:
    """Return what one result costs, in the size of this task's plan."""
    size = DEFAULT_SIZE
    if context.plan is not None:
        planned = context.plan.checklist.format
        size = (planned.get("width", size[0]), planned.get("height", size[1]))
    return quote_micros(context.deps, kind, seconds=seconds, size=size)


async def _share(context: ToolContext) -> tuple[int, int]:
    """Return the rounds and the seconds that a child gets of what this task has left.

    Raises:
        BudgetExhaustedError: too few rounds are left to give any away.
    """
    conn, task = context.tx.conn, context.task
    allowed = await limits.of_task(conn, context.tx.workspace_id, context.task_id)
    taken = await delegations.rounds_taken(conn, context.task_id, task.epoch)
    rounds = (allowed.max_rounds - task.rounds - taken) // ROUNDS_SHARE
    if rounds <= COORDINATION_ROUNDS:
        message = "So few rounds of work are left that none can be given away. Do it yourself."
        raise BudgetExhaustedError(message)
    return rounds, max(allowed.max_seconds - allowed.worked_s, 1)


async def _check_money(context: ToolContext, micros: int) -> None:
    """Refuse to take what the own plan still needs.

    Raises:
        BudgetExhaustedError: what is free beside that does not cover it.
    """
    free = (await budget.lock(context.tx.conn, context.task_id)).free_micros
    needed = _still_needed(context)
    if micros > max(free - needed, 0):
        message = (
            f"This costs up to {_shown(context, micros)}; beside the {_shown(context, needed)} "
            f"that your own plan still needs, {_shown(context, max(free - needed, 0))} is free. "
            "Give less away, or tell the person that they can add to the budget of this task."
        )
        raise BudgetExhaustedError(message)


def _still_needed(context: ToolContext) -> int:
    plan = context.plan
    if plan is None or not plan.is_approved:
        return 0
    whole = float(plan.checklist.format.get("duration_s") or 0)
    needed = 0
    for each in plan.items:
        item = each.item
        seconds = item.seconds or (whole if item.kind in ("music", "master") else 0)
        quote = _quote(context, cast("StepKind", item.kind), seconds / item.expected_count)
        needed += quote * len(each.missing_slots)
    return needed


def _shown(context: ToolContext, micros: int) -> str:
    return Money(micros, context.deps.settings.currency).format(context.task.language)


async def _begin(context: ToolContext, arguments: Delegate) -> TaskId:
    """Create the child; its goal is this task's word, which is delivered with it."""
    tx, task = context.tx, context.task
    child_id, language = TaskId(new_id()), arguments.language or task.language
    word_id = MessageId(new_id())
    await tasks.create(
        tx,
        child_id,
        kind="persistent",
        title=arguments.title,
        goal=arguments.goal,
        language=language,
        brief={},
        source_message_id=word_id,
    )
    text = "\n".join([arguments.goal, *(f"object {each}" for each in arguments.object_ids)])
    await words.send(
        tx,
        word_id=word_id,
        kind=Kind.GOAL,
        from_task=context.task_id,
        to_task=child_id,
        from_title=task.title,
        text=text,
        language=language,
        cause=context.call_key,
    )
    await words.settle(tx, word_id, "delivered", text)
    await exchange.hand_in(tx, child_id, word_id, text=text, language=language)
    return child_id


DELEGATE = Tool(
    name="delegate",
    description=(
        "Give a large part of the work that rests on nothing unfinished to a task of its own, with "
        "money of this one's. What it makes fills no slot of your plan."
    ),
    arguments=Delegate,
    risk=Risk.WRITE,
    call=delegate,
)
