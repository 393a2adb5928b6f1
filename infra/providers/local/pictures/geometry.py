"""Outlines as arrays of points: curves, circles, tapering strokes and how to move them.

All points are (n, 2) arrays in pixels of the picture, x to the right and y down.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

type Points = NDArray[np.float64]


def points(*pairs: tuple[float, float]) -> Points:
    """Return an outline of the given corners."""
    return np.array(pairs, dtype=np.float64)


def circle(x: float, y: float, radius: float, *, squash: float = 1.0, turn: float = 0.0) -> Points:
    """Return a circle or, with `squash`, an ellipse turned by `turn` radians."""
    count = int(min(max(radius, 14), 120)) + 12
    angles = np.linspace(0, math.tau, count, endpoint=False)
    outline = np.stack([np.cos(angles) * radius, np.sin(angles) * radius * squash], axis=1)
    return moved(outline, x, y, turn=turn)


def arc(x: float, y: float, radius: float, start: float, end: float, *, count: int = 40) -> Points:
    """Return points along a circle, angles in radians clockwise from the right."""
    angles = np.linspace(start, end, count)
    return np.stack([x + np.cos(angles) * radius, y + np.sin(angles) * radius], axis=1)


def box(x: float, y: float, width: float, height: float) -> Points:
    """Return a rectangle by its upper left corner."""
    return points((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def rounded(x: float, y: float, width: float, height: float, radius: float) -> Points:
    """Return a rectangle with round corners."""
    radius = min(radius, width / 2, height / 2)
    quarter = math.pi / 2
    return np.concatenate(
        [
            arc(x + width - radius, y + radius, radius, -quarter, 0, count=10),
            arc(x + width - radius, y + height - radius, radius, 0, quarter, count=10),
            arc(x + radius, y + height - radius, radius, quarter, 2 * quarter, count=10),
            arc(x + radius, y + radius, radius, 2 * quarter, 3 * quarter, count=10),
        ]
    )


def moved(
    outline: Points,
    x: float = 0.0,
    y: float = 0.0,
    *,
    scale: float = 1.0,
    turn: float = 0.0,
    mirror: bool = False,
) -> Points:
    """Return the outline mirrored, scaled and turned about its origin, then moved."""
    shaped = outline * np.array([-scale if mirror else scale, scale])
    cosine, sine = np.cos(turn), np.sin(turn)
    turned = np.stack(
        [
            shaped[:, 0] * cosine - shaped[:, 1] * sine,
            shaped[:, 0] * sine + shaped[:, 1] * cosine,
        ],
        axis=1,
    )
    return turned + np.array([x, y])


def curve(
    knots: Points | Sequence[tuple[float, float]], *, closed: bool, steps: int = 12
) -> Points:
    """Return a smooth curve through all knots (centripetal-like Catmull-Rom)."""
    given = np.asarray(knots, dtype=np.float64)
    if closed:
        padded = np.concatenate([given[-1:], given, given[:2]])
    else:
        first, last = 2 * given[:1] - given[1:2], 2 * given[-1:] - given[-2:-1]
        padded = np.concatenate([first, given, last])
    before, start, end, after = padded[:-3], padded[1:-2], padded[2:-1], padded[3:]
    place = np.linspace(0, 1, steps, endpoint=False)[None, :, None]
    b, s, e, a = (part[:, None, :] for part in (before, start, end, after))
    smooth = 0.5 * (
        2 * s
        + (e - b) * place
        + (2 * b - 5 * s + 4 * e - a) * place**2
        + (3 * s - b - 3 * e + a) * place**3
    )
    flat = smooth.reshape(-1, 2)
    return flat if closed else np.concatenate([flat, given[-1:]])


def ribbon(line: Points, widths: float | NDArray[np.float64]) -> Points:
    """Return the outline of a line drawn with a width, or with one width for each point."""
    half = np.broadcast_to(np.asarray(widths, dtype=np.float64) / 2, (len(line),))[:, None]
    along = np.gradient(line, axis=0)
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-6)[:, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / length
    return np.concatenate([line + across * half, (line - across * half)[::-1]])


def taper(count: int, start: float, end: float, *, belly: float = 0.0) -> NDArray[np.float64]:
    """Return widths from start to end, swollen by `belly` in the middle."""
    place = np.linspace(0, 1, count)
    return start + (end - start) * place + belly * np.sin(place * np.pi)


def level(x: float, y: float, reach: float, count: int) -> Points:
    """Return a level line about (x, y), `reach` to each side."""
    return np.stack([np.linspace(x - reach, x + reach, count), np.full(count, y)], axis=1)


def swollen(count: int, thick: float) -> NDArray[np.float64]:
    """Return widths of a stroke that is thick in its middle and thin at both ends."""
    return thick * np.sin(np.linspace(0, math.pi, count)) + 0.1


def profile(heights: Sequence[float], radii: Sequence[float], count: int = 160) -> Points:
    """Return (height, radius) pairs along a smooth turned profile, from the first height on."""
    knots = np.stack([np.asarray(heights, float), np.asarray(radii, float)], axis=1)
    return curve(knots, closed=False, steps=max(count // max(len(knots) - 1, 1), 4))


def grown(outline: Points, by: float) -> Points:
    """Return a box-like outline with every corner moved outwards."""
    middle = outline.mean(axis=0)
    away = outline - middle
    return middle + away + np.sign(away) * by


def path(text: str) -> Points:
    """Return the outline written as `x,y x,y …`, as in the path data of a drawing program."""
    return np.array([pair.split(",") for pair in text.split()], dtype=np.float64)
