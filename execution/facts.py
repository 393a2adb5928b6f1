"""Reads the facts that a verdict rests on, from the tables and nothing else."""

from execution import approvals, checklist, deliveries, inbox, jobs, ledger, steps, tasks
from execution.checklist import ItemStatus
from execution.verdict import Facts
from infra.db.query import Conn
from infra.ids import TaskId, ThreadId, WorkspaceId

ANSWERED = ["approved", "rejected", "chosen"]


async def load(conn: Conn, workspace_id: WorkspaceId, task_id: TaskId) -> Facts:
    """Return the facts of a task as they stand in this transaction."""
    thread_id = ThreadId(task_id)
    task = await tasks.get(conn, workspace_id, task_id)
    plan = await checklist.load(conn, task_id)
    entries = await ledger.of_task(conn, task_id)
    last_step = await steps.history(conn, thread_id, limit=1)
    answered = await approvals.of_thread(conn, thread_id, statuses=ANSWERED, unused_only=True)
    pending = await approvals.of_thread(conn, thread_id, statuses=["pending"])
    task_jobs = await jobs.of_task(conn, task_id)
    handed_over = {job.call_key for job in task_jobs}
    approved = plan is not None and plan.is_approved
    delivery = await deliveries.get_latest(conn, task_id)
    if plan is None or delivery is None or delivery.inputs_hash != deliveries.inputs_hash(plan):
        delivery = None
    items = plan.items if plan is not None and approved else ()
    return Facts(
        status=task.status,
        is_lightweight=task.kind == "lightweight",
        steps=last_step[0].number if last_step else 0,
        rounds=task.rounds,
        rounds_without_progress=task.rounds_without_progress,
        messages_waiting=await inbox.waiting_count(conn, task_id),
        answered_approvals=len(answered),
        pending_approvals=len(pending),
        calls_to_hand_over=sum(
            entry.status == "held" and entry.call_key not in handed_over for entry in entries
        ),
        jobs_open=sum(job.closed_at is None for job in task_jobs),
        has_plan=plan is not None,
        plan_approved=approved,
        plan_complete=plan is not None and plan.is_complete,
        delivery=delivery.status if delivery else None,
        ready_slots=sum(
            len(item.missing_slots)
            for item in items
            if item.status in (ItemStatus.READY, ItemStatus.DOING)
        ),
        failed_steps=tuple(item.item.title for item in items if item.status is ItemStatus.FAILED),
        unseen_happenings=await steps.happened_since(
            conn, task_id, last_step[0].created_at if last_step else None
        ),
        results=sum(entry.outcome == "succeeded" and entry.risk == "paid" for entry in entries),
        failures=sum(entry.outcome in ("failed", "unknown", "refused") for entry in entries),
    )
