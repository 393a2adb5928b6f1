"""A house with its trees."""

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import box, circle, grown, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.living import draw_flicker, draw_steam
from infra.providers.local.pictures.motifs.mounds import lay_mound
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene


def draw_house(scene: Scene) -> None:
    """Draw a house with lit windows, a smoking chimney and a tree beside it."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("house")
    layer = scene.layer(0.62)
    size = stage.hero_size * {"close": 1.25, "medium": 0.95, "wide": 0.75}[stage.view]
    size = min(size, 0.98 * stage.hero_y)
    x, y = stage.hero_x, stage.hero_y
    lay_mound(scene, layer, x=x, y=y, wide=1.15 * size, rocky=False)
    for side in (-1, 1):
        _round_tree(
            scene,
            layer,
            rng,
            x=x + side * size * float(rng.uniform(0.62, 0.82)),
            y=y + 0.07 * size,
            tall=size * float(rng.uniform(0.55, 0.85)),
        )
    wall = relight(
        palette.stuff((0.90, 0.86, 0.78), 0.35), lightness=0.42 if stage.is_dark else 0.86
    )
    roof = relight(palette.accent, lightness=0.30 if stage.is_dark else 0.48)
    _gabled(scene, layer, x=x, y=y + 0.02 * size, size=size, wall=wall, roof=roof)
    draw_steam(scene, x=x + 0.23 * size, y=y - 0.80 * size, wide=0.10 * size, tall=0.55 * size)
    if stage.is_dark:
        draw_flicker(scene, x=x, y=y - 0.2 * size, radius=0.6 * size, strength=0.16)


def _gabled(
    scene: Scene, layer: Layer, *, x: float, y: float, size: float, wall: Colour, roof: Colour
) -> None:
    frame, palette, stage = scene.frame, scene.palette, scene.stage
    side, _ = stage.toward_light(x, y)
    lit, shade = (relight(mix(wall, palette.glow, 0.3), lift=0.03), relight(wall, lift=-0.15))
    front, flank = (lit, shade) if side < 0 else (shade, lit)
    gable = points(
        (x - 0.44 * size, y),
        (x - 0.44 * size, y - 0.36 * size),
        (x - 0.22 * size, y - 0.66 * size),
        (x, y - 0.36 * size),
        (x, y),
    )
    long = points(
        (x, y),
        (x, y - 0.36 * size),
        (x + 0.44 * size, y - 0.34 * size),
        (x + 0.44 * size, y - 0.01 * size),
    )
    layer.fill(
        frame.shape_of(long),
        linear((x, 0), (x + 0.44 * size, 0), flank, relight(flank, lift=-0.05)),
    )
    layer.fill(
        frame.shape_of(gable),
        linear((0, y - 0.6 * size), (0, y), front, relight(front, lift=-0.06)),
    )
    slabs = frame.shape_of(
        points(
            (x + 0.035 * size, y - 0.32 * size),
            (x - 0.22 * size, y - 0.70 * size),
            (x + 0.26 * size, y - 0.68 * size),
            (x + 0.49 * size, y - 0.30 * size),
        )
    )
    layer.fill(
        slabs,
        linear(
            (0, y - 0.7 * size),
            (0, y - 0.3 * size),
            relight(mix(roof, palette.glow, 0.22), lift=0.04),
            relight(roof, lift=-0.06),
        ),
    )
    rows = [
        (
            points(
                (x - 0.20 * size + 0.045 * k * size, y - (0.665 - 0.062 * k) * size),
                (x + 0.28 * size + 0.04 * k * size, y - (0.645 - 0.062 * k) * size),
            ),
            0.005 * size,
        )
        for k in range(6)
    ]
    layer.tint(frame.lines(rows).inside(slabs), relight(roof, lift=-0.10), 0.55)
    edge = [
        (
            points(
                (x - 0.49 * size, y - 0.31 * size),
                (x - 0.22 * size, y - 0.70 * size),
                (x + 0.035 * size, y - 0.32 * size),
            ),
            0.035 * size,
        )
    ]
    layer.fill(frame.lines(edge), relight(roof, lift=-0.07))
    chimney = box(x + 0.19 * size, y - 0.80 * size, 0.08 * size, 0.18 * size)
    layer.fill(
        frame.shape_of(chimney),
        linear(
            (x + 0.19 * size, 0),
            (x + 0.27 * size, 0),
            relight(wall, lift=-0.04),
            relight(wall, lift=-0.2),
        ),
    )
    _openings(scene, layer, x=x, y=y, size=size)


def _openings(scene: Scene, layer: Layer, *, x: float, y: float, size: float) -> None:
    frame, palette, stage = scene.frame, scene.palette, scene.stage
    dark = stage.is_dark or stage.hour in {"dawn", "grey"}
    glass = (
        mix(palette.glow, (1.0, 0.72, 0.35), 0.35)
        if dark
        else mix(palette.zenith, palette.deep, 0.45)
    )
    trim = relight(palette.paper, lightness=0.5 if stage.is_dark else 0.95)
    panes = [
        box(x - 0.36 * size, y - 0.30 * size, 0.11 * size, 0.14 * size),
        box(x + 0.07 * size, y - 0.28 * size, 0.10 * size, 0.13 * size),
        box(x + 0.27 * size, y - 0.27 * size, 0.10 * size, 0.13 * size),
    ]
    panes.append(circle(x - 0.22 * size, y - 0.45 * size, 0.045 * size))
    door = box(x - 0.19 * size, y - 0.26 * size, 0.12 * size, 0.26 * size)
    layer.fill(
        frame.shape_of(door), relight(palette.second, lightness=0.30 if stage.is_dark else 0.42)
    )
    layer.fill(frame.shapes_of([grown(pane, 0.012 * size) for pane in panes]), trim)
    mask = frame.shapes_of(panes)
    layer.fill(mask, glass)
    if dark:
        layer.fill(frame.blurred(mask, 0.05 * size).times(1.0), glass, 0.35)
        layer.fill(mask, mix(glass, palette.paper, 0.35))
    bars: list[Stroke] = []
    for pane in panes[:3]:
        (x0, y0), (x1, y1) = pane.min(axis=0), pane.max(axis=0)
        bars += [
            (points(((x0 + x1) / 2, y0), ((x0 + x1) / 2, y1)), 0.008 * size),
            (points((x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2)), 0.008 * size),
        ]
    layer.fill(frame.lines(bars), trim)


def _round_tree(
    scene: Scene, layer: Layer, rng: np.random.Generator, *, x: float, y: float, tall: float
) -> None:
    palette, frame = scene.palette, scene.frame
    layer.fill(frame.line(points((x, y), (x, y - tall * 0.6)), tall * 0.06), palette.deep)
    puffs = [
        circle(
            x + float(rng.normal(0, 0.13)) * tall,
            y - tall * float(rng.uniform(0.5, 0.95)),
            tall * float(rng.uniform(0.12, 0.2)),
        )
        for _ in range(12)
    ]
    mask = frame.shapes_of(puffs)
    green = mix(palette.near, palette.middle, 0.3)
    layer.fill(
        mask,
        linear(
            (0, y - tall),
            (0, y - tall * 0.4),
            mix(green, palette.glow, 0.2),
            mix(green, palette.deep, 0.5),
        ),
    )
    layer.rim(mask, scene.stage.toward_light(x, y - tall), tall * 0.02, palette.glow, 0.5)
