"""What moves by itself: steam, rain, snow, dust and sparks."""

import math

import numpy as np

from infra.providers.local.pictures.colour import mix
from infra.providers.local.pictures.geometry import Points, circle, points, ribbon
from infra.providers.local.pictures.noise import Field, clouds
from infra.providers.local.pictures.raster import Frame, Patch
from infra.providers.local.pictures.scene import Pulse, Scene, Stream


def draw_steam(scene: Scene, *, x: float, y: float, wide: float, tall: float) -> None:
    """Let wisps rise from (x, y) and thin out."""
    rng = scene.rng("steam", round(x))
    size = (int(tall), max(int(wide * 3), 8))
    tile = endless(clouds(rng, (size[0], size[1]), cell=wide * 0.9, octaves=3, stretch=0.5))
    tile = np.clip((tile - 0.48) * 3.4, 0, 1)
    rows = np.linspace(1, 0, size[0], dtype=np.float32)[:, None]
    columns = np.linspace(-1, 1, size[1], dtype=np.float32)[None, :]
    spread = 0.22 + 0.5 * rows
    mask = np.exp(-((columns / spread) ** 2)) * np.clip((1 - rows) * 6, 0, 1) ** 0.5
    mask *= np.clip(1.0 - rows, 0, 1) ** 0.6 * np.clip(rows * 9, 0, 1)
    envelope = scene.frame.clipped(
        Patch(round(x - size[1] / 2), round(y - tall), mask.astype(np.float32))
    )
    lit = mix(scene.palette.glow, scene.palette.paper, 0.5)
    scene.add(
        Stream(
            tile=tile,
            colour=lit,
            opacity=0.55,
            speed=(tall * 0.012, -tall * 0.16),
            depth=0.56,
            through=envelope,
        )
    )


def draw_weather(scene: Scene) -> bool:
    """Let it rain or snow where the words say so; tell whether anything falls."""
    skies = set(scene.stage.skies)
    if skies & {"rain", "storm"}:
        _rain(scene)
    elif "snow" in skies:
        _snow(scene)
    return bool(skies & {"rain", "storm", "snow"})


def _rain(scene: Scene) -> None:
    unit, palette = scene.unit, scene.palette
    for number, (count, size, speed) in enumerate(((170, 0.6, 1.2), (70, 1.1, 1.9))):
        rng = scene.rng("rain", number)
        tile = _tile(scene)
        streaks: list[Points] = []
        for _ in range(count):
            x, y = float(rng.uniform(0, tile.width)), float(rng.uniform(0, tile.height))
            long = unit * 0.05 * size * float(rng.uniform(0.6, 1.3))
            for dx, dy in _wraps(tile, long):
                streaks.append(
                    ribbon(
                        points((x + dx, y + dy), (x + dx - long * 0.16, y + dy + long)),
                        np.array([0.4, 0.0022 * size * unit]),
                    )
                )
        scene.add(
            Stream(
                tile=tile.shapes_of(streaks).sampled_like(tile.everything()),
                colour=mix(palette.glow, palette.paper, 0.5),
                opacity=0.16 + 0.10 * number,
                speed=(-unit * speed * 0.16, unit * speed),
                depth=0.7 + 0.25 * number,
            )
        )


def _snow(scene: Scene) -> None:
    unit, palette = scene.unit, scene.palette
    flurries = ((230, 0.0022, 0.05, 0.5), (110, 0.0044, 0.09, 0.5), (26, 0.010, 0.16, 0.9))
    for number, (count, size, speed, softness) in enumerate(flurries):
        rng = scene.rng("snow", number)
        tile = _tile(scene)
        flakes: list[Points] = []
        for _ in range(count):
            x, y = float(rng.uniform(0, tile.width)), float(rng.uniform(0, tile.height))
            radius = unit * size * float(rng.uniform(0.5, 1.2))
            flakes += [circle(x + dx, y + dy, radius) for dx, dy in _wraps(tile, radius)]
        mask = tile.shapes_of(flakes)
        soft = tile.blurred(mask, unit * size * softness)
        scene.add(
            Stream(
                tile=soft.sampled_like(tile.everything()),
                colour=palette.paper,
                opacity=1.28 - 0.75 * softness,
                speed=(unit * speed * 0.35, unit * speed),
                depth=0.45 + 0.25 * number,
            )
        )


def draw_dust(scene: Scene) -> None:
    """Let dust float in the light."""
    unit, palette = scene.unit, scene.palette
    rng = scene.rng("dust")
    tile = _tile(scene)
    specks: list[Points] = []
    for _ in range(46):
        x, y = float(rng.uniform(0, tile.width)), float(rng.uniform(0, tile.height))
        radius = unit * 0.0024 * float(rng.uniform(0.4, 1.5))
        specks += [circle(x + dx, y + dy, radius) for dx, dy in _wraps(tile, radius)]
    mask = tile.blurred(tile.shapes_of(specks), unit * 0.0016).sampled_like(tile.everything())
    stage = scene.stage
    glow = scene.frame.glow(
        stage.light_x, stage.light_y, 0.62 * max(stage.width, stage.height), power=0.8
    )
    scene.add(
        Stream(
            tile=mask,
            colour=palette.glow,
            opacity=0.5,
            speed=(unit * 0.012, -unit * 0.016),
            depth=0.8,
            through=glow,
        )
    )


def draw_sparks(scene: Scene, *, x: float, y: float, wide: float, tall: float) -> None:
    """Let sparks rise from a fire."""
    rng = scene.rng("sparks")
    tile = Frame(max(int(wide * 2), 16), max(int(tall), 16))
    dots: list[Points] = []
    for _ in range(38):
        px, py = float(rng.uniform(0, tile.width)), float(rng.uniform(0, tile.height))
        radius = scene.unit * 0.0022 * float(rng.uniform(0.5, 1.4))
        dots += [circle(px + dx, py + dy, radius) for dx, dy in _wraps(tile, radius)]
    mask = tile.shapes_of(dots).sampled_like(tile.everything())
    rows = np.linspace(0, 1, tile.height, dtype=np.float32)[:, None]
    columns = np.linspace(-1, 1, tile.width, dtype=np.float32)[None, :]
    shape = np.clip(1 - np.abs(columns) / (0.35 + 0.65 * (1 - rows)), 0, 1) * rows**0.7
    through = Patch(round(x - tile.width / 2), round(y - tall), shape.astype(np.float32))
    through = scene.frame.clipped(through)
    scene.add(
        Stream(
            tile=mask,
            colour=mix(scene.palette.glow, (1.0, 0.55, 0.2), 0.5),
            opacity=0.95,
            speed=(scene.unit * 0.012, -tall * 0.3),
            depth=0.58,
            through=through,
        )
    )


def draw_flicker(scene: Scene, *, x: float, y: float, radius: float, strength: float) -> None:
    """Let warm light around a flame swell and fade."""
    warm = mix(scene.palette.glow, (1.0, 0.62, 0.25), 0.55)
    scene.add(
        Pulse(
            patch=scene.frame.glow(x, y, radius, power=2.0),
            colour=warm,
            low=strength * 0.7,
            high=strength,
            period_s=0.9,
            depth=0.56,
        )
    )


def _tile(scene: Scene) -> Frame:
    """Return a frame for a tile; its sides are not the picture's, so its repeats do not show."""
    return Frame(int(scene.stage.width * 0.83), int(scene.stage.height * 0.91))


def _wraps(tile: Frame, reach: float) -> list[tuple[float, float]]:
    """Return the shifts that make a shape near an edge come in again on the other side."""
    _ = reach
    return [
        (dx, dy) for dx in (-tile.width, 0, tile.width) for dy in (-tile.height, 0, tile.height)
    ]


def endless(tile: Field) -> Field:
    """Return the tile blended with itself so that its ends meet in both directions."""
    height, width = tile.shape
    rows = 0.5 - 0.5 * np.cos(np.linspace(0, math.tau, height, endpoint=False))[:, None]
    columns = 0.5 - 0.5 * np.cos(np.linspace(0, math.tau, width, endpoint=False))[None, :]
    down = tile * rows + np.roll(tile, height // 2, axis=0) * (1 - rows)
    return (down * columns + np.roll(down, width // 2, axis=1) * (1 - columns)).astype(np.float32)
