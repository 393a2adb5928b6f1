"""Flat outlines: made of a few points or arcs, and cut into triangles."""

import math
from collections.abc import Sequence

import numpy as np

from infra.providers.local.sculpture.mesh import Faces, Points

_NEARLY = 1e-7
"""The share of the outline's square below which three corners are one line."""


def outline(*points: tuple[float, float]) -> Points:
    """Return an outline of these corners."""
    return np.array(points, dtype=np.float64)


def oval(wide: float, tall: float, segments: int) -> Points:
    """Return an ellipse of these diameters."""
    angles = np.linspace(0, math.tau, segments, endpoint=False)
    return np.column_stack([np.cos(angles) * wide / 2, np.sin(angles) * tall / 2])


def arch(wide: float, tall: float, segments: int) -> Points:
    """Return a door's outline on the ground: upright sides under a half circle."""
    radius = wide / 2
    angles = np.linspace(0, math.pi, segments)
    top = np.column_stack([np.cos(angles) * radius, tall - radius + np.sin(angles) * radius])
    return np.concatenate([[[-radius, 0.0], [radius, 0.0]], top])


def triangulated(line: Points) -> Faces:
    """Return triangles that fill a counter-clockwise outline (ears are cut off one by one)."""
    left = list(range(len(line)))
    triangles: list[tuple[int, int, int]] = []
    while len(left) > 3:  # noqa: PLR2004 - a triangle is left
        place = next((at for at in range(len(left)) if _is_ear(line, left, at)), None)
        if place is None:
            place = _flattest(line, left)
        triangles.append((left[place - 1], left[place], left[(place + 1) % len(left)]))
        left.pop(place)
    triangles.append((left[0], left[1], left[2]))
    return np.array(triangles, dtype=np.int64)


def _is_ear(line: Points, left: Sequence[int], place: int) -> bool:
    a, b, c = left[place - 1], left[place], left[(place + 1) % len(left)]
    least = float(np.ptp(line, axis=0).max()) ** 2 * _NEARLY
    if _cross(line[a], line[b], line[c]) <= least:
        return False
    others = line[[index for index in left if index not in (a, b, c)]]
    inside = np.ones(len(others), dtype=bool)
    for one, other in ((a, b), (b, c), (c, a)):
        edge, away = line[other] - line[one], others - line[one]
        # A corner on the edge counts too: cutting there would leave a triangle without area.
        inside &= edge[0] * away[:, 1] - edge[1] * away[:, 0] > -least
    return not inside.any()


def _flattest(line: Points, left: Sequence[int]) -> int:
    """Return the corner that is nearest to a straight line, where no ear is left."""
    return min(
        range(len(left)),
        key=lambda at: abs(
            _cross(line[left[at - 1]], line[left[at]], line[left[(at + 1) % len(left)]])
        ),
    )


def _cross(a: Points, b: Points, c: Points) -> float:
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))
