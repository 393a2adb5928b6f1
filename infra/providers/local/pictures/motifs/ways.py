"""Lands with a way through them: river, lake, road and city."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, box, curve, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.foregrounds import draw_meadow
from infra.providers.local.pictures.motifs.lands import draw_hills, draw_mountains
from infra.providers.local.pictures.noise import clouds, ridge
from infra.providers.local.pictures.raster import Patch
from infra.providers.local.pictures.scene import Scene, Sheet, Sway


def draw_river(scene: Scene) -> None:
    """Draw a river that winds from the hills to the eye and carries the sky."""
    draw_hills(scene)
    stage, palette = scene.stage, scene.palette
    layer = scene.layer(0.46)
    water = _winding(scene, "river", wide=0.34, curl=0.16)
    top = stage.horizon
    layer.fill(
        water,
        linear(
            (0, top),
            (0, stage.height),
            mix(palette.horizon, palette.glow, 0.3),
            mix(palette.horizon, palette.zenith, 0.5),
            mix(palette.zenith, palette.near, 0.55),
        ),
    )
    edge = scene.frame.edge(water, (0.0, -1.0), 0.008 * stage.unit)
    layer.tint(edge, palette.deep, 0.45)
    _glints(scene, layer, water, name="river")


def _winding(scene: Scene, name: str, *, wide: float, curl: float) -> Patch:
    """Return a band that swings from the horizon to the bottom edge, growing with nearness."""
    stage, frame = scene.stage, scene.frame
    rng = scene.rng(name, "winding")
    target = stage.light_x if stage.light_x else stage.width / 2
    foot_x = stage.hero_x if stage.side in {"none", "top"} else stage.width * 0.5
    depth = np.linspace(0, 1, 90)
    near = depth**2.1
    ys = stage.horizon + 0.02 * stage.height + near * (frame.bottom - stage.horizon)
    swing = np.sin(depth * math.pi * float(rng.uniform(2.2, 3.2)) + rng.uniform(0, math.tau))
    middle = target + (foot_x - target) * depth + swing * curl * stage.width * near**0.6
    half = stage.unit * (0.004 + wide * near**1.1)
    outline = np.concatenate(
        [np.stack([middle - half, ys], axis=1), np.stack([middle + half, ys], axis=1)[::-1]]
    )
    return frame.shape_of(outline)


def _glints(scene: Scene, layer: Layer, water: Patch, *, name: str) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng(name, "glints")
    strokes = []
    for place in rng.random(150) ** 1.5:
        y = stage.horizon + place * (frame.bottom - stage.horizon)
        x = float(rng.uniform(frame.left, frame.right))
        span = stage.unit * (0.01 + 0.07 * place) * float(rng.uniform(0.4, 1.4))
        along = np.stack([np.linspace(x - span, x + span, 9), np.full(9, y)], axis=1)
        thick = stage.unit * (0.0008 + 0.0035 * place) * np.sin(np.linspace(0, math.pi, 9)) + 0.1
        strokes.append((along, thick))
    layer.tint(frame.lines(strokes).inside(water), palette.glow, 0.45)


def draw_lake(scene: Scene) -> None:
    """Draw a still lake that mirrors the mountains and the sky."""
    draw_mountains(scene)
    _drop_last_sheet(scene)
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("lake")
    shore = stage.horizon + 0.035 * stage.height
    behind = flattened(scene)
    top = round(shore) + frame.margin
    rows = frame.shape[0] - top
    mirrored = behind[:, max(top - rows, 0) : top][:, ::-1]
    if mirrored.shape[1] < rows:
        mirrored = np.pad(mirrored, ((0, 0), (0, rows - mirrored.shape[1]), (0, 0)), mode="edge")
    layer = scene.layer(0.22, sway=Sway(x=stage.unit * 0.004, period_s=5.0))
    patch = frame.below(shore)
    wobble = clouds(rng, (rows, 1), cell=stage.unit * 0.012, octaves=3)[:, 0] - 0.5
    reach = np.linspace(1, 18, rows) * wobble * stage.unit / 720
    columns = (np.arange(frame.shape[1])[None, :] + reach[:, None]).astype(int)
    columns = np.clip(columns, 0, frame.shape[1] - 1)
    shifted = np.take_along_axis(mirrored, np.broadcast_to(columns, mirrored.shape), axis=2)
    layer.fill(patch, lambda _xs, _ys: shifted)
    fall = np.linspace(0.12, 0.62, rows, dtype=np.float32)[:, None]
    layer.tint(patch.times(fall), mix(palette.near, palette.zenith, 0.4))
    _still_lines(scene, layer, rng, shore=shore)
    if stage.side != "bottom" or stage.subjects:
        _shore(scene, rng)


def _still_lines(scene: Scene, layer: Layer, rng: np.random.Generator, *, shore: float) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    strokes = []
    for place in rng.random(70) ** 1.6:
        y = shore + (0.01 + place) * (frame.bottom - shore)
        x = stage.light_x + float(rng.normal(0, 0.35)) * stage.width
        span = stage.unit * (0.03 + 0.16 * place) * float(rng.uniform(0.4, 1.4))
        along = np.stack([np.linspace(x - span, x + span, 11), np.full(11, y)], axis=1)
        thick = stage.unit * (0.0007 + 0.0024 * place) * np.sin(np.linspace(0, math.pi, 11)) + 0.1
        strokes.append((along, thick))
    layer.tint(frame.lines(strokes), palette.glow, 0.4)
    rim = frame.line(points((frame.left, shore), (frame.right, shore)), 0.0022 * stage.unit)
    layer.tint(rim, palette.glow, 0.45)


def _shore(scene: Scene, rng: np.random.Generator) -> None:
    """Draw a tongue of land with reeds in a lower corner."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    on_left = stage.hero_x > stage.width / 2
    layer = scene.layer(0.72)
    edge, inward = (frame.left, 1) if on_left else (frame.right, -1)
    tall = 0.13 * stage.height + frame.margin
    land = curve(
        points(
            (edge - inward * 9, frame.bottom - tall),
            (edge + inward * 0.16 * stage.width, frame.bottom - tall * 0.8),
            (edge + inward * 0.34 * stage.width, frame.bottom - tall * 0.25),
            (edge + inward * 0.5 * stage.width, frame.bottom + 9),
            (edge - inward * 9, frame.bottom + 9),
        ),
        closed=True,
        steps=10,
    )
    mass = frame.shape_of(land)
    layer.fill(mass, mix(palette.near, palette.deep, 0.7))
    layer.rim(mass, (0.2 * inward, -1.0), 0.006 * stage.unit, palette.glow, 0.3)
    reeds = []
    for _ in range(34):
        x = edge + inward * float(rng.uniform(0, 0.34)) * stage.width
        foot = frame.bottom - tall * max(0.9 - abs(x - edge) / (0.4 * stage.width), 0.05)
        high = stage.unit * float(rng.uniform(0.05, 0.17))
        lean = float(rng.normal(0, 0.15)) * high
        reeds.append(
            (
                points((x, foot + 9), (x + lean * 0.4, foot - high * 0.6), (x + lean, foot - high)),
                np.array([0.004, 0.003, 0.0006]) * stage.unit,
            )
        )
    layer.fill(frame.lines(reeds), mix(palette.near, palette.deep, 0.7))


def draw_road(scene: Scene) -> None:
    """Draw a road that leads the eye over the hills to the light."""
    draw_hills(scene)
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.47)
    road = _winding(scene, "road", wide=0.26, curl=0.10)
    stone = mix(mix(palette.middle, palette.horizon, 0.5), palette.paper, 0.15)
    if stage.is_dark:
        stone = relight(stone, lift=-0.16)
    layer.fill(
        road,
        linear(
            (0, stage.horizon), (0, stage.height), palette.horizon, stone, relight(stone, lift=-0.1)
        ),
    )
    for toward in ((1.0, 0.0), (-1.0, 0.0)):
        layer.tint(frame.edge(road, toward, 0.006 * stage.unit), palette.paper, 0.5)
    grit = clouds(scene.rng("grit"), frame.shape, cell=2 + 0.004 * stage.unit, octaves=2)
    layer.tint(road.inside(frame.everything().times(grit)), relight(stone, lift=-0.12), 0.25)


def draw_city(scene: Scene) -> None:
    """Draw a skyline in three rows, lit windows, and wet ground that mirrors them."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
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
    blocks, windows, dim = [], [], []
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
    blocks = [box(x, foot - high, wide, high + 9)]
    kind = rng.random()
    if kind < 0.25:
        inset = wide * 0.2
        blocks.append(box(x + inset, foot - high * 1.13, wide - 2 * inset, high * 0.2))
    elif kind < 0.4:
        mast = x + wide / 2
        blocks.append(box(mast - wide * 0.02, foot - high * 1.28, wide * 0.04, high * 0.3))
        blocks.append(box(x + wide * 0.3, foot - high * 1.07, wide * 0.4, high * 0.1))
    elif kind < 0.52:
        blocks.append(
            points((x, foot - high), (x + wide, foot - high), (x + wide, foot - high * 1.12))
        )
    elif kind < 0.6:
        blocks.append(
            points((x, foot - high), (x + wide / 2, foot - high * 1.2), (x + wide, foot - high))
        )
    return blocks


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
    chance = float(rng.uniform(0.12, 0.5))
    for column in range(max(columns, 0)):
        for row in range(max(rows, 0)):
            draw = rng.random()
            if draw > 0.9:
                continue
            pane = box(
                x + step * (0.75 + column),
                foot - high + step * (0.8 + 1.35 * row),
                step * 0.5,
                step * 0.72,
            )
            (lit if draw < chance * 0.9 else dim).append(pane)


def _wet_ground(scene: Scene, rng: np.random.Generator) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    shore = round(stage.horizon + 0.035 * stage.height)
    behind = flattened(scene)
    top = shore + frame.margin
    rows = frame.shape[0] - top
    mirrored = behind[:, max(top - rows, 0) : top][:, ::-1]
    if mirrored.shape[1] < rows:
        mirrored = np.pad(mirrored, ((0, 0), (0, rows - mirrored.shape[1]), (0, 0)), mode="edge")
    layer = scene.layer(0.42, sway=Sway(x=stage.unit * 0.004, period_s=4.0))
    patch = frame.below(shore)
    wobble = clouds(rng, (rows, 1), cell=stage.unit * 0.016, octaves=3)[:, 0] - 0.5
    reach = np.linspace(2, 34, rows) * wobble * stage.unit / 720
    columns = (np.arange(frame.shape[1])[None, :] + reach[:, None]).astype(int)
    columns = np.clip(columns, 0, frame.shape[1] - 1)
    shifted = np.take_along_axis(mirrored, np.broadcast_to(columns, mirrored.shape), axis=2)
    layer.fill(patch, lambda _xs, _ys: shifted)
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


def flattened(scene: Scene) -> np.ndarray:
    """Return the picture of all layers so far."""
    planes = np.zeros((3, *scene.frame.shape), dtype=np.float32)
    for item in scene.items:
        if isinstance(item, Sheet):
            item.layer.over(planes)
    return planes


def _drop_last_sheet(scene: Scene) -> None:
    """Take away the meadow that belongs to a land without water."""
    scene.items.pop()


def draw_default_ground(scene: Scene) -> None:
    """Draw near ground for a subject that stands on any land."""
    draw_meadow(scene, depth=0.5, y=scene.stage.hero_y - 0.02 * scene.stage.height)


def far_ridge(scene: Scene, layer: Layer, tint: Colour) -> None:
    """Draw one pale ridge on the horizon, so that water has an end."""
    frame, stage = scene.frame, scene.stage
    rng = scene.rng("far ridge")
    xs = np.linspace(frame.left - 5, frame.right + 5, 160)
    form = ridge(rng, xs, cell=0.5 * stage.unit, octaves=4, gain=0.4)
    line = stage.horizon - 0.05 * stage.height * np.clip(form + 0.25, 0, 2)
    body = np.concatenate(
        [
            np.stack([xs, line], axis=1),
            points((frame.right + 5, stage.horizon), (frame.left - 5, stage.horizon)),
        ]
    )
    layer.fill(frame.shape_of(body), tint, 0.8)
