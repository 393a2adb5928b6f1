"""Adapters and the simulated vendors that they talk to, one pair for each dialect."""

import base64
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from evals.simulator.books import Books
from evals.simulator.comfyui import ComfyDialect
from evals.simulator.fal import FalDialect
from evals.simulator.jobs import Vendor
from evals.simulator.replicate import ReplicateDialect
from evals.simulator.serving import serve
from evals.simulator.switches import Switches
from evals.simulator.wire import Wires
from infra import clock
from infra.ids import new_id
from infra.providers.comfyui.provider import ComfyProvider
from infra.providers.fal import models as fal_models
from infra.providers.fal.provider import FalProvider
from infra.providers.http.places import Places
from infra.providers.http.transport import Limits, Transport
from infra.providers.ports import Attempt, JobRef, Provider, Snapshot
from infra.providers.replicate import models as replicate_models
from infra.providers.replicate.provider import ReplicateProvider

PAYLOAD = {"prompt": "a harbour at dawn", "style": "ink", "width": 1280, "height": 720}
SECRET = "whsec_" + base64.b64encode(b"what only the two of us know").decode()
KEY = "key-of-a-test"
QUICK = Limits(connect_s=2.0, silence_s=1.5, answer_s=5.0)


@dataclass
class Pair:
    """An adapter and its vendor."""

    provider: Provider
    vendor: Vendor
    without_callback: Provider
    delivered: list[tuple[str, dict[str, str], bytes]] = field(
        default_factory=list[tuple[str, dict[str, str], bytes]]
    )

    @property
    def books(self) -> Books:
        return self.vendor.books

    async def submit(self, attempt: Attempt) -> JobRef:
        answered = await self.provider.submit(attempt, lambda _: None)
        assert isinstance(answered, JobRef)
        return answered

    async def ended(self, attempt: Attempt) -> Snapshot:
        snapshot = await self.provider.read(await self.submit(attempt))
        assert snapshot.phase == "terminal"
        return snapshot


def order(payload: dict[str, Any] | None = None, files: dict[str, Path] | None = None) -> Attempt:
    return Attempt(
        attempt_id=new_id(),
        operation="image",
        payload=payload or PAYLOAD,
        payload_sha256="0" * 64,
        seed=7,
        hold_micros=25_000,
        deadline=clock.utc_now() + timedelta(hours=1),
        files=files or {},
    )


type Open = Callable[..., AbstractAsyncContextManager[Pair]]


@asynccontextmanager
async def open_fal(folder: Path, switches: Switches | None = None) -> AsyncGenerator[Pair]:
    model = fal_models.MODELS[0]

    def units(given: dict[str, Any]) -> int:
        return round(model.most_units(given["image_size"]))

    async with _hooks() as (hooks, delivered):
        vendor, wires = Vendor(books=Books(folder / "books.jsonl")), Wires()
        vendor.switches = switches or vendor.switches
        dialect = FalDialect(vendor, wires, lambda given: units(given) * model.unit_micros, units)
        async with serve(dialect.routes, wires) as address:
            vendor.address = address
            given: dict[str, Any] = {
                "url": address,
                "api_url": f"{address}/v1",
                "places": Places((address,)),
                "transport": Transport("fal", QUICK),
            }
            yield Pair(
                provider=FalProvider(KEY, callback_url=_callback(hooks, "fal"), **given),
                vendor=vendor,
                without_callback=FalProvider(KEY, **given),
                delivered=delivered,
            )


@asynccontextmanager
async def open_replicate(folder: Path, switches: Switches | None = None) -> AsyncGenerator[Pair]:
    micros = replicate_models.MODELS[0].unit_micros
    async with _hooks() as (hooks, delivered):
        vendor, wires = Vendor(books=Books(folder / "books.jsonl")), Wires()
        vendor.switches = switches or vendor.switches
        dialect = ReplicateDialect(vendor, wires, lambda _: micros, SECRET)
        async with serve(dialect.routes, wires) as address:
            vendor.address = address
            given: dict[str, Any] = {
                "url": f"{address}/v1",
                "places": Places((address,)),
                "transport": Transport("replicate", QUICK),
            }
            yield Pair(
                provider=ReplicateProvider(
                    KEY, callback_url=_callback(hooks, "replicate"), **given
                ),
                vendor=vendor,
                without_callback=ReplicateProvider(KEY, **given),
                delivered=delivered,
            )


def _comfy(*, is_newest: bool) -> Open:
    @asynccontextmanager
    async def opened(folder: Path, switches: Switches | None = None) -> AsyncGenerator[Pair]:
        vendor, wires = Vendor(books=Books(folder / "books.jsonl")), Wires()
        vendor.switches = switches or vendor.switches
        dialect = ComfyDialect(vendor, wires, is_newest=is_newest)
        async with serve(dialect.routes, wires) as address:
            vendor.address = address
            provider = ComfyProvider(address, transport=Transport("comfyui", QUICK))
            yield Pair(provider=provider, vendor=vendor, without_callback=provider)

    return opened


OPEN: dict[str, Open] = {
    "fal": open_fal,
    "replicate": open_replicate,
    "comfyui": _comfy(is_newest=False),
    "comfyui_newest": _comfy(is_newest=True),
}


def _callback(hooks: str, name: str) -> Callable[[UUID], str]:
    return lambda attempt_id: f"{hooks}/hooks/{name}/{attempt_id}.tag"


@asynccontextmanager
async def _hooks() -> AsyncGenerator[tuple[str, list[tuple[str, dict[str, str], bytes]]]]:
    """Something that webhooks are delivered to."""
    delivered: list[tuple[str, dict[str, str], bytes]] = []

    async def take(request: Request) -> Response:
        delivered.append((request.url.path, dict(request.headers), await request.body()))
        return Response()

    async with serve([Route("/hooks/{rest:path}", take, methods=["POST"])]) as address:
        yield address, delivered
