"""Open water under the light."""

import math

import numpy as np
from numpy.typing import NDArray

from infra.providers.local.pictures.colour import mix
from infra.providers.local.pictures.geometry import Points, circle, level, points, swollen
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.fields import ground_under
from infra.providers.local.pictures.noise import ridge
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene, Sway


def draw_sea(scene: Scene) -> None:
    """Draw open water under the light: a far shine, running swell and foam near the eye."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("sea")
    water = scene.layer(0.10)
    deep = mix(palette.near, palette.deep, 0.35)
    far = mix(palette.middle, palette.horizon, 0.5)
    water.fill(
        frame.below(stage.horizon),
        linear((0, stage.horizon), (0, stage.height), far, palette.middle, palette.near, deep),
    )
    _shine(scene, water, rng)
    bands = 7
    for number in range(bands):
        share = number / (bands - 1)
        y = stage.horizon + (0.05 + 0.95 * share**1.6) * (stage.height - stage.horizon) * 0.97
        swing = stage.unit * (0.004 + 0.012 * share)
        sway = Sway(x=swing, y=swing * 0.45, period_s=3.6 + 1.2 * share, phase=1.3 * number)
        layer = scene.layer(0.14 + 0.50 * share, sway=sway)
        _swell(scene, layer, rng, y=y, share=share)


def _swell(scene: Scene, layer: Layer, rng: np.random.Generator, *, y: float, share: float) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    xs = np.linspace(frame.left - 9, frame.right + 9, 260)
    tall = (0.004 + 0.030 * share) * stage.height * _roughness(scene)
    cell = (0.10 + 0.42 * share) * stage.unit
    form = ridge(rng, xs, cell=cell, octaves=2, gain=0.35)
    line = y - tall * (np.abs(form) ** 0.8 * np.sign(form))
    tint = mix(mix(palette.middle, palette.horizon, 0.35), palette.near, share**0.8)
    tint = mix(tint, palette.deep, 0.35 * share)
    thick = (0.03 + 0.16 * share) * stage.height
    mass = frame.shape_of(ground_under(scene, xs, line))

    def fade(_xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
        return np.clip(1 - (ys - y) / thick, 0, 1)

    mass = mass.faded(fade) if share < 1 else mass
    crest = mix(tint, palette.horizon, 0.42)
    layer.fill(mass, linear((0, y - tall), (0, y + thick), crest, tint, tint), 0.85)
    strokes: list[Stroke] = []
    for _ in range(int(10 + 16 * (1 - share))):
        middle = float(rng.uniform(frame.left, frame.right))
        span = cell * float(rng.uniform(0.3, 1.1))
        part = np.linspace(middle - span / 2, middle + span / 2, 16)
        lower = float(rng.uniform(0, 1.0)) ** 2 * thick * 0.55
        along = np.stack([part, np.interp(part, xs, line) + lower], axis=1)
        strokes.append(
            (along, stage.unit * 0.0055 * (0.15 + share) * np.sin(np.linspace(0, math.pi, 16)))
        )
    near_light = mix(palette.glow, palette.horizon, 0.3)
    layer.tint(frame.lines(strokes), near_light, 0.5)
    if _roughness(scene) > 1:
        _crests(scene, layer, rng, xs=xs, line=line, share=share)


def _roughness(scene: Scene) -> float:
    """Return how high the swell goes: 1 on a calm day."""
    skies = set(scene.stage.skies)
    return 3.4 if "storm" in skies else 1.7 if "wind" in skies else 1.0


def _crests(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    xs: NDArray[np.float64],
    line: NDArray[np.float64],
    share: float,
) -> None:
    """Let the high crests break: white heads, torn streaks of foam down their backs, spray."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    storm = "storm" in stage.skies
    white = mix(palette.paper, palette.horizon, 0.55 if stage.is_dark else 0.15)
    limit = float(np.percentile(line, 38 if storm else 14))
    heads: list[Stroke] = []
    streaks: list[Stroke] = []
    spray: list[Points] = []
    size = stage.unit * (0.004 + 0.018 * share)
    peaks = np.flatnonzero(line < limit)
    for index in rng.choice(peaks, min(len(peaks), 46 if storm else 14), replace=False).tolist():
        x, y = float(xs[index]), float(line[index])
        span = size * float(rng.uniform(1.2, 3.4))
        part = np.linspace(x - span, x + span, 12)
        over = np.interp(part, xs, line) + size * 0.25 * rng.normal(0, 0.4, 12)
        heads.append(
            (np.stack([part, over], axis=1), swollen(12, size * float(rng.uniform(0.4, 1.0))))
        )
        for _ in range(2):
            fall = size * float(rng.uniform(1.5, 5.0))
            sx = x + float(rng.normal(0, 1)) * span
            sy = float(np.interp(sx, xs, line))
            streaks.append(
                (
                    points((sx, sy), (sx + fall * 0.8, sy + fall * 0.55)),
                    np.array([size * 0.22, 0.4]),
                )
            )
        if storm:
            spray += [
                circle(
                    x + size * float(rng.normal(1.0, 1.4)),
                    y - abs(float(rng.normal(0, 1.3))) * size,
                    size * float(rng.uniform(0.03, 0.12)),
                )
                for _ in range(5)
            ]
    layer.fill(frame.lines(streaks), white, 0.30)
    layer.fill(frame.lines(heads), white, 0.80)
    layer.fill(frame.shapes_of(spray), white, 0.6)


def _shine(scene: Scene, layer: Layer, rng: np.random.Generator) -> None:
    """Lay the path of light on the water below the sun or moon."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    strokes: list[Stroke] = []
    depth = stage.height - stage.horizon
    count = 260 if stage.hour != "grey" else 90
    count = 0 if "storm" in stage.skies else count
    for chosen in rng.random(count):
        place = float(chosen) ** 1.7
        y = stage.horizon + (0.008 + 0.99 * place) * depth
        spread = stage.unit * (0.04 + 0.20 * place) * (1.7 if stage.hour == "grey" else 1.0)
        x = stage.light_x + float(rng.normal(0, 1)) * spread * 0.6
        span = stage.unit * (0.006 + 0.055 * place) * float(rng.uniform(0.4, 1.5))
        thick = stage.unit * (0.0009 + 0.0055 * place)
        along = level(x, y, span, 9)
        strokes.append((along, swollen(9, thick)))
    strength = {"dusk": 0.9, "dawn": 0.85, "night": 0.7, "day": 0.55, "grey": 0.25}[stage.hour]
    glint = mix(palette.glow, palette.accent, 0.18 if stage.is_dark else 0.0)
    layer.light(frame.glow(stage.light_x, stage.horizon, 0.6 * stage.unit, power=2), glint, 0.35)
    layer.tint(frame.lines(strokes), glint, strength)
