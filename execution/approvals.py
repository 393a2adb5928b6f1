"""Questions to a person: durable, single use, bound to a hash of what would run.

Owns `approvals`. A decision is a compare-and-set from `pending` on the hash that the person saw; it
only records the answer and wakes the thread. What was approved runs in the task's next turn, which
marks the approval used in the same transaction. An edit is a yes to other arguments than were
shown: its decision holds their hash, and `approved_hash` says which one may run.
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
    EDIT = "edit"
    REJECT = "reject"
    CHOOSE = "choose"


_STATUS = {
    Decision.APPROVE: "approved",
    Decision.EDIT: "approved",
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

    @property
    def approved_hash(self) -> str:
        """The hash of what a yes allows: what was shown, or what an edit made of it."""
        decided = self.decision or {}
        return decided["args_hash"] if decided.get("decision") == Decision.EDIT else self.args_hash

    @property
    def changes(self) -> dict[str, Any]:
        """The arguments that people changed before they said yes, as they run."""
        shown = self.card.get("arguments", {})
        proposed = self.card.get("original", shown)
        runs = {**shown, **(self.decision or {}).get("edited", {})}
        return {name: value for name, value in runs.items() if proposed.get(name) != value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What a person makes of the arguments of a call; `args_hash` and price are of the result."""

    edited: dict[str, Any]
    args_hash: str
    price_micros: int
    note: str | None
    decided_by: str


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

    An edit takes `approve_edited` or `replace`, once its arguments are known to be good.

    Raises:
        NotFoundError: no such question here.
        AlreadyDecidedError, ExpiredError, SupersededError: it can no longer be answered.
        InvalidCallError: the answer is none of the offered ones.
    """
    asked = await get(tx.conn, tx.workspace_id, approval_id)
    check_offered(asked, decision)
    _check_choice(asked, decision, choice)
    await leases.wake(tx.conn, ThreadId(asked.thread_id))
    answer = {"decision": decision, "choice": choice, "note": note}
    await _close(tx, asked, _STATUS[decision], answer, args_hash=args_hash, decided_by=decided_by)
    tx.woken.add(ThreadId(asked.thread_id))
    tx.touched_approvals[approval_id] = "approval.answered"
    return await get(tx.conn, tx.workspace_id, approval_id)


async def lock_open(tx: Tx, approval_id: ApprovalId, *, args_hash: str) -> Approval:
    """Return a question that can still be answered, and keep it so until the commit.

    Raises:
        NotFoundError: no such question here.
        AlreadyDecidedError, ExpiredError, SupersededError: it can no longer be answered.
    """
    found = await execute(
        tx.conn,
        """
        select 1
        from approvals
        where approval_id = %(approval_id)s
          and workspace_id = %(workspace_id)s
          and status = 'pending'
          and args_hash = %(args_hash)s
          and (expires_at is null or expires_at > app_now())
        for no key update
        """,
        {"approval_id": approval_id, "workspace_id": tx.workspace_id, "args_hash": args_hash},
    )
    current = await get(tx.conn, tx.workspace_id, approval_id)
    if not found:
        raise _why_not(current, args_hash)
    return current


async def approve_edited(tx: Tx, asked: Approval, edit: Edit) -> None:
    """Record a yes to other arguments, which cost no more than the person had seen.

    Raises:
        AlreadyDecidedError, ExpiredError, SupersededError: it can no longer be answered.
    """
    answer = {**_edit_answer(edit), "price_micros": edit.price_micros}
    await _close(
        tx,
        asked,
        _STATUS[Decision.EDIT],
        answer,
        args_hash=asked.args_hash,
        decided_by=edit.decided_by,
    )
    tx.touched_approvals[ApprovalId(asked.approval_id)] = "approval.answered"


async def replace(tx: Tx, asked: Approval, edit: Edit, by: ApprovalId) -> None:
    """Withdraw a question because an edit costs more than it said; `by` asks for that anew.

    Raises:
        AlreadyDecidedError, ExpiredError, SupersededError: it can no longer be answered.
    """
    answer = {**_edit_answer(edit), "replaced_by": str(by)}
    await _close(
        tx, asked, "superseded", answer, args_hash=asked.args_hash, decided_by=edit.decided_by
    )
    tx.touched_approvals[ApprovalId(asked.approval_id)] = "approval.superseded"


def _edit_answer(edit: Edit) -> dict[str, Any]:
    return {
        "decision": Decision.EDIT,
        "choice": None,
        "note": edit.note,
        "edited": edit.edited,
        "args_hash": edit.args_hash,
    }


async def _close(
    tx: Tx, asked: Approval, status: str, answer: dict[str, Any], *, args_hash: str, decided_by: str
) -> None:
    """Move a question from open to `status`, if it still asks what the person saw."""
    changed = await execute(
        tx.conn,
        """
        update approvals
        set status = %(status)s, decision = %(decision)s, decided_by = %(decided_by)s,
            decided_at = case when %(status)s <> 'superseded' then app_now() end
        where approval_id = %(approval_id)s
          and workspace_id = %(workspace_id)s
          and status = 'pending'
          and args_hash = %(args_hash)s
          and (expires_at is null or expires_at > app_now())
        """,
        {
            "status": status,
            "decision": Jsonb(answer),
            "decided_by": decided_by,
            "approval_id": asked.approval_id,
            "workspace_id": tx.workspace_id,
            "args_hash": args_hash,
        },
    )
    if not changed:
        current = await get(tx.conn, tx.workspace_id, ApprovalId(asked.approval_id))
        raise _why_not(current, args_hash)


def check_offered(asked: Approval, decision: Decision) -> None:
    """Refuse an answer that the question does not offer.

    Raises:
        InvalidCallError: it offers others.
    """
    if decision not in asked.actions:
        msg = f"This question offers {', '.join(asked.actions)}."
        raise InvalidCallError(msg)


def _check_choice(asked: Approval, decision: Decision, choice: str | None) -> None:
    if decision is Decision.EDIT:
        msg = "Say what is to be changed."
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


async def short_of_money(conn: Conn, workspace_id: WorkspaceId) -> list[ThreadId]:
    """Return the threads with an open question that was asked only because money was short."""
    cursor = await conn.execute(
        """
        select distinct thread_id
        from approvals
        where workspace_id = %(workspace_id)s
          and status = 'pending'
          and card ->> 'category' = 'budget'
        order by thread_id
        """,
        {"workspace_id": workspace_id},
    )
    return [ThreadId(row[0]) for row in await cursor.fetchall()]


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


async def withdraw(tx: Tx, approval_id: ApprovalId) -> None:
    """Withdraw an open question that has lost its object; an answered one stays answered."""
    withdrawn = await execute(
        tx.conn,
        """
        update approvals
        set status = 'superseded'
        where approval_id = %(approval_id)s
          and status = 'pending'
        """,
        {"approval_id": approval_id},
    )
    if withdrawn:
        tx.touched_approvals[approval_id] = "approval.superseded"


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
