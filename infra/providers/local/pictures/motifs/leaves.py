"""Large leaves and flowers against a plain ground."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import (
    Points,
    arc,
    circle,
    curve,
    moved,
    path,
    points,
    taper,
)
from infra.providers.local.pictures.layer import Layer, linear, radial
from infra.providers.local.pictures.motifs.foregrounds import leaf_outline
from infra.providers.local.pictures.noise import chance, clouds
from infra.providers.local.pictures.scene import Scene, Sway


def draw_leaf(scene: Scene) -> None:
    """Draw large leaves of several kinds over one another, with veins and light through them."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("leaf")
    if not stage.lands:
        _plain_ground(scene, rng)
    greens = [
        palette.stuff((0.22, 0.38, 0.26), 0.45),
        palette.stuff((0.36, 0.50, 0.30), 0.5),
        relight(palette.tone(0.35), lightness=0.38),
        relight(palette.second, lightness=0.45),
    ]
    scale = {"close": 1.5, "medium": 1.05, "wide": 0.75}[stage.view]
    foot = (stage.hero_x + float(rng.uniform(-0.05, 0.05)) * stage.width, stage.height * 1.08)
    far = scene.layer(0.35, sway=Sway(x=0.006 * stage.unit, y=0.003 * stage.unit, period_s=5.5))
    for _ in range(6):
        angle = -math.pi / 2 + float(rng.normal(0, 0.75))
        _frond(
            scene,
            far,
            rng,
            foot=(foot[0] + float(rng.normal(0, 0.12)) * stage.width, foot[1]),
            angle=angle,
            long=scale * stage.unit * float(rng.uniform(0.7, 1.05)),
            tint=mix(greens[2], palette.horizon, 0.45),
        )
    far.blur(0.008 * stage.unit)
    near = scene.layer(
        0.60, sway=Sway(x=0.008 * stage.unit, y=0.004 * stage.unit, period_s=4.4, phase=1.5)
    )
    order = rng.permutation(7).tolist()
    for number in order:
        angle = -math.pi / 2 + (number - 3) * 0.34 + float(rng.normal(0, 0.08))
        long = scale * stage.unit * float(rng.uniform(0.55, 0.92)) * (1 - 0.05 * abs(number - 3))
        tint = greens[int(rng.integers(4))]
        if chance(rng, 0.3):
            _frond(scene, near, rng, foot=foot, angle=angle, long=long, tint=tint)
        else:
            _broad_leaf(
                scene,
                near,
                foot=foot,
                angle=angle,
                long=long,
                tint=tint,
                lobes=chance(rng, 0.35),
            )
    front = scene.layer(0.95, sway=Sway(x=0.014 * stage.unit, y=0.006 * stage.unit, period_s=3.8))
    edge = stage.width if stage.side in {"left", "none", "bottom"} else 0.0
    for _ in range(2):
        _broad_leaf(
            scene,
            front,
            foot=(edge, stage.height * float(rng.uniform(0.8, 1.15))),
            angle=(-2.2 if edge else -0.9) + float(rng.normal(0, 0.2)),
            long=0.7 * stage.unit,
            tint=mix(palette.deep, greens[0], 0.3),
            lobes=False,
        )
    front.blur(0.018 * stage.unit)


def _plain_ground(scene: Scene, rng: np.random.Generator) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.0)
    high = mix(palette.horizon, palette.paper, 0.25) if not stage.is_dark else palette.zenith
    low = mix(high, palette.middle, 0.45)
    layer.fill(
        frame.everything(),
        radial(
            stage.light_x,
            stage.light_y * 0.6,
            1.05 * max(stage.width, stage.height),
            relight(mix(high, palette.glow, 0.5), lift=0.02),
            high,
            low,
        ),
    )
    if chance(rng, 0.65):
        radius = 0.40 * stage.unit
        disc = frame.disc(stage.hero_x, 0.46 * stage.height, radius)
        layer.fill(
            disc,
            linear(
                (0, 0.46 * stage.height - radius),
                (0, 0.46 * stage.height + radius),
                mix(palette.accent, palette.glow, 0.2),
                mix(palette.accent, high, 0.6),
            ),
            0.8,
        )
    paper = clouds(rng, frame.shape, cell=0.3 * stage.unit, octaves=5)
    layer.tint(frame.everything().times(paper), relight(high, lift=-0.05), 0.25)


def _broad_leaf(
    scene: Scene,
    layer: Layer,
    *,
    foot: tuple[float, float],
    angle: float,
    long: float,
    tint: Colour,
    lobes: bool,
) -> None:
    frame, palette = scene.frame, scene.palette
    stem_end = (foot[0] + math.cos(angle) * long * 0.42, foot[1] + math.sin(angle) * long * 0.42)
    stem = curve(
        points(
            foot, ((foot[0] + stem_end[0]) / 2 + long * 0.03, (foot[1] + stem_end[1]) / 2), stem_end
        ),
        closed=False,
    )
    layer.fill(frame.line(stem, 0.016 * long), relight(tint, lift=-0.08))
    blade = leaf_outline() * np.array([1.0, 1.45])
    if lobes:
        ripple = 1 - 0.34 * np.clip(np.sin(blade[:, 0] * math.pi * 7), 0, 1) ** 0.7
        blade = blade * np.stack([np.ones(len(blade)), ripple], axis=1)
    blade[:, 1] += 0.10 * blade[:, 0] ** 2
    placed = moved(blade, *stem_end, scale=long * 0.62, turn=angle)
    mask = frame.shape_of(placed)
    if mask.is_empty:
        return
    drop = frame.blurred(mask, 0.02 * long).shifted(0.012 * long, 0.03 * long)
    layer.tint(drop.outside(mask), relight(tint, lift=-0.2), 0.35)
    tip = (stem_end[0] + math.cos(angle) * long * 0.62, stem_end[1] + math.sin(angle) * long * 0.62)
    bright = relight(mix(tint, palette.glow, 0.3), lift=0.07)
    layer.fill(mask, linear(stem_end, tip, relight(tint, lift=-0.08), tint, bright))
    half = moved(
        np.concatenate([blade[: len(blade) // 2 + 1], points((0.5, 0.03))]),
        *stem_end,
        scale=long * 0.62,
        turn=angle,
    )
    layer.tint(frame.shape_of(half).inside(mask), relight(tint, lift=-0.07), 0.55)
    veins = [
        (
            moved(
                path("0,0 0.5,0.025 0.97,0.095"),
                *stem_end,
                scale=long * 0.62,
                turn=angle,
            ),
            np.array([0.010, 0.007, 0.002]) * long,
        )
    ]
    for k in range(8):
        at = 0.10 + 0.095 * k
        for side in (-1, 1):
            rib = points(
                (at, 0.1 * at**2),
                (at + 0.13, side * 0.10 + 0.1 * at**2),
                (at + 0.22, side * 0.24 + 0.1 * at**2),
            )
            veins.append(
                (
                    moved(rib, *stem_end, scale=long * 0.62, turn=angle),
                    np.array([0.004, 0.003, 0.001]) * long,
                )
            )
    layer.tint(
        frame.lines(veins).inside(mask), relight(mix(tint, palette.glow, 0.35), lift=0.08), 0.5
    )
    layer.rim(mask, scene.stage.toward_light(*stem_end), 0.010 * long, palette.glow, 0.55)


def _frond(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    foot: tuple[float, float],
    angle: float,
    long: float,
    tint: Colour,
) -> None:
    """Draw a fern or palm frond: a bent rib with leaflets on both sides."""
    frame = scene.frame
    bend = float(rng.normal(0, 0.4))
    middle = (foot[0] + math.cos(angle) * long * 0.55, foot[1] + math.sin(angle) * long * 0.55)
    end = (
        middle[0] + math.cos(angle + bend) * long * 0.5,
        middle[1] + math.sin(angle + bend) * long * 0.5,
    )
    rib = curve(points(foot, middle, end), closed=False, steps=16)
    shapes: list[Points] = []
    for place in range(7, len(rib) - 1):
        along = rib[place + 1] - rib[place]
        turn = math.atan2(along[1], along[0])
        share = (place - 6) / (len(rib) - 7)
        size = long * 0.24 * math.sin(math.pi * (0.12 + 0.86 * share)) ** 0.8
        shapes += [
            moved(
                leaf_outline() * np.array([1.0, 0.62]),
                rib[place][0],
                rib[place][1],
                scale=size,
                turn=turn + side * (1.15 - 0.5 * share),
            )
            for side in (-1, 1)
        ]
    mask = frame.shapes_of(shapes)
    layer.fill(
        mask,
        linear(
            foot,
            end,
            relight(tint, lift=-0.07),
            tint,
            relight(mix(tint, scene.palette.glow, 0.25), lift=0.06),
        ),
    )
    layer.rim(mask, scene.stage.toward_light(*middle), 0.006 * long, scene.palette.glow, 0.5)
    layer.fill(frame.line(rib, taper(len(rib), 0.014, 0.003) * long), relight(tint, lift=-0.05))


def draw_flower(scene: Scene) -> None:
    """Draw flowers on tall stems, one large in bloom, others smaller and out of focus."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("flower")
    if not stage.lands:
        _plain_ground(scene, rng)
    green = palette.stuff((0.30, 0.42, 0.28), 0.4)
    hues = [
        relight(palette.accent, lightness=0.66),
        relight(palette.second, lightness=0.62),
        relight(mix(palette.accent, palette.paper, 0.55), lightness=0.84),
    ]
    scale = {"close": 1.5, "medium": 1.0, "wide": 0.7}[stage.view]
    back = scene.layer(0.34, sway=Sway(x=0.007 * stage.unit, period_s=5.2))
    for _ in range(int(9 / scale) + 2):
        x = stage.hero_x + float(rng.normal(0, 0.24)) * stage.width
        _bloom(
            scene,
            back,
            rng,
            x=x,
            y=stage.height * float(rng.uniform(0.35, 0.85)),
            size=0.14 * scale * stage.unit * float(rng.uniform(0.6, 1.2)),
            hue=hues[int(rng.integers(3))],
            green=green,
        )
    back.blur(0.010 * stage.unit)
    front = scene.layer(
        0.60, sway=Sway(x=0.009 * stage.unit, y=0.003 * stage.unit, period_s=4.6, phase=1.0)
    )
    spots = (
        [(-0.30, 0.62, 0.20), (0.27, 0.56, 0.22), (0.02, 0.36, 0.34)]
        if stage.view != "close"
        else [(0.0, 0.46, 0.34)]
    )
    for dx, share, size in spots:
        _bloom(
            scene,
            front,
            rng,
            x=stage.hero_x + dx * stage.hero_size * 1.15,
            y=share * stage.height,
            size=size * scale * stage.unit,
            hue=hues[0 if dx == spots[-1][0] else int(rng.integers(3))],
            green=green,
        )


def _bloom(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    x: float,
    y: float,
    size: float,
    hue: Colour,
    green: Colour,
) -> None:
    frame, palette, stage = scene.frame, scene.palette, scene.stage
    foot = (x + float(rng.normal(0, 0.25)) * size, frame.bottom + 9)
    stem = curve(
        points(foot, ((x + foot[0]) / 2 + 0.15 * size, (y + foot[1]) / 2), (x, y)),
        closed=False,
        steps=14,
    )
    layer.fill(
        frame.line(stem, 0.045 * size),
        linear((0, y), (0, foot[1]), green, relight(green, lift=-0.12)),
    )
    for place in (0.35, 0.55):
        at = stem[int(len(stem) * place)]
        turn = -math.pi / 2 + float(rng.choice([-1, 1])) * float(rng.uniform(0.5, 0.9))
        leaf = frame.shape_of(
            moved(
                leaf_outline() * np.array([1.0, 0.8]),
                float(at[0]),
                float(at[1]),
                scale=0.75 * size,
                turn=turn,
            )
        )
        layer.fill(
            leaf,
            linear(
                (0, float(at[1]) - size),
                (0, float(at[1])),
                relight(green, lift=0.08),
                relight(green, lift=-0.06),
            ),
        )
        layer.rim(leaf, stage.toward_light(x, y), 0.012 * size, palette.glow, 0.4)
    petals = int(rng.choice([6, 8, 12]))
    rings = 3
    tilt = 0.80
    for ring in range(rings):
        radius = size * (0.62 - 0.15 * ring)
        tone = relight(mix(hue, palette.glow, 0.14 * ring), lift=0.035 * ring)
        for k in range(petals):
            angle = math.tau * (k + 0.5 * ring) / petals + float(rng.normal(0, 0.05))
            blade = leaf_outline() * np.array([1.0, 10.0 / petals])
            shape = moved(blade, 0, 0, scale=radius, turn=angle) * np.array([1.0, tilt]) + np.array(
                [x, y]
            )
            mask = frame.shape_of(shape)
            drop = frame.blurred(mask, 0.02 * size).shifted(0.0, 0.03 * size)
            layer.tint(drop.outside(mask), relight(hue, lift=-0.2), 0.30)
            layer.fill(
                mask,
                radial(
                    x,
                    y,
                    radius,
                    relight(tone, lift=-0.16, chroma=1.15),
                    tone,
                    relight(mix(tone, palette.paper, 0.25), lift=0.03),
                ),
            )
            layer.rim(mask, stage.toward_light(x, y), 0.012 * size, palette.glow, 0.35)
    heart = relight(palette.stuff((0.80, 0.58, 0.18), 0.2), lightness=0.62)
    layer.fill(
        frame.disc(x, y, 0.15 * size, squash=tilt),
        radial(
            x, y - 0.03 * size, 0.17 * size, relight(heart, lift=0.1), relight(heart, lift=-0.14)
        ),
    )
    seeds = [
        circle(
            x + math.cos(k * 2.4) * 0.014 * size * math.sqrt(k) * 1.6,
            y + math.sin(k * 2.4) * 0.014 * size * math.sqrt(k) * 1.6 * tilt,
            0.010 * size,
        )
        for k in range(40)
    ]
    layer.tint(frame.shapes_of(seeds), relight(heart, lift=-0.2), 0.6)
    _ = arc
