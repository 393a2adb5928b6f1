"""What a task has read of other tasks: recorded, so that a person sees what it draws on.

Owns `task_reads`. One row per call that read, with what it was told; a re-run records nothing new.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all
from infra.ids import TaskId, WorkspaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRead:
    """A task that was read, and when."""

    read_task_id: UUID
    call_key: str
    told: str
    created_at: datetime


async def record(
    tx: Tx, *, call_key: str, task_id: TaskId, read_task_id: TaskId, told: str
) -> None:
    """Record that a call of a task has read another one."""
    await execute(
        tx.conn,
        """
        insert into task_reads (workspace_id, call_key, task_id, read_task_id, told)
        values (%(workspace_id)s, %(call_key)s, %(task_id)s, %(read_task_id)s, %(told)s)
        on conflict do nothing
        """,
        {
            "workspace_id": tx.workspace_id,
            "call_key": call_key,
            "task_id": task_id,
            "read_task_id": read_task_id,
            "told": told,
        },
    )


async def of_task(conn: Conn, workspace_id: WorkspaceId, task_id: TaskId) -> list[TaskRead]:
    """Return what a task has read of others, oldest first."""
    return await fetch_all(
        conn,
        TaskRead,
        """
        select read_task_id, call_key, told, created_at
        from task_reads
        where workspace_id = %(workspace_id)s
          and task_id = %(task_id)s
        order by created_at, call_key
        """,
        {"workspace_id": workspace_id, "task_id": task_id},
    )
