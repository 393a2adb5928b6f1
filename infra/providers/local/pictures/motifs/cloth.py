"""Cloth in folds."""

import math

import numpy as np

from infra.providers.local.pictures.colour import mix, relight
from infra.providers.local.pictures.layer import Layer, toned
from infra.providers.local.pictures.noise import Field, chance, clouds
from infra.providers.local.pictures.scene import Scene


def draw_fabric(scene: Scene) -> None:
    """Draw cloth that falls in folds over the picture, with its weave and a woven border."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("fabric")
    layer = scene.layer(0.5)
    base = relight(palette.accent if chance(rng, 0.6) else palette.second, lightness=0.55)
    if stage.hour == "night":
        base = relight(base, lift=-0.16)
    lean = float(rng.uniform(0.25, 0.7)) * float(rng.choice([-1, 1]))
    folds = {"close": 3.2, "medium": 5.0, "wide": 8.0}[stage.view]
    warp = clouds(rng, frame.shape, cell=0.5 * stage.unit, octaves=3)
    patch = frame.everything()

    def height(xs: Field, ys: Field) -> Field:
        along = (xs + lean * ys) / stage.width * folds * math.tau
        bend = along + 3.4 * warp + 0.8 * np.sin(ys / stage.height * 3.0)
        return 0.5 + 0.5 * np.sin(bend) * (0.75 + 0.25 * np.sin(bend * 0.5 + 1.0))

    xs, ys = patch.grid()
    level = height(xs, ys)
    slope = np.gradient(level, axis=1) * stage.unit / folds * 0.55
    side = 1 if stage.light_x > stage.width / 2 else -1
    light = np.clip(0.52 - side * slope * 0.42 + (level - 0.5) * 0.30, 0, 1)
    light *= 0.72 + 0.28 * np.clip(
        1.3 - np.hypot(xs - stage.light_x, ys - stage.light_y) / stage.width, 0, 1
    )
    dark, bright = (
        mix(relight(base, lift=-0.28), palette.deep, 0.3),
        relight(mix(base, palette.glow, 0.35), lift=0.12),
    )
    layer.fill(patch, toned(lambda _x, _y: light, dark, base, bright))
    _weave(scene, layer, level, light, lean=lean)
    _border(scene, layer, level, light, lean=lean)


def _weave(scene: Scene, layer: Layer, level: Field, light: Field, *, lean: float) -> None:
    patch, unit = scene.frame.everything(), scene.unit
    xs, ys = patch.grid()
    step = max(unit * 0.0062, 3.0)
    bend = level * unit * 0.03
    threads = (
        0.5
        + 0.25 * np.sin((xs + lean * ys + bend) / step * math.tau)
        + 0.25 * np.sin((ys - lean * 0.2 * xs + bend) / step * math.tau)
    )
    layer.tint(
        patch.times(np.clip(threads - 0.5, 0, 1) * (0.3 + 0.7 * light)), scene.palette.paper, 0.16
    )
    layer.tint(patch.times(np.clip(0.5 - threads, 0, 1)), scene.palette.deep, 0.22)


def _border(scene: Scene, layer: Layer, level: Field, light: Field, *, lean: float) -> None:
    stage, palette = scene.stage, scene.palette
    patch = scene.frame.everything()
    xs, ys = patch.grid()
    place = (ys - lean * 0.2 * xs + level * 0.05 * stage.unit) / stage.unit
    middle = (stage.hero_y / stage.unit) * 0.86
    along = (xs + lean * ys) / stage.unit
    motif = np.abs(((along * 9) % 1) - 0.5) * 2
    diamond = np.clip(
        (0.035 * (1 - motif) + 0.006 - np.abs(place - middle)) * stage.unit * 0.5, 0, 1
    )
    lines = sum(
        np.clip((0.004 - np.abs(place - middle - shift)) * stage.unit * 0.6, 0, 1)
        for shift in (-0.062, -0.05, 0.05, 0.062)
    )
    woven = np.clip(diamond + lines, 0, 1) * (0.45 + 0.55 * light)
    layer.tint(
        patch.times(np.asarray(woven, dtype=np.float32)), relight(palette.paper, lift=-0.03), 0.8
    )
