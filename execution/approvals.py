"""Questions to a person: durable, single use, bound to a hash of what would run.

Owns `approvals`. A decision is a compare-and-set from `pending` on the hash that the person saw; it
only records the answer and wakes the thread. What was approved runs in the task's next turn, which
marks the approval used in the same transaction.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from execution import leases
from execution.errors import (
    AlreadyDecidedError,
    ExpiredError,
    InvalidCallError,
    NotFoundError,
    SupersededError,
)
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all, fetch_one
from infra.ids import ApprovalId, TaskId, ThreadId, WorkspaceId


class Decision(StrEnum):
    """What a person may answer."""

    APPROVE = "approve"
    REJECT = "reject"
    CHOOSE = "choose"


_STATUS = {
    Decision.APPROVE: "approved",
    Decision.REJECT: "rejected",
    Decision.CHOOSE: "chosen",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A row of `approvals`; `card` holds lines and options as shown."""

    approval_id: UUID
    workspace_id: UUID
    task_id: UUID | None
    thread_id: UUID
    kind: str
    call_key: str | None
    title: str
    body: str
    card: dict[str, Any]
    actions: list[str]
    args_hash: str
    price_micros: int | None
    maximum_micros: int | None
    status: str
    decision: dict[str, Any] | None
    decided_by: str | None
    decided_at: datetime | None
    used_at: datetime | None
    expires_at: datetime | None
    created_at: datetime


async def request(
    tx: Tx,
    approval_id: ApprovalId,
    *,
    thread_id: ThreadId,
    task_id: TaskId | None,
    kind: str,
    title: str,
    body: str,
    card: dict[str, Any],
    actions: list[str],
    args_hash: str,
    call_key: str | None = None,
    price_micros: int | None = None,
    maximum_micros: int | None = None,
    expires_in: timedelta | None = None,
) -> None:
    """Ask a person; one question per call, whoever runs this again."""
    stored = await execute(
        tx.conn,
        """
        insert into approvals (approval_id, workspace_id, task_id, thread_id, kind, call_key, title,
                               body, card, actions, args_hash, price_micros, maximum_micros,
                               expires_at)
        values (%(approval_id)s, %(workspace_id)s, %(task_id)s, %(thread_id)s, %(kind)s,
                %(call_key)s, %(title)s, %(body)s, %(card)s, %(actions)s, %(args_hash)s,
                %(price_micros)s, %(maximum_micros)s, app_now() + %(expires_in)s)
        on conflict do nothing
        """,
        {
            "approval_id": approval_id,
            "workspace_id": tx.workspace_id,
            "task_id": task_id,
            "thread_id": thread_id,
            "kind": kind,
            "call_key": call_key,
            "title": title,
            "body": body,
            "card": Jsonb(card),
            "actions": actions,
            "args_hash": args_hash,
            "price_micros": price_micros,
            "maximum_micros": maximum_micros,
            "expires_in": expires_in,
        },
    )
    if stored:
        tx.touched_approvals[approval_id] = "approval.requested"


async def decide(
    tx: Tx,
    approval_id: ApprovalId,
    *,
    decision: Decision,
    args_hash: str,
    choice: str | None,
    note: str | None,
    decided_by: str,
) -> Approval:
    """Record a person's answer once and wake the thread that waits for it.

    Raises:
        NotFoundError: no such question here.
        AlreadyDecidedError, ExpiredError, SupersededError: it can no longer be answered.
        InvalidCallError: the answer is none of the offered ones.
    """
    asked = await get(tx.conn, tx.workspace_id, approval_id)
    _check_answer(asked, decision, choice)
    await leases.wake(tx.conn, ThreadId(asked.thread_id))
    changed = await execute(
        tx.conn,
        """
        update approvals
        set status = %(status)s, decision = %(decision)s, decided_by = %(decided_by)s,
            decided_at = app_now()
        where approval_id = %(approval_id)s
          and workspace_id = %(workspace_id)s
          and status = 'pending'
          and args_hash = %(args_hash)s
          and (expires_at is null or expires_at > app_now())
        """,
        {
            "status": _STATUS[decision],
            "decision": Jsonb({"decision": decision, "choice": choice, "note": note}),
            "decided_by": decided_by,
            "approval_id": approval_id,
            "workspace_id": tx.workspace_id,
            "args_hash": args_hash,
        },
    )
    current = await get(tx.conn, tx.workspace_id, approval_id)
    if not changed:
        raise _why_not(current, args_hash)
    tx.woken.add(ThreadId(asked.thread_id))
    tx.touched_approvals[approval_id] = "approval.answered"
    return current


def _check_answer(asked: Approval, decision: Decision, choice: str | None) -> None:
    if decision not in asked.actions:
        msg = f"This question offers {', '.join(asked.actions)}."
        raise InvalidCallError(msg)
    if decision is Decision.CHOOSE:
        offered = [option["id"] for option in asked.card.get("options", [])]
        free_text = bool(asked.card.get("free_text"))
        if choice is None or (choice not in offered and not free_text):
            msg = "Choose one of the offered options."
            raise InvalidCallError(msg)


def _why_not(current: Approval, args_hash: str) -> Exception:
    if current.status == "superseded":
        return SupersededError()
    if current.status == "expired":
        return ExpiredError()
    if current.status != "pending":
        return AlreadyDecidedError()
    if current.args_hash != args_hash:
        return SupersededError()
    return ExpiredError()


async def get(conn: Conn, workspace_id: WorkspaceId, approval_id: ApprovalId) -> Approval:
    """Return a question of this workspace.

    Raises:
        NotFoundError: there is none, or it is another workspace's.
    """
    found = await fetch_one(
        conn,
        Approval,
        """
        select approval_id, workspace_id, task_id, thread_id, kind, call_key, title, body, card,
               actions, args_hash, price_micros, maximum_micros, status, decision, decided_by,
               decided_at, used_at, expires_at, created_at
        from approvals
        where workspace_id = %(workspace_id)s
          and approval_id = %(approval_id)s
        """,
        {"workspace_id": workspace_id, "approval_id": approval_id},
    )
    if found is None:
        raise NotFoundError
    return found


async def of_thread(
    conn: Conn, thread_id: ThreadId, *, statuses: list[str], unused_only: bool = False
) -> list[Approval]:
    """Return a thread's questions in these states, oldest first."""
    return await fetch_all(
        conn,
        Approval,
        """
        select approval_id, workspace_id, task_id, thread_id, kind, call_key, title, body, card,
               actions, args_hash, price_micros, maximum_micros, status, decision, decided_by,
               decided_at, used_at, expires_at, created_at
        from approvals
        where thread_id = %(thread_id)s
          and status = any(%(statuses)s)
          and (not %(unused_only)s or used_at is null)
        order by created_at, approval_id
        """,
        {"thread_id": thread_id, "statuses": statuses, "unused_only": unused_only},
    )


async def recent(conn: Conn, workspace_id: WorkspaceId, *, limit: int) -> list[Approval]:
    """Return a workspace's questions: pending ones first, then the newest."""
    return await fetch_all(
        conn,
        Approval,
        """
        select approval_id, workspace_id, task_id, thread_id, kind, call_key, title, body, card,
               actions, args_hash, price_micros, maximum_micros, status, decision, decided_by,
               decided_at, used_at, expires_at, created_at
        from approvals
        where workspace_id = %(workspace_id)s
        order by (status = 'pending') desc, created_at desc
        limit %(limit)s
        """,
        {"workspace_id": workspace_id, "limit": limit},
    )


async def use(tx: Tx, approval_id: ApprovalId) -> bool:
    """Mark an answered question as acted upon; False when it already was: single use."""
    return (
        await execute(
            tx.conn,
            """
            update approvals
            set used_at = app_now()
            where approval_id = %(approval_id)s
              and used_at is null
              and status in ('approved', 'rejected', 'chosen')
            """,
            {"approval_id": approval_id},
        )
        == 1
    )


async def supersede(
    tx: Tx, thread_id: ThreadId, *, kind: str | None = None, keep: ApprovalId | None = None
) -> list[str]:
    """Withdraw a thread's open questions, of one kind or all; return the calls that asked them."""
    cursor = await tx.conn.execute(
        """
        update approvals
        set status = 'superseded'
        where thread_id = %(thread_id)s
          and (%(kind)s::text is null or kind = %(kind)s)
          and status = 'pending'
          and approval_id is distinct from %(keep)s
        returning approval_id, call_key
        """,
        {"thread_id": thread_id, "kind": kind, "keep": keep},
    )
    rows = await cursor.fetchall()
    for row in rows:
        tx.touched_approvals[ApprovalId(row[0])] = "approval.superseded"
    return [row[1] for row in rows if row[1] is not None]


async def void_answers(tx: Tx, thread_id: ThreadId) -> None:
    """Let answers that were not yet acted upon count for nothing: their task has ended."""
    await execute(
        tx.conn,
        """
        update approvals
        set used_at = app_now()
        where thread_id = %(thread_id)s
          and status in ('approved', 'rejected', 'chosen')
          and used_at is null
        """,
        {"thread_id": thread_id},
    )


async def overdue(conn: Conn) -> list[Approval]:
    """Return the open questions whose time is over, of every workspace."""
    return await fetch_all(
        conn,
        Approval,
        """
        select approval_id, workspace_id, task_id, thread_id, kind, call_key, title, body, card,
               actions, args_hash, price_micros, maximum_micros, status, decision, decided_by,
               decided_at, used_at, expires_at, created_at
        from approvals
        where status = 'pending'
          and expires_at <= app_now()
        order by expires_at
        limit 200
        """,
        {},
    )


async def expire(tx: Tx, approval_id: ApprovalId) -> bool:
    """Expire an open question whose time is over; False when it was answered meanwhile."""
    expired = await execute(
        tx.conn,
        """
        update approvals
        set status = 'expired'
        where approval_id = %(approval_id)s
          and status = 'pending'
          and expires_at <= app_now()
        """,
        {"approval_id": approval_id},
    )
    if expired:
        tx.touched_approvals[approval_id] = "approval.expired"
    return bool(expired)
