"""What a revised plan does to results that are there: keeps, makes again, or leaves them out.

Results never go silently. A step that has some is left out only by name and with a reason, which
the person is shown; a kept step stays the kind that it is and keeps what it depends on. Each result
under which something has changed, and each that rests on one that is made again, is decided in the
same proposal: made again too, or kept with a reason. What is decided holds when the plan does.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, Field

from execution import changes, checklist
from execution.changes import CODE, Change
from execution.errors import InvalidCallError
from execution.progress import Checklist, ChecklistItem, ItemProgress, Plan, ranges
from execution.tx import Tx
from infra.ids import TaskId
from tools.tool import ToolContext
from workspace import propagation
from workspace.dependencies import downstream
from workspace.propagation import outputs_of

type Place = tuple[str, int]
type Number = Annotated[int, Field(ge=1, le=60)]

_WRITTEN = frozenset({"script", "document"})
"""What is written anew may come out the same; what rests on it is looked at when it is there."""
THROUGH_KEPT = "What it was made from is kept."


class KeptResults(BaseModel):
    """Results that stay as they are, though something has changed that they rest on."""

    step: Annotated[str, Field(max_length=40)]
    slots: Annotated[list[Number], Field(min_length=1, max_length=60)]
    reason: Annotated[str, Field(min_length=1, max_length=600, description="why they still fit")]


class LeftOutStep(BaseModel):
    """A step, or the last results of one, that the work does without from now on."""

    step: Annotated[str, Field(max_length=40)]
    reason: Annotated[str, Field(min_length=1, max_length=600)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisedStep:
    """A step of the proposal, as far as it is about results that are there."""

    key: str
    kind: str
    count: int
    depends_on: Sequence[str]
    remake: Sequence[int]
    seconds: float
    is_looked_at: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What is proposed, as far as it is about results that are there."""

    steps: Sequence[RevisedStep]
    keep: Sequence[str]
    kept: Sequence[KeptResults]
    left_out: Sequence[LeftOutStep]
    format: dict[str, Any]
    """Size, speed, length and language of the work."""

    def find(self, key: str) -> RevisedStep | None:
        """Return the step with this key."""
        return next((step for step in self.steps if step.key == key), None)

    def keeps(self, old: ItemProgress) -> RevisedStep | None:
        """Return the step that keeps what this one has made, if one does."""
        step = self.find(old.item.key)
        is_kept = step is not None and step.key in self.keep and step.kind == old.item.kind
        return step if is_kept else None

    def stays(self, old: ItemProgress, number: int) -> bool:
        """Tell whether the result of a slot goes on in this plan."""
        step = self.keeps(old)
        return step is not None and number <= step.count and number not in step.remake

    @property
    def kept_places(self) -> set[Place]:
        """Which results are kept though something has changed."""
        return {(each.step, number) for each in self.kept for number in each.slots}


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """What was found about a proposal: for its card, for its version and for who decides."""

    kept: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    left_out: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    is_rework: bool = False
    """Whether it does nothing but make again what something has changed under."""

    def as_json(self) -> dict[str, Any]:
        """Return it as it is stored with the version."""
        return {"kept": self.kept, "left_out": self.left_out}


async def checked(context: ToolContext, proposal: Proposal) -> Revision:
    """Return what a proposal does to results that are there.

    Raises:
        InvalidCallError: results would go silently, or stay undecided; the message says which.
    """
    plan = context.plan
    if plan is None:
        return Revision()
    _check_keep(plan, proposal)
    if not plan.is_approved:
        return Revision()
    left_out = _check_left_out(plan, proposal)
    pending = await changes.pending(context.tx.conn, context.task_id)
    affected = _through_kept(pending, proposal.kept_places)
    undecided = {(row.step_key, row.slot) for row in pending if row.change_id not in affected}
    undecided |= await _resting_on_remade(context, plan, proposal)
    open_places = [
        (key, number)
        for key, number in sorted(undecided - proposal.kept_places)
        if (old := plan.find(key)) is not None and proposal.stays(old, number)
    ]
    if open_places:
        message = (
            f"Undecided: {in_words(open_places)}. Something that these were made from has changed "
            "or is made again: name them in `remake` of their kept step, or in `kept_results` "
            "with the reason why they still fit."
        )
        raise InvalidCallError(message)
    return Revision(
        kept=[{**each.model_dump(), "changes": _ids(pending, each)} for each in proposal.kept],
        left_out=left_out,
        is_rework=_is_rework(plan, proposal, {(row.step_key, row.slot) for row in pending}),
    )


def in_words(places: Iterable[Place]) -> str:
    """Return places as a person writes them: `frames 2, 3; film 1`."""
    numbers: dict[str, list[int]] = {}
    for key, number in places:
        numbers.setdefault(key, []).append(number)
    return "; ".join(f"{key} {ranges(each)}" for key, each in numbers.items())


def _ids(pending: Sequence[Change], kept: KeptResults) -> list[str]:
    return [
        str(row.change_id)
        for row in pending
        if row.step_key == kept.step and row.slot in kept.slots
    ]


def _check_keep(plan: Plan, proposal: Proposal) -> None:
    for key in proposal.keep:
        old, step = plan.find(key), proposal.find(key)
        if old is None or step is None or old.item.kind != step.kind:
            message = f"There is no step '{key}' of the same kind in both plans to be kept."
            raise InvalidCallError(message)
        gone = [
            each
            for each in old.item.depends_on
            if each not in step.depends_on and proposal.find(each) is not None
        ]
        if gone and old.count("done"):
            message = (
                f"The results of '{key}' were made from {', '.join(gone)}: a kept step keeps "
                "what it depends on."
            )
            raise InvalidCallError(message)
    for step in proposal.steps:
        old = plan.find(step.key)
        most = min(step.count, old.item.expected_count) if old is not None else 0
        if step.remake and (step.key not in proposal.keep or max(step.remake) > most):
            message = (
                f"`remake` of '{step.key}' names slots of a step that is in keep, at most {most}; "
                "a step that is not in keep is made again as a whole."
            )
            raise InvalidCallError(message)
    for key, number in proposal.kept_places:
        old = plan.find(key)
        if old is None or not proposal.stays(old, number):
            message = f"`kept_results` names slot {number} of '{key}', which does not stay."
            raise InvalidCallError(message)


def _check_left_out(plan: Plan, proposal: Proposal) -> list[dict[str, str]]:
    """Return the steps that have results and are left out, with the reasons given."""
    reasons = {each.step: each.reason for each in proposal.left_out}
    found: list[dict[str, str]] = []
    for old in plan.items:
        step = proposal.find(old.item.key)
        is_gone = step is None or step.kind != old.item.kind
        kept = proposal.keeps(old)
        most = kept.count if kept is not None else 0
        lost = [number for number in old.in_state("done") if number > most]
        if not lost or (kept is None and not is_gone):
            continue  # a step that is made again as a whole is priced and shown as that
        if old.item.key not in reasons:
            what = "" if is_gone else f" {ranges(lost)}"
            message = (
                f"'{old.item.key}'{what} has results that the plan would do without. Name it in "
                "`left_out` with the reason, which the person is shown, or keep it."
            )
            raise InvalidCallError(message)
        found.append(
            {
                "step": old.item.key,
                "title": old.item.title if is_gone else f"{old.item.title} {ranges(lost)}",
                "reason": reasons[old.item.key],
            }
        )
    return found


async def _resting_on_remade(context: ToolContext, plan: Plan, proposal: Proposal) -> set[Place]:
    """Return the results that rest on some that are made again, so that they are decided too."""
    again = {
        object_id
        for old in plan.items
        if old.item.kind not in _WRITTEN and proposal.find(old.item.key) is not None
        for slot in old.slots
        if slot.state == "done" and not proposal.stays(old, slot.number)
        for object_id in outputs_of(slot)
    }
    if not again:
        return set()
    results = await propagation.results_resting_on(context.tx.conn, context.tx.workspace_id, again)
    own = [each for each in results if each.task_id == context.task_id]
    kept = proposal.kept_places
    stops = [each for each in own if (each.step_key, each.slot) not in kept]
    return {(each.step_key, each.slot) for each in downstream(stops, again)}


def _is_rework(plan: Plan, proposal: Proposal, pending: set[Place]) -> bool:
    """Tell whether the plan stays as it is and only what is affected is made again.

    What a person is to look at belongs to the plan: one without it takes a decision from them.
    """
    items = [old.item for old in plan.items]
    is_same = (
        plan.checklist.format == proposal.format
        and len(items) == len(proposal.steps)
        and all(map(_is_as_agreed, items, proposal.steps))
    )
    again = {(step.key, number) for step in proposal.steps for number in step.remake}
    is_kept = {item.key for item in items} == set(proposal.keep)
    return is_same and is_kept and bool(again) and again <= pending


def _is_as_agreed(item: ChecklistItem, step: RevisedStep) -> bool:
    before = (item.key, item.kind, item.expected_count, {*item.depends_on}, item.seconds)
    after = (step.key, step.kind, step.count, {*step.depends_on}, step.seconds)
    return before == after and (step.is_looked_at or not item.review)


def _through_kept(pending: Sequence[Change], kept: set[Place]) -> set[UUID]:
    """Return the changes that reach their results only through results that are kept."""
    settled = {row.change_id for row in pending if (row.step_key, row.slot) in kept}
    by_result: dict[tuple[UUID, UUID], list[Change]] = {}
    for row in pending:
        by_result.setdefault((row.object_id, row.cause_object_id), []).append(row)
    grows = True
    while grows:
        new = {
            row.change_id
            for row in pending
            if row.change_id not in settled
            and row.via
            and all(
                (between := by_result.get((each, row.cause_object_id)))
                and all(one.change_id in settled for one in between)
                for each in row.via
            )
        }
        settled |= new
        grows = bool(new)
    return settled


async def apply(tx: Tx, task_id: TaskId, approved: Checklist, *, decided_by: str) -> None:
    """Settle what a plan that holds now has decided about results that something changed under."""
    plan = await checklist.load(tx.conn, task_id)
    pending = await changes.pending(tx.conn, task_id)
    if plan is None or not pending:
        return
    version = approved.version
    again = [row for row in pending if _is_made_again(plan, row, version)]
    await changes.decide(
        tx,
        again,
        status="remade",
        reason=f"Plan version {version} makes it again.",
        decided_by=decided_by,
        plan_version=version,
    )
    for kept in approved.revision.get("kept", []):
        named = set(kept["changes"])
        rows = [row for row in pending if str(row.change_id) in named]
        await keep(tx, task_id, rows, kept["reason"], decided_by=decided_by, plan_version=version)
    await propagation.plan_decided(tx, task_id)


def _is_made_again(plan: Plan, row: Change, version: int) -> bool:
    found = plan.find(row.step_key)
    is_there = found is not None and row.slot <= found.item.expected_count
    return is_there and found is not None and found.item.counts_from(row.slot) >= version


async def keep(
    tx: Tx,
    task_id: TaskId,
    rows: Sequence[Change],
    reason: str,
    *,
    decided_by: str,
    plan_version: int,
) -> None:
    """Keep results as they are, and with them what something reaches only through them."""
    pending = await changes.pending(tx.conn, task_id)
    chosen = {row.change_id for row in rows}
    places = {(row.step_key, row.slot) for row in pending if row.change_id in chosen}
    through = [
        row
        for row in pending
        if row.change_id in _through_kept(pending, places)
        and (row.step_key, row.slot) not in places
    ]
    await changes.decide(
        tx, rows, status="kept", reason=reason, decided_by=decided_by, plan_version=plan_version
    )
    await changes.decide(
        tx,
        through,
        status="kept",
        reason=THROUGH_KEPT,
        decided_by=CODE,
        plan_version=plan_version,
    )
