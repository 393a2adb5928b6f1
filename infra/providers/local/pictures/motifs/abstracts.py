"""Pictures without a thing: planets, sound, networks and plain geometry."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import (
    Points,
    arc,
    box,
    circle,
    curve,
    moved,
    path,
    points,
)
from infra.providers.local.pictures.layer import Layer, linear, radial, toned
from infra.providers.local.pictures.noise import Field, clouds
from infra.providers.local.pictures.scene import Scene, Sway


def draw_planet(scene: Scene) -> None:
    """Draw a ringed or banded planet with a moon before stars and a nebula."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("planet")
    _space(scene, rng)
    radius = stage.hero_size * {"close": 0.72, "medium": 0.42, "wide": 0.26}[stage.view]
    x, y = stage.hero_x, (0.50 if stage.view != "close" else 0.62) * stage.height
    layer = scene.layer(0.5)
    ringed = rng.random() < 0.6
    tilt = float(rng.uniform(-0.45, 0.45))
    if ringed:
        _ring(scene, layer, x=x, y=y, radius=radius, tilt=tilt, front=False)
    layer.fill(frame.glow(x, y, radius * 1.5, power=3.0), palette.accent, 0.35)
    _ball(scene, layer, rng, x=x, y=y, radius=radius, tilt=tilt)
    if ringed:
        _ring(scene, layer, x=x, y=y, radius=radius, tilt=tilt, front=True)
    moon = scene.layer(0.72, sway=Sway(x=0.02 * stage.unit, y=0.006 * stage.unit, period_s=9))
    mx, my = (
        x + radius * float(rng.choice([-1, 1])) * 1.25,
        y - radius * float(rng.uniform(0.5, 1.0)),
    )
    _ball(scene, moon, rng, x=mx, y=my, radius=radius * float(rng.uniform(0.10, 0.2)), tilt=0.0)


def _space(scene: Scene, rng: np.random.Generator) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    sky = scene.layer(0.0)
    deep = relight(palette.tone(0.02), lightness=0.10)
    sky.fill(
        frame.everything(),
        linear(
            (0, 0),
            (stage.width * 0.4, stage.height),
            deep,
            relight(palette.tone(0.2), lightness=0.19),
            deep,
        ),
    )
    for number, hue in enumerate((palette.accent, palette.tone(0.55), palette.second)):
        fog = clouds(rng, frame.shape, cell=(0.75 - 0.15 * number) * stage.unit, octaves=5)
        sky.light(
            frame.everything().times(np.clip((fog - 0.42) * 2.1, 0, 1) ** 1.8),
            hue,
            0.50 - 0.1 * number,
        )
    stars = scene.layer(0.08)
    for size, count, bright in ((0.0008, 420, 0.6), (0.0014, 110, 0.85), (0.0024, 26, 1.0)):
        area = stage.width * stage.height / stage.unit**2
        dots = [
            circle(
                float(rng.uniform(frame.left, frame.right)),
                float(rng.uniform(frame.top, frame.bottom)),
                max(stage.unit * size * float(rng.uniform(0.7, 1.3)), 0.5),
            )
            for _ in range(int(count * area))
        ]
        stars.fill(frame.shapes_of(dots), mix(palette.paper, palette.glow, 0.3), bright)
    for _ in range(4):
        gx, gy = float(rng.uniform(0, stage.width)), float(rng.uniform(0, stage.height))
        stars.fill(frame.glow(gx, gy, 0.03 * stage.unit, power=3), palette.glow, 0.8)


def _ball(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    x: float,
    y: float,
    radius: float,
    tilt: float,
) -> None:
    palette, frame, stage = scene.palette, scene.frame, scene.stage
    mask = frame.disc(x, y, radius)
    if mask.is_empty:
        return
    tones = [
        relight(palette.tone(0.25), lightness=0.34),
        relight(palette.accent, lightness=0.58),
        relight(palette.tone(0.75), lightness=0.78),
        relight(mix(palette.accent, palette.tone(0.5), 0.5), lightness=0.5),
        relight(palette.tone(0.9), lightness=0.90),
    ]
    order = [tones[k] for k in rng.permutation(5).tolist()]
    warp = clouds(rng, frame.shape, cell=max(radius * 0.5, 4), octaves=4, stretch=2.2)
    side = 1 if stage.light_x > x else -1
    light = np.array([0.74 * side, -0.46, 0.49])

    xs, ys = mask.grid()
    u, v = (xs - x) / radius, (ys - y) / radius
    front = np.sqrt(np.clip(1 - u**2 - v**2, 0, 1))
    inside = warp[
        mask.y + frame.margin : mask.y + frame.margin + mask.mask.shape[0],
        mask.x + frame.margin : mask.x + frame.margin + mask.mask.shape[1],
    ]
    band = (v * math.cos(tilt) - u * math.sin(tilt)) * 0.5 + 0.5 + (inside - 0.5) * 0.16
    facing = np.clip(u * light[0] + v * light[1] + front * light[2], 0, 1)
    layer.fill(mask, toned(lambda _x, _y: band, *order))
    night = np.clip(1.05 - facing * 1.35, 0, 1) ** 1.2
    layer.tint(
        mask.times(night.astype(np.float32)), relight(palette.tone(0.0), lightness=0.09), 0.96
    )
    layer.light(
        mask.times((np.clip(1 - front * 1.5, 0, 1) * facing).astype(np.float32)), palette.glow, 0.75
    )


def _ring(
    scene: Scene, layer: Layer, *, x: float, y: float, radius: float, tilt: float, front: bool
) -> None:
    frame, palette = scene.frame, scene.palette
    for outer, inner, tone, strength in (
        (2.05, 1.86, 0.8, 0.55),
        (1.82, 1.55, 0.65, 0.8),
        (1.50, 1.32, 0.45, 0.5),
    ):
        start, end = (0.0, math.pi) if front else (math.pi, math.tau)
        far = arc(0, 0, radius * outer, start, end, 90) * np.array([1.0, 0.26])
        near = arc(0, 0, radius * inner, start, end, 90) * np.array([1.0, 0.26])
        shape = moved(np.concatenate([far, near[::-1]]), x, y, turn=tilt)
        tint = relight(palette.tone(tone), lightness=0.45 + 0.4 * tone)
        mask = frame.shape_of(shape)
        layer.fill(
            mask,
            linear(
                (x - radius * 2, 0),
                (x + radius * 2, 0),
                relight(tint, lift=0.08 if scene.stage.light_x < x else -0.2),
                tint,
                relight(tint, lift=-0.2 if scene.stage.light_x < x else 0.08),
            ),
            strength,
        )


def draw_backdrop(scene: Scene, rng: np.random.Generator, *, dark: bool) -> None:
    """Fill the frame with a soft field of light and two washes of colour."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.0)
    if dark:
        low, high = (
            relight(palette.tone(0.0), lightness=0.12),
            relight(palette.tone(0.22), lightness=0.26),
        )
    else:
        low, high = (
            mix(palette.paper, palette.tone(0.8), 0.55),
            mix(palette.paper, palette.glow, 0.4),
        )
    layer.fill(
        frame.everything(),
        radial(
            stage.hero_x,
            0.45 * stage.height,
            0.9 * max(stage.width, stage.height),
            high,
            mix(high, low, 0.6),
            low,
        ),
    )
    for hue in (palette.accent, palette.second):
        gx, gy = float(rng.uniform(0, stage.width)), float(rng.uniform(0, stage.height))
        layer.light(frame.glow(gx, gy, 0.9 * stage.unit, power=2.0), hue, 0.35 if dark else 0.0)
        layer.fill(
            frame.glow(gx, gy, 0.9 * stage.unit, power=2.0),
            mix(hue, high, 0.4),
            0.0 if dark else 0.35,
        )


def draw_sound(scene: Scene) -> None:
    """Draw sound: many fine strings that swing together, with a glow where they are loud."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("sound")
    dark = stage.hour in {"night", "dusk"} or rng.random() < 0.5
    draw_backdrop(scene, rng, dark=dark)
    middle = {"top": 0.68, "bottom": 0.34}.get(stage.side, 0.5) * stage.height
    xs = np.linspace(frame.left - 5, frame.right + 5, 260)
    swell = np.exp(-(((xs - stage.hero_x) / (0.30 * stage.width)) ** 2))
    phase = [float(part) for part in rng.uniform(0, math.tau, 4)]
    ends: list[Colour] = [palette.accent, mix(palette.accent, palette.glow, 0.6), palette.second]
    for group in range(3):
        layer = scene.layer(
            0.25 + 0.22 * group,
            sway=Sway(
                x=0.03 * stage.unit, y=0.006 * stage.unit, period_s=4.0 + group, phase=group * 1.7
            ),
        )
        count = 15
        for number in range(count):
            share = number / (count - 1)
            wave = (
                np.sin(xs / stage.unit * (6.5 + group) + phase[group] + share * 1.5) * 0.55
                + np.sin(xs / stage.unit * (13.0 - 2 * group) + phase[3] + share * 2.4) * 0.30
            )
            tall = (
                stage.unit
                * (0.30 - 0.06 * group)
                * {"close": 1.3, "medium": 1.0, "wide": 0.75}[stage.view]
            )
            line = np.stack(
                [
                    xs,
                    middle
                    + wave * tall * swell * (0.35 + 0.65 * share)
                    + (share - 0.5) * 0.05 * stage.unit,
                ],
                axis=1,
            )
            colour = mix(ends[group], palette.paper if dark else palette.ink, 0.5 * (1 - share))
            layer.fill(
                frame.line(line, stage.unit * (0.0014 + 0.0016 * share)), colour, 0.35 + 0.5 * share
            )
        if dark:
            layer.light(
                frame.glow(stage.hero_x, middle, 0.4 * stage.unit, power=2), palette.glow, 0.12
            )
    _dots(scene, rng, middle=middle, dark=dark)


def _dots(scene: Scene, rng: np.random.Generator, *, middle: float, dark: bool) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.85, sway=Sway(x=0.01 * stage.unit, y=0.02 * stage.unit, period_s=3.6))
    shapes = []
    for _ in range(40):
        x = stage.hero_x + float(rng.normal(0, 0.16)) * stage.width
        y = middle + float(rng.normal(0, 0.17)) * stage.unit
        shapes.append(circle(x, y, stage.unit * float(rng.uniform(0.002, 0.008))))
    layer.fill(frame.shapes_of(shapes), palette.glow if dark else palette.accent, 0.85)


def draw_network(scene: Scene) -> None:
    """Draw points of light joined by fine lines, near ones large and far ones dim."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("network")
    draw_backdrop(scene, rng, dark=True)
    for number, (count, depth, bright) in enumerate(
        ((46, 0.22, 0.35), (34, 0.48, 0.75), (16, 0.78, 1.0))
    ):
        layer = scene.layer(
            depth,
            sway=Sway(
                x=0.008 * stage.unit * (1 + number),
                y=0.006 * stage.unit,
                period_s=6.0 + number,
                phase=2.0 * number,
            ),
        )
        spread = {"close": 0.34, "medium": 0.26, "wide": 0.20}[stage.view]
        xs = np.clip(rng.normal(stage.hero_x, spread * stage.width, count), frame.left, frame.right)
        ys = rng.normal(0.5, 0.25, count) * stage.height
        lines = []
        for a in range(count):
            gaps = np.hypot(xs - xs[a], ys - ys[a])
            lines += [
                (
                    points((float(xs[a]), float(ys[a])), (float(xs[b]), float(ys[b]))),
                    stage.unit * 0.0009 * (1 + number),
                )
                for b in np.argsort(gaps)[1:4].tolist()
                if gaps[b] < 0.34 * stage.unit
            ]
        hue = mix(palette.accent, palette.glow, 0.4 * number / 2)
        layer.fill(frame.lines(lines), mix(hue, palette.second, 0.3), 0.40 * bright)
        sizes = stage.unit * (0.003 + 0.0028 * number) * rng.uniform(0.6, 2.2, count)
        for x, y, size in zip(xs.tolist(), ys.tolist(), sizes.tolist(), strict=True):
            layer.fill(frame.glow(x, y, size * 5, power=2.4), hue, 0.55 * bright)
        layer.fill(
            frame.shapes_of(
                [
                    circle(x, y, size)
                    for x, y, size in zip(xs.tolist(), ys.tolist(), sizes.tolist(), strict=True)
                ]
            ),
            mix(hue, palette.paper, 0.45),
            bright,
        )
        if number == 2:
            layer.blur(0.0025 * stage.unit)


def draw_geometry(scene: Scene) -> None:
    """Draw a composed arrangement of plain shapes with soft grainy shading and cast shadows."""
    stage = scene.stage
    rng = scene.rng("geometry")
    dark = stage.hour == "night"
    draw_backdrop(scene, rng, dark=dark)
    kind = int(rng.integers(4))
    [_arches, _discs, _tiles, _dunes][kind](scene, rng)


def _shade_fill(
    scene: Scene, layer: Layer, rng: np.random.Generator, outline: Points, tint: Colour
) -> None:
    """Fill a shape with a gradient whose dark end dissolves into specks, over a soft shadow."""
    frame, palette = scene.frame, scene.palette
    mask = frame.shape_of(outline)
    if mask.is_empty:
        return
    (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
    side, _ = scene.stage.toward_light((x0 + x1) / 2, (y0 + y1) / 2)
    soft = frame.blurred(mask, 0.018 * scene.unit).shifted(
        -side * 0.012 * scene.unit, 0.016 * scene.unit
    )
    layer.fill(soft.outside(mask), palette.deep, 0.28)
    start, end = ((x1, y0), (x0, y1)) if side > 0 else ((x0, y0), (x1, y1))
    layer.fill(
        mask, linear(start, end, relight(mix(tint, palette.glow, 0.35), lift=0.06), tint, tint)
    )
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy

    def fall(xs: Field, ys: Field) -> Field:
        return np.clip(((xs - start[0]) * dx + (ys - start[1]) * dy) / length * 1.5 - 0.55, 0, 1)

    layer.tint(mask.faded(fall).stippled(rng, 0.2), relight(tint, lift=-0.17), 0.6)


def _tints(scene: Scene) -> list[Colour]:
    palette = scene.palette
    return [
        palette.accent,
        palette.tone(0.3),
        palette.tone(0.55),
        palette.tone(0.78),
        palette.second,
        palette.tone(0.92),
    ]


def _arches(scene: Scene, rng: np.random.Generator) -> None:
    stage = scene.stage
    tints = _tints(scene)
    for number in range(4):
        layer = scene.layer(0.25 + 0.17 * number)
        wide = _arch_size(scene) * (0.95 - 0.20 * number)
        foot = stage.hero_y + 0.08 * stage.height
        x = stage.hero_x + float(rng.normal(0, 0.03)) * stage.unit
        top = foot - wide * (1.05 - 0.05 * number)
        outline = np.concatenate(
            [
                arc(x, top + wide / 2, wide / 2, math.pi, math.tau, 60),
                points((x + wide / 2, foot), (x - wide / 2, foot)),
            ]
        )
        _shade_fill(scene, layer, rng, outline, tints[(number + int(rng.integers(2))) % 6])
    ground = scene.layer(0.8)
    y = stage.hero_y + 0.08 * stage.height
    _shade_fill(
        scene,
        ground,
        rng,
        box(
            scene.frame.left - 9,
            y,
            scene.frame.right - scene.frame.left + 18,
            scene.frame.bottom - y + 9,
        ),
        tints[1],
    )
    ball = 0.13 * _arch_size(scene)
    side = float(rng.choice([-1, 1]))
    _shade_fill(
        scene,
        ground,
        rng,
        circle(stage.hero_x + side * 0.46 * _arch_size(scene), y - ball, ball),
        tints[0],
    )


def _arch_size(scene: Scene) -> float:
    stage = scene.stage
    return min(max(stage.hero_size, 0.62 * stage.unit), 0.80 * stage.hero_y)


def _discs(scene: Scene, rng: np.random.Generator) -> None:
    stage = scene.stage
    tints = _tints(scene)
    y = {"top": 0.66, "bottom": 0.36}.get(stage.side, 0.5) * stage.height
    radii = sorted((float(r) for r in rng.uniform(0.08, 0.44, 7)), reverse=True)
    for number, share in enumerate(radii):
        layer = scene.layer(
            0.2 + 0.1 * number,
            sway=Sway(
                x=0.006 * stage.unit, y=0.009 * stage.unit, period_s=6 + number, phase=1.1 * number
            ),
        )
        reach = stage.hero_size * (0.42 - 0.5 * share) + 0.02 * stage.unit * number
        angle = float(rng.uniform(0, math.tau))
        px, py = stage.hero_x + math.cos(angle) * reach, y + math.sin(angle) * reach * 0.8
        radius = share * stage.hero_size
        outline = circle(px, py, radius)
        if number % 3 == 1:
            turn = float(rng.uniform(0, math.tau))
            outline = arc(px, py, radius, turn, turn + math.pi, 60)
        _shade_fill(scene, layer, rng, outline, tints[number % 6])
    line = scene.layer(0.9)
    ring = circle(stage.hero_x, y, 0.5 * stage.hero_size)
    line.fill(
        scene.frame.line(np.concatenate([ring, ring[:1]]), 0.0022 * stage.unit),
        scene.palette.tone(0.9),
        0.8,
    )


def _tiles(scene: Scene, rng: np.random.Generator) -> None:
    """Lay quarter circles, halves and bars on a square grid on the subject's side."""
    stage, frame = scene.stage, scene.frame
    tints = _tints(scene)
    layer = scene.layer(0.4)
    cell = stage.unit / {"close": 3.0, "medium": 4.5, "wide": 6.5}[stage.view]
    limits = {"left": (0.52, 1.3), "right": (-0.3, 0.48)}.get(stage.side, (-0.3, 1.3))
    columns = np.arange(
        math.floor(limits[0] * stage.width / cell), math.ceil(limits[1] * stage.width / cell)
    )
    rows = np.arange(math.floor(frame.top / cell), math.ceil(frame.bottom / cell))
    if stage.side == "top":
        rows = rows[rows * cell > 0.38 * stage.height]
    if stage.side == "bottom":
        rows = rows[(rows + 1) * cell < 0.66 * stage.height]
    for column in columns.tolist():
        for row in rows.tolist():
            x, y = column * cell, row * cell
            base, top = (tints[k] for k in rng.permutation(6)[:2].tolist())
            layer.fill(frame.shape_of(box(x, y, cell + 1, cell + 1)), base)
            kind, turn = int(rng.integers(5)), int(rng.integers(4)) * math.pi / 2
            _shade_fill(
                scene,
                layer,
                rng,
                moved(_tile_shape(kind), x + cell / 2, y + cell / 2, scale=cell, turn=turn),
                top,
            )


def _tile_shape(kind: int) -> Points:
    match kind:
        case 0:
            return np.concatenate([points((-0.5, -0.5)), arc(-0.5, -0.5, 1.0, 0, math.pi / 2, 40)])
        case 1:
            return arc(0, -0.5, 0.5, 0, math.pi, 40)
        case 2:
            return circle(0, 0, 0.32 * 60) / 60
        case 3:
            return path("-0.5,-0.5 0.5,-0.5 -0.5,0.5")
        case _:
            return box(-0.5, -0.5, 1.0, 0.5)


def _dunes(scene: Scene, rng: np.random.Generator) -> None:
    """Lay large calm waves of colour over one another, with a disc above them."""
    stage, frame = scene.stage, scene.frame
    tints = _tints(scene)
    disc = scene.layer(0.12)
    high = {"top": 0.56, "bottom": 0.24}.get(stage.side, 0.36) * stage.height
    _shade_fill(
        scene,
        disc,
        rng,
        circle(stage.hero_x, high, 0.25 * stage.hero_size + 0.04 * stage.unit),
        tints[0],
    )
    start = {"top": 0.60, "bottom": 0.34}.get(stage.side, 0.48) * stage.height
    for number in range(6):
        layer = scene.layer(
            0.2 + 0.12 * number,
            sway=Sway(x=0.012 * stage.unit, y=0.004 * stage.unit, period_s=7, phase=0.9 * number),
        )
        base = start + number * 0.095 * stage.height
        knots = [
            (x, base + float(rng.normal(0, 0.055)) * stage.height)
            for x in np.linspace(frame.left - 60, frame.right + 60, 6).tolist()
        ]
        line = curve(np.array(knots), closed=False, steps=24)
        outline = np.concatenate(
            [
                line,
                points((frame.right + 60, frame.bottom + 60), (frame.left - 60, frame.bottom + 60)),
            ]
        )
        _shade_fill(
            scene,
            layer,
            rng,
            outline,
            mix(tints[1 + number % 5], scene.palette.tone(0.75 - 0.12 * number), 0.45),
        )
