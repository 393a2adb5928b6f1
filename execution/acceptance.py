"""Is a delivered work accepted? A state of its own, after completion.

Owns `acceptances`. A delivery waits for a person, who accepts it or asks for changes by an action
that names exactly its results; or it is accepted by what they allow without being asked. No words
and no model accept anything: only `decide`, from a person's request, and `begin`, by their grant.
A newer delivery takes the place of one that still waits. Nothing is paid or hidden by any of it.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from execution import checklist, counted, deliveries, leases, ledger
from execution.counted import Seen
from execution.deliveries import Delivery
from execution.errors import AlreadyDecidedError, InvalidCallError, NotFoundError, SupersededError
from execution.ledger import LedgerEntry
from execution.progress import Plan
from execution.tx import Tx
from execution.workspaces import AutonomyLevel, Workspace
from infra.db.query import Conn, execute, fetch_one
from infra.ids import TaskId, ThreadId


class Verdict(StrEnum):
    """What a person may say of a delivery."""

    ACCEPT = "accept"
    ASK_CHANGES = "ask_changes"


_STATE = {Verdict.ACCEPT: "accepted", Verdict.ASK_CHANGES: "changes_asked"}
_EVENT = {Verdict.ACCEPT: "task.accepted", Verdict.ASK_CHANGES: "task.changes_asked"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """A row of `acceptances`; `saw` holds what was done of what was expected, by step."""

    task_id: UUID
    revision: int
    inputs_hash: str
    saw: dict[str, Seen]
    state: str
    basis: str | None
    decided_by: str | None
    note: str | None
    offered: list[dict[str, Any]]
    created_at: datetime
    decided_at: datetime | None


def grant_of(workspace: Workspace) -> str | None:
    """Return what lets a delivery be accepted without asking, None where it has to be asked."""
    if workspace.accepts_deliveries:
        return "setting"
    return "autonomy" if workspace.autonomy == AutonomyLevel.FREE else None


async def begin(
    tx: Tx, task_id: TaskId, delivery: Delivery, plan: Plan, *, grant: str | None
) -> None:
    """Let a delivery wait for acceptance, or accept it by a grant; once, whoever runs this again.

    One that was delivered before and still waits is superseded.
    """
    await execute(
        tx.conn,
        """
        update acceptances
        set state = 'superseded'
        where task_id = %(task_id)s
          and revision < %(revision)s
          and state = 'awaiting'
        """,
        {"task_id": task_id, "revision": delivery.revision},
    )
    await execute(
        tx.conn,
        """
        insert into acceptances (task_id, revision, workspace_id, inputs_hash, saw, state, basis,
                                 decided_by, decided_at, offered)
        values (%(task_id)s, %(revision)s, %(workspace_id)s, %(hash)s, %(saw)s,
                case when %(grant)s::text is null then 'awaiting' else 'accepted' end,
                case when %(grant)s::text is null then null else 'grant' end,
                %(grant)s, case when %(grant)s::text is null then null else app_now() end,
                %(offered)s)
        on conflict do nothing
        """,
        {
            "task_id": task_id,
            "revision": delivery.revision,
            "workspace_id": tx.workspace_id,
            "hash": delivery.inputs_hash,
            "saw": Jsonb(counted.seen_of_plan(plan)),
            "grant": grant,
            "offered": Jsonb(_came_all_the_same(plan, await ledger.of_task(tx.conn, task_id))),
        },
    )
    tx.touch_task(task_id)


def _came_all_the_same(plan: Plan, entries: list[LedgerEntry]) -> list[dict[str, Any]]:
    """Return the results of slots that a person had left out: they stay out, and are offered."""
    out = {(item.item.key, slot) for item in plan.items for slot in item.in_state("left_out")}
    return [
        _late(
            entry.call_key,
            (entry.request or {}).get("title", ""),
            entry.outputs,
        )
        for entry in entries
        if entry.outcome == "succeeded" and (entry.step_key, entry.slot) in out
    ]


def _late(call_key: str, title: str, outputs: list[dict[str, Any]]) -> dict[str, Any]:
    return {"call_key": call_key, "title": title, "outputs": outputs}


async def decide(
    tx: Tx,
    task_id: TaskId,
    *,
    verdict: Verdict,
    revision: int,
    inputs_hash: str,
    note: str | None,
    decided_by: str,
) -> Acceptance:
    """Record what a person says of exactly the results that they were shown, once.

    Raises:
        NotFoundError: nothing was delivered.
        AlreadyDecidedError: that delivery was decided before.
        SupersededError: there are other results now, or another delivery.
        InvalidCallError: changes are asked for without saying which.
    """
    if verdict is Verdict.ASK_CHANGES and not (note or "").strip():
        message = "Say what should be different."
        raise InvalidCallError(message)
    await leases.lock(tx.conn, ThreadId(task_id))
    found = await get_latest(tx.conn, task_id)
    if found is None:
        raise NotFoundError
    plan = await checklist.load(tx.conn, task_id)
    if (found.revision, found.inputs_hash) != (revision, inputs_hash):
        raise SupersededError
    if found.state != "awaiting":
        raise AlreadyDecidedError
    if verdict is Verdict.ACCEPT and (
        plan is None
        or not deliveries.same_calls(deliveries.inputs_hash(plan), inputs_hash)
        or counted.seen_of_plan(plan) != found.saw
    ):
        raise SupersededError
    await execute(
        tx.conn,
        """
        update acceptances
        set state = %(state)s, basis = 'person', decided_by = %(decided_by)s, note = %(note)s,
            decided_at = app_now()
        where task_id = %(task_id)s
          and workspace_id = %(workspace_id)s
          and revision = %(revision)s
          and state = 'awaiting'
        """,
        {
            "state": _STATE[verdict],
            "decided_by": decided_by,
            "note": note,
            "task_id": task_id,
            "workspace_id": tx.workspace_id,
            "revision": revision,
        },
    )
    tx.touch_task(task_id, _EVENT[verdict])
    decided = await get_latest(tx.conn, task_id)
    assert decided is not None  # noqa: S101 - it was there, under the thread's lock
    return decided


async def offer(
    tx: Tx, task_id: TaskId, *, call_key: str, title: str, outputs: list[dict[str, Any]]
) -> None:
    """Keep with the newest delivery what was made too late for it; nothing of that changes."""
    late = _late(call_key, title, outputs)
    offered = await execute(
        tx.conn,
        """
        update acceptances
        set offered = offered || %(late)s
        where task_id = %(task_id)s
          and revision = (select max(revision) from acceptances where task_id = %(task_id)s)
          and not offered @> %(named)s
        """,
        {
            "task_id": task_id,
            "late": Jsonb([late]),
            "named": Jsonb([{"call_key": call_key}]),
        },
    )
    if offered:
        tx.touch_task(task_id, "task.offered")


async def get_latest(conn: Conn, task_id: TaskId) -> Acceptance | None:
    """Return what became of the newest delivery of a task; None before there is one."""
    return await fetch_one(
        conn,
        Acceptance,
        """
        select task_id, revision, inputs_hash, saw, state, basis, decided_by, note, offered,
               created_at, decided_at
        from acceptances
        where task_id = %(task_id)s
        order by revision desc
        limit 1
        """,
        {"task_id": task_id},
    )


def view(found: Acceptance) -> dict[str, Any]:
    """Return an acceptance as a card: what it is about, how it stands, what may be answered."""
    return {
        "state": found.state,
        "revision": found.revision,
        "args_hash": found.inputs_hash,
        "saw": found.saw,
        "basis": found.basis,
        "decided_by": found.decided_by,
        "decided_at": found.decided_at.isoformat() if found.decided_at else None,
        "note": found.note,
        "offered": found.offered,
        "actions": [each.value for each in Verdict] if found.state == "awaiting" else [],
    }
