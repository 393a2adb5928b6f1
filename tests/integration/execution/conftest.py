"""One workspace on an empty database."""

from pathlib import Path
from uuid import UUID

import pytest

from execution import workspaces
from infra.blobs import BlobStore
from infra.db.pool import Pools
from infra.deps import Deps
from infra.ids import WorkspaceId
from infra.providers.models import ChatModels
from infra.providers.scripted import ScriptedProvider
from infra.settings import Settings
from infra.signals import SilentSignals
from tests.integration.execution.shared_database import database_url, shared_database
from tests.integration.execution.world import World

__all__ = ["database_url", "shared_database", "world"]

PRICES = {"image": 100, "clip": 700}


@pytest.fixture
async def world(database_url: str, pools: Pools, tmp_path: Path) -> World:
    """Rows of one workspace; its models and providers are there but are not asked."""
    workspace_id = WorkspaceId(UUID(int=1))
    async with pools.domain.connection() as conn:
        await workspaces.ensure(conn, workspace_id, name="test", currency="USD")
    provider = ScriptedProvider(tmp_path / "made", prices=PRICES)
    return World(
        deps=Deps(
            settings=Settings(data_dir=tmp_path, blob_dir=tmp_path / "blobs"),
            dsn=database_url,
            pools=pools,
            blobs=BlobStore(tmp_path / "blobs"),
            signals=SilentSignals(),
            models=ChatModels("rehearsal"),
            providers={provider.name: provider},
        ),
        workspace_id=workspace_id,
    )
