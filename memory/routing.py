"""What the router is shown: recent words, candidate tasks and what can be made; bounded in size.

Main never sees a task's trace, only its goal, summary and status, so its prompt does not grow with
the number of tasks.
"""

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from execution import effects, messages
from execution.messages import Message
from execution.route_reads import RouteRead
from infra.db.query import Conn
from infra.deps import Deps
from infra.ids import MessageId, WorkspaceId
from infra.providers.embedding import Embedder
from memory import examples
from memory.candidates import find

MAX_RECENT = 12
_TEXT = 600


async def candidates(
    conn: Conn, embedder: Embedder | None, workspace_id: WorkspaceId, message: Message
) -> list[dict[str, Any]]:
    """Return the tasks that a message may be about: see `memory.candidates`.

    One that replies to another is searched for with the words of both.
    """
    text = message.text
    if message.reply_to is not None:
        answered = await messages.get(conn, workspace_id, MessageId(message.reply_to))
        text = f"{text}\n{answered.text[:_TEXT]}"
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
        _said(item)
        for item in recent
        if item.message_id != message.message_id and item.created_at <= message.created_at
    ]
    sections = (
        _section("recent", said[-MAX_RECENT:]),
        *(
            [_section("replied_to", replied_to)]
            if (replied_to := await _replied_to(conn, workspace_id, message))
            else []
        ),
        _section("candidates", found),
        *([_section("near", near)] if near else []),
        _section("shown", shown),
        *([_section("about", about)] if (about := _about(message, shown)) else []),
        *(
            [_section("examples", corrected)]
            if (corrected := await _examples(conn, workspace_id, message.text))
            else []
        ),
        _section("capabilities", effects.capabilities(deps)),
        f'<message language="{message.language}">{message.text}</message>',
    )
    return [SystemMessage(rules), HumanMessage("\n".join(sections))]


def reads(read: Sequence[RouteRead]) -> list[BaseMessage]:
    """Return what the router has read for this message, as calls with one answer each."""
    history: list[BaseMessage] = []
    for item in read:
        call = {"name": "read_task", "args": {"task_id": item.asked}, "id": f"read_{item.number}"}
        history.append(AIMessage("", tool_calls=[call]))
        history.append(ToolMessage(item.told, tool_call_id=f"read_{item.number}"))
    return history


def as_candidates(read: Sequence[RouteRead]) -> list[dict[str, Any]]:
    """Return the tasks that were read as choices: what was read was shown."""
    return [
        {
            "task_id": str(item.read_task_id),
            "title": (told := json.loads(item.told))["title"],
            "goal": told["goal"],
        }
        for item in read
        if item.read_task_id is not None
    ]


async def _examples(conn: Conn, workspace_id: WorkspaceId, text: str) -> list[dict[str, str]]:
    """Return what this workspace's people have corrected; each is cut to a few words."""
    return [
        {"said": item.words, "proposed": item.proposed, "belongs_to": item.belongs_to}
        for item in await examples.nearest(conn, workspace_id, text)
    ]


async def _replied_to(
    conn: Conn, workspace_id: WorkspaceId, message: Message
) -> dict[str, Any] | None:
    """Return the message that this one replies to and what was said around it."""
    if message.reply_to is None:
        return None
    answered = await messages.get(conn, workspace_id, MessageId(message.reply_to))
    near = await messages.around(conn, workspace_id, answered)
    known = {item.message_id for item in near}
    if answered.reply_to is not None and answered.reply_to not in known:
        near.insert(0, await messages.get(conn, workspace_id, MessageId(answered.reply_to)))
    return {
        "said": _said(answered),
        "around": [_said(item) for item in near if item.message_id != message.message_id],
    }


def _said(item: Message) -> dict[str, Any]:
    return {
        "role": item.role,
        "text": item.text[:_TEXT],
        "task_id": str(item.task_id) if item.task_id else None,
    }


def _about(message: Message, shown: list[dict[str, Any]]) -> list[str]:
    """Return the ids of the objects that the person pointed at while writing."""
    pointed_at = {str(object_id) for object_id in message.object_ids}
    return [item["object_id"] for item in shown if item["object_id"] in pointed_at]


def _section(name: str, content: Any) -> str:
    return f"<{name}>{json.dumps(content, ensure_ascii=False)}</{name}>"
