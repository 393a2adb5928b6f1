"""Both graphs for LangGraph Studio and `langgraph dev`: offline, scripted provider, zero budget.

Works on a database of its own (`<data folder>/studio`, or `DATABASE_URL` if set), never on live
credentials: Studio re-executes nodes when it replays. Without a context a run adopts a thread
there: Main takes `text` and sends it as a message, Task takes `task_id`. A thread that a live lease
holds is left alone.
"""

import asyncio
import functools
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from uuid import UUID

from langgraph.runtime import Runtime

from execution import intake, leases, workspaces
from execution.errors import StaleLeaseError
from execution.intake import Incoming
from execution.transactions import work
from execution.workspaces import AutonomyLevel
from graphs.main import MainGraph, build_main_graph
from graphs.task import TaskGraph, build_task_graph
from infra.blobs import BlobStore
from infra.db.embedded import embedded_postgres
from infra.db.migrate import migrate
from infra.db.pool import open_pools
from infra.deps import Deps
from infra.ids import ThreadId, WorkspaceId, new_id
from infra.language import load_language_model
from infra.providers.models import REHEARSAL, ChatModels
from infra.providers.scripted import ScriptedProvider
from infra.settings import load_settings
from infra.signals import SilentSignals
from nodes.state import RunContext

WORKSPACE = WorkspaceId(UUID("00000000-0000-7000-8000-0000005706d1"))
_LEASE_SECONDS = 120.0
_OPERATIONS = ("image", "clip", "narration", "music", "captions", "render", "model3d")


@asynccontextmanager
async def main() -> AsyncGenerator[MainGraph]:
    """Yield Main for Studio."""
    async with _open() as deps:
        yield build_main_graph(deps, binder=_bind)


@asynccontextmanager
async def task() -> AsyncGenerator[TaskGraph]:
    """Yield Task for Studio."""
    async with _open() as deps:
        yield build_task_graph(deps, binder=_bind)


@asynccontextmanager
async def _open() -> AsyncGenerator[Deps]:
    settings = await asyncio.to_thread(load_settings)
    folder = settings.data_dir / "studio"
    async with AsyncExitStack() as stack:
        dsn = settings.database_url
        if dsn is None:
            server = embedded_postgres(folder)
            dsn = await asyncio.to_thread(server.__enter__)
            stack.push_async_callback(asyncio.to_thread, server.__exit__, None, None, None)
        await migrate(dsn)
        await load_language_model()
        pools = await stack.enter_async_context(open_pools(dsn, name="studio", size=4))
        async with pools.domain.connection() as conn:
            await workspaces.ensure(conn, WORKSPACE, name="Studio", currency=settings.currency)
            await workspaces.update_settings(
                conn,
                WORKSPACE,
                autonomy=AutonomyLevel.CAUTIOUS,
                per_call_allowance_micros=0,
                daily_allowance_micros=0,
                review_points=[],
            )
        provider = ScriptedProvider(folder / "made", prices=dict.fromkeys(_OPERATIONS, 1))
        yield Deps(
            settings=settings,
            dsn=dsn,
            pools=pools,
            blobs=await asyncio.to_thread(BlobStore, folder / "blobs"),
            signals=SilentSignals(),
            models=ChatModels(REHEARSAL),
            providers={provider.name: provider},
        )


def _bind(node: Callable[..., Awaitable[Any]], deps: Deps) -> Callable[..., Awaitable[Any]]:
    """Bind a node as usual, but give it a context when the run has none."""

    @functools.wraps(node)
    async def bound(state: dict[str, Any], runtime: Runtime[RunContext]) -> Any:
        if not runtime.context or not runtime.context.thread_id:
            state, context = await _adopt(deps, state)
            runtime = runtime.override(context=context)
        return await node(state, runtime, deps=deps)

    return bound


async def _adopt(deps: Deps, state: dict[str, Any]) -> tuple[dict[str, Any], RunContext]:
    """Take the thread that the state names; with `text` only, send it as a new message first."""
    identity = state.get("message_id") or state.get("task_id")
    if identity is None:
        async with work(deps, WORKSPACE) as tx:
            incoming = Incoming(text=str(state.get("text", "")), client_id=str(new_id()))
            identity = str(await intake.accept(tx, incoming))
    thread_id = ThreadId(UUID(identity))
    async with deps.pools.domain.connection() as conn, conn.transaction():
        lease = await leases.current(conn, thread_id)
        if lease is None:
            await leases.wake(conn, thread_id)
            lease = await leases.claim(
                conn, thread_id, lease_seconds=_LEASE_SECONDS, graph_version="studio"
            )
    if lease is None:
        raise StaleLeaseError
    context = RunContext(
        workspace_id=str(lease.workspace_id),
        thread_id=str(thread_id),
        turn_id=str(lease.turn_id),
        generation=lease.generation,
    )
    return {**state, "message_id": identity}, context
