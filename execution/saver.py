"""The fenced checkpointer: a checkpoint is written by the thread's holder or not at all.

LangGraph's Postgres saver has no owner: of two workers on one thread both succeed, and "latest" is
what the writer's clock says. Here, on a thread that `threads` knows, each `put` checks the
generation and moves the thread's head by compare-and-set in one transaction with the checkpoint,
and a read without a checkpoint id follows that head. Threads that `threads` does not know (Studio's
own, copies, the conformance suite) behave as in the library.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast
from uuid import UUID

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow, dict_row

from execution import leases
from execution.errors import StaleLeaseError
from execution.leases import Fence, Thread
from infra.crash_points import CrashPoint, reached
from infra.db.pool import CheckpointPool
from infra.db.query import Conn
from infra.ids import ThreadId

GENERATION = "generation"


class FencedSaver(AsyncPostgresSaver):
    """An `AsyncPostgresSaver` whose writes carry the holder's generation in the config."""

    def __init__(self, pool: CheckpointPool) -> None:
        super().__init__(pool)
        self._pool = pool

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint; without an id, the thread's head, whatever the clocks said."""
        if get_checkpoint_id(config) or _configurable(config).get("checkpoint_ns", ""):
            return await super().aget_tuple(config)
        async with self._pool.connection() as conn:
            thread = await _thread(cast("Conn", conn), config)
        if thread is None:
            return await super().aget_tuple(config)
        if thread.head_checkpoint_id is None:
            return None
        configurable = {
            **_configurable(config),
            "checkpoint_ns": "",
            "checkpoint_id": thread.head_checkpoint_id,
        }
        return await super().aget_tuple({**config, "configurable": configurable})

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint and move the head to it, or refuse.

        Raises:
            StaleLeaseError: the thread has another holder, another head, or no generation was
            given.
        """
        async with self._fenced(config) as (conn, fence):
            if fence is not None and not _configurable(config).get("checkpoint_ns", ""):
                parent = get_checkpoint_id(config) or await self._lost_head(conn, config)
                if not await leases.move_head(conn, fence, parent=parent, head=checkpoint["id"]):
                    raise StaleLeaseError
            inner = AsyncPostgresSaver(cast("AsyncConnection[DictRow]", conn), serde=self.serde)
            saved = await inner.aput(config, checkpoint, metadata, new_versions)
        if GENERATION in _configurable(config):
            carried = {GENERATION: _configurable(config)[GENERATION]}
            saved["configurable"] = _configurable(saved) | carried
        return saved

    async def _lost_head(self, conn: Conn, config: RunnableConfig) -> str | None:
        """Return the head where its checkpoint is gone: a first checkpoint may then replace it."""
        thread = await _thread(conn, config)
        if thread is None or thread.head_checkpoint_id is None:
            return None
        is_there = await self.aget_tuple(config) is not None
        return None if is_there else thread.head_checkpoint_id

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Store a node's writes under the same rule as a checkpoint.

        Raises:
            StaleLeaseError: the thread has another holder, or no generation was given.
        """
        async with self._fenced(config) as (conn, _):
            inner = AsyncPostgresSaver(cast("AsyncConnection[DictRow]", conn), serde=self.serde)
            await inner.aput_writes(config, writes, task_id, task_path)

    @asynccontextmanager
    async def _fenced(self, config: RunnableConfig) -> AsyncGenerator[tuple[Conn, Fence | None]]:
        async with self._pool.connection() as dict_conn, dict_conn.transaction():
            conn = cast("Conn", dict_conn)
            thread = await _thread(conn, config)
            if thread is None:
                yield conn, None
                return
            generation = _configurable(config).get(GENERATION)
            if generation is None:
                msg = "A fenced thread is written by its holder only."
                raise StaleLeaseError(msg)
            fence = Fence(thread_id=ThreadId(thread.thread_id), generation=generation)
            # The lock that moving the head needs: two writers that both held the fence's weaker
            # one would wait for each other.
            await leases.lock(conn, fence.thread_id)
            await leases.check(conn, fence)
            yield conn, fence
            # The library writes in pipelines, after which the database no longer ends this
            # transaction when it stands idle (ADR 0009); the next statement sets that right.
            await leases.check(conn, fence)
            await reached(CrashPoint.CHECKPOINT_WRITING)

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncGenerator[AsyncCursor[DictRow]]:
        del pipeline  # every write comes with a connection of its own
        # The library's lock lets one connection work at a time, however large the pool is.
        async with (
            self._pool.connection() as conn,
            conn.cursor(binary=True, row_factory=dict_row) as cursor,
        ):
            yield cursor


def _configurable(config: RunnableConfig) -> dict[str, Any]:
    return config.get("configurable", {})


async def _thread(conn: Conn, config: RunnableConfig) -> Thread | None:
    try:
        thread_id = ThreadId(UUID(str(_configurable(config)["thread_id"])))
    except ValueError:
        return None
    return await leases.read_head(conn, thread_id)
