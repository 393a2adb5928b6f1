"""The paid services that can be ordered from: how each is opened, and what it charges.

Names are those that jobs and prices carry. What a service costs stands in its own `models`; here is
all of it in one table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from infra.providers.elevenlabs import models as elevenlabs_models
from infra.providers.elevenlabs import provider as elevenlabs
from infra.providers.fal import models as fal_models
from infra.providers.fal import provider as fal
from infra.providers.http.models import CURRENCY, Model
from infra.providers.http.seller import CallbackUrl
from infra.providers.openai_images import models as openai_models
from infra.providers.openai_images import provider as openai_images
from infra.providers.ports import Provider
from infra.providers.replicate import models as replicate_models
from infra.providers.replicate import provider as replicate
from infra.providers.runway import models as runway_models
from infra.providers.runway import provider as runway


class Opens(Protocol):
    """Opens a service with its key: at its own address, or at another such as a simulator's."""

    def __call__(
        self,
        key: str,
        *,
        url: str | None = None,
        callback_url: CallbackUrl | None = None,
        folder: Path | None = None,
    ) -> Provider:
        """Return the provider; `folder` is where one that answers at once keeps its results."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A paid service."""

    open: Opens
    models: tuple[Model, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What one unit of something costs, where that stands and since when it is known."""

    provider: str
    operation: str
    model: str
    unit: str
    unit_micros: int
    currency: str
    source: str
    as_of: str


SERVICES: Mapping[str, Service] = {
    fal.NAME: Service(open=fal.open_provider, models=fal_models.MODELS),
    replicate.NAME: Service(open=replicate.open_provider, models=replicate_models.MODELS),
    openai_images.NAME: Service(open=openai_images.open_provider, models=openai_models.MODELS),
    elevenlabs.NAME: Service(open=elevenlabs.open_provider, models=elevenlabs_models.MODELS),
    runway.NAME: Service(open=runway.open_provider, models=runway_models.MODELS),
}


def price_table() -> list[Price]:
    """Return every price of every paid service: a row for each thing that a model charges for."""
    return [
        Price(
            provider=name,
            operation=model.operation,
            model=model.address,
            unit=unit,
            unit_micros=micros,
            currency=CURRENCY,
            source=model.source,
            as_of=model.as_of,
        )
        for name, service in SERVICES.items()
        for model in service.models
        for unit, micros in (
            (model.unit, model.unit_micros),
            *((rate.unit, rate.unit_micros) for rate in model.rates),
        )
    ]
