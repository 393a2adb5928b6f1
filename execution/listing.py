"""The list of tasks that needs no tidying: what is at work or has ended lately.

Reads `tasks`. A task leaves the list by itself once nothing has happened to it for some days,
whether it has ended or only rests; being addressed brings it back, for that changes it.
"""

from datetime import timedelta
from enum import StrEnum

from execution.tasks import Task
from infra.db.query import Conn, fetch_all
from infra.ids import WorkspaceId


class Scope(StrEnum):
    """Which part of a workspace's tasks is listed."""

    CURRENT = "current"
    ALL = "all"
    ARCHIVED = "archived"


class Kind(StrEnum):
    """Which kinds of tasks are listed."""

    PERSISTENT = "persistent"
    LIGHTWEIGHT = "lightweight"
    ANY = "any"


async def listed(
    conn: Conn,
    workspace_id: WorkspaceId,
    *,
    scope: Scope,
    kind: Kind,
    lately: timedelta,
    limit: int,
) -> list[Task]:
    """Return the tasks of a list, those that changed last first."""
    return await fetch_all(
        conn,
        Task,
        """
        select task_id, workspace_id, kind, title, goal, language, brief, summary, status,
               waiting_reason, reason, epoch, rounds, rounds_without_progress, created_at,
               updated_at, archived_at, promoted_at, merged_into, source_message_id
        from tasks
        where workspace_id = %(workspace_id)s
          and (archived_at is not null) = (%(scope)s = 'archived')
          and (%(kind)s = 'any' or kind = %(kind)s)
          and (%(scope)s <> 'current' or status = 'active' or updated_at > app_now() - %(lately)s)
        order by updated_at desc, task_id
        limit %(limit)s
        """,
        {
            "workspace_id": workspace_id,
            "scope": scope,
            "kind": kind,
            "lately": lately,
            "limit": limit,
        },
    )


async def put_away(conn: Conn, workspace_id: WorkspaceId, *, limit: int) -> list[Task]:
    """Return the archived tasks that no other one goes on with, the last one put away first."""
    return await fetch_all(
        conn,
        Task,
        """
        select task_id, workspace_id, kind, title, goal, language, brief, summary, status,
               waiting_reason, reason, epoch, rounds, rounds_without_progress, created_at,
               updated_at, archived_at, promoted_at, merged_into, source_message_id
        from tasks
        where workspace_id = %(workspace_id)s
          and archived_at is not null
          and merged_into is null
        order by archived_at desc, task_id
        limit %(limit)s
        """,
        {"workspace_id": workspace_id, "limit": limit},
    )
