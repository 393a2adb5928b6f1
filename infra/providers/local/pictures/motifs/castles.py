"""A castle on its rock."""

from dataclasses import dataclass

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, box, circle, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.mounds import lay_mound
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene

_STONE: Colour = (0.60, 0.57, 0.52)
_TOWERS = ((-0.40, 0.13, 0.50), (0.40, 0.12, 0.44), (0.10, 0.22, 0.62), (-0.16, 0.11, 0.80))
"""Place, width and height in shares of the castle's size, from back to front."""
_SLENDER = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tower:
    left: float
    foot: float
    wide: float
    tall: float
    pointed: bool


def draw_castle(scene: Scene) -> None:
    """Draw a castle on a rock: towers with roofs or battlements, a wall with its gate."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("castle")
    size = stage.hero_size * {"close": 1.3, "medium": 1.15, "wide": 0.85}[stage.view]
    size = min(size, 0.9 * stage.hero_y)
    x, y = stage.hero_x, stage.hero_y - 0.04 * stage.height
    layer = scene.layer(0.58)
    lay_mound(scene, layer, x=x, y=y, wide=0.72 * size, rocky=True)
    stone = mix(palette.stuff(_STONE, 0.35), palette.near, 0.15)
    stone = relight(stone, lift={"night": -0.26, "dusk": -0.16, "grey": -0.06}.get(stage.hour, 0.0))
    lit: list[Points] = []
    for place, wide, tall in _TOWERS:
        tower = _Tower(
            left=x + (place - wide / 2) * size,
            foot=y,
            wide=wide * size,
            tall=tall * size * float(rng.uniform(0.92, 1.06)),
            pointed=wide < _SLENDER and chance(rng, 0.65),
        )
        _lay_tower(scene, layer, tower, stone)
        middle = tower.left + tower.wide * 0.44
        lit += [
            box(middle, y - share * tower.tall, 0.016 * size, 0.038 * size)
            for share in (0.82, 0.55)
        ]
    _lay_wall(scene, layer, stone, x=x, y=y, size=size)
    warm = mix(palette.glow, (1.0, 0.76, 0.42), 0.3)
    layer.fill(frame.shapes_of(lit), warm if stage.is_dark else palette.deep, 0.9)


def _lay_tower(scene: Scene, layer: Layer, tower: _Tower, stone: Colour) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    left, wide, top = tower.left, tower.wide, tower.foot - tower.tall
    light = stage.toward_light(left, top)
    outline = [box(left, top, wide, tower.tall)]
    if not tower.pointed:
        merlon = wide / 7
        outline.append(box(left - 0.04 * wide, top - 0.5 * merlon, 1.08 * wide, merlon))
        outline += [
            box(left + 2 * k * merlon, top - 1.4 * merlon, merlon, merlon * 1.4) for k in range(4)
        ]
    mask = frame.shapes_of(outline)
    bright, dim = relight(mix(stone, palette.glow, 0.25), lift=0.05), relight(stone, lift=-0.10)
    ends = (bright, dim) if light[0] < 0 else (dim, bright)
    layer.fill(mask, linear((left, 0), (left + wide, 0), ends[0], stone, ends[1]))
    layer.rim(mask, light, 0.04 * wide, palette.glow, 0.5)
    courses: list[Stroke] = [
        (points((left, row), (left + wide, row)), 0.8)
        for row in np.arange(top + 0.3 * wide, tower.foot, 0.3 * wide).tolist()
    ]
    layer.tint(frame.lines(courses).inside(mask), palette.deep, 0.20)
    if tower.pointed:
        roof = relight(palette.accent, lightness=0.30 if stage.is_dark else 0.46)
        cone = points(
            (left - 0.12 * wide, top),
            (left + wide / 2, top - 1.7 * wide),
            (left + 1.12 * wide, top),
        )
        cap = frame.shape_of(cone)
        shades = (relight(roof, lift=0.05), roof, relight(roof, lift=-0.08))
        layer.fill(cap, linear((left, 0), (left + wide, 0), *shades))
        layer.rim(cap, light, 0.04 * wide, palette.glow, 0.5)


def _lay_wall(
    scene: Scene, layer: Layer, stone: Colour, *, x: float, y: float, size: float
) -> None:
    palette, frame = scene.palette, scene.frame
    wall = frame.shape_of(box(x - 0.46 * size, y - 0.20 * size, 0.92 * size, 0.24 * size))
    teeth = frame.shapes_of(
        [
            box(x + (0.066 * k - 0.46) * size, y - 0.235 * size, 0.036 * size, 0.04 * size)
            for k in range(14)
        ]
    )
    high, low = y - 0.24 * size, y + 0.05 * size
    for mask in (wall, teeth):
        paint = linear((0, high), (0, low), relight(stone, lift=0.02), relight(stone, lift=-0.10))
        layer.fill(mask, paint)
        layer.rim(mask, (0.0, -1.0), 0.005 * size, palette.glow, 0.4)
    arch = circle(x - 0.1 * size, y - 0.09 * size, 0.05 * size)
    passage = box(x - 0.15 * size, y - 0.09 * size, 0.1 * size, 0.12 * size)
    layer.fill(frame.shapes_of([arch, passage]), palette.deep)
