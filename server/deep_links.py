"""What the links in a person's words lead to, looked up in their workspace.

A link of another workspace is answered like one that leads nowhere.
"""

from uuid import UUID

from execution import approvals, links, tasks
from execution.errors import NotFoundError
from execution.intake import Linked
from execution.links import Link
from execution.tx import Tx
from infra.ids import ApprovalId, ObjectId, TaskId
from infra.settings import Settings
from workspace import objects
from workspace.objects import ObjectVersion


def places(settings: Settings, host: str | None) -> list[str]:
    """Return where this server is reached: as it was just now, as set up, and from outside."""
    found = [host, f"{settings.host}:{settings.port}", settings.public_url]
    return [place for place in found if place]


async def follow(tx: Tx, text: str, ours: list[str]) -> Linked:
    """Return what the links of a text lead to."""
    task_ids: dict[TaskId, None] = {}
    object_ids: dict[ObjectId, None] = {}
    approval_id: ApprovalId | None = None
    is_dead = False
    for link in links.links_in(text, ours):
        try:
            task_id, object_id, question = await _lead(tx, link)
        except NotFoundError:
            is_dead = True
            continue
        if task_id is not None:
            task_ids[task_id] = None
        if object_id is not None:
            object_ids[object_id] = None
        approval_id = approval_id or question
    return Linked(
        task_ids=tuple(task_ids),
        object_ids=tuple(object_ids),
        approval_id=approval_id,
        is_dead=is_dead,
    )


async def _lead(tx: Tx, link: Link) -> tuple[TaskId | None, ObjectId | None, ApprovalId | None]:
    """Return the task, the object and the question of Main that a link leads to.

    Raises:
        NotFoundError: it leads to nothing of this workspace.
    """
    if link.identity is None:
        raise NotFoundError
    match link.kind:
        case "task":
            return await _task(tx, link.identity), None, None
        case "object":
            about = await objects.get(tx.conn, tx.workspace_id, ObjectId(link.identity))
            return await task_of(tx, about), ObjectId(about.object_id), None
        case "approval":
            asked = await approvals.get(tx.conn, tx.workspace_id, ApprovalId(link.identity))
            if asked.task_id is None:
                return None, None, ApprovalId(asked.approval_id)
            return TaskId(asked.task_id), None, None


async def _task(tx: Tx, task_id: UUID) -> TaskId:
    return TaskId((await tasks.get(tx.conn, tx.workspace_id, TaskId(task_id))).task_id)


async def task_of(tx: Tx, about: ObjectVersion) -> TaskId | None:
    """Return the task that an object names: the only open one that it is bound to.

    Several leave it to Main; without an open one it is the task that made it.
    """
    bound = await objects.tasks_using(tx.conn, tx.workspace_id, ObjectId(about.object_id))
    found = [await tasks.get(tx.conn, tx.workspace_id, task_id) for task_id in bound]
    live = [task for task in found if not task.is_terminal and task.archived_at is None]
    if live:
        return TaskId(live[0].task_id) if len(live) == 1 else None
    return TaskId(about.task_id) if about.task_id else None
