"""How far the work has come along its plan: derived, never stored.

Pure: a version of the plan, the calls of the ledger, what people have said of results and what has
changed under them go in; what each slot holds, and whether it can be filled now, comes out. So what
a model says about progress changes nothing.

A slot can be filled when what it needs is there: of most steps every result, of keyframes only the
one that its shot begins with. What is not decided about, because something has changed under it, is
not there for what would be made from it.
"""

import hashlib
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from execution import ledger
from execution.ledger import LedgerEntry
from execution.outputs import Reference, standing
from execution.reviews import Review

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
    slot_versions: dict[str, int] = field(default_factory=dict[str, int])
    """From which version of the plan on a result counts for a slot that a revision makes again."""
    price_micros: int = 0

    def counts_from(self, number: int) -> int:
        """Return from which version of the plan on a result counts for a slot."""
        return max(self.from_version, self.slot_versions.get(str(number), 0))


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
    revision: dict[str, Any] = field(default_factory=dict[str, Any])
    """Why it was proposed, what it keeps though something changed, and what it leaves out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One expected result of a step and what became of it."""

    number: int
    state: str  # done | running | asked | unknown | failed | missing | left_out
    attempts: int
    entry: LedgerEntry | None
    instead_of: tuple[str, ...] = ()  # the providers at which it failed before another one's turn
    is_filled: bool = False  # by a result, whatever runs beside it
    is_affected: bool = False  # something has changed under its result, and nobody has decided
    needs: tuple[str, ...] = ()  # keys of the steps of which it needs a result that is not there
    newer: Mapping[str, Reference] = field(default_factory=dict[str, Reference])
    """What people have put in the place of results, by their objects."""

    @property
    def made(self) -> list[Reference]:
        """The references of what its call made."""
        return self.entry.outputs if self.entry else []

    @property
    def outputs(self) -> list[Reference]:
        """The references of what fills it: as it was made, or as people have left it."""
        return standing(self.made, self.newer)

    @property
    def is_there(self) -> bool:
        """Whether something may be made from it: it holds a result, or is left out."""
        return self.state in ("done", "left_out") and not self.is_affected


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
    def ready_slots(self) -> list[int]:
        """Those of them that have all they need."""
        return [slot.number for slot in self.slots if slot.state == "missing" and not slot.needs]

    @property
    def affected_slots(self) -> list[int]:
        """Slots under whose results something has changed that nobody has decided about."""
        return [slot.number for slot in self.slots if slot.is_affected]

    @property
    def is_settled(self) -> bool:
        """Whether all of it is done, and nothing of it waits for a decision."""
        return self.status is ItemStatus.DONE and not self.affected_slots

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
        """Whether every step is done, and fits what it was made from."""
        return self.is_approved and all(item.is_settled for item in self.items)

    def wants(self, entry: LedgerEntry) -> bool:
        """Tell whether the result of an open call would still fill its slot."""
        if entry.step_key is None:
            return True
        found = self.find(entry.step_key)
        if found is None or (entry.plan_version or 0) < found.item.counts_from(entry.slot or 1):
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


def derive(
    checklist: Checklist,
    items: list[ChecklistItem],
    entries: Iterable[LedgerEntry],
    said: Sequence[Review] = (),
    affected: Collection[tuple[str, int]] = (),
    *,
    newer: Mapping[str, Reference] | None = None,
) -> Plan:
    """Derive each step's progress from the ledger, and from what people have said of results.

    `affected` are the places of results under which something has changed and is not decided;
    `newer` is what people have put in the place of results, by their objects.
    """
    listed = list(entries)
    doubted = {entry.call_key for entry in ledger.doubts(listed)}
    by_slot: dict[tuple[str, int], list[LedgerEntry]] = {}
    for entry in listed:
        if entry.step_key is not None and entry.slot is not None and entry.verdict != "refuse":
            by_slot.setdefault((entry.step_key, entry.slot), []).append(entry)
    before: dict[str, ItemProgress] = {}
    for item in items:
        left_out = _left_out(item, listed)
        slots = [
            Slot(number=number, state="left_out", attempts=0, entry=None, is_filled=True)
            if number in left_out
            else _slot(item, number, by_slot.get((item.key, number), []), doubted)
            for number in range(1, item.expected_count + 1)
        ]
        slots = [
            replace(
                slot,
                is_affected=slot.state == "done" and (item.key, slot.number) in affected,
                needs=_needs(item, slot.number, before),
                newer=newer or {},
            )
            for slot in slots
        ]
        found = ItemProgress(item=item, status=_status(slots), slots=tuple(slots))
        before[item.key] = _looked_at(found, checklist, said)
    return Plan(checklist=checklist, items=tuple(before[item.key] for item in items))


def _needs(item: ChecklistItem, number: int, before: Mapping[str, ItemProgress]) -> tuple[str, ...]:
    """Return the steps of which a slot needs something that is not there."""
    return tuple(key for key in item.depends_on if not _is_there(before.get(key), item, number))


def _is_there(needed: ItemProgress | None, item: ChecklistItem, number: int) -> bool:
    if needed is None:
        return False
    if needed.is_settled:
        return True
    # A person looks at all of a step at once, and before that nothing begins that stands on it.
    if needed.item.review or not slot_by_slot(needed.item, item):
        return False
    return needed.slots[number - 1].is_there


def slot_by_slot(needed: ChecklistItem, item: ChecklistItem) -> bool:
    """Tell whether each slot of a step needs no more of another one than the slot of its number."""
    is_paired = (needed.kind, item.kind) == ("keyframes", "shots")
    return is_paired and needed.expected_count == item.expected_count


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
    if any(each.accepted for each in of_these):
        return found
    refused = any(each.plan_version == checklist.version for each in of_these)
    return replace(found, status=ItemStatus.REJECTED if refused else ItemStatus.REVIEW)


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
        and gap.get("saw", {}).get("expected", item.expected_count) == item.expected_count
        for slot in gap["slots"]
        if gap["version"] >= item.counts_from(slot)
    }


def _slot(
    item: ChecklistItem, number: int, entries: list[LedgerEntry], doubted: Container[str]
) -> Slot:
    counted = [
        entry
        for entry in entries
        if (entry.plan_version or 0) >= item.counts_from(number) and entry.outcome != "cancelled"
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


def _status(slots: Sequence[Slot]) -> ItemStatus:
    wanted = [slot for slot in slots if slot.state != "left_out"]
    states = {slot.state for slot in wanted}
    if states <= {"done"}:
        return ItemStatus.DONE
    if all(slot.needs for slot in wanted):
        return ItemStatus.TODO
    if states & {"running", "asked", "unknown"} or states >= {"missing", "done"}:
        return ItemStatus.DOING
    if "missing" in states:
        return ItemStatus.READY
    return ItemStatus.FAILED
