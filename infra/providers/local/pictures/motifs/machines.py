"""Gear wheels."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, circle
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.signals import draw_backdrop
from infra.providers.local.pictures.raster import Patch
from infra.providers.local.pictures.scene import Scene

_SPOKED_FROM = 13


def draw_gears(scene: Scene) -> None:
    """Draw interlocking gear wheels, some lit and some in shade, filling their side."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("gears")
    draw_backdrop(scene, rng, dark=stage.is_dark)
    size = stage.hero_size * {"close": 1.25, "medium": 1.0, "wide": 0.8}[stage.view]
    x, y = stage.hero_x, stage.hero_y - 0.42 * stage.hero_size
    metals = [
        relight(palette.stuff((0.72, 0.52, 0.30), 0.3), lightness=0.62),
        relight(palette.tone(0.55), lightness=0.56),
        relight(palette.accent, lightness=0.58),
        relight(palette.tone(0.3), lightness=0.40),
    ]
    wheels = [(0.0, 0.0, 0.34, 18)]
    for angle in rng.permutation([0.5, 1.75, 3.1, 4.2, 5.3]).tolist()[
        : 4 if stage.view != "close" else 3
    ]:
        radius = float(rng.uniform(0.12, 0.24))
        reach = 0.34 + radius * 0.93
        wheels.append(
            (math.cos(angle) * reach, math.sin(angle) * reach, radius, round(radius * 53))
        )
    far = scene.layer(0.40)
    for number in range(3):
        radius = size * float(rng.uniform(0.3, 0.5))
        _gear(
            scene,
            far,
            x=x + size * float(rng.normal(0, 0.6)),
            y=y + size * float(rng.normal(0, 0.25)),
            radius=radius,
            teeth=16 + number,
            metal=mix(palette.near, palette.tone(0.5), 0.35),
            turn=float(rng.random()),
        )
    far.blur(stage.unit * 0.012)
    layer = scene.layer(0.60)
    for number, (dx, dy, radius, teeth) in enumerate(wheels):
        _gear(
            scene,
            layer,
            x=x + dx * size,
            y=y + dy * size,
            radius=radius * size,
            teeth=max(teeth, 8),
            metal=metals[number % 4],
            turn=float(rng.random()),
        )


def _gear(
    scene: Scene,
    layer: Layer,
    *,
    x: float,
    y: float,
    radius: float,
    teeth: int,
    metal: Colour,
    turn: float,
) -> None:
    frame, palette = scene.frame, scene.palette
    light = scene.stage.toward_light(x, y)
    steps = np.linspace(0, math.tau, teeth * 12, endpoint=False)
    phase = (steps / math.tau * teeth + turn) % 1
    rise = np.clip((0.30 - np.abs(phase - 0.5)) / 0.07, 0, 1)
    rim = radius * (0.88 + 0.14 * rise)
    outline = np.stack([x + np.cos(steps) * rim, y + np.sin(steps) * rim], axis=1)
    spokes = 5 if teeth >= _SPOKED_FROM else 0
    holes: list[Points] = [circle(x, y, radius * 0.12)]
    for spoke in range(spokes):
        middle = math.tau * (spoke + turn) / spokes
        inner, outer, half = radius * 0.27, radius * 0.66, math.pi / spokes * 0.72
        arc_out = np.linspace(middle - half, middle + half, 14)
        arc_in = np.linspace(middle + half * 0.72, middle - half * 0.72, 10)
        holes.append(
            np.concatenate(
                [
                    np.stack([x + np.cos(arc_out) * outer, y + np.sin(arc_out) * outer], axis=1),
                    np.stack([x + np.cos(arc_in) * inner, y + np.sin(arc_in) * inner], axis=1),
                ]
            )
        )
    mask = frame.cut(outline, *holes)
    shade = frame.blurred(mask, radius * 0.05).shifted(-light[0] * radius * 0.10, radius * 0.09)
    layer.shadow(shade.outside(mask), palette.deep, 0.55)
    layer.fill(
        Patch(mask.x, mask.y, mask.mask).shifted(-light[0] * radius * 0.035, radius * 0.035),
        relight(metal, lift=-0.22),
    )
    bright, dim = relight(mix(metal, palette.glow, 0.4), lift=0.08), relight(metal, lift=-0.15)
    paint = linear(
        (x + light[0] * radius, y + light[1] * radius),
        (x - light[0] * radius, y - light[1] * radius),
        bright,
        metal,
        dim,
    )
    layer.fill(mask, paint)
    ring = frame.cut(circle(x, y, radius * 0.80), circle(x, y, radius * 0.72)).inside(mask)
    layer.tint(ring, relight(metal, lift=-0.10), 0.55)
    layer.rim(mask, light, radius * 0.025, palette.glow, 0.7)
    layer.tint(
        frame.edge(mask, (-light[0], -light[1]), radius * 0.025), relight(metal, lift=-0.24), 0.55
    )
