"""The execution record as a client sees it: plain JSON, built from the owners' rows.

Events carry these whole, so a page replaces what it has instead of patching it; absence is
described: what is expected, done, running, failed and missing stands in every plan and every list
of jobs.
"""

from collections.abc import Sequence
from typing import Any

from execution import (
    acceptance,
    approvals,
    budget,
    checklist,
    coordination,
    deliveries,
    inbox,
    jobs,
    judgements,
    ledger,
    messages,
    model_calls,
    outputs,
    route_reads,
    steps,
    task_reads,
    tasks,
    workspaces,
)
from execution.approvals import Approval
from execution.budget import Account, Budget, Hold
from execution.jobs import Job
from execution.ledger import LedgerEntry
from execution.messages import Message, Route
from execution.progress import ItemProgress, Plan
from execution.route_reads import RouteRead
from execution.verdict import ends_with
from infra.db.query import Conn
from infra.ids import ApprovalId, JobId, MessageId, TaskId, WorkspaceId

type Json = dict[str, Any]


async def message(conn: Conn, workspace_id: WorkspaceId, message_id: MessageId) -> Json:
    """Return a message with its route and the step that read it."""
    row = await messages.get(conn, workspace_id, message_id)
    (view,) = await messages_view(conn, workspace_id, [row])
    return view


async def messages_view(
    conn: Conn, workspace_id: WorkspaceId, rows: Sequence[Message]
) -> list[Json]:
    """Return messages, each with its route and the step that read it, by a fixed few queries."""
    ids = [row.message_id for row in rows]
    routes = await messages.routes_of(conn, workspace_id, ids)
    reads = await route_reads.of_messages(conn, workspace_id, ids)
    readers = await inbox.readers_of(conn, workspace_id, ids)
    numbers = await steps.numbers_of(conn, readers.values())
    return [
        _message(
            row,
            routes.get(row.message_id),
            reads.get(row.message_id, []),
            numbers.get(readers[row.message_id]) if row.message_id in readers else None,
        )
        for row in rows
    ]


def _message(
    row: Message, route: Route | None, read: Sequence[RouteRead], step: int | None
) -> Json:
    return {
        "id": str(row.message_id),
        "client_id": row.client_id,
        "role": row.role,
        "text": row.text,
        "language": row.language,
        "status": row.status,
        "origin": row.origin,
        "task_id": str(row.task_id) if row.task_id else None,
        "reply_to": str(row.reply_to) if row.reply_to else None,
        "object_ids": [str(object_id) for object_id in row.object_ids],
        "route": {
            "layer": route.layer,
            "outcome": route.outcome,
            "reason": route.reason,
            "task_id": str(route.task_id) if route.task_id else None,
            "read": [str(item.read_task_id) for item in read if item.read_task_id],
        }
        if route
        else None,
        "consumed_by": {"step": step} if step is not None else None,
        "created_at": row.created_at.isoformat(),
    }


async def approval(conn: Conn, workspace_id: WorkspaceId, approval_id: ApprovalId) -> Json:
    """Return a question as a card."""
    row = await approvals.get(conn, workspace_id, approval_id)
    workspace = await workspaces.get(conn, workspace_id)
    return approval_card(row, workspace.currency)


def approval_card(row: Approval, currency: str) -> Json:
    """Return a question's card from its row.

    `arguments` are what an edit may change; a question whose edit costs more names the one that
    took its place, and that one names it.
    """
    price = None
    if row.price_micros is not None:
        price = {
            "amount_micros": row.price_micros,
            "maximum_micros": row.maximum_micros,
            "currency": currency,
        }
    return {
        "id": str(row.approval_id),
        "task_id": str(row.task_id) if row.task_id else None,
        "kind": row.kind,
        "title": row.title,
        "body": row.body,
        "lines": row.card.get("lines", []),
        "options": row.card.get("options", []),
        "free_text": bool(row.card.get("free_text")),
        "arguments": row.card.get("arguments", {}),
        "category": row.card.get("category"),
        "estimate": row.card.get("estimate"),
        "saw": row.card.get("saw", {}),
        "step": row.card.get("step"),
        "results": row.card.get("results", []),
        "price": price,
        "actions": row.actions,
        "args_hash": row.args_hash,
        "status": row.status,
        "decision": row.decision,
        "decided_by": row.decided_by,
        "replaces": row.card.get("replaces"),
        "replaced_by": (row.decision or {}).get("replaced_by"),
        "created_at": row.created_at.isoformat(),
        "expires_at": row.expires_at.isoformat() if row.expires_at else None,
    }


async def job(conn: Conn, job_id: JobId) -> Json:
    """Return a job with its price."""
    row = await jobs.get(conn, job_id)
    assert row is not None  # noqa: S101 - announced in the transaction that wrote it
    holds = await budget.holds_of(conn, TaskId(row.task_id))
    return _job(row, holds)


def _job(row: Job, holds: dict[str, Hold]) -> Json:
    hold = holds.get(row.call_key)
    return {
        "id": str(row.job_id),
        "task_id": str(row.task_id),
        "call_key": row.call_key,
        "operation": row.operation,
        "provider": row.provider,
        "title": row.title,
        "step_key": row.step_key,
        "slot": row.slot,
        "status": _status(row),
        "progress": row.progress,
        "error": row.error,
        "price": {
            "held_micros": hold.held_micros if hold else 0,
            "settled_micros": hold.settled_micros if hold else 0,
            "absorbed_micros": hold.absorbed_micros if hold else 0,
            "basis": hold.basis if hold else None,
        },
    }


async def task(conn: Conn, workspace_id: WorkspaceId, task_id: TaskId) -> Json:
    """Return a task with its plan, jobs, money and delivery."""
    row = await tasks.get(conn, workspace_id, task_id)
    workspace = await workspaces.get(conn, workspace_id)
    delivery = await deliveries.get_latest(conn, task_id)
    plan = await checklist.load(conn, task_id)
    return {
        "id": str(row.task_id),
        "kind": row.kind,
        "title": row.title,
        "goal": row.goal,
        "language": row.language,
        "status": row.status,
        "waiting_reason": row.waiting_reason,
        "reason": row.reason,
        "ends_with": ends_with(row.status, row.waiting_reason),
        "created_at": row.created_at.isoformat(),
        "updated_at": row.updated_at.isoformat(),
        "archived_at": row.archived_at.isoformat() if row.archived_at else None,
        "merged_into": str(row.merged_into) if row.merged_into else None,
        "checklist": plan_view(plan) if plan else None,
        "jobs": await jobs_view(conn, task_id),
        "budget": budget_view(await budget.get(conn, task_id), workspace.currency),
        "model_usage": model_calls.view(
            await model_calls.usage(conn, workspace_id, task_id=task_id), workspace.currency
        ),
        "results": await results_view(conn, task_id),
        "coordination": await coordination.view(conn, workspace_id, task_id),
        "draws_on": {"tasks": await _tasks_read(conn, workspace_id, task_id)},
        "delivery": {
            "status": delivery.status,
            "revision": delivery.revision,
            "delivered_at": delivery.created_at.isoformat(),
            **delivery.report,
        }
        if delivery
        else None,
        "acceptance": await acceptance_card(conn, task_id),
    }


async def acceptance_card(conn: Conn, task_id: TaskId) -> Json | None:
    """Return how the newest delivery stands, with what judges propose about it; None before one."""
    found = await acceptance.get_latest(conn, task_id)
    if found is None:
        return None
    judged = await judgements.of_results(conn, task_id, found.inputs_hash)
    return {**acceptance.view(found), "judgements": judgements.view(judged)}


async def _tasks_read(conn: Conn, workspace_id: WorkspaceId, task_id: TaskId) -> list[Json]:
    """Return which other tasks a task has read, by which call and when."""
    return [
        {
            "task_id": str(item.read_task_id),
            "title": (await tasks.get(conn, workspace_id, TaskId(item.read_task_id))).title,
            "call_key": item.call_key,
            "read_at": item.created_at.isoformat(),
        }
        for item in await task_reads.of_task(conn, workspace_id, task_id)
    ]


async def jobs_view(conn: Conn, task_id: TaskId) -> Json:
    """Return a task's jobs, counted by what they are doing."""
    rows = await jobs.of_task(conn, task_id)
    holds = await budget.holds_of(conn, task_id)
    phases = ("queued", "running", "succeeded", "failed", "unknown", "cancelled")
    counts = {phase: sum(_status(row) == phase for row in rows) for phase in phases}
    return {"total": len(rows), **counts, "items": [_job(row, holds) for row in rows]}


def _status(job: Job) -> str:
    """Return where a job is: one that no provider has taken yet, and that says why, waits."""
    turned_away = job.phase == "running" and job.provider_job_id is None and job.error
    return "queued" if turned_away else job.phase


async def results_view(conn: Conn, task_id: TaskId) -> list[Json]:
    """Return what the calls outside any plan have made, as people have left it."""
    made = [
        output
        for entry in await ledger.of_task(conn, task_id)
        if entry.outcome == "succeeded" and entry.step_key is None
        for output in entry.outputs
    ]
    return outputs.standing(made, await outputs.newer(conn, made))


async def account(conn: Conn, workspace_id: WorkspaceId) -> Json:
    """Return a workspace's money, all its tasks together, and what its models have used."""
    currency = (await workspaces.get(conn, workspace_id)).currency
    used = await model_calls.usage(conn, workspace_id)
    return {
        "budget": budget_view(await budget.of_workspace(conn, workspace_id), currency),
        "model_usage": model_calls.view(used, currency),
    }


async def task_account(conn: Conn, workspace_id: WorkspaceId, task_id: TaskId) -> Json:
    """Return a task's account: its balance, and every change that it is the sum of."""
    await tasks.get(conn, workspace_id, task_id)
    currency = (await workspaces.get(conn, workspace_id)).currency
    return {
        "task_id": str(task_id),
        "budget": budget_view(await budget.get(conn, task_id), currency),
        "entries": [
            {
                "id": entry.entry_id,
                "call_key": entry.call_key,
                "kind": entry.kind,
                "amount_micros": entry.amount_micros,
                "note": entry.note,
                "created_at": entry.created_at.isoformat(),
            }
            for entry in await budget.entries_of(conn, task_id)
        ],
    }


def budget_view(row: Budget | Account, currency: str) -> Json:
    """Return the money of a task, or of all tasks of a workspace."""
    return {
        "currency": currency,
        "limit_micros": row.limit_micros,
        "held_micros": row.held_micros,
        "settled_micros": row.settled_micros,
        "absorbed_micros": row.absorbed_micros,
    }


def plan_view(plan: Plan) -> Json:
    """Return the plan with n of m for every step."""
    return {
        "version": plan.checklist.version,
        "title": plan.checklist.title,
        "approved": plan.is_approved,
        "format": plan.checklist.format,
        "items": [_item(item) for item in plan.items],
    }


def _item(item: ItemProgress) -> Json:
    return {
        "key": item.item.key,
        "title": item.item.title,
        "kind": item.item.kind,
        "status": item.status.value,
        "review": item.item.review,
        "expected": item.item.expected_count,
        "done": item.count("done"),
        "running": item.count("running"),
        "failed": item.count("failed"),
        "unknown": item.count("unknown"),
        "missing": item.missing_slots,
        "absent": {
            state: slots
            for state in ("running", "asked", "failed", "unknown", "missing", "left_out")
            if (slots := item.in_state(state))
        },
        "failures": [
            {"slot": number, "reason": reason}
            for number in item.absent_slots
            if (reason := item.failure(number))
        ],
        "replaced": [
            {
                "slot": slot.number,
                "provider": slot.entry.provider,
                "instead_of": list(slot.instead_of),
            }
            for slot in item.slots
            if slot.state == "done" and slot.entry and slot.instead_of
        ],
        "depends_on": item.item.depends_on,
        "outputs": [
            {
                "object_id": output["object_id"],
                "version": output["version"],
                "kind": output["kind"],
                "role": output["role"],
                "slot": slot.number,
            }
            for slot in item.slots
            if slot.state == "done"
            for output in slot.outputs
        ],
    }


def ledger_view(entry: LedgerEntry) -> Json:
    """Return a call as it stands in the ledger."""
    return {
        "call_key": entry.call_key,
        "tool": entry.tool,
        "risk": entry.risk,
        "status": entry.status,
        "verdict": entry.verdict,
        "refusal": entry.refusal,
        "outcome": entry.outcome,
        "step_key": entry.step_key,
        "slot": entry.slot,
        "quote_micros": entry.quote_micros,
        "tool_message": entry.tool_message,
        "result": entry.result,
        "created_at": entry.created_at.isoformat(),
    }
