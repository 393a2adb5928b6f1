"""Which generation services this installation has, and in which order they are asked.

A service is there once its key or address is set. What is made here needs neither and comes last;
`ATELIER_PROVIDERS` gives another order. Vendors' prices are in US dollars, so their keys are
refused in an installation that counts in another currency.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from pydantic import SecretStr

from infra.errors import ConfigurationError
from infra.providers.callbacks import Callbacks
from infra.providers.comfyui.provider import ComfyProvider
from infra.providers.fal import provider as fal
from infra.providers.fal.webhooks import JWKS_URL, FalWebhooks
from infra.providers.http.places import Places, origin_of
from infra.providers.http.webhooks import WebhookVerifier
from infra.providers.local import provider as local
from infra.providers.ports import Provider
from infra.providers.replicate import provider as replicate
from infra.providers.replicate.webhooks import ReplicateWebhooks
from infra.settings import Settings

_VENDORS_CURRENCY = "USD"


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The services by name, first choice first, and who can tell their calls from all others'."""

    providers: Mapping[str, Provider]
    verifiers: Mapping[str, WebhookVerifier]


def open_catalog(settings: Settings, callbacks: Callbacks | None) -> Catalog:
    """Return the services that the settings name.

    Raises:
        ConfigurationError: a key, an address or the order cannot be used.
    """
    found: dict[str, Provider] = {}
    for name, build in _BUILD.items():
        try:
            provider = build(settings, callbacks.of(name) if callbacks else None)
        except ValueError as error:
            message = f"The provider {name} cannot be used: {error}."
            raise ConfigurationError(message) from error
        if provider is not None:
            found[name] = provider
    _check_currency(settings, found)
    return Catalog(providers=_in_order(settings, found), verifiers=_verifiers(settings))


type _CallbackUrl = Callable[[UUID], str] | None
type _Build = Callable[[Settings, _CallbackUrl], Provider | None]


def _comfyui(settings: Settings, callback_url: _CallbackUrl) -> Provider | None:
    del callback_url
    return ComfyProvider(settings.comfyui_url) if settings.comfyui_url else None


def _fal(settings: Settings, callback_url: _CallbackUrl) -> Provider | None:
    if (key := _secret(settings.fal_key)) is None:
        return None
    if (url := settings.fal_url) is None:
        return fal.FalProvider(key, callback_url=callback_url)
    places = Places((origin_of(url),))
    return fal.FalProvider(
        key, callback_url=callback_url, url=url, api_url=f"{url}/v1", places=places
    )


def _replicate(settings: Settings, callback_url: _CallbackUrl) -> Provider | None:
    if (key := _secret(settings.replicate_token)) is None:
        return None
    callback_url = callback_url if settings.replicate_webhook_secret else None
    if (url := settings.replicate_url) is None:
        return replicate.ReplicateProvider(key, callback_url=callback_url)
    places = Places((origin_of(url),))
    return replicate.ReplicateProvider(key, callback_url=callback_url, url=url, places=places)


def _local(settings: Settings, callback_url: _CallbackUrl) -> Provider:
    del callback_url
    return local.LocalProvider(settings.data_dir / "attempts")


_BUILD: dict[str, _Build] = {
    "comfyui": _comfyui,
    "fal": _fal,
    "replicate": _replicate,
    local.NAME: _local,
}
"""In the order in which they are asked unless the settings say otherwise."""
_FREE = frozenset({"comfyui", local.NAME})


def _verifiers(settings: Settings) -> dict[str, WebhookVerifier]:
    jwks_url = f"{settings.fal_url}/.well-known/jwks.json" if settings.fal_url else JWKS_URL
    found: dict[str, WebhookVerifier] = {"fal": FalWebhooks(jwks_url=jwks_url)}
    if (secret := _secret(settings.replicate_webhook_secret)) is not None:
        found["replicate"] = ReplicateWebhooks([secret])
    return found


def _check_currency(settings: Settings, found: Mapping[str, Provider]) -> None:
    priced = sorted(set(found) - _FREE)
    if priced and settings.currency != _VENDORS_CURRENCY:
        message = (
            f"The prices of {', '.join(priced)} are in {_VENDORS_CURRENCY}, and ATELIER_CURRENCY is"
            f" {settings.currency}. Set it to {_VENDORS_CURRENCY}, or leave their keys out."
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
