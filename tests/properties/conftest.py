"""A ground for state machines: one loop and one pool for all the machines of a test."""

import asyncio
from collections.abc import Generator
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import UUID

import pytest

from infra.blobs import BlobStore
from infra.db.pool import Limits, open_pools
from infra.deps import Deps
from infra.ids import WorkspaceId
from infra.providers.models import ChatModels
from infra.settings import Settings
from infra.signals import SilentSignals
from tests.database import DatabaseClock
from tests.integration.execution.shared_database import database_url, shared_database
from tests.integration.execution.world import World
from tests.integration.graphs.stage import Vendor
from tests.properties.ground import Ground

__all__ = ["database_url", "ground", "shared_database"]

_LIMITS = Limits(lock=20.0, statement=60.0, idle_in_transaction=60.0)


@pytest.fixture
def ground(database_url: str, tmp_path: Path) -> Generator[Ground]:
    """The world on an empty database; its providers are there but are not asked."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        pools = runner.run(
            stack.enter_async_context(open_pools(database_url, name="test", limits=_LIMITS))
        )
        provider = Vendor()
        deps = Deps(
            settings=Settings(data_dir=tmp_path, blob_dir=tmp_path / "blobs"),
            dsn=database_url,
            pools=pools,
            blobs=BlobStore(tmp_path / "blobs"),
            signals=SilentSignals(),
            models=ChatModels("rehearsal"),
            providers={provider.name: provider},
        )
        world = World(deps=deps, workspace_id=WorkspaceId(UUID(int=1)))
        try:
            yield Ground(
                runner=runner,
                world=world,
                clock=DatabaseClock(database_url),
                prices=provider.prices,
            )
        finally:
            runner.run(stack.aclose())
