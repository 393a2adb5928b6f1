"""The product's log: what happened in a workspace, in order, without gaps.

Owns `events` and `event_counters`. A seq is taken from the workspace's counter row as the last lock
of a transaction, so readers that have seen seq n have seen everything up to n. Rows are never
changed.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from infra.db.query import Conn, execute, fetch_all, fetch_value
from infra.ids import TaskId, WorkspaceId

ENVELOPE_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event that has no number yet."""

    type: str
    data: dict[str, Any]
    task_id: TaskId | None
    cause: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A row of the log."""

    workspace_id: UUID
    seq: int
    type: str
    task_id: UUID | None
    cause: str | None
    data: dict[str, Any]
    created_at: datetime

    def envelope(self) -> dict[str, Any]:
        """Return the event as a client receives it."""
        return {
            "seq": self.seq,
            "ts": self.created_at.isoformat(),
            "type": self.type,
            "workspace": str(self.workspace_id),
            "task": str(self.task_id) if self.task_id else None,
            "cause": self.cause,
            "v": ENVELOPE_VERSION,
            "data": self.data,
        }


async def create_counter(conn: Conn, workspace_id: WorkspaceId) -> None:
    """Start a workspace's log."""
    await execute(
        conn,
        """
        insert into event_counters (workspace_id)
        values (%(workspace_id)s)
        on conflict do nothing
        """,
        {"workspace_id": workspace_id},
    )


async def append(conn: Conn, workspace_id: WorkspaceId, new: list[NewEvent]) -> int | None:
    """Number and store events; return the last seq, or None when there was nothing to store."""
    if not new:
        return None
    last = await fetch_value(
        conn,
        """
        update event_counters
        set seq = seq + %(count)s
        where workspace_id = %(workspace_id)s
        returning seq
        """,
        {"count": len(new), "workspace_id": workspace_id},
    )
    await execute(
        conn,
        """
        insert into events (workspace_id, seq, type, task_id, cause, data)
        select %(workspace_id)s, %(first)s + new.place - 1, new.type, new.task_id, new.cause,
               new.data
        from unnest(%(types)s::text[], %(tasks)s::uuid[], %(causes)s::text[], %(data)s::jsonb[])
             with ordinality as new (type, task_id, cause, data, place)
        """,
        {
            "workspace_id": workspace_id,
            "first": last - len(new) + 1,
            "types": [event.type for event in new],
            "tasks": [event.task_id for event in new],
            "causes": [event.cause for event in new],
            "data": [Jsonb(event.data) for event in new],
        },
    )
    return last


async def read(
    conn: Conn,
    workspace_id: WorkspaceId,
    *,
    after: int,
    limit: int = 500,
    task_id: TaskId | None = None,
) -> list[Event]:
    """Return events with a seq above `after`, oldest first."""
    return await fetch_all(
        conn,
        Event,
        """
        select workspace_id, seq, type, task_id, cause, data, created_at
        from events
        where workspace_id = %(workspace_id)s
          and seq > %(after)s
          and (%(task_id)s::uuid is null or task_id = %(task_id)s)
        order by seq
        limit %(limit)s
        """,
        {"workspace_id": workspace_id, "after": after, "task_id": task_id, "limit": limit},
    )


async def last_seq(conn: Conn, workspace_id: WorkspaceId) -> int:
    """Return the seq of the newest event, 0 for an empty log."""
    return (
        await fetch_value(
            conn,
            "select seq from event_counters where workspace_id = %(workspace_id)s",
            {"workspace_id": workspace_id},
        )
        or 0
    )
