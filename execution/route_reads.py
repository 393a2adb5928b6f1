"""What the router has read of tasks before it decided about a message.

Owns `route_reads`. A row per read, numbered for its message; the message is the reader. A re-run
after a crash finds them, so the router goes on from there and reads nothing twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all
from infra.ids import MessageId, TaskId, WorkspaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteRead:
    """A read: what the router asked for, the task if it is one of this workspace, the answer."""

    message_id: UUID
    number: int
    asked: str
    read_task_id: UUID | None
    told: str
    created_at: datetime


async def record(
    tx: Tx, message_id: MessageId, *, number: int, asked: str, task_id: TaskId | None, told: str
) -> None:
    """Record what the router was told; a number is taken once."""
    await execute(
        tx.conn,
        """
        insert into route_reads (message_id, workspace_id, number, asked, read_task_id, told)
        values (%(message_id)s, %(workspace_id)s, %(number)s, %(asked)s, %(task_id)s, %(told)s)
        on conflict do nothing
        """,
        {
            "message_id": message_id,
            "workspace_id": tx.workspace_id,
            "number": number,
            "asked": asked,
            "task_id": task_id,
            "told": told,
        },
    )


async def of_message(
    conn: Conn, workspace_id: WorkspaceId, message_id: MessageId
) -> list[RouteRead]:
    """Return what was read for a message, in order."""
    return (await of_messages(conn, workspace_id, [message_id])).get(message_id, [])


async def of_messages(
    conn: Conn, workspace_id: WorkspaceId, message_ids: Sequence[UUID]
) -> dict[UUID, list[RouteRead]]:
    """Return what was read for each of these messages, in order."""
    rows = await fetch_all(
        conn,
        RouteRead,
        """
        select message_id, number, asked, read_task_id, told, created_at
        from route_reads
        where workspace_id = %(workspace_id)s
          and message_id = any(%(message_ids)s)
        order by message_id, number
        """,
        {"workspace_id": workspace_id, "message_ids": list(message_ids)},
    )
    of: dict[UUID, list[RouteRead]] = {}
    for row in rows:
        of.setdefault(row.message_id, []).append(row)
    return of
