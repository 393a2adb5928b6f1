"""What people have said of the results of a plan's steps: they go on, or they do not.

Owns `reviews`. A row says what an answered question of the kind `review` has come to; it is bound
to exactly the results that were shown. What was accepted stays accepted in every later version of
the plan that keeps these results; what was refused is refused for the version in which it was.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all
from infra.ids import ApprovalId, TaskId


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A row of `reviews`."""

    approval_id: UUID
    step_key: str
    results_hash: str
    plan_version: int
    accepted: bool
    created_at: datetime


async def record(
    tx: Tx,
    task_id: TaskId,
    approval_id: ApprovalId,
    *,
    step_key: str,
    results_hash: str,
    plan_version: int,
    accepted: bool,
) -> None:
    """Keep what a person has said of a step's results; once per question."""
    await execute(
        tx.conn,
        """
        insert into reviews (approval_id, workspace_id, task_id, step_key, results_hash,
                             plan_version, accepted)
        values (%(approval_id)s, %(workspace_id)s, %(task_id)s, %(step_key)s, %(results_hash)s,
                %(plan_version)s, %(accepted)s)
        on conflict do nothing
        """,
        {
            "approval_id": approval_id,
            "workspace_id": tx.workspace_id,
            "task_id": task_id,
            "step_key": step_key,
            "results_hash": results_hash,
            "plan_version": plan_version,
            "accepted": accepted,
        },
    )
    tx.touch_task(task_id)


async def of_task(conn: Conn, task_id: TaskId) -> list[Review]:
    """Return what was said of a task's results, oldest first."""
    return await fetch_all(
        conn,
        Review,
        """
        select approval_id, step_key, results_hash, plan_version, accepted, created_at
        from reviews
        where task_id = %(task_id)s
        order by created_at, approval_id
        """,
        {"task_id": task_id},
    )
