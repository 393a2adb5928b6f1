"""What chat models' services say beside an answer: how it ended, and what an error of theirs means.

Read from what all their clients share, an HTTP status and a reason to stop, so that nothing here
imports a vendor's package.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

_CUT_SHORT = frozenset({"length", "max_tokens", "model_context_window_exceeded"})
_TELL_WHY = frozenset({"openai", "anthropic", "azure_openai", "ollama"})
"""Services that say why an answer ended; one of theirs without a reason has broken off."""
_KEYS = frozenset({401, 403})
_NO_SUCH_MODEL = 404
_AWAY_BELOW_500 = frozenset({408, 409, 425, 429})
_SERVER_ERRORS = 500
_SHOWN_CHARACTERS = 300


class Ending(StrEnum):
    """How an answer ended."""

    WHOLE = "whole"
    CUT_SHORT = "cut_short"  # at the limit of its length: the last call may lack a part
    BROKEN_OFF = "broken_off"  # nobody knows what would have followed


class FaultKind(StrEnum):
    """Who can do something about a fault."""

    AWAY = "away"  # nobody has to: it passes
    SETUP = "setup"  # whoever runs the process
    REFUSED = "refused"  # asked again in the same way, it is refused again


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What kept a service from answering; `status` is None where none was received."""

    kind: FaultKind
    status: int | None
    said: str


def ending_of(metadata: dict[str, Any]) -> Ending:
    """Return how the answer with these response metadata ended."""
    reason = metadata.get("finish_reason") or metadata.get("stop_reason")
    reason = reason or metadata.get("done_reason")
    if reason in _CUT_SHORT:
        return Ending.CUT_SHORT
    if reason is None and metadata.get("model_provider") in _TELL_WHY:
        return Ending.BROKEN_OFF
    return Ending.WHOLE


def fault_of(error: BaseException) -> Fault:
    """Return what an error of a client means; what is not understood passes."""
    said = " ".join(str(error).split())[:_SHOWN_CHARACTERS] or type(error).__name__
    return Fault(kind=_kind(status := _status(error)), status=status, said=said)


def _kind(status: int | None) -> FaultKind:
    if status is None or status in _AWAY_BELOW_500 or status >= _SERVER_ERRORS:
        return FaultKind.AWAY
    if status in _KEYS or status == _NO_SUCH_MODEL:
        return FaultKind.SETUP
    return FaultKind.REFUSED


def _status(error: BaseException | None) -> int | None:
    while error is not None:
        status = getattr(error, "status_code", None)
        if isinstance(status, int):
            # A client that could not read an answer still names its status, 200.
            return status if status >= 400 else None  # noqa: PLR2004 - the first that is no success
        error = error.__cause__
    return None
