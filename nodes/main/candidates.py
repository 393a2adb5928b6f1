"""`candidates`: find the tasks that the message may be about."""

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from execution import messages
from infra.deps import Deps
from memory import routing
from nodes.state import MainState, RunContext


async def candidates(
    state: MainState, runtime: Runtime[RunContext], *, deps: Deps
) -> Command[Literal["route"]]:
    """Read the bounded list of candidates."""
    run = runtime.context
    async with deps.pools.domain.connection() as conn:
        message = await messages.get(conn, run.workspace, run.message)
        found = await routing.candidates(conn, deps.embedder, run.workspace, message)
    return Command(goto="route", update={"candidates": found})
