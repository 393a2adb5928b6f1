"""What a task is shown of other tasks: their words as data, and how those it works with stand."""

from collections.abc import Mapping
from html import escape
from typing import Any
from uuid import UUID

from execution import delegations, inbox, tasks, words
from execution.inbox import InboxMessage
from execution.tasks import Task
from execution.words import Word
from infra.db.query import Conn
from infra.ids import TaskId, WorkspaceId

_SAID = 10
_TEXT = 600


def as_shown(message: InboxMessage, known: Mapping[UUID, Word]) -> str:
    """Return the words of a message: a person's as they are, another task's marked as such."""
    if message.is_a_persons:
        return message.text or "(no text)"
    word = known.get(message.message_id)
    if word is None:
        return "(no text)"
    named = f'kind="{word.kind}" task_id="{word.from_task}" title="{escape(word.from_title)}"'
    return f"<from_task {named}>{escape(message.text, quote=False)}</from_task>"


async def state(conn: Conn, workspace_id: WorkspaceId, task: Task) -> dict[str, Any]:
    """Return for whom a task works, who works for it, and what is asked; nothing without any."""
    task_id = TaskId(task.task_id)
    found = {
        "asked_by": await _asked_by(conn, workspace_id, task_id),
        "children": [
            await _child(conn, workspace_id, TaskId(each.child_id))
            for each in await delegations.of_parent(conn, workspace_id, task_id)
        ],
        "to_answer": [
            {"task_id": str(each.from_task), "title": each.from_title, "question": each.text}
            for each in await words.open_questions(conn, to_task=task_id)
        ],
        "not_answered_yet": [
            {"task_id": str(each.to_task), "question": each.text[:_TEXT]}
            for each in await words.open_questions(conn, from_task=task_id)
        ],
    }
    said = {name: value for name, value in found.items() if value}
    return {"tasks": said} if said else {}


async def _asked_by(
    conn: Conn, workspace_id: WorkspaceId, task_id: TaskId
) -> dict[str, Any] | None:
    """Return the task that this one works for, with the person's own words there."""
    found = await delegations.of_child(conn, task_id)
    if found is None:
        return None
    parent = await tasks.get(conn, workspace_id, TaskId(found.parent_id))
    read = await inbox.consumed(conn, TaskId(found.parent_id))
    return {
        "task_id": str(found.parent_id),
        "title": parent.title,
        "goal": parent.goal[:_TEXT],
        "person_said_there": [each.text[:_TEXT] for each in read if each.is_a_persons][-_SAID:],
    }


async def _child(conn: Conn, workspace_id: WorkspaceId, child_id: TaskId) -> dict[str, Any]:
    child = await tasks.get(conn, workspace_id, child_id)
    return {
        "task_id": str(child_id),
        "title": child.title,
        "status": child.status,
        "waiting_for": child.waiting_reason,
        "reason": child.reason,
    }
