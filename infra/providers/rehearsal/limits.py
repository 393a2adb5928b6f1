"""What is asked for inside a wish and cannot be: machines that do not exist, smells, the past.

The rest of the wish is met; what cannot be is said before anything is made.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from infra.providers.rehearsal.lexicon import Span, alternatives, words

_FINEST_K = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit(Span):
    """Something that cannot be, at its place."""

    what: str
    """`machine`, `senses`, `past` or `resolution`."""
    asked: str
    """How it was asked for, where that is a measure."""


def limits(folded: str) -> list[Limit]:
    """Return what of a wish cannot be met, in its order."""
    return sorted(_found(folded), key=lambda one: one.start)


def _found(folded: str) -> Iterator[Limit]:
    for match in _machine().finditer(folded):
        if match["before"] or match["after"]:
            yield _limit(match, "machine")
    for match in re.compile(alternatives(words("limit.senses"))).finditer(folded):
        yield _limit(match, "senses")
    for match in _past().finditer(folded):
        yield _limit(match, "past")
    for match in _resolution().finditer(folded):
        number = match["led"] or match["bare"]
        if int(number) > _FINEST_K:
            yield _limit(match, "resolution", f"{number}K")


def _limit(match: re.Match[str], what: str, asked: str = "") -> Limit:
    return Limit(start=match.start(), end=match.end(), what=what, asked=asked)


@cache
def _machine() -> re.Pattern[str]:
    """A machine with the word for what it is to do, before or after it."""
    made, on = (alternatives(words(f"limit.{name}")) for name in ("made", "on"))
    return re.compile(
        rf"(?P<before>{made}\s+(?:{on}\s+)+|用)?(?:{on}\s+)*{alternatives(words('limit.machine'))}"
        rf"(?P<after>\s*(?:으로|로|で)?\s*{made}(?:한|된|해서|하고|的|した|して)?)?"
    )


@cache
def _past() -> re.Pattern[str]:
    due = alternatives(words("limit.due"))
    day = alternatives(words("limit.yesterday"))
    return re.compile(
        rf"(?:{due}\s+)+{day}|{day}\s+(?:{due}\s*)+|{alternatives(words('limit.past'))}"
    )


@cache
def _resolution() -> re.Pattern[str]:
    quality = alternatives(words("limit.quality"))
    lead = alternatives("in|at|en|em|auf")
    return re.compile(
        rf"{lead}\s+(?P<led>\d{{1,3}})\s?k(?![a-z0-9])(?:\s*{quality})?"
        rf"|(?<!\d)(?P<bare>\d{{1,3}})\s?k(?![a-z0-9])\s*{quality}"
    )
