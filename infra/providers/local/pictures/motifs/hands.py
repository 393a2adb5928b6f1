"""Hands at work, on the wheel and around what they hold."""

import math
from collections.abc import Callable

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import (
    Points,
    curve,
    moved,
    path,
    taper,
)
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.books import draw_book, draw_paper
from infra.providers.local.pictures.motifs.kitchen import draw_bread, draw_candle
from infra.providers.local.pictures.motifs.living import endless
from infra.providers.local.pictures.motifs.quays import lay_rope
from infra.providers.local.pictures.motifs.tables import table_layer
from infra.providers.local.pictures.motifs.vessels import CLAY, SHAPES, draw_mug
from infra.providers.local.pictures.noise import clouds, generator
from infra.providers.local.pictures.raster import Patch
from infra.providers.local.pictures.scene import Scene, Stream
from infra.providers.local.pictures.solids import (
    Turned,
    lay_opening,
    lay_shadow,
    lay_turned,
    turned,
)

_ON_THE_POT = 2


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
    clay = palette.stuff(CLAY, 0.28)
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
    spans = ((front, 1.0, 0.10, 0.55), (back, -0.8, 0.10, 0.45), (edge, 0.9, 0.35, 0.06))
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
    clay = scene.palette.stuff(CLAY, 0.3)
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


_HOLDS: dict[str, tuple[Callable[[Scene], None], float, float]] = {
    "mug": (draw_mug, 0.36, 0.62),
    "bread": (draw_bread, 0.44, 0.46),
    "book": (draw_book, 0.46, 0.46),
    "paper": (draw_paper, 0.40, 0.46),
    "candle": (draw_candle, 0.24, 0.52),
}
"""What hands may be about, how it is drawn, and how far the hands keep from its middle."""


def draw_hands(scene: Scene) -> None:
    """Draw two hands about what the words say they hold: a pot, bread, paper, a rope, nothing."""
    others = scene.stage.subjects[1:]
    held = next((other for other in others if other in _HOLDS), "")
    if "vessel" in others[:1] or "wheel" in others[:1]:
        _hold_pot(scene)
    elif "bollard" in others or "fabric" in others:
        _hold_rope(scene)
    elif held:
        motif, wide, tall = _HOLDS[held]
        motif(scene)
        _about(scene, wide=wide, tall=tall)
    else:
        body = _about(scene, wide=0.17, tall=0.46)
        layer = table_layer(scene)
        lay_shadow(scene, layer, x=body.x, y=body.y, wide=2.2 * body.belly, tall=body.tall)


def _about(scene: Scene, *, wide: float, tall: float) -> Turned:
    """Lay the hands to both sides of a place on the table; return the room between them."""
    stage = scene.stage
    size = stage.hero_size * {"close": 1.0, "medium": 0.86, "wide": 0.8}[stage.view]
    room = turned(
        stage.hero_x,
        stage.hero_y - 0.02 * size,
        tall=tall * size,
        wide=wide * size,
        shape=[(0, 1.0), (0.5, 1.0), (1, 1.0)],
    )
    draw_pair_of_hands(scene, table_layer(scene), room)
    return room


def _hold_rope(scene: Scene) -> None:
    """Let a rope run through both hands and out of the picture."""
    stage, frame = scene.stage, scene.frame
    layer = table_layer(scene)
    size = stage.hero_size
    hemp = scene.palette.stuff((0.72, 0.60, 0.42), 0.3)
    hemp = relight(hemp, lift={"night": -0.26, "dusk": -0.14}.get(stage.hour, 0.0))
    y = stage.hero_y - 0.24 * size
    line = curve(
        [
            (frame.left - 30, y - 0.18 * size),
            (stage.hero_x - 0.3 * size, y),
            (stage.hero_x, y + 0.05 * size),
            (stage.hero_x + 0.3 * size, y + 0.03 * size),
            (frame.right + 30, y - 0.12 * size),
        ],
        closed=False,
    )
    lay_rope(scene, layer, line, 0.085 * size, hemp)
    _about(scene, wide=0.14, tall=0.46)


def _hold_pot(scene: Scene) -> None:
    stage, palette = scene.stage, scene.palette
    layer = table_layer(scene)
    size = stage.hero_size * {"close": 1.0, "medium": 0.86, "wide": 0.8}[stage.view]
    clay = palette.stuff(CLAY, 0.3)
    bowl = turned(
        stage.hero_x,
        stage.hero_y - 0.08 * size,
        tall=0.46 * size,
        wide=0.36 * size,
        shape=SHAPES["moon jar"],
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
