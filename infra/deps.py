"""The live handles that nodes, tools and executors are given.

Only handles: domain code is functions over a connection. `deps.models`, `deps.judge` and
`deps.providers` are read by `execution.effects`, the job executor and `memory` alone, so that there
is one path to anything paid.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from infra.blobs import BlobStore
from infra.db.pool import Limits, Pools, open_pools
from infra.language import load_language_model
from infra.providers.callbacks import Callbacks, read_key
from infra.providers.catalog import open_catalog
from infra.providers.embedding import Embedder, LocalEmbedder
from infra.providers.http.webhooks import WebhookVerifier
from infra.providers.models import ChatModels
from infra.providers.ports import Provider
from infra.queue import WakeQueue, open_queue
from infra.settings import Settings
from infra.signals import PostgresSignals, Signals
from infra.supervision import Supervisor


@dataclass(frozen=True, slots=True, kw_only=True)
class Deps:
    """What a process has open."""

    settings: Settings
    dsn: str
    pools: Pools
    blobs: BlobStore
    signals: Signals
    models: ChatModels
    providers: Mapping[str, Provider]
    verifiers: Mapping[str, WebhookVerifier] = field(default_factory=dict[str, WebhookVerifier])
    callbacks: Callbacks | None = None
    embedder: Embedder | None = None
    judge: ChatModels | None = None
    """The model that looks at finished works, if one is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDeps:
    """The handles and the queue they wake through."""

    deps: Deps
    queue: WakeQueue


@asynccontextmanager
async def open_deps(
    settings: Settings, dsn: str, supervisor: Supervisor
) -> AsyncGenerator[OpenDeps]:
    """Open everything a serving or working process needs, and close it in reverse.

    Raises:
        DatabaseUnreachableError: the database does not answer.
        RoleWithoutLimitsError: it is reached through a pooler, and its role may wait for ever.
        StorageError: the blob folder cannot be used.
        ConfigurationError: a generation service cannot be used as it is set up.
    """
    blobs = await asyncio.to_thread(BlobStore, settings.blob_dir)
    await load_language_model()
    limits = Limits(idle_in_transaction=settings.idle_transaction_seconds)
    async with (
        open_pools(
            settings.pooler_url or dsn,
            size=settings.pool_size,
            checkpoint_size=settings.checkpoint_pool_size,
            limits=limits,
            shares_sessions=settings.pooler_url is not None,
        ) as pools,
        open_queue(dsn, limits=limits) as queue,
    ):
        signals = PostgresSignals(
            dsn, supervisor, wake_thread=queue.wake_thread, wake_job=queue.wake_job
        )
        callbacks = await _callbacks(settings, pools)
        catalog = open_catalog(settings, callbacks)
        for name, listening in catalog.listeners.items():
            supervisor.start(listening(), name=name)
        yield OpenDeps(
            deps=Deps(
                settings=settings,
                dsn=dsn,
                pools=pools,
                blobs=blobs,
                signals=signals,
                models=ChatModels(settings.model),
                providers=catalog.providers,
                verifiers=catalog.verifiers,
                callbacks=callbacks,
                embedder=LocalEmbedder(),
                judge=ChatModels(settings.judge) if settings.judge else None,
            ),
            queue=queue,
        )


async def _callbacks(settings: Settings, pools: Pools) -> Callbacks | None:
    """Return the addresses for providers' calls, if providers can reach this installation."""
    if settings.public_url is None:
        return None
    async with pools.domain.connection() as conn:
        return Callbacks(public_url=settings.public_url, key=await read_key(conn))
