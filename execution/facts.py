"""Reads the facts that a verdict rests on, from the tables and nothing else."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import asdict
from uuid import UUID

from execution import (
    approvals,
    checklist,
    delegations,
    deliveries,
    inbox,
    jobs,
    ledger,
    limits,
    steps,
    tasks,
    words,
)
from execution.approvals import Approval
from execution.ledger import LedgerEntry
from execution.progress import ItemProgress, ItemStatus, Plan
from execution.promotion import PLANS
from execution.steps import Step
from execution.verdict import Facts
from infra.db.query import Conn
from infra.ids import TaskId, ThreadId, WorkspaceId

ANSWERED = ["approved", "rejected", "chosen"]
LOOK = "review"
"""The kind of a question that asks a person to look at the results of a step."""
PLAN = "plan"
"""The kind of a question about a plan: beside one that holds, about a change of it."""
GIVES_WORK = "delegate"
"""The tool that gives work to another task."""


async def load(conn: Conn, workspace_id: WorkspaceId, task_id: TaskId) -> Facts:
    """Return the facts of a task as they stand in this transaction."""
    thread_id = ThreadId(task_id)
    task = await tasks.get(conn, workspace_id, task_id)
    plan = await checklist.load(conn, task_id)
    entries = await ledger.of_task(conn, task_id)
    last_step = await steps.history(conn, thread_id, limit=1)
    answered = await approvals.of_thread(conn, thread_id, statuses=ANSWERED, unused_only=True)
    pending = await approvals.of_thread(conn, thread_id, statuses=["pending"])
    task_jobs = await jobs.of_task(conn, task_id)
    handed_over = {job.call_key for job in task_jobs}
    open_jobs = {job.call_key for job in task_jobs if job.closed_at is None}
    lost = {entry.call_key for entry in entries if entry.is_doubtful}
    approved = plan is not None and plan.is_approved
    if plan is not None and approved:
        # Their providers were asked to stop; nothing of the plan waits for them.
        open_jobs -= {entry.call_key for entry in entries if not plan.wants(entry)}
    delivery = await deliveries.get_latest(conn, task_id)
    if plan is None or delivery is None or delivery.inputs_hash != deliveries.inputs_hash(plan):
        delivery = None
    items = plan.items if plan is not None and approved else ()
    recent = await since_last_message(conn, task_id, entries)
    allowed = await limits.of_task(conn, workspace_id, task_id)
    unread = await inbox.drain(conn, task_id)
    return Facts(
        status=task.status,
        is_lightweight=task.begins_without_plan and (plan is None or task.promoted_at is None),
        steps=last_step[0].number if last_step else 0,
        rounds=task.rounds + await delegations.rounds_taken(conn, task_id, task.epoch),
        rounds_without_progress=task.rounds_without_progress,
        messages_waiting=sum(each.is_a_persons for each in unread),
        answered_approvals=len(answered),
        pending_approvals=len(pending),
        pending_looks=tuple(asked.title for asked in pending if asked.kind == LOOK),
        looks_due=len(looks_due(plan, [*pending, *answered])) if plan else 0,
        refused_steps=_titles(items, ItemStatus.REJECTED),
        calls_to_hand_over=sum(
            entry.status == "held" and entry.call_key not in handed_over for entry in entries
        ),
        jobs_open=len(open_jobs - lost),
        jobs_lost=len(open_jobs & lost),
        has_plan=plan is not None,
        plan_approved=approved,
        plan_complete=plan is not None and plan.is_complete,
        delivery=delivery.status if delivery else None,
        ready_slots=sum(
            len(item.ready_slots)
            for item in items
            if item.status in (ItemStatus.READY, ItemStatus.DOING)
        ),
        jobs_awaited=_awaited(entries, open_jobs & lost),
        doubts=len(ledger.doubts(entries)) + _just_looked(last_step, entries),
        failed_steps=_titles(items, ItemStatus.FAILED),
        unseen_happenings=await steps.happened_since(
            conn, task_id, last_step[0].created_at if last_step else None
        ),
        unread_answers=_unread_answers(last_step[0] if last_step else None, entries),
        results=sum(entry.outcome == "succeeded" and entry.risk == "paid" for entry in recent),
        failures=sum(entry.outcome in ("failed", "unknown", "refused") for entry in recent),
        asked_last=_asked_last(last_step, entries),
        unaffordable=tuple(asked.title for asked in pending if is_about_money(asked)),
        **asdict(allowed),
        changes_undecided=sum(len(item.affected_slots) for item in items),
        task_words_waiting=sum(not each.is_a_persons for each in unread),
        tasks_awaited=await _tasks_awaited(conn, workspace_id, task_id),
        plan_asked=any(asked.kind == PLAN for asked in pending),
    )


async def _tasks_awaited(conn: Conn, workspace_id: WorkspaceId, task_id: TaskId) -> tuple[str, ...]:
    """Return the titles of the tasks whose words are still to come: children, and who was asked."""
    children = await delegations.of_parent(conn, workspace_id, task_id)
    awaited = {each.child_id for each in children if each.is_open}
    awaited.update(await words.awaited_by(conn, task_id))
    found = [await tasks.get(conn, workspace_id, TaskId(each)) for each in sorted(awaited)]
    return tuple(each.title for each in found)


def is_about_money(asked: Approval) -> bool:
    """Tell whether a call or a plan was asked about only because what may be spent is too little.

    What a person has made dearer by an edit is theirs to say yes to, whatever the money covers.
    """
    is_edited = "replaces" in asked.card
    is_payment = asked.kind in ("call", PLAN) and asked.card.get("category") == "budget"
    return is_payment and not is_edited


def looks_due(plan: Plan, asked: Iterable[Approval]) -> list[ItemProgress]:
    """Return the steps that a person is to look at and that none of these questions is about."""
    shown = {(each.card["step"], each.args_hash) for each in asked if each.kind == LOOK}
    return [
        item
        for item in plan.items
        if plan.is_approved
        and item.status is ItemStatus.REVIEW
        and (item.item.key, item.results_hash) not in shown
    ]


def _titles(items: Iterable[ItemProgress], status: ItemStatus) -> tuple[str, ...]:
    return tuple(item.item.title for item in items if item.status is status)


async def since_last_message(
    conn: Conn, task_id: TaskId, entries: Sequence[LedgerEntry]
) -> list[LedgerEntry]:
    """Return the calls that came of the newest words, or ended after these were read."""
    reader = await inbox.last_reader(conn, task_id)
    read_at = await steps.read_at(conn, reader) if reader is not None else None
    return [
        entry
        for entry in entries
        if read_at is None or entry.is_open or entry.updated_at >= read_at
    ]


def _unread_answers(step: Step | None, entries: Sequence[LedgerEntry]) -> int:
    """Return how many calls of the last step were answered at once, if nothing else came of it.

    What fills a slot of the plan says nothing that the plan does not say.
    """
    of_step = [entry for entry in entries if step is not None and entry.step_id == step.step_id]
    if not all(_was_answered_at_once(entry) for entry in of_step):
        return 0
    return sum(entry.verdict == "refuse" or entry.step_key is None for entry in of_step)


def _awaited(entries: Sequence[LedgerEntry], lost: Container[str]) -> int:
    """Return how many lost calls have none of a later step in their place."""
    later: dict[tuple[str, str | None, int | None], set[UUID]] = {}
    awaited = 0
    for entry in reversed(entries):
        place = later.setdefault((entry.tool, entry.step_key, entry.slot), set())
        if entry.call_key in lost:
            awaited += not place - {entry.step_id}
        elif entry.verdict != "refuse":
            place.add(entry.step_id)
    return awaited


def _just_looked(last_step: Sequence[Step], entries: Sequence[LedgerEntry]) -> int:
    """Return at how many calls of unknown outcome the last step looked: now it can decide."""
    of_last = {step.step_id for step in last_step}
    return sum(entry.step_id in of_last and entry.looked_at is not None for entry in entries)


def _asked_last(last_step: Sequence[Step], entries: Sequence[LedgerEntry]) -> int:
    """Return how many calls of the last step wait for a person."""
    of_last = {step.step_id for step in last_step}
    return sum(entry.step_id in of_last and entry.is_asked for entry in entries)


def _was_answered_at_once(entry: LedgerEntry) -> bool:
    return entry.approval_id is None and (entry.verdict == "refuse" or entry.risk != "paid")


def is_progress(step_id: UUID, entries: Sequence[LedgerEntry]) -> bool:
    """Tell whether a step brought something: work was ordered, or a slot of the plan was filled.

    So does the first look at a call of unknown outcome, for it decides what may follow; a plan that
    begins without a question, for its steps may be ordered now, whatever else is running; and work
    that was given to another task, of which there is so much and no more. A question is none, nor a
    plan that is asked about, nor reading, nor a refused call, nor words outside the plan, nor more
    of a kind that was ordered outside the plan before, whatever came of that; the plan itself
    counts the tries of its slots.
    """
    before = {
        entry.tool
        for entry in entries
        if entry.step_id != step_id
        and entry.step_key is None
        and entry.verdict != "refuse"
        and not entry.is_asked
    }
    return any(
        entry.step_key is not None
        or entry.looked_at is not None
        or _has_begun(entry)
        or (entry.risk == "paid" and not entry.is_asked and entry.tool not in before)
        or entry.tool == GIVES_WORK
        for entry in entries
        if entry.step_id == step_id and entry.verdict != "refuse"
    )


def _has_begun(entry: LedgerEntry) -> bool:
    """Tell whether a call proposed a plan that holds without a question."""
    return entry.tool == PLANS and entry.verdict == "allow" and entry.outcome == "succeeded"


def is_new_result(call_key: str, entries: Sequence[LedgerEntry]) -> bool:
    """Tell whether a call's result is the first of its kind, or fills a slot of the plan."""
    made = [entry for entry in entries if entry.call_key == call_key]
    return any(
        entry.step_key is not None
        or not any(
            other.outcome == "succeeded"
            and other.step_key is None
            and other.tool == entry.tool
            and other.step_id != entry.step_id
            for other in entries
        )
        for entry in made
    )
