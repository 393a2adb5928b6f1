"""A tool over other tasks: read one's summary, decisions and object references.

A task's call of it is recorded with the task; the router, which may look before it decides, is told
the same (`tell`) and records it with its message.
"""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from execution import approvals, deliveries, inbox, task_reads, tasks
from execution.authorization import Risk
from execution.errors import InvalidCallError, NotFoundError
from execution.tasks import Task
from infra.db.query import Conn
from infra.ids import TaskId, ThreadId, WorkspaceId
from tools.tool import Tool, ToolContext, ToolResult
from workspace import objects

_DECISIONS = 20
_OBJECTS = 30
_SAID = 10
_TEXT = 600
_DECIDED = ["approved", "rejected", "chosen"]


class ReadTask(BaseModel):
    """Arguments of `read_task`."""

    task_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is told of a task."""

    task_id: TaskId
    text: str


async def read_task(context: ToolContext, arguments: ReadTask) -> ToolResult:
    """Return what another task of this workspace is about and has come to, and record that."""
    tx = context.tx
    told = await tell(tx.conn, tx.workspace_id, arguments.task_id)
    await task_reads.record(
        tx,
        call_key=context.call_key,
        task_id=context.task_id,
        read_task_id=told.task_id,
        told=told.text,
    )
    return ToolResult(message=told.text)


async def tell(conn: Conn, workspace_id: WorkspaceId, task_id: str) -> Told:
    """Return what a task of this workspace is about and has come to.

    Raises:
        InvalidCallError: there is no such task here.
    """
    try:
        found = await tasks.get(conn, workspace_id, TaskId(UUID(task_id)))
    except (ValueError, NotFoundError):
        message = f"There is no task {task_id} in this workspace."
        raise InvalidCallError(message) from None
    told = await _told(conn, workspace_id, found)
    return Told(task_id=TaskId(found.task_id), text=json.dumps(told, ensure_ascii=False))


async def _told(conn: Conn, workspace_id: WorkspaceId, task: Task) -> dict[str, Any]:
    task_id = TaskId(task.task_id)
    said = [each for each in await inbox.consumed(conn, task_id) if each.is_a_persons]
    asked = await approvals.of_thread(conn, ThreadId(task_id), statuses=_DECIDED)
    made = await objects.recent(conn, workspace_id, limit=_OBJECTS, task_id=task_id)
    delivery = await deliveries.get_latest(conn, task_id)
    return {
        "title": task.title,
        "goal": task.goal[:_TEXT],
        "summary": task.summary[:_TEXT],
        "status": task.status,
        "archived": task.archived_at is not None,
        "language": task.language,
        "delivery": delivery.status if delivery else None,
        "person_said": [item.text[:_TEXT] for item in said[-_SAID:]],
        "decisions": [
            {"about": item.title[:_TEXT], "decided": item.status, **_words(item.decision or {})}
            for item in asked[-_DECISIONS:]
        ],
        "objects": [
            {
                "object_id": str(item.object_id),
                "version": item.version,
                "kind": item.kind,
                "name": item.name[:_TEXT],
            }
            for item in made
        ],
    }


def _words(decision: dict[str, Any]) -> dict[str, str]:
    said = decision.get("note") or decision.get("choice")
    return {"said": str(said)[:_TEXT]} if said else {}


READ_TASK = Tool(
    name="read_task",
    description="Read another task of this person: its summary, decisions and objects.",
    arguments=ReadTask,
    risk=Risk.READ,
    call=read_task,
)
