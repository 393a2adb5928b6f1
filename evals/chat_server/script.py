"""What a service of chat models is told to answer, request by request, and what it was asked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

type Fate = Literal[
    "whole",  # to its end
    "cut_short",  # at the limit of its length: half of what was left is missing
    "stalled",  # half of it, and then nothing but signs of life
    "dropped",  # half of it, and then the connection is closed
    "ended_early",  # half of it, and then an orderly end without a reason to stop
    "malformed",  # half of it, and then a piece that is no JSON
    "silent",  # the request is taken and nothing ever comes
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of a tool; `arguments` as they stand on the wire, right or wrong."""

    name: str
    arguments: str = "{}"
    call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What a service counts; `fresh` is input that was neither cached nor kept."""

    fresh: int = 100
    cached: int = 0
    kept: int = 0
    output: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An answer that is an error: its status, the service's own word for it, and its sentence."""

    status: int
    kind: str
    message: str
    retry_after_s: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer; `counted` is None where the service does not say what it has counted."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    counted: Counted | None = field(default_factory=Counted)
    fate: Fate = "whole"
    piece: int = 7
    """So many characters are streamed at once."""


type Answer = Reply | Refusal
type Choose = Callable[[dict[str, Any]], Answer]

UNAUTHORIZED = Refusal(status=401, kind="authentication_error", message="invalid x-api-key")
RATE_LIMITED = Refusal(
    status=429, kind="rate_limit_error", message="Too many requests.", retry_after_s=1
)
BROKEN = Refusal(status=500, kind="api_error", message="Internal server error")
OVERLOADED = Refusal(status=529, kind="overloaded_error", message="Overloaded")
TOO_LONG = Refusal(
    status=400, kind="invalid_request_error", message="prompt is too long: 300000 tokens"
)


@dataclass
class Script:
    """Answers by the number of the request, from one; after the last of them, `otherwise`.

    An answer may be chosen from the request. `asked` are the requests' bodies as they arrived.
    """

    answers: list[Answer | Choose] = field(default_factory=list[Answer | Choose])
    otherwise: Answer | Choose = field(default_factory=Reply)
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def next(self, body: dict[str, Any]) -> Answer:
        """Take a request down and return what is answered to it."""
        self.asked.append(body)
        number = len(self.asked)
        chosen = self.answers[number - 1] if number <= len(self.answers) else self.otherwise
        return chosen(body) if callable(chosen) else chosen


def tools_of(body: dict[str, Any]) -> list[str]:
    """Return the tools that a request offers, in either format."""
    return [tool.get("function", tool)["name"] for tool in body.get("tools", [])]


def pieces(text: str, size: int) -> list[str]:
    """Return a text in pieces of a size."""
    return [text[at : at + size] for at in range(0, len(text), size)]
