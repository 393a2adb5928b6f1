"""`steer`: deliver the message to a task that exists; delivered is not yet read."""

from langgraph.runtime import Runtime

from execution import intake, leases, messages
from execution.transactions import work
from infra.deps import Deps
from infra.ids import TaskId
from nodes.state import MainState, RunContext


async def steer(state: MainState, runtime: Runtime[RunContext], *, deps: Deps) -> dict[str, str]:
    """Put the message into the task's inbox and say so, once."""
    run = runtime.context
    async with work(deps, run.workspace, fence=run.fence, cause=run.turn_id) as tx:
        route = await messages.get_route(tx.conn, run.workspace, run.message)
        assert route is not None  # noqa: S101 - check came before
        assert route.task_id is not None  # noqa: S101 - check found it
        task_id = TaskId(route.task_id)
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
    return {"outcome": "delivered", "task_id": str(task_id)}
