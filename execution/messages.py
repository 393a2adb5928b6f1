"""What people and the agent said, and where each message went.

Owns `messages` and `routes`. A person's message is stored before it is acknowledged and is
idempotent by its client id; an assistant's message is idempotent by the inference that wrote it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal
from uuid import UUID

from psycopg.types.json import Jsonb

from execution.errors import ClientIdReusedError, NotFoundError
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all, fetch_one, fetch_value
from infra.ids import ApprovalId, MessageId, ObjectId, TaskId, WorkspaceId, new_id

_BEFORE = 3
_AFTER = 2
"""So many messages are around another one."""


class Outcome(StrEnum):
    """What the router may decide about a message."""

    ANSWER = "answer"
    LIGHTWEIGHT = "lightweight"
    EXISTING = "existing"
    NEW = "new"
    ASK = "ask"


class Origin(StrEnum):
    """Where words came in: from a person, or from another task, whose words are data."""

    PAGE = "page"
    API_KEY = "api_key"
    TASK = "task"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A row of `messages`."""

    message_id: UUID
    workspace_id: UUID
    client_id: str | None
    role: Literal["user", "assistant", "task"]
    text: str
    language: str
    status: str
    task_id: UUID | None
    object_id: UUID | None
    approval_id: UUID | None
    reply_to: UUID | None
    origin: Origin
    object_ids: list[UUID]
    """What the words are about: as the client said, or as routing found out."""
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A row of `routes`: the decision about one message and who took it."""

    message_id: UUID
    layer: int
    outcome: str
    task_id: UUID | None
    title: str
    goal: str
    language: str
    acknowledgement: str
    question: str | None
    candidates: list[dict[str, Any]]
    reason: str
    model: str | None


async def accept(
    tx: Tx,
    *,
    message_id: MessageId,
    client_id: str,
    text: str,
    language: str,
    task_id: TaskId | None = None,
    object_id: ObjectId | None = None,
    approval_id: ApprovalId | None = None,
    reply_to: MessageId | None = None,
    origin: Origin = Origin.PAGE,
) -> tuple[MessageId, bool]:
    """Store a person's message, or a task's to another; return its id and whether it is new.

    A repeated client id returns the first message's id, so a client may send again without fear.

    Raises:
        ClientIdReusedError: the id came with another message; neither of the two is changed.
    """
    stored = await execute(
        tx.conn,
        """
        insert into messages (message_id, workspace_id, client_id, role, text, language, status,
                              task_id, object_id, approval_id, reply_to, origin, object_ids)
        values (%(message_id)s, %(workspace_id)s, %(client_id)s, %(role)s, %(text)s, %(language)s,
                'received', %(task_id)s, %(object_id)s, %(approval_id)s, %(reply_to)s, %(origin)s,
                array_remove(array[%(object_id)s::uuid], null))
        on conflict (workspace_id, client_id) do nothing
        """,
        {
            "message_id": message_id,
            "workspace_id": tx.workspace_id,
            "client_id": client_id,
            "text": text,
            "language": language,
            "task_id": task_id,
            "object_id": object_id,
            "approval_id": approval_id,
            "reply_to": reply_to,
            "origin": origin,
            "role": "task" if origin == Origin.TASK else "user",
        },
    )
    if stored:
        tx.touch_message(message_id, "message.received")
        return message_id, True
    first = await _get_by_client_id(tx.conn, tx.workspace_id, client_id)
    # Not its task: routing fills that in, and the person may move the message.
    if (first.text, first.object_id, first.approval_id, first.reply_to) != (
        text,
        object_id,
        approval_id,
        reply_to,
    ):
        raise ClientIdReusedError
    return MessageId(first.message_id), False


async def _get_by_client_id(conn: Conn, workspace_id: WorkspaceId, client_id: str) -> Message:
    found = await fetch_one(
        conn,
        Message,
        """
        select message_id, workspace_id, client_id, role, text, language, status, task_id,
               object_id, approval_id, reply_to, origin, object_ids, created_at
        from messages
        where workspace_id = %(workspace_id)s
          and client_id = %(client_id)s
        """,
        {"workspace_id": workspace_id, "client_id": client_id},
    )
    if found is None:
        raise NotFoundError
    return found


async def get(conn: Conn, workspace_id: WorkspaceId, message_id: MessageId) -> Message:
    """Return a message of this workspace.

    Raises:
        NotFoundError: there is none, or it is another workspace's.
    """
    found = await fetch_one(
        conn,
        Message,
        """
        select message_id, workspace_id, client_id, role, text, language, status, task_id,
               object_id, approval_id, reply_to, origin, object_ids, created_at
        from messages
        where workspace_id = %(workspace_id)s
          and message_id = %(message_id)s
        """,
        {"workspace_id": workspace_id, "message_id": message_id},
    )
    if found is None:
        raise NotFoundError
    return found


async def recent(
    conn: Conn, workspace_id: WorkspaceId, *, limit: int, task_id: TaskId | None = None
) -> list[Message]:
    """Return the newest messages, oldest of them first; words between tasks only of one task."""
    rows = await fetch_all(
        conn,
        Message,
        """
        select message_id, workspace_id, client_id, role, text, language, status, task_id,
               object_id, approval_id, reply_to, origin, object_ids, created_at
        from messages
        where workspace_id = %(workspace_id)s
          and (task_id = %(task_id)s or (%(task_id)s::uuid is null and role <> 'task'))
        order by created_at desc, message_id desc
        limit %(limit)s
        """,
        {"workspace_id": workspace_id, "task_id": task_id, "limit": limit},
    )
    return rows[::-1]


async def around(conn: Conn, workspace_id: WorkspaceId, message: Message) -> list[Message]:
    """Return what was said shortly before and after a message, itself among it, in order."""
    return await fetch_all(
        conn,
        Message,
        """
        select message_id, workspace_id, client_id, role, text, language, status, task_id,
               object_id, approval_id, reply_to, origin, object_ids, created_at
        from messages
        where message_id in (
            (select message_id
             from messages
             where workspace_id = %(workspace_id)s
               and role <> 'task'
               and (created_at, message_id) <= (%(at)s, %(message_id)s)
             order by created_at desc, message_id desc
             limit %(before)s)
            union all
            (select message_id
             from messages
             where workspace_id = %(workspace_id)s
               and role <> 'task'
               and (created_at, message_id) > (%(at)s, %(message_id)s)
             order by created_at, message_id
             limit %(after)s)
        )
        order by created_at, message_id
        """,
        {
            "workspace_id": workspace_id,
            "at": message.created_at,
            "message_id": message.message_id,
            "before": _BEFORE + 1,
            "after": _AFTER,
        },
    )


async def advance(
    tx: Tx, message_id: MessageId, status: str, *, task_id: TaskId | None = None
) -> None:
    """Record how far a person's message has come, and the task it belongs to when known."""
    await execute(
        tx.conn,
        """
        update messages
        set status = %(status)s, task_id = coalesce(%(task_id)s, task_id)
        where workspace_id = %(workspace_id)s
          and message_id = %(message_id)s
        """,
        {
            "status": status,
            "task_id": task_id,
            "workspace_id": tx.workspace_id,
            "message_id": message_id,
        },
    )
    tx.touch_message(message_id, f"message.{status}")


async def say(
    tx: Tx,
    *,
    text: str,
    language: str,
    cause: str,
    message_id: MessageId | None = None,
    task_id: TaskId | None = None,
    reply_to: MessageId | None = None,
) -> None:
    """Store what the agent said; the same cause says it once, whoever runs this again."""
    identity = message_id or MessageId(new_id())
    stored = await execute(
        tx.conn,
        """
        insert into messages (message_id, workspace_id, role, text, language, status, task_id,
                              reply_to, cause)
        values (%(message_id)s, %(workspace_id)s, 'assistant', %(text)s, %(language)s, 'complete',
                %(task_id)s, %(reply_to)s, %(cause)s)
        on conflict (workspace_id, cause) where cause is not null do nothing
        """,
        {
            "message_id": identity,
            "workspace_id": tx.workspace_id,
            "text": text,
            "language": language,
            "task_id": task_id,
            "reply_to": reply_to,
            "cause": cause,
        },
    )
    if stored:
        tx.touch_message(identity, "assistant.completed")


async def record_route(
    tx: Tx,
    message_id: MessageId,
    *,
    layer: int,
    outcome: Outcome,
    language: str,
    reason: str,
    task_id: TaskId | None = None,
    title: str = "",
    goal: str = "",
    acknowledgement: str = "",
    question: str | None = None,
    candidates: list[dict[str, Any]] | None = None,
    model: str | None = None,
) -> bool:
    """Store the route of a message once; False when it already has one."""
    stored = await execute(
        tx.conn,
        """
        insert into routes (message_id, workspace_id, layer, outcome, task_id, title, goal,
                            language, acknowledgement, question, candidates, reason, model)
        values (%(message_id)s, %(workspace_id)s, %(layer)s, %(outcome)s, %(task_id)s, %(title)s,
                %(goal)s, %(language)s, %(acknowledgement)s, %(question)s, %(candidates)s,
                %(reason)s, %(model)s)
        on conflict do nothing
        """,
        {
            "message_id": message_id,
            "workspace_id": tx.workspace_id,
            "layer": layer,
            "outcome": outcome,
            "task_id": task_id,
            "title": title,
            "goal": goal,
            "language": language,
            "acknowledgement": acknowledgement,
            "question": question,
            "candidates": Jsonb(candidates or []),
            "reason": reason,
            "model": model,
        },
    )
    if stored:
        await advance(tx, message_id, "routed", task_id=task_id)
    return bool(stored)


async def ask(
    tx: Tx,
    message_id: MessageId,
    *,
    question: str,
    candidates: list[dict[str, Any]],
    reason: str,
) -> None:
    """Turn a proposed route into a question to the person: its target cannot take the message."""
    await execute(
        tx.conn,
        """
        update routes
        set layer = 3, outcome = 'ask', question = %(question)s, candidates = %(candidates)s,
            reason = %(reason)s
        where message_id = %(message_id)s
          and workspace_id = %(workspace_id)s
        """,
        {
            "question": question,
            "candidates": Jsonb(candidates),
            "reason": reason,
            "message_id": message_id,
            "workspace_id": tx.workspace_id,
        },
    )


async def point_at(tx: Tx, message_id: MessageId, object_ids: list[ObjectId]) -> None:
    """Record which objects a message is about, once that is known."""
    await execute(
        tx.conn,
        """
        update messages
        set object_ids = %(object_ids)s
        where workspace_id = %(workspace_id)s
          and message_id = %(message_id)s
        """,
        {
            "object_ids": object_ids,
            "workspace_id": tx.workspace_id,
            "message_id": message_id,
        },
    )


async def settle_question(
    tx: Tx,
    message_id: MessageId,
    *,
    outcome: Outcome,
    task_id: TaskId | None,
    reason: str = "The person chose it.",
) -> None:
    """Replace an `ask` route by what the person chose; code decides, no model."""
    await execute(
        tx.conn,
        """
        update routes
        set layer = 3, outcome = %(outcome)s, task_id = %(task_id)s, reason = %(reason)s
        where message_id = %(message_id)s
          and workspace_id = %(workspace_id)s
          and outcome = 'ask'
        """,
        {
            "outcome": outcome,
            "task_id": task_id,
            "reason": reason,
            "message_id": message_id,
            "workspace_id": tx.workspace_id,
        },
    )


async def reroute(tx: Tx, message_id: MessageId, *, outcome: Outcome, task_id: TaskId) -> None:
    """Record that the person has moved a message to another task, whatever was decided before."""
    await execute(
        tx.conn,
        """
        update routes
        set layer = 1, outcome = %(outcome)s, task_id = %(task_id)s,
            reason = 'You moved it to this task.'
        where message_id = %(message_id)s
          and workspace_id = %(workspace_id)s
        """,
        {
            "outcome": outcome,
            "task_id": task_id,
            "message_id": message_id,
            "workspace_id": tx.workspace_id,
        },
    )


async def get_route(conn: Conn, workspace_id: WorkspaceId, message_id: MessageId) -> Route | None:
    """Return the route of a message, or None before it has one."""
    found = await routes_of(conn, workspace_id, [message_id])
    return next(iter(found.values()), None)


async def routes_of(
    conn: Conn, workspace_id: WorkspaceId, message_ids: Sequence[UUID]
) -> dict[UUID, Route]:
    """Return the routes of those of these messages that have one."""
    rows = await fetch_all(
        conn,
        Route,
        """
        select message_id, layer, outcome, task_id, title, goal, language, acknowledgement,
               question, candidates, reason, model
        from routes
        where workspace_id = %(workspace_id)s
          and message_id = any(%(message_ids)s)
        """,
        {"workspace_id": workspace_id, "message_ids": list(message_ids)},
    )
    return {row.message_id: row for row in rows}


async def has_reply(conn: Conn, workspace_id: WorkspaceId, cause: str) -> bool:
    """Tell whether the agent has already said what this cause was to say."""
    return bool(
        await fetch_value(
            conn,
            """
            select 1
            from messages
            where workspace_id = %(workspace_id)s
              and cause = %(cause)s
            """,
            {"workspace_id": workspace_id, "cause": cause},
        )
    )
