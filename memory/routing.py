"""What the router is shown: recent words, candidate tasks and what can be made; bounded in size.

Main never sees a task's trace, only its goal, summary and status, so its prompt does not grow with
the number of tasks.
"""

import json
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from execution import effects, messages, route_examples
from execution.messages import Message
from infra.db.query import Conn
from infra.deps import Deps
from infra.ids import WorkspaceId
from infra.providers.embedding import Embedder
from memory.candidates import find

MAX_RECENT = 12
MAX_EXAMPLES = 5
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
    shown: list[dict[str, Any]],
    near: list[dict[str, Any]] | None = None,
) -> list[BaseMessage]:
    """Return the messages for the router or for Main's own answer.

    With `near`, tasks at work that a new one would repeat, the router decides a second time.
    """
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
        *([_section("near", near)] if near else []),
        _section("shown", shown),
        *([_section("about", about)] if (about := _about(message, shown)) else []),
        *(
            [_section("examples", examples)]
            if (examples := await _examples(conn, workspace_id))
            else []
        ),
        _section("capabilities", effects.capabilities(deps)),
        f'<message language="{message.language}">{message.text}</message>',
    )
    return [SystemMessage(rules), HumanMessage("\n".join(sections))]


async def _examples(conn: Conn, workspace_id: WorkspaceId) -> list[dict[str, str]]:
    """Return what this workspace's people have corrected last; each is cut to a few words."""
    return [
        {"said": item.words, "proposed": item.proposed, "belongs_to": item.belongs_to}
        for item in await route_examples.recent(conn, workspace_id, limit=MAX_EXAMPLES)
    ]


def _about(message: Message, shown: list[dict[str, Any]]) -> list[str]:
    """Return the ids of the objects that the person pointed at while writing."""
    pointed_at = {str(object_id) for object_id in message.object_ids}
    return [item["object_id"] for item in shown if item["object_id"] in pointed_at]


def _section(name: str, content: Any) -> str:
    return f"<{name}>{json.dumps(content, ensure_ascii=False)}</{name}>"
