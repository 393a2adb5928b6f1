"""`receive`: the message is here; one that has its route already goes on to the checks."""

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from execution import messages
from infra.deps import Deps
from nodes.state import MainState, RunContext


async def receive(
    state: MainState, runtime: Runtime[RunContext], *, deps: Deps
) -> Command[Literal["candidates", "check"]]:
    """Look at the tables: was this message routed before a crash?"""
    run = runtime.context
    async with deps.pools.domain.connection() as conn:
        route = await messages.get_route(conn, run.workspace, run.message)
    update = {"message_id": run.thread_id}
    return Command(goto="check" if route else "candidates", update=update)
