"""`steer`: deliver the message to a task that exists; delivered is not yet read."""

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from execution import intake, leases, messages, tasks
from execution.messages import Route
from execution.transactions import work
from execution.tx import Tx
from infra.deps import Deps
from infra.ids import TaskId, ThreadId
from nodes.main.targets import doubt_about, was_chosen
from nodes.state import MainState, RunContext


async def steer(
    state: MainState, runtime: Runtime[RunContext], *, deps: Deps
) -> Command[Literal["check", "__end__"]]:
    """Put the message into the task's inbox and say so, once.

    A task that was stopped or put away after the check goes back there: the person is asked.
    """
    run = runtime.context
    async with work(deps, run.workspace, fence=run.fence, cause=run.turn_id) as tx:
        route = await messages.get_route(tx.conn, run.workspace, run.message)
        assert route is not None  # noqa: S101 - check came before
        assert route.task_id is not None  # noqa: S101 - check found it
        task_id = TaskId(route.task_id)
        # A stop or an archiving comes wholly before this, and is seen, or after the delivery.
        await leases.lock(tx.conn, ThreadId(task_id))
        if not await _may_be_given(tx, run, route, task_id):
            return Command(goto="check")
        await intake.deliver(tx, task_id, run.message)
        if route.acknowledgement:
            await messages.say(
                tx,
                text=route.acknowledgement,
                language=route.language,
                cause=f"steer {run.thread_id}",
                task_id=task_id,
                reply_to=run.message,
            )
        await leases.finish(tx.conn, run.fence, outcome="delivered")
    return Command(goto="__end__", update={"outcome": "delivered", "task_id": str(task_id)})


async def _may_be_given(tx: Tx, run: RunContext, route: Route, task_id: TaskId) -> bool:
    if await was_chosen(tx, run):
        await tasks.unarchive(tx, task_id)
        return True
    return await doubt_about(tx, run, route) is None
