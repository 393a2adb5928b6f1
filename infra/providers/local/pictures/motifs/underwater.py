"""Fish in deep water."""

import numpy as np

from infra.providers.local.pictures.colour import mix, relight
from infra.providers.local.pictures.geometry import (
    Points,
    circle,
    curve,
    moved,
    path,
    points,
    ribbon,
    taper,
)
from infra.providers.local.pictures.layer import Layer, linear, radial
from infra.providers.local.pictures.noise import chance, clouds
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene, Sway

_NEAR = 0.5


def draw_fish(scene: Scene) -> None:
    """Draw fish in deep water under slanting light, with weed and bubbles."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("fish")
    water = scene.layer(0.0)
    light = relight(palette.tone(0.8), lightness=0.84 if stage.hour != "night" else 0.45)
    middle = relight(
        mix(palette.tone(0.55), (0.1, 0.5, 0.6), 0.4),
        lightness=0.55 if stage.hour != "night" else 0.28,
    )
    deep = relight(mix(palette.tone(0.15), (0.03, 0.15, 0.28), 0.5), lightness=0.20)
    water.fill(
        frame.everything(),
        radial(
            stage.light_x,
            -0.25 * stage.height,
            1.5 * max(stage.height, stage.width * 0.6),
            light,
            middle,
            deep,
        ),
    )
    _shafts(scene, water, rng)
    _weed(scene, rng, depth=0.25, tint=mix(deep, middle, 0.45), tall=0.35)
    school = scene.layer(0.36, sway=Sway(x=0.03 * stage.unit, y=0.008 * stage.unit, period_s=7))
    for _ in range(int(rng.integers(9, 16))):
        _fish(
            scene,
            school,
            rng,
            x=stage.hero_x + float(rng.normal(0, 0.20)) * stage.width,
            y=float(rng.uniform(0.18, 0.75)) * stage.height,
            size=stage.unit * float(rng.uniform(0.05, 0.10)),
            flip=True,
            plain=True,
        )
    school.veil(middle, 0.45)
    size = stage.hero_size * {"close": 1.2, "medium": 0.85, "wide": 0.55}[stage.view]
    layer = scene.layer(0.62, sway=Sway(x=0.022 * stage.unit, y=0.012 * stage.unit, period_s=5))
    _fish(
        scene,
        layer,
        rng,
        x=stage.hero_x,
        y=0.5 * stage.height,
        size=size,
        flip=chance(rng, 0.5),
        plain=False,
    )
    _weed(scene, rng, depth=0.9, tint=mix(deep, (0.0, 0.05, 0.08), 0.4), tall=0.42)
    bubbles = scene.layer(0.7, sway=Sway(y=0.02 * stage.unit, x=0.004 * stage.unit, period_s=3.0))
    for _ in range(22):
        bx, by = (
            stage.hero_x + float(rng.normal(0, 0.16)) * stage.width,
            float(rng.uniform(0.05, 0.8)) * stage.height,
        )
        radius = stage.unit * float(rng.uniform(0.003, 0.011))
        ring = frame.disc(bx, by, radius)
        bubbles.fill(ring, light, 0.25)
        bubbles.fill(frame.edge(ring, (-0.5, -0.7), radius * 0.4), palette.paper, 0.9)


def _shafts(scene: Scene, layer: Layer, rng: np.random.Generator) -> None:
    stage, frame, palette = scene.stage, scene.frame, scene.palette
    fans: list[Points] = []
    for _ in range(8):
        x = stage.light_x + float(rng.normal(0, 0.28)) * stage.width
        lean, wide = (
            (x - stage.light_x) * 0.6 + float(rng.normal(0, 0.05)) * stage.width,
            stage.unit * float(rng.uniform(0.02, 0.09)),
        )
        fans.append(
            points(
                (x - wide * 0.4, frame.top),
                (x + wide * 0.4, frame.top),
                (x + lean + wide * 1.6, frame.bottom),
                (x + lean - wide * 1.6, frame.bottom),
            )
        )
    mask = frame.blurred(frame.shapes_of(fans), 0.02 * stage.unit)
    layer.light(
        mask.faded(lambda _xs, ys: np.clip(1 - ys / (0.95 * stage.height), 0, 1) ** 1.3),
        palette.glow,
        0.4,
    )
    caustic = clouds(rng, frame.shape, cell=0.09 * stage.unit, octaves=3, stretch=2.4)
    web = np.clip(1 - np.abs(caustic - 0.5) * 9, 0, 1)
    layer.light(
        frame.everything()
        .times(web)
        .faded(lambda _xs, ys: np.clip(0.55 - ys / stage.height, 0, 1)),
        palette.glow,
        0.4,
    )


def _weed(
    scene: Scene,
    rng: np.random.Generator,
    *,
    depth: float,
    tint: tuple[float, float, float],
    tall: float,
) -> None:
    stage, frame = scene.stage, scene.frame
    layer = scene.layer(depth, sway=Sway(x=0.012 * stage.unit, period_s=4.2, phase=depth * 9))
    near = depth > _NEAR
    shapes: list[Points] = []
    for _ in range(20):
        near_edge = (
            float(rng.choice([rng.uniform(-0.02, 0.22), rng.uniform(0.78, 1.02)]))
            if near
            else float(rng.uniform(0, 1))
        )
        x, high = near_edge * stage.width, stage.height * tall * float(rng.uniform(0.3, 1.0))
        ys = np.linspace(frame.bottom + 9, stage.height - high, 24)
        wave = (
            0.022
            * stage.unit
            * np.sin(np.linspace(0, 7, 24) + float(rng.uniform(0, 6)))
            * np.linspace(0, 1.6, 24)
        )
        shapes.append(
            ribbon(
                np.stack([x + wave, ys], axis=1), taper(24, 0.020, 0.003, belly=0.012) * stage.unit
            )
        )
    layer.fill(frame.shapes_of(shapes), tint)
    if near:
        layer.blur(0.004 * stage.unit)


def _fish(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    x: float,
    y: float,
    size: float,
    flip: bool,
    plain: bool,
) -> None:
    palette, frame = scene.palette, scene.frame

    def at(shape: Points) -> Points:
        return moved(shape, x, y, scale=size, mirror=flip)

    body = at(
        curve(
            path(
                "0.5,0 0.4,-0.1 0.18,-0.19 -0.1,-0.16 -0.36,-0.05 -0.42,0 -0.36,0.05 "
                "-0.1,0.15 0.2,0.17 0.42,0.09 "
            ),
            closed=True,
        )
    )
    tail = at(
        curve(
            path("-0.38,0 -0.52,-0.1 -0.68,-0.21 -0.6,-0.02 -0.66,0.2 -0.5,0.1"),
            closed=True,
        )
    )
    fin = at(curve(path("0.14,-0.17 0.02,-0.29 -0.2,-0.26 -0.16,-0.14"), closed=True))
    under = at(curve(path("0.05,0.14 -0.06,0.27 -0.18,0.22 -0.08,0.13"), closed=True))
    if plain:
        layer.fill(frame.shapes_of([body, tail]), mix(palette.deep, palette.tone(0.5), 0.4))
        return
    coat = relight(palette.accent, lightness=0.64)
    pale = relight(mix(palette.paper, coat, 0.25), lightness=0.90)
    fins = frame.shapes_of([tail, fin, under])
    layer.fill(
        fins,
        linear(
            (x - 0.7 * size, 0), (x, 0), mix(coat, palette.paper, 0.5), relight(coat, lift=-0.04)
        ),
        0.86,
    )
    rays: list[Stroke] = []
    for k in range(7):
        end = at(points((-0.40, 0.0), (-0.64, -0.16 + 0.053 * k)))
        rays.append((end, 0.005 * size))
    layer.tint(frame.lines(rays).inside(fins), relight(coat, lift=-0.14), 0.6)
    mask = frame.shape_of(body)
    layer.fill(
        mask,
        linear((0, y - 0.18 * size), (0, y + 0.17 * size), relight(coat, lift=-0.08), coat, pale),
    )
    blots = frame.shapes_of(
        [
            at(
                circle(
                    float(rng.uniform(-0.28, 0.28)),
                    float(rng.uniform(-0.14, 0.02)),
                    float(rng.uniform(0.05, 0.11)),
                    squash=0.7,
                )
            )
            for _ in range(4)
        ]
    )
    layer.tint(frame.blurred(blots, 0.012 * size).inside(mask), pale, 0.85)
    scales = [
        frame.edge(
            frame.shape_of(
                at(circle(-0.30 + 0.07 * (k % 9), -0.10 + 0.055 * (k // 9) + 0.02 * (k % 2), 0.05))
            ),
            (0.9 if not flip else -0.9, 0.0),
            0.006 * size,
        )
        for k in range(36)
    ]
    for scale in scales:
        layer.tint(scale.inside(mask), relight(coat, lift=-0.12), 0.35)
    layer.rim(mask, (0.1, -1.0), 0.018 * size, palette.glow, 0.75)
    gill = frame.line(at(curve(path("0.27,-0.13 0.22,0 0.27,0.12"), closed=False)), 0.009 * size)
    layer.tint(gill, relight(coat, lift=-0.2), 0.7)
    ex, ey = at(points((0.375, -0.045)))[0]
    layer.fill(frame.disc(float(ex), float(ey), 0.030 * size), pale)
    layer.fill(frame.disc(float(ex), float(ey), 0.017 * size), palette.ink)
    layer.fill(
        frame.disc(float(ex) + 0.005 * size, float(ey) - 0.007 * size, 0.006 * size), palette.paper
    )
    flap = frame.shape_of(at(curve(path("0.16,0.03 0,0.01 -0.09,0.1 0.05,0.12"), closed=True)))
    layer.fill(
        flap,
        linear((x - 0.1 * size, 0), (x + 0.2 * size, 0), mix(coat, palette.paper, 0.5), coat),
        0.9,
    )
