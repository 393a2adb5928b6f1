"""Rows of firs in mist."""

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix
from infra.providers.local.pictures.geometry import Points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.fields import ground_under
from infra.providers.local.pictures.motifs.foregrounds import draw_meadow
from infra.providers.local.pictures.motifs.skies import haze
from infra.providers.local.pictures.noise import ridge
from infra.providers.local.pictures.scene import Scene

_BEFORE_THE_SUBJECT = 0.7


def draw_forest(scene: Scene) -> None:
    """Draw rows of firs that sink into mist."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("forest")
    rows = 5
    for number in range(rows):
        share = number / (rows - 1)
        layer = scene.layer(0.12 + 0.40 * share)
        y = stage.horizon + (share**1.3) * 0.42 * (stage.height - stage.horizon)
        tall = (0.10 + 0.30 * share**1.2) * stage.height
        if stage.view == "wide":
            tall *= 0.75
        tint = mix(palette.far, palette.middle, min(1.5 * share, 1))
        tint = mix(tint, palette.near, max(2 * share - 1, 0))
        tint = mix(tint, palette.horizon, 0.5 * (1 - share) ** 1.3)
        _firs(scene, layer, rng, y=y, tall=tall, tint=tint, share=share)
        if share < 1:
            haze(scene, layer, y + 0.02 * stage.height, 0.085 * stage.height, 0.42)
    draw_meadow(scene, depth=0.55, y=stage.horizon + 0.62 * (stage.height - stage.horizon))


def _firs(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    y: float,
    tall: float,
    tint: Colour,
    share: float,
) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    xs = np.linspace(frame.left - 9, frame.right + 9, 60)
    line = y - 0.02 * stage.height * ridge(rng, xs, cell=0.6 * stage.unit, octaves=2, gain=0.4)
    trees: list[Points] = []
    x = frame.left - tall * 0.3
    while x < frame.right + tall * 0.3:
        gap = abs(x - stage.hero_x) / max(stage.hero_size, 1)
        shrink = (
            1.0
            if share < _BEFORE_THE_SUBJECT or not stage.subjects
            else min(0.18 + gap * 0.75, 1.0)
        )
        size = tall * float(rng.uniform(0.55, 1.15)) * shrink
        trees.append(_fir(rng, x, float(np.interp(x, xs, line)) + 0.02 * tall, size))
        x += tall * float(rng.uniform(0.10, 0.30))
    mass = frame.shapes_of([*trees, ground_under(scene, xs, line)])
    low = mix(tint, palette.deep, 0.25 * share)
    layer.fill(mass, linear((0, y - tall), (0, y + 0.15 * stage.height), tint, low))
    layer.rim(
        mass, stage.toward_light(stage.hero_x, y - tall), 0.006 * stage.unit, palette.glow, 0.22
    )


def _fir(rng: np.random.Generator, x: float, y: float, tall: float) -> Points:
    tiers = 7
    width = tall * float(rng.uniform(0.15, 0.21))
    left, right = [(x, y - tall)], []
    for tier in range(1, tiers + 1):
        share = tier / tiers
        reach = width * share**0.9 * float(rng.uniform(0.8, 1.12))
        level = y - tall * (1 - share * 0.94)
        left.append((x - reach, level + tall * 0.012))
        left.append((x - reach * 0.55, level - tall * 0.004))
        right.append((x + reach * float(rng.uniform(0.85, 1.1)), level + tall * 0.012))
        right.append((x + reach * 0.55, level - tall * 0.004))
    trunk = [
        (x - width * 0.10, y - tall * 0.06),
        (x - width * 0.10, y),
        (x + width * 0.10, y),
        (x + width * 0.10, y - tall * 0.06),
    ]
    return np.array(left + trunk + right[::-1])
