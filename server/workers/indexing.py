"""Keeps the index of tasks complete: rows of tasks from before it, and the meaning of new texts."""

import psycopg

from execution.transactions import work
from infra import clock
from infra.deps import Deps
from infra.ids import TaskId, WorkspaceId
from infra.supervision import Supervisor
from infra.telemetry import get_logger
from memory import task_index

_log = get_logger(__name__)

_ROWS_AT_ONCE = 50
_TEXTS_AT_ONCE = 16
_BREATH_SECONDS = 0.05
_LOOK_FOR_MISSING_SECONDS = 600.0
"""Every task gets its row when it is made; only those of an older version's processes have none."""


async def keep_index(deps: Deps, supervisor: Supervisor) -> None:
    """Index what is missing, now and every `watchdog_seconds`, until an end is asked for."""
    looked_at: float | None = None
    try:
        await _warm_up(deps)
    except psycopg.Error as error:
        _log.warning("indexing_failed", error=str(error))
    while True:
        busy = False
        try:
            if looked_at is None or clock.monotonic() - looked_at > _LOOK_FOR_MISSING_SECONDS:
                busy = await index_missing(deps)
                looked_at = None if busy else clock.monotonic()
            busy = await embed_new(deps) or busy
        except Exception as error:  # noqa: BLE001 - an engine may fail in its own way; words suffice
            _log.warning("indexing_failed", error=str(error))
            busy = False
        if not await supervisor.pause(_BREATH_SECONDS if busy else deps.settings.watchdog_seconds):
            return


async def index_missing(deps: Deps) -> bool:
    """Index some tasks that have no row; tell whether there may be more."""
    async with deps.pools.domain.connection() as conn:
        found = await task_index.unindexed(conn, limit=_ROWS_AT_ONCE)
    for task in found:
        async with work(deps, WorkspaceId(task.workspace_id), cause="index") as tx:
            await task_index.refresh(tx, TaskId(task.task_id))
    return len(found) == _ROWS_AT_ONCE


async def embed_new(deps: Deps) -> bool:
    """Embed some texts that have no embedding yet; tell whether there may be more."""
    if deps.embedder is None:
        return False
    async with deps.pools.domain.connection() as conn:
        pending = await task_index.to_embed(conn, limit=_TEXTS_AT_ONCE)
    if not pending:
        return False
    vectors = await deps.embedder.embed([one.text for one in pending])
    async with deps.pools.domain.connection() as conn:
        await task_index.set_embeddings(conn, list(zip(pending, vectors, strict=True)))
    return len(pending) == _TEXTS_AT_ONCE


async def _warm_up(deps: Deps) -> None:
    """Load the engine before the first message needs it, where there is anything to search."""
    async with deps.pools.domain.connection() as conn:
        nothing = await task_index.is_empty(conn)
    if deps.embedder is not None and not nothing:
        await deps.embedder.embed(["warm"])
