"""The camera of a clip: where each depth of a scene is seen at each moment of a move.

Owns the moves. Promises that no move shows what lies beyond the picture's edge, that it never stops
or jumps, and that near things move more than far ones. All values are fractions of a pixel.
"""

from dataclasses import dataclass
from enum import StrEnum

_STEADY = 0.42
_LONG_MOVE_S = 4.0


class Move(StrEnum):
    """The camera moves a clip may ask for."""

    PUSH_IN = "push_in"
    PULL_OUT = "pull_out"
    PAN_LEFT = "pan_left"
    PAN_RIGHT = "pan_right"
    TILT_UP = "tilt_up"
    TILT_DOWN = "tilt_down"
    DRIFT = "drift"
    ORBIT = "orbit"


@dataclass(frozen=True, slots=True)
class Sight:
    """How one depth is seen: enlarged about a focus and moved, in pixels of the picture."""

    zoom: float
    x: float
    y: float

    def box(
        self, focus: tuple[float, float], size: tuple[int, int], *, slack: float = 0.0
    ) -> tuple[float, float, float, float]:
        """Return the part of the sheet that fills the picture, kept within the sheet.

        `slack` is the zoom a sheet needs beyond the camera's, since it swings by itself.
        """
        width, height = size
        zoom = self.zoom + slack
        wide, tall = width / zoom, height / zoom
        left = focus[0] - (focus[0] + self.x) / zoom
        top = focus[1] - (focus[1] + self.y) / zoom
        left = min(max(left, 0.0), width - wide)
        top = min(max(top, 0.0), height - tall)
        return left, top, left + wide, top + tall


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """One move over a picture of a given size for a given time.

    `strength` scales the move; `most_crop` is the largest share of the picture that a move may
    leave out on one side.
    """

    move: Move
    width: int
    height: int
    duration_s: float
    pivot: float = 0.6
    strength: float = 1.0
    most_crop: float = 0.15

    def sight(self, depth: float, at_s: float) -> Sight:
        """Return how a depth is seen at a moment."""
        place = self.progress(at_s)
        swing = 2 * place - 1
        near = 0.30 + 0.95 * depth
        reach = self._reach()
        match self.move:
            case Move.PUSH_IN:
                return Sight(1 + reach * near * place, 0.0, 0.0)
            case Move.PULL_OUT:
                return Sight(1 + reach * near * (1 - place), 0.0, 0.0)
            case Move.PAN_LEFT | Move.PAN_RIGHT:
                way = 1 if self.move is Move.PAN_LEFT else -1
                return self._shifted(near, reach, across=way * swing, down=0.0)
            case Move.TILT_UP | Move.TILT_DOWN:
                way = 1 if self.move is Move.TILT_UP else -1
                return self._shifted(near, reach, across=0.0, down=way * swing)
            case Move.DRIFT:
                return self._shifted(
                    near, reach * (0.9 + 0.12 * place), across=-0.75 * swing, down=0.35 * swing
                )
            case Move.ORBIT:
                return self._orbit(depth, reach, swing, place)

    def progress(self, at_s: float) -> float:
        """Return how much of the move is done at a moment, between 0 and 1."""
        return _eased(at_s / max(self.duration_s, 1e-6))

    def _reach(self) -> float:
        """Return how far the nearest sheet is enlarged over the whole move."""
        reach = 0.155 * self.strength * (max(self.duration_s, 0.5) / _LONG_MOVE_S) ** 0.62
        if self.move in {Move.PUSH_IN, Move.PULL_OUT}:
            return min(reach, 1 / (1 - 2 * self.most_crop) - 1)
        return min(reach, 1.5 * self.most_crop if self.move is Move.ORBIT else self.most_crop)

    def _shifted(self, near: float, reach: float, *, across: float, down: float) -> Sight:
        zoom = 1 + reach * near
        room = (zoom - 1) / 2 * 0.96
        return Sight(zoom, across * room * self.width, down * room * self.height)

    def _orbit(self, depth: float, reach: float, swing: float, place: float) -> Sight:
        """Circle the subject: what is behind it and before it go opposite ways."""
        apart = (depth - self.pivot) * 1.25
        zoom = 1 + reach * (0.42 + 0.45 * abs(apart)) + 0.02 * place
        room = (zoom - 1) / 2 * 0.92
        x = max(
            min(-apart * swing * reach * 0.62 * self.width, room * self.width), -room * self.width
        )
        y = (1 - swing * swing) * reach * 0.05 * self.height * (0.4 + depth)
        return Sight(zoom, x, min(y, room * self.height))


def _eased(place: float) -> float:
    """Return a place that starts and ends gently but never stands still."""
    place = min(max(place, 0.0), 1.0)
    smooth = place * place * (3 - 2 * place)
    return _STEADY * place + (1 - _STEADY) * smooth
