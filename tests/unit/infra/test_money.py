"""Money: whole micro-units of one currency, exact, and readable in the person's language."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.money import CurrencyMismatchError, Money

micros = st.integers(min_value=-(10**15), max_value=10**15)


@given(micros, micros)
def test_adding_and_taking_away_are_exact(one: int, other: int) -> None:
    total = Money(one, "EUR") + Money(other, "EUR")
    assert total - Money(other, "EUR") == Money(one, "EUR")
    assert total.units == Decimal(one + other) / 1_000_000


@given(micros)
def test_whole_units_and_back_lose_nothing(amount: int) -> None:
    money = Money(amount, "USD")
    assert Money.of(money.units, "USD") == money


def test_two_currencies_are_never_added_or_compared() -> None:
    with pytest.raises(CurrencyMismatchError, match="USD cannot be added to or compared with"):
        _ = Money(1, "USD") + Money(1, "EUR")
    with pytest.raises(CurrencyMismatchError):
        _ = Money(1, "USD") - Money(1, "EUR")
    with pytest.raises(CurrencyMismatchError):
        _ = Money(1, "USD") < Money(1, "EUR")
    assert Money(1, "USD") != Money(1, "EUR")


@pytest.mark.parametrize("wrong", [1.0, True, "1", None, Decimal(1)])
def test_anything_but_a_whole_number_of_micros_is_refused(wrong: object) -> None:
    with pytest.raises(TypeError, match="whole micro-units"):
        Money(wrong, "USD")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Money(1, "USD") * wrong  # type: ignore[operator]


def test_a_float_amount_is_refused() -> None:
    with pytest.raises(TypeError, match="no float"):
        Money.of(0.1, "USD")  # type: ignore[arg-type]


def test_an_amount_finer_than_a_micro_is_refused() -> None:
    with pytest.raises(ValueError, match="finer than a micro-unit"):
        Money.of("0.0000001", "USD")


@pytest.mark.parametrize("currency", ["", "usd", "US", "DOLLAR", "ÄÖÜ", "US1"])
def test_what_is_no_currency_code_is_refused(currency: str) -> None:
    with pytest.raises(ValueError, match="not a currency code"):
        Money(1, currency)


def test_amounts_of_one_currency_are_ordered() -> None:
    cheap, dear = Money.of(1, "USD"), Money.of(2, "USD")
    assert cheap < dear
    assert dear >= cheap
    assert max(cheap, dear) == dear
    assert dear == cheap * 2 == 2 * cheap
    assert not Money.zero("USD")
    assert -cheap < Money.zero("USD") < cheap


@pytest.mark.parametrize(
    ("amount", "currency", "language", "shown"),
    [
        ("1234567.5", "USD", "en", "$1,234,567.50"),
        ("1234567.5", "EUR", "de", "1.234.567,50\xa0€"),
        ("12", "USD", "ko", "US$12.00"),
        ("1500", "KRW", "ko", "₩1,500"),
        ("12.5", "CNY", "zh-Hans-CN", "¥12.50"),
        ("1234567", "INR", "hi", "₹12,34,567.00"),
        ("-3.5", "USD", "en", "-$3.50"),
        ("2", "USD", "no such language", "$2.00"),
        ("2", "USD", "", "$2.00"),
    ],
)
def test_an_amount_reads_as_people_write_it(
    amount: str, currency: str, language: str, shown: str
) -> None:
    assert Money.of(amount, currency).format(language) == shown


def test_a_tiny_price_never_reads_as_free() -> None:
    assert Money.of("0.0004", "USD").format("en") == "$0.0004"
    assert Money.of("0.000001", "USD").format("de") == "0,000001\xa0$"
    assert Money.of("0.5", "JPY").format("en") == "¥0.5"
