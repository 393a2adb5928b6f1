"""A step whose results a person is to look at before the work goes on: asked for by code alone.

No model calls anything of this. The question is about exactly the results that the step's slots
hold; made anew, they are asked about anew. What a person has edited meanwhile goes on as they left
it. What they refuse goes on in no plan that does not make it again.
"""

from typing import Any

from execution import approvals, checklist, counted, facts, inbox, reviews, steps, tasks
from execution.approvals import Approval
from execution.progress import ItemProgress, ItemStatus, Plan, Slot
from execution.tasks import TaskStatus
from execution.tx import Tx
from infra.db.query import Conn
from infra.ids import ApprovalId, TaskId, ThreadId, new_id

_UNSEEN_ROLES = frozenset({"timings", "captions_ass"})
NO_WORDS = "no reason given"


async def keep_up(tx: Tx, task_id: TaskId) -> None:
    """Ask about what is to be looked at, once per set of results; withdraw what has changed.

    The caller holds the task's fence, so nobody else asks or applies an answer meanwhile.
    """
    task = await tasks.get(tx.conn, tx.workspace_id, task_id)
    plan = await checklist.load(tx.conn, task_id)
    if plan is None or not plan.is_approved:
        return
    if task.status not in (TaskStatus.ACTIVE, TaskStatus.WAITING):
        return
    thread_id = ThreadId(task_id)
    pending = await approvals.of_thread(tx.conn, thread_id, statuses=["pending"])
    for asked in pending:
        if asked.kind == facts.LOOK and _asked_about(plan, asked) is None:
            await approvals.withdraw(tx, ApprovalId(asked.approval_id))
    answered = await approvals.of_thread(
        tx.conn, thread_id, statuses=facts.ANSWERED, unused_only=True
    )
    for item in facts.looks_due(plan, [*pending, *answered]):
        await _ask(tx, task_id, item)


async def _ask(tx: Tx, task_id: TaskId, item: ItemProgress) -> None:
    await approvals.request(
        tx,
        ApprovalId(new_id()),
        thread_id=ThreadId(task_id),
        task_id=task_id,
        kind=facts.LOOK,
        title=item.item.title,
        body="",
        card={
            "category": "permission",
            "step": item.item.key,
            "saw": {item.item.key: counted.seen_of(item)},
            "results": [_shown(slot, output) for slot, output in _results(item)],
        },
        actions=["approve", "reject"],
        args_hash=item.results_hash,
    )


def _results(item: ItemProgress) -> list[tuple[Slot, dict[str, Any]]]:
    return [
        (slot, output)
        for slot in item.slots
        if slot.state == "done"
        for output in slot.outputs
        if output["role"] not in _UNSEEN_ROLES
    ]


def _shown(slot: Slot, output: dict[str, Any]) -> dict[str, Any]:
    named = ("object_id", "version", "kind", "role", "name", "url")
    return {"slot": slot.number, **{name: output[name] for name in named}}


def _asked_about(plan: Plan, asked: Approval) -> ItemProgress | None:
    """Return the step that a question is about, if its results are still those that were shown."""
    item = plan.find(asked.card["step"])
    if item is None or item.status is not ItemStatus.REVIEW:
        return None
    return item if item.results_hash == asked.args_hash else None


async def apply(tx: Tx, task_id: TaskId, answered: Approval) -> None:
    """Let a step's results go on, or tell the model that and why they do not."""
    plan = await checklist.load(tx.conn, task_id)
    item = _asked_about(plan, answered) if plan is not None and plan.is_approved else None
    if plan is None or item is None:
        return  # something else is there now, and is asked about as it is
    accepted = answered.status == "approved"
    await reviews.record(
        tx,
        task_id,
        ApprovalId(answered.approval_id),
        step_key=item.item.key,
        results_hash=item.results_hash,
        plan_version=plan.checklist.version,
        accepted=accepted,
    )
    if not accepted:
        await _tell_refused(tx, task_id, answered, item)


async def _tell_refused(tx: Tx, task_id: TaskId, answered: Approval, item: ItemProgress) -> None:
    words = (answered.decision or {}).get("note") or NO_WORDS
    last = max(
        (slot.entry for slot in item.slots if slot.entry is not None),
        key=lambda entry: (entry.created_at, entry.seq),
    )
    await steps.happen(
        tx,
        task_id,
        f"The person refused '{item.item.title}' (permission): {words}",
        call_key=last.call_key,
    )
    await steps.happen(
        tx,
        task_id,
        f"They had looked at the results of the step '{item.item.key}', which go no further. "
        "Propose the whole plan again, revised by their words and without this step in `keep`.",
        call_key=last.call_key,
    )


async def has_spoken_since(conn: Conn, task_id: TaskId, item: ItemProgress) -> bool:
    """Tell whether the task has read words of the person since they refused a step's results."""
    said = await reviews.of_task(conn, task_id)
    refused = [each.created_at for each in said if each.step_key == item.item.key]
    reader = await inbox.last_reader(conn, task_id)
    read_at = await steps.read_at(conn, reader) if reader is not None else None
    return read_at is not None and bool(refused) and read_at > max(refused)
