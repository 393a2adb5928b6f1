"""A tool over other tasks: read one's summary, decisions and object references."""

import json
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from execution import approvals, deliveries, task_reads, tasks
from execution.authorization import Risk
from execution.errors import InvalidCallError, NotFoundError
from execution.tasks import Task
from infra.ids import TaskId, ThreadId
from tools.tool import Tool, ToolContext, ToolResult
from workspace import objects

_DECISIONS = 20
_OBJECTS = 30
_TEXT = 600
_DECIDED = ["approved", "rejected", "chosen"]


class ReadTask(BaseModel):
    """Arguments of `read_task`."""

    task_id: str


async def read_task(context: ToolContext, arguments: ReadTask) -> ToolResult:
    """Return what another task of this workspace is about and has come to, and record that."""
    tx = context.tx
    try:
        found = await tasks.get(tx.conn, tx.workspace_id, TaskId(UUID(arguments.task_id)))
    except (ValueError, NotFoundError):
        message = f"There is no task {arguments.task_id} in this workspace."
        raise InvalidCallError(message) from None
    told = json.dumps(await _told(context, found), ensure_ascii=False)
    await task_reads.record(
        tx,
        call_key=context.call_key,
        task_id=context.task_id,
        read_task_id=TaskId(found.task_id),
        told=told,
    )
    return ToolResult(message=told)


async def _told(context: ToolContext, task: Task) -> dict[str, Any]:
    conn, workspace_id = context.tx.conn, context.tx.workspace_id
    task_id = TaskId(task.task_id)
    asked = await approvals.of_thread(conn, ThreadId(task_id), statuses=_DECIDED)
    made = await objects.recent(conn, workspace_id, limit=_OBJECTS, task_id=task_id)
    delivery = await deliveries.get_latest(conn, task_id)
    return {
        "title": task.title,
        "goal": task.goal[:_TEXT],
        "summary": task.summary[:_TEXT],
        "status": task.status,
        "language": task.language,
        "delivery": delivery.status if delivery else None,
        "decisions": [
            {"about": item.title[:_TEXT], "decided": item.status, **_words(item.decision or {})}
            for item in asked[-_DECISIONS:]
        ],
        "objects": [
            {
                "object_id": str(item.object_id),
                "version": item.version,
                "kind": item.kind,
                "name": item.name,
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
