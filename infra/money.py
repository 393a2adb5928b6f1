"""Money as an integer number of micro-units of one currency; never a float.

A million micro-units are one unit, so a price per token and a film's total are both exact. Amounts
of two currencies are never added or compared.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import total_ordering
from typing import Self

from babel import Locale, UnknownLocaleError
from babel.numbers import format_currency, get_currency_precision

from infra.errors import AppError

MICROS = 1_000_000
_CURRENCY = re.compile(r"[A-Z]{3}")
_FALLBACK_LOCALE = Locale("en")


class CurrencyMismatchError(AppError):
    """Amounts of two currencies cannot be added or compared."""

    code = "currency_mismatch"

    def __init__(self, left: str, right: str) -> None:
        self.left = left
        self.right = right
        super().__init__(f"An amount in {left} cannot be added to or compared with one in {right}.")


@total_ordering
@dataclass(frozen=True, slots=True)
class Money:
    """An amount in micro-units of a currency (ISO 4217, upper case)."""

    micros: int
    currency: str

    def __post_init__(self) -> None:
        _whole(self.micros)
        if not _CURRENCY.fullmatch(self.currency):
            message = f"{self.currency!r} is not a currency code such as USD"
            raise ValueError(message)

    @classmethod
    def zero(cls, currency: str) -> Self:
        """Return nothing, in a currency."""
        return cls(0, currency)

    @classmethod
    def of(cls, units: Decimal | int | str, currency: str) -> Self:
        """Return an amount given in units, such as `"1.25"`; finer than a micro is refused."""
        if isinstance(units, float):
            message = "Money takes no float; give a Decimal, an int or text"
            raise TypeError(message)
        micros = Decimal(units) * MICROS
        if micros != micros.to_integral_value():
            message = f"{units} {currency} is finer than a micro-unit"
            raise ValueError(message)
        return cls(int(micros), currency)

    @property
    def units(self) -> Decimal:
        """The amount in whole units, exact."""
        return Decimal(self.micros) / MICROS

    def __add__(self, other: "Money") -> "Money":
        return Money(self.micros + self._same(other), self.currency)

    def __sub__(self, other: "Money") -> "Money":
        return Money(self.micros - self._same(other), self.currency)

    def __mul__(self, count: int) -> "Money":
        return Money(self.micros * _whole(count), self.currency)

    __rmul__ = __mul__

    def __neg__(self) -> "Money":
        return Money(-self.micros, self.currency)

    def __bool__(self) -> bool:
        return self.micros != 0

    def __lt__(self, other: "Money") -> bool:
        return self.micros < self._same(other)

    def _same(self, other: "Money") -> int:
        if other.currency != self.currency:
            raise CurrencyMismatchError(self.currency, other.currency)
        return other.micros

    def format(self, language: str = "en") -> str:
        """Return the amount as a person writes it in a language (BCP 47).

        Shows the currency's usual digits, more when the amount is finer: a price of 0.0004 must not
        read as free.
        """
        finest = -int(self.units.normalize().as_tuple().exponent)
        digits = max(get_currency_precision(self.currency), finest, 0)
        locale = _locale(language)
        pattern = locale.currency_formats["standard"].pattern
        pattern = pattern.replace("0.00", "0." + "0" * digits if digits else "0")
        return format_currency(
            self.units, self.currency, pattern, locale=locale, currency_digits=False
        )


def _whole(value: int) -> int:
    """Return the value if it is a true integer; a float or bool would be a mistake elsewhere."""
    if type(value) is not int:
        message = f"Money counts whole micro-units, not {type(value).__name__}"
        raise TypeError(message)
    return value


def _locale(language: str) -> Locale:
    try:
        return Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return _FALLBACK_LOCALE
