"""What a film was meant to be: the measure of validation and audit.

Owns the plan as delivery sees it: the timeline that was rendered and every part that was planned,
also those that never came to be. A part that is not `done` is absent from the work, and its state
says why; so nothing that is missing can look complete.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from infra.media.timeline import Timeline


class PartKind(StrEnum):
    """What a planned part is."""

    SHOT = "shot"
    NARRATION = "narration"
    MUSIC = "music"
    CAPTIONS = "captions"


class PartState(StrEnum):
    """What became of a planned part; the words of the checklist's slots."""

    DONE = "done"
    RUNNING = "running"
    FAILED = "failed"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPart:
    """One expected part and what became of it."""

    kind: PartKind
    key: str
    name: str
    state: PartState
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmPlan:
    """The timeline, every planned part, and the script that has to be heard and read."""

    timeline: Timeline
    parts: tuple[PlannedPart, ...]
    script: tuple[str, ...] = ()
    still_shots: frozenset[str] = field(default=frozenset())
    """Keys of shots that are meant to stand still."""

    @property
    def expects_sound(self) -> bool:
        """Whether anything is to be heard."""
        return bool(self.timeline.narration) or self.timeline.music is not None

    def shot_name(self, key: str) -> str:
        """Return a shot's name for people."""
        names = {shot.key: shot.name for shot in self.timeline.shots}
        return names.get(key) or key


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmSources:
    """The files that the film was made of, by the timeline's keys; absent ones are not compared."""

    shots: dict[str, Path] = field(default_factory=dict[str, Path])
    narration: dict[str, Path] = field(default_factory=dict[str, Path])
    captions: Path | None = None


def parts_of(timeline: Timeline) -> tuple[PlannedPart, ...]:
    """Return the parts of a timeline as done, for a plan that holds nothing beyond it."""
    parts = [
        PlannedPart(kind=PartKind.SHOT, key=shot.key, name=shot.name, state=PartState.DONE)
        for shot in timeline.shots
    ]
    parts += [
        PlannedPart(kind=PartKind.NARRATION, key=line.key, name=line.key, state=PartState.DONE)
        for line in timeline.narration
    ]
    if timeline.music is not None:
        key = timeline.music.key
        parts.append(PlannedPart(kind=PartKind.MUSIC, key=key, name="Music", state=PartState.DONE))
    if timeline.captions is not None:
        key = timeline.captions.srt
        parts.append(
            PlannedPart(kind=PartKind.CAPTIONS, key=key, name="Captions", state=PartState.DONE)
        )
    return tuple(parts)
