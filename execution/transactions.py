"""One transaction of ours: fenced at its start, events numbered at its end, wakes sent after.

Lock order is thread, inbox, ledger, budget, event counter. The counter comes last by construction:
`Tx.emit` only collects, and `work` numbers what was collected just before the commit, so a
workspace's log has neither gaps nor late commits. What must be told to other processes (a wake, new
events) is told after the commit and may be lost: the tables are the truth and the watchdog finds
what nobody was told.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID

from execution import events, leases, views
from execution.leases import Fence
from execution.tx import Tx
from infra.crash_points import CrashPoint, reached
from infra.deps import Deps
from infra.ids import TaskId, WorkspaceId


@asynccontextmanager
async def work(
    deps: Deps,
    workspace_id: WorkspaceId,
    *,
    fence: Fence | None = None,
    cause: str | None = None,
) -> AsyncGenerator[Tx]:
    """Open a transaction; with a fence, refuse at once if another worker holds the thread.

    Raises:
        StaleLeaseError: the fence's generation is no longer the thread's.
    """
    async with deps.pools.domain.connection() as conn:
        tx = Tx(conn=conn, workspace_id=workspace_id, cause=cause)
        async with conn.transaction():
            if fence is not None:
                await leases.check(conn, fence)
            yield tx
            await _describe(tx)
            last_seq = await events.append(conn, workspace_id, tx.pending)
            await reached(CrashPoint.COMMITTING)
    if last_seq is not None:
        deps.signals.events_committed(workspace_id, last_seq)
    for thread_id in tx.woken:
        deps.signals.wake_thread(thread_id)
    for job_id, lane in tx.due_jobs.items():
        deps.signals.wake_job(job_id, lane)


async def _describe(tx: Tx) -> None:
    for message_id, event_type in tx.touched_messages.items():
        message = await views.message(tx.conn, tx.workspace_id, message_id)
        task_id = TaskId(UUID(message["task_id"])) if message["task_id"] else None
        tx.emit(event_type, message, task_id=task_id)
    for job_id, event_type in tx.touched_jobs.items():
        job = await views.job(tx.conn, job_id)
        tx.emit(event_type, job, task_id=TaskId(UUID(job["task_id"])))
    for approval_id, event_type in tx.touched_approvals.items():
        approval = await views.approval(tx.conn, tx.workspace_id, approval_id)
        of_task = TaskId(UUID(approval["task_id"])) if approval["task_id"] else None
        tx.emit(event_type, approval, task_id=of_task)
    for task_id, event_type in tx.touched_tasks.items():
        task = await views.task(tx.conn, tx.workspace_id, task_id)
        tx.emit(event_type, task, task_id=task_id)
