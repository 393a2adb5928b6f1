"""The edge of a quay, near: a bollard and the rope that holds a ship."""

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, curve, points
from infra.providers.local.pictures.layer import Layer
from infra.providers.local.pictures.motifs.harbours import quay_wall
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene
from infra.providers.local.pictures.solids import Turned, lay_shadow, lay_turned, turned

_IRON: Colour = (0.24, 0.25, 0.27)
_HEMP: Colour = (0.72, 0.60, 0.42)


def draw_bollard(scene: Scene) -> None:
    """Draw an iron bollard on the quay with a rope about it that runs out of the picture."""
    stage, palette = scene.stage, scene.palette
    size = stage.hero_size * {"close": 0.86, "medium": 0.60, "wide": 0.40}[stage.view]
    ground = scene.layer(0.56)
    edge = stage.hero_y - 0.12 * stage.height - 0.06 * size
    quay_wall(scene, ground, y=edge)
    away = -1 if stage.hero_x > stage.width / 2 else 1
    if stage.view != "close":
        for number in (1, 2):
            share = 0.55 - 0.13 * number
            x = stage.hero_x + away * (0.85 * size + 0.24 * number * stage.width)
            _bollard(
                scene,
                scene.layer(0.60),
                x=x,
                y=stage.hero_y - (0.10 + 0.03 * number) * size,
                size=size * share,
            )
    layer = scene.layer(0.64)
    x, y = stage.hero_x, stage.hero_y
    lay_shadow(scene, layer, x=x, y=y, wide=0.38 * size, tall=size, strength=0.6)
    body = _bollard(scene, layer, x=x, y=y, size=size)
    hemp = palette.stuff(_HEMP, 0.3)
    hemp = relight(hemp, lift={"night": -0.26, "dusk": -0.14, "grey": -0.04}.get(stage.hour, 0.0))
    _rope(scene, layer, body, hemp, away=away)


def _bollard(scene: Scene, layer: Layer, *, x: float, y: float, size: float) -> Turned:
    palette, stage = scene.palette, scene.stage
    iron = relight(palette.stuff(_IRON, 0.3), lift=-0.06 if stage.hour == "night" else 0.0)
    foot = turned(
        x,
        y,
        tall=0.07 * size,
        wide=0.46 * size,
        shape=[(0, 1.0), (0.6, 1.0), (1, 0.94)],
        squash=0.22,
    )
    lay_turned(scene, layer, foot, relight(iron, lift=-0.03), gloss=0.3)
    body = turned(
        x,
        y - 0.05 * size,
        tall=0.86 * size,
        wide=0.40 * size,
        shape=[
            (0, 0.86),
            (0.10, 0.70),
            (0.34, 0.58),
            (0.60, 0.60),
            (0.74, 0.86),
            (0.84, 1.0),
            (0.93, 0.94),
            (1, 0.62),
        ],
        squash=0.22,
    )
    mask = lay_turned(scene, layer, body, iron, gloss=0.65)
    cap = scene.frame.disc(x, y - 0.91 * size, 0.25 * size, squash=0.24)
    layer.fill(cap, relight(mix(iron, palette.horizon, 0.30), lift=0.05))
    layer.rim(mask, stage.toward_light(x, y - size), 0.014 * size, palette.glow, 0.6)
    return body


def _rope(scene: Scene, layer: Layer, body: Turned, hemp: Colour, *, away: int) -> None:
    """Lay three turns about the waist, then let the rope run to the edge of the picture."""
    frame, stage = scene.frame, scene.stage
    thick = 0.105 * body.tall
    side = float(frame.left - 60 if away < 0 else frame.right + 60)
    start = (body.x + away * body.radius_at(0.42 * body.tall) * 0.9, body.y - 0.43 * body.tall)
    rise = start[1] - (0.16 if stage.view == "close" else 0.26) * stage.height
    sag = ((start[0] + side) / 2, (start[1] + rise) / 2 + 0.05 * stage.height)
    lay_rope(
        scene, layer, curve(points(start, sag, (side, rise)), closed=False, steps=40), thick, hemp
    )
    for turn in range(3):
        height = (0.30 + 0.105 * turn) * body.tall
        radius = body.radius_at(height) + 0.30 * thick
        angles = np.linspace(0.02, np.pi - 0.02, 40)
        loop = np.stack(
            [
                body.x + np.cos(angles) * radius,
                body.y - height + np.sin(angles) * radius * body.squash * 0.9,
            ],
            axis=1,
        )
        lay_rope(scene, layer, loop, thick, relight(hemp, lift=-0.02 * (turn % 2)))


def lay_rope(scene: Scene, layer: Layer, line: Points, thick: float, hemp: Colour) -> None:
    """Paint one length of rope with its twist, light from above and shade below."""
    frame, palette = scene.frame, scene.palette
    mask = frame.line(line, thick)
    below = frame.blurred(mask.shifted(0, 0.35 * thick), 0.2 * thick).outside(mask)
    layer.shadow(below, palette.deep, 0.45)
    layer.fill(mask, hemp)
    layer.tint(frame.edge(mask, (0.0, 1.0), 0.30 * thick), relight(hemp, lift=-0.17), 0.75)
    layer.rim(mask, (0.0, -1.0), 0.22 * thick, palette.glow, 0.55)
    steps = np.hypot(*np.diff(line, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    twists: list[Stroke] = []
    for place in np.arange(0.0, along[-1], 0.42 * thick).tolist():
        x, y = (
            float(np.interp(place, along, line[:, 0])),
            float(np.interp(place, along, line[:, 1])),
        )
        ahead = min(place + 0.1 * thick, along[-1])
        dx = float(np.interp(ahead, along, line[:, 0])) - x
        dy = float(np.interp(ahead, along, line[:, 1])) - y
        length = max(np.hypot(dx, dy), 1e-6)
        dx, dy = dx / length * 0.5 * thick, dy / length * 0.5 * thick
        ends = points(
            (x - 0.5 * dx - dy, y - 0.5 * dy + dx), (x + 0.5 * dx + dy, y + 0.5 * dy - dx)
        )
        twists.append((ends, max(0.09 * thick, 0.7)))
    layer.tint(frame.lines(twists).inside(mask), relight(hemp, lift=-0.20), 0.6)
