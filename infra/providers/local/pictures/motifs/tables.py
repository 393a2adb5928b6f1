"""Indoors: a wall with light on it and a table for things to stand on."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, arc, box, circle, points
from infra.providers.local.pictures.layer import Layer, linear, radial
from infra.providers.local.pictures.noise import clouds
from infra.providers.local.pictures.scene import Scene, Sheet
from infra.providers.local.pictures.solids import lay_turned, turned

TABLE_DEPTH = 0.55


def draw_table_setting(scene: Scene) -> None:
    """Draw the wall and the table; a land that was asked for shows beyond, out of focus."""
    if any(isinstance(item, Sheet) for item in scene.items):
        _put_out_of_focus(scene)
        _window_frame(scene)
    else:
        _draw_wall(scene)
    draw_table(scene, y=table_edge(scene))


def _put_out_of_focus(scene: Scene) -> None:
    """Replace the sheets of the land by one that is blurred; rain and snow stay before it."""
    planes = scene.flattened()
    scene.items[:] = [item for item in scene.items if not isinstance(item, Sheet)]
    falling = scene.items[:]
    scene.items.clear()
    layer = scene.layer(0.12)
    layer.fill(scene.frame.everything(), lambda _xs, _ys: planes)
    layer.blur(scene.unit * 0.012)
    scene.items += falling


def table_edge(scene: Scene) -> float:
    """Return where the far edge of the table lies."""
    stage = scene.stage
    share = {"wide": 0.26, "medium": 0.20, "close": 0.15}[stage.view]
    return stage.hero_y - share * stage.hero_size


def _draw_wall(scene: Scene) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("wall")
    layer = scene.layer(0.05)
    dark = stage.hour == "night"
    high = palette.zenith if dark else mix(palette.tone(0.72), palette.horizon, 0.45)
    low = mix(high, palette.near, 0.30)
    lit = relight(mix(high, palette.glow, 0.32), lift=0.03)
    layer.fill(
        frame.everything(),
        radial(stage.light_x, stage.light_y, 1.1 * stage.width, lit, high, low, squash=0.8),
    )
    plaster = clouds(rng, frame.shape, cell=0.25 * stage.unit, octaves=5)
    layer.tint(frame.everything().times(plaster), relight(high, lift=-0.05), 0.30)
    kind = str(rng.choice(["window", "window", "arch", "sun", "shelf"]))
    if kind == "arch":
        _arch(scene, layer, high)
    elif kind == "sun":
        disc = frame.disc(
            stage.hero_x, stage.hero_y - 0.62 * stage.hero_size, 0.62 * stage.hero_size
        )
        layer.fill(
            disc, linear((0, 0), (0, stage.hero_y), mix(palette.accent, lit, 0.35), high), 0.85
        )
    elif kind == "shelf":
        _shelf(scene, rng, high)
    if not dark and kind != "sun":
        _window_light(scene, layer, rng)
    else:
        layer.light(
            frame.glow(stage.light_x, stage.light_y, 0.9 * stage.unit, power=2), palette.glow, 0.25
        )


def _arch(scene: Scene, layer: Layer, wall: Colour) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    half = 0.42 * stage.hero_size + 0.10 * stage.unit
    top = stage.hero_y - 1.02 * stage.hero_size
    foot = table_edge(scene)
    outline = np.concatenate(
        [
            arc(stage.hero_x, top + half, half, math.pi, 2 * math.pi, count=60),
            points((stage.hero_x + half, foot), (stage.hero_x - half, foot)),
        ]
    )
    niche = frame.shape_of(outline)
    layer.fill(
        niche,
        linear((0, top), (0, foot), mix(wall, palette.near, 0.42), mix(wall, palette.near, 0.2)),
    )
    side, _ = stage.toward_light(stage.hero_x, foot)
    layer.tint(
        frame.edge(niche, (1 if side > 0 else -1, -0.3), 0.035 * stage.unit), palette.deep, 0.35
    )
    layer.tint(
        frame.edge(niche, (-1 if side > 0 else 1, 0.0), 0.010 * stage.unit), palette.glow, 0.35
    )


def _window_light(scene: Scene, layer: Layer, rng: np.random.Generator) -> None:
    """Lay the slanting light of a window with its bars on the wall."""
    stage, frame, palette = scene.stage, scene.frame, scene.palette
    from_right = stage.light_x > stage.hero_x
    slant = (-1 if from_right else 1) * float(rng.uniform(0.22, 0.42)) * stage.unit
    wide, tall = (
        stage.unit * float(rng.uniform(0.55, 0.8)),
        stage.unit * float(rng.uniform(0.5, 0.75)),
    )
    x = stage.hero_x + (0.42 if from_right else -0.42) * stage.hero_size - wide / 2 - slant / 2
    y = float(rng.uniform(0.02, 0.12)) * stage.height
    panes: list[Points] = []
    columns, rows = 2, 3
    for column in range(columns):
        for row in range(rows):
            left, right = (column + 0.06) / columns, (column + 0.94) / columns
            above, below = (row + 0.05) / rows, (row + 0.95) / rows
            panes.append(
                points(
                    (x + left * wide + above * slant, y + above * tall),
                    (x + right * wide + above * slant, y + above * tall + 0.02 * tall),
                    (x + right * wide + below * slant, y + below * tall + 0.02 * tall),
                    (x + left * wide + below * slant, y + below * tall),
                )
            )
    light = frame.blurred(frame.shapes_of(panes), stage.unit * 0.008)
    layer.light(light, mix(palette.glow, palette.accent, 0.10), 0.42)
    leaves: list[Points] = []
    for _ in range(22):
        px = x + float(rng.uniform(-0.1, 1.0)) * wide + slant * 0.5
        py = y + float(rng.uniform(0.0, 0.9)) * tall
        leaves.append(
            circle(
                px,
                py,
                stage.unit * float(rng.uniform(0.012, 0.04)),
                squash=0.4,
                turn=float(rng.uniform(0, 3.1)),
            )
        )
    shade = frame.blurred(frame.shapes_of(leaves), stage.unit * 0.010)
    layer.tint(shade.inside(light), relight(palette.tone(0.7), lift=-0.05), 0.0)


def _shelf(scene: Scene, rng: np.random.Generator, wall: Colour) -> None:
    """Draw a shelf with pots on the wall, out of focus."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.14)
    y = stage.hero_y - 1.05 * stage.hero_size
    y = min(max(y, 0.2 * stage.height), 0.42 * stage.height)
    x0 = stage.hero_x - 0.62 * stage.unit if stage.side != "right" else frame.left
    x1 = stage.hero_x + 0.62 * stage.unit if stage.side != "left" else frame.right
    x = x0 + 0.06 * stage.unit
    while x < x1 - 0.06 * stage.unit:
        tall = stage.unit * float(rng.uniform(0.06, 0.15))
        body = turned(
            x,
            y,
            tall=tall,
            wide=tall * float(rng.uniform(0.3, 0.55)),
            shape=[(0, 0.6), (0.35, 1.0), (0.8, float(rng.uniform(0.4, 0.9))), (1, 0.6)],
            squash=0.1,
        )
        tint = mix(palette.tone(float(rng.uniform(0.25, 0.9))), wall, 0.3)
        lay_turned(scene, layer, body, tint, gloss=0.1)
        x += tall * float(rng.uniform(0.8, 1.5)) + 0.02 * stage.unit
    board = frame.shape_of(box(x0, y, x1 - x0, 0.018 * stage.unit))
    layer.fill(
        board,
        linear(
            (0, y), (0, y + 0.02 * stage.unit), mix(palette.middle, palette.glow, 0.2), palette.near
        ),
    )
    layer.blur(stage.unit * 0.007)


def _window_frame(scene: Scene) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.30)
    wood = mix(palette.near, palette.deep, 0.3)
    thick = 0.022 * stage.unit
    bars: list[Points] = []
    gap = max(0.62 * stage.unit, stage.width / 3.0)
    start = stage.hero_x - 0.5 * gap
    x = start - math.ceil((start - frame.left) / gap) * gap
    while x < frame.right + gap:
        bars.append(box(x - thick / 2, frame.top, thick, frame.bottom - frame.top))
        x += gap
    bars.append(box(frame.left, 0.16 * stage.height, frame.right - frame.left, thick * 0.8))
    mask = frame.shapes_of(bars)
    layer.fill(mask, wood)
    layer.rim(
        mask, stage.toward_light(stage.hero_x, stage.hero_y), 0.004 * stage.unit, palette.glow, 0.5
    )
    layer.blur(stage.unit * 0.004)


def draw_table(scene: Scene, *, y: float) -> None:
    """Draw a wooden table top from y to the lower edge, lit from the side of the light."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("table")
    layer = scene.layer(TABLE_DEPTH)
    night = stage.hour == "night"
    wood = palette.stuff((0.56, 0.38, 0.25), 0.55)
    wood = relight(wood, lightness=0.30 if night else float(rng.choice([0.40, 0.52, 0.66])))
    top = frame.below(y)
    light = relight(mix(wood, palette.glow, 0.34), lift=0.05)
    dark = mix(relight(wood, lift=-0.16), palette.deep, 0.35)
    layer.fill(top, linear((0, y), (0, stage.height), light, wood, dark))
    grain = clouds(rng, top.mask.shape, cell=0.020 * stage.unit, octaves=4, stretch=16.0)
    layer.tint(top.times(np.clip((grain - 0.42) * 2.4, 0, 1)), relight(wood, lift=-0.10), 0.42)
    boards = [0.34, 0.72]
    depth = stage.height - y
    for place in boards:
        line = frame.line(
            points((frame.left, y + depth * place), (frame.right, y + depth * (place + 0.012))),
            0.0022 * stage.unit,
        )
        layer.tint(line, dark, 0.6)
    edge = frame.line(points((frame.left, y), (frame.right, y)), 0.004 * stage.unit)
    layer.tint(edge, palette.glow, 0.45)
    pool = frame.glow(stage.light_x, y, 1.1 * stage.unit, power=2)
    layer.light(pool.inside(top), palette.glow, 0.18 if not night else 0.06)


def table_layer(scene: Scene) -> Layer:
    """Return the sheet that holds the table, for things and shadows that must not slide on it."""
    for item in reversed(scene.items):
        if isinstance(item, Sheet) and item.layer.depth == TABLE_DEPTH:
            return item.layer
    return scene.layer(TABLE_DEPTH)


def draw_cloth(scene: Scene) -> None:
    """Lay a runner of cloth over a table that nothing else stands on."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = table_layer(scene)
    edge = table_edge(scene)
    x, half = stage.hero_x, 0.26 * stage.width
    cloth = points(
        (x - half, edge + 0.012 * stage.height),
        (x + half, edge + 0.012 * stage.height),
        (x + 1.55 * half, stage.height + 9),
        (x - 1.55 * half, stage.height + 9),
    )
    mask = frame.shape_of(cloth)
    linen = relight(palette.tone(0.85), lightness=0.58 if stage.is_dark else 0.86)
    layer.fill(mask, linear((x - half, 0), (x + half, 0), linen, relight(linen, lift=-0.07)))
    for share in (0.10, 0.14, 0.86, 0.90):
        line = points(
            (x - half + 2 * half * share, edge + 0.012 * stage.height),
            (x - 1.55 * half + 3.1 * half * share, stage.height + 9),
        )
        layer.tint(frame.line(line, np.array([0.003, 0.008]) * stage.unit), palette.accent, 0.7)
    fold = frame.line(points((x, edge + 0.012 * stage.height), (x, stage.height + 9)), 1.5)
    layer.tint(fold.inside(mask), relight(linen, lift=-0.10), 0.6)
