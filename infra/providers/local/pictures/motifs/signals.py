"""What cannot be seen: sound as swinging strings, networks as joined lights."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import (
    Points,
    circle,
    points,
)
from infra.providers.local.pictures.layer import radial
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene, Sway


def draw_backdrop(scene: Scene, rng: np.random.Generator, *, dark: bool) -> None:
    """Fill the frame with a soft field of light and two washes of colour."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.0)
    if dark:
        low, high = (
            relight(palette.tone(0.0), lightness=0.12),
            relight(palette.tone(0.22), lightness=0.26),
        )
    else:
        low, high = (
            mix(palette.paper, palette.tone(0.8), 0.55),
            mix(palette.paper, palette.glow, 0.4),
        )
    layer.fill(
        frame.everything(),
        radial(
            stage.hero_x,
            0.45 * stage.height,
            0.9 * max(stage.width, stage.height),
            high,
            mix(high, low, 0.6),
            low,
        ),
    )
    for hue in (palette.accent, palette.second):
        gx, gy = float(rng.uniform(0, stage.width)), float(rng.uniform(0, stage.height))
        layer.light(frame.glow(gx, gy, 0.9 * stage.unit, power=2.0), hue, 0.35 if dark else 0.0)
        layer.fill(
            frame.glow(gx, gy, 0.9 * stage.unit, power=2.0),
            mix(hue, high, 0.4),
            0.0 if dark else 0.35,
        )


def draw_sound(scene: Scene) -> None:
    """Draw sound: many fine strings that swing together, with a glow where they are loud."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("sound")
    dark = stage.hour in {"night", "dusk"} or chance(rng, 0.5)
    draw_backdrop(scene, rng, dark=dark)
    middle = {"top": 0.68, "bottom": 0.34}.get(stage.side, 0.5) * stage.height
    xs = np.linspace(frame.left - 5, frame.right + 5, 260)
    swell = np.exp(-(((xs - stage.hero_x) / (0.30 * stage.width)) ** 2))
    phase = [float(part) for part in rng.uniform(0, math.tau, 4)]
    ends: list[Colour] = [palette.accent, mix(palette.accent, palette.glow, 0.6), palette.second]
    for group in range(3):
        layer = scene.layer(
            0.25 + 0.22 * group,
            sway=Sway(
                x=0.03 * stage.unit, y=0.006 * stage.unit, period_s=4.0 + group, phase=group * 1.7
            ),
        )
        count = 15
        for number in range(count):
            share = number / (count - 1)
            wave = (
                np.sin(xs / stage.unit * (6.5 + group) + phase[group] + share * 1.5) * 0.55
                + np.sin(xs / stage.unit * (13.0 - 2 * group) + phase[3] + share * 2.4) * 0.30
            )
            tall = (
                stage.unit
                * (0.30 - 0.06 * group)
                * {"close": 1.3, "medium": 1.0, "wide": 0.75}[stage.view]
            )
            line = np.stack(
                [
                    xs,
                    middle
                    + wave * tall * swell * (0.35 + 0.65 * share)
                    + (share - 0.5) * 0.05 * stage.unit,
                ],
                axis=1,
            )
            colour = mix(ends[group], palette.paper if dark else palette.ink, 0.5 * (1 - share))
            layer.fill(
                frame.line(line, stage.unit * (0.0014 + 0.0016 * share)), colour, 0.35 + 0.5 * share
            )
        if dark:
            layer.light(
                frame.glow(stage.hero_x, middle, 0.4 * stage.unit, power=2), palette.glow, 0.12
            )
    _dots(scene, rng, middle=middle, dark=dark)


def _dots(scene: Scene, rng: np.random.Generator, *, middle: float, dark: bool) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.85, sway=Sway(x=0.01 * stage.unit, y=0.02 * stage.unit, period_s=3.6))
    shapes: list[Points] = []
    for _ in range(40):
        x = stage.hero_x + float(rng.normal(0, 0.16)) * stage.width
        y = middle + float(rng.normal(0, 0.17)) * stage.unit
        shapes.append(circle(x, y, stage.unit * float(rng.uniform(0.002, 0.008))))
    layer.fill(frame.shapes_of(shapes), palette.glow if dark else palette.accent, 0.85)


def draw_network(scene: Scene) -> None:
    """Draw points of light joined by fine lines, near ones large and far ones dim."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("network")
    draw_backdrop(scene, rng, dark=True)
    for number, (count, depth, bright) in enumerate(
        ((46, 0.22, 0.35), (34, 0.48, 0.75), (16, 0.78, 1.0))
    ):
        layer = scene.layer(
            depth,
            sway=Sway(
                x=0.008 * stage.unit * (1 + number),
                y=0.006 * stage.unit,
                period_s=6.0 + number,
                phase=2.0 * number,
            ),
        )
        spread = {"close": 0.34, "medium": 0.26, "wide": 0.20}[stage.view]
        xs = np.clip(rng.normal(stage.hero_x, spread * stage.width, count), frame.left, frame.right)
        ys = rng.normal(0.5, 0.25, count) * stage.height
        lines: list[Stroke] = []
        for a in range(count):
            gaps = np.hypot(xs - xs[a], ys - ys[a])
            lines += [
                (
                    points((float(xs[a]), float(ys[a])), (float(xs[b]), float(ys[b]))),
                    stage.unit * 0.0009 * (1 + number),
                )
                for b in np.argsort(gaps)[1:4].tolist()
                if gaps[b] < 0.34 * stage.unit
            ]
        hue = mix(palette.accent, palette.glow, 0.4 * number / 2)
        layer.fill(frame.lines(lines), mix(hue, palette.second, 0.3), 0.40 * bright)
        sizes = stage.unit * (0.003 + 0.0028 * number) * rng.uniform(0.6, 2.2, count)
        for x, y, size in zip(xs.tolist(), ys.tolist(), sizes.tolist(), strict=True):
            layer.fill(frame.glow(x, y, size * 5, power=2.4), hue, 0.55 * bright)
        layer.fill(
            frame.shapes_of(
                [
                    circle(x, y, size)
                    for x, y, size in zip(xs.tolist(), ys.tolist(), sizes.tolist(), strict=True)
                ]
            ),
            mix(hue, palette.paper, 0.45),
            bright,
        )
        if number > 1:
            layer.blur(0.0025 * stage.unit)
