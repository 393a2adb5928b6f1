"""A window seen from inside."""

import math

import numpy as np

from infra.providers.local.pictures.colour import mix, relight
from infra.providers.local.pictures.geometry import Points, box, grown, moved, points
from infra.providers.local.pictures.layer import linear
from infra.providers.local.pictures.motifs.foregrounds import leaf_outline
from infra.providers.local.pictures.noise import clouds
from infra.providers.local.pictures.scene import Scene, Sway
from infra.providers.local.pictures.solids import lay_turned, turned


def draw_window(scene: Scene) -> None:
    """Draw a window from inside: the land or sky beyond, a sill with a plant, curtains."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("window")
    wide = min(
        0.80 * stage.hero_size * (1.25 if stage.width > stage.height else 1.0),
        0.48 * stage.width if stage.side in {"left", "right"} else 0.8 * stage.width,
    )
    tall = min(1.08 * stage.hero_size, 0.80 * stage.hero_y)
    x0, y0 = stage.hero_x - wide / 2, stage.hero_y - tall
    opening = box(x0, y0, wide, tall)
    layer = scene.layer(0.45)
    wall = mix(palette.tone(0.5), palette.near, 0.45)
    if not stage.is_dark:
        wall = relight(wall, lightness=0.52)
    around = frame.cut(
        box(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top), opening
    )
    layer.fill(
        around,
        linear(
            (stage.hero_x, 0),
            (stage.hero_x + stage.width * (0.7 if stage.hero_x < stage.width / 2 else -0.7), 0),
            relight(mix(wall, palette.glow, 0.25), lift=0.03),
            wall,
            relight(wall, lift=-0.10),
        ),
    )
    plaster = clouds(rng, frame.shape, cell=0.35 * stage.unit, octaves=5)
    layer.tint(frame.everything().times(plaster).inside(around), relight(wall, lift=-0.05), 0.25)
    trim = relight(mix(palette.paper, wall, 0.3), lightness=0.50 if stage.is_dark else 0.84)
    thick = 0.030 * stage.unit
    bars = [
        frame.cut(grown(opening, thick), opening),
        frame.shape_of(box(stage.hero_x - thick * 0.35, y0, thick * 0.7, tall)),
        frame.shape_of(box(x0, y0 + tall * 0.40, wide, thick * 0.6)),
    ]
    for bar in bars:
        layer.fill(
            bar,
            linear((x0, 0), (x0 + wide, 0), relight(trim, lift=0.05), relight(trim, lift=-0.10)),
        )
        layer.rim(bar, stage.toward_light(stage.hero_x, y0), 0.003 * stage.unit, palette.glow, 0.7)
    sill = frame.shape_of(box(x0 - 2.2 * thick, y0 + tall, wide + 4.4 * thick, thick * 1.1))
    layer.fill(
        sill,
        linear(
            (0, y0 + tall),
            (0, y0 + tall + thick),
            relight(mix(trim, palette.glow, 0.3), lift=0.06),
            relight(trim, lift=-0.12),
        ),
    )
    below = frame.shape_of(
        points(
            (x0 - 2 * thick, y0 + tall + thick),
            (x0 + wide + 2 * thick, y0 + tall + thick),
            (x0 + wide + 5 * thick, frame.bottom),
            (x0 - 5 * thick, frame.bottom),
        )
    )
    layer.light(frame.blurred(below, 0.02 * stage.unit), palette.glow, 0.10)
    _curtains(
        scene,
        rng,
        x0=x0 - 1.2 * thick,
        x1=x0 + wide + 1.2 * thick,
        y0=y0 - 2.2 * thick,
        y1=y0 + tall + 2.2 * thick,
    )
    if "cat" not in stage.subjects:
        _pot_plant(
            scene, rng, x=x0 + wide * float(rng.choice([0.26, 0.74])), y=y0 + tall, size=0.42 * tall
        )


def _curtains(
    scene: Scene, rng: np.random.Generator, *, x0: float, x1: float, y0: float, y1: float
) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    cloth = relight(
        mix(palette.accent, palette.paper, 0.45), lightness=0.46 if stage.is_dark else 0.80
    )
    for way in (-1, 1):
        layer = scene.layer(0.64, sway=Sway(x=0.007 * stage.unit, period_s=4.6, phase=0.7 * way))
        edge = x0 if way < 0 else x1
        wide = 0.16 * (x1 - x0)
        ys = np.linspace(y0, y1, 30)
        place = np.linspace(0, 1, 30)
        inner = edge - way * wide * (
            0.55
            + 0.45 * np.cos(place * math.pi * 1.2)
            + 0.10 * np.sin(place * 5 + float(rng.random()))
        )
        outer = edge + way * wide * (0.35 + 0.08 * np.sin(place * 4))
        mask = frame.shape_of(
            np.concatenate([np.stack([inner, ys], axis=1), np.stack([outer, ys], axis=1)[::-1]])
        )
        layer.fill(mask, cloth, 0.93)
        for fold in range(5):
            share = (fold + 0.5) / 5
            line = np.stack([inner * (1 - share) + outer * share, ys], axis=1)
            layer.tint(
                frame.blurred(frame.line(line, wide * 0.07), wide * 0.03).inside(mask),
                relight(cloth, lift=-0.12 if fold % 2 else 0.06),
                0.7,
            )
        layer.rim(mask, (-way, 0.0), 0.006 * stage.unit, palette.glow, 0.7)
    rod = scene.layer(0.65)
    rod.fill(
        frame.line(
            points((x0 - 0.06 * stage.unit, y0), (x1 + 0.06 * stage.unit, y0)), 0.010 * stage.unit
        ),
        palette.deep,
    )


def _pot_plant(scene: Scene, rng: np.random.Generator, *, x: float, y: float, size: float) -> None:
    palette, frame = scene.palette, scene.frame
    layer = scene.layer(0.47)
    pot = turned(
        x,
        y,
        tall=0.34 * size,
        wide=0.20 * size,
        shape=[(0, 0.72), (0.5, 0.88), (1, 1.0)],
        squash=0.16,
    )
    leaves: list[Points] = []
    for _ in range(16):
        angle = -math.pi / 2 + float(rng.normal(0, 0.75))
        reach = size * float(rng.uniform(0.12, 0.42))
        px, py = x + math.cos(angle) * reach * 0.7, y - 0.36 * size + math.sin(angle) * reach
        leaves.append(
            moved(
                leaf_outline(),
                px,
                py,
                scale=size * float(rng.uniform(0.16, 0.26)),
                turn=angle + float(rng.normal(0, 0.4)),
            )
        )
    mask = frame.shapes_of(leaves)
    green = palette.stuff((0.28, 0.42, 0.28), 0.35)
    layer.fill(
        mask,
        linear(
            (0, y - size),
            (0, y - 0.3 * size),
            relight(green, lift=0.10),
            relight(green, lift=-0.06),
        ),
    )
    layer.rim(mask, scene.stage.toward_light(x, y - size), 0.012 * size, palette.glow, 0.6)
    lay_turned(scene, layer, pot, relight(palette.accent, lightness=0.5), gloss=0.2)
