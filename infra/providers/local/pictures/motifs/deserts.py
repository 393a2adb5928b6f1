"""Dunes with sharp crests."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.fields import ground_under
from infra.providers.local.pictures.noise import clouds, ridge
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene


def draw_desert(scene: Scene) -> None:
    """Draw dunes with sharp crests, one side in light and one in shade."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("desert")
    toward = 1 if stage.light_x > stage.width / 2 else -1
    count = 5
    for number in range(count):
        share = number / (count - 1)
        layer = scene.layer(0.12 + 0.34 * share)
        y = stage.horizon + share**1.4 * 0.42 * (stage.height - stage.horizon)
        tint = mix(palette.far, palette.middle, min(1.6 * share, 1))
        tint = mix(
            mix(tint, palette.near, max(1.5 * share - 0.75, 0)), palette.horizon, 0.45 * (1 - share)
        )
        light = relight(mix(tint, palette.glow, 0.42), lift=0.02)
        dark = relight(mix(tint, palette.deep, 0.34), lift=-0.02)
        xs = np.linspace(frame.left - 9, frame.right + 9, 200)
        swell = (0.05 + 0.075 * share) * stage.height
        line = y - swell * ridge(
            rng, xs, cell=(0.75 + 0.7 * share) * stage.unit, octaves=1, gain=0.2
        )
        mass = frame.shape_of(ground_under(scene, xs, line))
        top = float(line.min())
        layer.fill(mass, linear((0, top), (0, top + 0.30 * stage.height), light, tint, tint))
        for place in _crests(line):
            shade = _slip_face(rng, xs, line, place=place, toward=toward, tall=swell * 2.4)
            clipped = frame.shape_of(shade).inside(mass).faded(_sinking(line[place], swell * 2.4))
            layer.tint(
                clipped, linear((0, line[place]), (0, line[place] + swell * 2.6), dark, tint), 0.85
            )
        _ripples(scene, layer, rng, y=y, share=share, tint=tint)
        grit = clouds(rng, frame.shape, cell=0.006 * stage.unit + 1.5, octaves=2)
        layer.tint(frame.everything().times(grit), relight(tint, lift=0.05), 0.10)


def _crests(line: NDArray[np.float64]) -> list[int]:
    inner = line[2:-2]
    peaks = (inner < line[1:-3]) & (inner <= line[3:-1])
    return [int(index) + 2 for index in np.flatnonzero(peaks)]


def _sinking(top: float, tall: float) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Return a strength that is full at the top and gone `tall` pixels below."""

    def strength(_xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
        return np.clip(1 - (ys - top) / tall, 0, 1) ** 0.6

    return strength


def _slip_face(
    rng: np.random.Generator,
    xs: NDArray[np.float64],
    line: NDArray[np.float64],
    *,
    place: int,
    toward: int,
    tall: float,
) -> Points:
    """Return the side of a dune that lies in its own shade, behind a winding crest."""
    step = -toward
    last = place
    while 0 <= last + step < len(line) and line[last + step] >= line[last] - 1e-9:
        last += step
    crest = [(xs[k], line[k] - 1) for k in range(place, last + step, step)]
    x0, y0 = xs[place], line[place]
    reach = max(abs(xs[last] - x0), 1.0)
    bend = float(rng.uniform(0.10, 0.24)) * reach * step
    spine = [
        (x0 + bend * math.sin(t * 3.0) + step * reach * 0.62 * t**1.5, y0 + tall * t**0.9)
        for t in np.linspace(1, 0, 18)
    ]
    return np.array([*crest, (xs[last] + step * 4, y0 + tall), *spine])


def _ripples(
    scene: Scene, layer: Layer, rng: np.random.Generator, *, y: float, share: float, tint: Colour
) -> None:
    stage, frame = scene.stage, scene.frame
    strokes: list[Stroke] = []
    for row in range(int(4 + 10 * share)):
        base = y + (0.05 + 0.026 * row * (0.4 + share)) * stage.height
        xs = np.linspace(0, 1, 26)
        start = float(rng.uniform(frame.left, frame.right - 0.3 * stage.width))
        span = float(rng.uniform(0.18, 0.5)) * stage.width
        wave = 0.008 * stage.height * np.sin(xs * rng.uniform(4, 9) + rng.uniform(0, 6))
        along = np.stack([start + xs * span, base + wave], axis=1)
        strokes.append((along, 0.0025 * stage.unit * share * np.sin(xs * math.pi) + 0.2))
    layer.tint(frame.lines(strokes), relight(tint, lift=0.06), 0.35)
