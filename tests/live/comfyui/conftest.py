"""The servers that the suite is run against: simulated ones, and a real one that is named."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic_settings import BaseSettings, SettingsConfigDict

from evals.simulator.books import Books
from evals.simulator.comfyui import ComfyDialect
from evals.simulator.jobs import Vendor
from evals.simulator.serving import serve
from evals.simulator.wire import Wires
from infra.media.verify import verify
from infra.providers.comfyui.provider import ComfyProvider
from infra.providers.ports import Attempt, JobRef, Snapshot
from infra.supervision import Supervisor
from tests.integration.infra.providers.vendors import order
from tests.live.comfyui.workflows import ALL


class _Environment(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="ATELIER_TEST_")

    comfyui_url: str | None = None


REAL = _Environment().comfyui_url
SIMULATED = ("simulated-classic", "simulated-newest")
PATIENCE_S = 120.0


@dataclass
class Site:
    """A server, our adapter, and what listens to it."""

    address: str
    provider: ComfyProvider
    folder: Path

    async def submit(self, attempt: Attempt) -> JobRef:
        answered = await self.provider.submit(attempt, lambda _: None)
        assert isinstance(answered, JobRef)
        return answered

    async def ended(self, ref: JobRef) -> Snapshot:
        return await self.when(ref, lambda seen: seen.phase == "terminal")

    async def when(self, ref: JobRef, holds: Callable[[Snapshot], bool]) -> Snapshot:
        """Read a job until something holds of it."""
        snapshot = await self.provider.read(ref)

        async def seen() -> bool:
            nonlocal snapshot
            snapshot = await self.provider.read(ref)
            return holds(snapshot) or snapshot.phase == "terminal"

        if not holds(snapshot):
            await until(seen)
        assert holds(snapshot), snapshot
        return snapshot

    async def kept(self, snapshot: Snapshot) -> tuple[Path, dict[str, Any]]:
        """Fetch the one result as the executor does, and verify it."""
        assert snapshot.outcome == "succeeded", snapshot
        (artifact,) = snapshot.artifacts
        path = self.folder / "result"
        path.write_bytes(b"".join([chunk async for chunk in self.provider.fetch(artifact)]))
        return path, await verify(path, artifact.media_type)

    async def has(self, node_class: str) -> bool:
        async with httpx.AsyncClient(trust_env=False) as client:
            answer = await client.get(f"{self.address}/object_info/{node_class}")
        return bool(answer.json())


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something holds that the server brings about in its own time."""
    async with asyncio.timeout(PATIENCE_S):
        while not await holds():  # noqa: ASYNC110 - what it waits for is elsewhere
            await asyncio.sleep(0.05)


def work(operation: str, files: dict[str, Path] | None = None, **payload: Any) -> Attempt:
    """An order of one of the suite's workflows."""
    given = {"prompt": "a harbour at dawn", "width": 64, "height": 64, **payload}
    return replace(order(given, files), operation=operation)


@asynccontextmanager
async def _address(name: str, folder: Path) -> AsyncGenerator[str]:
    if name not in SIMULATED:
        yield name
        return
    vendor, wires = Vendor(books=Books(folder / "books.jsonl")), Wires()
    dialect = ComfyDialect(vendor, wires, is_newest=name == "simulated-newest")
    async with serve(dialect.routes, wires) as address:
        yield address


@pytest.fixture(params=[*SIMULATED, *([pytest.param(REAL, id="real")] if REAL else [])])
async def site(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Site]:
    async with (
        _address(request.param, tmp_path) as address,
        Supervisor("comfyui") as supervisor,
    ):
        provider = ComfyProvider(address, workflows=ALL)
        supervisor.start(provider.listen(), name="comfyui_progress")
        yield Site(address=address, provider=provider, folder=tmp_path)
