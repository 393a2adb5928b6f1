"""One old tree."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import (
    Points,
    circle,
    curve,
    points,
    taper,
)
from infra.providers.local.pictures.layer import Layer
from infra.providers.local.pictures.motifs.mounds import lay_mound
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene, Sway

_LEAVES_FROM = 2
_LAST_TWIG = 4
_LIT_FROM = 0.9


def draw_tree(scene: Scene) -> None:
    """Draw one old tree on a rise, its crown in clumps of light and shade."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("tree")
    size = stage.hero_size * {"close": 1.35, "medium": 1.15, "wide": 0.85}[stage.view]
    size = min(size, 0.86 * stage.hero_y)
    x, y = stage.hero_x, stage.hero_y
    ground = scene.layer(0.60)
    lay_mound(scene, ground, x=x, y=y, wide=0.95 * size, rocky=False)
    layer = scene.layer(0.61, sway=Sway(x=0.0028 * stage.unit, period_s=4.8))
    strokes: list[Stroke] = []
    tips: list[tuple[float, float, float]] = []
    _grow(
        rng,
        strokes,
        tips,
        start=(x, y + 0.03 * size),
        angle=-math.pi / 2 + float(rng.normal(0, 0.06)),
        long=0.34 * size,
        thick=0.085 * size,
        order=0,
    )
    wood = mix(palette.deep, palette.stuff((0.33, 0.22, 0.16), 0.4), 0.5)
    trunk = frame.lines(strokes)
    shade = frame.disc(x, y + 0.03 * size, 0.34 * size, squash=0.12)
    ground.shadow(frame.blurred(shade, 0.04 * size), palette.deep, 0.5)
    layer.fill(trunk, wood)
    layer.rim(trunk, stage.toward_light(x, y - size), 0.012 * size, palette.glow, 0.7)
    if "snow" in stage.skies or chance(rng, 0.10):
        return
    autumn = "autumn" in scene.brief.moods
    green = palette.stuff((0.30, 0.42, 0.24), 0.5)
    tint = (
        relight(palette.accent, lightness=0.56)
        if autumn or chance(rng, 0.3)
        else relight(mix(green, palette.middle, 0.35), lightness=0.30 if stage.is_dark else 0.48)
    )
    _crown(scene, layer, rng, tips=tips, size=size, tint=tint)


def _grow(
    rng: np.random.Generator,
    strokes: list[Stroke],
    tips: list[tuple[float, float, float]],
    *,
    start: tuple[float, float],
    angle: float,
    long: float,
    thick: float,
    order: int,
) -> None:
    bend = float(rng.normal(0, 0.22))
    middle = (start[0] + math.cos(angle) * long * 0.5, start[1] + math.sin(angle) * long * 0.5)
    end = (
        middle[0] + math.cos(angle + bend) * long * 0.5,
        middle[1] + math.sin(angle + bend) * long * 0.5,
    )
    line = curve(points(start, middle, end), closed=False, steps=6)
    flare = taper(len(line), thick, thick * 0.66)
    if order == 0:
        flare = flare + thick * 0.45 * np.exp(-np.arange(len(line)) * 0.9)
    strokes.append((line, flare))
    if order >= _LEAVES_FROM:
        tips.append((end[0], end[1], long))
    if order >= _LAST_TWIG:
        return
    for side in rng.permutation([-1.0, -0.25, 0.45, 1.0]).tolist()[
        : 3 if order < _LAST_TWIG - 1 else 2
    ]:
        _grow(
            rng,
            strokes,
            tips,
            start=end,
            angle=angle + bend + side * float(rng.uniform(0.42, 0.75)) - 0.10 * math.cos(angle),
            long=long * float(rng.uniform(0.64, 0.82)),
            thick=thick * 0.60,
            order=order + 1,
        )


def _crown(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    tips: list[tuple[float, float, float]],
    size: float,
    tint: Colour,
) -> None:
    """Set clumps of leaves on the twigs, dark ones behind, lit ones toward the light."""
    palette, frame, stage = scene.palette, scene.frame, scene.stage
    middle = np.mean([(tx, ty) for tx, ty, _ in tips], axis=0)
    light = stage.toward_light(float(middle[0]), float(middle[1]))
    steps: list[tuple[Colour, float, float]] = [
        (relight(mix(tint, palette.deep, 0.5), lift=-0.05), 0.0, 1.15),
        (tint, 0.035, 0.95),
        (relight(mix(tint, palette.glow, 0.22), lift=0.05), 0.075, 0.66),
        (relight(mix(tint, palette.glow, 0.45), lift=0.09), 0.105, 0.38),
    ]
    for colour, shift, share in steps:
        leaves: list[Points] = []
        for tx, ty, long in tips:
            facing = ((tx - middle[0]) * light[0] + (ty - middle[1]) * light[1]) / size
            if share < _LIT_FROM and facing < -0.10 + 0.2 * (0.7 - share):
                continue
            for _ in range(int(15 * share) + 3):
                spread = long * 0.62 * share**0.4
                px = tx + light[0] * shift * size + float(rng.normal(0, 0.55)) * spread
                py = ty + light[1] * shift * size + float(rng.normal(0, 0.45)) * spread
                leaves.append(
                    circle(
                        px,
                        py,
                        size * float(rng.uniform(0.008, 0.019)),
                        squash=0.6,
                        turn=float(rng.uniform(0, 3.1)),
                    )
                )
        layer.fill(frame.shapes_of(leaves), colour, 0.95)
