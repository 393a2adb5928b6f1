"""A lighthouse on its rock."""

import math

import numpy as np

from infra.providers.local.pictures.colour import mix, relight
from infra.providers.local.pictures.geometry import Points, box, curve, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.mounds import lay_mound
from infra.providers.local.pictures.scene import Scene, Sway
from infra.providers.local.pictures.solids import lay_turned, turned


def draw_lighthouse(scene: Scene) -> None:
    """Draw a banded lighthouse on a rock, its lamp lit and its beam over the water."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("lighthouse")
    size = min(
        stage.hero_size * {"close": 1.35, "medium": 1.12, "wide": 0.95}[stage.view],
        0.80 * stage.hero_y,
    )
    x, y = stage.hero_x, stage.hero_y
    top = y - size
    if stage.hour != "day":
        _beam(scene, x=x, y=top + 0.10 * size, reach=1.5 * stage.width, rng=rng)
    layer = scene.layer(0.62)
    lay_mound(scene, layer, x=x, y=y, wide=0.42 * size + 0.10 * stage.unit, rocky=True)
    _keeper_house(scene, layer, x=x + 0.17 * size, y=y + 0.035 * size, size=size)
    tower = turned(
        x,
        y + 0.02 * size,
        tall=0.80 * size,
        wide=0.098 * size,
        shape=[(0, 1.0), (0.3, 0.86), (0.7, 0.72), (1, 0.66)],
        squash=0.12,
    )
    white = relight(palette.paper, lightness=0.60 if stage.is_dark else 0.88)
    band = relight(palette.accent, lightness=0.44 if stage.is_dark else 0.58)
    mask = lay_turned(scene, layer, tower, white, gloss=0.1)
    rows = mask.grid()[1]
    share = (tower.y - rows) / tower.tall
    stripes = (np.sin(share * math.pi * 5.0 + 0.6) > 0).astype(np.float32)
    before = layer.colour.copy()
    lay_turned(scene, layer, tower, band, gloss=0.1)
    layer.keep(mask, before, stripes)
    _lantern(scene, layer, x=x, y=top + 0.20 * size, size=size)
    for place in (0.25, 0.5):
        pane = box(x - 0.010 * size, y - place * size, 0.02 * size, 0.035 * size)
        layer.fill(frame.shape_of(pane), palette.glow if stage.is_dark else palette.deep, 0.9)


def _lantern(scene: Scene, layer: Layer, *, x: float, y: float, size: float) -> None:
    palette, frame = scene.palette, scene.frame
    dark = mix(palette.deep, palette.near, 0.3)
    gallery = box(x - 0.095 * size, y - 0.012 * size, 0.19 * size, 0.022 * size)
    layer.fill(frame.shape_of(gallery), dark)
    rails = [
        (
            points(
                (x + k * 0.022 * size, y - 0.012 * size), (x + k * 0.022 * size, y - 0.05 * size)
            ),
            0.0035 * size,
        )
        for k in range(-4, 5)
    ]
    rails.append(
        (
            points((x - 0.09 * size, y - 0.05 * size), (x + 0.09 * size, y - 0.05 * size)),
            0.004 * size,
        )
    )
    lamp = box(x - 0.046 * size, y - 0.105 * size, 0.092 * size, 0.095 * size)
    lit = scene.stage.hour != "day"
    layer.fill(
        frame.shape_of(lamp), palette.glow if lit else mix(palette.zenith, palette.paper, 0.4)
    )
    if lit:
        layer.fill(frame.glow(x, y - 0.06 * size, 0.42 * size, power=2.4), palette.glow, 0.75)
        layer.fill(frame.disc(x, y - 0.06 * size, 0.03 * size), palette.paper)
    bars = [
        (
            points(
                (x + k * 0.046 * size, y - 0.105 * size), (x + k * 0.046 * size, y - 0.01 * size)
            ),
            0.006 * size,
        )
        for k in (-1, 0, 1)
    ]
    layer.fill(frame.lines([*rails, *bars]), dark)
    roof = curve(
        points(
            (x - 0.066 * size, y - 0.10 * size),
            (x - 0.04 * size, y - 0.145 * size),
            (x, y - 0.185 * size),
            (x + 0.04 * size, y - 0.145 * size),
            (x + 0.066 * size, y - 0.10 * size),
        ),
        closed=False,
    )
    layer.fill(
        frame.shape_of(roof),
        linear(
            (x - 0.06 * size, 0),
            (x + 0.06 * size, 0),
            relight(palette.accent, lightness=0.5),
            relight(palette.accent, lightness=0.34),
        ),
    )
    layer.fill(frame.line(points((x, y - 0.18 * size), (x, y - 0.23 * size)), 0.006 * size), dark)


def _keeper_house(scene: Scene, layer: Layer, *, x: float, y: float, size: float) -> None:
    palette, frame = scene.palette, scene.frame
    wall = relight(palette.paper, lightness=0.50 if scene.stage.is_dark else 0.82)
    layer.fill(
        frame.shape_of(box(x - 0.09 * size, y - 0.11 * size, 0.18 * size, 0.14 * size)),
        linear((x - 0.1 * size, 0), (x + 0.1 * size, 0), wall, relight(wall, lift=-0.14)),
    )
    roof = points(
        (x - 0.11 * size, y - 0.10 * size),
        (x - 0.06 * size, y - 0.19 * size),
        (x + 0.06 * size, y - 0.19 * size),
        (x + 0.11 * size, y - 0.10 * size),
    )
    layer.fill(frame.shape_of(roof), relight(palette.accent, lightness=0.40, chroma=0.8))
    pane = frame.shapes_of(
        [
            box(x - 0.055 * size, y - 0.075 * size, 0.03 * size, 0.04 * size),
            box(x + 0.025 * size, y - 0.075 * size, 0.03 * size, 0.04 * size),
        ]
    )
    layer.fill(pane, palette.glow if scene.stage.is_dark else palette.deep)


def _beam(scene: Scene, *, x: float, y: float, reach: float, rng: np.random.Generator) -> None:
    frame, palette, stage = scene.frame, scene.palette, scene.stage
    layer = scene.layer(0.61, sway=Sway(x=stage.unit * 0.006, y=stage.unit * 0.004, period_s=6.0))
    fans: list[Points] = []
    for way in (-1, 1):
        angle = (math.pi if way < 0 else 0.0) + way * -float(rng.uniform(0.03, 0.12))
        half = 0.085
        fans.append(
            points(
                (x, y),
                (x + math.cos(angle - half) * reach, y + math.sin(angle - half) * reach),
                (x + math.cos(angle + half) * reach, y + math.sin(angle + half) * reach),
            )
        )
    rays = frame.blurred(frame.shapes_of(fans), 0.010 * stage.unit)
    fade = rays.faded(
        lambda xs, _ys: np.clip(1 - np.abs(xs - x) / (0.75 * stage.width), 0, 1) ** 1.4
    )
    layer.fill(fade, palette.glow, {"night": 0.55, "dusk": 0.42}.get(stage.hour, 0.22))
