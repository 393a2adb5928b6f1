"""Plain geometry, composed and softly shaded."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import (
    Points,
    arc,
    box,
    circle,
    curve,
    moved,
    path,
    points,
)
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.signals import draw_backdrop
from infra.providers.local.pictures.noise import Field
from infra.providers.local.pictures.scene import Scene, Sway


def draw_geometry(scene: Scene) -> None:
    """Draw a composed arrangement of plain shapes with soft grainy shading and cast shadows."""
    stage = scene.stage
    rng = scene.rng("geometry")
    dark = stage.hour == "night"
    draw_backdrop(scene, rng, dark=dark)
    kind = int(rng.integers(4))
    [_arches, _discs, _tiles, _dunes][kind](scene, rng)


def _shade_fill(
    scene: Scene, layer: Layer, rng: np.random.Generator, outline: Points, tint: Colour
) -> None:
    """Fill a shape with a gradient whose dark end dissolves into specks, over a soft shadow."""
    frame, palette = scene.frame, scene.palette
    mask = frame.shape_of(outline)
    if mask.is_empty:
        return
    (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
    side, _ = scene.stage.toward_light((x0 + x1) / 2, (y0 + y1) / 2)
    soft = frame.blurred(mask, 0.018 * scene.unit).shifted(
        -side * 0.012 * scene.unit, 0.016 * scene.unit
    )
    layer.fill(soft.outside(mask), palette.deep, 0.28)
    start, end = ((x1, y0), (x0, y1)) if side > 0 else ((x0, y0), (x1, y1))
    layer.fill(
        mask, linear(start, end, relight(mix(tint, palette.glow, 0.35), lift=0.06), tint, tint)
    )
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy

    def fall(xs: Field, ys: Field) -> Field:
        return np.clip(((xs - start[0]) * dx + (ys - start[1]) * dy) / length * 1.5 - 0.55, 0, 1)

    layer.tint(mask.faded(fall).stippled(rng, 0.2), relight(tint, lift=-0.17), 0.6)


def _tints(scene: Scene) -> list[Colour]:
    palette = scene.palette
    return [
        palette.accent,
        palette.tone(0.3),
        palette.tone(0.55),
        palette.tone(0.78),
        palette.second,
        palette.tone(0.92),
    ]


def _arches(scene: Scene, rng: np.random.Generator) -> None:
    stage = scene.stage
    tints = _tints(scene)
    for number in range(4):
        layer = scene.layer(0.25 + 0.17 * number)
        wide = _arch_size(scene) * (0.95 - 0.20 * number)
        foot = stage.hero_y + 0.08 * stage.height
        x = stage.hero_x + float(rng.normal(0, 0.03)) * stage.unit
        top = foot - wide * (1.05 - 0.05 * number)
        outline = np.concatenate(
            [
                arc(x, top + wide / 2, wide / 2, math.pi, math.tau, count=60),
                points((x + wide / 2, foot), (x - wide / 2, foot)),
            ]
        )
        _shade_fill(scene, layer, rng, outline, tints[(number + int(rng.integers(2))) % 6])
    ground = scene.layer(0.8)
    y = stage.hero_y + 0.08 * stage.height
    _shade_fill(
        scene,
        ground,
        rng,
        box(
            scene.frame.left - 9,
            y,
            scene.frame.right - scene.frame.left + 18,
            scene.frame.bottom - y + 9,
        ),
        tints[1],
    )
    ball = 0.13 * _arch_size(scene)
    side = float(rng.choice([-1, 1]))
    _shade_fill(
        scene,
        ground,
        rng,
        circle(stage.hero_x + side * 0.46 * _arch_size(scene), y - ball, ball),
        tints[0],
    )


def _arch_size(scene: Scene) -> float:
    stage = scene.stage
    return min(max(stage.hero_size, 0.62 * stage.unit), 0.80 * stage.hero_y)


def _discs(scene: Scene, rng: np.random.Generator) -> None:
    stage = scene.stage
    tints = _tints(scene)
    y = {"top": 0.66, "bottom": 0.36}.get(stage.side, 0.5) * stage.height
    radii = sorted((float(r) for r in rng.uniform(0.08, 0.44, 7)), reverse=True)
    for number, share in enumerate(radii):
        layer = scene.layer(
            0.2 + 0.1 * number,
            sway=Sway(
                x=0.006 * stage.unit, y=0.009 * stage.unit, period_s=6 + number, phase=1.1 * number
            ),
        )
        reach = stage.hero_size * (0.42 - 0.5 * share) + 0.02 * stage.unit * number
        angle = float(rng.uniform(0, math.tau))
        px, py = stage.hero_x + math.cos(angle) * reach, y + math.sin(angle) * reach * 0.8
        radius = share * stage.hero_size
        outline = circle(px, py, radius)
        if number % 3 == 1:
            turn = float(rng.uniform(0, math.tau))
            outline = arc(px, py, radius, turn, turn + math.pi, count=60)
        _shade_fill(scene, layer, rng, outline, tints[number % 6])
    line = scene.layer(0.9)
    ring = circle(stage.hero_x, y, 0.5 * stage.hero_size)
    line.fill(
        scene.frame.line(np.concatenate([ring, ring[:1]]), 0.0022 * stage.unit),
        scene.palette.tone(0.9),
        0.8,
    )


def _tiles(scene: Scene, rng: np.random.Generator) -> None:
    """Lay quarter circles, halves and bars on a square grid on the subject's side."""
    stage, frame = scene.stage, scene.frame
    tints = _tints(scene)
    layer = scene.layer(0.4)
    cell = stage.unit / {"close": 3.0, "medium": 4.5, "wide": 6.5}[stage.view]
    limits = {"left": (0.52, 1.3), "right": (-0.3, 0.48)}.get(stage.side, (-0.3, 1.3))
    columns = np.arange(
        math.floor(limits[0] * stage.width / cell), math.ceil(limits[1] * stage.width / cell)
    )
    rows = np.arange(math.floor(frame.top / cell), math.ceil(frame.bottom / cell))
    if stage.side == "top":
        rows = rows[rows * cell > 0.38 * stage.height]
    if stage.side == "bottom":
        rows = rows[(rows + 1) * cell < 0.66 * stage.height]
    for column in columns.tolist():
        for row in rows.tolist():
            x, y = column * cell, row * cell
            first, second = rng.permutation(6)[:2].tolist()
            base, top = tints[int(first)], tints[int(second)]
            layer.fill(frame.shape_of(box(x, y, cell + 1, cell + 1)), base)
            kind, turn = int(rng.integers(5)), int(rng.integers(4)) * math.pi / 2
            _shade_fill(
                scene,
                layer,
                rng,
                moved(_tile_shape(kind), x + cell / 2, y + cell / 2, scale=cell, turn=turn),
                top,
            )


def _tile_shape(kind: int) -> Points:
    match kind:
        case 0:
            return np.concatenate(
                [points((-0.5, -0.5)), arc(-0.5, -0.5, 1.0, 0, math.pi / 2, count=40)]
            )
        case 1:
            return arc(0, -0.5, 0.5, 0, math.pi, count=40)
        case 2:
            return circle(0, 0, 0.32 * 60) / 60
        case 3:
            return path("-0.5,-0.5 0.5,-0.5 -0.5,0.5")
        case _:
            return box(-0.5, -0.5, 1.0, 0.5)


def _dunes(scene: Scene, rng: np.random.Generator) -> None:
    """Lay large calm waves of colour over one another, with a disc above them."""
    stage, frame = scene.stage, scene.frame
    tints = _tints(scene)
    disc = scene.layer(0.12)
    high = {"top": 0.56, "bottom": 0.24}.get(stage.side, 0.36) * stage.height
    _shade_fill(
        scene,
        disc,
        rng,
        circle(stage.hero_x, high, 0.25 * stage.hero_size + 0.04 * stage.unit),
        tints[0],
    )
    start = {"top": 0.60, "bottom": 0.34}.get(stage.side, 0.48) * stage.height
    for number in range(6):
        layer = scene.layer(
            0.2 + 0.12 * number,
            sway=Sway(x=0.012 * stage.unit, y=0.004 * stage.unit, period_s=7, phase=0.9 * number),
        )
        base = start + number * 0.095 * stage.height
        knots = [
            (x, base + float(rng.normal(0, 0.055)) * stage.height)
            for x in np.linspace(frame.left - 60, frame.right + 60, 6).tolist()
        ]
        line = curve(np.array(knots), closed=False, steps=24)
        outline = np.concatenate(
            [
                line,
                points((frame.right + 60, frame.bottom + 60), (frame.left - 60, frame.bottom + 60)),
            ]
        )
        _shade_fill(
            scene,
            layer,
            rng,
            outline,
            mix(tints[1 + number % 5], scene.palette.tone(0.75 - 0.12 * number), 0.45),
        )
