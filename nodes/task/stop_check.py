"""`stop_check`: decide from the persisted checklist, not the transcript, whether to go on."""

from datetime import timedelta
from typing import Any, Literal, assert_never

from langgraph.runtime import Runtime
from langgraph.types import Command

from execution import checklist, facts, leases, ledger, messages, steps, tasks, verdicts, views
from execution.steps import Step
from execution.tasks import LIVE, TaskStatus
from execution.transactions import work
from execution.tx import Tx
from execution.verdict import Next, StopVerdict, decide
from infra.crash_points import CrashPoint, reached
from infra.deps import Deps
from memory import task_index
from nodes.state import RunContext, TaskState
from tools import exchange, reviews

_WINDOW = 6
_WINDOW_CHARACTERS = 2000

type Where = Literal["act", "call", "deliver", "wait", "__end__"]


async def stop_check(
    state: TaskState, runtime: Runtime[RunContext], *, deps: Deps
) -> Command[Literal["act", "call", "deliver", "wait", "__end__"]]:
    """Close the step with a verdict; rest only if nothing came meanwhile."""
    run = runtime.context
    async with work(deps, run.workspace, fence=run.fence, cause=run.turn_id) as tx:
        # Read before the facts: what comes later than this moves it on, and the turn does not end.
        wake_seq = await leases.read_wake_seq(tx.conn, run.thread)
        step = await steps.open_step(tx.conn, run.thread)
        progress = await _count_round(tx, run, step) if step is not None else None
        await reviews.keep_up(tx, run.task)
        known = await facts.load(tx.conn, run.workspace, run.task)
        verdict = decide(known)
        await verdicts.record(
            tx,
            run.task,
            run.turn,
            verdict,
            facts=known,
            step_number=step.number if step is not None else None,
            progress=progress,
        )
        await steps.close(
            tx, run.thread, verdict=verdict.next, reason=verdict.reason, progress=bool(progress)
        )
        where = await _go(tx, run, verdict, wake_seq)
        seen = await _window(tx, run) if where in ("wait", "__end__") else {}
    await reached(CrashPoint.STOP_CHECK_COMMITTED)
    if where in ("wait", "__end__"):
        await exchange.pass_on(deps, run.task)
    return Command(
        goto=where, update={"verdict": verdict.next.value, "reason": verdict.reason, **seen}
    )


async def _window(tx: Tx, run: RunContext) -> dict[str, Any]:
    """Return the plan and the newest words, for whoever looks at the checkpoint."""
    plan = await checklist.load(tx.conn, run.task)
    recent = await messages.recent(tx.conn, run.workspace, limit=_WINDOW, task_id=run.task)
    return {
        "plan": views.plan_view(plan) if plan else None,
        "window": [{"role": item.role, "text": item.text[:_WINDOW_CHARACTERS]} for item in recent],
    }


async def _count_round(tx: Tx, run: RunContext, step: Step) -> bool:
    """Count the open step's round; return whether it brought anything."""
    entries = await ledger.of_task(tx.conn, run.task)
    recent = await facts.since_last_message(tx.conn, run.task, entries)
    progress = facts.is_progress(step.step_id, recent)
    await tasks.count_round(tx, run.task, progress=progress)
    return progress


async def _go(tx: Tx, run: RunContext, verdict: StopVerdict, wake_seq: int) -> Where:
    match verdict.next:
        case Next.ACT:
            await tasks.activate(tx, run.task)
            return "act"
        case Next.CALL:
            await tasks.activate(tx, run.task)
            return "call"
        case Next.DELIVER:
            return "deliver"
        case Next.WAIT | Next.COMPLETE | Next.FAIL | Next.END:
            return await _rest(tx, run, verdict, wake_seq)
    assert_never(verdict.next)


async def _rest(tx: Tx, run: RunContext, verdict: StopVerdict, wake_seq: int) -> Where:
    look_again = timedelta(seconds=verdict.look_again_s) if verdict.look_again_s else None
    if not await leases.end_turn(
        tx.conn, run.fence, wake_seq=wake_seq, outcome=verdict.next, look_again=look_again
    ):
        return "call"
    await task_index.refresh(tx, run.task)
    match verdict.next:
        case Next.WAIT:
            await _set(tx, run, TaskStatus.WAITING, verdict)
            return "wait"
        case Next.COMPLETE:
            await _set(tx, run, TaskStatus.COMPLETED, verdict)
        case Next.FAIL:
            await _set(tx, run, TaskStatus.FAILED, verdict)
        case _:
            pass
    return "__end__"


async def _set(tx: Tx, run: RunContext, status: TaskStatus, verdict: StopVerdict) -> None:
    # What is complete has nothing left that a pause could hold.
    expected = LIVE if status is TaskStatus.COMPLETED else (TaskStatus.ACTIVE, TaskStatus.WAITING)
    await tasks.set_status(
        tx,
        run.task,
        status,
        waiting_reason=verdict.waiting_reason,
        reason=verdict.reason,
        expected=expected,
    )
