"""The forms that objects are built of: turned, extruded, bent and bulged, each of them closed.

Every function returns a mesh about the origin with its faces looking out. Sizes are in metres.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from infra.providers.local.sculpture.mesh import Faces, Mesh, Points, lengths, numbers
from infra.providers.local.sculpture.outlines import triangulated

type Profile = Sequence[tuple[float, float]]

_NOTHING = 1e-9


def skin(rows: Points, *, start: Points | None = None, end: Points | None = None) -> Mesh:
    """Return the skin over rows (k, s, 3) of points around an axis, closed at both ends.

    The first and the last ring are drawn together at `start` and `end`, or at their middles.
    """
    count, around = rows.shape[:2]
    first = rows[0].mean(axis=0) if start is None else start
    last = rows[-1].mean(axis=0) if end is None else end
    faces = [_between(row * around, (row + 1) * around, around) for row in range(count - 1)]
    bottom, top = count * around, count * around + 1
    ring = numbers(around)
    after = np.roll(ring, -1)
    faces.append(np.stack([np.full(around, bottom), ring, after], axis=1))
    upper = (count - 1) * around
    faces.append(np.stack([np.full(around, top), upper + after, upper + ring], axis=1))
    points = np.concatenate([rows.reshape(-1, 3), [first, last]])
    return Mesh(points, np.concatenate(faces)).outward()


def hoop(rows: Points) -> Mesh:
    """Return the skin over rows that come back to the first one: a ring, a handle."""
    count, around = rows.shape[:2]
    faces = [_between(row * around, (row + 1) % count * around, around) for row in range(count)]
    return Mesh(rows.reshape(-1, 3), np.concatenate(faces)).outward()


def _between(lower: int, upper: int, around: int) -> Faces:
    ring = numbers(around)
    after = np.roll(ring, -1)
    one = np.stack([lower + ring, upper + ring, lower + after], axis=1)
    other = np.stack([lower + after, upper + ring, upper + after], axis=1)
    return np.concatenate([one, other])


def lathe(profile: Profile, segments: int) -> Mesh:
    """Return a profile of (radius, height) turned about the upright axis.

    A profile that ends off the axis is closed by a flat lid.
    """
    line = np.array(profile, dtype=np.float64)
    start = np.array([0.0, line[0, 1], 0.0])
    end = np.array([0.0, line[-1, 1], 0.0])
    line = line[line[:, 0] > _NOTHING]
    return skin(_turned(line, segments), start=start, end=end)


def torus(radius: float, thick: float, segments: int, *, tall: float | None = None) -> Mesh:
    """Return a lying ring; `tall` makes its section higher than wide."""
    angles = np.linspace(0, math.tau, max(segments // 2, 8), endpoint=False)
    high = thick if tall is None else tall
    line = np.stack([radius + thick * np.cos(angles), high * np.sin(angles)], axis=1)
    return hoop(_turned(line, segments))


def band(profile: Profile, segments: int) -> Mesh:
    """Return a closed section of (radius, height) turned about the axis: a ring with corners."""
    return hoop(_turned(np.array(profile, dtype=np.float64), segments))


def _turned(line: Points, segments: int) -> Points:
    angles = np.linspace(0, math.tau, segments, endpoint=False)
    radii, heights = line[:, :1], line[:, 1:]
    return np.stack(
        [
            radii * np.cos(angles),
            np.broadcast_to(heights, (len(line), segments)),
            -radii * np.sin(angles),
        ],
        axis=2,
    )


def cylinder(
    radius: float, tall: float, segments: int, *, top: float | None = None, bevel: float = 0.0
) -> Mesh:
    """Return an upright cylinder on the ground, or a frustum with another radius at its top."""
    upper = radius if top is None else top
    if upper <= _NOTHING:
        return lathe([(radius, 0), (0, tall)], segments)
    if not bevel:
        return lathe([(radius, 0), (upper, tall)], segments)
    return lathe(
        [(radius - bevel, 0), (radius, bevel), (upper, tall - bevel), (upper - bevel, tall)],
        segments,
    )


def ball(radius: float, segments: int) -> Mesh:
    """Return a sphere about the origin."""
    return lathe(arc(radius, segments), segments)


def arc(radius: float, segments: int, *, low: float = -90, high: float = 90) -> Profile:
    """Return a part of a half circle as a profile, from one angle in degrees to another."""
    steps = max(segments // 2, 6)
    angles = np.radians(np.linspace(low, high, steps + 1))
    return [
        (
            max(radius * math.cos(angle), 0.0) if abs(math.cos(angle)) > _NOTHING else 0.0,
            radius * math.sin(angle),
        )
        for angle in angles.tolist()
    ]


def box(wide: float, tall: float, deep: float, *, bevel: float = 0.0, steps: int = 2) -> Mesh:
    """Return a box about the origin; its edges are rounded by `bevel`."""
    half = np.array([wide, tall, deep]) / 2
    bevel = min(bevel, float(half.min()) * 0.98)
    if bevel <= 0:
        lines = [np.array([-side, side]) for side in half]
    else:
        bend = bevel * (1 - np.cos(np.linspace(0, math.pi / 2, steps + 1)))
        lines = [np.concatenate([-side + bend, (side - bend)[::-1]]) for side in half]
    mesh = _grid_box(lines)
    if bevel <= 0:
        return mesh
    inner = np.clip(mesh.points, -(half - bevel), half - bevel)
    away = mesh.points - inner
    length = lengths(away)
    return Mesh(inner + away / np.maximum(length, _NOTHING) * bevel, mesh.faces)


def _grid_box(lines: list[Points]) -> Mesh:
    points: list[Points] = []
    faces: list[Faces] = []
    count = 0
    for axis in range(3):
        one, other = (axis + 1) % 3, (axis + 2) % 3
        us, vs = np.meshgrid(lines[one], lines[other], indexing="ij")
        for end in (0, -1):
            sheet = np.empty((*us.shape, 3))
            sheet[..., axis], sheet[..., one], sheet[..., other] = lines[axis][end], us, vs
            rows, columns = us.shape
            corner: Faces = (
                np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)
            ).reshape(-1)
            quad = [corner, corner + columns, corner + columns + 1, corner + 1]
            if end == 0:
                quad.reverse()
            faces.append(np.stack([quad[0], quad[1], quad[2]], axis=1) + count)
            faces.append(np.stack([quad[0], quad[2], quad[3]], axis=1) + count)
            points.append(sheet.reshape(-1, 3))
            count += sheet.shape[0] * sheet.shape[1]
    return Mesh(np.concatenate(points), np.concatenate(faces).astype(np.int64)).outward()


def extruded(outline: Points, deep: float, *, bevel: float = 0.0) -> Mesh:
    """Return a flat outline (n, 2) in the xy plane with a thickness along z, about z = 0."""
    line = outline if _area(outline) > 0 else outline[::-1]
    half = deep / 2
    rows = [(line, half), (line, -half)]
    if bevel > 0:
        inner = _inset(line, bevel)
        rows = [(inner, half), (line, half - bevel), (line, -half + bevel), (inner, -half)]
    points = np.concatenate(
        [np.column_stack([flat, np.full(len(flat), depth)]) for flat, depth in rows]
    )
    count = len(line)
    faces = [_between(row * count, (row + 1) * count, count) for row in range(len(rows) - 1)]
    lid = triangulated(rows[0][0])
    faces += [lid, lid[:, ::-1] + (len(rows) - 1) * count]
    return Mesh(points, np.concatenate(faces)).outward()


def _area(outline: Points) -> float:
    x, y = outline.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


def _inset(line: Points, by: float) -> Points:
    before, after = np.roll(line, 1, axis=0), np.roll(line, -1, axis=0)
    one, other = _normals(line - before), _normals(after - line)
    middle = one + other
    scale = np.einsum("ij,ij->i", middle, middle) / 2
    return line - middle / np.maximum(scale, 0.35)[:, None] * by


def _normals(edges: Points) -> Points:
    turned = np.column_stack([edges[:, 1], -edges[:, 0]])
    return turned / np.maximum(lengths(turned), _NOTHING)


def tube(
    path: Points, radius: float | Points, segments: int, *, closed: bool = False, flat: float = 1.0
) -> Mesh:
    """Return a tube along a path (n, 3), its radius the same everywhere or given for each point.

    `flat` makes the section lower than wide.
    """
    radii = np.broadcast_to(np.asarray(radius, dtype=np.float64), (len(path),))
    ahead = np.gradient(path, axis=0)
    if closed:
        ahead = np.roll(path, -1, axis=0) - np.roll(path, 1, axis=0)
    ahead = ahead / np.maximum(lengths(ahead), _NOTHING)
    sides = _carried(ahead)
    angles = np.linspace(0, math.tau, segments, endpoint=False)
    ups = np.cross(ahead, sides)
    ring = (
        np.cos(angles)[None, :, None] * sides[:, None, :]
        + flat * np.sin(angles)[None, :, None] * ups[:, None, :]
    )
    rows = path[:, None, :] + ring * radii[:, None, None]
    return hoop(rows) if closed else skin(rows, start=path[0], end=path[-1])


def _carried(ahead: Points) -> Points:
    """Return a side for each direction that turns no more than the path does."""
    least = int(np.argmin(np.abs(ahead[0])))
    side = np.cross(ahead[0], np.eye(3)[least])
    sides = np.empty_like(ahead)
    for number, direction in enumerate(ahead):
        side = side - direction * float(side @ direction)
        side = side / np.maximum(lengths(side), _NOTHING)
        sides[number] = side
    return sides


def curve(points: Sequence[Sequence[float]], steps: int, *, closed: bool = False) -> Points:
    """Return a smooth line through points (Catmull-Rom), of `steps` points for each piece."""
    given = np.array(points, dtype=np.float64)
    if closed:
        padded = np.concatenate([given[-1:], given, given[:2]])
    else:
        padded = np.concatenate([2 * given[:1] - given[1:2], given, 2 * given[-1:] - given[-2:-1]])
    places = np.linspace(0, 1, steps, endpoint=False)[:, None]
    pieces: list[Points] = []
    for before, one, other, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        pieces.append(
            0.5
            * (
                2 * one
                + (other - before) * places
                + (2 * before - 5 * one + 4 * other - after) * places**2
                + (3 * one - before - 3 * other + after) * places**3
            )
        )
    if not closed:
        pieces.append(given[-1:])
    return np.concatenate(pieces)


def smooth(profile: Profile, steps: int) -> Profile:
    """Return a profile as a smooth line; no radius falls below nothing."""
    line = curve(profile, steps)
    return [(max(float(radius), 0.0), float(height)) for radius, height in line]


def sheet(front: Points, thick: float = 0.03) -> Mesh:
    """Return a grid of points (rows, columns, 3) as a closed sheet of this thickness."""
    rows, columns = front.shape[:2]
    across = np.gradient(front, axis=1)
    along = np.gradient(front, axis=0)
    normal = np.cross(across, along)
    normal /= np.maximum(lengths(normal), 1e-9)
    sides = [front + normal * thick / 2, front - normal * thick / 2]
    points = np.concatenate([side.reshape(-1, 3) for side in sides])
    corner = (numbers(rows - 1)[:, None] * columns + numbers(columns - 1)).reshape(-1)
    quad = np.stack([corner, corner + 1, corner + columns + 1, corner + columns], axis=1)
    border = [
        *range(columns),
        *(row * columns + columns - 1 for row in range(1, rows)),
        *((rows - 1) * columns + column for column in range(columns - 2, -1, -1)),
        *(row * columns for row in range(rows - 2, 0, -1)),
    ]
    ring: Faces = np.array(border)
    after = np.roll(ring, -1)
    count = rows * columns
    faces = [
        quad[:, [0, 1, 2]],
        quad[:, [0, 2, 3]],
        quad[:, [2, 1, 0]] + count,
        quad[:, [3, 2, 0]] + count,
        np.stack([after, ring, ring + count], axis=1),
        np.stack([after, ring + count, after + count], axis=1),
    ]
    return Mesh(points, np.concatenate(faces).astype(np.int64)).outward()


def blob(
    radius: float, segments: int, rng: np.random.Generator, *, rough: float, waves: float = 2.2
) -> Mesh:
    """Return a ball with soft bulges; `rough` is their share of the radius."""
    mesh = ball(1.0, segments)
    bulge = ripples(rng, waves)(mesh.points)
    return Mesh(mesh.points * radius * (1 + rough * bulge)[:, None], mesh.faces)


def ripples(
    rng: np.random.Generator, waves: float, *, count: int = 7
) -> Callable[[Points], Points]:
    """Return a smooth field over space with values about between -1 and 1."""
    directions = rng.normal(size=(count, 3))
    directions *= waves * rng.uniform(0.5, 1.5, size=(count, 1)) / lengths(directions)
    phases = rng.uniform(0, math.tau, size=count)

    def field(points: Points) -> Points:
        return np.sin(points @ directions.T + phases).sum(axis=1) / math.sqrt(count) * 0.8

    return field
