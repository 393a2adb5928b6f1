"""Layer 3's look at a proposed target: can this task take the message, and is its object here?

What cannot be delivered as proposed becomes a question with buttons; nothing is sent elsewhere by
itself, and nothing is answered in the target's place.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from execution import approvals, messages, tasks
from execution.errors import NotFoundError
from execution.intake import as_choice
from execution.messages import Message, Route
from execution.tasks import Task, TaskStatus
from execution.tx import Tx
from infra.ids import ObjectId, TaskId, ThreadId
from nodes.main.sentences import say
from nodes.state import RunContext
from workspace import objects
from workspace.objects import ObjectVersion

CODE = 1
MODEL = 2
"""Who decided about a route: layer 1 is code on the person's word, layer 2 a model's proposal."""
_OTHERS = 4
_JOINED_AT_MOST = 50
"""So many times over a task was joined to one that was joined to another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Why a message cannot simply be delivered, and what the person is offered instead."""

    question: str
    reason: str
    candidates: list[dict[str, Any]]


async def doubt_about(tx: Tx, run: RunContext, route: Route) -> Doubt | None:
    """Return what speaks against a route to an existing task, or None when nothing does."""
    message = await messages.get(tx.conn, run.workspace, run.message)
    task = await _task(tx, route.task_id)
    if task is None:
        is_linked = route.layer == CODE
        return Doubt(
            question=say("dead_link" if is_linked else "gone", route.language),
            reason=route.reason if is_linked else "The task is not here.",
            candidates=await _others(tx, route, None),
        )
    return await _about_task(tx, route, task) or await _about_objects(tx, route, task, message)


async def was_chosen(tx: Tx, run: RunContext) -> bool:
    """Tell whether a person has chosen already: they are not asked about their own choice."""
    return bool(await approvals.of_thread(tx.conn, ThreadId(run.thread), statuses=["chosen"]))


async def heir_of(tx: Tx, task: Task) -> Task | None:
    """Return the task that goes on with the words of one that was joined to it, if it was."""
    found = task
    for _ in range(_JOINED_AT_MOST):
        if found.merged_into is None:
            break
        found = await tasks.get(tx.conn, tx.workspace_id, TaskId(found.merged_into))
    return None if found.task_id == task.task_id else found


async def _about_task(tx: Tx, route: Route, task: Task) -> Doubt | None:
    if (heir := await heir_of(tx, task)) is not None:
        return Doubt(
            question=say("joined", route.language, title=task.title, other=heir.title),
            reason="The task was joined to another one.",
            candidates=[
                as_choice(heir),
                as_choice(task, say("bring_back", route.language, title=task.title)),
            ],
        )
    if task.archived_at is not None:
        state, offer, reason = "archived", "bring_back", "The task is archived."
    elif task.status == TaskStatus.STOPPED and route.layer == MODEL:
        state, offer, reason = "stopped", "continue", "The task was stopped."
    else:
        return None
    label = say(offer, route.language, title=task.title)
    return Doubt(
        question=say(state, route.language, title=task.title),
        reason=reason,
        candidates=[as_choice(task, label), *await _others(tx, route, task)],
    )


async def _about_objects(tx: Tx, route: Route, task: Task, message: Message) -> Doubt | None:
    for object_id in message.object_ids:
        found = await _object(tx, object_id)
        if found is None:
            return Doubt(
                question=say("object_gone", route.language),
                reason="The object is not here any more.",
                candidates=[as_choice(task), *await _others(tx, route, task)],
            )
        if route.layer == MODEL and await _is_elsewhere(tx, found, task):
            owner = await _task(tx, found.task_id)
            there = [as_choice(owner)] if owner is not None else []
            return Doubt(
                question=say("object_elsewhere", route.language, name=found.name),
                reason="The object belongs to another task.",
                candidates=[*there, as_choice(task)],
            )
    return None


async def _is_elsewhere(tx: Tx, found: ObjectVersion, task: Task) -> bool:
    if found.task_id in (None, task.task_id):
        return False
    using = await objects.tasks_using(tx.conn, tx.workspace_id, ObjectId(found.object_id))
    return task.task_id not in using


async def _task(tx: Tx, task_id: UUID | None) -> Task | None:
    if task_id is None:
        return None
    try:
        return await tasks.get(tx.conn, tx.workspace_id, TaskId(task_id))
    except NotFoundError:
        return None


async def _object(tx: Tx, object_id: UUID) -> ObjectVersion | None:
    try:
        return await objects.get(tx.conn, tx.workspace_id, ObjectId(object_id))
    except NotFoundError:
        return None


async def _others(tx: Tx, route: Route, but: Task | None) -> list[dict[str, Any]]:
    """Return what else could be meant: what the router named, else what was active last."""
    named = [item for item in route.candidates if "task_id" in item]
    if not named:
        recent = await tasks.recent(tx.conn, tx.workspace_id, limit=_OTHERS)
        named = [as_choice(task) for task in recent]
    left_out = str(but.task_id) if but is not None else ""
    return [item for item in named if item["task_id"] != left_out][:_OTHERS]
