"""The timeline of a film as data, and its JSON.

Owns the shape that assembly builds, the render executes and the audit checks against; so it knows
no objects, providers or files, only keys. Times are seconds from the start of the film. Promises
that `read_timeline` gives back what `Timeline.to_json` wrote, and refuses anything else with a
sentence.
"""

from dataclasses import asdict, dataclass
from typing import Any, cast


class TimelineFormatError(ValueError):
    """The JSON is not a timeline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineShot:
    """A shot; `transition_s` is its crossfade from the shot before, or its fade from black."""

    key: str
    name: str
    start_s: float
    duration_s: float
    transition_s: float = 0.0

    @property
    def end_s(self) -> float:
        """When the next shot begins."""
        return self.start_s + self.duration_s


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineNarration:
    """A spoken line."""

    key: str
    start_s: float
    duration_s: float
    text: str

    @property
    def end_s(self) -> float:
        """When its sound ends."""
        return self.start_s + self.duration_s


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineMusic:
    """The music bed; `gain_db` is its level below the narration while that speaks."""

    key: str = "music"
    gain_db: float = -18.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineCaptions:
    """The keys of the caption files."""

    srt: str = "captions"
    ass: str | None = "captions_ass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """A whole film: what is seen and heard when, and how it is to be delivered."""

    title: str
    language: str
    width: int
    height: int
    fps: float
    duration_s: float
    shots: tuple[TimelineShot, ...]
    narration: tuple[TimelineNarration, ...] = ()
    music: TimelineMusic | None = None
    captions: TimelineCaptions | None = None
    burn_captions: bool = False
    loudness_lufs: float = -16.0
    true_peak_db: float = -1.5

    @property
    def frames(self) -> int:
        """How many frames the film has."""
        return round(self.duration_s * self.fps)

    def to_json(self) -> dict[str, Any]:
        """Return the timeline as plain JSON."""
        return {
            **asdict(self),
            "shots": [asdict(shot) for shot in self.shots],
            "narration": [asdict(line) for line in self.narration],
        }


def read_timeline(value: Any) -> Timeline:
    """Read a timeline from its JSON.

    Raises:
        TimelineFormatError: Something is missing or of another type; the message names it.
    """
    raw = _object(value, "The timeline")
    shots = tuple(_shot(item) for item in _items(raw, "shots"))
    if not shots:
        msg = "The timeline has no shots."
        raise TimelineFormatError(msg)
    music, captions = raw.get("music"), raw.get("captions")
    return Timeline(
        title=_text(raw, "title"),
        language=_text(raw, "language"),
        width=int(_number(raw, "width", low=16)),
        height=int(_number(raw, "height", low=16)),
        fps=_number(raw, "fps", low=1),
        duration_s=_number(raw, "duration_s", low=0.001),
        shots=shots,
        narration=tuple(_narration(item) for item in _items(raw, "narration")),
        music=None if music is None else _music(music),
        captions=None if captions is None else _captions(captions),
        burn_captions=raw.get("burn_captions") is True,
        loudness_lufs=_number(raw, "loudness_lufs", low=-70.0, default=-16.0),
        true_peak_db=_number(raw, "true_peak_db", low=-30.0, default=-1.5),
    )


def _shot(item: Any) -> TimelineShot:
    raw = _object(item, "A shot")
    return TimelineShot(
        key=_text(raw, "key"),
        name=_text(raw, "name"),
        start_s=_number(raw, "start_s"),
        duration_s=_number(raw, "duration_s", low=0.001),
        transition_s=_number(raw, "transition_s", default=0.0),
    )


def _narration(item: Any) -> TimelineNarration:
    raw = _object(item, "A line of narration")
    return TimelineNarration(
        key=_text(raw, "key"),
        start_s=_number(raw, "start_s"),
        duration_s=_number(raw, "duration_s", low=0.001),
        text=_text(raw, "text"),
    )


def _music(item: Any) -> TimelineMusic:
    raw = _object(item, "The music")
    return TimelineMusic(
        key=_text(raw, "key"), gain_db=_number(raw, "gain_db", low=-90.0, default=-18.0)
    )


def _captions(item: Any) -> TimelineCaptions:
    raw = _object(item, "The captions")
    ass = raw.get("ass")
    return TimelineCaptions(srt=_text(raw, "srt"), ass=ass if isinstance(ass, str) else None)


def _object(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        msg = f"{what} must be an object."
        raise TimelineFormatError(msg)
    return cast("dict[str, Any]", value)


def _items(raw: dict[str, Any], name: str) -> list[Any]:
    value: Any = raw.get(name) or []
    if not isinstance(value, list):
        msg = f"'{name}' of the timeline must be a list."
        raise TimelineFormatError(msg)
    return cast("list[Any]", value)


def _text(raw: dict[str, Any], name: str) -> str:
    value = raw.get(name)
    if not isinstance(value, str):
        msg = f"'{name}' in the timeline must be text."
        raise TimelineFormatError(msg)
    return value


def _number(
    raw: dict[str, Any], name: str, *, low: float = 0.0, default: float | None = None
) -> float:
    value = raw.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= low:
        msg = f"'{name}' in the timeline must be a number of at least {low:g}."
        raise TimelineFormatError(msg)
    return float(value)
