"""Pots and mugs, shaped, glazed and set on a table."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import (
    Points,
    circle,
    curve,
    moved,
    points,
    taper,
)
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.foregrounds import leaf_outline
from infra.providers.local.pictures.motifs.living import draw_steam
from infra.providers.local.pictures.motifs.tables import table_layer
from infra.providers.local.pictures.noise import Field, chance, specks
from infra.providers.local.pictures.raster import Patch
from infra.providers.local.pictures.scene import Scene
from infra.providers.local.pictures.solids import (
    Turned,
    lay_opening,
    lay_shadow,
    lay_turned,
    turned,
)

SHAPES = {
    "bottle": [
        (0, 0.55),
        (0.18, 0.86),
        (0.42, 1.0),
        (0.66, 0.62),
        (0.80, 0.27),
        (0.93, 0.25),
        (1, 0.34),
    ],
    "moon jar": [(0, 0.42), (0.2, 0.82), (0.48, 1.0), (0.75, 0.84), (0.92, 0.46), (1, 0.44)],
    "bowl": [(0, 0.34), (0.12, 0.40), (0.4, 0.74), (0.75, 0.94), (1, 1.0)],
    "jug": [(0, 0.62), (0.22, 0.95), (0.45, 1.0), (0.72, 0.66), (0.88, 0.55), (1, 0.66)],
    "cylinder": [(0, 0.86), (0.1, 0.94), (0.5, 0.98), (0.9, 0.95), (1, 0.98)],
    "amphora": [
        (0, 0.30),
        (0.2, 0.62),
        (0.5, 1.0),
        (0.74, 0.90),
        (0.88, 0.42),
        (0.95, 0.38),
        (1, 0.50),
    ],
}


_WIDTH = {
    "bottle": 0.30,
    "moon jar": 0.50,
    "bowl": 0.92,
    "jug": 0.40,
    "cylinder": 0.30,
    "amphora": 0.36,
}


CLAY: Colour = (0.70, 0.43, 0.29)


def draw_vessel(scene: Scene) -> None:
    """Draw one large pot, a small group or a long row, as near as the view is."""
    stage = scene.stage
    rng = scene.rng("vessel")
    layer = table_layer(scene)
    if stage.view == "wide":
        _row_of_vessels(scene, layer, rng)
        return
    scale = 1.25 if stage.view == "close" else 1.0
    names = list(SHAPES)
    lead = names[int(rng.integers(len(names)))]
    if stage.view == "medium":
        for side in (-1, 1) if chance(rng, 0.6) else (int(rng.choice([-1, 1])),):
            name = names[int(rng.integers(len(names)))]
            size = stage.hero_size * float(rng.uniform(0.36, 0.56))
            x = stage.hero_x + side * stage.hero_size * float(rng.uniform(0.40, 0.52))
            _vessel(
                scene,
                layer,
                rng,
                name=name,
                x=x,
                y=stage.hero_y - 0.035 * stage.hero_size,
                size=size,
            )
    size = stage.hero_size * scale * (0.62 if lead == "bowl" else 0.98)
    size = min(size, 0.92 * stage.hero_y)
    body = _vessel(scene, layer, rng, name=lead, x=stage.hero_x, y=stage.hero_y, size=size)
    if "steam" in stage.skies:
        draw_steam(
            scene, x=body.x, y=body.y - body.tall, wide=max(body.mouth, 0.1 * size), tall=size
        )
    elif lead in {"bottle", "amphora", "jug"} and chance(rng, 0.7):
        _sprig(scene, rng, body)


def _row_of_vessels(scene: Scene, layer: Layer, rng: np.random.Generator) -> None:
    stage = scene.stage
    names = list(SHAPES)
    count = int(rng.integers(5, 8))
    span = min(1.7 * stage.unit, 0.52 * stage.width if stage.side != "none" else 0.8 * stage.width)
    order = [int(k) for k in rng.permutation(len(names))]
    for index in range(count):
        x = stage.hero_x + (index / (count - 1) - 0.5) * span
        name = names[order[index % len(names)]]
        size = stage.hero_size * float(rng.uniform(0.5, 0.9)) * (0.62 if name == "bowl" else 1.0)
        y = stage.hero_y - float(rng.uniform(0, 0.03)) * stage.unit
        _vessel(scene, layer, rng, name=name, x=x, y=y, size=size)


def _vessel(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    name: str,
    x: float,
    y: float,
    size: float,
) -> Turned:
    wide = size * _WIDTH[name] * float(rng.uniform(0.9, 1.1))
    body = turned(x, y, tall=size, wide=wide, shape=SHAPES[name], squash=0.17)
    colour = _glaze(scene, rng)
    lay_shadow(scene, layer, x=x, y=y, wide=float(body.radii[0]) * 1.1 + 0.3 * wide, tall=size)
    if name in {"jug", "amphora"}:
        _handles(scene, layer, body, colour, both=name == "amphora")
    mask = lay_turned(
        scene, layer, body, colour, gloss=0.42, rings=float(rng.choice([0.0, 0.6, 1.0]))
    )
    _decorate(scene, layer, rng, body=body, mask=mask, colour=colour)
    lay_opening(scene, layer, body, colour)
    return body


def _glaze(scene: Scene, rng: np.random.Generator) -> Colour:
    palette = scene.palette
    options = [
        palette.stuff(CLAY, 0.35),
        relight(palette.accent, lightness=0.58),
        relight(palette.tone(0.82), lightness=0.85),
        relight(palette.second, lightness=0.50),
        relight(palette.tone(0.35), lightness=0.42),
    ]
    colour = options[int(rng.choice(len(options), p=[0.3, 0.2, 0.26, 0.14, 0.10]))]
    return relight(colour, lift=-0.10) if scene.stage.hour == "night" else colour


def _decorate(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    body: Turned,
    mask: Patch,
    colour: Colour,
) -> None:
    """Dip the pot into a second glaze, band it or leave its clay speckled."""
    palette = scene.palette
    if chance(rng, 0.45):
        level = body.y - body.tall * float(rng.uniform(0.38, 0.7))
        phase, wave = float(rng.uniform(0, 6)), body.tall * float(rng.uniform(0.005, 0.04))

        def dipped(xs: Field, ys: Field) -> Field:
            bend = body.squash * np.sqrt(np.clip(1 - ((xs - body.x) / body.belly) ** 2, 0, 1))
            edge = level + bend * body.belly + wave * np.sin((xs - body.x) / body.belly * 5 + phase)
            return np.clip((edge - ys) / 1.6 + 0.5, 0, 1)

        second = relight(mix(palette.tone(0.88), colour, 0.2), lift=0.0)
        glaze = mask.faded(dipped)
        before = layer.colour.copy()
        lay_turned(scene, layer, body, second, gloss=0.6)
        layer.keep(mask, before, glaze.mask)
    spots = specks(rng, mask.mask.shape, share=0.006)
    layer.tint(mask.times(spots), relight(colour, lift=-0.25), 0.55)


def _handles(scene: Scene, layer: Layer, body: Turned, colour: Colour, *, both: bool) -> None:
    sides = (-1, 1) if both else ((1,) if scene.stage.light_x < body.x else (-1,))
    for side in sides:
        high, low = 0.90 * body.tall, 0.50 * body.tall
        line = curve(
            points(
                (body.x + side * body.radius_at(high) * 0.92, body.y - high),
                (body.x + side * (body.belly * 1.16), body.y - high * 1.0),
                (body.x + side * (body.belly * 1.36), body.y - (high + low) / 2),
                (body.x + side * body.radius_at(low) * 0.97, body.y - low),
            ),
            closed=False,
            steps=14,
        )
        mask = scene.frame.line(line, taper(len(line), body.belly * 0.17, body.belly * 0.13))
        dark = relight(colour, lift=-0.14)
        layer.fill(mask, linear((body.x, 0), (body.x + side * body.belly * 1.4, 0), colour, dark))
        layer.rim(
            mask,
            scene.stage.toward_light(body.x, body.y),
            body.belly * 0.03,
            scene.palette.glow,
            0.5,
        )


def _sprig(scene: Scene, rng: np.random.Generator, body: Turned) -> None:
    """Put a few leafy twigs into a vase; they sway."""
    palette, frame = scene.palette, scene.frame
    layer = table_layer(scene)
    foot = (body.x, body.y - body.tall + body.mouth * body.squash * 0.4)
    green = mix(palette.stuff((0.38, 0.46, 0.32), 0.4), palette.near, 0.25)
    for number in range(int(rng.integers(2, 5))):
        lean = float(rng.uniform(-0.75, 0.75)) + (number - 1) * 0.2
        reach = body.tall * float(rng.uniform(0.45, 0.85))
        tip = (foot[0] + math.sin(lean) * reach, foot[1] - math.cos(lean) * reach)
        knee = (
            foot[0] + math.sin(lean * 0.4) * reach * 0.5,
            foot[1] - math.cos(lean * 0.4) * reach * 0.55,
        )
        stem = curve(points(foot, knee, tip), closed=False, steps=12)
        layer.fill(
            frame.line(stem, taper(len(stem), 0.011, 0.004) * body.tall), relight(green, lift=-0.05)
        )
        shapes: list[Points] = []
        for place in range(5, len(stem), 2):
            along = stem[place] - stem[place - 1]
            angle = math.atan2(along[1], along[0])
            for side in (-1, 1):
                size = body.tall * float(rng.uniform(0.10, 0.16))
                turn = angle + side * float(rng.uniform(0.5, 0.9))
                shapes.append(
                    moved(leaf_outline(), stem[place][0], stem[place][1], scale=size, turn=turn)
                )
        leaves = frame.shapes_of(shapes)
        layer.fill(leaves, linear((0, tip[1]), (0, foot[1]), relight(green, lift=0.10), green))
        layer.rim(leaves, scene.stage.toward_light(*foot), body.tall * 0.008, palette.glow, 0.4)


def draw_mug(scene: Scene) -> None:
    """Draw a mug with a dark drink and steam."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("mug")
    layer = table_layer(scene)
    size = stage.hero_size * {"close": 0.92, "medium": 0.66, "wide": 0.6}[stage.view]
    body = turned(
        stage.hero_x,
        stage.hero_y,
        tall=size * 0.84,
        wide=size * 0.42,
        squash=0.24,
        shape=[(0, 0.80), (0.08, 0.92), (0.4, 1.0), (0.8, 0.98), (1, 1.0)],
    )
    colour = _glaze(scene, rng)
    saucer = circle(body.x, body.y + size * 0.01, size * 0.68, squash=0.26)
    lay_shadow(scene, layer, x=body.x, y=body.y + 0.06 * size, wide=size * 0.62, tall=size * 0.4)
    plate = frame.shape_of(saucer)
    layer.fill(
        plate,
        linear(
            (body.x - size * 0.7, 0),
            (body.x + size * 0.7, 0),
            relight(colour, lift=0.06),
            relight(colour, lift=-0.12),
        ),
    )
    layer.rim(plate, (0.0, 1.0), size * 0.012, palette.glow, 0.4)
    well = frame.disc(body.x, body.y + size * 0.01, size * 0.46, squash=0.24)
    layer.tint(well, relight(colour, lift=-0.16), 0.7)
    _mug_handle(scene, layer, body, colour, size)
    mask = lay_turned(scene, layer, body, colour, gloss=0.5)
    _decorate(scene, layer, rng, body=body, mask=mask, colour=colour)
    lay_opening(scene, layer, body, colour)
    drink = palette.stuff((0.30, 0.17, 0.10), 0.2)
    surface = frame.disc(body.x, body.y - body.tall + size * 0.018, body.mouth * 0.90, squash=0.215)
    layer.fill(
        surface,
        linear(
            (body.x - body.mouth, 0), (body.x + body.mouth, 0), drink, relight(drink, lift=0.14)
        ),
    )
    swirl = frame.disc(
        body.x - body.mouth * 0.2, body.y - body.tall + size * 0.015, body.mouth * 0.45, squash=0.16
    )
    layer.tint(frame.blurred(swirl, size * 0.02), mix(drink, palette.glow, 0.5), 0.35)
    draw_steam(scene, x=body.x, y=body.y - body.tall, wide=body.mouth * 0.9, tall=size * 1.0)


def _mug_handle(scene: Scene, layer: Layer, body: Turned, colour: Colour, size: float) -> None:
    side = 1 if scene.stage.light_x < body.x else -1
    line = curve(
        points(
            (body.x + side * body.belly * 0.94, body.y - 0.72 * size),
            (body.x + side * body.belly * 1.40, body.y - 0.68 * size),
            (body.x + side * body.belly * 1.48, body.y - 0.40 * size),
            (body.x + side * body.belly * 0.90, body.y - 0.20 * size),
        ),
        closed=False,
        steps=14,
    )
    mask = scene.frame.line(line, size * 0.085)
    layer.fill(mask, relight(colour, lift=-0.05))
    layer.rim(mask, (-0.4 * side, -0.9), size * 0.02, scene.palette.glow, 0.55)
    layer.tint(
        scene.frame.edge(mask, (0.5 * side, 0.8), size * 0.02), relight(colour, lift=-0.2), 0.6
    )
