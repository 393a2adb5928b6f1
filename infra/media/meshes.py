"""What speaks against a mesh: holes, faces without area, bodies without depth."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from infra.media.gltf import Gltf

_MOST_TRIANGLES = 2_000_000
_WELD = 1e-6
"""Corners nearer than this share of a piece's size are one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """What was counted; edges are not counted in meshes that are too large for it."""

    triangles: int
    flat_triangles: int
    """Without area: their corners lie on one line, or in one place."""
    edges: int
    open_edges: int | None
    """Edges that do not lie between exactly two triangles that face the same side."""
    flatness: float
    """The shortest side of the box around everything, as a share of the longest."""


def faults_of(gltf: Gltf) -> Faults:
    """Count what is wrong with what a file shows."""
    low, high = gltf.bounds
    sides = np.sort(high - low)
    flat, edges, opened = 0, 0, 0
    counted = gltf.triangles <= _MOST_TRIANGLES
    for piece in gltf.pieces:
        corners = piece.points[piece.triangles]
        doubled = np.linalg.norm(
            np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
        )
        size = float(np.ptp(piece.points, axis=0).max())
        flat += int(np.count_nonzero(doubled <= (size * _WELD) ** 2))
        if counted:
            found = _edges(piece.points, piece.triangles, size)
            edges, opened = edges + found[0], opened + found[1]
    return Faults(
        triangles=gltf.triangles,
        flat_triangles=flat,
        edges=edges,
        open_edges=opened if counted else None,
        flatness=float(sides[0] / sides[2]) if sides[2] > 0 else 0.0,
    )


def _edges(
    points: NDArray[np.float64], triangles: NDArray[np.int64], size: float
) -> tuple[int, int]:
    """Return how many edges there are between places, and how many of them are open."""
    cells = np.round((points - points.min(axis=0)) / max(size * _WELD, 1e-12)).astype(np.int64)
    _, place = np.unique(cells, axis=0, return_inverse=True)
    welded = place.reshape(-1)[triangles]
    a, b, c = welded.T
    welded = welded[(a != b) & (b != c) & (c != a)]
    directed = np.concatenate([welded[:, [0, 1]], welded[:, [1, 2]], welded[:, [2, 0]]])
    ahead = np.where(directed[:, 0] < directed[:, 1], 1, -1)
    ends = np.sort(directed, axis=1)
    _, number = np.unique(ends, axis=0, return_inverse=True)
    number = number.reshape(-1)
    # An edge of a closed surface is gone along as often in one direction as in the other.
    balance = np.bincount(number, weights=ahead)
    return len(balance), int(np.count_nonzero(balance))
