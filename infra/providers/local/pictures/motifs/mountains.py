"""Mountain ranges."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.foregrounds import draw_meadow
from infra.providers.local.pictures.motifs.skies import haze
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.scene import Scene


def draw_mountains(scene: Scene) -> None:
    """Draw ranges that pale into the distance, the front one with lit and shaded faces."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("mountains")
    scale = {"wide": 0.8, "medium": 1.0, "close": 1.35}[stage.view]
    for number, share in enumerate((0.0, 0.33, 0.66)):
        layer = scene.layer(0.10 + 0.09 * number)
        tall = scale * stage.horizon * (0.36 + 0.10 * number) * float(rng.uniform(0.75, 1.1))
        foot = stage.horizon + (0.02 + 0.05 * number) * stage.height
        tint = mix(palette.far, palette.middle, share)
        tint = mix(tint, palette.horizon, 0.42 - 0.32 * share)
        _range(scene, layer, rng, foot=foot, tall=tall, tint=tint, detail=number)
        haze(scene, layer, foot + 0.03 * stage.height, 0.09 * stage.height, 0.0)
    draw_meadow(scene, depth=0.42, y=stage.horizon + 0.12 * stage.height)


def _range(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    foot: float,
    tall: float,
    tint: Colour,
    detail: int,
) -> None:
    frame, stage, palette = scene.frame, scene.stage, scene.palette
    peaks = _peaks(scene, rng, foot=foot, tall=tall, spacing=(0.30 + 0.08 * detail) * stage.unit)
    outline = _rough(rng, peaks, stage.unit * 0.018)
    body = np.concatenate(
        [outline, points((frame.right + 9, frame.bottom), (frame.left - 9, frame.bottom))]
    )
    mass = frame.shape_of(body)
    top = foot - tall
    air = mix(tint, palette.horizon, 0.55)
    layer.fill(
        mass, linear((0, top), (0, foot + 0.12 * stage.height), tint, mix(tint, air, 0.35), air)
    )
    toward = 1 if stage.light_x > stage.width / 2 else -1
    dark, light = relight(tint, lift=-0.055), relight(mix(tint, palette.glow, 0.28), lift=0.02)
    shaded: list[Points] = []
    lit: list[Points] = []
    caps: list[Points] = []
    for index in range(1, len(peaks) - 1, 2):
        faces = _faces(rng, peaks, index, toward=toward, foot=foot)
        shaded.append(faces[0])
        lit.append(faces[1])
        caps.append(faces[2])
    fade = 0.5 + 0.25 * detail
    down = linear((0, top), (0, foot), dark, mix(dark, air, 0.6))

    def sink(_xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
        return np.clip(1.15 - (ys - top) / (0.95 * tall), 0, 1)

    layer.tint(frame.shapes_of(shaded).inside(mass).faded(sink), down, min(1.25 * fade, 1))
    layer.tint(frame.shapes_of(lit).inside(mass).faded(sink), light, 0.5 * fade)
    if "snow" in stage.skies or detail > 1 or chance(rng, 0.4):
        snow = mix(palette.paper, palette.horizon, 0.35 + (0.3 if stage.is_dark else 0.0))
        covered = frame.shapes_of(caps).inside(mass)
        layer.tint(
            covered, linear((0, top), (0, top + tall * 0.5), snow, mix(snow, tint, 0.5)), 0.85
        )
        layer.tint(covered.inside(frame.shapes_of(shaded)), dark, 0.38)


def _peaks(
    scene: Scene, rng: np.random.Generator, *, foot: float, tall: float, spacing: float
) -> Points:
    """Return valley, peak, valley, peak … from edge to edge; the highest near the subject."""
    frame, stage = scene.frame, scene.stage
    corners: list[tuple[float, float]] = []
    x = frame.left - spacing * float(rng.uniform(0.6, 1.2))
    crown = stage.hero_x + float(rng.uniform(-0.15, 0.15)) * stage.width
    while x < frame.right + spacing * 1.5:
        corners.append((x, foot - tall * float(rng.uniform(0.05, 0.3))))
        near = math.exp(-(((x + spacing / 2 - crown) / (0.33 * stage.width)) ** 2))
        high = tall * (0.45 + 0.55 * near) * float(rng.uniform(0.72, 1.05))
        step = spacing * float(rng.uniform(0.7, 1.25)) * (0.7 + 0.6 * near)
        corners.append((x + step * float(rng.uniform(0.38, 0.62)), foot - high))
        x += step
    corners.append((x, foot))
    return np.array(corners)


def _rough(rng: np.random.Generator, corners: Points, amount: float) -> Points:
    """Return the line through the corners, broken finer and finer."""
    line = corners
    for _ in range(4):
        middle = (line[:-1] + line[1:]) / 2
        middle[:, 1] += rng.uniform(-amount, amount, len(middle))
        middle[:, 0] += rng.uniform(-amount, amount, len(middle)) * 0.5
        woven = np.empty((len(line) + len(middle), 2))
        woven[0::2], woven[1::2] = line, middle
        line, amount = woven, amount * 0.52
    return line


def _faces(
    rng: np.random.Generator, peaks: Points, index: int, *, toward: int, foot: float
) -> tuple[Points, Points, Points]:
    """Return the shaded face, the lit face and the snow cap of one peak."""
    peak, left, right = peaks[index], peaks[index - 1], peaks[index + 1]
    lean = toward * 0.16 * (right[0] - left[0])
    spine = [peak]
    for step in range(1, 7):
        share = step / 6
        wander = float(rng.uniform(-0.10, 0.10)) * (right[0] - left[0]) * (1 - 0.4 * share)
        spine.append(
            np.array([peak[0] + lean * share + wander, peak[1] + (foot - peak[1]) * share])
        )
    ridge_line = np.array(spine)
    away, near = (left, right) if toward > 0 else (right, left)
    shaded = np.concatenate([ridge_line, points((away[0], foot), (away[0], away[1]))])
    lit = np.concatenate([ridge_line, points((near[0], foot), (near[0], near[1]))])
    depth = float(rng.uniform(0.26, 0.42))
    zigzag: list[tuple[float, float]] = []
    for step in range(9):
        share = step / 8
        edge_left, edge_right = peak + (left - peak) * depth, peak + (right - peak) * depth
        place = edge_left + (edge_right - edge_left) * share
        jag = (
            (0.16 if step % 2 else -0.10)
            * abs(foot - peak[1])
            * depth
            * float(rng.uniform(0.6, 1.5))
        )
        zigzag.append((place[0], place[1] + jag))
    cap = np.concatenate([points((peak[0], peak[1] - 4)), np.array(zigzag)[::-1]])
    return shaded, lit, cap
