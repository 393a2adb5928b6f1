"""The one table of prices: whole, dated, and what adapters quote by."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

import infra.providers
from infra import clock
from infra.providers.http.places import Places
from infra.providers.http.seller import Seller
from infra.providers.services import SERVICES, price_table

PACKAGES = {path.parent.name for path in Path(infra.providers.__path__[0]).glob("*/models.py")}


def test_every_package_that_sells_is_in_the_table() -> None:
    assert PACKAGES - {"http"} == set(SERVICES)
    assert {price.provider for price in price_table()} == set(SERVICES)


def test_every_price_says_what_it_is_for_where_it_stands_and_since_when() -> None:
    for price in price_table():
        assert price.unit_micros > 0
        assert price.currency == "USD"
        assert price.unit
        assert price.model
        assert price.source.startswith("https://")
        assert date(2026, 1, 1) <= date.fromisoformat(price.as_of) <= clock.utc_now().date()
    keys = [(price.provider, price.operation, price.model, price.unit) for price in price_table()]
    assert len(set(keys)) == len(keys)


def test_the_table_holds_everything_that_a_model_charges_for() -> None:
    for name, service in SERVICES.items():
        for model in service.models:
            rows = [
                row for row in price_table() if (row.provider, row.model) == (name, model.address)
            ]
            assert [row.unit for row in rows] == [model.unit, *(rate.unit for rate in model.rates)]


@pytest.mark.parametrize("name", list(SERVICES))
def test_services_are_opened_alike_and_at_another_address(name: str, tmp_path: Path) -> None:
    here, service = "http://127.0.0.1:9/prefix", SERVICES[name]

    def callback(attempt_id: UUID) -> str:
        return f"https://here.example/{attempt_id}"

    given: list[dict[str, Callable[[UUID], str] | Any]] = [{}, {"callback_url": callback}]
    for more in given:
        provider = service.open("a-key", url=f"{here}/", folder=tmp_path, **more)
        assert isinstance(provider, Seller)
        assert provider.name == name
        assert provider.capabilities.operations == {model.operation for model in service.models}
        addresses = [value for name, value in vars(provider).items() if name.endswith("_url")]
        assert addresses
        assert [each for each in addresses if isinstance(each, str) and each != here] in (
            [],
            [f"{here}/v1"],
        )
        places = vars(provider)["_places"]
        assert isinstance(places, Places)
        assert not places.allow("https://elsewhere.example/file")
        assert not places.allow("http://127.0.0.1:10/file")
        with pytest.raises(ValueError, match="one line"):
            service.open("two words", folder=tmp_path)
