"""How a beat is shown: size, camera move, time of day, light and distance.

Promises that a move suits its size, that no move follows itself, and that the day runs forward:
a film begins in the morning and ends at night unless the brief fixes the hour.
"""

import re
from collections.abc import Sequence

from infra.providers.rehearsal.script_types import Brief, Camera, ShotSize
from infra.providers.rehearsal.themes.beats import Beat
from infra.providers.rehearsal.themes.chance import draw, pick
from infra.providers.rehearsal.themes.hours import asked_hour

_MOVES: dict[ShotSize, tuple[Camera, ...]] = {
    "wide": ("pan_right", "push_in", "pan_left", "pull_out", "drift", "tilt_down", "tilt_up"),
    "medium": ("push_in", "orbit", "pan_left", "drift", "pan_right", "tilt_up"),
    "close-up": ("drift", "push_in", "orbit", "tilt_down"),
    "detail": ("push_in", "drift", "tilt_up", "pan_right"),
}
_CALM: frozenset[Camera] = frozenset({"push_in", "pull_out", "drift"})
_LIVELY: frozenset[Camera] = frozenset({"pan_left", "pan_right", "orbit", "tilt_up", "tilt_down"})
_CALM_MOODS = frozenset({"calm", "melancholic", "warm", "mysterious"})
_LIVELY_MOODS = frozenset({"energetic", "playful", "dramatic"})
_HOURS = ("dawn", "morning", "midday", "late afternoon", "dusk", "night")
_LIGHT = {
    "dawn": ("pale dawn light", "first light at dawn"),
    "morning": ("clear morning light", "morning, low sun", "bright morning"),
    "midday": ("midday, clear light", "midday, short shadows"),
    "late afternoon": ("late daylight, long shadows", "late daylight, low sun"),
    "dusk": ("dusk, last light", "dusk, deep colour in the sky"),
    "night": ("night, a little light", "night, deep shadows"),
}
_HAS_HOUR = re.compile(
    r"\b(?:dawn|sunrise|morning|noon|midday|daylight|afternoon|dusk|sunset|evening|night|midnight|"
    r"moon|moonlight|stars|starry|overcast|fog|foggy|rain|candle|planet|galaxy|space)\b"
)
_DISTANCE: dict[ShotSize, tuple[str, ...]] = {
    "wide": ("wide view", "wide view from afar", "wide open view"),
    "medium": ("medium view", "medium view, a few steps away"),
    "close-up": ("close-up", "close-up at eye level"),
    "detail": ("macro detail", "detail, very near"),
}

_NEXT_SIZE: dict[ShotSize, ShotSize] = {
    "wide": "medium",
    "medium": "wide",
    "close-up": "detail",
    "detail": "close-up",
}
_WILD_SHARE = 0.3
"""How often a move is taken that the mood would not ask for."""


def sizes(beats: Sequence[Beat]) -> list[ShotSize]:
    """Return the sizes of the shots; three of one size in a row are broken up."""
    found: list[ShotSize] = []
    for beat in beats:
        size = beat.size
        if found[-2:] == [size, size]:
            size = _NEXT_SIZE[size]
        found.append(size)
    return found


def cameras(shot_sizes: Sequence[ShotSize], brief: Brief, seed: str) -> list[Camera]:
    """Return a move for every shot."""
    moods = set(brief.moods)
    moves: list[Camera] = []
    for index, size in enumerate(shot_sizes):
        allowed: list[Camera] = [move for move in _MOVES[size] if move not in moves[-1:]]
        fresh: list[Camera] = [move for move in allowed if move not in moves[-2:]] or allowed
        if index == len(shot_sizes) - 1 and index and "pull_out" in fresh:
            moves.append("pull_out")
            continue
        liked = (
            _CALM if moods & _CALM_MOODS else _LIVELY if moods & _LIVELY_MOODS else _CALM | _LIVELY
        )
        preferred: list[Camera] = [move for move in fresh if move in liked] or fresh
        wild = draw(seed, "wild", index) < _WILD_SHARE
        options = fresh if wild else preferred
        move: Camera = options[int(draw(seed, "camera", index) * len(options))]
        moves.append(move)
    return moves


def pictures(
    beats: Sequence[Beat], shot_sizes: Sequence[ShotSize], thing: str, brief: Brief, seed: str
) -> list[str]:
    """Return what is seen in every shot, in English."""
    return [
        _picture(beat, size, thing, _hour(index, len(beats), brief), f"{seed}:{index}")
        for index, (beat, size) in enumerate(zip(beats, shot_sizes, strict=True))
    ]


def _hour(index: int, count: int, brief: Brief) -> str:
    if (asked := asked_hour(brief)) is not None:
        return asked
    if count == 1:
        return "morning"
    return _HOURS[round(index * (len(_HOURS) - 1) / (count - 1))]


def _picture(beat: Beat, size: ShotSize, thing: str, hour: str, seed: str) -> str:
    parts = [beat.picture.replace("{thing}", thing)]
    if not _HAS_HOUR.search(beat.picture):
        parts.append(pick(_LIGHT[hour], seed, "light"))
    parts.append(pick(_DISTANCE[size], seed, "distance"))
    return ", ".join(parts)
