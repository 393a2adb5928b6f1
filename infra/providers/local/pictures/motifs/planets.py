"""Planets before stars."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import (
    arc,
    circle,
    moved,
)
from infra.providers.local.pictures.layer import Layer, linear, toned
from infra.providers.local.pictures.noise import chance, clouds
from infra.providers.local.pictures.scene import Scene, Sway


def draw_planet(scene: Scene) -> None:
    """Draw a ringed or banded planet with a moon before stars and a nebula."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("planet")
    _space(scene, rng)
    radius = stage.hero_size * {"close": 0.72, "medium": 0.42, "wide": 0.26}[stage.view]
    x, y = stage.hero_x, (0.50 if stage.view != "close" else 0.62) * stage.height
    layer = scene.layer(0.5)
    ringed = chance(rng, 0.6)
    tilt = float(rng.uniform(-0.45, 0.45))
    if ringed:
        _ring(scene, layer, x=x, y=y, radius=radius, tilt=tilt, front=False)
    layer.fill(frame.glow(x, y, radius * 1.5, power=3.0), palette.accent, 0.35)
    _ball(scene, layer, rng, x=x, y=y, radius=radius, tilt=tilt)
    if ringed:
        _ring(scene, layer, x=x, y=y, radius=radius, tilt=tilt, front=True)
    moon = scene.layer(0.72, sway=Sway(x=0.02 * stage.unit, y=0.006 * stage.unit, period_s=9))
    mx, my = (
        x + radius * float(rng.choice([-1, 1])) * 1.25,
        y - radius * float(rng.uniform(0.5, 1.0)),
    )
    _ball(scene, moon, rng, x=mx, y=my, radius=radius * float(rng.uniform(0.10, 0.2)), tilt=0.0)


def _space(scene: Scene, rng: np.random.Generator) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    sky = scene.layer(0.0)
    deep = relight(palette.tone(0.02), lightness=0.10)
    sky.fill(
        frame.everything(),
        linear(
            (0, 0),
            (stage.width * 0.4, stage.height),
            deep,
            relight(palette.tone(0.2), lightness=0.19),
            deep,
        ),
    )
    for number, hue in enumerate((palette.accent, palette.tone(0.55), palette.second)):
        fog = clouds(rng, frame.shape, cell=(0.75 - 0.15 * number) * stage.unit, octaves=5)
        sky.light(
            frame.everything().times(np.clip((fog - 0.42) * 2.1, 0, 1) ** 1.8),
            hue,
            0.50 - 0.1 * number,
        )
    stars = scene.layer(0.08)
    for size, count, bright in ((0.0008, 420, 0.6), (0.0014, 110, 0.85), (0.0024, 26, 1.0)):
        area = stage.width * stage.height / stage.unit**2
        dots = [
            circle(
                float(rng.uniform(frame.left, frame.right)),
                float(rng.uniform(frame.top, frame.bottom)),
                max(stage.unit * size * float(rng.uniform(0.7, 1.3)), 0.5),
            )
            for _ in range(int(count * area))
        ]
        stars.fill(frame.shapes_of(dots), mix(palette.paper, palette.glow, 0.3), bright)
    for _ in range(4):
        gx, gy = float(rng.uniform(0, stage.width)), float(rng.uniform(0, stage.height))
        stars.fill(frame.glow(gx, gy, 0.03 * stage.unit, power=3), palette.glow, 0.8)


def _ball(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    x: float,
    y: float,
    radius: float,
    tilt: float,
) -> None:
    palette, frame, stage = scene.palette, scene.frame, scene.stage
    mask = frame.disc(x, y, radius)
    if mask.is_empty:
        return
    tones = [
        relight(palette.tone(0.25), lightness=0.34),
        relight(palette.accent, lightness=0.58),
        relight(palette.tone(0.75), lightness=0.78),
        relight(mix(palette.accent, palette.tone(0.5), 0.5), lightness=0.5),
        relight(palette.tone(0.9), lightness=0.90),
    ]
    order: list[Colour] = [tones[int(k)] for k in rng.permutation(5)]
    warp = clouds(rng, frame.shape, cell=max(radius * 0.5, 4), octaves=4, stretch=2.2)
    side = 1 if stage.light_x > x else -1
    light = np.array([0.74 * side, -0.46, 0.49])

    xs, ys = mask.grid()
    u, v = (xs - x) / radius, (ys - y) / radius
    front = np.sqrt(np.clip(1 - u**2 - v**2, 0, 1))
    inside = warp[
        mask.y : mask.y + mask.mask.shape[0],
        mask.x : mask.x + mask.mask.shape[1],
    ]
    band = (v * math.cos(tilt) - u * math.sin(tilt)) * 0.5 + 0.5 + (inside - 0.5) * 0.16
    facing = np.clip(u * light[0] + v * light[1] + front * light[2], 0, 1)
    layer.fill(mask, toned(lambda _x, _y: band, *order))
    night = np.clip(1.05 - facing * 1.35, 0, 1) ** 1.2
    layer.tint(
        mask.times(night.astype(np.float32)), relight(palette.tone(0.0), lightness=0.09), 0.96
    )
    layer.light(
        mask.times((np.clip(1 - front * 1.5, 0, 1) * facing).astype(np.float32)), palette.glow, 0.75
    )


def _ring(
    scene: Scene, layer: Layer, *, x: float, y: float, radius: float, tilt: float, front: bool
) -> None:
    frame, palette = scene.frame, scene.palette
    for outer, inner, tone, strength in (
        (2.05, 1.86, 0.8, 0.55),
        (1.82, 1.55, 0.65, 0.8),
        (1.50, 1.32, 0.45, 0.5),
    ):
        start, end = (0.0, math.pi) if front else (math.pi, math.tau)
        far = arc(0, 0, radius * outer, start, end, count=90) * np.array([1.0, 0.26])
        near = arc(0, 0, radius * inner, start, end, count=90) * np.array([1.0, 0.26])
        shape = moved(np.concatenate([far, near[::-1]]), x, y, turn=tilt)
        tint = relight(palette.tone(tone), lightness=0.45 + 0.4 * tone)
        mask = frame.shape_of(shape)
        layer.fill(
            mask,
            linear(
                (x - radius * 2, 0),
                (x + radius * 2, 0),
                relight(tint, lift=0.08 if scene.stage.light_x < x else -0.2),
                tint,
                relight(tint, lift=-0.2 if scene.stage.light_x < x else 0.08),
            ),
            strength,
        )
