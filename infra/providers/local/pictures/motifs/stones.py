"""Small things seen from near: stones, and an eye."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, curve, moved, path, points
from infra.providers.local.pictures.layer import linear, radial
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene

_STONE: Colour = (0.60, 0.57, 0.52)


def draw_stones(scene: Scene) -> None:
    """Draw rounded stones that lie together, each with its own light and vein."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("stones")
    size = stage.hero_size * {"close": 0.9, "medium": 0.62, "wide": 0.40}[stage.view]
    layer = scene.layer(0.62)
    side, _ = stage.toward_light(stage.hero_x, stage.hero_y - size)
    lift = {"night": -0.24, "dusk": -0.12}.get(stage.hour, 0.0)
    places = [
        (-0.62, -0.16, 0.30),
        (0.66, -0.14, 0.26),
        (-0.30, -0.06, 0.38),
        (0.36, 0.0, 0.34),
        (0.0, 0.10, 0.46),
        (-0.58, 0.16, 0.20),
        (0.56, 0.17, 0.22),
    ]
    for number, (px, py, share) in enumerate(places):
        radius = share * size * float(rng.uniform(0.9, 1.1))
        x, y = stage.hero_x + px * size, stage.hero_y + py * size
        knots = [
            (
                x + math.cos(angle) * radius * float(rng.uniform(0.9, 1.08)),
                y - 0.45 * radius + math.sin(angle) * radius * 0.62 * float(rng.uniform(0.9, 1.08)),
            )
            for angle in np.linspace(0, math.tau, 9, endpoint=False).tolist()
        ]
        shade = frame.disc(x - side * 0.25 * radius, y + 0.08 * radius, 1.05 * radius, squash=0.30)
        layer.fill(frame.blurred(shade, 0.10 * radius), palette.deep, 0.5)
        mask = frame.shape_of(curve(np.array(knots), closed=True))
        stone = relight(
            mix(palette.stuff(_STONE, 0.4), palette.tone(0.3 + 0.07 * number), 0.35), lift=lift
        )
        layer.fill(
            mask,
            radial(
                x + side * 0.4 * radius,
                y - 0.8 * radius,
                1.5 * radius,
                relight(mix(stone, palette.glow, 0.35), lift=0.06),
                stone,
                relight(stone, lift=-0.18),
            ),
        )
        if chance(rng, 0.5):
            vein = curve(
                points(
                    (x - radius, y - 0.3 * radius),
                    (x, y - float(rng.uniform(0.3, 0.8)) * radius),
                    (x + radius, y - 0.5 * radius),
                ),
                closed=False,
            )
            layer.tint(frame.line(vein, 0.05 * radius).inside(mask), relight(stone, lift=0.14), 0.7)
        layer.rim(mask, (side, -0.8), 0.04 * radius, palette.glow, 0.5)


def draw_eye(scene: Scene) -> None:
    """Draw one eye from very near: lids, lashes, and an iris of many rays."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("eye")
    layer = scene.layer(0.30)
    skin = palette.stuff((0.70, 0.50, 0.40), 0.30)
    skin = relight(skin, lift={"night": -0.30, "dusk": -0.14}.get(stage.hour, 0.0))
    x, y = stage.hero_x, {"top": 0.64, "bottom": 0.36}.get(stage.side, 0.5) * stage.height
    size = stage.hero_size * {"close": 1.0, "medium": 0.86, "wide": 0.7}[stage.view]
    layer.fill(
        frame.everything(),
        radial(
            stage.light_x,
            stage.light_y,
            1.2 * stage.width,
            relight(mix(skin, palette.glow, 0.3), lift=0.05),
            skin,
            relight(skin, lift=-0.16),
        ),
    )

    def at(text: str) -> Points:
        return moved(curve(path(text), closed=True), x, y, scale=size)

    almond = "-.62,.05 -.40,-.14 -.10,-.27 .20,-.25 .45,-.10 .64,.08 .40,.19 .05,.25 -.30,.19"
    hollow = frame.blurred(
        frame.shape_of(at("-.8,.05 -.45,-.32 .0,-.46 .45,-.34 .8,.08 .4,.32 0,.38 -.5,.30")),
        0.06 * size,
    )
    layer.fill(hollow, relight(skin, lift=-0.13), 0.8)
    ball = frame.shape_of(at(almond))
    white = relight(mix(palette.paper, skin, 0.18), lightness=0.62 if stage.is_dark else 0.88)
    layer.fill(
        ball,
        linear(
            (0, y - 0.25 * size),
            (0, y + 0.2 * size),
            relight(white, lift=-0.20),
            white,
            relight(white, lift=-0.04),
        ),
    )
    iris_colour = relight(palette.accent, lightness=0.50)
    iris = frame.disc(x + 0.02 * size, y - 0.03 * size, 0.235 * size).inside(ball)
    layer.fill(
        iris,
        radial(
            x + 0.02 * size,
            y - 0.03 * size,
            0.235 * size,
            relight(iris_colour, lift=0.16),
            iris_colour,
            relight(iris_colour, lift=-0.22),
            ease=1.4,
        ),
    )
    rays: list[Stroke] = []
    for angle in rng.uniform(0, math.tau, 130).tolist():
        near, far = float(rng.uniform(0.09, 0.13)), float(rng.uniform(0.16, 0.225))
        rays.append(
            (
                points(
                    *(
                        (
                            x + 0.02 * size + math.cos(angle) * r * size,
                            y - 0.03 * size + math.sin(angle) * r * size,
                        )
                        for r in (near, far)
                    )
                ),
                max(0.004 * size, 0.6),
            )
        )
    layer.tint(frame.lines(rays).inside(iris), mix(iris_colour, palette.glow, 0.5), 0.5)
    layer.fill(frame.disc(x + 0.02 * size, y - 0.03 * size, 0.095 * size), palette.ink)
    pane = frame.shape_of(at("-.10,-.13 -.02,-.15 -.02,-.075 -.10,-.06"))
    layer.fill(pane.inside(ball), palette.glow, 0.9)
    lid = frame.lines(
        [
            (
                moved(
                    curve(
                        path("-.64,.06 -.40,-.15 -.10,-.28 .20,-.26 .46,-.10 .66,.09"), closed=False
                    ),
                    x,
                    y,
                    scale=size,
                ),
                0.035 * size,
            )
        ]
    )
    layer.fill(lid, mix(palette.deep, skin, 0.15))
    lashes: list[Stroke] = []
    for share in np.linspace(0.04, 0.97, 26).tolist():
        px = -0.60 + 1.22 * share
        py = float(
            np.interp(
                px, [-0.64, -0.4, -0.1, 0.2, 0.46, 0.66], [0.06, -0.15, -0.28, -0.26, -0.10, 0.09]
            )
        )
        lean = (share - 0.45) * 0.22
        line = curve(
            points(
                (x + px * size, y + py * size),
                (x + (px + 0.5 * lean) * size, y + (py - 0.06) * size),
                (x + (px + lean) * size, y + (py - 0.12) * size),
            ),
            closed=False,
            steps=5,
        )
        lashes.append((line, np.linspace(0.012, 0.002, len(line)) * size))
    layer.fill(frame.lines(lashes), palette.ink)
