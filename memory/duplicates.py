"""Tasks in progress that a new one would repeat: looked for before a task is made.

Two ways to repeat one: words or meaning that are near (`memory.candidates`), and the very same
message sent again within minutes, which is found also where nothing can be embedded.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from execution import messages, tasks
from execution.messages import Message
from infra.db.query import Conn
from infra.ids import WorkspaceId
from infra.providers.embedding import Embedder
from memory.candidates import near_duplicates

MAX_NEAR = 5
AGAIN_WITHIN = timedelta(minutes=10)
"""So soon the same words are more likely a mistake than a second wish."""
_LOOKED_BACK = 50
_TITLE = 120
_TEXT = 600


async def near(
    conn: Conn,
    embedder: Embedder | None,
    workspace_id: WorkspaceId,
    message: Message,
    *,
    title_and_goal: str,
    is_persistent: bool,
) -> list[dict[str, Any]]:
    """Return the tasks in progress that are near to a proposed one, the surest first.

    A single picture is cheap and often asked for twice: it is compared by its words only.
    """
    again = await _said_again(conn, workspace_id, message)
    found = [
        _shown(task.task_id, task.title, task.goal, task.status, same_words=True)
        for task in await tasks.of_ids(conn, workspace_id, again)
        if not task.is_terminal
    ]
    if is_persistent:
        found += [
            _shown(one.task_id, one.title, one.goal, one.status, same_words=False)
            for one in await near_duplicates(conn, embedder, workspace_id, title_and_goal)
            if one.task_id not in again
        ]
    return found[:MAX_NEAR]


async def _said_again(conn: Conn, workspace_id: WorkspaceId, message: Message) -> list[UUID]:
    """Return the tasks that the same words were given to a few minutes ago."""
    words = _folded(message.text)
    before = await messages.recent(conn, workspace_id, limit=_LOOKED_BACK)
    again = [
        item.task_id
        for item in before
        if item.role == "user"
        and item.task_id is not None
        and item.message_id != message.message_id
        and message.created_at - item.created_at <= AGAIN_WITHIN
        and _folded(item.text) == words
    ]
    return list(dict.fromkeys(again))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _shown(
    task_id: UUID, title: str, goal: str, status: str, *, same_words: bool
) -> dict[str, Any]:
    return {
        "task_id": str(task_id),
        "title": title[:_TITLE],
        "goal": goal[:_TEXT],
        "status": status,
        "same_words": same_words,
    }
