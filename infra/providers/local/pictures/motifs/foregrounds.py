"""What lies before the subject: a meadow with grass and flowers, and dark shapes at the edges."""

import math

import numpy as np
from numpy.typing import NDArray

from infra.providers.local.pictures.colour import Colour, mix
from infra.providers.local.pictures.geometry import Points, circle, curve, moved, points, ribbon
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.noise import chance, clouds, ridge
from infra.providers.local.pictures.scene import Scene, Sway


def draw_meadow(scene: Scene, *, depth: float, y: float) -> None:
    """Draw near ground across the frame: a lit edge, tufts of grass and a few flowers."""
    frame, stage, palette = scene.frame, scene.stage, scene.palette
    rng = scene.rng("meadow", round(depth, 2))
    layer = scene.layer(depth)
    xs = np.linspace(frame.left - 5, frame.right + 5, 120)
    line = y - 0.03 * stage.height * ridge(rng, xs, cell=0.8 * stage.unit, octaves=2, gain=0.3)
    top = mix(palette.near, palette.middle, 0.35)
    body = np.concatenate(
        [
            np.stack([xs, line], axis=1),
            points((frame.right + 9, frame.bottom + 9), (frame.left - 9, frame.bottom + 9)),
        ]
    )
    mass = frame.shape_of(body)
    high = float(line.min())
    layer.fill(
        mass,
        linear(
            (0, high), (0, stage.height), top, palette.near, mix(palette.near, palette.deep, 0.75)
        ),
    )
    layer.rim(mass, stage.toward_light(stage.hero_x, y), 0.010 * stage.unit, palette.glow, 0.30)
    patches = clouds(rng, frame.shape, cell=0.16 * stage.unit, octaves=3, stretch=3.5)
    layer.tint(
        frame.everything().times(np.clip((patches - 0.45) * 2.5, 0, 1)),
        mix(palette.middle, palette.glow, 0.2),
        0.20,
    )
    _tufts(scene, layer, rng, xs=xs, line=line)


def _tufts(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    xs: NDArray[np.float64],
    line: NDArray[np.float64],
) -> None:
    """Draw grass that grows taller toward the eye, in rows from back to front."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rows = 6
    for row in range(rows):
        share = row / (rows - 1)
        size = stage.unit * (0.014 + 0.055 * share)
        drop = share**1.3 * (stage.height - float(line.min())) * 1.02
        blades: list[Points] = []
        for _ in range(int(150 - 70 * share)):
            x = float(rng.uniform(frame.left, frame.right))
            y = float(np.interp(x, xs, line)) + drop + size * float(rng.uniform(-0.1, 0.5))
            blades.append(_blade(rng, x, y, size * float(rng.uniform(0.4, 1.2))))
        shade = mix(
            mix(palette.middle, palette.near, 0.3 + 0.7 * share), palette.deep, 0.55 * share
        )
        layer.fill(frame.shapes_of(blades), mix(shade, palette.glow, 0.16 * (1 - share)), 0.85)
        if row in (2, 4):
            _flowers(scene, layer, rng, xs=xs, line=line + drop, size=size)


def _blade(rng: np.random.Generator, x: float, y: float, tall: float) -> Points:
    lean = float(rng.normal(0.12, 0.28)) * tall
    spine = curve(
        points((x, y), (x + lean * 0.25, y - tall * 0.55), (x + lean, y - tall)),
        closed=False,
        steps=4,
    )
    return ribbon(spine, np.linspace(tall * 0.075, 0.2, len(spine)))


def _flowers(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    xs: NDArray[np.float64],
    line: NDArray[np.float64],
    size: float,
) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    if stage.hour == "night" or "snow" in stage.skies:
        return
    heads: list[Points] = []
    for group in rng.uniform(frame.left, frame.right, 5):
        for _ in range(int(rng.integers(2, 7))):
            x = float(group + rng.normal(0, size * 2.5))
            y = float(np.interp(x, xs, line)) - size * float(rng.uniform(0.3, 0.9))
            heads.append(circle(x, y, size * float(rng.uniform(0.05, 0.11))))
    layer.fill(frame.shapes_of(heads), mix(palette.accent, palette.glow, 0.25), 0.9)


def draw_frame(scene: Scene) -> None:
    """Let grasses stand out of focus in the lower corner that has room for them."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("frame")
    sway = Sway(x=stage.unit * 0.010, y=stage.unit * 0.004, period_s=4.4, phase=float(rng.random()))
    layer = scene.layer(1.0, sway=sway)
    dark = mix(palette.deep, palette.near, 0.25)
    on_left = stage.side == "right" or (stage.side != "left" and stage.hero_x > stage.width / 2)
    corner_x = scene.frame.left if on_left else scene.frame.right
    inward = 1 if on_left else -1
    _reeds(scene, layer, rng, x=corner_x, inward=inward, colour=dark)
    layer.blur(stage.unit * 0.007)


def _reeds(
    scene: Scene, layer: Layer, rng: np.random.Generator, *, x: float, inward: int, colour: Colour
) -> None:
    stage, unit = scene.stage, scene.unit
    foot = scene.frame.bottom + unit * 0.02
    shapes: list[Points] = []
    for _ in range(26):
        start = x + inward * unit * abs(float(rng.normal(0, 0.17)))
        near = abs(start - x) / unit
        tall = unit * float(rng.uniform(0.12, 0.42)) * max(1 - near * 1.4, 0.25)
        tall += foot - stage.height
        lean = inward * tall * float(rng.uniform(0.0, 0.45))
        spine = curve(
            points(
                (start, foot), (start + lean * 0.3, foot - tall * 0.6), (start + lean, foot - tall)
            ),
            closed=False,
            steps=8,
        )
        shapes.append(ribbon(spine, np.linspace(unit * 0.011, 0.4, len(spine))))
        if chance(rng, 0.3):
            shapes.append(
                moved(
                    leaf_outline(),
                    start + lean,
                    foot - tall,
                    scale=unit * 0.05,
                    turn=math.atan2(-1, inward * 0.4),
                )
            )
    layer.fill(scene.frame.shapes_of(shapes), colour)


def leaf_outline() -> Points:
    """Return a pointed leaf of length 1 from the origin to the right."""
    half = [(0.0, 0.0), (0.12, 0.10), (0.38, 0.22), (0.68, 0.16), (1.0, 0.0)]
    lower = [(px, -py) for px, py in half[1:-1]][::-1]
    upper = curve(half, closed=False, steps=5)
    back = curve([half[-1], *lower, half[0]], closed=False, steps=5)
    return np.concatenate([upper, back])
