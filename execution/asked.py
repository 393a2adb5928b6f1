"""What tasks wait to be told: a way of reading their questions, of many tasks at once."""

from collections.abc import Sequence
from uuid import UUID

from execution.approvals import Approval
from infra.db.query import Conn, fetch_all
from infra.ids import WorkspaceId


async def of_tasks(
    conn: Conn, workspace_id: WorkspaceId, task_ids: Sequence[UUID]
) -> dict[UUID, Approval]:
    """Return the question on which each of these tasks waits for a person, the newest of each."""
    if not task_ids:
        return {}
    found = await fetch_all(
        conn,
        Approval,
        """
        select approval_id, workspace_id, task_id, thread_id, kind, call_key, title, body, card,
               actions, args_hash, price_micros, maximum_micros, status, decision, decided_by,
               decided_at, used_at, expires_at, created_at
        from approvals
        where workspace_id = %(workspace_id)s
          and task_id = any(%(task_ids)s)
          and status = 'pending'
        order by created_at, approval_id
        """,
        {"workspace_id": workspace_id, "task_ids": list(task_ids)},
    )
    return {one.task_id: one for one in found if one.task_id is not None}
