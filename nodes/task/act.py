"""`act`: one inference. Load the open step, or assemble, ask the model and commit its decision."""

from datetime import datetime
from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from execution import effects, inbox, leases, ledger, messages, promotion, steps, tasks
from execution.effects import Inference
from execution.errors import DiscardedDecisionError
from execution.steps import call_key
from execution.tasks import Task
from execution.transactions import work
from infra.crash_points import CrashPoint, reached
from infra.deps import Deps
from infra.ids import MessageId, StepId, new_id
from infra.providers.models import ModelRole
from memory import layers
from memory.layers import WorkerContext
from nodes.prompting import load_prompt
from nodes.state import RunContext, TaskState
from tools import proposals
from tools.proposals import Decision
from tools.registry import TOOLS


async def act(
    state: TaskState, runtime: Runtime[RunContext], *, deps: Deps
) -> Command[Literal["call"]]:
    """Ask the model once per step; a step whose decision was committed is not asked again."""
    run = runtime.context
    async with deps.pools.domain.connection() as conn:
        # Holds off whoever writes under the thread's lock, so that what is unseen stays exact.
        await leases.check(conn, run.fence)
        task = await tasks.get(conn, run.workspace, run.task)
        if task.is_terminal or await steps.open_step(conn, run.thread) is not None:
            return Command(goto="call")
        read_at = await steps.now(conn)
        number = await steps.next_number(conn, run.thread)
        wake_seq = await leases.read_wake_seq(conn, run.thread)
        context = await layers.assemble(conn, deps, run.workspace, task, rules=load_prompt("act"))
    message_id = MessageId(new_id())
    inference = await effects.infer(
        deps,
        ModelRole.WORKER,
        context.messages,
        asker=run.as_task,
        tools=[tool.schema() for tool in TOOLS.values()],
        on_text=lambda offset, text: deps.signals.delta(
            run.workspace, message_id, generation=run.generation, offset=offset, text=text
        ),
    )
    await reached(CrashPoint.MODEL_ANSWERED)
    try:
        await _commit(
            deps,
            run,
            task,
            context,
            inference,
            number=number,
            wake_seq=wake_seq,
            read_at=read_at,
            message_id=message_id,
        )
    except DiscardedDecisionError:
        return Command(goto="call")  # which looks at the tables anew, for what came meanwhile
    await reached(CrashPoint.DECISION_COMMITTED)
    return Command(goto="call")


async def _commit(
    deps: Deps,
    run: RunContext,
    task: Task,
    context: WorkerContext,
    inference: Inference,
    *,
    number: int,
    wake_seq: int,
    read_at: datetime,
    message_id: MessageId,
) -> None:
    """Decision, calls, what it had read and what it said: one transaction."""
    step_id = StepId(new_id())
    async with work(deps, run.workspace, fence=run.fence, cause=f"{run.turn_id}/{number}") as tx:
        current = await tasks.get(tx.conn, run.workspace, run.task)
        if current.is_terminal or current.epoch != task.epoch:
            raise DiscardedDecisionError
        await inbox.consume(tx, list(context.read), step_id)
        await steps.record(
            tx,
            step_id,
            thread_id=run.thread,
            turn_id=run.turn,
            number=number,
            model=inference.model,
            content=inference.content,
            calls=[
                {"name": call.name, "arguments": call.arguments, "error": call.error}
                for call in inference.calls
            ],
            usage=inference.usage,
            prompt_sha256=inference.prompt_sha256,
            read_wake_seq=wake_seq,
            read_at=read_at,
        )
        said = [each for each in context.read if each.is_a_persons]
        if inference.content:
            await messages.say(
                tx,
                text=inference.content,
                language=task.language,
                cause=f"say {tx.cause}",
                message_id=message_id,
                task_id=run.task,
                reply_to=MessageId(said[-1].message_id) if said else None,
            )
        decision = Decision(tx=tx, deps=deps, task=task, step_id=step_id)
        for seq, call in enumerate(inference.calls, start=1):
            await proposals.settle(
                decision,
                call,
                call_key=call_key(run.turn, number, seq),
                tool_call_id=f"call_{number}_{seq}",
                seq=seq,
            )
        await promotion.consider(tx, current, await ledger.of_task(tx.conn, run.task))
