"""Settings: read once, frozen, and refused with a sentence rather than half understood."""

import os
from pathlib import Path

import pytest
from pydantic import ValidationError

from infra.errors import ConfigurationError
from infra.settings import load_settings


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):  # noqa: TID251 - the environment is what is tested
        if name.startswith("ATELIER_") or name == "DATABASE_URL":
            monkeypatch.delenv(name)


def test_nothing_has_to_be_set() -> None:
    settings = load_settings()
    assert settings.database_url is None
    assert settings.model == "rehearsal"
    assert settings.blob_dir == Path("data/blobs")
    assert (settings.host, settings.port) == ("127.0.0.1", 8321)


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATELIER_DATA_DIR", "/srv/atelier")
    monkeypatch.setenv("ATELIER_PORT", "9000")
    monkeypatch.setenv("DATABASE_URL", "postgresql://db/atelier")
    settings = load_settings()
    assert settings.blob_dir == Path("/srv/atelier/blobs")
    assert settings.port == 9000
    assert settings.database_url == "postgresql://db/atelier"


def test_settings_never_change(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings()
    with pytest.raises(ValidationError, match="frozen"):
        settings.port = 1
    monkeypatch.setenv("ATELIER_PORT", "9000")
    assert settings.port == 8321


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", ""])  # noqa: S104
def test_a_host_that_others_can_reach_is_refused(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("ATELIER_HOST", host)
    with pytest.raises(ConfigurationError, match="listens on this machine only"):
        load_settings()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_a_host_of_this_machine_is_taken(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("ATELIER_HOST", host)
    assert load_settings().host == host


def test_a_misspelled_setting_is_refused_with_the_likely_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ATELIER_LEASE_SECOND", "5")
    with pytest.raises(ConfigurationError, match="Did you mean ATELIER_LEASE_SECONDS"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("ATELIER_PORT", "eighty", "a whole number"),
        ("ATELIER_PORT", "", "a whole number"),
        ("ATELIER_PORT", "70000", "65535 at most"),
        ("ATELIER_POOL_SIZE", "1.5", "a whole number"),
        ("ATELIER_WORKER_SLOTS", "0", "1 or more"),
        ("ATELIER_LEASE_SECONDS", "long", "a number"),
        ("ATELIER_WATCHDOG_SECONDS", "0", "more than 0"),
        ("ATELIER_CURRENCY", "usd", "three capital letters, such as USD"),
        ("ATELIER_LOG_LEVEL", "loud", "debug, info, warning or error"),
    ],
)
def test_a_value_that_cannot_be_used_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, wanted: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError) as caught:
        load_settings()
    assert caught.value.message == f"{name}: it must be {wanted}, not '{value}'."


def test_a_frozen_worker_lets_go_of_its_rows_before_its_lease_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert load_settings().idle_transaction_seconds == 5
    monkeypatch.setenv("ATELIER_LEASE_SECONDS", "2")
    monkeypatch.setenv("ATELIER_WATCHDOG_SECONDS", "1")
    assert load_settings().idle_transaction_seconds == 1


def test_a_watchdog_slower_than_a_lease_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATELIER_WATCHDOG_SECONDS", "31")
    with pytest.raises(ConfigurationError, match="must not be longer"):
        load_settings()
