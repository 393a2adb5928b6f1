"""A cat on a window sill."""

from collections.abc import Callable

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
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.windows import draw_window
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene, Sway


def draw_cat(scene: Scene) -> None:
    """Draw a cat on a window sill, its outline lit from outside."""
    draw_window(scene)
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("cat")
    layer = scene.layer(0.62)
    size = stage.hero_size * {"close": 0.78, "medium": 0.60, "wide": 0.50}[stage.view]
    x, y = (
        stage.hero_x + float(rng.uniform(-0.08, 0.08)) * stage.hero_size,
        stage.hero_y + 0.012 * stage.unit,
    )
    flip = chance(rng, 0.5)

    def at(shape: Points) -> Points:
        return moved(shape, x, y, scale=size, mirror=flip)

    coat = mix(palette.deep, palette.second, 0.22)
    if not stage.is_dark and chance(rng, 0.45):
        coat = relight(palette.accent, lightness=0.50)
    body = curve(
        path(
            "-0.3,0 -0.36,-0.18 -0.3,-0.42 -0.14,-0.58 0.06,-0.66 0.2,-0.62 0.22,-0.4 "
            "0.2,-0.15 0.24,0 "
        ),
        closed=True,
    )
    head = curve(
        path(
            "0,-0.72 0.04,-0.86 0.16,-0.9 0.29,-0.86 0.33,-0.73 0.26,-0.62 0.14,-0.59 0.04,-0.63 "
        ),
        closed=True,
    )
    ears = [
        path("0.035,-0.82 0.045,-1 0.145,-0.89"),
        path("0.2,-0.895 0.295,-1 0.305,-0.82"),
    ]
    tail_line = curve(
        path("-0.26,-0.05 -0.48,-0.02 -0.62,-0.1 -0.66,-0.27 -0.58,-0.36"),
        closed=False,
    )
    tail = ribbon(tail_line, taper(len(tail_line), 0.10, 0.055))
    tail_layer = scene.layer(0.621, sway=Sway(x=0.010 * size, y=0.006 * size, period_s=2.4))
    tail_mask = frame.shape_of(at(tail))
    tail_layer.fill(tail_mask, coat)
    tail_layer.rim(tail_mask, (0.0, -1.0), 0.02 * size, palette.glow, 0.5)
    mask = frame.shapes_of([at(part) for part in (body, head, *ears)])
    layer.fill(
        mask,
        linear(
            (0, y - size), (0, y), mix(coat, palette.glow, 0.10), coat, relight(coat, lift=-0.04)
        ),
    )
    side, _ = stage.toward_light(x, y - size)
    layer.rim(mask, (side, -0.8), 0.022 * size, palette.glow, 0.75)
    haunch = frame.shape_of(at(circle(-0.10, -0.17, 0.19, squash=0.95)))
    layer.tint(frame.edge(haunch, (0.5, -0.9), 0.02 * size), relight(coat, lift=0.12), 0.55)
    legs = [
        (at(points((0.10, -0.42), (0.12, -0.02))), 0.10 * size),
        (at(points((0.19, -0.42), (0.21, -0.02))), 0.09 * size),
    ]
    layer.tint(
        frame.edge(frame.lines(legs), (0.8, 0.0), 0.012 * size), relight(coat, lift=0.12), 0.5
    )
    stripes = [
        (
            at(points((-0.33 + 0.02 * k, -0.22 - 0.09 * k), (-0.22 + 0.02 * k, -0.20 - 0.09 * k))),
            np.array([0.03, 0.006]) * size,
        )
        for k in range(4)
    ]
    layer.tint(frame.lines(stripes).inside(mask), relight(coat, lift=-0.08), 0.7)
    _cat_face(scene, layer, at=at, size=size)


def _cat_face(scene: Scene, layer: Layer, *, at: Callable[[Points], Points], size: float) -> None:
    palette, frame = scene.palette, scene.frame
    eyes = at(path("0.105,-0.755 0.235,-0.755")).tolist()
    for ex, ey in eyes:
        iris = relight(palette.accent, lightness=0.8, turn=0.05)
        layer.fill(frame.disc(ex, ey, 0.030 * size, squash=0.8), iris)
        layer.fill(frame.disc(ex, ey, 0.011 * size, squash=2.1), palette.ink)
        glint = frame.disc(ex + 0.006 * size, ey - 0.008 * size, 0.006 * size)
        layer.fill(glint, palette.paper)
    nx, ny = at(path("0.17,-0.69"))[0].tolist()
    nose = mix(palette.accent, palette.paper, 0.3)
    layer.fill(frame.disc(nx, ny, 0.014 * size, squash=0.7), nose)
    whiskers: list[Stroke] = [
        (
            at(points((0.17 + way * 0.04, -0.675), (0.17 + way * 0.24, -0.675 + 0.035 * k))),
            0.0035 * size,
        )
        for way in (-1, 1)
        for k in (-1, 0, 1)
    ]
    layer.fill(frame.lines(whiskers), palette.paper, 0.45)
