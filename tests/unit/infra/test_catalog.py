"""Which services an installation has: from its settings, in its order, or refused with the name."""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pydantic import SecretStr

from infra.errors import ConfigurationError
from infra.providers.callbacks import Callbacks
from infra.providers.catalog import open_catalog, service_names
from infra.providers.services import SERVICES
from infra.settings import Settings

ATTEMPT = UUID(int=7)
CALLBACKS = Callbacks(public_url="https://here.example", key=b"k" * 32)
SECRET = SecretStr("whsec_c2VjcmV0")
KEYS = {
    "fal": "fal_key",
    "replicate": "replicate_token",
    "openai_images": "openai_images_key",
    "elevenlabs": "elevenlabs_key",
    "runway": "runway_key",
}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path)


def with_(settings: Settings, **changes: Any) -> Settings:
    return settings.model_copy(update=changes)


def test_without_a_key_works_are_made_here(settings: Settings) -> None:
    assert service_names(settings) == ["local"]


def test_a_service_is_there_once_its_key_is_set_and_what_is_made_here_comes_last(
    settings: Settings,
) -> None:
    assert set(KEYS) == set(SERVICES)
    for name, field in KEYS.items():
        assert service_names(with_(settings, **{field: SecretStr("key")})) == [name, "local"]
    every = with_(settings, **dict.fromkeys(KEYS.values(), SecretStr("key")))
    every = with_(every, comfyui_url="http://127.0.0.1:8188")
    assert set(service_names(every)) == {*SERVICES, "comfyui", "local"}
    assert service_names(every)[-1] == "local"
    assert list(open_catalog(every, None).listeners) == ["comfyui progress"]


def test_the_order_is_the_installations_and_leaves_none_out(settings: Settings) -> None:
    both = with_(settings, fal_key=SecretStr("a"), runway_key=SecretStr("b"))
    wanted = with_(both, providers=" local, runway ,, local")
    assert service_names(wanted) == ["local", "runway", "fal"]
    with pytest.raises(ConfigurationError, match="names nobody, which is not set up"):
        service_names(with_(both, providers="runway,nobody"))


def test_a_key_that_cannot_be_used_is_refused_with_the_services_name(
    settings: Settings,
) -> None:
    with pytest.raises(ConfigurationError, match=r"runway cannot be used: .*one line"):
        service_names(with_(settings, runway_key=SecretStr("two words")))


def test_prices_in_dollars_are_refused_where_another_currency_is_counted(
    settings: Settings,
) -> None:
    euros = with_(settings, currency="EUR")
    assert service_names(euros) == ["local"]
    with pytest.raises(ConfigurationError, match="prices of fal are in USD"):
        service_names(with_(euros, fal_key=SecretStr("a")))


def test_a_secret_of_webhooks_that_is_none_is_refused_and_its_words_stay_unsaid(
    settings: Settings,
) -> None:
    for wrong in ("secret", "whsec_", "whsec_ü", "whsec_not base64"):
        wired = with_(settings, replicate_webhook_secret=SecretStr(wrong))
        with pytest.raises(ConfigurationError, match="must be whsec_ and base64") as refused:
            open_catalog(wired, None)
        assert wrong not in str(refused.value).replace("whsec_ and", "")


def test_only_a_service_whose_calls_can_be_told_from_others_is_given_an_address_to_call(
    settings: Settings,
) -> None:
    keys = with_(settings, **dict.fromkeys(KEYS.values(), SecretStr("key")))
    signed = with_(keys, replicate_webhook_secret=SECRET)
    assert called(signed, CALLBACKS) == {"fal", "replicate"}
    assert called(keys, CALLBACKS) == {"fal"}, "Replicate's calls cannot be checked without it"
    assert called(signed, None) == set(), "nobody can call here"
    assert set(open_catalog(signed, CALLBACKS).verifiers) == {"fal", "replicate"}
    assert set(open_catalog(keys, CALLBACKS).verifiers) == {"fal"}


def called(settings: Settings, callbacks: Callbacks | None) -> set[str]:
    """The services that are told where to call."""
    found: set[str] = set()
    for name, provider in open_catalog(settings, callbacks).providers.items():
        tells = vars(provider).get("_callback_url")
        if tells is not None:
            assert tells(ATTEMPT).startswith(f"https://here.example/hooks/{name}/")
            found.add(name)
    return found
