"""Adapters and the simulated vendors that they talk to, one pair for each dialect."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from evals.simulator.books import Books
from evals.simulator.comfyui import ComfyDialect
from evals.simulator.jobs import Vendor
from evals.simulator.serving import serve
from evals.simulator.switches import Switches
from evals.simulator.vendors import OFFERS, SECRET
from evals.simulator.wire import Wires
from infra import clock
from infra.ids import new_id
from infra.providers.comfyui.provider import ComfyProvider
from infra.providers.elevenlabs.provider import ElevenLabsProvider
from infra.providers.fal.provider import FalProvider
from infra.providers.http.places import Places
from infra.providers.http.transport import Limits, Transport
from infra.providers.openai_images.provider import OpenAiImagesProvider
from infra.providers.ports import Attempt, Found, JobRef, Provider, Snapshot
from infra.providers.replicate.provider import ReplicateProvider
from infra.providers.runway.provider import RunwayProvider

PAYLOAD = {"prompt": "a harbour at dawn", "style": "ink", "width": 1280, "height": 720}
CLIP = {**PAYLOAD, "duration_s": 4.5, "camera": "push_in", "fps": 24}
SPEECH = {"text": "The harbour lies still. Nobody is up.", "language": "en", "max_duration_s": 3.0}
KEY = "key-of-a-test"
_QUICK = Limits(connect_s=2.0, silence_s=1.5, answer_s=5.0)

__all__ = ["CLIP", "KEY", "OPEN", "PAYLOAD", "SECRET", "SPEECH", "Pair", "order", "transport_to"]


@dataclass(frozen=True)
class _Patience:
    """Limits as in life, but short where a vendor is told to say nothing.

    What a machine is too busy to answer for a second or two is not lost.
    """

    vendor: Vendor

    def __getattr__(self, limit: str) -> Any:
        switches = self.vendor.switches
        told = {switches.default, *switches.by_number.values()}
        return getattr(_QUICK if told & {"timeout", "never"} else Limits(), limit)


def transport_to(vendor: Vendor, name: str) -> Transport:
    return Transport(name, cast("Limits", _Patience(vendor)))


@dataclass(kw_only=True)
class Pair:
    """An adapter and its vendor, and what it is ordered from."""

    provider: Provider
    vendor: Vendor
    without_callback: Provider
    dialect: Any
    operation: str = "image"
    payload: dict[str, Any] = field(default_factory=lambda: PAYLOAD)
    delivered: list[tuple[str, dict[str, str], bytes]] = field(
        default_factory=list[tuple[str, dict[str, str], bytes]]
    )

    @property
    def books(self) -> Books:
        return self.vendor.books

    def order(self, files: dict[str, Path] | None = None) -> Attempt:
        return order(self.payload, files, operation=self.operation)

    async def submit(self, attempt: Attempt) -> JobRef:
        """Order; what is answered with its result at once is found again by its attempt."""
        answered = await self.provider.submit(attempt, lambda _: None)
        if isinstance(answered, JobRef):
            return answered
        assert answered.phase == "terminal"
        found = await self.provider.find(attempt)
        assert isinstance(found, Found)
        return found.ref

    async def ended(self, attempt: Attempt) -> Snapshot:
        snapshot = await self.provider.read(await self.submit(attempt))
        assert snapshot.phase == "terminal"
        return snapshot


def order(
    payload: dict[str, Any] | None = None,
    files: dict[str, Path] | None = None,
    operation: str = "image",
) -> Attempt:
    return Attempt(
        attempt_id=new_id(),
        operation=operation,
        payload=payload or PAYLOAD,
        payload_sha256="0" * 64,
        seed=7,
        hold_micros=25_000,
        deadline=clock.utc_now() + timedelta(hours=1),
        files=files or {},
    )


type Open = Callable[..., AbstractAsyncContextManager[Pair]]


def _fal(address: str, folder: Path, **given: Any) -> Provider:
    return FalProvider(KEY, url=address, api_url=f"{address}/v1", **given)


def _replicate(address: str, folder: Path, **given: Any) -> Provider:
    return ReplicateProvider(KEY, url=f"{address}/v1", **given)


def _openai_images(address: str, folder: Path, **given: Any) -> Provider:
    return OpenAiImagesProvider(KEY, url=f"{address}/v1", **given)


def _elevenlabs(address: str, folder: Path, **given: Any) -> Provider:
    return ElevenLabsProvider(KEY, url=f"{address}/v1", folder=folder / "spool", **given)


def _runway(address: str, folder: Path, **given: Any) -> Provider:
    return RunwayProvider(KEY, url=address, settles_after_s=0.0, **given)


def open_seller(
    name: str,
    make: Callable[..., Provider],
    operation: str = "image",
    payload: dict[str, Any] = PAYLOAD,
) -> Open:
    @asynccontextmanager
    async def opened(folder: Path, switches: Switches | None = None) -> AsyncGenerator[Pair]:
        wires = Wires()
        stand = OFFERS[name].open(folder / "books.jsonl", wires)
        stand.vendor.switches = switches or stand.vendor.switches
        async with _hooks() as (hooks, delivered), serve(stand.routes, wires) as address:
            stand.vendor.address = address
            if name == "openai_images":
                stand.dialect.endpoint = f"{hooks}/hooks/openai_images"
            places, transport = Places((address,)), transport_to(stand.vendor, name)
            given: dict[str, Any] = {"places": places, "transport": transport}
            yield Pair(
                provider=make(address, folder, callback_url=_callback(hooks, name), **given),
                vendor=stand.vendor,
                without_callback=make(address, folder, **given),
                dialect=stand.dialect,
                operation=operation,
                payload=payload,
                delivered=delivered,
            )

    return opened


open_fal = open_seller("fal", _fal)
open_replicate = open_seller("replicate", _replicate)
open_openai_images = open_seller("openai_images", _openai_images)
open_elevenlabs = open_seller("elevenlabs", _elevenlabs, "narration", SPEECH)
open_runway = open_seller("runway", _runway, "clip", CLIP)


def _comfy(*, is_newest: bool) -> Open:
    @asynccontextmanager
    async def opened(folder: Path, switches: Switches | None = None) -> AsyncGenerator[Pair]:
        vendor, wires = Vendor(books=Books(folder / "books.jsonl")), Wires()
        vendor.switches = switches or vendor.switches
        dialect = ComfyDialect(vendor, wires, is_newest=is_newest)
        async with serve(dialect.routes, wires) as address:
            vendor.address = address
            provider = ComfyProvider(address, transport=transport_to(vendor, "comfyui"))
            yield Pair(provider=provider, vendor=vendor, without_callback=provider, dialect=dialect)

    return opened


OPEN: dict[str, Open] = {
    "fal": open_fal,
    "replicate": open_replicate,
    "openai_images": open_openai_images,
    "elevenlabs": open_elevenlabs,
    "runway": open_runway,
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
