"""A harbour: skyline with its towers, warehouses on the far quay, lamps on the water."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, arc, box, curve, level, points, swollen
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.mirrors import lay_mirrored_land
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.raster import Patch, Stroke
from infra.providers.local.pictures.scene import Scene, Sway

BRICK: Colour = (0.50, 0.26, 0.20)
_COPPER: Colour = (0.36, 0.52, 0.46)
_FLAT = 2
_ON_WATER = frozenset({"ship", "tug", "boat"})


def draw_harbour(scene: Scene) -> None:
    """Draw a basin: far skyline and cranes, a row of warehouses, and water that mirrors them."""
    stage, rng = scene.stage, scene.rng("harbour")
    shore = stage.horizon + 0.035 * stage.height
    _skyline(scene, rng, foot=shore)
    _far_cranes(scene, rng, foot=shore)
    _warehouses(scene, rng, foot=shore)
    _water(scene, rng, shore=shore)
    _lights_on_water(scene, rng, shore=shore)
    if not stage.subjects:
        _piles(scene, rng)


def quay_wall(scene: Scene, layer: Layer, *, y: float) -> Patch:
    """Lay the near quay across the frame: a lit edge of stone and paving below it."""
    frame, palette, stage = scene.frame, scene.palette, scene.stage
    stone = mix(palette.stuff((0.55, 0.53, 0.50), 0.4), palette.near, 0.35)
    if stage.is_dark:
        stone = relight(stone, lift=-0.16 if stage.hour == "night" else -0.10)
    top = frame.below(y)
    layer.fill(
        top,
        linear(
            (0, y),
            (0, stage.height),
            relight(mix(stone, palette.horizon, 0.25), lift=0.03),
            stone,
            mix(stone, palette.deep, 0.6),
        ),
    )
    rng = scene.rng("paving")
    joints: list[Stroke] = []
    depth = max(stage.height - y, 1.0)
    for share in (0.06, 0.16, 0.31, 0.52, 0.8):
        row = y + share * depth
        joints.append(
            (points((frame.left - 9, row), (frame.right + 9, row)), 0.0016 * stage.unit + share)
        )
    for x in np.arange(-0.5, 1.5, 0.11).tolist():
        start = x * stage.width + 0.02 * stage.unit * float(rng.random())
        away = (start - 0.5 * stage.width) * 1.7 + 0.5 * stage.width
        joints.append((points((start, y), (away, stage.height)), np.array([0.8, 2.2])))
    layer.tint(frame.lines(joints), mix(stone, palette.deep, 0.55), 0.5)
    edge = frame.shape_of(
        box(frame.left - 9, y - 0.012 * stage.unit, stage.width + 18, 0.026 * stage.unit)
    )
    layer.fill(edge, relight(mix(stone, palette.glow, 0.30), lift=0.04))
    lower = frame.shape_of(
        box(frame.left - 9, y + 0.012 * stage.unit, stage.width + 18, 0.006 * stage.unit)
    )
    layer.tint(lower, palette.deep, 0.5)
    return top


def _skyline(scene: Scene, rng: np.random.Generator, *, foot: float) -> None:
    """Draw the town behind: low roofs, pointed spires and one broad tower with a dome."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.10)
    tall = _scale(scene) * stage.unit * 0.13
    shapes: list[Points] = []
    x = frame.left - 9
    while x < frame.right:
        wide, high = tall * float(rng.uniform(0.35, 0.9)), tall * float(rng.uniform(0.3, 0.62))
        roof = high * float(rng.uniform(1.1, 1.35))
        shapes.append(
            points(
                (x, foot + 9),
                (x, foot - high),
                (x + wide / 2, foot - (roof if chance(rng, 0.6) else high)),
                (x + wide, foot - high),
                (x + wide, foot + 9),
            )
        )
        x += wide * float(rng.uniform(0.9, 1.05))
    away = 0.5 * stage.width + (0.5 * stage.width - stage.hero_x) * 0.8
    if abs(away - stage.hero_x) < 0.18 * stage.width:
        away = stage.hero_x + (0.26 if stage.hero_x < stage.width / 2 else -0.26) * stage.width
    shapes += _domed_tower(away, foot, tall * 2.3)
    for place in rng.uniform(-0.42, 0.42, 3).tolist():
        shapes += _spire(away + place * stage.width, foot, tall * float(rng.uniform(1.3, 1.9)))
    mass = frame.shapes_of(shapes)
    tint = mix(palette.far, palette.horizon, 0.42)
    layer.fill(
        mass,
        linear((0, foot - 2.2 * tall), (0, foot), relight(tint, lift=-0.06), tint),
    )
    if stage.is_dark:
        _sparkle(scene, layer, rng, foot=foot, tall=0.5 * tall, count=70)


def _domed_tower(x: float, foot: float, tall: float) -> list[Points]:
    wide = 0.085 * tall
    dome = arc(x, foot - 0.70 * tall, wide * 1.05, math.pi, math.tau, count=20)
    return [
        box(x - wide, foot - 0.62 * tall, 2 * wide, 0.62 * tall + 9),
        box(x - wide * 1.25, foot - 0.64 * tall, 2.5 * wide, 0.02 * tall),
        box(x - wide * 0.8, foot - 0.71 * tall, 1.6 * wide, 0.08 * tall),
        dome,
        box(x - wide * 0.42, foot - 0.86 * tall, wide * 0.84, 0.10 * tall),
        points(
            (x - wide * 0.45, foot - 0.85 * tall),
            (x, foot - tall),
            (x + wide * 0.45, foot - 0.85 * tall),
        ),
    ]


def _spire(x: float, foot: float, tall: float) -> list[Points]:
    wide = 0.075 * tall
    return [
        box(x - wide, foot - 0.52 * tall, 2 * wide, 0.52 * tall + 9),
        points(
            (x - wide * 1.15, foot - 0.52 * tall),
            (x, foot - tall),
            (x + wide * 1.15, foot - 0.52 * tall),
        ),
    ]


def _far_cranes(scene: Scene, rng: np.random.Generator, *, foot: float) -> None:
    """Draw a few cranes far off, no more than strokes in the haze."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.13)
    side = -1 if stage.hero_x > stage.width / 2 else 1
    size = _scale(scene) * stage.unit * 0.26
    strokes: list[Stroke] = []
    for number in range(4):
        x = (
            stage.width * (0.5 + side * (0.10 + 0.12 * number))
            + float(rng.normal(0, 0.01)) * stage.width
        )
        strokes += far_crane(x, foot, size * (1 - 0.10 * number), way=side)
    layer.fill(frame.lines(strokes), mix(palette.far, palette.middle, 0.35), 0.9)


def far_crane(x: float, foot: float, size: float, *, way: int) -> list[Stroke]:
    """Return the strokes of a gantry crane seen from far off."""

    def line(*pairs: tuple[float, float], thick: float = 0.022) -> Stroke:
        return points(*((x + way * px * size, foot - py * size) for px, py in pairs)), thick * size

    return [
        line((-0.14, 0), (-0.10, 0.62)),
        line((0.14, 0), (0.10, 0.62)),
        line((-0.14, 0.3), (0.14, 0.3)),
        line((-0.32, 0.62), (0.62, 0.62), thick=0.03),
        line((0.0, 0.95), (0.60, 0.63), thick=0.010),
        line((0.0, 0.95), (-0.30, 0.63), thick=0.010),
        line((-0.10, 0.62), (0.0, 0.95), thick=0.018),
        line((0.10, 0.62), (0.0, 0.95), thick=0.018),
    ]


def _warehouses(scene: Scene, rng: np.random.Generator, *, foot: float) -> None:
    """Draw gabled warehouses along the quay; a subject that floats gets open water beside it."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.20)
    scale = _scale(scene) * stage.unit
    lit: list[Points] = []
    dim: list[Points] = []
    spans = [(frame.left - 0.02 * stage.width, frame.right + 0.02 * stage.width)]
    if stage.subjects:
        on_right = stage.hero_x > stage.width / 2
        spans = [(frame.left - 9, (0.42 if on_right else 0.20) * stage.width)]
        spans.append(((0.84 if on_right else 0.62) * stage.width, frame.right + 9))
    for start, end in spans:
        x = start
        while x < end:
            wide = scale * float(rng.uniform(0.12, 0.19))
            high = scale * float(rng.uniform(0.15, 0.215))
            _warehouse(scene, layer, rng, x=x, foot=foot, wide=wide, high=high)
            _loft_windows(rng, x, foot, wide=wide, high=high, lit=lit, dim=dim)
            x += wide
    panes = frame.shapes_of(lit)
    dark = stage.is_dark or stage.hour == "grey"
    lamp = mix(palette.glow, (1.0, 0.76, 0.42), 0.35)
    layer.tint(frame.shapes_of(dim), palette.deep, 0.55)
    layer.tint(panes, lamp if dark else mix(palette.deep, palette.zenith, 0.45), 0.9)
    if dark:
        layer.light(frame.blurred(panes, 0.008 * stage.unit), lamp, 0.7)
    wall = frame.shape_of(
        box(frame.left - 9, foot - 0.010 * scale, stage.width + 18, 0.035 * scale)
    )
    layer.fill(wall, mix(palette.near, palette.deep, 0.45))
    kerb = frame.line(
        points((frame.left, foot - 0.010 * scale), (frame.right, foot - 0.010 * scale)),
        0.004 * scale,
    )
    layer.fill(kerb, mix(palette.middle, palette.glow, 0.35), 0.8)


def _warehouse(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    x: float,
    foot: float,
    wide: float,
    high: float,
) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    brick = relight(palette.stuff(BRICK, 0.38), lift=float(rng.uniform(-0.05, 0.05)))
    brick = mix(brick, palette.middle, 0.22)
    if stage.is_dark:
        brick = relight(brick, lift=-0.16 if stage.hour == "night" else -0.10)
    top, middle = foot - high, x + wide / 2
    gables = [
        points((x, foot), (x, top), (middle, top - 0.38 * wide), (x + wide, top), (x + wide, foot)),
        _stepped(x, foot, top, wide),
        points((x, foot), (x, top), (x + wide, top), (x + wide, foot)),
    ]
    kind = int(rng.choice(3, p=[0.42, 0.33, 0.25]))
    mass = frame.shape_of(gables[kind])
    light = relight(mix(brick, palette.glow, 0.18), lift=0.03)
    side, _ = stage.toward_light(middle, top)
    ends = (light, relight(brick, lift=-0.05)) if side < 0 else (relight(brick, lift=-0.05), light)
    layer.fill(mass, linear((x, 0), (x + wide, 0), ends[0], brick, ends[1]))
    seams: list[Stroke] = [
        (points((x, foot - share * high), (x + wide, foot - share * high)), 0.012 * wide)
        for share in (0.25, 0.5, 0.75, 1.0)
    ]
    layer.tint(frame.lines(seams).inside(mass), relight(brick, lift=0.10), 0.45)
    join = frame.line(points((x, foot), (x, top)), 0.012 * wide)
    layer.tint(join.inside(mass), palette.deep, 0.5)
    if kind == _FLAT:
        roof = points(
            (x - 0.02 * wide, top),
            (x + 0.12 * wide, top - 0.2 * wide),
            (x + 0.88 * wide, top - 0.2 * wide),
            (x + 1.02 * wide, top),
        )
        copper = mix(palette.stuff(_COPPER, 0.3), palette.near, 0.45 if stage.is_dark else 0.2)
        layer.fill(frame.shape_of(roof), copper)
    layer.rim(mass, stage.toward_light(middle, top), 0.003 * stage.unit, palette.glow, 0.4)


def _stepped(x: float, foot: float, top: float, wide: float) -> Points:
    corners = [(x, foot), (x, top)]
    for step in range(1, 4):
        share, rise = step * 0.14, step * 0.11 * wide
        corners += [(x + share * wide, top - rise + 0.11 * wide), (x + share * wide, top - rise)]
    right = [(2 * x + wide - px, py) for px, py in reversed(corners)]
    return points(*corners, *right)


def _loft_windows(
    rng: np.random.Generator,
    x: float,
    foot: float,
    *,
    wide: float,
    high: float,
    lit: list[Points],
    dim: list[Points],
) -> None:
    """Add rows of small windows and the column of loading doors in the middle."""
    for row in range(4):
        y = foot - high * (0.22 + 0.25 * row)
        dim.append(box(x + 0.44 * wide, y, 0.12 * wide, 0.15 * high))
        for place in (0.10, 0.25, 0.66, 0.81):
            pane = box(x + place * wide, y, 0.085 * wide, 0.12 * high)
            (lit if chance(rng, 0.30) else dim).append(pane)


def _water(scene: Scene, rng: np.random.Generator, *, shore: float) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.30, sway=Sway(x=0.004 * stage.unit, y=0.001 * stage.unit, period_s=4.2))
    water = lay_mirrored_land(scene, layer, rng, shore=shore + 0.018 * stage.unit, ripple=30)
    rows = water.mask.shape[0]
    fall = np.linspace(0.30, 0.78, rows, dtype=np.float32)[:, None]
    layer.tint(water.times(fall), mix(palette.near, palette.zenith, 0.35))
    ripples = scene.layer(0.36, sway=Sway(x=0.008 * stage.unit, y=0.002 * stage.unit, period_s=3.1))
    bright: list[Stroke] = []
    shaded: list[Stroke] = []
    for chosen in rng.random(210):
        place = float(chosen) ** 1.5
        y = shore + (0.02 + place) * (stage.height - shore)
        x = float(rng.uniform(frame.left, frame.right))
        span = stage.unit * (0.012 + 0.075 * place) * float(rng.uniform(0.4, 1.5))
        thick = stage.unit * (0.0007 + 0.0042 * place)
        near_light = abs(x - stage.light_x) < (0.08 + 0.22 * place) * stage.width
        (bright if near_light else shaded).append((level(x, y, span, 9), swollen(9, thick)))
    ripples.fill(frame.lines(shaded), mix(palette.near, palette.deep, 0.5), 0.38)
    ripples.fill(frame.lines(bright), mix(palette.glow, palette.horizon, 0.35), 0.5)


def _lights_on_water(scene: Scene, rng: np.random.Generator, *, shore: float) -> None:
    """Let lamps stand on the quay after dark, each with its trail on the water."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    if not (stage.is_dark or stage.hour == "grey"):
        return
    layer = scene.layer(0.38, sway=Sway(x=0.003 * stage.unit, period_s=2.3))
    strength = 1.0 if stage.hour == "night" else 0.6 if stage.is_dark else 0.3
    hues: list[Colour] = [
        mix(palette.glow, (1.0, 0.74, 0.40), 0.45),
        mix(palette.glow, palette.accent, 0.5),
        mix(palette.paper, palette.glow, 0.3),
    ]
    gap = stage.unit * float(rng.uniform(0.13, 0.19))
    for x in np.arange(frame.left + gap * rng.random(), frame.right, gap).tolist():
        hue = hues[int(rng.choice(3, p=[0.6, 0.2, 0.2]))]
        high = shore - stage.unit * float(rng.uniform(0.035, 0.06)) * _scale(scene)
        layer.fill(frame.glow(x, high, 0.045 * stage.unit, power=2.2), hue, 0.75 * strength)
        layer.fill(frame.disc(x, high, 0.0045 * stage.unit), palette.paper, strength)
        trail: list[Stroke] = []
        reach = stage.unit * float(rng.uniform(0.16, 0.34))
        for share in np.linspace(0, 1, 17).tolist():
            y = shore + 0.026 * stage.unit + share * reach
            sway = float(rng.normal(0, 0.005)) * stage.unit
            span = stage.unit * (0.011 + 0.022 * share) * float(rng.uniform(0.5, 1.2))
            trail.append(
                (level(x + sway, y, span, 7), swollen(7, stage.unit * (0.005 + 0.005 * share)))
            )
        path_of_light = frame.lines(trail).faded(
            lambda _xs, ys, reach=reach: np.clip(1 - (ys - shore) / (reach + 1), 0, 1)
        )
        layer.fill(path_of_light, hue, 0.85 * strength)


def _sparkle(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    foot: float,
    tall: float,
    count: int,
) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    size = 0.0022 * stage.unit
    dots = [
        box(
            float(rng.uniform(frame.left, frame.right)),
            foot - tall * (0.15 + 0.85 * float(rng.random())),
            size,
            size * 1.4,
        )
        for _ in range(count)
    ]
    layer.light(frame.shapes_of(dots), mix(palette.glow, (1.0, 0.76, 0.42), 0.4), 0.9)


def _piles(scene: Scene, rng: np.random.Generator) -> None:
    """Let mooring piles stand in the water near the eye, a rope between them."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.72)
    on_left = stage.light_x > stage.width / 2
    wood = mix(palette.stuff((0.30, 0.22, 0.16), 0.3), palette.deep, 0.45 if stage.is_dark else 0.2)
    light, _ = stage.toward_light(0.5 * stage.width, stage.height)
    tops: list[tuple[float, float]] = []
    thick = 0.042 * stage.unit
    for number, share in enumerate((0.06, 0.105, 0.22)):
        x = (share if on_left else 1 - share) * stage.width + float(
            rng.normal(0, 0.005)
        ) * stage.unit
        top = stage.height * (0.66 + 0.05 * number) - float(rng.uniform(0, 0.04)) * stage.unit
        post = curve(
            points(
                (x - thick / 2, stage.height + 9),
                (x - 0.46 * thick, top + 0.3 * thick),
                (x, top),
                (x + 0.46 * thick, top + 0.3 * thick),
                (x + thick / 2, stage.height + 9),
            ),
            closed=False,
        )
        mask = frame.shape_of(post)
        bright, dim = relight(mix(wood, palette.glow, 0.3), lift=0.05), relight(wood, lift=-0.06)
        ends = (bright, dim) if light < 0 else (dim, bright)
        layer.fill(mask, linear((x - thick / 2, 0), (x + thick / 2, 0), ends[0], wood, ends[1]))
        cap = frame.shape_of(box(x - 0.55 * thick, top + 0.34 * thick, 1.1 * thick, 0.14 * thick))
        layer.fill(cap, palette.deep, 0.7)
        tops.append((x, top + 0.7 * thick))
    sag = points(
        tops[1], ((tops[1][0] + tops[2][0]) / 2, max(tops[1][1], tops[2][1]) + 0.8 * thick), tops[2]
    )
    layer.fill(
        frame.line(curve(sag, closed=False), 0.008 * stage.unit), mix(wood, palette.paper, 0.35)
    )


def _scale(scene: Scene) -> float:
    scale = {"wide": 0.85, "medium": 1.25, "close": 1.7}[scene.stage.view]
    return 1.0 if set(scene.stage.subjects[:1]) & _ON_WATER else scale
