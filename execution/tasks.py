"""Tasks: a goal, its state and what it is waiting for.

Owns `tasks`. States: active, waiting(reason), paused, completed, failed, stopped; the last three
are terminal within an epoch, and reopening starts the next. A state changes by compare-and-set
only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from execution import approvals, budget, delegations, jobs, leases, ledger, withdrawn
from execution.delegations import Rest
from execution.errors import NotFoundError, NotPossibleNowError
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all, fetch_one, fetch_value
from infra.ids import MessageId, TaskId, ThreadId, WorkspaceId


class TaskStatus(StrEnum):
    """Where a task stands."""

    ACTIVE = "active"
    WAITING = "waiting"
    PAUSED = "paused"
    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"


LIVE = (TaskStatus.ACTIVE, TaskStatus.WAITING, TaskStatus.PAUSED)
KINDS = ("lightweight", "persistent")
TERMINAL = (TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.STOPPED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A row of `tasks`."""

    task_id: UUID
    workspace_id: UUID
    kind: str
    title: str
    goal: str
    language: str
    brief: dict[str, Any]
    summary: str
    status: str
    waiting_reason: str | None
    reason: str | None
    epoch: int
    rounds: int
    rounds_without_progress: int
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None
    promoted_at: datetime | None
    merged_into: UUID | None
    source_message_id: UUID

    @property
    def begins_without_plan(self) -> bool:
        """Whether it was begun as a single picture: what needs no plan is made without one."""
        return self.kind == "lightweight" or self.promoted_at is not None

    @property
    def is_terminal(self) -> bool:
        """Whether nothing more may happen in this epoch."""
        return self.status in TERMINAL


async def create(
    tx: Tx,
    task_id: TaskId,
    *,
    kind: str,
    title: str,
    goal: str,
    language: str,
    brief: dict[str, Any],
    source_message_id: MessageId,
) -> bool:
    """Create a task and its thread; one message creates at most one, a re-run finds it there."""
    await leases.create_thread(tx.conn, ThreadId(task_id), tx.workspace_id, "task")
    created = await execute(
        tx.conn,
        """
        insert into tasks (task_id, workspace_id, kind, title, goal, language, brief,
                           source_message_id)
        values (%(task_id)s, %(workspace_id)s, %(kind)s, %(title)s, %(goal)s, %(language)s,
                %(brief)s, %(source_message_id)s)
        on conflict do nothing
        """,
        {
            "task_id": task_id,
            "workspace_id": tx.workspace_id,
            "kind": kind,
            "title": title,
            "goal": goal,
            "language": language,
            "brief": Jsonb(brief),
            "source_message_id": source_message_id,
        },
    )
    if created:
        tx.touch_task(task_id, "task.created")
    return bool(created)


async def get(conn: Conn, workspace_id: WorkspaceId, task_id: TaskId) -> Task:
    """Return a task of this workspace.

    Raises:
        NotFoundError: there is none, or it is another workspace's.
    """
    found = await fetch_one(
        conn,
        Task,
        """
        select task_id, workspace_id, kind, title, goal, language, brief, summary, status,
               waiting_reason, reason, epoch, rounds, rounds_without_progress, created_at,
               updated_at, archived_at, promoted_at, merged_into, source_message_id
        from tasks
        where workspace_id = %(workspace_id)s
          and task_id = %(task_id)s
        """,
        {"workspace_id": workspace_id, "task_id": task_id},
    )
    if found is None:
        raise NotFoundError
    return found


async def is_begun_by(conn: Conn, workspace_id: WorkspaceId, message_id: MessageId) -> bool:
    """Tell whether a task was begun by this message."""
    return bool(
        await fetch_value(
            conn,
            """
            select 1
            from tasks
            where workspace_id = %(workspace_id)s
              and source_message_id = %(message_id)s
            """,
            {"workspace_id": workspace_id, "message_id": message_id},
        )
    )


async def recent(conn: Conn, workspace_id: WorkspaceId, *, limit: int) -> list[Task]:
    """Return the tasks that changed last, newest first."""
    return await fetch_all(
        conn,
        Task,
        """
        select task_id, workspace_id, kind, title, goal, language, brief, summary, status,
               waiting_reason, reason, epoch, rounds, rounds_without_progress, created_at,
               updated_at, archived_at, promoted_at, merged_into, source_message_id
        from tasks
        where workspace_id = %(workspace_id)s
          and archived_at is null
        order by updated_at desc, task_id
        limit %(limit)s
        """,
        {"workspace_id": workspace_id, "limit": limit},
    )


async def of_ids(conn: Conn, workspace_id: WorkspaceId, task_ids: Sequence[UUID]) -> list[Task]:
    """Return those of the tasks that are this workspace's and not archived, in any order."""
    return await fetch_all(
        conn,
        Task,
        """
        select task_id, workspace_id, kind, title, goal, language, brief, summary, status,
               waiting_reason, reason, epoch, rounds, rounds_without_progress, created_at,
               updated_at, archived_at, promoted_at, merged_into, source_message_id
        from tasks
        where workspace_id = %(workspace_id)s
          and task_id = any(%(task_ids)s)
          and archived_at is null
        """,
        {"workspace_id": workspace_id, "task_ids": list(task_ids)},
    )


async def in_progress(
    conn: Conn, workspace_id: WorkspaceId, *, limit: int, kinds: Sequence[str] = KINDS
) -> list[Task]:
    """Return the tasks that have not ended and changed last, newest first."""
    return await fetch_all(
        conn,
        Task,
        """
        select task_id, workspace_id, kind, title, goal, language, brief, summary, status,
               waiting_reason, reason, epoch, rounds, rounds_without_progress, created_at,
               updated_at, archived_at, promoted_at, merged_into, source_message_id
        from tasks
        where workspace_id = %(workspace_id)s
          and archived_at is null
          and status in ('active', 'waiting', 'paused')
          and kind = any(%(kinds)s)
        order by updated_at desc, task_id
        limit %(limit)s
        """,
        {"workspace_id": workspace_id, "kinds": list(kinds), "limit": limit},
    )


_EVENT = {
    TaskStatus.ACTIVE: "task.updated",
    TaskStatus.WAITING: "task.waiting",
    TaskStatus.PAUSED: "task.paused",
    TaskStatus.COMPLETED: "task.completed",
    TaskStatus.FAILED: "task.failed",
    TaskStatus.STOPPED: "task.stopped",
}


async def set_status(
    tx: Tx,
    task_id: TaskId,
    status: TaskStatus,
    *,
    waiting_reason: str | None = None,
    reason: str | None = None,
    expected: tuple[TaskStatus, ...] = (TaskStatus.ACTIVE, TaskStatus.WAITING),
) -> bool:
    """Move a task from one of the expected states; False when it was in none of them.

    A task that ends leaves nothing open: its questions are withdrawn, and what was not yet sent
    to a provider is given up with its money.
    """
    changed = await execute(
        tx.conn,
        """
        update tasks
        set status = %(status)s, waiting_reason = %(waiting_reason)s, reason = %(reason)s,
            updated_at = app_now()
        where task_id = %(task_id)s
          and workspace_id = %(workspace_id)s
          and status = any(%(expected)s)
        """,
        {
            "status": status,
            "waiting_reason": waiting_reason,
            "reason": reason,
            "task_id": task_id,
            "workspace_id": tx.workspace_id,
            "expected": list(expected),
        },
    )
    if changed:
        tx.touch_task(task_id, _EVENT[status])
    if changed and status in TERMINAL:
        await _leave_nothing_open(tx, task_id)
    if changed and status is not TaskStatus.ACTIVE:
        await _tell_others(tx, task_id)
    return bool(changed)


async def _leave_nothing_open(tx: Tx, task_id: TaskId) -> None:
    await withdrawn.note(tx, task_id)
    await approvals.supersede(tx, ThreadId(task_id))
    await approvals.void_answers(tx, ThreadId(task_id))
    for call_key in await ledger.abandon(tx, task_id, "The task has ended."):
        await budget.release(tx, task_id, call_key, "the task has ended")
    await jobs.ask_to_cancel(tx, task_id)


async def _tell_others(tx: Tx, task_id: TaskId) -> None:
    """Tell tasks that wait for this one what has become of it."""
    task = await get(tx.conn, tx.workspace_id, task_id)
    rest = Rest(
        task_id=task_id,
        title=task.title,
        language=task.language,
        rounds=task.rounds,
        name=task.waiting_reason or task.status,
        has_ended=task.is_terminal,
    )
    await delegations.note_rest(tx, rest)


async def count_round(tx: Tx, task_id: TaskId, *, progress: bool) -> None:
    """Count a round of the task, and how many of the last ones brought nothing."""
    await execute(
        tx.conn,
        """
        update tasks
        set rounds = rounds + 1,
            rounds_without_progress =
                case when %(progress)s then 0 else rounds_without_progress + 1 end
        where task_id = %(task_id)s
        """,
        {"progress": progress, "task_id": task_id},
    )


async def reset_rounds(tx: Tx, task_id: TaskId) -> None:
    """Forget the fruitless rounds: a person has said something new."""
    await execute(
        tx.conn,
        "update tasks set rounds_without_progress = 0 where task_id = %(task_id)s",
        {"task_id": task_id},
    )


async def set_summary(tx: Tx, task_id: TaskId, summary: str) -> None:
    """Keep the task's one-line summary for Main's candidate list."""
    await execute(
        tx.conn,
        "update tasks set summary = %(summary)s where task_id = %(task_id)s",
        {"summary": summary, "task_id": task_id},
    )


async def stop(tx: Tx, task_id: TaskId) -> None:
    """Stop a live task for good; what was sent is still settled, nothing is sent or woken.

    Raises:
        NotPossibleNowError: it is in a terminal state already.
    """
    await leases.lock(tx.conn, ThreadId(task_id))
    if not await set_status(
        tx, task_id, TaskStatus.STOPPED, reason="You stopped this task.", expected=LIVE
    ):
        msg = "This task has already ended."
        raise NotPossibleNowError(msg)


async def pause(tx: Tx, task_id: TaskId) -> None:
    """Pause a task: what runs goes on to its end, nothing new starts.

    Raises:
        NotPossibleNowError: it is paused already or has ended.
    """
    await leases.lock(tx.conn, ThreadId(task_id))
    if not await set_status(tx, task_id, TaskStatus.PAUSED, reason="You paused this task."):
        msg = "Only a task that is at work can be paused."
        raise NotPossibleNowError(msg)


async def resume(tx: Tx, task_id: TaskId) -> None:
    """Let a paused task go on.

    Raises:
        NotPossibleNowError: it is not paused.
    """
    await leases.wake(tx.conn, ThreadId(task_id))
    tx.woken.add(ThreadId(task_id))
    if not await set_status(tx, task_id, TaskStatus.ACTIVE, expected=(TaskStatus.PAUSED,)):
        msg = "This task is not paused."
        raise NotPossibleNowError(msg)


async def promote(tx: Tx, task_id: TaskId) -> bool:
    """Make a lightweight task a persistent one, with everything it has; False if it is one."""
    promoted = await execute(
        tx.conn,
        """
        update tasks
        set kind = 'persistent', promoted_at = app_now(), updated_at = app_now()
        where task_id = %(task_id)s
          and workspace_id = %(workspace_id)s
          and kind = 'lightweight'
        """,
        {"task_id": task_id, "workspace_id": tx.workspace_id},
    )
    if promoted:
        tx.touch_task(task_id)
    return bool(promoted)


async def activate(tx: Tx, task_id: TaskId) -> None:
    """A turn is at work on a waiting task."""
    await set_status(tx, task_id, TaskStatus.ACTIVE, expected=(TaskStatus.WAITING,))


async def reopen(tx: Tx, task_id: TaskId) -> None:
    """Open a task that has ended: the next epoch begins because a person said something new."""
    await execute(
        tx.conn,
        """
        update tasks
        set status = 'active', waiting_reason = null, reason = null, epoch = epoch + 1,
            rounds = 0, rounds_without_progress = 0, updated_at = app_now(),
            ended_before = jsonb_build_object('status', status, 'reason', reason),
            reopened_at = app_now()
        where task_id = %(task_id)s
          and workspace_id = %(workspace_id)s
          and status in ('completed', 'failed', 'stopped')
        """,
        {"task_id": task_id, "workspace_id": tx.workspace_id},
    )
    tx.touch_task(task_id, "task.reopened")


async def archive(tx: Tx, task_id: TaskId) -> None:
    """Put a task away that has ended; doing it again changes nothing.

    Raises:
        NotPossibleNowError: it is still at work.
    """
    await leases.lock(tx.conn, ThreadId(task_id))
    if not await execute(
        tx.conn,
        """
        update tasks
        set archived_at = coalesce(archived_at, app_now())
        where task_id = %(task_id)s
          and workspace_id = %(workspace_id)s
          and status in ('completed', 'failed', 'stopped')
        """,
        {"task_id": task_id, "workspace_id": tx.workspace_id},
    ):
        msg = "Only a task that has ended can be archived; stop it first."
        raise NotPossibleNowError(msg)
    tx.touch_task(task_id, "task.archived")


async def put_into(tx: Tx, task_id: TaskId, into: TaskId) -> None:
    """Archive a task with a pointer to the one that goes on with its words."""
    await archive(tx, task_id)
    await execute(
        tx.conn,
        """
        update tasks
        set merged_into = %(into)s
        where task_id = %(task_id)s
          and workspace_id = %(workspace_id)s
        """,
        {"into": into, "task_id": task_id, "workspace_id": tx.workspace_id},
    )


async def begin_again(tx: Tx, task_id: TaskId) -> None:
    """Open a task that has ended or was archived, because its person wants it to go on.

    Raises:
        NotPossibleNowError: it is open.
    """
    await leases.wake(tx.conn, ThreadId(task_id))
    tx.woken.add(ThreadId(task_id))
    task = await get(tx.conn, tx.workspace_id, task_id)
    if not task.is_terminal and task.archived_at is None:
        msg = "This task is open."
        raise NotPossibleNowError(msg)
    await unarchive(tx, task_id)
    if task.is_terminal:
        await reopen(tx, task_id)


async def unarchive(tx: Tx, task_id: TaskId) -> None:
    """Bring an archived task back as it was; doing it again changes nothing."""
    await leases.lock(tx.conn, ThreadId(task_id))
    if await execute(
        tx.conn,
        """
        update tasks
        set archived_at = null, merged_into = null, updated_at = app_now()
        where task_id = %(task_id)s
          and workspace_id = %(workspace_id)s
          and archived_at is not null
        """,
        {"task_id": task_id, "workspace_id": tx.workspace_id},
    ):
        tx.touch_task(task_id, "task.unarchived")


async def end_again(tx: Tx, task_id: TaskId) -> None:
    """End a task as it had ended before it was opened again, for nothing came of that.

    The caller has the thread's lock and knows that no message waits and no step was taken since.
    """
    before = await fetch_value(
        tx.conn, "select ended_before from tasks where task_id = %(id)s", {"id": task_id}
    )
    if before is not None:
        status, reason = TaskStatus(before["status"]), before["reason"]
        await set_status(tx, task_id, status, reason=reason, expected=LIVE)


async def reopened_at(conn: Conn, task_id: TaskId) -> datetime | None:
    """Return when a task was opened again last, by the database clock; None if it never was."""
    return await fetch_value(
        conn, "select reopened_at from tasks where task_id = %(id)s", {"id": task_id}
    )
