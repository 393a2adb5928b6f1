"""Links to what is here, in a person's words; pure.

A link is an address of this installation that names a task, a question or an object by its id: one
of the page (`/#task=<id>`, as `web/src/state/links.ts` makes it) or of the interface
(`/v1/objects/<id>/content`). An address of any other place is only a word of the message.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit
from uuid import UUID

type Kind = Literal["task", "approval", "object"]

MAX_LINKS = 10
_ADDRESS = re.compile(
    r"https?://(?:\[[0-9a-f:]+\])?[^\s<>\"'`|\\^{}\[\](（）「」『』【】《》“”„«»、。，；]+",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?<![a-z])(task|approval|question|object)s?[/=:-]([^/?#&=;,]+)", re.IGNORECASE
)
_KINDS: dict[str, Kind] = {
    "task": "task",
    "approval": "approval",
    "question": "approval",
    "object": "object",
}
_PORTS = {"http": 80, "https": 443}
_AFTER = ".,;:!?)…"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What an address names; None for an id that nothing can have."""

    kind: Kind
    identity: UUID | None


def links_in(text: str, places: Collection[str]) -> list[Link]:
    """Return what the links of a text name, each once, in their order.

    Args:
        text: what a person wrote.
        places: where this installation is reached, as addresses or `host:port`.
    """
    ours = {place for each in places if (place := place_of(each)) is not None}
    found = (
        _named(address)
        for address in _ADDRESS.findall(text)
        if (place := place_of(address)) is not None and place in ours
    )
    return list(dict.fromkeys(link for link in found if link is not None))[:MAX_LINKS]


def without(text: str) -> str:
    """Return a text without its addresses, or as it is if it is nothing else."""
    return " ".join(_ADDRESS.sub(" ", text).split()) or text.strip()


def place_of(address: str) -> tuple[str, int] | None:
    """Return host and port of an address; this machine has one name. None if it is no address."""
    try:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return None
    if not host:
        return None
    return "localhost" if host in _LOOPBACK else host, port or _PORTS.get(parts.scheme, 0)


def _named(address: str) -> Link | None:
    """Return the innermost thing that an address names."""
    after_host = address.partition("://")[2].partition("/")[2]
    named = [(kind.lower(), _id(word)) for kind, word in _NAMED.findall(after_host)]
    if not named:
        return None
    known = [each for each in named if each[1] is not None]
    kind, identity = (known or named)[-1]
    return Link(kind=_KINDS[kind], identity=identity)


def _id(word: str) -> UUID | None:
    word = word.rstrip(_AFTER).lower()
    try:
        found = UUID(word)
    except ValueError:
        return None
    return found if str(found) == word else None
