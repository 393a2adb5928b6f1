"""What an answer of a chat model cost, from the table of prices."""

from datetime import date

import pytest

from infra.providers.model_prices import PRICES, TokenUsage, price_micros

SONNET = "anthropic:claude-sonnet-5"


@pytest.mark.parametrize(
    ("usage", "micros"),
    [
        (TokenUsage(input=0), 0),
        (TokenUsage(input=1_000_000), 2_000_000),
        (TokenUsage(input=0, output=1_000_000), 10_000_000),
        (TokenUsage(input=1000, cached=1000), 200),
        (TokenUsage(input=1000, cache_write=1000), 2500),
        (TokenUsage(input=100, cached=90, cache_write=10, output=1), 18 + 25 + 10),
        (TokenUsage(input=1, cached=1), 1),  # a fifth of a micro-unit is not free
    ],
)
def test_each_kind_of_token_has_its_price_and_none_is_counted_twice(
    usage: TokenUsage, micros: int
) -> None:
    assert price_micros(SONNET, usage, "USD") == micros


@pytest.mark.parametrize(
    ("model", "currency", "tokens"),
    [
        ("anthropic:nobody-knows", "USD", 10),
        (SONNET, "EUR", 10),
        ("openai:gpt-5.5", "USD", 272_001),
    ],
)
def test_a_price_that_is_not_known_is_none(model: str, currency: str, tokens: int) -> None:
    assert price_micros(model, TokenUsage(input=tokens), currency) is None


def test_a_dated_version_costs_what_its_model_does() -> None:
    usage = TokenUsage(input=10)
    assert price_micros(f"{SONNET}-20260630", usage, "USD") == 20
    assert price_micros("openai:gpt-5.4-2026-03-01", usage, "USD") == 25


def test_rules_on_this_machine_cost_nothing_in_any_currency() -> None:
    assert price_micros("rehearsal", TokenUsage(input=1000, output=1000), "JPY") == 0


def test_each_row_says_where_and_when_it_was_read() -> None:
    for model, row in PRICES.items():
        assert row.source, model
        assert row.date <= date(2026, 11, 30), model
        assert row.cached <= row.input <= row.output, model
