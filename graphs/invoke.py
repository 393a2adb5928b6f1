"""Runs a turn: starts or resumes a thread's graph under its lease, to its next rest.

Every wake does the same. The thread stands at an interrupt ⇒ it is resumed by the interrupt's id
with a value that says only "look at the tables"; in the middle ⇒ it goes on; anywhere else ⇒ it
starts. One checkpoint per turn (`durability="exit"`): what has run is in the tables.
"""

import hashlib
import itertools
from functools import cached_property
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from execution import leases, standing
from execution.leases import Lease
from execution.saver import GENERATION, FencedSaver
from graphs.main import MainGraph, build_main_graph
from graphs.task import TaskGraph, build_task_graph
from infra.deps import Deps
from infra.ids import ThreadId
from infra.telemetry import get_logger
from nodes.state import RunContext

_WAKE = {"wake": True}
_MAX_SUPERSTEPS = 2000
_STRAYS_AT_ONCE = 200
"""So many wakes take less than a second, well within every limit of a transaction."""
_log = get_logger(__name__)


class Graphs:
    """Both graphs of a process, compiled once with the fenced saver."""

    def __init__(self, deps: Deps) -> None:
        self._deps = deps
        saver = FencedSaver(deps.pools.checkpoints)
        self.main: MainGraph = build_main_graph(deps, saver)
        self.task: TaskGraph = build_task_graph(deps, saver)

    @cached_property
    def version(self) -> str:
        """A hash of both topologies; recorded with every turn."""
        drawn = self.main.get_graph().draw_mermaid() + self.task.get_graph().draw_mermaid()
        return hashlib.sha256(drawn.encode()).hexdigest()[:12]

    async def seat_strays(self) -> None:
        """Wake every thread that stands before a node which these graphs do not have.

        Its turn starts from the tables, where questions, calls and words still are. Said in the
        log, one line for each.
        """
        nodes = {"main": self.main.nodes, "task": self.task.nodes}
        async with self._deps.pools.domain.connection() as conn:
            found = await standing.strays(conn, nodes)
        for batch in itertools.batched(found, _STRAYS_AT_ONCE):
            async with self._deps.pools.domain.connection() as conn:
                for stray in batch:
                    await leases.wake(conn, ThreadId(stray.thread_id))
        for stray in found:
            _log.warning(
                "thread_stood_at_a_node_that_is_gone",
                thread_id=str(stray.thread_id),
                node=stray.node,
                graph_version=self.version,
            )
            self._deps.signals.wake_thread(ThreadId(stray.thread_id))

    async def run_turn(self, lease: Lease) -> None:
        """Run the thread's graph until it rests.

        Raises:
            StaleLeaseError: another worker holds the thread now.
            RetryableError: something outside is not available; try the turn again later.
        """
        graph = self.main if lease.kind == "main" else self.task
        config: RunnableConfig = {
            "configurable": {"thread_id": str(lease.thread_id), GENERATION: lease.generation},
            "recursion_limit": _MAX_SUPERSTEPS,
        }
        context = RunContext(
            workspace_id=str(lease.workspace_id),
            thread_id=str(lease.thread_id),
            turn_id=str(lease.turn_id),
            generation=lease.generation,
        )
        entry = await self._entry(graph, config, lease)
        await graph.ainvoke(entry, config, context=context, durability="exit")
        if entry is None and await self._is_still_to_run(lease):
            # Whoever wrote the last checkpoint died before the interrupt in it: the node has only
            # asked again, and the wake that brought us here has not been looked at.
            entry = await self._entry(graph, config, lease)
            await graph.ainvoke(entry, config, context=context, durability="exit")

    async def _is_still_to_run(self, lease: Lease) -> bool:
        values = {"id": lease.turn_id, "generation": lease.generation}
        async with self._deps.pools.domain.connection() as conn:
            return await (await conn.execute(leases.ENDED, values)).fetchone() is None

    async def _entry(
        self, graph: MainGraph | TaskGraph, config: RunnableConfig, lease: Lease
    ) -> Any:
        state = await graph.aget_state(config)
        if state.interrupts:
            return Command(resume={state.interrupts[0].id: _WAKE})
        if state.next:
            return None
        key = "message_id" if lease.kind == "main" else "task_id"
        return {key: str(lease.thread_id)}
