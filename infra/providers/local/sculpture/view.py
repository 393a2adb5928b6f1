"""A picture of an object, taken of the finished file: what it shows is what was made.

Owns a small renderer of triangles: a depth buffer, the light of a studio (a key light with soft
shadows, light from all around that corners keep out, a gleam), a ground that takes the shadow.
Nothing of it is left to chance, so the same file gives the same picture.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from infra.media.gltf import Gltf
from infra.providers.local.sculpture.mesh import lengths
from infra.providers.local.sculpture.raster import Projected, Screen, depths_of, screen_of

type Floats = NDArray[np.floating[Any]]

_FINER = 2
_FIELD_DEGREES = 26.0
_MARGIN = 0.80
_SUN = np.array([-0.52, 0.78, 0.42])
_SHADOW_SIDE = 1024
_SKY_SIDE = 256
_SKIES = 20
_SPREAD = 7
_GOLDEN = 2.39996
_UPRIGHT = 0.99
_DOWNWARD = -1e-4
_GROUND = 1.5
_BACK_TOP = np.array([0.83, 0.85, 0.87])
_BACK_LOW = np.array([0.95, 0.945, 0.935])
_GAMMA = 1 / 2.2


@dataclass(frozen=True, slots=True)
class Scene:
    """All triangles of a file in one list, with what they are made of."""

    points: Floats
    normals: Floats
    triangles: NDArray[np.int64]
    base: Floats
    metal: Floats
    rough: Floats
    glow: Floats
    """Of each triangle."""


@dataclass(frozen=True, slots=True)
class _Eye:
    """Where it is looked at from: a turn into the eye's axes, and a place in them."""

    axes: Floats
    place: Floats
    focal: float
    """Pixels for what is as wide as it is away."""

    def seen(self, points: Floats) -> Floats:
        """Return points in the eye's axes, x right, y up, z towards the eye."""
        return points @ self.axes.T - self.place


def scene_of(gltf: Gltf) -> Scene:
    """Return everything that a file shows as one list of triangles."""
    offsets = np.cumsum([0, *(len(piece.points) for piece in gltf.pieces[:-1])])
    counts = [len(piece.triangles) for piece in gltf.pieces]

    def each(values: list[tuple[float, ...]]) -> Floats:
        return np.repeat(np.array(values, dtype=np.float64), counts, axis=0)

    return Scene(
        points=np.concatenate([piece.points for piece in gltf.pieces]),
        normals=np.concatenate(
            [
                piece.normals if piece.normals is not None else _flat(piece.points, piece.triangles)
                for piece in gltf.pieces
            ]
        ),
        triangles=np.concatenate(
            [piece.triangles + at for piece, at in zip(gltf.pieces, offsets, strict=True)]
        ),
        base=each([piece.look.base for piece in gltf.pieces]),
        metal=each([(piece.look.metal,) for piece in gltf.pieces])[:, 0],
        rough=each([(piece.look.rough,) for piece in gltf.pieces])[:, 0],
        glow=each([piece.look.glow for piece in gltf.pieces]),
    )


def _flat(points: Floats, triangles: NDArray[np.int64]) -> Floats:
    """Return a normal for each point as the sum of its triangles'."""
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    faces = np.cross(b - a, c - a)
    normals = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], faces)
    return normals / np.maximum(lengths(normals), 1e-30)


def picture_of(
    gltf: Gltf, *, width: int, height: int, azimuth: float = 32.0, elevation: float = 16.0
) -> Image.Image:
    """Return the object as it stands in a bright studio."""
    scene = scene_of(gltf)
    wide, tall = width * _FINER, height * _FINER
    eye = _eye(scene.points, wide, tall, azimuth, elevation)
    screen = _screen(scene, eye, wide, tall)
    light = _Light(scene)
    shown = _background(eye, width, height, scene, light)
    covered = np.flatnonzero(screen.triangle >= 0)
    blocks = covered // wide // _FINER * width + covered % wide // _FINER
    shown[covered] = _lit(scene, screen, covered, blocks, eye=eye, light=light)
    pixels = np.clip(shown, 0, 1) ** _GAMMA
    image = Image.fromarray((pixels.reshape(tall, wide, 3) * 255 + 0.5).astype(np.uint8), "RGB")
    return image.resize((width, height), Image.Resampling.BOX)


def _eye(points: Floats, wide: int, tall: int, azimuth: float, elevation: float) -> _Eye:
    """Return the nearest eye in this direction that sees everything, with room around it."""
    turn, rise = math.radians(azimuth), math.radians(elevation)
    ahead = np.array(
        [math.sin(turn) * math.cos(rise), math.sin(rise), math.cos(turn) * math.cos(rise)]
    )
    right = np.array([math.cos(turn), 0.0, -math.sin(turn)])
    axes = np.array([right, np.cross(ahead, right), ahead])
    half = math.tan(math.radians(_FIELD_DEGREES) / 2) * _MARGIN
    seen = points @ axes.T
    limits = half * np.array([wide, tall]) / min(wide, tall)
    middle = np.zeros(2)
    distance = 1.0
    for _ in range(6):
        away = np.abs(seen[:, :2] - middle) / limits
        distance = float((seen[:, 2:] + away).max())
        flat = (seen[:, :2] - middle) / (distance - seen[:, 2:])
        middle = middle + (flat.max(axis=0) + flat.min(axis=0)) / 2 * distance
    away = np.abs(seen[:, :2] - middle) / limits
    distance = float((seen[:, 2:] + away).max())
    focal = min(wide, tall) / 2 / math.tan(math.radians(_FIELD_DEGREES) / 2)
    return _Eye(axes, np.array([middle[0], middle[1], distance]), focal)


def _screen(scene: Scene, eye: _Eye, wide: int, tall: int) -> Screen:
    seen = eye.seen(scene.points)
    depth = -seen[:, 2]
    flat = seen[:, :2] / depth[:, None] * eye.focal
    places = np.column_stack([wide / 2 + flat[:, 0], tall / 2 - flat[:, 1]])
    return screen_of(_projected(places, depth, scene.triangles, wide, tall))


def _projected(
    places: Floats, depth: Floats, triangles: NDArray[np.int64], wide: int, tall: int
) -> Projected:
    corners = places.astype(np.float32)[triangles]
    return Projected(corners, depth.astype(np.float32)[triangles], wide, tall)


class _Light:
    """Which points the sun reaches, and how much of the sky."""

    def __init__(self, scene: Scene) -> None:
        self._points = scene.points
        self._triangles = scene.triangles
        low, high = scene.points.min(axis=0), scene.points.max(axis=0)
        self.middle = (low + high) / 2
        self.size = float(np.linalg.norm(high - low))
        self.sun = _SUN / np.linalg.norm(_SUN)
        self._sun_map = self._map(self.sun, _SHADOW_SIDE)
        self._sky_maps = [(one, self._map(one, _SKY_SIDE)) for one in _sky_directions()]

    def _map(self, towards: Floats, side: int) -> Floats:
        """Return how near the nearest surface is to a light far away in this direction."""
        places, depth = self._onto(self._points, towards, side)
        return depths_of(_projected(places, depth, self._triangles, side, side))

    def _onto(self, points: Floats, towards: Floats, side: int) -> tuple[Floats, Floats]:
        seen = (points - self.middle) @ _axes(towards).T / self.size
        return (seen[:, :2] + 0.5) * side, 0.5 - seen[:, 2]

    def shade(self, points: Floats, normals: Floats) -> Floats:
        """Return the share of the sun that reaches points, soft at the edges of shadows."""
        raised = points + normals * (self.size * 0.004)
        places, depth = self._onto(raised, self.sun, _SHADOW_SIDE)
        total = np.zeros(len(points))
        radius = _SHADOW_SIDE * 0.0045
        for number in range(_SPREAD):
            turn, far = number * _GOLDEN, math.sqrt((number + 0.5) / _SPREAD) * radius
            moved = places + np.array([math.cos(turn), math.sin(turn)]) * far
            total += _reached(self._sun_map, moved, depth - 0.0025, _SHADOW_SIDE)
        return total / _SPREAD

    def sky(self, points: Floats, normals: Floats) -> Floats:
        """Return the share of the light from all around that reaches points."""
        raised = points + normals * (self.size * 0.006)
        total = np.zeros(len(points))
        most = np.zeros(len(points))
        for towards, near in self._sky_maps:
            facing = np.maximum(normals @ towards, 0.0)
            places, depth = self._onto(raised, towards, _SKY_SIDE)
            total += facing * _reached(near, places, depth - 0.008, _SKY_SIDE)
            most += facing
        return np.where(most > 0, total / np.maximum(most, 1e-9), 1.0)


def _axes(towards: Floats) -> Floats:
    side = np.cross([0.0, 1.0, 0.0] if abs(towards[1]) < _UPRIGHT else [1.0, 0, 0], towards)
    side = side / np.linalg.norm(side)
    return np.array([side, np.cross(towards, side), towards])


def _sky_directions() -> list[Floats]:
    """Return directions over the upper half of the sky, evenly spread."""
    found: list[Floats] = []
    for number in range(_SKIES):
        rise = 0.06 + 0.94 * (number + 0.5) / _SKIES
        turn = number * _GOLDEN
        flat = math.sqrt(1 - rise * rise)
        found.append(np.array([flat * math.cos(turn), rise, flat * math.sin(turn)]))
    return found


def _reached(near: Floats, places: Floats, depth: Floats, side: int) -> Floats:
    x = places[:, 0].astype(np.int64)
    y = places[:, 1].astype(np.int64)
    inside = (x >= 0) & (x < side) & (y >= 0) & (y < side)
    index = np.where(inside, y * side + x, 0)
    return np.where(inside, depth <= near[index], 1.0)


def _lit(
    scene: Scene,
    screen: Screen,
    covered: NDArray[np.int64],
    blocks: NDArray[np.int64],
    *,
    eye: _Eye,
    light: _Light,
) -> Floats:
    """Return the colours of covered pixels; shadows are found once for each block of them."""
    number = screen.triangle[covered]
    corners = scene.triangles[number]
    shares = screen.shares[covered].astype(np.float64)
    points = np.einsum("nc,nci->ni", shares, scene.points[corners])
    normals = np.einsum("nc,nci->ni", shares, scene.normals[corners])
    normals /= np.maximum(lengths(normals), 1e-9)
    where = eye.axes.T @ eye.place
    towards = where - points
    towards /= lengths(towards)
    base, metal, rough = scene.base[number], scene.metal[number, None], scene.rough[number]
    last = np.zeros(int(blocks.max(initial=0)) + 1, dtype=np.int64)
    last[blocks] = np.arange(len(blocks))
    chosen = np.unique(last[blocks])
    place = np.zeros(len(last), dtype=np.int64)
    place[blocks[chosen]] = np.arange(len(chosen))
    sun = light.shade(points[chosen], normals[chosen])[place[blocks]]
    sky = light.sky(points[chosen], normals[chosen])[place[blocks]]
    facing = np.maximum(normals @ light.sun, 0.0)
    up = normals[:, 1] * 0.5 + 0.5
    around = _BACK_TOP * 0.78 * up[:, None] + np.array([0.40, 0.38, 0.36]) * (1 - up)[:, None]
    around = around * (0.25 + 0.75 * sky[:, None])
    diffuse = base * (1 - metal) * (around * 0.72 + 0.86 * (facing * sun)[:, None])
    shine = np.where(metal > 0, base * metal + 0.04 * (1 - metal), 0.04)
    gleam = _gleam(normals, towards, light.sun, rough) * (facing * sun)
    mirrored = _mirrored(normals, towards, rough, sky)
    edge = (1 - np.maximum(np.einsum("ni,ni->n", normals, towards), 0)) ** 5
    fresnel = shine + (1 - shine) * (edge * (1 - rough) ** 2)[:, None]
    return diffuse + fresnel * (mirrored + gleam[:, None]) + scene.glow[number]


def _gleam(normals: Floats, towards: Floats, sun: Floats, rough: Floats) -> Floats:
    half = towards + sun
    half /= lengths(half)
    alpha = np.maximum(rough, 0.16) ** 2
    close = np.maximum(np.einsum("ni,ni->n", normals, half), 0.0)
    spread = close**2 * (alpha**2 - 1) + 1
    return np.minimum(alpha**2 / (math.pi * spread**2) * 0.6, 12.0)


def _mirrored(normals: Floats, towards: Floats, rough: Floats, sky: Floats) -> Floats:
    """Return what a mirror would show of the studio: a bright window, a dim floor."""
    facing = np.einsum("ni,ni->n", normals, towards)
    back = 2 * facing[:, None] * normals - towards
    height = back[:, 1]
    soft = 0.08 + 0.5 * rough
    floor = 0.30 + 0.60 / (1 + np.exp(-height / soft * 2))
    window = np.exp(-(((back[:, 0] + 0.55) / (0.22 + rough)) ** 2))
    window *= 1 / (1 + np.exp(-(height - 0.15) / (soft * 0.5)))
    return (
        (floor + 0.7 * window * (1 - 0.6 * rough))[:, None]
        * (0.35 + 0.65 * sky[:, None])
        * (np.array([1.0, 0.99, 0.97]))
    )


def _background(eye: _Eye, width: int, height: int, scene: Scene, light: _Light) -> Floats:
    """Return the empty studio with the object's shadow on its ground, a pixel for each block."""
    rows, columns = np.divmod(np.arange(width * height), width)
    flat = np.column_stack([columns + 0.5 - width / 2, height / 2 - rows - 0.5])
    share = np.clip(rows / height, 0, 1)[:, None]
    shown = _BACK_TOP * (1 - share) + _BACK_LOW * share
    rays = np.column_stack([flat * _FINER / eye.focal, -np.ones(len(flat))]) @ eye.axes
    where = eye.axes.T @ eye.place
    down = np.flatnonzero(rays[:, 1] < _DOWNWARD)
    far = (float(scene.points[:, 1].min()) - where[1]) / rays[down, 1]
    points = where + rays[down] * far[:, None]
    away = lengths(points - light.middle)[:, 0] / light.size
    near = away < _GROUND
    down, points, away = down[near], points[near], away[near]
    normals = np.broadcast_to(np.array([0.0, 1.0, 0.0]), points.shape)
    sky = np.full(width * height, 255, dtype=np.uint8)
    sky[down] = light.sky(points, normals) * 255
    blur = ImageFilter.GaussianBlur(width * 0.012)
    soft = np.asarray(Image.fromarray(sky.reshape(height, width), "L").filter(blur)) / 255
    dark = 0.34 * (1 - light.shade(points, normals)) + 0.62 * (1 - soft.reshape(-1)[down])
    shown[down] *= (1 - np.clip(dark * np.clip(_GROUND - away, 0, 1), 0, 0.85))[:, None]
    wide = shown.reshape(height, width, 3)
    return np.repeat(np.repeat(wide, _FINER, axis=0), _FINER, axis=1).reshape(-1, 3)
