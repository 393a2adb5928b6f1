"""Which generation services this installation has, and in which order they are asked.

A service is there once its key or address is set. What is made here needs neither and comes last;
`ATELIER_PROVIDERS` gives another order. Vendors' prices are in US dollars, so their keys are
refused in an installation that counts in another currency.
"""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import SecretStr

from infra.errors import ConfigurationError
from infra.providers.callbacks import Callbacks
from infra.providers.comfyui import provider as comfyui
from infra.providers.fal import provider as fal
from infra.providers.fal.webhooks import JWKS_URL, FalWebhooks
from infra.providers.http.models import CURRENCY
from infra.providers.http.webhooks import WebhookVerifier, sign
from infra.providers.local import provider as local
from infra.providers.ports import Provider
from infra.providers.replicate import provider as replicate
from infra.providers.replicate.webhooks import ReplicateWebhooks
from infra.providers.services import SERVICES
from infra.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The services by name, first choice first, and who can tell their calls from all others'."""

    providers: Mapping[str, Provider]
    verifiers: Mapping[str, WebhookVerifier]
    listeners: Mapping[str, Callable[[], Coroutine[Any, Any, None]]]
    """What a process keeps running to hear of progress; without it everything else works."""


def open_catalog(settings: Settings, callbacks: Callbacks | None) -> Catalog:
    """Return the services that the settings name.

    Raises:
        ConfigurationError: a key, an address or the order cannot be used.
    """
    found: dict[str, Provider] = {}
    listeners: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {}
    if settings.comfyui_url:
        own = comfyui.ComfyProvider(settings.comfyui_url)
        found[comfyui.NAME] = own
        listeners["comfyui progress"] = own.listen
    paid = _paid(settings, callbacks)
    _check_currency(settings, paid)
    attempts = settings.data_dir / "attempts"
    found |= paid | {local.NAME: local.LocalProvider(attempts)}
    return Catalog(
        providers=_in_order(settings, found),
        verifiers=_verifiers(settings),
        listeners=listeners,
    )


def service_names(settings: Settings) -> list[str]:
    """Return the services that the settings name, first choice first.

    Raises:
        ConfigurationError: as for `open_catalog`.
    """
    return list(open_catalog(settings, None).providers)


def _paid(settings: Settings, callbacks: Callbacks | None) -> dict[str, Provider]:
    """Return the services whose keys are set."""
    access = {
        fal.NAME: (settings.fal_key, settings.fal_url),
        replicate.NAME: (settings.replicate_token, settings.replicate_url),
        "openai_images": (settings.openai_images_key, settings.openai_images_url),
        "elevenlabs": (settings.elevenlabs_key, settings.elevenlabs_url),
        "runway": (settings.runway_key, settings.runway_url),
    }
    found: dict[str, Provider] = {}
    for name, (key, url) in access.items():
        if key is None:
            continue
        try:
            found[name] = SERVICES[name].open(
                key.get_secret_value(),
                url=url,
                callback_url=_callback_url(settings, callbacks, name),
                folder=settings.data_dir / "attempts",
            )
        except ValueError as error:
            message = f"The provider {name} cannot be used: {error}."
            raise ConfigurationError(message) from error
    return found


def _callback_url(
    settings: Settings, callbacks: Callbacks | None, name: str
) -> Callable[[UUID], str] | None:
    """Return where a service calls, if it can and its calls can be told from others'."""
    is_known = name == fal.NAME or (
        name == replicate.NAME and settings.replicate_webhook_secret is not None
    )
    return callbacks.of(name) if callbacks and is_known else None


def _verifiers(settings: Settings) -> dict[str, WebhookVerifier]:
    jwks_url = f"{settings.fal_url}/.well-known/jwks.json" if settings.fal_url else JWKS_URL
    found: dict[str, WebhookVerifier] = {fal.NAME: FalWebhooks(jwks_url=jwks_url)}
    if (secret := _secret(settings.replicate_webhook_secret)) is not None:
        if sign(secret, b"") is None:
            message = "ATELIER_REPLICATE_WEBHOOK_SECRET is none: it must be whsec_ and base64."
            raise ConfigurationError(message)
        found[replicate.NAME] = ReplicateWebhooks([secret])
    return found


def _check_currency(settings: Settings, paid: Mapping[str, Provider]) -> None:
    if paid and settings.currency != CURRENCY:
        message = (
            f"The prices of {', '.join(paid)} are in {CURRENCY}, and ATELIER_CURRENCY is "
            f"{settings.currency}. Set it to {CURRENCY}, or leave their keys out."
        )
        raise ConfigurationError(message)


def _in_order(settings: Settings, found: Mapping[str, Provider]) -> dict[str, Provider]:
    wanted = [name.strip() for name in settings.providers.split(",") if name.strip()]
    for name in wanted:
        if name not in found:
            there = ", ".join(found)
            message = f"ATELIER_PROVIDERS names {name}, which is not set up. Set up are: {there}."
            raise ConfigurationError(message)
    return {name: found[name] for name in dict.fromkeys((*wanted, *found))}


def _secret(value: SecretStr | None) -> str | None:
    return value.get_secret_value() if value is not None else None
