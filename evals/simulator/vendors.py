"""Every vendor that can be practised on: its dialect, its prices, and the settings that lead to it.

Prices are those of the adapters' own tables, so that a bill can be compared with what was settled.
"""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute

from evals.simulator.books import Books
from evals.simulator.comfyui import ComfyDialect
from evals.simulator.elevenlabs import ElevenLabsDialect
from evals.simulator.fal import FalDialect
from evals.simulator.jobs import Vendor
from evals.simulator.openai_images import OpenAiImagesDialect
from evals.simulator.replicate import ReplicateDialect
from evals.simulator.runway import RunwayDialect
from evals.simulator.wire import Wires
from infra.providers.elevenlabs import models as elevenlabs
from infra.providers.fal import models as fal
from infra.providers.replicate import models as replicate
from infra.providers.runway import models as runway

SECRET = "whsec_" + base64.b64encode(b"what only the two of us know").decode()
"""What webhooks are signed with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """A vendor and how it speaks."""

    vendor: Vendor
    dialect: Any
    routes: list[BaseRoute]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A vendor that can be opened, and the settings that lead to it."""

    speak: Callable[[Vendor, Wires], Any]
    url_setting: str
    key_setting: str | None = None
    path: str = ""
    """What of the address belongs to the setting: the version of the API, where it has one."""

    def open(self, books: Path, wires: Wires) -> Stand:
        """Return the vendor, with its books in a file."""
        vendor = Vendor(books=Books(books))
        dialect = self.speak(vendor, wires)
        return Stand(vendor=vendor, dialect=dialect, routes=list(dialect.routes))

    def settings(self, address: str, key: str) -> dict[str, str]:
        """Return the settings that lead to this vendor at an address."""
        keys = {self.key_setting: key} if self.key_setting else {}
        return {**keys, self.url_setting: f"{address}{self.path}"}


def _fal(vendor: Vendor, wires: Wires) -> FalDialect:
    model = fal.MODELS[0]

    def units(given: dict[str, Any]) -> int:
        return round(model.most_units(given["image_size"]))

    return FalDialect(vendor, wires, lambda given: units(given) * model.unit_micros, units)


def _replicate(vendor: Vendor, wires: Wires) -> ReplicateDialect:
    return ReplicateDialect(vendor, wires, lambda _: replicate.MODELS[0].unit_micros, SECRET)


def _openai_images(vendor: Vendor, wires: Wires) -> OpenAiImagesDialect:
    return OpenAiImagesDialect(vendor, wires, SECRET)


def _elevenlabs(vendor: Vendor, wires: Wires) -> ElevenLabsDialect:
    price = elevenlabs.MODELS[0].unit_micros
    return ElevenLabsDialect(vendor, wires, lambda given: len(given["text"]) * price)


def _runway(vendor: Vendor, wires: Wires) -> RunwayDialect:
    price = runway.MODELS[0].unit_micros
    return RunwayDialect(vendor, wires, lambda given: given["duration"] * price)


OFFERS: dict[str, Offer] = {
    "fal": Offer(speak=_fal, key_setting="ATELIER_FAL_KEY", url_setting="ATELIER_FAL_URL"),
    "replicate": Offer(
        speak=_replicate,
        key_setting="ATELIER_REPLICATE_TOKEN",
        url_setting="ATELIER_REPLICATE_URL",
        path="/v1",
    ),
    "openai_images": Offer(
        speak=_openai_images,
        key_setting="ATELIER_OPENAI_IMAGES_KEY",
        url_setting="ATELIER_OPENAI_IMAGES_URL",
        path="/v1",
    ),
    "elevenlabs": Offer(
        speak=_elevenlabs,
        key_setting="ATELIER_ELEVENLABS_KEY",
        url_setting="ATELIER_ELEVENLABS_URL",
        path="/v1",
    ),
    "runway": Offer(
        speak=_runway, key_setting="ATELIER_RUNWAY_KEY", url_setting="ATELIER_RUNWAY_URL"
    ),
    "comfyui": Offer(speak=ComfyDialect, url_setting="ATELIER_COMFYUI_URL"),
}
