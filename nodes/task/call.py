"""`call`: act on what people have answered or paid for, and hand approved work to the executor."""

from datetime import timedelta
from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from execution import approvals, effects, jobs, ledger, tasks
from execution.ledger import LedgerEntry
from execution.tasks import TaskStatus
from execution.transactions import work
from execution.tx import Tx
from infra.crash_points import CrashPoint, reached
from infra.deps import Deps
from infra.ids import TaskId, ThreadId
from nodes.state import RunContext, TaskState
from tools import answers, exchange, topups

JOB_DEADLINE = timedelta(hours=2)


async def call(
    state: TaskState, runtime: Runtime[RunContext], *, deps: Deps
) -> Command[Literal["stop_check"]]:
    """Apply every answered question once, turn held calls into jobs, pass words on; all by key.

    Nothing new starts while a task is paused, or once it has ended.
    """
    run = runtime.context
    async with work(deps, run.workspace, fence=run.fence, cause=run.turn_id) as tx:
        task = await tasks.get(tx.conn, run.workspace, run.task)
        if task.status in (TaskStatus.ACTIVE, TaskStatus.WAITING):
            await _go_on(tx, deps, run)
    await reached(CrashPoint.CALL_COMMITTED)
    await exchange.pass_on(deps, run.task)
    return Command(goto="stop_check")


async def _go_on(tx: Tx, deps: Deps, run: RunContext) -> None:
    for answered in await approvals.of_thread(
        tx.conn, ThreadId(run.thread), statuses=answers.ANSWERED, unused_only=True
    ):
        await answers.apply(tx, deps, run.task, answered)
    await topups.take_up(tx, deps, run.task)
    for entry in await ledger.ready(tx.conn, run.task):
        await _hand_over(tx, deps, run.task, entry)


async def _hand_over(tx: Tx, deps: Deps, task_id: TaskId, entry: LedgerEntry) -> None:
    request = entry.request or {}
    if ledger.hash_of(entry.tool, request, entry.quote_micros) != entry.args_hash:
        message = f"the request of {entry.call_key} is not the one that was authorized"
        raise RuntimeError(message)
    await jobs.create(
        tx,
        task_id=task_id,
        call_key=entry.call_key,
        provider=request["provider"],
        operation=request["operation"],
        title=request["title"],
        step_key=entry.step_key,
        slot=entry.slot,
        request=request,
        request_sha256=entry.args_hash,
        deadline=JOB_DEADLINE,
        lane=effects.lane_of(deps, request["provider"]),
    )
    tx.touch_task(task_id)
