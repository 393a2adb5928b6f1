"""Warm things: bread, candles and an open fire."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import (
    Points,
    circle,
    curve,
    moved,
    path,
    points,
    taper,
)
from infra.providers.local.pictures.layer import Layer, linear, radial, toned
from infra.providers.local.pictures.motifs.foregrounds import leaf_outline
from infra.providers.local.pictures.motifs.living import draw_flicker, draw_sparks, draw_steam
from infra.providers.local.pictures.motifs.tables import table_layer
from infra.providers.local.pictures.noise import Field, clouds, specks
from infra.providers.local.pictures.scene import Scene, Sway
from infra.providers.local.pictures.solids import lay_shadow, lay_turned, turned

_CRUST: Colour = (0.71, 0.43, 0.20)


def draw_bread(scene: Scene) -> None:
    """Draw a scored loaf on a board, slices beside it and ears of wheat."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("bread")
    layer = table_layer(scene)
    size = stage.hero_size * {"close": 1.15, "medium": 0.95, "wide": 0.8}[stage.view]
    x, y = stage.hero_x, stage.hero_y
    board = relight(palette.stuff((0.62, 0.42, 0.26), 0.4), lightness=0.56)
    lay_shadow(scene, layer, x=x, y=y + 0.05 * size, wide=0.74 * size, tall=0.1 * size)
    plate = frame.disc(x, y, 0.74 * size, squash=0.24)
    layer.fill(plate.shifted(0, 0.03 * size), relight(board, lift=-0.18))
    layer.fill(
        plate,
        linear((x - size, 0), (x + size, 0), relight(board, lift=0.07), relight(board, lift=-0.06)),
    )
    layer.rim(plate, (0, 1), 0.012 * size, palette.glow, 0.35)
    _loaf(scene, layer, rng, x=x - 0.05 * size, y=y - 0.02 * size, size=size)
    for number in range(2):
        _slice(
            scene,
            layer,
            x=x + (0.40 + 0.15 * number) * size,
            y=y + (0.03 + 0.04 * number) * size,
            size=size,
        )
    _wheat(scene, layer, rng, x=x - 0.62 * size, y=y + 0.14 * size, size=size)
    draw_steam(scene, x=x - 0.05 * size, y=y - 0.45 * size, wide=0.4 * size, tall=0.5 * size)


def _loaf(
    scene: Scene, layer: Layer, rng: np.random.Generator, *, x: float, y: float, size: float
) -> None:
    palette, frame = scene.palette, scene.frame
    crust = palette.stuff(_CRUST, 0.2)
    outline = curve(
        path(
            "-0.5,0.02 -0.53,-0.16 -0.4,-0.36 -0.12,-0.47 0.18,-0.46 0.42,-0.34 0.52,-0.14 "
            "0.48,0.02 0.2,0.06 -0.25,0.06 "
        ),
        closed=True,
    )
    mask = frame.shape_of(moved(outline, x, y, scale=size))
    side, _ = scene.stage.toward_light(x, y)
    side = 1 if side > 0 else -1
    lay_shadow(
        scene, layer, x=x, y=y + 0.03 * size, wide=0.5 * size, tall=0.25 * size, strength=0.45
    )

    def round_light(xs: Field, ys: Field) -> Field:
        across, up = (xs - x) / (0.54 * size), (ys - (y - 0.2 * size)) / (0.29 * size)
        front = np.sqrt(np.clip(1 - across**2 - up**2 * 0.8, 0.02, 1))
        return 0.26 + 0.5 * np.clip(across * 0.55 * side - up * 0.5 + front * 0.55, -0.4, 1)

    light = relight(mix(crust, palette.glow, 0.45), lift=0.07)
    layer.fill(mask, toned(round_light, relight(crust, lift=-0.24), crust, light))
    crumbs = clouds(rng, frame.shape, cell=0.03 * size, octaves=3)
    layer.tint(
        mask.inside(frame.everything().times(np.clip((crumbs - 0.5) * 3, 0, 1))),
        relight(crust, lift=-0.1),
        0.3,
    )
    flour = relight(mix(palette.paper, crust, 0.25), lift=0.0)
    for number in range(4):
        px = -0.30 + 0.20 * number
        cut = curve(
            points((px - 0.09, -0.18 - 0.04 * number % 2), (px - 0.02, -0.31), (px + 0.11, -0.42)),
            closed=False,
        )
        line = moved(cut, x, y, scale=size)
        wide = taper(len(line), 0.012, 0.012, belly=0.065) * size
        layer.tint(
            frame.line(line, wide).inside(mask),
            relight(mix(crust, palette.paper, 0.6), lift=0.02),
            0.95,
        )
        layer.tint(
            frame.line(line + np.array([-0.018, 0.012]) * size, wide * 0.35).inside(mask),
            relight(crust, lift=-0.22),
            0.8,
        )
    dust = specks(rng, mask.mask.shape, share=0.025)
    top = np.clip(((y - 0.22 * size) - mask.grid()[1]) / (0.2 * size), 0, 1)
    layer.tint(mask.times(dust * top), flour, 0.8)
    layer.rim(mask, (0.3 * side, -0.95), 0.014 * size, palette.glow, 0.45)


def _slice(scene: Scene, layer: Layer, *, x: float, y: float, size: float) -> None:
    palette, frame = scene.palette, scene.frame
    crust = palette.stuff(_CRUST, 0.2)
    crumb = relight(mix(palette.paper, crust, 0.25), lightness=0.88)
    outline = curve(
        path("-0.15,0 -0.17,-0.16 -0.08,-0.26 0.06,-0.26 0.14,-0.15 0.12,0"),
        closed=True,
    )
    lay_shadow(scene, layer, x=x, y=y, wide=0.15 * size, tall=0.14 * size, strength=0.4)
    layer.fill(
        frame.shape_of(moved(outline, x + 0.03 * size, y - 0.005 * size, scale=size)),
        relight(crust, lift=-0.12),
    )
    face = frame.shape_of(moved(outline, x, y, scale=size))
    layer.fill(face, crust)
    inner = frame.shape_of(moved(outline * 0.88, x, y - 0.012 * size, scale=size))
    layer.fill(
        inner, linear((x - 0.2 * size, 0), (x + 0.2 * size, 0), crumb, relight(crumb, lift=-0.08))
    )
    rng = scene.rng("crumb", round(x))
    holes = [
        circle(
            x + float(rng.normal(0, 0.055)) * size,
            y - (0.12 + float(rng.normal(0, 0.05))) * size,
            size * float(rng.uniform(0.004, 0.014)),
            squash=0.8,
        )
        for _ in range(26)
    ]
    layer.tint(frame.shapes_of(holes).inside(inner), relight(crumb, lift=-0.13), 0.8)


def _wheat(
    scene: Scene, layer: Layer, rng: np.random.Generator, *, x: float, y: float, size: float
) -> None:
    palette, frame = scene.palette, scene.frame
    gold = relight(palette.stuff((0.85, 0.65, 0.30), 0.25), lightness=0.74)
    for number in range(4):
        lean = 0.06 + 0.13 * number
        tip = (x + size * (0.16 + 0.16 * number), y - size * (0.07 - 0.05 * number))
        stem = curve(
            points(
                (x - 0.1 * size, y + 0.02 * size * number), ((x + tip[0]) / 2, y - 0.03 * size), tip
            ),
            closed=False,
        )
        layer.fill(frame.line(stem, 0.007 * size), relight(gold, lift=-0.12))
        grains: list[Points] = []
        for place in range(7):
            px = tip[0] - place * 0.024 * size
            py = tip[1] + place * 0.004 * size * (1 if number else -1)
            grains += [
                moved(
                    leaf_outline(),
                    px,
                    py,
                    scale=0.055 * size,
                    turn=side * (0.45 + 0.1 * float(rng.random())) - lean * 0.2,
                )
                for side in (-1, 1)
            ]
        mask = frame.shapes_of(grains)
        layer.fill(mask, gold)
        layer.rim(mask, (0, -1), 0.006 * size, palette.glow, 0.5)


def draw_candle(scene: Scene) -> None:
    """Draw candles of different heights with flames that light the wall."""
    stage = scene.stage
    rng = scene.rng("candle")
    layer = table_layer(scene)
    size = stage.hero_size
    spots = {
        "close": [(0.0, 0.95)],
        "medium": [(-0.26, 0.52), (0.24, 0.66), (0.0, 0.90)],
        "wide": [(-0.75, 0.5), (-0.4, 0.8), (0.4, 0.65), (0.75, 0.42), (0.0, 1.0)],
    }[stage.view]
    for shift, share in spots:
        tall = size * share * float(rng.uniform(0.92, 1.05)) * 0.72
        wide = size * (0.13 if stage.view == "close" else 0.085)
        _one_candle(
            scene,
            layer,
            x=stage.hero_x + shift * size,
            y=stage.hero_y - (0.02 if shift else 0.0) * size,
            tall=tall,
            wide=wide,
        )


def _one_candle(
    scene: Scene, layer: Layer, *, x: float, y: float, tall: float, wide: float
) -> None:
    palette, frame = scene.palette, scene.frame
    wax = relight(mix(palette.paper, palette.glow, 0.35), lightness=0.80)
    lay_shadow(scene, layer, x=x, y=y, wide=wide * 1.3, tall=tall * 0.4, strength=0.6)
    dish = turned(
        x,
        y + wide * 0.1,
        tall=wide * 0.22,
        wide=wide * 1.9,
        shape=[(0, 0.7), (1, 1.0)],
        squash=0.24,
    )
    metal = relight(palette.stuff((0.6, 0.45, 0.25), 0.4), lightness=0.42)
    lay_turned(scene, layer, dish, metal, gloss=0.8)
    layer.fill(frame.disc(x, y - wide * 0.12, wide * 1.8, squash=0.24), relight(metal, lift=-0.08))
    body = turned(x, y, tall=tall, wide=wide, shape=[(0, 1.0), (0.5, 0.98), (1, 0.97)], squash=0.24)

    def melt(_xs: Field, ys: Field) -> Field:
        return 0.36 * np.exp(-(((ys - (y - tall)) / (0.20 * tall)) ** 2))

    mask = lay_turned(scene, layer, body, relight(wax, lift=-0.16), gloss=0.1, tone=melt)
    layer.fill(frame.disc(x, y - tall, wide * 0.96, squash=0.24), mix(wax, palette.glow, 0.7))
    drip = frame.line(
        points((x - wide * 0.62, y - tall), (x - wide * 0.66, y - tall * 0.72)),
        np.array([0.24, 0.20]) * wide,
    )
    layer.tint(drip.inside(mask), mix(wax, palette.glow, 0.5), 0.8)
    lick = Sway(x=0.05 * wide, y=0.05 * wide, period_s=1.1, phase=x)
    flame(scene, scene.layer(0.56, sway=lick), x=x, y=y - tall - wide * 0.1, tall=wide * 2.7)
    draw_flicker(scene, x=x, y=y - tall - wide * 1.4, radius=wide * 9, strength=0.36)


def flame(scene: Scene, layer: Layer, *, x: float, y: float, tall: float) -> None:
    """Draw one flame that stands on (x, y)."""
    palette, frame = scene.palette, scene.frame
    fire = mix(palette.glow, (1.0, 0.55, 0.15), 0.6)
    layer.fill(frame.glow(x, y - tall * 0.45, tall * 2.4, power=2.6), fire, 0.55)
    layer.fill(
        frame.line(points((x, y + tall * 0.06), (x, y - tall * 0.14)), tall * 0.03), palette.deep
    )
    outer = moved(_tongue(), x, y, scale=tall)
    mask = frame.blurred(frame.shape_of(outer), tall * 0.02)
    layer.fill(
        mask,
        linear(
            (0, y - tall),
            (0, y),
            mix(fire, palette.glow, 0.4),
            palette.glow,
            mix(fire, (1.0, 0.45, 0.1), 0.5),
        ),
        0.96,
    )
    inner = frame.blurred(
        frame.shape_of(moved(_tongue(), x, y - tall * 0.03, scale=tall * 0.58)), tall * 0.03
    )
    layer.fill(inner, (1.0, 0.98, 0.88), 0.9)


def _tongue() -> Points:
    return curve(
        path("0,0.02 -0.17,-0.12 -0.19,-0.33 -0.08,-0.62 0.01,-1 0.1,-0.6 0.19,-0.32 0.17,-0.12 "),
        closed=True,
        steps=8,
    )


def draw_fire(scene: Scene) -> None:
    """Draw a camp fire: logs, three sheets of flame, sparks and its glow on the ground."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("fire")
    layer = scene.layer(0.58)
    size = stage.hero_size * {"close": 1.1, "medium": 0.95, "wide": 0.8}[stage.view]
    x, y = stage.hero_x, stage.hero_y
    fire = mix(palette.glow, (1.0, 0.50, 0.14), 0.65)
    ground = frame.glow(x, y + 0.05 * size, 1.3 * size, power=2.2)
    layer.fill(
        ground.faded(lambda _xs, ys: np.clip((ys - (y - 0.35 * size)) / (0.4 * size), 0, 1)),
        fire,
        0.42,
    )
    layer.fill(frame.glow(x, y - 0.4 * size, 1.5 * size, power=2.8), fire, 0.40)
    _logs(scene, layer, x=x, y=y, size=size)
    hot: list[Colour] = [
        mix(fire, (0.85, 0.25, 0.10), 0.55),
        fire,
        mix(fire, palette.glow, 0.75),
        (1.0, 0.97, 0.86),
    ]
    for number, colour in enumerate(hot):
        share = 1 - 0.24 * number
        lick = Sway(
            x=0.012 * size, y=0.020 * size * share, period_s=0.9 - 0.12 * number, phase=1.7 * number
        )
        sheet = scene.layer(0.581, sway=lick)
        tongues: list[Points] = []
        for step in range(7):
            place = (step - 3) / 3
            tall = (
                size * 0.82 * share * (1 - 0.55 * abs(place) ** 1.3) * float(rng.uniform(0.75, 1.1))
            )
            shape = _tongue() * np.array([1.25, 1.0])
            bend = np.sin(shape[:, 1:] * 5 + rng.uniform(0, 6)) * np.array([[0.07, 0.0]])
            tongues.append(
                moved(shape + bend, x + place * 0.27 * size * share, y - 0.02 * size, scale=tall)
            )
        mask = frame.blurred(frame.shapes_of(tongues), 0.010 * size)
        sheet.fill(
            mask,
            linear(
                (0, y - size * share), (0, y), mix(colour, hot[max(number - 1, 0)], 0.5), colour
            ),
            0.92,
        )
    _logs_front(scene, scene.layer(0.582), x=x, y=y, size=size)
    draw_flicker(scene, x=x, y=y - 0.35 * size, radius=1.5 * size, strength=0.30)
    draw_sparks(scene, x=x, y=y - 0.3 * size, wide=0.45 * size, tall=1.1 * size)


def _log(
    scene: Scene, layer: Layer, start: tuple[float, float], end: tuple[float, float], thick: float
) -> None:
    palette, frame = scene.palette, scene.frame
    wood = mix(palette.stuff((0.34, 0.22, 0.15), 0.3), palette.deep, 0.35)
    mask = frame.line(points(start, end), thick)
    layer.fill(mask, wood)
    layer.rim(mask, (0.0, -1.0), thick * 0.16, (1.0, 0.6, 0.25), 0.8)
    layer.fill(frame.disc(end[0], end[1], thick * 0.5, squash=0.9), relight(wood, lift=0.16))
    layer.tint(frame.disc(end[0], end[1], thick * 0.28, squash=0.9), relight(wood, lift=0.05))


def _logs(scene: Scene, layer: Layer, *, x: float, y: float, size: float) -> None:
    for dx in (-0.36, 0.36):
        _log(
            scene,
            layer,
            (x - dx * size * 0.6, y - 0.10 * size),
            (x + dx * size, y + 0.02 * size),
            0.085 * size,
        )


def _logs_front(scene: Scene, layer: Layer, *, x: float, y: float, size: float) -> None:
    _log(
        scene,
        layer,
        (x + 0.30 * size, y + 0.0 * size),
        (x - 0.22 * size, y + 0.08 * size),
        0.095 * size,
    )
    _log(
        scene,
        layer,
        (x - 0.28 * size, y + 0.02 * size),
        (x + 0.26 * size, y + 0.09 * size),
        0.10 * size,
    )
    stones: list[Points] = []
    for step in range(11):
        angle = math.pi * (0.02 + 0.96 * step / 10)
        stones.append(
            circle(
                x + math.cos(angle) * 0.52 * size,
                y + 0.08 * size + math.sin(angle) * 0.11 * size,
                0.055 * size,
                squash=0.75,
            )
        )
    mask = scene.frame.shapes_of(stones)
    grey = mix(scene.palette.near, scene.palette.deep, 0.5)
    layer.fill(mask, radial(x, y, 0.7 * size, relight(grey, lift=0.12), grey))
    layer.rim(mask, (0.0, -1.0), 0.012 * size, (1.0, 0.62, 0.3), 0.7)
