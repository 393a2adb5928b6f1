"""The plan as persisted structure, and how far the work has come along it.

Owns `checklists` and `checklist_items`. The model proposes versions, only an approved one drives
the work, and no version is ever rewritten. A step's progress is not stored: it is derived from the
ledger, so what a model says about it changes nothing. A step is done when each of its slots has a
result that succeeded, or was left out by a person. A slot whose call was sent and lost is `unknown`
until the model has looked at it, and from then on as good as failed: it may be ordered again, or
waited for.

A step that is to be looked at is done only when a person has accepted exactly the results that its
slots hold; until then nothing that depends on it begins. Which steps these are was settled when
their version was proposed, so that it is part of what was approved.
"""

import hashlib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from execution import ledger, reviews
from execution.ledger import LedgerEntry
from execution.reviews import Review
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all, fetch_one, fetch_value
from infra.ids import TaskId

MAX_ATTEMPTS_PER_SLOT = 3


class ItemStatus(StrEnum):
    """How far one step of the plan has come."""

    TODO = "todo"
    READY = "ready"
    DOING = "doing"
    REVIEW = "review"
    """Every result is there, and a person has yet to look at them."""
    REJECTED = "rejected"
    """A person has looked at the results and refused them; the plan has to be revised."""
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistItem:
    """A row of `checklist_items`: one step of the plan, with `expected_count` slots."""

    key: str
    position: int
    title: str
    kind: str
    depends_on: list[str]
    expected_count: int
    seconds: float
    review: bool
    from_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Checklist:
    """A row of `checklists`."""

    task_id: UUID
    version: int
    title: str
    summary: str
    format: dict[str, Any]
    status: str
    call_key: str
    quote_micros: int
    maximum_micros: int
    within_allowance: bool
    """Whether it began without a question, as what it may cost is within the allowances."""
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One expected result of a step and what became of it."""

    number: int
    state: str  # done | running | asked | unknown | failed | missing | left_out
    attempts: int
    entry: LedgerEntry | None
    instead_of: tuple[str, ...] = ()  # the providers at which it failed before another one's turn
    is_filled: bool = False  # by a result, whatever runs beside it


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemProgress:
    """A step of the plan with what is done, running, failed and missing of it."""

    item: ChecklistItem
    status: ItemStatus
    slots: tuple[Slot, ...]

    def count(self, state: str) -> int:
        """Return how many slots are in this state."""
        return sum(slot.state == state for slot in self.slots)

    @property
    def missing_slots(self) -> list[int]:
        """Slots with neither a result nor a running call, that may still be tried."""
        return self.in_state("missing")

    @property
    def absent_slots(self) -> list[int]:
        """Slots without a result that nobody has left out, whatever may still come of them."""
        return [slot.number for slot in self.slots if slot.state not in ("done", "left_out")]

    def in_state(self, state: str) -> list[int]:
        """Return the slots that are in this state."""
        return [slot.number for slot in self.slots if slot.state == state]

    @property
    def results_hash(self) -> str:
        """What a look is bound to: the calls whose results the slots hold now."""
        held = [
            f"{slot.number} {slot.entry.call_key if slot.entry else slot.state}"
            for slot in self.slots
        ]
        return hashlib.sha256("\n".join([self.item.key, *held]).encode()).hexdigest()

    def failure(self, number: int) -> str | None:
        """Return why the last try at a slot brought nothing, if one ended so."""
        entry = next((slot.entry for slot in self.slots if slot.number == number), None)
        if entry is None or entry.outcome not in ("failed", "unknown"):
            return None
        return str((entry.result or {}).get("reason") or entry.outcome)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The version that drives the work, or the newest proposal before one is approved."""

    checklist: Checklist
    items: tuple[ItemProgress, ...] = field(default=())

    @property
    def is_approved(self) -> bool:
        """Whether a person has approved this version."""
        return self.checklist.status == "approved"

    @property
    def is_complete(self) -> bool:
        """Whether every step is done."""
        return self.is_approved and all(item.status is ItemStatus.DONE for item in self.items)

    def wants(self, entry: LedgerEntry) -> bool:
        """Tell whether the result of an open call would still fill its slot."""
        if entry.step_key is None:
            return True
        found = self.find(entry.step_key)
        if found is None or (entry.plan_version or 0) < found.item.from_version:
            return False
        return not any(slot.is_filled for slot in found.slots if slot.number == entry.slot)

    def find(self, key: str) -> ItemProgress | None:
        """Return the step with this key."""
        return next((item for item in self.items if item.item.key == key), None)


def ranges(places: Iterable[int]) -> str:
    """Return places as a person writes them, such as 1–3, 7."""
    runs: list[list[int]] = []
    for place in sorted(set(places)):
        if runs and place == runs[-1][-1] + 1:
            runs[-1][1:] = [place]
        else:
            runs.append([place])
    return ", ".join("–".join(map(str, run)) for run in runs)


async def propose(
    tx: Tx,
    task_id: TaskId,
    *,
    title: str,
    summary: str,
    format_: dict[str, Any],
    items: list[ChecklistItem],
    call_key: str,
    quote_micros: int,
    maximum_micros: int,
    within_allowance: bool = False,
) -> int:
    """Store a proposed version of the plan; return its number."""
    version = await next_version(tx.conn, task_id)
    await execute(
        tx.conn,
        """
        insert into checklists (task_id, version, workspace_id, title, summary, format, call_key,
                                quote_micros, maximum_micros, within_allowance)
        values (%(task_id)s, %(version)s, %(workspace_id)s, %(title)s, %(summary)s, %(format)s,
                %(call_key)s, %(quote)s, %(maximum)s, %(within_allowance)s)
        """,
        {
            "task_id": task_id,
            "version": version,
            "workspace_id": tx.workspace_id,
            "title": title,
            "summary": summary,
            "format": Jsonb(format_),
            "call_key": call_key,
            "quote": quote_micros,
            "maximum": maximum_micros,
            "within_allowance": within_allowance,
        },
    )
    for item in items:
        await execute(
            tx.conn,
            """
            insert into checklist_items (task_id, version, key, workspace_id, position, title, kind,
                                         depends_on, expected_count, seconds, review, from_version)
            values (%(task_id)s, %(version)s, %(key)s, %(workspace_id)s, %(position)s, %(title)s,
                    %(kind)s, %(depends_on)s, %(expected_count)s, %(seconds)s, %(review)s,
                    %(from_version)s)
            """,
            {
                **asdict(item),
                "task_id": task_id,
                "version": version,
                "workspace_id": tx.workspace_id,
            },
        )
    return version


async def next_version(conn: Conn, task_id: TaskId) -> int:
    """Return the number that the next proposal will have."""
    return await fetch_value(
        conn,
        "select coalesce(max(version), 0) + 1 from checklists where task_id = %(task_id)s",
        {"task_id": task_id},
    )


async def decide(tx: Tx, task_id: TaskId, call_key: str, *, approved: bool) -> Checklist | None:
    """Approve or reject the version that a call proposed; None when it was decided before."""
    if approved:
        await execute(
            tx.conn,
            """
            update checklists
            set status = 'superseded'
            where task_id = %(task_id)s
              and status = 'approved'
              and exists (
                  select 1
                  from checklists as proposed
                  where proposed.task_id = %(task_id)s
                    and proposed.call_key = %(call_key)s
                    and proposed.status = 'proposed'
              )
            """,
            {"task_id": task_id, "call_key": call_key},
        )
    decided = await fetch_one(
        tx.conn,
        Checklist,
        """
        update checklists
        set status = %(status)s
        where task_id = %(task_id)s
          and call_key = %(call_key)s
          and status = 'proposed'
        returning task_id, version, title, summary, format, status, call_key, quote_micros,
                  maximum_micros, within_allowance, created_at
        """,
        {
            "status": "approved" if approved else "rejected",
            "task_id": task_id,
            "call_key": call_key,
        },
    )
    if decided is not None:
        tx.touch_task(task_id)
    return decided


async def supersede(tx: Tx, task_id: TaskId, call_key: str) -> None:
    """Withdraw a proposed version that nobody has decided, because a newer one takes its place."""
    await execute(
        tx.conn,
        """
        update checklists
        set status = 'superseded'
        where task_id = %(task_id)s
          and call_key = %(call_key)s
          and status = 'proposed'
        """,
        {"task_id": task_id, "call_key": call_key},
    )


async def load(conn: Conn, task_id: TaskId) -> Plan | None:
    """Return the plan with its progress: the approved version, else the newest proposal."""
    checklist = await fetch_one(
        conn,
        Checklist,
        """
        select task_id, version, title, summary, format, status, call_key, quote_micros,
               maximum_micros, within_allowance, created_at
        from checklists
        where task_id = %(task_id)s
          and status in ('approved', 'proposed')
        order by (status = 'approved') desc, version desc
        limit 1
        """,
        {"task_id": task_id},
    )
    if checklist is None:
        return None
    items = await fetch_all(
        conn,
        ChecklistItem,
        """
        select key, position, title, kind, depends_on, expected_count, seconds, review, from_version
        from checklist_items
        where task_id = %(task_id)s
          and version = %(version)s
        order by position
        """,
        {"task_id": task_id, "version": checklist.version},
    )
    entries = await ledger.of_task(conn, task_id)
    return derive(checklist, items, entries, await reviews.of_task(conn, task_id))


def derive(
    checklist: Checklist,
    items: list[ChecklistItem],
    entries: Iterable[LedgerEntry],
    said: Sequence[Review] = (),
) -> Plan:
    """Derive each step's progress from the ledger, and from what people have said of results."""
    listed = list(entries)
    doubted = {entry.call_key for entry in ledger.doubts(listed)}
    by_slot: dict[tuple[str, int], list[LedgerEntry]] = {}
    for entry in listed:
        if entry.step_key is not None and entry.slot is not None and entry.verdict != "refuse":
            by_slot.setdefault((entry.step_key, entry.slot), []).append(entry)
    done: dict[str, bool] = {}
    progress: list[ItemProgress] = []
    for item in items:
        left_out = _left_out(item, listed)
        slots = tuple(
            Slot(number=number, state="left_out", attempts=0, entry=None, is_filled=True)
            if number in left_out
            else _slot(item, number, by_slot.get((item.key, number), []), doubted)
            for number in range(1, item.expected_count + 1)
        )
        status = _status(slots, unblocked=_unblocked(item, done))
        found = _looked_at(ItemProgress(item=item, status=status, slots=slots), checklist, said)
        done[item.key] = found.status is ItemStatus.DONE
        progress.append(found)
    return Plan(checklist=checklist, items=tuple(progress))


def _looked_at(found: ItemProgress, checklist: Checklist, said: Sequence[Review]) -> ItemProgress:
    """Return a step as it stands when people's looks at its results are taken into account."""
    item = found.item
    if not item.review or found.status is not ItemStatus.DONE or not found.count("done"):
        return found
    of_these = [
        each
        for each in said
        if (each.step_key, each.results_hash) == (item.key, found.results_hash)
    ]
    accepted = [each for each in of_these if each.accepted]
    if accepted:
        return replace(found, slots=tuple(_going_on(slot, accepted[-1]) for slot in found.slots))
    refused = any(each.plan_version == checklist.version for each in of_these)
    return replace(found, status=ItemStatus.REJECTED if refused else ItemStatus.REVIEW)


def _going_on(slot: Slot, review: Review) -> Slot:
    """Return a slot with the versions of its results that a person has accepted."""
    outputs = review.outputs.get(str(slot.number))
    if slot.entry is None or outputs is None:
        return slot
    return replace(
        slot, entry=replace(slot.entry, result={**(slot.entry.result or {}), "outputs": outputs})
    )


def _left_out(item: ChecklistItem, entries: Iterable[LedgerEntry]) -> set[int]:
    """Return the slots that a person has left out, of this making of the step.

    They agreed to so many of so many: where another number is expected now, they have not.
    """
    agreed = [(entry.result or {}).get("left_out") for entry in entries if entry.is_agreed_gap]
    return {
        slot
        for gap in agreed
        if gap
        and gap["step"] == item.key
        and gap["version"] >= item.from_version
        and gap.get("saw", {}).get("expected", item.expected_count) == item.expected_count
        for slot in gap["slots"]
    }


def _unblocked(item: ChecklistItem, done: Mapping[str, bool]) -> bool:
    return all(done.get(key, False) for key in item.depends_on)


def _slot(
    item: ChecklistItem, number: int, entries: list[LedgerEntry], doubted: Container[str]
) -> Slot:
    counted = [
        entry
        for entry in entries
        if (entry.plan_version or 0) >= item.from_version and entry.outcome != "cancelled"
    ]
    # The first to succeed fills the slot: one that was lost and comes later is offered, not put in.
    succeeded = sorted(
        (entry for entry in counted if entry.outcome == "succeeded"),
        key=lambda entry: entry.updated_at,
        reverse=True,
    )
    running = [entry for entry in counted if entry.is_open and not entry.is_doubtful]
    unseen = [entry for entry in counted if entry.call_key in doubted]
    if running:
        entry = running[-1]
        state = "asked" if all(each.is_asked for each in running) else "running"
    elif succeeded:
        state, entry = "done", succeeded[-1]
    elif unseen:
        state, entry = "unknown", unseen[-1]
    elif len(counted) >= MAX_ATTEMPTS_PER_SLOT:
        state, entry = "failed", counted[-1]
    else:
        state, entry = "missing", counted[-1] if counted else None
    return Slot(
        number=number,
        state=state,
        attempts=len(counted),
        entry=entry,
        instead_of=_failed_elsewhere(counted, entry),
        is_filled=bool(succeeded),
    )


def _failed_elsewhere(entries: list[LedgerEntry], chosen: LedgerEntry | None) -> tuple[str, ...]:
    if chosen is None or chosen.provider is None:
        return ()
    failed = [entry.provider for entry in entries if entry.outcome in ("failed", "unknown")]
    return tuple(dict.fromkeys(name for name in failed if name and name != chosen.provider))


def _status(slots: tuple[Slot, ...], *, unblocked: bool) -> ItemStatus:
    states = {slot.state for slot in slots} - {"left_out"}
    if states <= {"done"}:
        return ItemStatus.DONE
    if not unblocked:
        return ItemStatus.TODO
    if states & {"running", "asked", "unknown"} or states >= {"missing", "done"}:
        return ItemStatus.DOING
    if "missing" in states:
        return ItemStatus.READY
    return ItemStatus.FAILED
