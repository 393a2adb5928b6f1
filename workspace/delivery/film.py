"""A rendered film and everything it was made of, as the checks need it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmPlan:
    """The master with the timeline that was rendered and the files that went in, by their keys."""

    master: Path
    timeline: dict[str, Any]
    sources: dict[str, Path]
    captions: Path | None
    planned_duration_s: float
    script_lines: list[str] = field(default_factory=list[str])

    @property
    def duration_s(self) -> float:
        """The length that was rendered to."""
        return float(self.timeline["duration_s"])
