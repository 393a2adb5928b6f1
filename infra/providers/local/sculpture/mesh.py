"""Triangle meshes: moved, joined, and given normals that are smooth but for sharp edges."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

type Points = NDArray[np.float64]
type Faces = NDArray[np.int64]

_WELD_M = 1e-7
"""Corners nearer than this share of the mesh's size are one point."""


@dataclass(frozen=True, slots=True)
class Mesh:
    """Points (n, 3) and faces (m, 3) of indices into them."""

    points: Points
    faces: Faces

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> "Mesh":
        """Return the mesh elsewhere."""
        return Mesh(self.points + np.array([x, y, z]), self.faces)

    def scaled(self, x: float, y: float | None = None, z: float | None = None) -> "Mesh":
        """Return the mesh stretched about the origin, evenly if only one factor is given."""
        factors = np.array([x, x if y is None else y, x if z is None else z])
        faces = self.faces if factors.prod() > 0 else self.faces[:, ::-1]
        return Mesh(self.points * factors, faces)

    def turned(self, axis: str, degrees: float) -> "Mesh":
        """Return the mesh turned about the x, y or z axis, counter-clockwise seen from its tip."""
        angle = math.radians(degrees)
        one, other = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
        points = self.points.copy()
        points[:, one] = self.points[:, one] * math.cos(angle) - self.points[:, other] * math.sin(
            angle
        )
        points[:, other] = self.points[:, one] * math.sin(angle) + self.points[:, other] * math.cos(
            angle
        )
        return Mesh(points, self.faces)

    @property
    def volume(self) -> float:
        """The enclosed volume; negative if the faces look inwards."""
        a, b, c = (self.points[self.faces[:, corner]] for corner in range(3))
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)

    def outward(self) -> "Mesh":
        """Return the mesh with its faces looking out."""
        return self if self.volume >= 0 else Mesh(self.points, self.faces[:, ::-1])


def lengths(vectors: NDArray[np.floating]) -> Points:
    """Return the length of each vector, as a column."""
    wide = vectors.astype(np.float64)
    return np.sqrt(np.einsum("...i,...i->...", wide, wide))[..., None]


def numbers(count: int) -> Faces:
    """Return the numbers from 0 below `count`."""
    return np.arange(count, dtype=np.int64)


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Return several meshes as one."""
    offsets = np.cumsum([0, *(len(mesh.points) for mesh in meshes[:-1])])
    return Mesh(
        np.concatenate([mesh.points for mesh in meshes]),
        np.concatenate(
            [mesh.faces + offset for mesh, offset in zip(meshes, offsets, strict=True)]
        ).astype(np.int64),
    )


def around(mesh: Mesh, count: int, *, start: float = 0.0) -> Mesh:
    """Return copies of a mesh around the upright axis."""
    return joined([mesh.turned("y", start + 360 * number / count) for number in range(count)])


@dataclass(frozen=True, slots=True)
class Surface:
    """A mesh as it is drawn: points with their normals, and triangles."""

    points: NDArray[np.float32]
    normals: NDArray[np.float32]
    indices: NDArray[np.uint32]


def surface_of(mesh: Mesh, *, crease: float) -> Surface:
    """Return a mesh with normals: faces that meet at less than `crease` degrees look smooth.

    Faces without area are left out; points are shared where place and normal are the same.
    """
    points = mesh.points
    welded = _weld(points)
    faces = welded[mesh.faces]
    edges = np.cross(
        points[mesh.faces[:, 1]] - points[mesh.faces[:, 0]],
        points[mesh.faces[:, 2]] - points[mesh.faces[:, 0]],
    )
    size = float(np.ptp(points, axis=0).max())
    doubled = lengths(edges)[:, 0]
    kept = (doubled > (size * 1e-7) ** 2) & _has_three(faces)
    faces, edges = faces[kept], edges[kept]
    normals = _corner_normals(faces, edges, crease).astype(np.float32)
    corners = points[mesh.faces[kept]].reshape(-1, 3)
    key = np.concatenate([faces.reshape(-1, 1), np.round(normals * 4096).astype(np.int64)], axis=1)
    _, first, indices = np.unique(key, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    chosen = first[order]
    return Surface(
        corners[chosen].astype(np.float32),
        normals[chosen],
        place[indices.reshape(-1)].astype(np.uint32),
    )


def _weld(points: Points) -> Faces:
    """Return for each point the number of its place; points in one place have the same."""
    size = max(float(np.ptp(points, axis=0).max()), 1e-9)
    cells = np.round(points / (size * _WELD_M)).astype(np.int64)
    _, number = np.unique(cells, axis=0, return_inverse=True)
    return number.reshape(-1).astype(np.int64)


def _has_three(faces: Faces) -> NDArray[np.bool_]:
    a, b, c = faces.T
    return (a != b) & (b != c) & (c != a)


def _corner_normals(faces: Faces, edges: Points, crease: float) -> Points:
    """Return a normal for each corner: the mean of the faces there that are nearly in its plane."""
    units = edges / lengths(edges)
    corner_face = np.repeat(np.arange(len(faces)), 3)
    owner = faces.reshape(-1)
    order = np.argsort(owner, kind="stable")
    sorted_owner = owner[order]
    starts = np.searchsorted(sorted_owner, sorted_owner, side="left")
    counts = np.searchsorted(sorted_owner, sorted_owner, side="right") - starts
    place = np.arange(len(order)) - starts
    own = units[corner_face[order]]
    total = np.zeros_like(own)
    least = math.cos(math.radians(crease))
    for step in range(int(counts.max())):
        near = corner_face[order[starts + (place + step) % counts]]
        counted = (step < counts) & (np.einsum("ij,ij->i", own, units[near]) >= least)
        total += np.where(counted[:, None], edges[near], 0.0)
    length = lengths(total)
    total = np.where(length > 0, total / np.maximum(length, 1e-30), own)
    normals = np.empty_like(total)
    normals[order] = total
    return normals
