"""Sky, sun, moon, stars, clouds and northern lights; everything behind the land."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, circle, curve, points
from infra.providers.local.pictures.layer import Layer, linear, radial, toned
from infra.providers.local.pictures.noise import chance, clouds
from infra.providers.local.pictures.raster import Patch
from infra.providers.local.pictures.scene import Scene

_COVERED = frozenset({"storm", "rain", "fog"})


def draw_sky(scene: Scene) -> None:
    """Draw the sky of the hour with its light, and whatever the words put into it."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.0)
    foot = stage.horizon + 0.06 * stage.height
    middle = mix(palette.zenith, palette.horizon, 0.55)
    layer.fill(
        frame.everything(),
        linear((0, 0), (0, foot), palette.zenith, middle, palette.horizon),
    )
    _lay_glow(scene, layer)
    if "stars" in stage.skies or (stage.hour == "night" and not _COVERED & set(stage.skies)):
        _lay_stars(scene, layer)
    if "aurora" in stage.skies:
        _lay_aurora(scene, layer)
    _lay_haze_bands(scene, layer)
    if _shows_disc(scene):
        _lay_disc(scene, layer)
    if "clouds" in stage.skies or (
        "storm" not in stage.skies and chance(scene.rng("clouds?"), 0.55)
    ):
        _draw_clouds(scene)


def _shows_disc(scene: Scene) -> bool:
    stage = scene.stage
    if "storm" in stage.skies:
        return False
    if "sun" in stage.skies or "moon" in stage.skies:
        return True
    if stage.hour == "grey" or {"rain", "fog"} & set(stage.skies):
        return False
    return stage.hour != "day" or chance(scene.rng("disc?"), 0.4)


def _lay_glow(scene: Scene, layer: Layer) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    x, y = stage.light_x, stage.light_y
    reach = 0.95 * max(stage.width, stage.height)
    strength = {"day": 0.45, "dawn": 0.6, "dusk": 0.75, "night": 0.34, "grey": 0.3}[stage.hour]
    warm = mix(palette.glow, palette.horizon, 0.5 if stage.hour in {"dawn", "dusk"} else 0.12)
    layer.light(frame.glow(x, y, reach, power=2.4), warm, strength)
    layer.light(frame.glow(x, y, reach * 0.45, power=2.2), palette.glow, strength * 0.8)


def _lay_disc(scene: Scene, layer: Layer) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    x, y = stage.light_x, stage.light_y
    rng = scene.rng("disc")
    radius = stage.unit * float(rng.uniform(0.055, 0.085))
    if stage.hour in {"dusk", "dawn"}:
        radius *= 1.55
    if stage.view == "close":
        radius *= 1.2
    if stage.hour == "night":
        _lay_moon(scene, layer, x=x, y=y, radius=radius)
        return
    disc = frame.disc(x, y, radius)
    low = relight(mix(palette.horizon, palette.glow, 0.3), lift=-0.06, chroma=1.8)
    paint = linear((x, y - radius), (x, y + radius), palette.glow, mix(palette.glow, low, 0.6))
    layer.light(frame.glow(x, y, radius * 2.6, power=1.6), palette.glow, 0.6)
    layer.fill(disc, paint, 0.96)


def _lay_moon(scene: Scene, layer: Layer, *, x: float, y: float, radius: float) -> None:
    palette, frame = scene.palette, scene.frame
    rng = scene.rng("moon")
    layer.light(frame.glow(x, y, radius * 5, power=2.6), palette.glow, 0.45)
    disc = frame.disc(x, y, radius)
    if chance(rng, 0.4):
        away = radius * float(rng.uniform(0.45, 0.75))
        disc = disc.outside(frame.disc(x - away, y - away * 0.35, radius * 0.98))
    layer.fill(
        disc,
        radial(
            x - radius * 0.3,
            y - radius * 0.3,
            radius * 1.6,
            palette.glow,
            mix(palette.glow, palette.horizon, 0.35),
        ),
    )
    for _ in range(5):
        angle, reach = rng.uniform(0, math.tau), radius * math.sqrt(rng.random()) * 0.75
        spot = frame.disc(
            x + math.cos(angle) * reach,
            y + math.sin(angle) * reach,
            radius * float(rng.uniform(0.08, 0.24)),
            squash=0.85,
        )
        layer.tint(spot.inside(disc), mix(palette.glow, palette.horizon, 0.6), 0.2)


def _lay_stars(scene: Scene, layer: Layer) -> None:
    stage, frame = scene.stage, scene.frame
    rng = scene.rng("stars")
    area = frame.shape[0] * frame.shape[1] / stage.unit**2
    many = "stars" in stage.skies
    count = int((420 if many else 150) * area)
    xs = rng.uniform(frame.left, frame.right, count)
    ys = frame.top + (stage.horizon - frame.top) * rng.random(count) ** 1.25
    sizes = stage.unit * (0.0007 + 0.0019 * rng.random(count) ** 5)
    shine = 0.3 + 0.7 * rng.random(count)
    for low, high in ((0.0, 0.55), (0.55, 0.8), (0.8, 1.01)):
        chosen = [
            circle(float(x), float(y), float(size))
            for x, y, size, bright in zip(xs, ys, sizes, shine, strict=True)
            if low <= bright < high
        ]
        layer.light(frame.shapes_of(chosen), (1.0, 0.98, 0.93), (low + high) / 2)
    if many:
        _lay_milky_way(scene, layer)


def _lay_milky_way(scene: Scene, layer: Layer) -> None:
    stage, frame, palette = scene.stage, scene.frame, scene.palette
    rng = scene.rng("milky way")
    turn = float(rng.uniform(0.5, 1.0)) * float(rng.choice([-1, 1]))
    x0, y0 = 0.5 * stage.width, 0.35 * stage.horizon
    noise = clouds(rng, frame.shape, cell=stage.unit * 0.22, octaves=4)
    patch = frame.everything()
    xs, ys = patch.grid()
    across = (xs - x0) * math.sin(turn) - (ys - y0) * math.cos(turn)
    band = np.exp(-((across / (0.17 * stage.unit)) ** 2)) * noise**2
    layer.light(patch.times(band), mix(palette.glow, palette.accent, 0.25), 0.5)


def _lay_aurora(scene: Scene, layer: Layer) -> None:
    stage, frame, palette = scene.stage, scene.frame, scene.palette
    rng = scene.rng("aurora")
    hues: list[Colour] = [palette.tone(0.75), palette.accent, relight(palette.tone(0.6), turn=0.1)]
    patch = frame.everything()
    xs, ys = patch.grid()
    for number, hue in enumerate(hues):
        phase, waves = rng.uniform(0, math.tau), rng.uniform(0.7, 1.4)
        foot = stage.horizon * (0.78 - 0.17 * number) + 0.08 * stage.unit * (
            np.sin(xs / stage.width * math.tau * waves + phase)
            + 0.5 * np.sin(xs / stage.width * math.tau * waves * 2.3 + phase * 2)
        )
        tall = 0.42 * stage.horizon
        rays = clouds(rng, (1, frame.shape[1]), cell=stage.unit * 0.05, octaves=3)
        rise = np.clip((foot - ys) / tall, -0.15, 1.0)
        curtain = np.where(rise < 0, np.exp(-((rise / 0.035) ** 2)), (1 - rise) ** 2.2)
        layer.light(patch.times(curtain * (0.35 + 0.9 * rays)), hue, 0.62 - 0.12 * number)


def _lay_haze_bands(scene: Scene, layer: Layer) -> None:
    """Lay thin streaks of cloud along the horizon."""
    stage, frame, palette = scene.stage, scene.frame, scene.palette
    rng = scene.rng("bands")
    noise = clouds(rng, frame.shape, cell=stage.unit * 0.10, octaves=4, stretch=7.0)
    patch = frame.everything()
    _, ys = patch.grid()
    height = np.clip(1 - np.abs(ys - stage.horizon * 0.72) / (stage.horizon * 0.62), 0, 1)
    mask = np.clip((noise - 0.5) * 3.2, 0, 1) * height
    lit = mix(palette.horizon, palette.glow, 0.55)
    layer.fill(patch.times(mask), lit, 0.32 if stage.hour != "night" else 0.10)


def _draw_clouds(scene: Scene) -> None:
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("clouds")
    layer = scene.layer(0.06, drift=stage.unit * 0.006)
    for _ in range(int(rng.integers(2, 5))):
        wide = stage.unit * float(rng.uniform(0.35, 0.95))
        x = float(rng.uniform(-0.05, 1.05)) * stage.width
        y = stage.horizon * float(rng.uniform(0.18, 0.8))
        cloud = _cloud(scene, rng, x=x, y=y, wide=wide)
        top, low = float(cloud.y), y + wide * 0.03
        light = mix(palette.horizon, palette.glow, 0.6)
        shade = mix(palette.zenith, palette.horizon, 0.45)
        night = stage.hour == "night"
        if night:
            light, shade = mix(palette.zenith, palette.horizon, 0.75), palette.zenith
        layer.fill(cloud, linear((0, top), (0, low), light, shade), 0.34 if night else 0.62)


def _cloud(scene: Scene, rng: np.random.Generator, *, x: float, y: float, wide: float) -> Patch:
    """Return one long flat-footed cloud that fades out below."""
    puffs: list[Points] = []
    for place in np.linspace(-0.5, 0.5, 9):
        swell = math.cos(place * math.pi) ** 0.8
        radius = wide * (0.045 + 0.105 * swell * float(rng.uniform(0.45, 1.0)))
        puffs.append(circle(x + place * wide, y - radius * 0.35, radius, squash=0.8))
    base = curve(
        points(
            (x - 0.62 * wide, y), (x, y - 0.05 * wide), (x + 0.62 * wide, y), (x, y + 0.03 * wide)
        ),
        closed=True,
    )
    cloud = scene.frame.shapes_of([*puffs, base])
    tall = 0.2 * wide

    def fade(_xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
        return np.clip((y + 0.02 * wide - ys) / tall + 0.12, 0, 1) ** 0.8

    return scene.frame.blurred(cloud.faded(fade), scene.unit * 0.004)


def haze(scene: Scene, layer: Layer, y: float, tall: float, strength: float) -> None:
    """Let a band of mist stand in the layer, densest at y."""
    palette = scene.palette
    patch = scene.frame.everything()

    def dense(_xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
        return np.exp(-(((ys - y) / tall) ** 2))

    lit = mix(palette.horizon, palette.glow, 0.3)
    layer.fill(patch.faded(dense), toned(lambda xs, ys: xs * 0 + ys * 0 + 0.5, lit, lit), strength)
