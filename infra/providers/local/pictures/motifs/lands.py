"""Lands that fill the frame: mountains, sea, forest, desert and hills."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, circle, curve, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.foregrounds import draw_meadow
from infra.providers.local.pictures.motifs.skies import haze
from infra.providers.local.pictures.noise import clouds, ridge
from infra.providers.local.pictures.scene import Scene, Sway


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
    shaded, lit, caps = [], [], []
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
    if "snow" in stage.skies or detail == 2 or rng.random() < 0.4:
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
    zigzag = []
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


def ground_under(scene: Scene, xs: NDArray[np.float64], line: NDArray[np.float64]) -> Points:
    """Return everything below a line that runs from edge to edge."""
    frame = scene.frame
    return np.concatenate(
        [
            np.stack([xs, line], axis=1),
            points((frame.right + 9, frame.bottom + 9), (frame.left - 9, frame.bottom + 9)),
        ]
    )


def draw_hills(scene: Scene) -> None:
    """Draw rolling fields with hedges, single trees and furrows."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("hills")
    count = 5
    for number in range(count):
        share = number / (count - 1)
        y = (
            stage.horizon
            + (share**1.5) * 0.30 * (stage.height - stage.horizon)
            + 0.01 * stage.height
        )
        y -= (1 - share) * 0.07 * stage.height
        layer = scene.layer(0.12 + 0.30 * share)
        xs = np.linspace(frame.left - 5, frame.right + 5, 120)
        swell = (0.075 - 0.025 * share) * stage.height
        cell = (0.55 + 0.5 * share) * stage.unit
        line = y - swell * ridge(rng, xs, cell=cell, octaves=2, gain=0.28)
        mass = frame.shape_of(ground_under(scene, xs, line))
        tint = mix(palette.far, palette.middle, min(share * 1.8, 1))
        tint = mix(tint, palette.near, max(share * 1.6 - 0.6, 0))
        tint = mix(tint, palette.horizon, 0.40 * (1 - share))
        top = float(line.min())
        light = mix(tint, palette.glow, 0.26)
        layer.fill(
            mass,
            linear(
                (0, top), (0, top + 0.22 * stage.height), light, tint, relight(tint, lift=-0.05)
            ),
        )
        layer.rim(mass, stage.toward_light(stage.hero_x, y), 0.008 * stage.unit, palette.glow, 0.30)
        if number in (1, 2, 3):
            _furrows(scene, layer, rng, xs=xs, line=line, tint=tint)
        _copse(scene, layer, rng, xs=xs, line=line, tint=tint, share=share)
    draw_meadow(scene, depth=0.46, y=stage.horizon + 0.52 * (stage.height - stage.horizon))


def _furrows(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    xs: NDArray[np.float64],
    line: NDArray[np.float64],
    tint: Colour,
) -> None:
    """Draw the plough lines of one field on a hill."""
    stage, frame = scene.stage, scene.frame
    start = int(rng.integers(0, len(xs) - 50))
    field = slice(start, start + int(rng.integers(25, 50)))
    strokes = []
    for row in range(1, 9):
        drop = row**1.35 * 0.0075 * stage.height
        bend = np.stack([xs[field] + row * 0.02 * stage.unit, line[field] + drop], axis=1)
        strokes.append((bend, 0.0012 * stage.unit * (1 + 0.35 * row)))
    layer.tint(frame.lines(strokes), relight(tint, lift=-0.05), 0.5)


def _copse(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    xs: NDArray[np.float64],
    line: NDArray[np.float64],
    tint: Colour,
    share: float,
) -> None:
    """Set small round or pointed trees along the hill."""
    stage, frame, palette = scene.stage, scene.frame, scene.palette
    size = (0.010 + 0.030 * share) * stage.unit
    crowns, shadows = [], []
    groups = rng.uniform(frame.left, frame.right, int(rng.integers(2, 5)))
    for group in groups:
        for _ in range(int(rng.integers(1, 6))):
            x = float(group + rng.normal(0, size * 3.2))
            if abs(x - stage.hero_x) < 0.5 * stage.hero_size and share > 0.6:
                continue
            y = float(np.interp(x, xs, line)) + size * float(rng.uniform(0.1, 1.2))
            tall = size * float(rng.uniform(0.8, 1.6))
            crowns.append(_crown(rng, x, y, tall))
            shadows.append(circle(x + tall * 0.3, y, tall * 0.55, squash=0.22))
    dark = mix(palette.deep, tint, 0.35 + 0.25 * (1 - share))
    layer.tint(frame.shapes_of(shadows), dark, 0.3)
    trees = frame.shapes_of(crowns)
    layer.fill(trees, dark)
    layer.rim(
        trees, stage.toward_light(stage.hero_x, stage.horizon), size * 0.18, palette.glow, 0.5
    )


def _crown(rng: np.random.Generator, x: float, y: float, tall: float) -> Points:
    if rng.random() < 0.35:
        return curve(
            points(
                (x - tall * 0.22, y),
                (x - tall * 0.2, y - tall),
                (x, y - tall * 1.9),
                (x + tall * 0.2, y - tall),
                (x + tall * 0.22, y),
            ),
            closed=True,
            steps=5,
        )
    return circle(x, y - tall * 0.62, tall * 0.66, squash=1.05)


def draw_desert(scene: Scene) -> None:
    """Draw dunes with sharp crests, one side in light and one in shade."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("desert")
    toward = 1 if stage.light_x > stage.width / 2 else -1
    count = 5
    for number in range(count):
        share = number / (count - 1)
        layer = scene.layer(0.12 + 0.34 * share)
        y = stage.horizon + share**1.4 * 0.42 * (stage.height - stage.horizon)
        tint = mix(palette.far, palette.middle, min(1.6 * share, 1))
        tint = mix(
            mix(tint, palette.near, max(1.5 * share - 0.75, 0)), palette.horizon, 0.45 * (1 - share)
        )
        light = relight(mix(tint, palette.glow, 0.42), lift=0.02)
        dark = relight(mix(tint, palette.deep, 0.34), lift=-0.02)
        xs = np.linspace(frame.left - 9, frame.right + 9, 200)
        swell = (0.05 + 0.075 * share) * stage.height
        line = y - swell * ridge(
            rng, xs, cell=(0.75 + 0.7 * share) * stage.unit, octaves=1, gain=0.2
        )
        mass = frame.shape_of(ground_under(scene, xs, line))
        top = float(line.min())
        layer.fill(mass, linear((0, top), (0, top + 0.30 * stage.height), light, tint, tint))
        for place in _crests(line):
            shade = _slip_face(rng, xs, line, place=place, toward=toward, tall=swell * 2.4)
            clipped = frame.shape_of(shade).inside(mass).faded(_sinking(line[place], swell * 2.4))
            layer.tint(
                clipped, linear((0, line[place]), (0, line[place] + swell * 2.6), dark, tint), 0.85
            )
        _ripples(scene, layer, rng, y=y, share=share, tint=tint)
        grit = clouds(rng, frame.shape, cell=0.006 * stage.unit + 1.5, octaves=2)
        layer.tint(frame.everything().times(grit), relight(tint, lift=0.05), 0.10)


def _sinking(top: float, tall: float) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Return a strength that is full at the top and gone `tall` pixels below."""

    def strength(_xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
        return np.clip(1 - (ys - top) / tall, 0, 1) ** 0.6

    return strength


def _crests(line: NDArray[np.float64]) -> list[int]:
    inner = line[2:-2]
    peaks = (inner < line[1:-3]) & (inner <= line[3:-1])
    return [int(index) + 2 for index in np.flatnonzero(peaks)]


def _slip_face(
    rng: np.random.Generator,
    xs: NDArray[np.float64],
    line: NDArray[np.float64],
    *,
    place: int,
    toward: int,
    tall: float,
) -> Points:
    """Return the side of a dune that lies in its own shade, behind a winding crest."""
    step = -toward
    last = place
    while 0 <= last + step < len(line) and line[last + step] >= line[last] - 1e-9:
        last += step
    crest = [(xs[k], line[k] - 1) for k in range(place, last + step, step)]
    x0, y0 = xs[place], line[place]
    reach = max(abs(xs[last] - x0), 1.0)
    bend = float(rng.uniform(0.10, 0.24)) * reach * step
    spine = [
        (x0 + bend * math.sin(t * 3.0) + step * reach * 0.62 * t**1.5, y0 + tall * t**0.9)
        for t in np.linspace(1, 0, 18)
    ]
    return np.array([*crest, (xs[last] + step * 4, y0 + tall), *spine])


def _ripples(
    scene: Scene, layer: Layer, rng: np.random.Generator, *, y: float, share: float, tint: Colour
) -> None:
    stage, frame = scene.stage, scene.frame
    strokes = []
    for row in range(int(4 + 10 * share)):
        base = y + (0.05 + 0.026 * row * (0.4 + share)) * stage.height
        xs = np.linspace(0, 1, 26)
        start = float(rng.uniform(frame.left, frame.right - 0.3 * stage.width))
        span = float(rng.uniform(0.18, 0.5)) * stage.width
        wave = 0.008 * stage.height * np.sin(xs * rng.uniform(4, 9) + rng.uniform(0, 6))
        along = np.stack([start + xs * span, base + wave], axis=1)
        strokes.append((along, 0.0025 * stage.unit * share * np.sin(xs * math.pi) + 0.2))
    layer.tint(frame.lines(strokes), relight(tint, lift=0.06), 0.35)


def draw_sea(scene: Scene) -> None:
    """Draw open water under the light: a far shine, running swell and foam near the eye."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("sea")
    water = scene.layer(0.10)
    deep = mix(palette.near, palette.deep, 0.35)
    far = mix(palette.middle, palette.horizon, 0.5)
    water.fill(
        frame.below(stage.horizon),
        linear((0, stage.horizon), (0, stage.height), far, palette.middle, palette.near, deep),
    )
    _shine(scene, water, rng)
    bands = 7
    for number in range(bands):
        share = number / (bands - 1)
        y = stage.horizon + (0.05 + 0.95 * share**1.6) * (stage.height - stage.horizon) * 0.97
        swing = stage.unit * (0.004 + 0.012 * share)
        sway = Sway(x=swing, y=swing * 0.45, period_s=3.6 + 1.2 * share, phase=1.3 * number)
        layer = scene.layer(0.14 + 0.50 * share, sway=sway)
        _swell(scene, layer, rng, y=y, share=share)


def _swell(scene: Scene, layer: Layer, rng: np.random.Generator, *, y: float, share: float) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    xs = np.linspace(frame.left - 9, frame.right + 9, 260)
    tall = (0.004 + 0.030 * share) * stage.height
    cell = (0.10 + 0.42 * share) * stage.unit
    form = ridge(rng, xs, cell=cell, octaves=2, gain=0.35)
    line = y - tall * (np.abs(form) ** 0.8 * np.sign(form))
    tint = mix(mix(palette.middle, palette.horizon, 0.35), palette.near, share**0.8)
    tint = mix(tint, palette.deep, 0.35 * share)
    thick = (0.03 + 0.16 * share) * stage.height
    mass = frame.shape_of(ground_under(scene, xs, line))

    def fade(_xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
        return np.clip(1 - (ys - y) / thick, 0, 1)

    mass = mass.faded(fade) if share < 1 else mass
    crest = mix(tint, palette.horizon, 0.42)
    layer.fill(mass, linear((0, y - tall), (0, y + thick), crest, tint, tint), 0.85)
    strokes = []
    for _ in range(int(10 + 16 * (1 - share))):
        middle = float(rng.uniform(frame.left, frame.right))
        span = cell * float(rng.uniform(0.3, 1.1))
        part = np.linspace(middle - span / 2, middle + span / 2, 16)
        lower = float(rng.uniform(0, 1.0)) ** 2 * thick * 0.55
        along = np.stack([part, np.interp(part, xs, line) + lower], axis=1)
        strokes.append(
            (along, stage.unit * 0.0055 * (0.15 + share) * np.sin(np.linspace(0, math.pi, 16)))
        )
    near_light = mix(palette.glow, palette.horizon, 0.3)
    layer.tint(frame.lines(strokes), near_light, 0.5)


def _shine(scene: Scene, layer: Layer, rng: np.random.Generator) -> None:
    """Lay the path of light on the water below the sun or moon."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    strokes = []
    depth = stage.height - stage.horizon
    count = 260 if stage.hour != "grey" else 90
    for place in rng.random(count) ** 1.7:
        y = stage.horizon + (0.008 + 0.99 * place) * depth
        spread = stage.unit * (0.04 + 0.20 * place) * (1.7 if stage.hour == "grey" else 1.0)
        x = stage.light_x + float(rng.normal(0, 1)) * spread * 0.6
        span = stage.unit * (0.006 + 0.055 * place) * float(rng.uniform(0.4, 1.5))
        thick = stage.unit * (0.0009 + 0.0055 * place)
        along = np.stack([np.linspace(x - span, x + span, 9), np.full(9, y)], axis=1)
        strokes.append((along, thick * np.sin(np.linspace(0, math.pi, 9)) + 0.1))
    strength = {"dusk": 0.9, "dawn": 0.85, "night": 0.7, "day": 0.55, "grey": 0.25}[stage.hour]
    glint = mix(palette.glow, palette.accent, 0.18 if stage.is_dark else 0.0)
    layer.light(frame.glow(stage.light_x, stage.horizon, 0.6 * stage.unit, power=2), glint, 0.35)
    layer.tint(frame.lines(strokes), glint, strength)


def draw_forest(scene: Scene) -> None:
    """Draw rows of firs that sink into mist."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("forest")
    rows = 5
    for number in range(rows):
        share = number / (rows - 1)
        layer = scene.layer(0.12 + 0.40 * share)
        y = stage.horizon + (share**1.3) * 0.42 * (stage.height - stage.horizon)
        tall = (0.10 + 0.30 * share**1.2) * stage.height
        if stage.view == "wide":
            tall *= 0.75
        tint = mix(palette.far, palette.middle, min(1.5 * share, 1))
        tint = mix(tint, palette.near, max(2 * share - 1, 0))
        tint = mix(tint, palette.horizon, 0.5 * (1 - share) ** 1.3)
        _firs(scene, layer, rng, y=y, tall=tall, tint=tint, share=share)
        if share < 1:
            haze(scene, layer, y + 0.02 * stage.height, 0.085 * stage.height, 0.42)
    draw_meadow(scene, depth=0.55, y=stage.horizon + 0.62 * (stage.height - stage.horizon))


def _firs(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    y: float,
    tall: float,
    tint: Colour,
    share: float,
) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    xs = np.linspace(frame.left - 9, frame.right + 9, 60)
    line = y - 0.02 * stage.height * ridge(rng, xs, cell=0.6 * stage.unit, octaves=2, gain=0.4)
    trees: list[Points] = []
    x = frame.left - tall * 0.3
    while x < frame.right + tall * 0.3:
        gap = abs(x - stage.hero_x) / max(stage.hero_size, 1)
        shrink = 1.0 if share < 0.7 or not stage.subjects else min(0.18 + gap * 0.75, 1.0)
        size = tall * float(rng.uniform(0.55, 1.15)) * shrink
        trees.append(_fir(rng, x, float(np.interp(x, xs, line)) + 0.02 * tall, size))
        x += tall * float(rng.uniform(0.10, 0.30))
    mass = frame.shapes_of([*trees, ground_under(scene, xs, line)])
    low = mix(tint, palette.deep, 0.25 * share)
    layer.fill(mass, linear((0, y - tall), (0, y + 0.15 * stage.height), tint, low))
    layer.rim(
        mass, stage.toward_light(stage.hero_x, y - tall), 0.006 * stage.unit, palette.glow, 0.22
    )


def _fir(rng: np.random.Generator, x: float, y: float, tall: float) -> Points:
    tiers = 7
    width = tall * float(rng.uniform(0.15, 0.21))
    left, right = [(x, y - tall)], []
    for tier in range(1, tiers + 1):
        share = tier / tiers
        reach = width * share**0.9 * float(rng.uniform(0.8, 1.12))
        level = y - tall * (1 - share * 0.94)
        left.append((x - reach, level + tall * 0.012))
        left.append((x - reach * 0.55, level - tall * 0.004))
        right.append((x + reach * float(rng.uniform(0.85, 1.1)), level + tall * 0.012))
        right.append((x + reach * 0.55, level - tall * 0.004))
    trunk = [
        (x - width * 0.10, y - tall * 0.06),
        (x - width * 0.10, y),
        (x + width * 0.10, y),
        (x + width * 0.10, y - tall * 0.06),
    ]
    return np.array(left + trunk + right[::-1])
