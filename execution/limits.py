"""How much a production may do without a person's word: rounds, rounds that bring nothing, time.

Owns `task_limits`. The workspace says how much each production has; a person may give one of them
more. Time is the time that a task goes on by itself, by the database clock: at work, or waiting for
jobs or the chat model. While it waits for a person, or is paused, none of it passes.
"""

from dataclasses import dataclass
from uuid import UUID

from execution import approvals, budget, delegations, leases, ledger, steps, tasks, workspaces
from execution.errors import NotFoundError, NotPossibleNowError
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_one
from infra.ids import TaskId, ThreadId, WorkspaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one production may do, and how much of its time it has used."""

    max_rounds: int
    max_rounds_without_progress: int
    max_seconds: int
    worked_s: int
    day_ends_in_s: int
    """When the next day of allowances begins, in UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    task_id: UUID
    epoch: int
    rounds: int
    waiting_reason: str | None
    worked_s: int
    day_ends_in_s: int
    max_rounds: int | None
    max_seconds: int | None


async def of_task(conn: Conn, workspace_id: WorkspaceId, task_id: TaskId) -> Limits:
    """Return what a production may do: as its workspace says, or what a person gave it.

    Raises:
        NotFoundError: it is not here.
    """
    granted = await workspaces.get(conn, workspace_id)
    standing = await _standing(conn, workspace_id, task_id)
    return Limits(
        max_rounds=standing.max_rounds or granted.max_rounds,
        max_rounds_without_progress=granted.max_rounds_without_progress,
        max_seconds=standing.max_seconds or granted.max_seconds,
        worked_s=standing.worked_s,
        day_ends_in_s=standing.day_ends_in_s,
    )


async def extend(tx: Tx, task_id: TaskId, *, rounds: int, seconds: int, budget_micros: int) -> None:
    """Give a production more than it has, and wake it; only a person's request may call this.

    Raises:
        NotFoundError: it is not here.
        NotPossibleNowError: it has ended.
    """
    await leases.wake(tx.conn, ThreadId(task_id))
    tx.woken.add(ThreadId(task_id))
    if (await tasks.get(tx.conn, tx.workspace_id, task_id)).is_terminal:
        msg = "This task has ended; write to it, or open it again."
        raise NotPossibleNowError(msg)
    if budget_micros:
        await budget.raise_limit(tx, task_id, budget_micros, budget.ADDED)
        await _tell_refused(tx, task_id)
    current = await of_task(tx.conn, tx.workspace_id, task_id)
    await give(
        tx,
        task_id,
        max_rounds=current.max_rounds + rounds,
        max_seconds=current.max_seconds + seconds,
    )


async def _tell_refused(tx: Tx, task_id: TaskId) -> None:
    """Tell a model of new money that was refused something for want of it: no question waits."""
    if any(entry.refusal == "budget" for entry in await ledger.of_task(tx.conn, task_id)):
        told = "The person has added to the budget; what was refused for its sake may go now."
        await steps.happen(tx, task_id, told, call_key=None)


async def renew(tx: Tx, task_id: TaskId) -> None:
    """Give a production that stands at its limit as much again, because a person wrote to it."""
    standing = await _standing(tx.conn, tx.workspace_id, task_id)
    if standing.waiting_reason != "limit":
        return
    granted = await workspaces.get(tx.conn, tx.workspace_id)
    taken = await delegations.rounds_taken(tx.conn, task_id, standing.epoch)
    await give(
        tx,
        task_id,
        max_rounds=standing.rounds + taken + granted.max_rounds,
        max_seconds=standing.worked_s + granted.max_seconds,
    )


async def wake_those_at_one(tx: Tx) -> None:
    """Let every task of the workspace that stands at a limit look again."""
    cursor = await tx.conn.execute(
        """
        select task_id
        from tasks
        where workspace_id = %(workspace_id)s
          and status = 'waiting'
          and waiting_reason in ('limit', 'no_progress')
        order by task_id
        """,
        {"workspace_id": tx.workspace_id},
    )
    for (task_id,) in await cursor.fetchall():
        await leases.wake(tx.conn, ThreadId(task_id))
        tx.woken.add(ThreadId(task_id))


async def wake_those_short_of_money(tx: Tx) -> None:
    """Let every task of the workspace that waits only for money look whether there is enough."""
    for thread_id in await approvals.short_of_money(tx.conn, tx.workspace_id):
        await leases.wake(tx.conn, thread_id)
        tx.woken.add(thread_id)


async def _standing(conn: Conn, workspace_id: WorkspaceId, task_id: TaskId) -> _Standing:
    found = await fetch_one(
        conn,
        _Standing,
        """
        select tasks.task_id, tasks.epoch, tasks.rounds, tasks.waiting_reason,
               floor(extract(epoch from tasks.worked
                   + greatest(app_now() - coalesce(tasks.going_since, app_now()), '0')
               ))::bigint as worked_s,
               ceil(extract(epoch from
                   date_trunc('day', app_now(), 'UTC') + interval '1 day' - app_now()
               ))::bigint as day_ends_in_s,
               task_limits.max_rounds, task_limits.max_seconds
        from tasks
        left join task_limits
          on task_limits.task_id = tasks.task_id
         and task_limits.epoch = tasks.epoch
        where tasks.workspace_id = %(workspace_id)s
          and tasks.task_id = %(task_id)s
        """,
        {"workspace_id": workspace_id, "task_id": task_id},
    )
    if found is None:
        raise NotFoundError
    return found


async def give(tx: Tx, task_id: TaskId, *, max_rounds: int, max_seconds: int) -> None:
    """Let a production do so much in this life of it, instead of what its workspace says."""
    standing = await _standing(tx.conn, tx.workspace_id, task_id)
    await execute(
        tx.conn,
        """
        insert into task_limits (task_id, workspace_id, epoch, max_rounds, max_seconds)
        values (%(task_id)s, %(workspace_id)s, %(epoch)s, %(max_rounds)s, %(max_seconds)s)
        on conflict (task_id) do update
        set epoch = excluded.epoch, max_rounds = excluded.max_rounds,
            max_seconds = excluded.max_seconds
        """,
        {
            "task_id": task_id,
            "workspace_id": tx.workspace_id,
            "epoch": standing.epoch,
            "max_rounds": max_rounds,
            "max_seconds": max_seconds,
        },
    )
    tx.touch_task(task_id)
