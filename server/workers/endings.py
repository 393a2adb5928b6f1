"""How a job ends: call, job, money, what the model is told and the wake, in one transaction.

Each ending first takes the thread's lock and then the job's fence, so a thawed executor ends
nothing and a task that is being stopped is stopped before or after it, never in between.
"""

from datetime import timedelta
from typing import Any, assert_never

from execution import acceptance, budget, delegations, facts, jobs, leases, ledger, steps, tasks
from execution.jobs import Job
from execution.tx import Tx
from execution.verdict import Next, StopVerdict, decide
from infra.ids import TaskId, ThreadId
from infra.providers.ports import Charge, ProviderError
from tools import answers
from workspace import propagation


async def lock(tx: Tx, job: Job) -> None:
    """Take the thread's lock, then refuse a stale executor.

    Raises:
        StaleLeaseError: another executor holds the job.
    """
    await leases.lock(tx.conn, ThreadId(job.task_id))
    await jobs.check(tx, job)


async def succeed(tx: Tx, job: Job, *, result: dict[str, Any], charge: Charge) -> None:
    """End a job whose results are objects now, and settle what it cost."""
    await ledger.finish(tx, job.call_key, status="settled", outcome="succeeded", result=result)
    await _count_result(tx, job)
    await jobs.set_phase(tx, job, "succeeded", event_type="job.succeeded", progress=1.0)
    await budget.settle(
        tx, TaskId(job.task_id), job.call_key, charge.amount_micros, str(charge.basis)
    )
    await answers.withdraw_unwanted(tx, TaskId(job.task_id))
    if job.step_key is not None:
        await propagation.slot_filled(tx, TaskId(job.task_id), job.step_key, job.slot or 1)
    await _offer_if_late(tx, job, result)
    await _close(tx, job)


async def _count_result(tx: Tx, job: Job) -> None:
    """Forget the fruitless rounds for a new result; one more of the same kind changes nothing."""
    task_id = TaskId(job.task_id)
    entries = await ledger.of_task(tx.conn, task_id)
    recent = await facts.since_last_message(tx.conn, task_id, entries)
    if facts.is_new_result(job.call_key, recent):
        await tasks.reset_rounds(tx, task_id)


async def _offer_if_late(tx: Tx, job: Job, result: dict[str, Any]) -> None:
    """Offer what came after its task had ended with a delivery; it goes into no such."""
    task_id = TaskId(job.task_id)
    if (await tasks.get(tx.conn, tx.workspace_id, task_id)).is_terminal:
        outputs = result.get("outputs", [])
        await acceptance.offer(tx, task_id, call_key=job.call_key, title=job.title, outputs=outputs)


async def fail(
    tx: Tx,
    job: Job,
    error: ProviderError,
    *,
    charge: Charge | None,
    outcome: str = "failed",
    looks_on: bool = False,
) -> None:
    """End a job without results: settle what was charged, or give the money back; say so.

    A job of unknown outcome, or one that `looks_on`, is looked for a few times more: it may have
    been made and charged after all.
    """
    await lock(tx, job)
    task_id = TaskId(job.task_id)
    told = {"code": error.code, "message": error.message}
    is_cancelled = outcome == "cancelled"
    await ledger.finish(
        tx,
        job.call_key,
        status="settled",
        outcome=outcome,
        result={"reason": error.message, "code": error.code},
    )
    phase = "cancelled" if is_cancelled else "failed"
    await jobs.set_phase(tx, job, phase, event_type=f"job.{phase}", error=told)
    if charge is None:
        await budget.release(tx, task_id, job.call_key, error.code)
    else:
        await budget.settle(tx, task_id, job.call_key, charge.amount_micros, str(charge.basis))
    await steps.happen(
        tx,
        task_id,
        f"'{job.title}' failed ({error.code}): {error.message}",
        call_key=job.call_key,
    )
    await _close(tx, job)
    if outcome == "unknown" or looks_on:
        await jobs.look_late(tx, job)


async def doubt(tx: Tx, job: Job, *, patience: timedelta) -> None:
    """Tell the model that a call's outcome is unknown, once it has been so long enough.

    The hold stays, the plan counts the slot as failed, and the job is looked for as before.
    """
    await lock(tx, job)
    if not await ledger.doubt(tx, job.call_key, patience=patience):
        return
    task_id = TaskId(job.task_id)
    await steps.happen(
        tx,
        task_id,
        f"'{job.title}' failed (outcome_unknown): it was sent to {job.provider} and the answer was "
        "lost; it may have been made and charged. Look at it with check_call before you decide.",
        call_key=job.call_key,
    )
    await _wake_unless_it_rests(tx, task_id)


async def end_doubt(tx: Tx, job: Job) -> None:
    """Tell the model that a call which it was told to be lost has been found."""
    entry = await ledger.get(tx.conn, tx.workspace_id, job.call_key)
    if not entry.is_doubtful:
        return
    await steps.happen(
        tx,
        TaskId(job.task_id),
        f"'{job.title}' was found at {job.provider} after all; what it makes is kept and paid.",
        call_key=job.call_key,
    )


async def cancel(tx: Tx, job: Job) -> None:
    """End a job that was never sent, because nobody wants it any more."""
    await lock(tx, job)
    await ledger.finish(
        tx,
        job.call_key,
        status="rejected",
        outcome="cancelled",
        refusal="permission",
        result={"reason": "It is not wanted any more."},
    )
    await jobs.set_phase(tx, job, "cancelled", event_type="job.cancelled")
    await budget.release(tx, TaskId(job.task_id), job.call_key, "not wanted any more")
    await _close(tx, job)


async def _close(tx: Tx, job: Job) -> None:
    """Close the job and wake its task, but only if its stop-check would not just wait for jobs."""
    await jobs.close(tx, job)
    await delegations.settle_rest(tx, TaskId(job.task_id))
    await _wake_unless_it_rests(tx, TaskId(job.task_id))


async def _wake_unless_it_rests(tx: Tx, task_id: TaskId) -> None:
    tx.touch_task(task_id)
    verdict = decide(await facts.load(tx.conn, tx.workspace_id, task_id))
    match verdict.next:
        case Next.ACT | Next.CALL | Next.DELIVER | Next.COMPLETE | Next.FAIL:
            rests = False
        case Next.WAIT:
            rests = verdict.waiting_reason in ("jobs", "paused") or await _stands_at_its_limit(
                tx, task_id, verdict
            )
        case Next.END:
            rests = True
        case _:
            assert_never(verdict.next)
    if not rests:
        await leases.wake(tx.conn, ThreadId(task_id))
        tx.woken.add(ThreadId(task_id))


async def _stands_at_its_limit(tx: Tx, task_id: TaskId, verdict: StopVerdict) -> bool:
    """Tell whether a task that is to stop at a limit has been told so already."""
    task = await tasks.get(tx.conn, tx.workspace_id, task_id)
    return verdict.waiting_reason == task.waiting_reason == "limit"
