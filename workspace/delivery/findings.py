"""What a check found: a sentence for a person, and what was measured against which limit."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How much a finding matters: an error refuses delivery."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One result of one check; times in seconds from the start of the film."""

    check: str
    severity: Severity
    message: str
    tool: str = ""
    measured: Any = None
    limit: Any = None
    start_s: float | None = None
    end_s: float | None = None
    shot: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the finding as a client sees it."""
        values = asdict(self)
        start, end = values.pop("start_s"), values.pop("end_s")
        return {
            "id": values.pop("check"),
            **values,
            "severity": self.severity.value,
            "time_range": [start, end] if start is not None else None,
        }


def blocks(findings: Iterable[Finding]) -> bool:
    """Tell whether these findings refuse delivery."""
    return any(finding.severity is Severity.ERROR for finding in findings)
