"""A film's timeline, computed from the lengths of what was made; pure, and exact to the frame.

Shots follow one another without gaps and keep their lengths; a transition overlaps two shots
without shortening the film. Each line of narration starts shortly after its shot, later if the line
before is still being spoken, and must end before the film does: otherwise building fails and says
by how much. The result is the JSON that the render operation executes (all times in seconds from
the start).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from execution.errors import InvalidCallError

LEAD_IN_S = 0.3
PAUSE_S = 0.15
MUSIC_GAIN_DB = -18.0
LOUDNESS_LUFS = -16.0
TRUE_PEAK_DB = -1.5
_LAST_WORD_ROOM_S = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A clip as it was made."""

    key: str
    name: str
    duration_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A spoken line and the number (from 1) of the shot that it belongs to."""

    key: str
    shot: int
    text: str
    duration_s: float


def build(
    *,
    title: str,
    language: str,
    width: int,
    height: int,
    fps: int,
    shots: Sequence[Shot],
    narration: Sequence[Line],
    music_key: str | None,
    transition_s: float,
) -> dict[str, Any]:
    """Return the timeline of a film.

    Raises:
        InvalidCallError: there are no shots, a line belongs to no shot, or the words do not fit.
    """
    if not shots:
        message = "A film needs at least one shot."
        raise InvalidCallError(message)
    starts = [0]
    for shot in shots:
        starts.append(starts[-1] + round(shot.duration_s * fps))
    total_s = starts[-1] / fps
    return {
        "title": title,
        "language": language,
        "width": width,
        "height": height,
        "fps": fps,
        "duration_s": total_s,
        "shots": [
            {
                "key": shot.key,
                "name": shot.name,
                "start_s": starts[number] / fps,
                "duration_s": (starts[number + 1] - starts[number]) / fps,
                "transition_s": _transition(shots, number, transition_s),
            }
            for number, shot in enumerate(shots)
        ],
        "narration": _place(narration, [start / fps for start in starts[:-1]], total_s),
        "music": {"key": music_key, "gain_db": MUSIC_GAIN_DB} if music_key else None,
        "captions": None,
        "burn_captions": False,
        "loudness_lufs": LOUDNESS_LUFS,
        "true_peak_db": TRUE_PEAK_DB,
    }


def _transition(shots: Sequence[Shot], number: int, wanted_s: float) -> float:
    """Return how long the shot fades into the next; short shots fade less, the last one not."""
    if number + 1 == len(shots):
        return 0.0
    shortest = min(shots[number].duration_s, shots[number + 1].duration_s)
    return round(min(wanted_s, shortest / 4), 3)


def _place(
    narration: Sequence[Line], shot_starts: Sequence[float], total_s: float
) -> list[dict[str, Any]]:
    placed: list[dict[str, Any]] = []
    free_from = 0.0
    for line in sorted(narration, key=lambda line: line.shot):
        if not 1 <= line.shot <= len(shot_starts):
            message = (
                f"The line '{line.text[:60]}' belongs to shot {line.shot}, which is not there."
            )
            raise InvalidCallError(message)
        start = max(shot_starts[line.shot - 1] + LEAD_IN_S, free_from)
        placed.append(
            {
                "key": line.key,
                "start_s": round(start, 3),
                "duration_s": line.duration_s,
                "text": line.text,
            }
        )
        free_from = start + line.duration_s + PAUSE_S
    over_s = free_from - PAUSE_S + _LAST_WORD_ROOM_S - total_s
    if placed and over_s > 0:
        return _pull_forward(placed, total_s, over_s)
    return placed


def _pull_forward(
    placed: list[dict[str, Any]], total_s: float, over_s: float
) -> list[dict[str, Any]]:
    """Start lines earlier, last first, as far as the pauses before them allow."""
    latest_end = total_s - _LAST_WORD_ROOM_S
    moved: list[dict[str, Any]] = []
    for line in reversed(placed):
        start = min(line["start_s"], latest_end - line["duration_s"])
        moved.append({**line, "start_s": round(start, 3)})
        latest_end = start - PAUSE_S
    if moved[-1]["start_s"] < 0:
        message = f"The narration is {over_s:.1f} s too long for the film. Shorten some lines."
        raise InvalidCallError(message)
    return moved[::-1]
