"""Findings: what a check has found, with everything a person needs to accept or reject it."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How much a finding weighs; only an error refuses delivery."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was found.

    `check` is its stable id, `message` a sentence for a person; `tool` says how it was measured,
    with the arguments, so that anybody can measure it again.
    """

    check: str
    severity: Severity
    message: str
    tool: str = ""
    measured: float | str | None = None
    limit: float | str | None = None
    start_s: float | None = None
    end_s: float | None = None
    shot: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the finding as plain JSON."""
        return asdict(self)


def changed_count(reason: str) -> Finding:
    """Say that a decision was about other counts than there are now, and does not hold."""
    return Finding(check="count_changed", severity=Severity.ERROR, message=reason)


def refuses_delivery(findings: list[Finding]) -> bool:
    """Whether any finding is an error."""
    return any(finding.severity is Severity.ERROR for finding in findings)


def clock(seconds: float) -> str:
    """Return a time as a person reads it, such as 1:04.5."""
    minutes, rest = divmod(max(seconds, 0.0), 60)
    return f"{int(minutes)}:{rest:04.1f}"
