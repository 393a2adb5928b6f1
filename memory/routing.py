"""What the router is shown: recent words, candidate tasks and what can be made; bounded in size.

Main never sees a task's trace, only its goal, summary and status, so its prompt does not grow with
the number of tasks.
"""

import json
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from execution import effects, messages
from execution.messages import Message
from infra.db.query import Conn
from infra.deps import Deps
from infra.ids import WorkspaceId
from infra.providers.embedding import Embedder
from memory.candidates import find

MAX_RECENT = 12
_TEXT = 600


async def candidates(
    conn: Conn, embedder: Embedder | None, workspace_id: WorkspaceId, text: str
) -> list[dict[str, Any]]:
    """Return the tasks that a message may be about: see `memory.candidates`."""
    return await find(conn, embedder, workspace_id, text)


async def prompt(
    conn: Conn,
    deps: Deps,
    workspace_id: WorkspaceId,
    message: Message,
    found: list[dict[str, Any]],
    *,
    rules: str,
) -> list[BaseMessage]:
    """Return the messages for the router or for Main's own answer."""
    recent = await messages.recent(conn, workspace_id, limit=MAX_RECENT + 1)
    said = [
        {
            "role": item.role,
            "text": item.text[:_TEXT],
            "task_id": str(item.task_id) if item.task_id else None,
        }
        for item in recent
        if item.message_id != message.message_id and item.created_at <= message.created_at
    ]
    sections = (
        _section("recent", said[-MAX_RECENT:]),
        _section("candidates", found),
        _section("capabilities", effects.capabilities(deps)),
        f'<message language="{message.language}">{message.text}</message>',
    )
    return [SystemMessage(rules), HumanMessage("\n".join(sections))]


def _section(name: str, content: Any) -> str:
    return f"<{name}>{json.dumps(content, ensure_ascii=False)}</{name}>"
