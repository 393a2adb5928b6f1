"""`/v1/tasks`: what is done, pending, failed and expected of each task, and its reins."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query

from execution import families, graph, inbox, joining, ledger, limits, steps, tasks, verdicts, views
from execution.inbox import InboxMessage
from execution.listing import Kind, Scope, listed
from execution.steps import Step
from execution.tx import Tx
from execution.verdict import ends_with
from execution.verdicts import Verdict
from infra.db.pool import transaction
from infra.ids import TaskId, ThreadId
from memory import task_index
from server.auth import Caller, Principal
from server.context import Context, IdempotencyKey, Opened, TaskInPath, task_id_of
from server.models import MergeBody, MoreBody
from server.requests import carry_out
from tools import exchange
from workspace import objects

type Json = dict[str, Any]
type Limit = Annotated[int, Query(ge=1, le=1000)]

router = APIRouter(prefix="/tasks")


@router.get("")
async def list_tasks(
    caller: Caller,
    opened: Opened,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    scope: Scope = Scope.CURRENT,
    kind: Kind = Kind.PERSISTENT,
) -> Json:
    """Return the tasks that changed last, newest first: those at work or ended lately.

    A task that has rested for longer is in the scope `all`; single pictures are of another kind.
    """
    async with transaction(opened.pool) as conn:
        rows = await listed(
            conn,
            caller.workspace_id,
            scope=scope,
            kind=kind,
            lately=timedelta(days=opened.deps.settings.listed_days),
            limit=limit,
        )
        found = [await views.task(conn, caller.workspace_id, TaskId(row.task_id)) for row in rows]
    return {"tasks": found}


@router.get("/{task_id}")
async def read_task(task_id: TaskInPath, caller: Caller, opened: Opened) -> Json:
    """Return a task with its plan, jobs, money and delivery."""
    async with transaction(opened.pool) as conn:
        return await views.task(conn, caller.workspace_id, task_id)


@router.post("/{task_id}/stop")
async def stop_task(
    task_id: TaskInPath, caller: Caller, opened: Opened, idempotency_key: IdempotencyKey = None
) -> Json:
    """Stop a task and who works for it; what is paid already is still collected and settled."""
    return await _steer(opened, caller, task_id, families.stop, idempotency_key)


@router.post("/{task_id}/pause")
async def pause_task(
    task_id: TaskInPath, caller: Caller, opened: Opened, idempotency_key: IdempotencyKey = None
) -> Json:
    """Pause a task: what runs goes on to its end, nothing new starts."""
    return await _steer(opened, caller, task_id, families.pause, idempotency_key)


@router.post("/{task_id}/resume")
async def resume_task(
    task_id: TaskInPath, caller: Caller, opened: Opened, idempotency_key: IdempotencyKey = None
) -> Json:
    """Let a paused task go on."""
    return await _steer(opened, caller, task_id, families.resume, idempotency_key)


@router.post("/{task_id}/reopen")
async def reopen_task(
    task_id: TaskInPath, caller: Caller, opened: Opened, idempotency_key: IdempotencyKey = None
) -> Json:
    """Let a task that has ended, or was archived, go on."""
    return await _steer(opened, caller, task_id, tasks.begin_again, idempotency_key)


@router.post("/{task_id}/archive")
async def archive_task(
    task_id: TaskInPath, caller: Caller, opened: Opened, idempotency_key: IdempotencyKey = None
) -> Json:
    """Put a task away that has ended; it is listed in the scope `archived` only."""
    return await _steer(opened, caller, task_id, tasks.archive, idempotency_key)


@router.post("/{task_id}/unarchive")
async def unarchive_task(
    task_id: TaskInPath, caller: Caller, opened: Opened, idempotency_key: IdempotencyKey = None
) -> Json:
    """Bring an archived task back as it was."""
    return await _steer(opened, caller, task_id, tasks.unarchive, idempotency_key)


@router.post("/{task_id}/more")
async def give_more(
    task_id: TaskInPath,
    body: MoreBody,
    caller: Caller,
    opened: Opened,
    idempotency_key: IdempotencyKey = None,
) -> Json:
    """Give a task more rounds, time or money than it has; what waits for that goes on."""

    async def act(tx: Tx) -> Json:
        await tasks.get(tx.conn, tx.workspace_id, task_id)
        await limits.extend(
            tx,
            task_id,
            rounds=body.rounds,
            seconds=body.seconds,
            budget_micros=body.budget_micros,
        )
        return await views.task(tx.conn, tx.workspace_id, task_id)

    request = {"task": str(task_id), "more": body.model_dump()}
    return await carry_out(opened, caller, act, key=idempotency_key, request=request)


@router.post("/{task_id}/merge")
async def merge_task(
    task_id: TaskInPath,
    body: MergeBody,
    caller: Caller,
    opened: Opened,
    idempotency_key: IdempotencyKey = None,
) -> Json:
    """Join a task to another one; return that, and what went there in `joined`.

    Refused while jobs of the first are running. Its money stays on its own account.
    """

    async def act(tx: Tx) -> Json:
        into = task_id_of(body.into)
        joined = await joining.merge(tx, task_id, into)
        await objects.give_over(tx, task_id, into)
        for each in (task_id, into):
            await task_index.refresh(tx, each)
        whole = await views.task(tx.conn, tx.workspace_id, into)
        return {**whole, "joined": {"task_id": str(task_id), **asdict(joined)}}

    request = {"task": str(task_id), "merge_into": body.into}
    return await carry_out(opened, caller, act, key=idempotency_key, request=request)


async def _steer(
    opened: Context,
    caller: Principal,
    task_id: TaskId,
    change: Callable[[Tx, TaskId], Awaitable[None]],
    key: str | None,
) -> Json:
    async def act(tx: Tx) -> Json:
        await tasks.get(tx.conn, tx.workspace_id, task_id)
        await change(tx, task_id)
        return await views.task(tx.conn, tx.workspace_id, task_id)

    request = {"task": str(task_id), "change": change.__name__}
    changed = await carry_out(opened, caller, act, key=key, request=request)
    await exchange.pass_on(opened.deps)
    return changed


@router.get("/{task_id}/checklist")
async def read_checklist(task_id: TaskInPath, caller: Caller, opened: Opened) -> Json:
    """Return the plan with n of m for every step; null before there is one."""
    return await _part(opened, caller, task_id, "checklist")


@router.get("/{task_id}/graph")
async def read_graph(task_id: TaskInPath, caller: Caller, opened: Opened) -> Json:
    """Return the plan as a graph: steps, evidence, what changed under it, and its versions."""
    async with transaction(opened.pool) as conn:
        return await graph.view(conn, caller.workspace_id, task_id)


@router.get("/{task_id}/jobs")
async def read_jobs(task_id: TaskInPath, caller: Caller, opened: Opened) -> Json:
    """Return the task's jobs, counted by what they are doing."""
    return await _part(opened, caller, task_id, "jobs")


@router.get("/{task_id}/budget")
async def read_budget(task_id: TaskInPath, caller: Caller, opened: Opened) -> Json:
    """Return the task's money: limit, held, settled, absorbed."""
    return await _part(opened, caller, task_id, "budget")


@router.get("/{task_id}/model_usage")
async def read_model_usage(task_id: TaskInPath, caller: Caller, opened: Opened) -> Json:
    """Return what the task's model has used: calls, tokens, and their price where it is known."""
    return await _part(opened, caller, task_id, "model_usage")


@router.get("/{task_id}/account")
async def read_account(task_id: TaskInPath, caller: Caller, opened: Opened) -> Json:
    """Return the task's balance and every change of it, oldest first: the balance is their sum."""
    async with transaction(opened.pool) as conn:
        return await views.task_account(conn, caller.workspace_id, task_id)


@router.get("/{task_id}/delivery")
async def read_delivery(task_id: TaskInPath, caller: Caller, opened: Opened) -> Json:
    """Return the newest delivery report; null before there is one."""
    return await _part(opened, caller, task_id, "delivery")


async def _part(opened: Context, caller: Principal, task_id: TaskId, name: str) -> Json:
    async with transaction(opened.pool) as conn:
        whole = await views.task(conn, caller.workspace_id, task_id)
    return {"task_id": whole["id"], name: whole[name]}


@router.get("/{task_id}/steps")
async def list_steps(
    task_id: TaskInPath, caller: Caller, opened: Opened, limit: Limit = 200
) -> Json:
    """Return the newest steps, oldest of them first: what was thought, proposed and decided."""
    async with transaction(opened.pool) as conn:
        await tasks.get(conn, caller.workspace_id, task_id)
        rows = await steps.history(conn, ThreadId(task_id), limit=limit)
    return {"task_id": str(task_id), "steps": [_step(row) for row in rows]}


@router.get("/{task_id}/verdicts")
async def list_verdicts(
    task_id: TaskInPath, caller: Caller, opened: Opened, limit: Limit = 200
) -> Json:
    """Return the newest looks of the stop-check, oldest of them first, and the task's limits."""
    async with transaction(opened.pool) as conn:
        await tasks.get(conn, caller.workspace_id, task_id)
        rows = await verdicts.history(conn, task_id, limit=limit)
        allowed = await limits.of_task(conn, caller.workspace_id, task_id)
    return {
        "task_id": str(task_id),
        "limits": {
            "rounds": allowed.max_rounds,
            "rounds_without_progress": allowed.max_rounds_without_progress,
            "seconds": allowed.max_seconds,
            "worked_seconds": allowed.worked_s,
        },
        "verdicts": [_verdict(row) for row in rows],
    }


@router.get("/{task_id}/ledger")
async def list_ledger(task_id: TaskInPath, caller: Caller, opened: Opened) -> Json:
    """Return every call that was proposed and how far it got."""
    async with transaction(opened.pool) as conn:
        await tasks.get(conn, caller.workspace_id, task_id)
        rows = await ledger.of_task(conn, task_id)
    return {"task_id": str(task_id), "calls": [views.ledger_view(row) for row in rows]}


@router.get("/{task_id}/inbox")
async def list_inbox(task_id: TaskInPath, caller: Caller, opened: Opened) -> Json:
    """Return the messages given to the task: waiting for its next step, and read."""
    async with transaction(opened.pool) as conn:
        await tasks.get(conn, caller.workspace_id, task_id)
        waiting = await inbox.drain(conn, task_id)
        read = await inbox.consumed(conn, task_id)
    return {
        "task_id": str(task_id),
        "waiting": [_inbox_message(row) for row in waiting],
        "consumed": [_inbox_message(row) for row in read],
    }


@router.get("/{task_id}/objects")
async def list_objects(
    task_id: TaskInPath, caller: Caller, opened: Opened, limit: Limit = 500
) -> Json:
    """Return the task's objects at their newest version, newest first."""
    async with transaction(opened.pool) as conn:
        await tasks.get(conn, caller.workspace_id, task_id)
        rows = await objects.recent(conn, caller.workspace_id, limit=limit, task_id=task_id)
    return {"task_id": str(task_id), "objects": [objects.view(row) for row in rows]}


def _step(row: Step) -> Json:
    return {
        "number": row.number,
        "model": row.model,
        "content": row.content,
        "calls": row.calls,
        "usage": row.usage,
        "status": row.status,
        "verdict": row.verdict,
        "reason": row.reason,
        "progress": row.progress,
        "created_at": row.created_at.isoformat(),
    }


def _verdict(row: Verdict) -> Json:
    return {
        "turn": str(row.turn_id),
        "step": row.step_number,
        "verdict": row.verdict,
        "waiting_reason": row.waiting_reason,
        "reason": row.reason,
        "ends_with": ends_with(row.verdict, row.waiting_reason),
        "look_again_s": row.look_again_s,
        "progress": row.progress,
        "facts": row.facts,
        "created_at": row.created_at.isoformat(),
    }


def _inbox_message(row: InboxMessage) -> Json:
    return {
        "message_id": str(row.message_id),
        "text": row.text,
        "language": row.language,
        "origin": row.origin,
        "status": row.status,
        "position": row.position,
    }
