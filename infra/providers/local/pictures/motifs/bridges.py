"""Bridges: hanging from towers or standing on arches."""

import math

import numpy as np

from infra.providers.local.pictures.colour import mix, relight
from infra.providers.local.pictures.geometry import Points, box, circle, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.noise import chance, clouds
from infra.providers.local.pictures.raster import Patch, Stroke
from infra.providers.local.pictures.scene import Scene


def draw_bridge(scene: Scene) -> None:
    """Draw a hanging bridge or a stone viaduct from side to side."""
    rng = scene.rng("bridge")
    layer = scene.layer(0.50)
    if chance(rng, 0.55):
        _hanging_bridge(scene, layer)
    else:
        _viaduct(scene, layer)


def _hanging_bridge(scene: Scene, layer: Layer) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    scale = {"close": 1.3, "medium": 1.0, "wide": 0.75}[stage.view]
    tone = relight(palette.accent, lightness=0.42 if stage.is_dark else 0.55)
    dark = relight(tone, lift=-0.16)
    deck = stage.horizon - 0.03 * stage.height * scale
    tall = 0.44 * stage.horizon * scale
    gap = 0.62 * stage.unit * scale
    towers = [stage.hero_x - gap / 2, stage.hero_x + gap / 2]
    cables: list[Stroke] = []
    hangers: list[Stroke] = []
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
            else np.abs(place if number > 1 else 1 - place) ** 1.0 * 0.92
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
