"""What a person's answer does: the consequences of an approval, applied once and only by code."""

import json

from execution import (
    approvals,
    budget,
    checklist,
    counted,
    delegations,
    facts,
    jobs,
    leases,
    ledger,
    steps,
    tasks,
)
from execution.approvals import Approval
from execution.authorization import Risk
from execution.ledger import LedgerEntry
from execution.progress import Checklist
from execution.tx import Tx
from infra.deps import Deps
from infra.ids import ApprovalId, TaskId, ThreadId
from tools import irreversible, reviews, revision

ANSWERED = ["approved", "rejected", "chosen"]
ALLOWANCE = "allowance"
"""Who says yes to what was asked about only because money was short, when there is enough."""
_SHOWN_CHARACTERS = 500


async def apply(tx: Tx, deps: Deps, task_id: TaskId, answered: Approval) -> None:
    """Apply one answer; a second application finds it used and does nothing."""
    if not await approvals.use(tx, ApprovalId(answered.approval_id)):
        return
    await tasks.reset_rounds(tx, task_id)
    if answered.kind == facts.LOOK:
        await reviews.apply(tx, task_id, answered)
    if answered.call_key is None:
        return
    entry = await ledger.get(tx.conn, tx.workspace_id, answered.call_key)
    if answered.status == "rejected":
        await _reject(tx, task_id, answered, entry)
        return
    match answered.kind:
        case "plan":
            await _approve_plan(tx, task_id, answered, entry)
        case "call" if entry.risk == Risk.IRREVERSIBLE:
            await irreversible.run(tx, deps, task_id, answered, entry)
        case "call":
            await _approve_call(tx, task_id, answered, entry)
        case "gaps":
            await _leave_out(tx, task_id, answered, entry)
        case _:
            await _answer(tx, task_id, answered, entry)


async def supersede_plan(tx: Tx, task_id: TaskId, call_key: str) -> None:
    """Withdraw a proposed plan whose question was superseded by a newer plan."""
    await checklist.supersede(tx, task_id, call_key)
    await ledger.finish(
        tx,
        call_key,
        status="rejected",
        outcome="refused",
        refusal="permission",
        result={"reason": "A newer plan took its place."},
    )


async def expire(tx: Tx, asked: Approval) -> None:
    """Expire a question that nobody answered in time, end its call and tell the model."""
    await leases.wake(tx.conn, ThreadId(asked.thread_id))
    if not await approvals.expire(tx, ApprovalId(asked.approval_id)):
        return
    tx.woken.add(ThreadId(asked.thread_id))
    if asked.task_id is None or asked.call_key is None:
        return
    task_id = TaskId(asked.task_id)
    if asked.kind == "plan":
        await checklist.decide(tx, task_id, asked.call_key, approved=False)
    await ledger.finish(
        tx,
        asked.call_key,
        status="rejected",
        outcome="refused",
        refusal="permission",
        result={"reason": "Nobody answered in time."},
    )
    await steps.happen(
        tx, task_id, f"Nobody answered '{asked.title}' in time.", call_key=asked.call_key
    )


async def _approve_plan(tx: Tx, task_id: TaskId, answered: Approval, entry: LedgerEntry) -> None:
    by_allowance = answered.decided_by == ALLOWANCE
    added = 0 if by_allowance else await _still_added(tx, task_id)
    approved = await checklist.decide(
        tx, task_id, entry.call_key, approved=True, within_allowance=by_allowance
    )
    if approved is None:
        return
    await ledger.finish(
        tx,
        entry.call_key,
        status="settled",
        outcome="succeeded",
        result={"version": approved.version},
    )
    said = f"What may be spent covers plan version {approved.version} now; it counts as approved."
    if not by_allowance:
        said = f"The person approved plan version {approved.version} and its budget."
        # What a person gave the task on their own stays, also where the plan needs less.
        free = max(answered.maximum_micros or 0, added)
        await delegations.allow(tx, task_id, free, f"plan version {approved.version}")
    await settle_plan(tx, task_id, approved, decided_by=answered.decided_by or "person")
    await steps.happen(tx, task_id, said, call_key=entry.call_key)


async def _still_added(tx: Tx, task_id: TaskId) -> int:
    """Return what is free of the money that a person has added since the plan that holds."""
    versions = await checklist.versions(tx.conn, task_id)
    since = next((each.created_at for each in versions if each.status == "approved"), None)
    added = await budget.added(tx.conn, task_id, since)
    return min(added, (await budget.lock(tx.conn, task_id)).free_micros) if added else 0


async def settle_plan(tx: Tx, task_id: TaskId, holds: Checklist, *, decided_by: str) -> None:
    """Let a plan that holds from now on decide what becomes of what is there and what runs."""
    await withdraw_unwanted(tx, task_id)
    await revision.apply(tx, task_id, holds, decided_by=decided_by)


async def withdraw_unwanted(tx: Tx, task_id: TaskId) -> None:
    """Withdraw questions and jobs of calls whose place in the plan is gone or filled.

    A provider may make and charge all the same what it is asked to stop; that is kept and paid.
    """
    plan = await checklist.load(tx.conn, task_id)
    if plan is None or not plan.is_approved:
        return
    entries = await ledger.of_task(tx.conn, task_id)
    unwanted = [entry.call_key for entry in entries if entry.is_open and not plan.wants(entry)]
    await jobs.ask_to_cancel(tx, task_id, unwanted)
    for asked in await approvals.of_thread(tx.conn, ThreadId(task_id), statuses=["pending"]):
        if asked.kind != "call" or asked.call_key is None:
            continue
        entry = await ledger.get(tx.conn, tx.workspace_id, asked.call_key)
        if plan.wants(entry):
            continue
        await approvals.withdraw(tx, ApprovalId(asked.approval_id))
        await _needless(tx, asked.call_key)


async def _needless(tx: Tx, call_key: str) -> None:
    await ledger.finish(
        tx,
        call_key,
        status="rejected",
        outcome="refused",
        refusal="permission",
        result={"reason": "The plan needs it no more."},
    )


async def _approve_call(tx: Tx, task_id: TaskId, answered: Approval, entry: LedgerEntry) -> None:
    price = entry.quote_micros or 0
    if ledger.hash_of(entry.tool, entry.request or {}, price) != answered.approved_hash:
        await ledger.finish(
            tx,
            entry.call_key,
            status="rejected",
            outcome="refused",
            refusal="permission",
            result={"reason": "What was approved is not what would have run."},
        )
        return
    plan = await checklist.load(tx.conn, task_id)
    if plan is not None and plan.is_approved and not plan.wants(entry):
        await _needless(tx, entry.call_key)
        return
    missing = price - (await budget.lock(tx.conn, task_id)).free_micros
    if missing > 0:
        by_allowance = answered.decided_by == ALLOWANCE
        note = "within your allowance" if by_allowance else "approved call"
        await budget.raise_limit(tx, task_id, missing, note)
    await budget.reserve(tx, task_id, entry.call_key, price)
    await ledger.advance(tx, entry.call_key, "held", leaving=("planned",))
    if answered.changes:
        changed = "; ".join(
            f"{name} is now {_shown(value)}" for name, value in answered.changes.items()
        )
        await steps.happen(
            tx,
            task_id,
            f"The person changed '{answered.title}' and approved that: {changed}.",
            call_key=entry.call_key,
        )
    tx.touch_task(task_id)


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"


async def _leave_out(tx: Tx, task_id: TaskId, answered: Approval, entry: LedgerEntry) -> None:
    """Let the plan go on without the results that the person was shown as missing, and no more."""
    shown = (entry.request or {}).get("question", {})
    plan = await checklist.load(tx.conn, task_id)
    item = plan.find(shown["step"]) if plan is not None and plan.is_approved else None
    is_as_shown = ledger.hash_of(entry.tool, entry.request or {}, entry.quote_micros) == (
        answered.approved_hash
    )
    has_changed = plan is None or plan.checklist.version != shown["version"]
    if item is None or has_changed or not is_as_shown or set(item.absent_slots) - {*shown["slots"]}:
        reason = "What is missing is no longer what the person was shown; they must be asked anew."
        await ledger.finish(
            tx,
            entry.call_key,
            status="rejected",
            outcome="refused",
            refusal="permission",
            result={"reason": reason},
        )
        await steps.happen(tx, task_id, f"'{answered.title}': {reason}", call_key=entry.call_key)
        return
    slots = item.absent_slots
    left_out = {
        "step": item.item.key,
        "slots": slots,
        "version": shown["version"],
        "saw": counted.seen_of(item),
    }
    await ledger.finish(
        tx, entry.call_key, status="settled", outcome="succeeded", result={"left_out": left_out}
    )
    await withdraw_unwanted(tx, task_id)
    await steps.happen(
        tx,
        task_id,
        f"The person agreed to finish without {slots} of '{item.item.title}'.",
        call_key=entry.call_key,
    )


async def _reject(tx: Tx, task_id: TaskId, answered: Approval, entry: LedgerEntry) -> None:
    note = (answered.decision or {}).get("note") or reviews.NO_WORDS
    if answered.kind == "plan":
        await checklist.decide(tx, task_id, entry.call_key, approved=False)
    await ledger.finish(
        tx,
        entry.call_key,
        status="rejected",
        outcome="refused",
        refusal="permission",
        result={"reason": note},
    )
    await steps.happen(
        tx,
        task_id,
        f"The person refused '{answered.title}' (permission): {note}",
        call_key=entry.call_key,
    )


async def _answer(tx: Tx, task_id: TaskId, answered: Approval, entry: LedgerEntry) -> None:
    choice = (answered.decision or {}).get("choice") or ""
    options = answered.card.get("options", [])
    label = next((item["label"] for item in options if item["id"] == choice), choice)
    await ledger.finish(
        tx, entry.call_key, status="settled", outcome="succeeded", result={"answer": label}
    )
    await steps.happen(
        tx,
        task_id,
        f"The person answered '{answered.title}' with: {label}",
        call_key=entry.call_key,
    )
