"""Built things in the land: lighthouse, bridge, house and a window seen from inside."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, box, circle, curve, moved, path, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.foregrounds import leaf_outline
from infra.providers.local.pictures.motifs.living import draw_flicker, draw_steam
from infra.providers.local.pictures.noise import clouds, ridge
from infra.providers.local.pictures.raster import Patch
from infra.providers.local.pictures.scene import Scene, Sway
from infra.providers.local.pictures.solids import lay_turned, turned


def lay_mound(scene: Scene, layer: Layer, *, x: float, y: float, wide: float, rocky: bool) -> Patch:
    """Paint a hill or a rock that carries something at (x, y); return its mask."""
    frame, palette, stage = scene.frame, scene.palette, scene.stage
    rng = scene.rng("mound")
    xs = np.linspace(min(x - wide * 2.2, frame.left - 9), max(x + wide * 2.2, frame.right + 9), 220)
    away = np.abs(xs - x) / wide
    rough = ridge(rng, xs, cell=wide * 0.28, octaves=4 if rocky else 2, gain=0.5)
    if rocky:
        fall = 0.30 * away**1.7 + 0.10 * np.clip(away - 0.75, 0, None) * 3
        line = y + wide * (fall + 0.045 * rough * np.minimum(away * 3 + 0.15, 1))
    else:
        # A rise in wide ground: it sinks away on both sides and then runs on level.
        fall = 0.30 * (1 - np.exp(-((away / 1.25) ** 2)))
        line = y + wide * (fall + 0.012 * rough * np.minimum(away * 3 + 0.1, 1))
    body = np.concatenate(
        [
            np.stack([xs, line], axis=1),
            points((xs[-1], frame.bottom + 9), (xs[0], frame.bottom + 9)),
        ]
    )
    mass = frame.shape_of(body)
    tint = mix(palette.near, palette.deep, 0.25)
    layer.fill(
        mass,
        linear((0, y), (0, y + wide * 0.9), mix(tint, palette.middle, 0.35), tint, palette.deep),
    )
    if rocky:
        _facets(scene, layer, rng, mass=mass, x=x, y=y, wide=wide)
    layer.rim(mass, stage.toward_light(x, y), 0.006 * stage.unit, palette.glow, 0.3)
    return mass


def _facets(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    mass: Patch,
    x: float,
    y: float,
    wide: float,
) -> None:
    palette = scene.palette
    light_side, _ = scene.stage.toward_light(x, y)
    dark: list[Points] = []
    bright: list[Points] = []
    for _ in range(46):
        px, py = x + float(rng.normal(0, 0.65)) * wide, y + abs(float(rng.normal(0, 0.35))) * wide
        size = wide * float(rng.uniform(0.05, 0.17))
        shape = path("0,-0.5 0.6,-0.1 0.3,0.6 -0.5,0.4") + rng.uniform(-0.2, 0.2, (4, 2))
        (bright if rng.random() < 0.4 else dark).append(moved(shape, px, py, scale=size))
    layer.tint(scene.frame.shapes_of(dark).inside(mass), palette.deep, 0.35)
    layer.tint(
        scene.frame.shapes_of(bright).inside(mass),
        mix(palette.middle, palette.glow, 0.35),
        0.20 + 0.05 * (light_side > 0),
    )


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
    _mix_back(layer, mask, before, stripes)
    _lantern(scene, layer, x=x, y=top + 0.20 * size, size=size)
    for place in (0.25, 0.5):
        pane = box(x - 0.010 * size, y - place * size, 0.02 * size, 0.035 * size)
        layer.fill(frame.shape_of(pane), palette.glow if stage.is_dark else palette.deep, 0.9)


def _mix_back(layer: Layer, mask: Patch, before: np.ndarray, keep: np.ndarray) -> None:
    """Keep what was painted last only where `keep` is 1."""
    top, left = mask.y + layer.frame.margin, mask.x + layer.frame.margin
    rows, columns = mask.mask.shape
    window = np.s_[:, top : top + rows, left : left + columns]
    after = layer.colour[window]
    after += (before[window] - after) * (1 - keep)


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


def draw_bridge(scene: Scene) -> None:
    """Draw a hanging bridge or a stone viaduct from side to side."""
    stage = scene.stage
    rng = scene.rng("bridge")
    layer = scene.layer(0.50)
    if rng.random() < 0.55:
        _hanging_bridge(scene, layer, rng)
    else:
        _viaduct(scene, layer)


def _hanging_bridge(scene: Scene, layer: Layer, rng: np.random.Generator) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    scale = {"close": 1.3, "medium": 1.0, "wide": 0.75}[stage.view]
    tone = relight(palette.accent, lightness=0.42 if stage.is_dark else 0.55)
    dark = relight(tone, lift=-0.16)
    deck = stage.horizon - 0.03 * stage.height * scale
    tall = 0.44 * stage.horizon * scale
    gap = 0.62 * stage.unit * scale
    towers = [stage.hero_x - gap / 2, stage.hero_x + gap / 2]
    cables: list[tuple[Points, float]] = []
    hangers: list[tuple[Points, float]] = []
    spans = [
        (towers[0] - 1.1 * gap, towers[0]),
        (towers[0], towers[1]),
        (towers[1], towers[1] + 1.1 * gap),
    ]
    for number, (left, right) in enumerate(spans):
        xs = np.linspace(left, right, 40)
        place = (xs - left) / (right - left)
        sag = (
            4 * place * (1 - place) * 0.86
            if number == 1
            else np.abs((place if number == 2 else 1 - place)) ** 1.0 * 0.92
        )
        ys = deck - tall * (1 - sag)
        cables.append((np.stack([xs, ys], axis=1), 0.006 * stage.unit * scale))
        hangers += [
            (points((hx, hy), (hx, deck)), 0.0016 * stage.unit * scale)
            for hx, hy in zip(xs[1:-1:2].tolist(), ys[1:-1:2].tolist(), strict=True)
        ]
    layer.fill(frame.lines(hangers), tone, 0.8)
    layer.fill(frame.lines(cables), tone)
    road = box(frame.left - 5, deck, frame.right - frame.left + 10, 0.022 * stage.unit * scale)
    layer.fill(
        frame.shape_of(road), linear((0, deck), (0, deck + 0.022 * stage.unit * scale), tone, dark)
    )
    foot = stage.horizon + 0.10 * stage.height
    legs: list[Points] = []
    wide = 0.030 * stage.unit * scale
    for x in towers:
        legs += [
            box(x - wide, deck - tall - wide, wide * 0.7, foot - deck + tall + wide),
            box(x + wide * 0.3, deck - tall - wide, wide * 0.7, foot - deck + tall + wide),
        ]
        legs += [
            box(x - wide, deck - tall * share, wide * 2, wide * 0.45)
            for share in (0.98, 0.66, 0.34)
        ]
        legs.append(
            box(x - wide * 1.7, foot - 0.01 * stage.height, wide * 3.4, 0.028 * stage.height)
        )
    mask = frame.shapes_of(legs)
    layer.fill(
        mask,
        linear(
            (0, deck - tall), (0, foot), relight(mix(tone, palette.glow, 0.18), lift=0.03), dark
        ),
    )
    layer.rim(mask, stage.toward_light(stage.hero_x, deck), 0.003 * stage.unit, palette.glow, 0.8)
    reflection = mask.mask[::-1]
    low = round(foot + 0.018 * stage.height)
    mirror = frame.clipped(Patch(mask.x, low, reflection))
    layer.fill(
        mirror.faded(lambda _xs, ys: np.clip(0.45 - (ys - low) / (0.5 * stage.height), 0, 1)), dark
    )
    if stage.is_dark:
        lamps = [
            circle(float(px), deck - 0.008 * stage.unit, 0.0032 * stage.unit)
            for px in np.arange(frame.left, frame.right, 0.06 * stage.unit)
        ]
        layer.fill(frame.shapes_of(lamps), palette.glow)
        layer.light(frame.blurred(frame.shapes_of(lamps), 0.012 * stage.unit), palette.glow, 0.9)
    _ = rng


def _viaduct(scene: Scene, layer: Layer) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    scale = {"close": 1.3, "medium": 1.0, "wide": 0.7}[stage.view]
    stone = palette.stuff((0.66, 0.58, 0.50), 0.45)
    stone = relight(stone, lightness=0.34 if stage.is_dark else 0.60)
    deck = stage.horizon - 0.10 * stage.height * scale
    thick = 0.045 * stage.unit * scale
    foot = stage.horizon + 0.14 * stage.height
    span = 0.25 * stage.unit * scale
    holes: list[Points] = []
    start = stage.hero_x - span * math.ceil((stage.hero_x - frame.left) / span) - span / 2
    x = start
    while x < frame.right + span:
        half = span * 0.40
        angles = np.linspace(math.pi, 2 * math.pi, 26)
        crown = deck + thick + half
        holes.append(
            np.concatenate(
                [
                    np.stack([x + np.cos(angles) * half, crown + np.sin(angles) * half], axis=1),
                    points((x + half, foot), (x - half, foot)),
                ]
            )
        )
        x += span
    body = box(frame.left - 5, deck, frame.right - frame.left + 10, foot - deck - 1)
    mask = frame.cut(body, *holes)
    layer.fill(
        mask,
        linear(
            (0, deck),
            (0, foot),
            relight(mix(stone, palette.glow, 0.25), lift=0.03),
            stone,
            relight(stone, lift=-0.14),
        ),
    )
    side, _ = stage.toward_light(stage.hero_x, deck)
    inner = frame.shapes_of(
        [hole + np.array([(-1 if side > 0 else 1) * 0.05 * span, 0.0]) for hole in holes]
    )
    layer.tint(
        frame.edge(mask, (1 if side > 0 else -1, -0.2), 0.05 * span),
        mix(stone, palette.glow, 0.45),
        0.35,
    )
    layer.tint(
        frame.edge(mask, (-1 if side > 0 else 1, 0.4), 0.06 * span), relight(stone, lift=-0.17), 0.6
    )
    blocks = clouds(
        scene.rng("stone"), frame.shape, cell=0.014 * stage.unit, octaves=2, stretch=2.2
    )
    layer.tint(
        frame.everything().times(np.clip((blocks - 0.5) * 2.5, 0, 1)).inside(mask),
        relight(stone, lift=-0.08),
        0.35,
    )
    parapet = frame.shape_of(
        box(
            frame.left - 5,
            deck - 0.014 * stage.unit * scale,
            frame.right - frame.left + 10,
            0.020 * stage.unit * scale,
        )
    )
    layer.fill(parapet, relight(mix(stone, palette.glow, 0.3), lift=0.05))
    _ = inner


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
    layer.fill(frame.shapes_of([_grown(pane, 0.012 * size) for pane in panes]), trim)
    mask = frame.shapes_of(panes)
    layer.fill(mask, glass)
    if dark:
        layer.fill(frame.blurred(mask, 0.05 * size).times(1.0), glass, 0.35)
        layer.fill(mask, mix(glass, palette.paper, 0.35))
    bars = []
    for pane in panes[:3]:
        (x0, y0), (x1, y1) = pane.min(axis=0), pane.max(axis=0)
        bars += [
            (points(((x0 + x1) / 2, y0), ((x0 + x1) / 2, y1)), 0.008 * size),
            (points((x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2)), 0.008 * size),
        ]
    layer.fill(frame.lines(bars), trim)


def _grown(outline: Points, by: float) -> Points:
    middle = outline.mean(axis=0)
    away = outline - middle
    return middle + away + np.sign(away) * by


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
        frame.cut(_grown(opening, thick), opening),
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
