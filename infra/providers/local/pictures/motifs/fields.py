"""Rolling hills with fields and copses, and the line under which all is ground."""

import numpy as np
from numpy.typing import NDArray

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, circle, curve, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.foregrounds import draw_meadow
from infra.providers.local.pictures.noise import chance, ridge
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene

_BEFORE_THE_SUBJECT = 0.6


def ground_under(scene: Scene, xs: NDArray[np.float64], line: NDArray[np.float64]) -> Points:
    """Return everything below a line that runs from edge to edge."""
    frame = scene.frame
    return np.concatenate(
        [
            np.stack([xs, line], axis=1),
            points((frame.right + 9, frame.bottom + 9), (frame.left - 9, frame.bottom + 9)),
        ]
    )


def draw_hills(scene: Scene) -> None:
    """Draw rolling fields with hedges, single trees and furrows."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("hills")
    count = 5
    for number in range(count):
        share = number / (count - 1)
        y = (
            stage.horizon
            + (share**1.5) * 0.30 * (stage.height - stage.horizon)
            + 0.01 * stage.height
        )
        y -= (1 - share) * 0.07 * stage.height
        layer = scene.layer(0.12 + 0.30 * share)
        xs = np.linspace(frame.left - 5, frame.right + 5, 120)
        swell = (0.075 - 0.025 * share) * stage.height
        cell = (0.55 + 0.5 * share) * stage.unit
        line = y - swell * ridge(rng, xs, cell=cell, octaves=2, gain=0.28)
        mass = frame.shape_of(ground_under(scene, xs, line))
        tint = mix(palette.far, palette.middle, min(share * 1.8, 1))
        tint = mix(tint, palette.near, max(share * 1.6 - 0.6, 0))
        tint = mix(tint, palette.horizon, 0.40 * (1 - share))
        top = float(line.min())
        light = mix(tint, palette.glow, 0.26)
        layer.fill(
            mass,
            linear(
                (0, top), (0, top + 0.22 * stage.height), light, tint, relight(tint, lift=-0.05)
            ),
        )
        layer.rim(mass, stage.toward_light(stage.hero_x, y), 0.008 * stage.unit, palette.glow, 0.30)
        if number in (1, 2, 3):
            _furrows(scene, layer, rng, xs=xs, line=line, tint=tint)
        _copse(scene, layer, rng, xs=xs, line=line, tint=tint, share=share)
    draw_meadow(scene, depth=0.46, y=stage.horizon + 0.52 * (stage.height - stage.horizon))


def _furrows(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    xs: NDArray[np.float64],
    line: NDArray[np.float64],
    tint: Colour,
) -> None:
    """Draw the plough lines of one field on a hill."""
    stage, frame = scene.stage, scene.frame
    start = int(rng.integers(0, len(xs) - 50))
    field = slice(start, start + int(rng.integers(25, 50)))
    strokes: list[Stroke] = []
    for row in range(1, 9):
        drop = row**1.35 * 0.0075 * stage.height
        bend = np.stack([xs[field] + row * 0.02 * stage.unit, line[field] + drop], axis=1)
        strokes.append((bend, 0.0012 * stage.unit * (1 + 0.35 * row)))
    layer.tint(frame.lines(strokes), relight(tint, lift=-0.05), 0.5)


def _copse(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    xs: NDArray[np.float64],
    line: NDArray[np.float64],
    tint: Colour,
    share: float,
) -> None:
    """Set small round or pointed trees along the hill."""
    stage, frame, palette = scene.stage, scene.frame, scene.palette
    size = (0.010 + 0.030 * share) * stage.unit
    crowns: list[Points] = []
    shadows: list[Points] = []
    groups = rng.uniform(frame.left, frame.right, int(rng.integers(2, 5)))
    for group in groups:
        for _ in range(int(rng.integers(1, 6))):
            x = float(group + rng.normal(0, size * 3.2))
            if abs(x - stage.hero_x) < 0.5 * stage.hero_size and share > _BEFORE_THE_SUBJECT:
                continue
            y = float(np.interp(x, xs, line)) + size * float(rng.uniform(0.1, 1.2))
            tall = size * float(rng.uniform(0.8, 1.6))
            crowns.append(_crown(rng, x, y, tall))
            shadows.append(circle(x + tall * 0.3, y, tall * 0.55, squash=0.22))
    dark = mix(palette.deep, tint, 0.35 + 0.25 * (1 - share))
    layer.tint(frame.shapes_of(shadows), dark, 0.3)
    trees = frame.shapes_of(crowns)
    layer.fill(trees, dark)
    layer.rim(
        trees, stage.toward_light(stage.hero_x, stage.horizon), size * 0.18, palette.glow, 0.5
    )


def _crown(rng: np.random.Generator, x: float, y: float, tall: float) -> Points:
    if chance(rng, 0.35):
        return curve(
            points(
                (x - tall * 0.22, y),
                (x - tall * 0.2, y - tall),
                (x, y - tall * 1.9),
                (x + tall * 0.2, y - tall),
                (x + tall * 0.22, y),
            ),
            closed=True,
            steps=5,
        )
    return circle(x, y - tall * 0.62, tall * 0.66, squash=1.05)
