"""A skyline over wet ground."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, box, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.mirrors import lay_mirrored_land
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.scene import Scene, Sway


def draw_city(scene: Scene) -> None:
    """Draw a skyline in three rows, lit windows, and wet ground that mirrors them."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("city")
    for number in range(3):
        share = number / 2
        layer = scene.layer(0.12 + 0.14 * number)
        tint = mix(palette.far, palette.near, share)
        tint = mix(tint, palette.horizon, 0.45 * (1 - share))
        tall = stage.horizon * (0.62 - 0.14 * number) * float(rng.uniform(0.85, 1.1))
        _skyline(scene, layer, rng, tall=tall, tint=tint, share=share)
    _wet_ground(scene, rng)


def _skyline(
    scene: Scene, layer: Layer, rng: np.random.Generator, *, tall: float, tint: Colour, share: float
) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    foot = stage.horizon + (0.01 + 0.03 * share) * stage.height
    x = frame.left - 5
    blocks: list[Points] = []
    windows: list[Points] = []
    dim: list[Points] = []
    while x < frame.right:
        wide = stage.unit * float(rng.uniform(0.05, 0.13)) * (0.75 + 0.6 * share)
        crown = math.exp(-(((x - stage.hero_x) / (0.30 * stage.width)) ** 2))
        high = tall * float(rng.uniform(0.25, 0.7)) * (0.55 + 0.75 * crown)
        blocks += _tower(rng, x, foot, wide, high)
        _windows(rng, x, foot, wide=wide, high=high, lit=windows, dim=dim, unit=stage.unit)
        x += wide * float(rng.uniform(0.85, 1.15))
    mass = frame.shapes_of(blocks)
    layer.fill(
        mass,
        linear(
            (0, foot - tall),
            (0, foot + 0.02 * stage.height),
            relight(tint, lift=-0.05),
            tint,
            mix(tint, palette.horizon, 0.4),
        ),
    )
    layer.rim(
        mass, stage.toward_light(stage.hero_x, foot - tall), 0.004 * stage.unit, palette.glow, 0.35
    )
    dark = stage.is_dark or stage.hour == "grey"
    layer.tint(frame.shapes_of(dim), relight(tint, lift=0.05 if dark else -0.06), 0.6)
    lamp = mix(palette.glow, palette.accent, 0.4)
    panes = frame.shapes_of(windows)
    layer.tint(panes, lamp if dark else mix(tint, palette.glow, 0.45), 0.5 + 0.4 * share)
    if dark:
        layer.light(frame.blurred(panes, 0.010 * stage.unit), lamp, 0.8)


def _tower(
    rng: np.random.Generator, x: float, foot: float, wide: float, high: float
) -> list[Points]:
    """Return a block with one of several tops: stepped, with a mast, slanted, pointed or flat."""
    mast = x + wide / 2
    tops: list[list[Points]] = [
        [box(x + wide * 0.2, foot - high * 1.13, wide * 0.6, high * 0.2)],
        [
            box(mast - wide * 0.02, foot - high * 1.28, wide * 0.04, high * 0.3),
            box(x + wide * 0.3, foot - high * 1.07, wide * 0.4, high * 0.1),
        ],
        [points((x, foot - high), (x + wide, foot - high), (x + wide, foot - high * 1.12))],
        [points((x, foot - high), (mast, foot - high * 1.2), (x + wide, foot - high))],
        [],
    ]
    kind = int(rng.choice(len(tops), p=[0.25, 0.15, 0.12, 0.08, 0.40]))
    return [box(x, foot - high, wide, high + 9), *tops[kind]]


def _windows(
    rng: np.random.Generator,
    x: float,
    foot: float,
    *,
    wide: float,
    high: float,
    lit: list[Points],
    dim: list[Points],
    unit: float,
) -> None:
    step = max(unit * 0.0125, 4.0)
    columns, rows = int((wide - step) / step), int((high - step) / (step * 1.35))
    share = float(rng.uniform(0.11, 0.45))
    for column in range(max(columns, 0)):
        for row in range(max(rows, 0)):
            if chance(rng, 0.1):
                continue
            pane = box(
                x + step * (0.75 + column),
                foot - high + step * (0.8 + 1.35 * row),
                step * 0.5,
                step * 0.72,
            )
            (lit if chance(rng, share) else dim).append(pane)


def _wet_ground(scene: Scene, rng: np.random.Generator) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    shore = round(stage.horizon + 0.035 * stage.height)
    layer = scene.layer(0.42, sway=Sway(x=stage.unit * 0.004, period_s=4.0))
    patch = lay_mirrored_land(scene, layer, rng, shore=shore, ripple=34)
    rows = patch.mask.shape[0]
    layer.blur(stage.unit * 0.003)
    layer.fill(frame.below(shore).times(0.0), palette.near)
    fall = np.linspace(0.42, 0.82, rows, dtype=np.float32)[:, None]
    layer.tint(patch.times(fall), mix(palette.deep, palette.near, 0.5))
    quay = frame.line(points((frame.left, shore), (frame.right, shore)), 0.008 * stage.unit)
    layer.fill(quay, mix(palette.deep, palette.near, 0.35))
    _lamps(scene, rng, shore)


def _lamps(scene: Scene, rng: np.random.Generator, shore: float) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    if not (stage.is_dark or stage.hour == "grey"):
        return
    layer = scene.layer(0.44)
    gap = stage.unit * float(rng.uniform(0.18, 0.26))
    xs = np.arange(frame.left + gap * rng.random(), frame.right, gap)
    tall = 0.075 * stage.unit
    posts = [(points((x, shore), (x, shore - tall)), 0.0035 * stage.unit) for x in xs.tolist()]
    layer.fill(frame.lines(posts), palette.deep)
    lamp = mix(palette.glow, palette.accent, 0.3)
    for x in xs.tolist():
        layer.fill(frame.glow(x, shore - tall, 0.05 * stage.unit, power=2.4), lamp, 0.75)
        layer.fill(frame.disc(x, shore - tall, 0.006 * stage.unit), palette.glow)
        streak = frame.line(
            points((x, shore + 0.01 * stage.unit), (x, shore + 0.22 * stage.unit)),
            np.array([0.012, 0.002]) * stage.unit,
        )
        layer.fill(frame.blurred(streak, 0.004 * stage.unit), lamp, 0.4)
