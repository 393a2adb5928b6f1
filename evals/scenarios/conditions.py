"""Small sentences about what a person can see: `posters.images >= 3`, `film.agreed ~ blue`.

The same words are used for what a script waits for, for a wish and for the end of a trial. A name
is looked up among facts; one that is not there has no value, and no comparison with it holds.
"""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Self

type Value = str | float
type Facts = Mapping[str, Value]

_PATTERN = re.compile(r"([a-z_][\w.]*)\s*(==|!=|>=|<=|>|<|~)\s*(\S+)")
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of one fact with a value."""

    name: str
    comparison: str
    wanted: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read one.

        Raises:
            ValueError: it is none.
        """
        found = _PATTERN.fullmatch(text.strip())
        if found is None:
            msg = f"'{text}' is no condition, such as 'posters.images >= 3'"
            raise ValueError(msg)
        condition = cls(*found.groups())
        if condition.is_by_number and number_of(condition.wanted) is None:
            msg = f"'{text}' compares with {condition.wanted}, which is no number"
            raise ValueError(msg)
        return condition

    @property
    def is_by_number(self) -> bool:
        """Whether it is about what is more or less."""
        return self.comparison in _COMPARE

    def holds(self, facts: Facts) -> bool:
        """Tell whether it holds."""
        value = facts.get(self.name)
        if value is None:
            return False
        if self.is_by_number:
            is_number = not isinstance(value, str)
            return is_number and _COMPARE[self.comparison](value, float(self.wanted))
        if self.comparison == "~":
            return self.wanted.lower() in str(value).lower()
        is_equal = _equal(value, self.wanted)
        return is_equal if self.comparison == "==" else not is_equal

    def __str__(self) -> str:
        return f"{self.name} {self.comparison} {self.wanted}"


def number_of(text: str) -> float | None:
    """Return the finite number that a text is, if it is one."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _equal(value: Value, wanted: str) -> bool:
    if isinstance(value, str):
        return value == wanted
    return value == number_of(wanted)


def unmet(conditions: list[Condition], facts: Facts) -> list[str]:
    """Return each condition that does not hold, with what was found."""
    return [
        f"{each}, but it is {facts.get(each.name, 'not there')}"
        for each in conditions
        if not each.holds(facts)
    ]
