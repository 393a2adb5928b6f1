"""What water gives back of the things above it."""

import numpy as np

from infra.providers.local.pictures.colour import mix
from infra.providers.local.pictures.geometry import points
from infra.providers.local.pictures.layer import Layer
from infra.providers.local.pictures.noise import clouds
from infra.providers.local.pictures.raster import Patch, Stroke
from infra.providers.local.pictures.scene import Scene, Sway


def lay_mirror(scene: Scene, layer: Layer, *, x: float, y: float, size: float) -> None:
    """Lay the broken mirror image of what stands above y in the layer, and foam at its foot."""
    stage, frame, palette = scene.stage, scene.frame, scene.palette
    top = round(y)
    rows = min(frame.shape[0] - top, int(0.62 * size), top)
    if rows <= 0:
        return
    wobble = np.round(
        np.sin(np.arange(rows) / (0.016 * stage.unit)) * np.linspace(1, 12, rows) * stage.unit / 720
    ).astype(int)
    columns = np.clip(np.arange(frame.shape[1])[None, :] + wobble[:, None], 0, frame.shape[1] - 1)
    cover = np.take_along_axis(layer.cover[top - rows : top][::-1], columns, axis=1)
    colour = np.stack(
        [
            np.take_along_axis(plane[top - rows : top][::-1], columns, axis=1)
            for plane in layer.colour
        ]
    )
    gaps = 0.55 + 0.45 * np.sin(np.arange(rows) / (0.0085 * stage.unit) + 1.0)
    fade = (np.linspace(0.62, 0.0, rows) * gaps).astype(np.float32)[:, None]
    patch = Patch(0, round(y), (cover * fade).astype(np.float32))
    safe = np.maximum(cover, 1e-3)
    image = colour / safe
    below = scene.layer(0.55, sway=Sway(x=0.003 * stage.unit, period_s=2.6))
    below.fill(patch, lambda _xs, _ys: image)
    foam: list[Stroke] = []
    for number in range(9):
        fx = x + size * (0.34 * float(scene.rng("foam", number).normal()))
        fy = y + size * 0.02
        foam.append((points((fx - 0.05 * size, fy), (fx + 0.05 * size, fy)), 0.006 * size))
    below.fill(frame.lines(foam), mix(palette.glow, palette.paper, 0.4), 0.6)


def lay_mirrored_land(
    scene: Scene, layer: Layer, rng: np.random.Generator, *, shore: float, ripple: float
) -> Patch:
    """Fill everything below the shore with what is above it, upside down and rippled.

    Args:
        scene: with the land and the sky already drawn.
        layer: to paint the water into.
        rng: for the ripples.
        shore: the y of the waterline.
        ripple: how far the nearest rows are pushed aside, in 720ths of the picture's shorter side.

    Returns:
        The water, to be tinted.
    """
    stage, frame = scene.stage, scene.frame
    behind = scene.flattened()
    top = round(shore)
    rows = frame.shape[0] - top
    mirrored = behind[:, max(top - rows, 0) : top][:, ::-1]
    if mirrored.shape[1] < rows:
        mirrored = np.pad(mirrored, ((0, 0), (0, rows - mirrored.shape[1]), (0, 0)), mode="edge")
    wobble = clouds(rng, (rows, 1), cell=stage.unit * 0.014, octaves=3)[:, 0] - 0.5
    reach = np.linspace(1.5, ripple, rows) * wobble * stage.unit / 720
    columns = (np.arange(frame.shape[1])[None, :] + reach[:, None]).astype(int)
    columns = np.clip(columns, 0, frame.shape[1] - 1)
    shifted = np.take_along_axis(mirrored, np.broadcast_to(columns, mirrored.shape), axis=2)
    water = frame.below(shore)
    layer.fill(water, lambda _xs, _ys: shifted)
    return water
