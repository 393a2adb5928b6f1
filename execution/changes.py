"""What has changed under a result, and what was decided about the result.

Owns `changes`. A row says that a result in use rests, directly or through others, on something that
is not what it was: which result, which change, which part of it was used. It is `pending` until it
is decided: `kept` as it is, or `remade` by a revised plan; what has been changed back, changed
again or fills no slot any more is `obsolete`. Code finds the rows; a decision has its reason.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all
from infra.ids import TaskId, WorkspaceId, new_id

CODE = "code"
"""Who has decided what follows from persisted facts alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A row of `changes`."""

    change_id: UUID
    task_id: UUID
    step_key: str
    slot: int
    object_id: UUID
    version: int
    cause_object_id: UUID
    cause_from: int
    cause_to_object_id: UUID
    cause_to: int
    part: str
    print: str
    via: list[UUID]
    status: str
    reason: str
    decided_by: str | None
    decided_at: datetime | None
    plan_version: int | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A change under a result, as it is found."""

    task_id: UUID
    step_key: str
    slot: int
    object_id: UUID
    version: int
    cause_object_id: UUID
    cause_from: int
    cause_to_object_id: UUID
    cause_to: int
    part: str
    print: str
    via: list[UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class WakeDue:
    """A task that has yet to be woken for changes under its results."""

    workspace_id: UUID
    task_id: UUID
    change_ids: list[UUID]


async def record(tx: Tx, found: Found, *, kept_because: str = "") -> bool:
    """Store a change under a result, once; False when it is known and stands.

    With `kept_because` it is decided as it is found.
    """
    stored = await execute(
        tx.conn,
        """
        insert into changes as known (
            change_id, workspace_id, task_id, step_key, slot, object_id, version, cause_object_id,
            cause_from, cause_to_object_id, cause_to, part, print, via, status, reason, decided_by,
            decided_at)
        values (
            %(change_id)s, %(workspace_id)s, %(task_id)s, %(step_key)s, %(slot)s, %(object_id)s,
            %(version)s, %(cause_object_id)s, %(cause_from)s, %(cause_to_object_id)s, %(cause_to)s,
            %(part)s, %(print)s, %(via)s, %(status)s, %(reason)s, %(decided_by)s,
            case when %(decided_by)s::text is not null then app_now() end)
        on conflict (object_id, version, cause_object_id, cause_from, cause_to_object_id, cause_to)
        do update
        set status = excluded.status, reason = excluded.reason, via = excluded.via,
            decided_by = excluded.decided_by, decided_at = excluded.decided_at,
            plan_version = null, wake_due = true
        where known.status = 'obsolete'
        """,
        {
            **asdict(found),
            "change_id": new_id(),
            "workspace_id": tx.workspace_id,
            "status": "kept" if kept_because else "pending",
            "reason": kept_because,
            "decided_by": CODE if kept_because else None,
        },
    )
    if stored:
        tx.touch_task(TaskId(found.task_id))
    return stored == 1


async def decide(
    tx: Tx,
    decided: Sequence[Change],
    *,
    status: str,
    reason: str,
    decided_by: str,
    plan_version: int | None = None,
) -> None:
    """Settle changes that are pending; those that something else has settled stay so."""
    if not decided:
        return
    await execute(
        tx.conn,
        """
        update changes
        set status = %(status)s, reason = %(reason)s, decided_by = %(decided_by)s,
            decided_at = app_now(), plan_version = %(plan_version)s
        where workspace_id = %(workspace_id)s
          and change_id = any(%(change_ids)s)
          and status = 'pending'
        """,
        {
            "status": status,
            "reason": reason,
            "decided_by": decided_by,
            "plan_version": plan_version,
            "workspace_id": tx.workspace_id,
            "change_ids": [each.change_id for each in decided],
        },
    )
    for task_id in {each.task_id for each in decided}:
        tx.touch_task(TaskId(task_id))


async def of_task(conn: Conn, task_id: TaskId) -> list[Change]:
    """Return every change under a task's results, oldest first."""
    return await fetch_all(
        conn,
        Change,
        """
        select change_id, task_id, step_key, slot, object_id, version, cause_object_id, cause_from,
               cause_to_object_id, cause_to, part, print, via, status, reason, decided_by,
               decided_at, plan_version, created_at
        from changes
        where task_id = %(task_id)s
        order by created_at, step_key, slot, change_id
        """,
        {"task_id": task_id},
    )


async def about(
    conn: Conn, workspace_id: WorkspaceId, task_ids: Sequence[UUID], causes: Sequence[UUID]
) -> list[Change]:
    """Return the changes under these tasks' results, and those of these causes, oldest first."""
    return await fetch_all(
        conn,
        Change,
        """
        select change_id, task_id, step_key, slot, object_id, version, cause_object_id, cause_from,
               cause_to_object_id, cause_to, part, print, via, status, reason, decided_by,
               decided_at, plan_version, created_at
        from changes
        where workspace_id = %(workspace_id)s
          and (task_id = any(%(task_ids)s) or cause_object_id = any(%(causes)s))
        order by created_at, step_key, slot, change_id
        """,
        {"workspace_id": workspace_id, "task_ids": list(task_ids), "causes": list(causes)},
    )


async def pending(conn: Conn, task_id: TaskId) -> list[Change]:
    """Return the changes under a task's results that nobody has decided about, oldest first."""
    return await fetch_all(
        conn,
        Change,
        """
        select change_id, task_id, step_key, slot, object_id, version, cause_object_id, cause_from,
               cause_to_object_id, cause_to, part, print, via, status, reason, decided_by,
               decided_at, plan_version, created_at
        from changes
        where task_id = %(task_id)s
          and status = 'pending'
        order by created_at, step_key, slot, change_id
        """,
        {"task_id": task_id},
    )


async def due_for_a_wake(conn: Conn) -> list[WakeDue]:
    """Return the tasks with undecided changes for which nobody has woken them yet."""
    return await fetch_all(
        conn,
        WakeDue,
        """
        select workspace_id, task_id, array_agg(change_id) as change_ids
        from changes
        where status = 'pending'
          and wake_due
        group by workspace_id, task_id
        order by task_id
        """,
        {},
    )


async def woken_for(conn: Conn, change_ids: Sequence[UUID]) -> None:
    """Keep that a task was woken for these changes; the caller holds its thread's lock."""
    await execute(
        conn,
        "update changes set wake_due = false where change_id = any(%(change_ids)s)",
        {"change_ids": list(change_ids)},
    )
