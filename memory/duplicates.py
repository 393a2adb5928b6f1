"""Tasks in progress that a new one would repeat: looked for before a task is made.

Two ways to repeat one: words or meaning that are near (`memory.candidates`), and the very same
message sent again within minutes, which is found also where nothing can be embedded.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from execution import messages, tasks
from execution.messages import Message
from infra.db.query import Conn
from infra.ids import WorkspaceId
from infra.providers.embedding import Embedder
from memory.candidates import Near, Told, near_duplicates

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
    ids = await said_again(conn, workspace_id, message)
    again = [one for one in await tasks.of_ids(conn, workspace_id, ids) if not one.is_terminal]
    found: list[Near] = []
    if is_persistent:
        found = await near_duplicates(conn, embedder, workspace_id, title_and_goal)
    return listed(again, found)


def listed(again: Sequence[Told], found: Sequence[Near]) -> list[dict[str, Any]]:
    """Return them as they are shown, each once: first what the same words were given to."""
    known = {one.task_id for one in again}
    shown = [_shown(one, same_words=True) for one in again]
    shown += [_shown(one, same_words=False) for one in found if one.task_id not in known]
    return shown[:MAX_NEAR]


async def said_again(conn: Conn, workspace_id: WorkspaceId, message: Message) -> list[UUID]:
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


def _shown(task: Told, *, same_words: bool) -> dict[str, Any]:
    return {
        "task_id": str(task.task_id),
        "title": task.title[:_TITLE],
        "goal": task.goal[:_TEXT],
        "status": task.status,
        "same_words": same_words,
    }
