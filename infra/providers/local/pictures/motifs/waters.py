"""A winding river, and a lake that mirrors the land."""

import math

import numpy as np

from infra.providers.local.pictures.colour import mix, relight
from infra.providers.local.pictures.geometry import curve, level, points, swollen
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.fields import draw_hills
from infra.providers.local.pictures.motifs.mirrors import lay_mirrored_land
from infra.providers.local.pictures.motifs.mountains import draw_mountains
from infra.providers.local.pictures.noise import clouds
from infra.providers.local.pictures.raster import Patch, Stroke
from infra.providers.local.pictures.scene import Scene, Sway


def draw_river(scene: Scene) -> None:
    """Draw a river that winds from the hills to the eye and carries the sky."""
    draw_hills(scene)
    stage, palette = scene.stage, scene.palette
    layer = scene.layer(0.46)
    water = _winding(scene, "river", wide=0.34, curl=0.16)
    top = stage.horizon
    layer.fill(
        water,
        linear(
            (0, top),
            (0, stage.height),
            mix(palette.horizon, palette.glow, 0.3),
            mix(palette.horizon, palette.zenith, 0.5),
            mix(palette.zenith, palette.near, 0.55),
        ),
    )
    edge = scene.frame.edge(water, (0.0, -1.0), 0.008 * stage.unit)
    layer.tint(edge, palette.deep, 0.45)
    _glints(scene, layer, water, name="river")


def _winding(scene: Scene, name: str, *, wide: float, curl: float) -> Patch:
    """Return a band that swings from the horizon to the bottom edge, growing with nearness."""
    stage, frame = scene.stage, scene.frame
    rng = scene.rng(name, "winding")
    target = stage.light_x
    foot_x = stage.hero_x if stage.side in {"none", "top"} else stage.width * 0.5
    depth = np.linspace(0, 1, 90)
    near = depth**2.1
    ys = stage.horizon + 0.02 * stage.height + near * (frame.bottom - stage.horizon)
    swing = np.sin(depth * math.pi * float(rng.uniform(2.2, 3.2)) + rng.uniform(0, math.tau))
    middle = target + (foot_x - target) * depth + swing * curl * stage.width * near**0.6
    half = stage.unit * (0.004 + wide * near**1.1)
    outline = np.concatenate(
        [np.stack([middle - half, ys], axis=1), np.stack([middle + half, ys], axis=1)[::-1]]
    )
    return frame.shape_of(outline)


def _glints(scene: Scene, layer: Layer, water: Patch, *, name: str) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng(name, "glints")
    strokes: list[Stroke] = []
    for chosen in rng.random(150):
        place = float(chosen) ** 1.5
        y = stage.horizon + place * (frame.bottom - stage.horizon)
        x = float(rng.uniform(frame.left, frame.right))
        span = stage.unit * (0.01 + 0.07 * place) * float(rng.uniform(0.4, 1.4))
        along = level(x, y, span, 9)
        thick = swollen(9, stage.unit * (0.0008 + 0.0035 * place))
        strokes.append((along, thick))
    layer.tint(frame.lines(strokes).inside(water), palette.glow, 0.45)


def draw_lake(scene: Scene) -> None:
    """Draw a still lake that mirrors the mountains and the sky."""
    draw_mountains(scene)
    _drop_last_sheet(scene)
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("lake")
    shore = stage.horizon + 0.035 * stage.height
    layer = scene.layer(0.22, sway=Sway(x=stage.unit * 0.004, period_s=5.0))
    patch = lay_mirrored_land(scene, layer, rng, shore=shore, ripple=18)
    rows = patch.mask.shape[0]
    fall = np.linspace(0.12, 0.62, rows, dtype=np.float32)[:, None]
    layer.tint(patch.times(fall), mix(palette.near, palette.zenith, 0.4))
    _still_lines(scene, layer, rng, shore=shore)
    if stage.side != "bottom" or stage.subjects:
        _shore(scene, rng)


def _still_lines(scene: Scene, layer: Layer, rng: np.random.Generator, *, shore: float) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    strokes: list[Stroke] = []
    for chosen in rng.random(70):
        place = float(chosen) ** 1.6
        y = shore + (0.01 + place) * (frame.bottom - shore)
        x = stage.light_x + float(rng.normal(0, 0.35)) * stage.width
        span = stage.unit * (0.03 + 0.16 * place) * float(rng.uniform(0.4, 1.4))
        along = level(x, y, span, 11)
        thick = swollen(11, stage.unit * (0.0007 + 0.0024 * place))
        strokes.append((along, thick))
    layer.tint(frame.lines(strokes), palette.glow, 0.4)
    rim = frame.line(points((frame.left, shore), (frame.right, shore)), 0.0022 * stage.unit)
    layer.tint(rim, palette.glow, 0.45)


def _shore(scene: Scene, rng: np.random.Generator) -> None:
    """Draw a tongue of land with reeds in a lower corner."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    on_left = stage.hero_x > stage.width / 2
    layer = scene.layer(0.72)
    edge, inward = (frame.left, 1) if on_left else (frame.right, -1)
    tall = 0.13 * stage.height
    land = curve(
        points(
            (edge - inward * 9, frame.bottom - tall),
            (edge + inward * 0.16 * stage.width, frame.bottom - tall * 0.8),
            (edge + inward * 0.34 * stage.width, frame.bottom - tall * 0.25),
            (edge + inward * 0.5 * stage.width, frame.bottom + 9),
            (edge - inward * 9, frame.bottom + 9),
        ),
        closed=True,
        steps=10,
    )
    mass = frame.shape_of(land)
    layer.fill(mass, mix(palette.near, palette.deep, 0.7))
    layer.rim(mass, (0.2 * inward, -1.0), 0.006 * stage.unit, palette.glow, 0.3)
    reeds: list[Stroke] = []
    for _ in range(34):
        x = edge + inward * float(rng.uniform(0, 0.34)) * stage.width
        foot = frame.bottom - tall * max(0.9 - abs(x - edge) / (0.4 * stage.width), 0.05)
        high = stage.unit * float(rng.uniform(0.05, 0.17))
        lean = float(rng.normal(0, 0.15)) * high
        reeds.append(
            (
                points((x, foot + 9), (x + lean * 0.4, foot - high * 0.6), (x + lean, foot - high)),
                np.array([0.004, 0.003, 0.0006]) * stage.unit,
            )
        )
    layer.fill(frame.lines(reeds), mix(palette.near, palette.deep, 0.7))


def draw_road(scene: Scene) -> None:
    """Draw a road that leads the eye over the hills to the light."""
    draw_hills(scene)
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.47)
    road = _winding(scene, "road", wide=0.26, curl=0.10)
    stone = mix(mix(palette.middle, palette.horizon, 0.5), palette.paper, 0.15)
    if stage.is_dark:
        stone = relight(stone, lift=-0.16)
    layer.fill(
        road,
        linear(
            (0, stage.horizon), (0, stage.height), palette.horizon, stone, relight(stone, lift=-0.1)
        ),
    )
    for toward in ((1.0, 0.0), (-1.0, 0.0)):
        layer.tint(frame.edge(road, toward, 0.006 * stage.unit), palette.paper, 0.5)
    grit = clouds(scene.rng("grit"), frame.shape, cell=2 + 0.004 * stage.unit, octaves=2)
    layer.tint(road.inside(frame.everything().times(grit)), relight(stone, lift=-0.12), 0.25)


def _drop_last_sheet(scene: Scene) -> None:
    """Take away the meadow that belongs to a land without water."""
    scene.items.pop()
