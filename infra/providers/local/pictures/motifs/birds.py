"""A gliding bird and its flock."""

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import (
    Points,
    curve,
    moved,
    path,
    points,
)
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene, Sway


def draw_bird(scene: Scene) -> None:
    """Draw a large gliding bird and its flock further off."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("bird")
    size = stage.hero_size * {"close": 1.25, "medium": 0.95, "wide": 0.55}[stage.view]
    flock = scene.layer(0.34, sway=Sway(x=0.02 * stage.unit, y=0.008 * stage.unit, period_s=6.5))
    small: list[Points] = []
    count = int(rng.integers(7, 15)) if stage.view == "wide" else int(rng.integers(4, 8))
    for number in range(count):
        row = (number + 1) // 2 * (1 if number % 2 else -1)
        x = stage.hero_x + row * 0.085 * stage.unit + float(rng.normal(0, 0.02)) * stage.unit
        y = (
            0.16 * stage.height
            + abs(row) * 0.038 * stage.unit
            + float(rng.normal(0, 0.012)) * stage.unit
        )
        small += _gliding(
            x,
            y,
            size=stage.unit * float(rng.uniform(0.05, 0.085)),
            lift=float(rng.uniform(0.12, 0.42)),
            flip=False,
        )
    flock.fill(
        scene.frame.shapes_of(small),
        mix(palette.deep, palette.horizon, 0.35 if stage.is_dark else 0.45),
    )
    layer = scene.layer(
        0.66, sway=Sway(x=0.022 * stage.unit, y=0.016 * stage.unit, period_s=5.0, phase=1.0)
    )
    x, y = stage.hero_x, min(stage.hero_y - 0.35 * size, stage.horizon * 0.86)
    lift = float(rng.uniform(0.25, 0.42))
    _lay_gull(scene, layer, x=x, y=y, size=size, lift=lift, flip=chance(rng, 0.5))


def _lay_gull(
    scene: Scene, layer: Layer, *, x: float, y: float, size: float, lift: float, flip: bool
) -> None:
    """Paint one gliding gull with its light and shade."""
    stage, palette = scene.stage, scene.palette
    shapes = _gliding(x, y, size=size, lift=lift, flip=flip)
    white = _white(scene)
    wing_dark = mix(white, palette.deep, 0.55)
    far, near, body, tips = shapes
    layer.fill(
        scene.frame.shape_of(far),
        linear((0, y - 0.4 * size), (0, y), wing_dark, mix(white, palette.deep, 0.3)),
    )
    layer.fill(
        scene.frame.shape_of(body),
        linear((0, y - 0.1 * size), (0, y + 0.1 * size), white, mix(white, palette.near, 0.5)),
    )
    near_mask = scene.frame.shape_of(near)
    layer.fill(
        near_mask,
        linear(
            (x, y - 0.1 * size),
            (x + (0.5 if not flip else -0.5) * size, y - 0.3 * size),
            white,
            white,
            mix(white, palette.near, 0.35),
        ),
    )
    layer.tint(scene.frame.shape_of(tips).inside(near_mask), palette.deep, 0.75)
    feathers: list[Stroke] = []
    way = -1 if flip else 1
    for k in range(9):
        share = 0.2 + 0.085 * k
        px = x + way * share * 0.52 * size
        feathers.append(
            (
                points(
                    (px, y - share * 0.30 * size),
                    (px - way * 0.05 * size, y - share * 0.13 * size + 0.03 * size),
                ),
                0.005 * size,
            )
        )
    layer.tint(scene.frame.lines(feathers).inside(near_mask), mix(white, palette.near, 0.5), 0.6)
    for mask in (near_mask, scene.frame.shape_of(body)):
        layer.rim(mask, stage.toward_light(x, y), 0.010 * size, palette.glow, 0.7)
    beak = moved(path("0.285,-0.055 0.37,-0.035 0.285,-0.022"), x, y, scale=size, mirror=flip)
    layer.fill(scene.frame.shape_of(beak), relight(palette.accent, lightness=0.62))
    layer.fill(
        scene.frame.disc(x + way * 0.245 * size, y - 0.052 * size, 0.009 * size), palette.deep
    )


def _gliding(x: float, y: float, *, size: float, lift: float, flip: bool) -> list[Points]:
    """Return far wing, near wing, body and near wing tip of a bird that flies to the right."""
    near = curve(
        points(
            (-0.10, 0.0),
            (0.02, -0.10),
            (0.20, -0.5 * lift - 0.10),
            (0.36, -lift * 0.95),
            (0.58, -lift * 0.88),
            (0.44, -lift * 0.55),
            (0.27, -0.14),
            (0.10, 0.02),
        ),
        closed=True,
    )
    far = curve(
        points(
            (-0.02, -0.02),
            (-0.08, -0.12),
            (-0.22, -0.5 * lift - 0.16),
            (-0.34, -lift * 1.15),
            (-0.50, -lift * 1.12),
            (-0.42, -lift * 0.7),
            (-0.25, -0.12),
            (-0.10, 0.0),
        ),
        closed=True,
    )
    body = curve(
        path(
            "-0.34,0.035 -0.2,-0.015 0,-0.06 0.18,-0.085 0.27,-0.075 0.3,-0.04 0.22,0 "
            "0.05,0.055 -0.15,0.05 -0.36,0.075 "
        ),
        closed=True,
    )
    tips = points(
        (0.46, -lift * 1.2), (0.70, -lift * 1.2), (0.62, -lift * 0.5), (0.40, -lift * 0.55)
    )
    return [moved(part, x, y, scale=size, mirror=flip) for part in (far, near, body, tips)]


def draw_gulls(scene: Scene) -> None:
    """Draw a handful of gulls in the air, the nearest large, and small ones far behind."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("gulls")
    far = scene.layer(0.40, sway=Sway(x=0.025 * stage.unit, y=0.008 * stage.unit, period_s=7.0))
    small: list[Points] = []
    for _ in range(int(rng.integers(5, 9))):
        small += _gliding(
            float(rng.uniform(0.08, 0.92)) * stage.width,
            float(rng.uniform(0.14, 0.88)) * stage.horizon,
            size=stage.unit * float(rng.uniform(0.035, 0.07)),
            lift=float(rng.uniform(0.10, 0.50)),
            flip=chance(rng, 0.5),
        )
    far.fill(scene.frame.shapes_of(small), mix(_white(scene), palette.near, 0.45), 0.9)
    size = stage.hero_size * {"close": 1.25, "medium": 0.85, "wide": 0.60}[stage.view]
    # The near ones keep apart: one by the subject's place, the others away from it.
    high = min(stage.hero_y - 0.30 * size, 0.80 * stage.horizon)
    flip = chance(rng, 0.5)
    away = -1 if stage.hero_x > stage.width / 2 else 1
    places = [(0.62, -0.24, 0.42), (0.30, 0.02, 0.58), (0.0, 0.0, 1.0)]
    for number, (across, down, share) in enumerate(places):
        layer = scene.layer(
            0.60 + 0.04 * number,
            sway=Sway(
                x=(0.014 + 0.006 * number) * stage.unit,
                y=0.012 * stage.unit,
                period_s=4.4 + 0.7 * number,
                phase=1.7 * number,
            ),
        )
        x = stage.hero_x + away * across * stage.unit
        x = min(max(x, 0.10 * stage.width), 0.90 * stage.width)
        y = max(high + down * stage.unit, 0.12 * stage.height)
        _lay_gull(
            scene, layer, x=x, y=y, size=size * share, lift=float(rng.uniform(0.2, 0.5)), flip=flip
        )


def _white(scene: Scene) -> Colour:
    palette, stage = scene.palette, scene.stage
    lightness = {"night": 0.52, "dusk": 0.74}.get(stage.hour, 0.9)
    return relight(mix(palette.paper, palette.glow, 0.2), lightness=lightness)
