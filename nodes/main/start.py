"""`start`: a new task for the message, its brief in the person's own words."""

from uuid import uuid5

from langgraph.runtime import Runtime

from execution import intake, leases, links, messages, tasks
from execution.transactions import work
from infra.deps import Deps
from infra.ids import TaskId
from memory import task_index
from nodes.main.order import let_the_next
from nodes.state import MainState, RunContext

_TITLE = 80
"""Of a task whose message no model has read: code had routed it, and the person chose otherwise."""


async def start(state: MainState, runtime: Runtime[RunContext], *, deps: Deps) -> dict[str, str]:
    """Create the task, deliver the message to it and say so: one transaction, once per message."""
    run = runtime.context
    task_id = TaskId(uuid5(run.workspace, f"task {run.thread_id}"))
    async with work(deps, run.workspace, fence=run.fence, cause=run.turn_id) as tx:
        message = await messages.get(tx.conn, run.workspace, run.message)
        route = await messages.get_route(tx.conn, run.workspace, run.message)
        assert route is not None  # noqa: S101 - check came before
        await tasks.create(
            tx,
            task_id,
            kind="lightweight" if route.outcome == "lightweight" else "persistent",
            title=route.title or links.without(message.text)[:_TITLE],
            goal=route.goal or message.text.strip(),
            language=route.language,
            brief={"words": [message.text]},
            source_message_id=run.message,
        )
        await task_index.refresh(tx, task_id)
        await let_the_next(tx, run)
        await intake.deliver(tx, task_id, run.message)
        if route.acknowledgement:
            await messages.say(
                tx,
                text=route.acknowledgement,
                language=route.language,
                cause=f"start {run.thread_id}",
                task_id=task_id,
                reply_to=run.message,
            )
        await leases.finish(tx.conn, run.fence, outcome="started")
    return {"outcome": "started", "task_id": str(task_id)}
