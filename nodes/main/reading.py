"""The router looks into a few tasks before it decides: a bounded loop of reads, each on record.

Each inference of the loop is counted like any other, and what was read is committed before the next
one: whoever takes the message over goes on after it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage

from execution import effects, route_reads
from execution.effects import Inference
from execution.errors import InvalidCallError
from execution.proposed import ProposedCall
from execution.route_reads import RouteRead
from execution.transactions import work
from execution.tx import Tx
from infra.crash_points import CrashPoint, reached
from infra.deps import Deps
from infra.ids import TaskId
from infra.providers.models import ModelRole
from memory import routing
from nodes.main.proposal import ROUTE_SCHEMA
from nodes.state import RunContext
from tools.tasks import READ_TASK, tell

MAX_READS = 3
"""So many tasks the router may look into for one message; then it must decide."""
_ASKED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Considered:
    """The router's last answer, and everything that it has read for this message."""

    inference: Inference
    read: list[RouteRead]


async def consider(deps: Deps, run: RunContext, prompt: Sequence[BaseMessage]) -> Considered:
    """Ask the router until it decides; before, it may read tasks of this workspace.

    Raises:
        ModelUnavailableError: it could not be asked; what was read so far is kept.
    """
    async with deps.pools.domain.connection() as conn:
        read = await route_reads.of_message(conn, run.workspace, run.message)
    while True:
        left = max(MAX_READS - len(read), 0)
        inference = await effects.infer(
            deps,
            ModelRole.ROUTER,
            [*prompt, *routing.reads(read)],
            asker=run.as_message,
            tools=[READ_TASK.schema(), ROUTE_SCHEMA],
            tool_choice="any" if left else "route",
        )
        await reached(CrashPoint.ROUTE_INFERRED)
        wanted = _wanted(inference.calls)[:left]
        if not wanted:
            return Considered(inference=inference, read=read)
        async with work(deps, run.workspace, fence=run.fence, cause=run.turn_id) as tx:
            for number, asked in enumerate(wanted, start=len(read) + 1):
                await _read(tx, run, number, asked)
            read = await route_reads.of_message(tx.conn, run.workspace, run.message)
        await reached(CrashPoint.ROUTER_READ)


def _wanted(calls: Sequence[ProposedCall]) -> list[str]:
    """Return which tasks the router asks for; one that decides beside it has decided."""
    if any(call.name == "route" for call in calls):
        return []
    return [_named(call.arguments) for call in calls if call.name == READ_TASK.name]


def _named(arguments: dict[str, Any]) -> str:
    return str(arguments.get("task_id", ""))[:_ASKED]


async def _read(tx: Tx, run: RunContext, number: int, asked: str) -> None:
    task_id: TaskId | None = None
    try:
        told = await tell(tx.conn, tx.workspace_id, asked)
        task_id, text = told.task_id, told.text
    except InvalidCallError as error:
        text = f"refused (invalid): {error.message}"
    await route_reads.record(
        tx, run.message, number=number, asked=asked, task_id=task_id, told=text
    )
