"""A machine on an empty database, with a vendor and a model that do as they are told."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from infra.db.pool import Pools
from tests.harness import open_machine
from tests.integration.execution.shared_database import database_url, shared_database
from tests.integration.graphs.stage import Model, Stage, Vendor, routed

__all__ = ["database_url", "open_stage", "shared_database", "stage"]

type OpenStage = Callable[..., AbstractAsyncContextManager[Stage]]


@pytest.fixture
def open_stage(database_url: str, pools: Pools, tmp_path: Path) -> OpenStage:
    """Open a stage on this test's database; several may stand on it, one after another."""

    @asynccontextmanager
    async def opened(
        model: Model | None = None, vendor: Vendor | None = None, others: Sequence[Vendor] = ()
    ) -> AsyncGenerator[Stage]:
        chosen, supplier = model or Model(route=routed()), vendor or Vendor()
        async with open_machine(
            database_url, pools, tmp_path, model=chosen, provider=supplier, others=others
        ) as machine:
            yield Stage(machine=machine, vendor=supplier, model=chosen)

    return opened


@pytest.fixture
async def stage(open_stage: OpenStage) -> AsyncGenerator[Stage]:
    """One stage, whose work is routed to a new task unless the test says otherwise."""
    async with open_stage() as opened:
        yield opened
