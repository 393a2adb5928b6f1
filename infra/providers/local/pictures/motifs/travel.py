"""Things that travel: a train, a boat and balloons."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import (
    Points,
    box,
    circle,
    curve,
    moved,
    path,
    points,
    rounded,
)
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.mirrors import lay_mirror
from infra.providers.local.pictures.motifs.shores import draw_beached_boat
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene, Sway
from infra.providers.local.pictures.solids import lay_turned, turned


def draw_boat(scene: Scene) -> None:
    """Draw a sailing boat that rocks on the water, with its mirror image below."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    if "beach" in stage.lands and stage.view != "wide" and stage.subjects[:1] == ("boat",):
        draw_beached_boat(scene)
        return
    rng = scene.rng("boat")
    size = stage.hero_size * {"close": 1.25, "medium": 0.95, "wide": 0.7}[stage.view]
    size = min(size, 0.82 * stage.hero_y)
    x = stage.hero_x
    y = max(
        stage.horizon + 0.10 * (stage.height - stage.horizon) + 0.05 * size,
        min(stage.hero_y, stage.horizon + 0.30 * size),
    )
    layer = scene.layer(0.56, sway=Sway(x=0.002 * stage.unit, y=0.006 * stage.unit, period_s=3.4))
    flip = chance(rng, 0.5)

    def at(shape: Points) -> Points:
        return moved(shape, x, y, scale=size, mirror=flip)

    sail = relight(mix(palette.paper, palette.glow, 0.3), lightness=0.70 if stage.is_dark else 0.94)
    second = relight(palette.accent, lightness=0.48 if stage.is_dark else 0.62)
    light, _ = stage.toward_light(x, y)
    main_sail = curve(
        at(path("0.015,-0.16 0.03,-0.6 0.02,-0.98 0.24,-0.62 0.4,-0.17 0.2,-0.145")),
        closed=True,
    )
    jib = curve(
        at(path("-0.02,-0.9 -0.17,-0.55 -0.4,-0.15 -0.2,-0.17 -0.03,-0.155 -0.035,-0.5")),
        closed=True,
    )
    for shape, colour in ((main_sail, sail), (jib, second)):
        mask = frame.shape_of(shape)
        bright, dim = (
            relight(mix(colour, palette.glow, 0.3), lift=0.03),
            relight(colour, lift=-0.14),
        )
        left, right = (bright, dim) if light < 0 else (dim, bright)
        layer.fill(
            mask, linear((x - 0.4 * size, y - size), (x + 0.4 * size, y), left, colour, right)
        )
        seams = [
            (at(points((-0.5, -0.2 - 0.16 * k), (0.5, -0.24 - 0.16 * k))), 0.004 * size)
            for k in range(5)
        ]
        layer.tint(frame.lines(seams).inside(mask), relight(colour, lift=-0.12), 0.4)
        layer.rim(mask, stage.toward_light(x, y - size), 0.008 * size, palette.glow, 0.5)
    wood = relight(
        palette.stuff((0.40, 0.25, 0.17), 0.35), lightness=0.24 if stage.is_dark else 0.36
    )
    layer.fill(
        frame.lines(
            [
                (at(points((0.0, -0.06), (0.0, -1.03))), 0.014 * size),
                (at(points((0.0, -0.155), (0.42, -0.155))), 0.011 * size),
            ]
        ),
        wood,
    )
    pennant = at(path("0,-1.03 0,-0.97 0.13,-1"))
    layer.fill(frame.shape_of(pennant), second)
    hull = curve(
        at(path("-.46,-.1 -.36,.02 -.1,.065 .22,.055 .4,-.01 .45,-.09 .2,-.075 -.2,-.08")),
        closed=True,
    )
    mask = frame.shape_of(hull)
    layer.fill(
        mask,
        linear(
            (0, y - 0.1 * size),
            (0, y + 0.06 * size),
            relight(mix(wood, palette.glow, 0.2), lift=0.05),
            wood,
            relight(wood, lift=-0.1),
        ),
    )
    stripe = frame.line(at(path("-0.43,-0.072 0,-0.045 0.43,-0.062")), 0.014 * size)
    layer.tint(stripe.inside(mask), palette.paper, 0.8)
    layer.rim(mask, stage.toward_light(x, y - size), 0.010 * size, palette.glow, 0.6)
    lay_mirror(scene, layer, x=x, y=y + 0.04 * size, size=size)


def draw_train(scene: Scene) -> None:
    """Draw a train on an embankment or viaduct that runs across the picture."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    scale = {"close": 1.5, "medium": 1.0, "wide": 0.62}[stage.view]
    y = stage.hero_y - 0.04 * stage.height
    tall = 0.20 * stage.unit * scale
    layer = scene.layer(0.55)
    _embankment(scene, layer, y=y, tall=tall)
    train = scene.layer(0.58, sway=Sway(x=0.020 * stage.unit, y=0.0008 * stage.unit, period_s=7.0))
    flip = -1 if stage.side == "left" else 1
    nose = stage.hero_x + flip * 0.36 * stage.hero_size
    paint = relight(palette.accent, lightness=0.42 if stage.is_dark else 0.56)
    cars = math.ceil((stage.width + 0.4 * stage.unit) / (tall * 2.6)) + 1
    for number in range(cars):
        start = nose - flip * number * tall * 2.62
        _car(
            scene,
            train,
            x=start,
            y=y - 0.10 * tall,
            tall=tall,
            flip=flip,
            paint=paint,
            lead=number == 0,
        )
    if not stage.is_dark and stage.hour != "dusk":
        return
    beam = points(
        (nose, y - 0.38 * tall),
        (nose + flip * tall * 5, y - 0.95 * tall),
        (nose + flip * tall * 5, y + 0.35 * tall),
    )
    mask = frame.blurred(frame.shape_of(beam), 0.05 * tall).faded(
        lambda xs, _ys: np.clip(1 - np.abs(xs - nose) / (5 * tall), 0, 1) ** 1.5
    )
    train.fill(mask, palette.glow, 0.5)
    train.fill(frame.glow(nose, y - 0.36 * tall, 0.5 * tall, power=2), palette.glow, 0.9)


def _embankment(scene: Scene, layer: Layer, *, y: float, tall: float) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    wide = frame.right - frame.left + 20
    bank = frame.shape_of(box(frame.left - 10, y, wide, frame.bottom - y + 9))
    layer.fill(
        bank,
        linear(
            (0, y),
            (0, stage.height),
            mix(palette.near, palette.middle, 0.25),
            mix(palette.near, palette.deep, 0.6),
            palette.deep,
        ),
    )
    sleepers = [
        box(float(x), y + 0.02 * tall, 0.10 * tall, 0.05 * tall)
        for x in np.arange(frame.left, frame.right, 0.2 * tall)
    ]
    layer.fill(frame.shapes_of(sleepers), palette.deep, 0.8)
    layer.fill(
        frame.line(points((frame.left, y), (frame.right, y)), 0.035 * tall),
        relight(palette.near, lift=0.16),
    )
    gap = tall * 4.2
    masts: list[Stroke] = []
    for x in np.arange(frame.left + 0.4 * gap, frame.right, gap).tolist():
        masts += [
            (points((x, y), (x, y - 1.62 * tall)), 0.030 * tall),
            (points((x, y - 1.5 * tall), (x + 0.45 * tall, y - 1.5 * tall)), 0.02 * tall),
        ]
    wires = [
        (points((frame.left, y - h * tall), (frame.right, y - h * tall)), 0.011 * tall)
        for h in (1.36, 1.5)
    ]
    layer.fill(frame.lines([*masts, *wires]), palette.deep, 0.75)
    rng = scene.rng("bank")
    tufts: list[Stroke] = []
    for _ in range(70):
        x, low = (
            float(rng.uniform(frame.left, frame.right)),
            y + tall * (0.25 + abs(float(rng.normal(0, 0.8)))),
        )
        high = tall * float(rng.uniform(0.08, 0.3))
        tufts.append(
            (points((x, low), (x + high * 0.2, low - high)), np.array([0.03, 0.004]) * tall)
        )
    layer.fill(frame.lines(tufts), mix(palette.middle, palette.near, 0.5), 0.55)


def _car(
    scene: Scene,
    layer: Layer,
    *,
    x: float,
    y: float,
    tall: float,
    flip: int,
    paint: Colour,
    lead: bool,
) -> None:
    frame, palette, stage = scene.frame, scene.palette, scene.stage
    long = tall * 2.55

    def at(shape: Points) -> Points:
        return np.array([x, y]) - shape * np.array([flip * tall, tall])

    if lead:
        body = curve(at(path("0,0.12 0.02,0.34 0.18,0.66 0.48,0.86 0.9,0.9")), closed=False)
        outline = np.concatenate([body, at(path("2.55,0.9 2.55,0.05 0.06,0.05"))])
    else:
        low = min(x, x - flip * long)
        outline = rounded(
            low + 0.02 * tall, y - 0.90 * tall, long - 0.04 * tall, 0.85 * tall, 0.10 * tall
        )
    mask = frame.shape_of(outline)
    light = relight(mix(paint, palette.glow, 0.35), lift=0.08)
    layer.fill(
        mask, linear((0, y - 0.9 * tall), (0, y), light, paint, paint, relight(paint, lift=-0.16))
    )
    stripe = frame.shape_of(
        box(min(x, x - flip * long), y - 0.30 * tall, long, 0.085 * tall)
    ).inside(mask)
    layer.tint(stripe, palette.paper, 0.85)
    lit = stage.is_dark or stage.hour == "grey"
    glass = (
        mix(palette.glow, (1.0, 0.78, 0.45), 0.3) if lit else mix(palette.deep, palette.zenith, 0.3)
    )
    panes: list[Points] = []
    for k in range(5 if lead else 6):
        px = (0.62 if lead else 0.16) + 0.385 * k
        corner = at(points((px + 0.26, 0.74)))[0] if flip > 0 else at(points((px, 0.74)))[0]
        panes.append(
            rounded(float(corner[0]), float(corner[1]), 0.26 * tall, 0.27 * tall, 0.05 * tall)
        )
    if lead:
        panes.append(at(path("0.24,0.66 0.5,0.8 0.54,0.5 0.2,0.5")))
    windows = frame.shapes_of(panes).inside(mask)
    layer.fill(windows, glass)
    if lit:
        layer.light(frame.blurred(windows, 0.06 * tall).inside(mask), glass, 0.5)
    layer.rim(mask, (0.0, -1.0), 0.025 * tall, palette.glow, 0.6)
    wheels = [
        circle(float(at(points((px, 0.0)))[0][0]), y - 0.01 * tall, 0.10 * tall)
        for px in (0.45, 0.75, 1.85, 2.15)
    ]
    layer.fill(frame.shapes_of(wheels), palette.deep)
    layer.fill(frame.shape_of(at(path("0.3,0.08 2.3,0.08 2.2,0 0.4,0"))), palette.deep)


def draw_balloon(scene: Scene) -> None:
    """Draw a large striped balloon and smaller ones that drift behind it."""
    stage = scene.stage
    rng = scene.rng("balloon")
    size = stage.hero_size * {"close": 1.2, "medium": 0.95, "wide": 0.7}[stage.view]
    for _ in range(int(rng.integers(2, 5))):
        far = size * float(rng.uniform(0.14, 0.30))
        x = stage.hero_x + float(rng.normal(0, 0.28)) * stage.width
        y = stage.horizon * float(rng.uniform(0.35, 0.85))
        layer = scene.layer(
            0.30,
            sway=Sway(
                x=0.006 * stage.unit,
                y=0.010 * stage.unit,
                period_s=float(rng.uniform(5, 8)),
                phase=float(rng.uniform(0, 6)),
            ),
        )
        _balloon(scene, layer, x=x, y=y, size=far, veil=0.45)
    layer = scene.layer(0.60, sway=Sway(x=0.006 * stage.unit, y=0.014 * stage.unit, period_s=6.0))
    foot = min(stage.hero_y - 0.06 * stage.height, 0.12 * stage.height + 1.02 * size)
    if stage.side == "top" and stage.words is not None:
        foot = max(foot, stage.words.y + stage.words.height + 1.05 * size)
    _balloon(
        scene,
        layer,
        x=stage.hero_x,
        y=foot,
        size=size,
        veil=0.0,
    )


def _balloon(scene: Scene, layer: Layer, *, x: float, y: float, size: float, veil: float) -> None:
    frame, palette = scene.frame, scene.palette
    rng = scene.rng("balloon", round(x))
    bag = turned(
        x,
        y - 0.22 * size,
        tall=0.78 * size,
        wide=0.36 * size,
        shape=[
            (0, 0.16),
            (0.10, 0.34),
            (0.32, 0.76),
            (0.62, 1.0),
            (0.86, 0.74),
            (0.97, 0.3),
            (1.0, 0.05),
        ],
        squash=0.06,
    )
    colours = [
        relight(palette.accent, lightness=0.60),
        relight(palette.paper, lightness=0.92),
        relight(palette.second, lightness=0.52),
    ]
    mask = lay_turned(scene, layer, bag, colours[0], gloss=0.25)
    gores = 10
    xs, ys = mask.grid()
    height = np.clip(bag.y - ys, 0, bag.tall)
    radius = np.interp(height, bag.heights, bag.radii)
    turn = np.arcsin(np.clip((xs - x) / np.maximum(radius, 1), -1, 1)) / math.pi * gores + float(
        rng.random()
    )
    base = layer.colour.copy()
    for number, colour in enumerate(colours[1:], start=1):
        layer.colour[:] = base if number == 1 else layer.colour
        kept = layer.colour.copy()
        lay_turned(scene, layer, bag, colour, gloss=0.25)
        chosen = (np.floor(turn).astype(int) % 4 == (1 if number == 1 else 2)).astype(np.float32)
        layer.keep(mask, kept, chosen)
    basket = rounded(x - 0.055 * size, y - 0.10 * size, 0.11 * size, 0.095 * size, 0.02 * size)
    ropes = [
        (
            points((x + k * 0.05 * size, y - 0.23 * size), (x + k * 0.045 * size, y - 0.09 * size)),
            0.005 * size,
        )
        for k in (-1, -0.4, 0.4, 1)
    ]
    layer.fill(frame.lines(ropes), palette.deep, 0.8)
    wicker = palette.stuff((0.45, 0.29, 0.17), 0.3)
    layer.fill(
        frame.shape_of(basket),
        linear(
            (x - 0.06 * size, 0),
            (x + 0.06 * size, 0),
            relight(wicker, lift=0.06),
            relight(wicker, lift=-0.08),
        ),
    )
    layer.fill(
        frame.glow(x, y - 0.21 * size, 0.09 * size, power=2),
        mix(palette.glow, (1.0, 0.6, 0.2), 0.4),
        0.9,
    )
    if veil:
        layer.veil(palette.horizon, veil)
