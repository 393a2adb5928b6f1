"""Weather that the words name: storm clouds, fog and wind."""

import math

import numpy as np

from infra.providers.local.pictures.colour import mix, relight
from infra.providers.local.pictures.geometry import Points, curve, moved, points, ribbon
from infra.providers.local.pictures.layer import toned
from infra.providers.local.pictures.motifs.living import endless
from infra.providers.local.pictures.noise import Field, clouds
from infra.providers.local.pictures.raster import Frame, Patch
from infra.providers.local.pictures.scene import Scene, Stream

_BARE_OF_LEAVES = frozenset({"sea", "beach", "harbour", "desert", "lake"})


def draw_storm_sky(scene: Scene) -> None:
    """Hang two banks of heavy cloud into the sky, torn below, with rain falling from them."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("storm")
    for number in range(2):
        layer = scene.layer(0.04 + 0.04 * number, drift=stage.unit * (0.010 + 0.010 * number))
        noise = clouds(
            rng, frame.shape, cell=stage.unit * (0.42 - 0.14 * number), octaves=5, stretch=2.0
        )
        foot = stage.horizon * (0.88 - 0.30 * number)

        def mass(_xs: Field, ys: Field, noise: Field = noise, foot: float = foot) -> Field:
            return np.clip(
                (noise - 0.30 - 0.55 * np.clip(ys / foot, 0, 1.6) ** 2.2 + 0.12) * 4.2, 0, 1
            )

        def tone(xs: Field, ys: Field, noise: Field = noise) -> Field:
            drop = max(round(0.03 * stage.unit), 1)
            lit = np.pad(noise, ((drop, 0), (0, 0)), mode="edge")[:-drop]
            rows, columns = slice(0, ys.shape[0]), slice(0, xs.shape[1])
            return 0.45 + 2.2 * (noise - lit)[rows, columns] + 0.25 * (noise[rows, columns] - 0.5)

        dark = mix(palette.zenith, palette.deep, 0.62 - 0.12 * number)
        light = relight(mix(palette.zenith, palette.horizon, 0.42), lift=-0.02)
        layer.fill(
            frame.everything().faded(mass), toned(tone, dark, mix(dark, light, 0.5), light), 0.94
        )
    _shafts(scene, rng)


def _shafts(scene: Scene, rng: np.random.Generator) -> None:
    """Let grey curtains of rain stand under the clouds, far off."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.09, drift=stage.unit * 0.012)
    for _ in range(4):
        x = float(rng.uniform(0.05, 0.95)) * stage.width
        wide = stage.unit * float(rng.uniform(0.10, 0.26))
        top, lean = 0.40 * stage.horizon, 0.10 * stage.unit
        curtain = frame.shape_of(
            points(
                (x, top),
                (x + wide, top),
                (x + wide - lean, stage.horizon + 4),
                (x - lean, stage.horizon + 4),
            )
        )
        soft = frame.blurred(curtain, 0.030 * stage.unit)
        layer.fill(soft, mix(palette.zenith, palette.deep, 0.35), 0.34)


def draw_mist(scene: Scene, *, near: bool) -> None:
    """Let fog lie over what is drawn so far: over the land, or thinner before the subject."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("mist", near)
    lit = mix(palette.horizon, palette.glow, 0.25)
    if stage.hour == "night":
        lit = mix(palette.horizon, palette.zenith, 0.3)
    depth = 0.66 if near else 0.44
    layer = scene.layer(depth, drift=stage.unit * (0.012 if near else 0.006))
    noise = clouds(rng, frame.shape, cell=stage.unit * 0.30, octaves=4, stretch=3.2)
    middle = stage.horizon + (0.24 if near else -0.04) * stage.height
    tall = (0.15 if near else 0.30) * stage.height

    def dense(_xs: Field, ys: Field) -> Field:
        band = np.exp(-(((ys - middle) / tall) ** 2))
        return np.clip(band * (0.55 + 0.9 * noise), 0, 1)

    layer.fill(frame.everything().faded(dense), lit, 0.48 if near else 0.86)
    tile = endless(
        clouds(
            rng,
            (int(0.5 * stage.height), stage.width),
            cell=0.22 * stage.unit,
            octaves=3,
            stretch=3.0,
        )
    )
    rows = np.sin(np.linspace(0, math.pi, tile.shape[0], dtype=np.float32))[:, None]
    through = Patch(0, round(middle - tile.shape[0] / 2), np.ones_like(tile) * rows)
    scene.add(
        Stream(
            tile=np.clip((tile - 0.46) * 2.8, 0, 1),
            colour=lit,
            opacity=0.30,
            speed=(stage.unit * (0.03 if near else 0.018), 0.0),
            depth=depth,
            through=frame.clipped(through),
        )
    )


def draw_ray(scene: Scene) -> None:
    """Let a broad ray of light slant through dusty air."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.74)
    way = 1 if stage.light_x < stage.width / 2 else -1
    x = stage.light_x - way * 0.25 * stage.width
    for number, (start, wide, strength) in enumerate(((0.0, 0.16, 0.30), (0.26, 0.08, 0.22))):
        top = x + way * start * stage.width
        reach = way * (0.62 + 0.06 * number) * stage.width
        ray = points(
            (top, -9),
            (top + way * wide * stage.width, -9),
            (top + reach + way * 2.3 * wide * stage.width, stage.height),
            (top + reach, stage.height),
        )
        soft = frame.blurred(frame.shape_of(ray), 0.018 * stage.unit)
        fading = soft.faded(lambda _xs, ys: np.clip(1.05 - ys / stage.height, 0, 1) ** 0.8)
        layer.fill(fading, mix(palette.glow, palette.paper, 0.3), strength)


def draw_wind(scene: Scene) -> None:
    """Let the wind be seen: long streaks in the air, and leaves or spray that it carries."""
    stage, palette = scene.stage, scene.palette
    unit = stage.unit
    rng = scene.rng("wind")
    tile = Frame(int(stage.width * 1.13), int(stage.height * 0.93))
    streaks: list[Points] = []
    for _ in range(13):
        x, y = float(rng.uniform(0, tile.width)), float(rng.uniform(0.04, 0.96)) * tile.height
        long, bow = unit * float(rng.uniform(0.25, 0.60)), unit * float(rng.normal(0, 0.012))
        line = curve(
            points((x, y), (x + 0.3 * long, y - bow), (x + 0.7 * long, y + bow), (x + long, y)),
            closed=False,
        )
        widths = 0.0024 * unit * np.sin(np.linspace(0, math.pi, len(line))) + 0.1
        streaks += [ribbon(line + np.array([dx, 0.0]), widths) for dx in (-tile.width, 0)]
    carried: list[Points] = []
    leaves = not _BARE_OF_LEAVES & set(stage.lands)
    for _ in range(34 if leaves else 70):
        x, y = float(rng.uniform(0, tile.width)), float(rng.uniform(0.25, 1.0)) * tile.height
        size = unit * float(rng.uniform(0.004, 0.011) if leaves else rng.uniform(0.0008, 0.0024))
        leaf = moved(
            points((-1, 0), (0, -0.4), (1, 0), (0, 0.4)),
            x,
            y,
            scale=size,
            turn=float(rng.normal(0, 0.8)),
        )
        carried += [leaf + np.array([dx, 0.0]) for dx in (-tile.width, 0, tile.width)]
    air = mix(palette.glow, palette.paper, 0.5)
    stuff = mix(palette.accent, palette.near, 0.4) if leaves else palette.paper
    everything = tile.everything()
    for shapes, colour, opacity, speed in (
        (streaks, air, 0.34 if not stage.is_dark else 0.22, 0.55),
        (carried, stuff, 0.8 if leaves else 0.55, 0.40),
    ):
        scene.add(
            Stream(
                tile=tile.shapes_of(shapes).sampled_like(everything),
                colour=colour,
                opacity=opacity,
                speed=(unit * speed, unit * 0.02),
                depth=0.78,
            )
        )
