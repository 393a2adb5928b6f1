"""Open water under the light."""

import math

import numpy as np

from infra.providers.local.pictures.colour import mix
from infra.providers.local.pictures.geometry import level, swollen
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
    tall = (0.004 + 0.030 * share) * stage.height
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


def _shine(scene: Scene, layer: Layer, rng: np.random.Generator) -> None:
    """Lay the path of light on the water below the sun or moon."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    strokes: list[Stroke] = []
    depth = stage.height - stage.horizon
    count = 260 if stage.hour != "grey" else 90
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
