"""Ground that carries something: a rise in the land or a rock in the sea."""

import numpy as np

from infra.providers.local.pictures.colour import mix
from infra.providers.local.pictures.geometry import Points, moved, path, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.noise import chance, ridge
from infra.providers.local.pictures.raster import Patch
from infra.providers.local.pictures.scene import Scene


def lay_mound(scene: Scene, layer: Layer, *, x: float, y: float, wide: float, rocky: bool) -> Patch:
    """Paint a hill or a rock that carries something at (x, y); return its mask."""
    frame, palette, stage = scene.frame, scene.palette, scene.stage
    rng = scene.rng("mound")
    xs = np.linspace(min(x - wide * 2.2, frame.left - 9), max(x + wide * 2.2, frame.right + 9), 220)
    away = np.abs(xs - x) / wide
    rough = ridge(rng, xs, cell=wide * 0.28, octaves=4 if rocky else 2, gain=0.5)
    if rocky:
        fall = 0.30 * away**1.7 + 0.10 * np.clip(away - 0.75, 0, None) * 3
        line = y + wide * (fall + 0.045 * rough * np.minimum(away * 3 + 0.15, 1))
    else:
        # A rise in wide ground: it sinks away on both sides and then runs on level.
        fall = 0.30 * (1 - np.exp(-((away / 1.25) ** 2)))
        line = y + wide * (fall + 0.012 * rough * np.minimum(away * 3 + 0.1, 1))
    body = np.concatenate(
        [
            np.stack([xs, line], axis=1),
            points((xs[-1], frame.bottom + 9), (xs[0], frame.bottom + 9)),
        ]
    )
    mass = frame.shape_of(body)
    tint = mix(palette.near, palette.deep, 0.25)
    layer.fill(
        mass,
        linear((0, y), (0, y + wide * 0.9), mix(tint, palette.middle, 0.35), tint, palette.deep),
    )
    if rocky:
        _facets(scene, layer, rng, mass=mass, x=x, y=y, wide=wide)
    layer.rim(mass, stage.toward_light(x, y), 0.006 * stage.unit, palette.glow, 0.3)
    return mass


def _facets(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    mass: Patch,
    x: float,
    y: float,
    wide: float,
) -> None:
    palette = scene.palette
    light_side, _ = scene.stage.toward_light(x, y)
    dark: list[Points] = []
    bright: list[Points] = []
    for _ in range(46):
        px, py = x + float(rng.normal(0, 0.65)) * wide, y + abs(float(rng.normal(0, 0.35))) * wide
        size = wide * float(rng.uniform(0.05, 0.17))
        shape = path("0,-0.5 0.6,-0.1 0.3,0.6 -0.5,0.4") + rng.uniform(-0.2, 0.2, (4, 2))
        (bright if chance(rng, 0.4) else dark).append(moved(shape, px, py, scale=size))
    layer.tint(scene.frame.shapes_of(dark).inside(mass), palette.deep, 0.35)
    layer.tint(
        scene.frame.shapes_of(bright).inside(mass),
        mix(palette.middle, palette.glow, 0.35),
        0.20 + 0.05 * (light_side > 0),
    )
