"""The potter's things: vessels, a mug, the wheel and the hands on it."""

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
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.foregrounds import leaf_outline
from infra.providers.local.pictures.motifs.living import draw_steam, endless
from infra.providers.local.pictures.motifs.tables import table_layer
from infra.providers.local.pictures.noise import Field, clouds, generator
from infra.providers.local.pictures.raster import Patch
from infra.providers.local.pictures.scene import Scene, Stream
from infra.providers.local.pictures.solids import (
    Turned,
    lay_opening,
    lay_shadow,
    lay_turned,
    turned,
)

_SHAPES = {
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
_CLAY: Colour = (0.70, 0.43, 0.29)
_ON_THE_POT = 2


def draw_vessel(scene: Scene) -> None:
    """Draw one large pot, a small group or a long row, as near as the view is."""
    stage = scene.stage
    rng = scene.rng("vessel")
    layer = table_layer(scene)
    if stage.view == "wide":
        _row_of_vessels(scene, layer, rng)
        return
    scale = 1.25 if stage.view == "close" else 1.0
    names = list(_SHAPES)
    lead = names[int(rng.integers(len(names)))]
    if stage.view == "medium":
        for side in (-1, 1) if rng.random() < 0.6 else (int(rng.choice([-1, 1])),):
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
    if lead in {"bottle", "amphora", "jug"} and rng.random() < 0.7:
        _sprig(scene, rng, body)


def _row_of_vessels(scene: Scene, layer: Layer, rng: np.random.Generator) -> None:
    stage = scene.stage
    names = list(_SHAPES)
    count = int(rng.integers(5, 8))
    span = min(1.7 * stage.unit, 0.52 * stage.width if stage.side != "none" else 0.8 * stage.width)
    order = rng.permutation(len(names)).tolist()
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
    body = turned(x, y, tall=size, wide=wide, shape=_SHAPES[name], squash=0.17)
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
        palette.stuff(_CLAY, 0.35),
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
    kind = rng.random()
    if kind < 0.45:
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
        top, left = mask.y + layer.frame.margin, mask.x + layer.frame.margin
        rows, columns = mask.mask.shape
        window = np.s_[:, top : top + rows, left : left + columns]
        after = layer.colour[window]
        after += (before[window] - after) * (1 - glaze.mask)
    specks = rng.random(mask.mask.shape, dtype=np.float32) > 0.994
    layer.tint(mask.times(specks.astype(np.float32)), relight(colour, lift=-0.25), 0.55)


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


def draw_wheel(scene: Scene) -> None:
    """Draw clay turning on the wheel between two hands."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("wheel")
    layer = table_layer(scene)
    size = stage.hero_size * {"close": 1.0, "medium": 0.92, "wide": 0.9}[stage.view]
    x, y = stage.hero_x, stage.hero_y
    metal = relight(palette.stuff((0.45, 0.46, 0.48), 0.5), lightness=0.46)
    head = turned(
        x,
        y + 0.02 * size,
        tall=0.055 * size,
        wide=0.60 * size,
        squash=0.25,
        shape=[(0, 1.0), (0.5, 1.0), (1, 1.0)],
    )
    lay_shadow(
        scene, layer, x=x, y=y + 0.08 * size, wide=0.62 * size, tall=0.2 * size, strength=0.6
    )
    lay_turned(scene, layer, head, metal, gloss=0.7)
    lay_opening(scene, layer, head, relight(metal, lift=0.1), inside=relight(metal, lift=0.04))
    _wet_rings(scene, layer, rng, head)
    clay = palette.stuff(_CLAY, 0.28)
    forms = [
        [(0, 0.80), (0.1, 0.86), (0.35, 1.0), (0.65, 0.90), (0.88, 0.74), (1, 0.80)],
        [(0, 0.55), (0.15, 0.62), (0.5, 0.85), (0.85, 0.98), (1, 1.0)],
        [(0, 0.80), (0.3, 0.92), (0.6, 0.72), (0.8, 0.56), (1, 0.62)],
    ]
    pot = turned(
        x,
        y - 0.025 * size,
        tall=0.50 * size,
        wide=0.34 * size,
        shape=forms[int(rng.integers(len(forms)))],
        squash=0.25,
    )
    base = frame.disc(x, y - 0.02 * size, pot.radii[0] * 1.25, squash=0.25)
    layer.fill(base, relight(clay, lift=-0.08))
    lay_turned(scene, layer, pot, clay, gloss=0.6, rings=1.0)
    lay_opening(scene, layer, pot, clay)
    _let_turn(scene, head, pot)
    draw_pair_of_hands(scene, scene.layer(0.56), pot)


def _let_turn(scene: Scene, head: Turned, pot: Turned) -> None:
    """Let wet streaks run round the wheel and the pot, so that both are seen to turn."""
    frame, unit = scene.frame, scene.unit
    light = mix(scene.palette.glow, scene.palette.paper, 0.3)
    top = head.y - head.tall
    plate = frame.disc(head.x, top, head.mouth * 0.97, squash=head.squash)
    inner = frame.disc(head.x, top, head.mouth * 0.60, squash=head.squash)
    body = frame.shape_of(pot.outline())
    ring = plate.outside(inner).outside(body)
    front = ring.faded(lambda _xs, ys: np.clip((ys - top) / (0.05 * unit), 0, 1))
    back = ring.faded(lambda _xs, ys: np.clip((top - ys) / (0.05 * unit), 0, 1))
    edge = body.faded(lambda xs, _ys: np.clip(1.05 - ((xs - pot.x) / pot.belly) ** 2, 0, 1))
    spans = ((front, 1.0, 0.10, 0.55), (back, -0.8, 0.10, 0.45), (edge, 0.9, 0.35, 0.11))
    for number, (through, way, grow, opacity) in enumerate(spans):
        rng = scene.rng("streaks", number)
        shape = (max(int(unit * 0.30 * (1 + grow)), 8), max(int(head.mouth * 1.4), 8))
        wide = 3.2 if number < _ON_THE_POT else 0.22
        tile = endless(clouds(rng, shape, cell=0.020 * unit, octaves=3, stretch=wide))
        tile = np.clip((tile - 0.50) * 3.0, 0, 1).astype(np.float32)
        scene.add(
            Stream(
                tile=tile,
                colour=light,
                opacity=opacity,
                speed=(way * head.mouth * 0.9, 0.0),
                depth=0.55,
                through=through,
            )
        )


def _wet_rings(scene: Scene, layer: Layer, rng: np.random.Generator, head: Turned) -> None:
    top = head.y - head.tall
    clay = scene.palette.stuff(_CLAY, 0.3)
    for _ in range(9):
        radius = head.mouth * float(rng.uniform(0.45, 0.95))
        start = float(rng.uniform(0, math.tau))
        angles = np.linspace(start, start + float(rng.uniform(0.8, 3.0)), 40)
        line = np.stack(
            [head.x + np.cos(angles) * radius, top + np.sin(angles) * radius * head.squash], axis=1
        )
        width = head.mouth * 0.022 * np.sin(np.linspace(0.05, math.pi - 0.05, 40))
        layer.tint(
            scene.frame.line(line, width + 0.2),
            relight(clay, lift=float(rng.uniform(-0.1, 0.12))),
            0.6,
        )


def draw_hands(scene: Scene) -> None:
    """Draw two hands that hold a bowl of clay."""
    stage, palette = scene.stage, scene.palette
    layer = table_layer(scene)
    size = stage.hero_size * {"close": 1.0, "medium": 0.86, "wide": 0.8}[stage.view]
    clay = palette.stuff(_CLAY, 0.3)
    bowl = turned(
        stage.hero_x,
        stage.hero_y - 0.08 * size,
        tall=0.46 * size,
        wide=0.36 * size,
        shape=_SHAPES["moon jar"],
        squash=0.2,
    )
    lay_shadow(scene, layer, x=bowl.x, y=bowl.y + 0.04 * size, wide=0.4 * size, tall=0.3 * size)
    lay_turned(scene, layer, bowl, clay, gloss=0.3, rings=1.0)
    lay_opening(scene, layer, bowl, clay)
    draw_pair_of_hands(scene, layer, bowl)


def draw_pair_of_hands(scene: Scene, layer: Layer, pot: Turned) -> None:
    """Draw a left and a right hand around a pot, with sleeves that come from the lower corners."""
    rng = generator(scene.brief.seed, "hands")
    tones: list[Colour] = [
        (0.86, 0.64, 0.50),
        (0.72, 0.49, 0.36),
        (0.50, 0.32, 0.23),
        (0.93, 0.74, 0.62),
    ]
    skin = scene.palette.stuff(tones[int(rng.integers(len(tones)))], 0.22)
    sleeve = relight(scene.palette.second, lightness=0.36, chroma=0.8)
    if scene.stage.hour == "night":
        skin = relight(skin, lift=-0.12)
    long = pot.tall * 1.02
    for side in (-1, 1):
        height = pot.tall * (0.62 if side < 0 else 0.40)
        contact = (pot.x + side * pot.radius_at(height) * 0.98, pot.y - height)
        _hand(scene, layer, contact=contact, long=long, side=side, skin=skin, sleeve=sleeve)


def _hand(
    scene: Scene,
    layer: Layer,
    *,
    contact: tuple[float, float],
    long: float,
    side: int,
    skin: Colour,
    sleeve: Colour,
) -> None:
    """Draw one hand; its fingers lie over the pot and the arm goes down to the side."""
    tilt = -0.50

    def placed(outline: Points) -> Points:
        # In its own measure the hand points along +x with its wrist at 0 and the knuckles at 0.45.
        local = moved(outline - np.array([0.52, 0.0]), scale=long, turn=tilt)
        return np.stack([contact[0] - side * local[:, 0], contact[1] + local[:, 1]], axis=1)

    frame, palette, stage = scene.frame, scene.palette, scene.stage
    light = stage.toward_light(*contact)
    shade, lit = relight(skin, lift=-0.15), relight(mix(skin, palette.glow, 0.3), lift=0.05)
    arm = curve(
        path("-5.2,1.2 -2.4,0.46 -0.8,0.1 -0.1,0.02 0.22,0"),
        closed=False,
        steps=10,
    )
    palm = curve(
        path("0.02,-0.13 0.2,-0.2 0.42,-0.2 0.52,-0.1 0.53,0.1 0.44,0.19 0.2,0.17 0.02,0.13 "),
        closed=True,
    )
    arm_line = placed(arm)
    forearm = frame.line(arm_line, taper(len(arm), 0.66, 0.22) * long)
    flesh = Patch(
        forearm.x,
        forearm.y,
        np.maximum(forearm.mask, frame.shape_of(placed(palm)).sampled_like(forearm)),
    )
    hand = frame.shape_of(placed(palm))
    span = long * 0.5
    paint = linear(
        (contact[0] + light[0] * span, contact[1] + light[1] * span),
        (contact[0] - light[0] * span, contact[1] - light[1] * span),
        lit,
        skin,
        shade,
    )
    layer.fill(flesh, paint)
    layer.fill(hand, paint)
    cuff = frame.line(
        arm_line[: int(len(arm_line) * 0.64)], taper(int(len(arm_line) * 0.64), 0.80, 0.40) * long
    )
    layer.fill(
        cuff,
        linear(
            (0, contact[1]),
            (0, contact[1] + long),
            relight(sleeve, lift=0.1),
            relight(sleeve, lift=-0.12),
        ),
    )
    layer.rim(cuff, light, long * 0.02, palette.glow, 0.18)
    thumb = [(0.16, -0.15), (0.32, -0.30), (0.50, -0.36), (0.62, -0.33)]
    fingers = [
        ([(0.42, -0.14), (0.66, -0.23), (0.84, -0.17), (0.96, -0.08)], 0.125),
        ([(0.46, -0.05), (0.72, -0.12), (0.92, -0.06), (1.04, 0.03)], 0.128),
        ([(0.45, 0.05), (0.70, -0.01), (0.88, 0.04), (0.99, 0.12)], 0.122),
        ([(0.40, 0.14), (0.60, 0.11), (0.75, 0.15), (0.85, 0.21)], 0.105),
    ]
    for knots, width in [(thumb, 0.125), *reversed(fingers)]:
        line = placed(curve(np.array(knots), closed=False, steps=8))
        finger = frame.line(line, taper(len(line), width, width * 0.74, belly=width * 0.05) * long)
        drop = frame.blurred(finger, long * 0.018).shifted(-light[0] * long * 0.025, long * 0.03)
        layer.tint(drop.outside(finger), relight(skin, lift=-0.24), 0.45)
        layer.fill(finger, paint)
        layer.tint(
            frame.edge(finger, (-light[0] * 0.4, 0.9), long * 0.028), relight(skin, lift=-0.17), 0.6
        )
        layer.rim(finger, (light[0] * 0.4, -0.9), long * 0.016, palette.glow, 0.5)
        tip = line[-1]
        nail = frame.disc(
            float(tip[0]) + side * long * 0.012, float(tip[1]) - long * 0.012, long * 0.026
        )
        layer.tint(nail, mix(skin, palette.paper, 0.45), 0.6)
