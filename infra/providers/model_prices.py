"""What a chat model's answer cost, where its price is known; the prices are `model_prices.toml`.

A price per million tokens is also one in micro-units per token, so nothing is lost but the last
fraction of a micro-unit, which is rounded up.
"""

import re
import tomllib
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, Decimal
from pathlib import Path
from typing import Any

_ANY = "any"
_DATED = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2})$")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsage:
    """The tokens of one answer; `input` holds those that were cached or kept as well."""

    input: int
    cached: int = 0
    cache_write: int = 0
    output: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPrice:
    """A row of the table; amounts in units of the currency for a million tokens."""

    currency: str
    input: Decimal
    cached: Decimal
    cache_write: Decimal
    output: Decimal
    source: str
    date: date
    longest_input: int | None = None

    def micros(self, usage: TokenUsage) -> int:
        """Return the price of an answer in micro-units."""
        fresh = max(usage.input - usage.cached - usage.cache_write, 0)
        exact = (
            fresh * self.input
            + usage.cached * self.cached
            + usage.cache_write * self.cache_write
            + usage.output * self.output
        )
        return int(exact.to_integral_value(ROUND_CEILING))


def price_micros(model: str, usage: TokenUsage, currency: str) -> int | None:
    """Return what an answer cost in this currency; None where that is not known."""
    row = PRICES.get(model) or PRICES.get(_DATED.sub("", model))
    if row is None or row.currency not in (currency, _ANY):
        return None
    if row.longest_input is not None and usage.input > row.longest_input:
        return None
    return row.micros(usage)


def _row(written: dict[str, Any]) -> ModelPrice:
    amounts = {
        name: Decimal(written[name]) for name in ("input", "cached", "cache_write", "output")
    }
    return ModelPrice(
        currency=written["currency"],
        source=written["source"],
        date=written["date"],
        longest_input=written.get("longest_input"),
        **amounts,
    )


def _load() -> dict[str, ModelPrice]:
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return {model: _row(written) for model, written in tomllib.loads(text).items()}


PRICES = _load()
"""By specification, as `ATELIER_MODEL` names a model."""
