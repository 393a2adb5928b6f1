"""Triangles to pixels: which triangle is nearest at each of them, and where on it.

Many triangles are worked on at once, in bites whose size bounds the memory that they take.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infra.providers.local.sculpture.mesh import numbers

type Floats = NDArray[np.floating[Any]]
type Numbers = NDArray[np.int32]

_BITE = 400_000
_NOTHING = 1e-6


@dataclass(frozen=True, slots=True)
class Screen:
    """For each pixel, row by row: the depth, the triangle (-1: none) and its corners' shares."""

    depth: Floats
    triangle: Numbers
    shares: Floats


@dataclass(frozen=True, slots=True)
class Projected:
    """Triangles on a screen: (n, 3, 2) corners in pixels, y down, and the corners' depths."""

    corners: Floats
    depths: Floats
    wide: int
    tall: int


@dataclass(frozen=True, slots=True)
class _Hits:
    """Pixels with the triangles over them."""

    pixel: NDArray[np.int64]
    triangle: Numbers
    shares: Floats
    depth: Floats


def screen_of(shown: Projected) -> Screen:
    """Return what is nearest at every pixel, of the triangles that face the eye."""
    count = shown.wide * shown.tall
    screen = Screen(
        depth=np.full(count, np.inf, dtype=np.float32),
        triangle=np.full(count, -1, dtype=np.int32),
        shares=np.zeros((count, 3), dtype=np.float32),
    )
    for hits in _hits(shown, facing=True, perspective=True):
        np.minimum.at(screen.depth, hits.pixel, hits.depth)
        nearest = screen.depth[hits.pixel] == hits.depth
        pixel = hits.pixel[nearest]
        screen.triangle[pixel] = hits.triangle[nearest]
        screen.shares[pixel] = hits.shares[nearest]
    return screen


def depths_of(shown: Projected) -> Floats:
    """Return how near the nearest surface is at every pixel, seen from without perspective."""
    depth = np.full(shown.wide * shown.tall, np.inf, dtype=np.float32)
    for hits in _hits(shown, facing=False, perspective=False):
        np.minimum.at(depth, hits.pixel, hits.depth)
    return depth


def _hits(shown: Projected, *, facing: bool, perspective: bool) -> Iterator[_Hits]:
    corners = shown.corners
    size = np.array([shown.wide, shown.tall])
    doubled = _doubled(corners[:, 0], corners[:, 1], corners[:, 2])
    usable = doubled < -_NOTHING if facing else np.abs(doubled) > _NOTHING
    # A pixel is hit if its middle is: a box that holds no middle is none.
    low = np.clip(np.ceil(corners.min(axis=1) - 0.5), 0, size).astype(np.int32)
    high = np.clip(np.floor(corners.max(axis=1) - 0.5) + 1, 0, size).astype(np.int32)
    spans = np.maximum(high - low, 0)
    counts = spans[:, 0] * spans[:, 1]
    chosen = np.flatnonzero(usable & (counts > 0))
    ends = np.cumsum(counts[chosen])
    start = 0
    while start < len(chosen):
        before = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, before + _BITE)), start + 1)
        bite = chosen[start:stop]
        yield _hits_of(shown, bite, low, spans, doubled, perspective=perspective)
        start = stop


def _hits_of(
    shown: Projected,
    bite: NDArray[np.int64],
    low: Numbers,
    spans: Numbers,
    doubled: Floats,
    *,
    perspective: bool,
) -> _Hits:
    counts = spans[bite, 0] * spans[bite, 1]
    local = numbers(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    which = np.repeat(np.arange(len(bite)), counts)
    number = bite[which]
    across = spans[number, 0]
    x = low[number, 0] + local % across
    y = low[number, 1] + local // across
    # Shares are linear over the screen: two of them as a plane each, made once per triangle.
    a, b, c = (shown.corners[bite, corner] for corner in range(3))
    whole = doubled[bite]
    px = (x + 0.5).astype(np.float32)
    py = (y + 0.5).astype(np.float32)
    one = _plane(b, c, whole, which=which, x=px, y=py)
    two = _plane(c, a, whole, which=which, x=px, y=py)
    inside = np.flatnonzero((one >= 0) & (two >= 0) & (one + two <= 1))
    number = number[inside]
    first, second = one[inside], two[inside]
    shares = np.column_stack([first, second, 1 - first - second])
    depths = shown.depths[number]
    if perspective:
        shares = shares / depths
        nearness = shares.sum(axis=1)
        depth = 1 / nearness
        shares = shares * depth[:, None]
    else:
        depth = np.einsum("nc,nc->n", shares, depths)
    pixel = (y * shown.wide + x)[inside]
    return _Hits(
        pixel.astype(np.int64),
        number.astype(np.int32),
        shares.astype(np.float32),
        depth.astype(np.float32),
    )


def _plane(
    p: Floats, q: Floats, whole: Floats, *, which: NDArray[np.int64], x: Floats, y: Floats
) -> Floats:
    """Return the share of the corner across from the edge p to q, at pixels."""
    dx, dy = (q[:, 0] - p[:, 0]) / whole, (q[:, 1] - p[:, 1]) / whole
    offset = dy * p[:, 0] - dx * p[:, 1]
    return dx[which] * y - dy[which] * x + offset[which]


def _doubled(a: Floats, b: Floats, c: Floats) -> Floats:
    """Return twice the signed area of triangles; negative if counter-clockwise with y down."""
    return (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
