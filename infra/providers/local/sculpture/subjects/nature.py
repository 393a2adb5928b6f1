"""What grows and rises: trees, mountains, flowers, mushrooms, planets."""

import math
from itertools import pairwise

import numpy as np

from infra.providers.local.sculpture.forms import (
    ball,
    band,
    blob,
    curve,
    cylinder,
    lathe,
    ripples,
    skin,
    smooth,
    torus,
    tube,
)
from infra.providers.local.sculpture.mesh import Faces, Mesh, Points, around, joined, lengths
from infra.providers.local.sculpture.sculptor import Sculptor
from infra.providers.local.sculpture.stuff import (
    DARK_STONE,
    EARTH,
    GRASS,
    LEAVES,
    SNOW,
    STONE,
    WATER,
    Material,
    stuff,
)

_BARK = stuff("bark", "#5f4632", rough=0.92)


def tree(sculptor: Sculptor) -> None:
    """A broad tree with boughs, roots and a crown of many clumps."""
    leaf = sculptor.coloured(
        "leaves",
        sculptor.paint.main("#5b8a43 #8fb05a", "#b5662a #d99a3a", "#6f9a52 #a8bf6a"),
        rough=0.9,
    )
    light = sculptor.coloured(
        "light leaves",
        sculptor.paint.accent("#5b8a43 #8fb05a", "#b5662a #d99a3a", "#6f9a52 #a8bf6a"),
        rough=0.9,
    )
    around_, bends = sculptor.segments(24, least=8), sculptor.steps(6)
    trunk = curve([(0, -0.15, 0), (0.05, 0.7, 0.02), (-0.06, 1.7, 0.05), (0.05, 2.7, 0.0)], bends)
    radii = np.interp(np.linspace(0, 1, len(trunk)), [0, 0.12, 0.5, 1], [0.46, 0.30, 0.23, 0.17])
    sculptor.add("trunk", _BARK, tube(trunk, radii, around_))
    for number in range(6):
        turn = math.radians(60 * number + sculptor.vary(-12, 12))
        out = np.array([math.cos(turn), 0, math.sin(turn)])
        root = curve(
            [
                (out * 0.12 + [0, 0.42, 0]).tolist(),
                (out * 0.36 + [0, 0.10, 0]).tolist(),
                (out * 0.85 + [0, -0.07, 0]).tolist(),
            ],
            bends,
        )
        sculptor.add("root", _BARK, tube(root, np.linspace(0.17, 0.04, len(root)), 12))
    clumps: list[tuple[Points, float]] = [(np.array([0.05, 4.35, 0.0]), 1.15)]
    for number in range(9):
        turn, high = number * 2.39996, (number % 3) / 2
        out = np.array([math.cos(turn), 0, math.sin(turn)])
        end = out * sculptor.vary(1.05, 1.45) + [0, 2.95 + 0.75 * high, 0]
        bough = curve(
            [
                (0.0, 1.9 + 0.4 * high, 0.0),
                (out * 0.5 + [0, 2.4 + 0.5 * high, 0]).tolist(),
                end.tolist(),
            ],
            bends,
        )
        sculptor.add("bough", _BARK, tube(bough, np.linspace(0.12, 0.04, len(bough)), 10))
        clumps.append((end + np.array([0, 0.3, 0]), sculptor.vary(0.72, 0.95)))
    clumps += [(np.array([0.6, 4.9, 0.4]), 0.75), (np.array([-0.6, 4.8, -0.2]), 0.8)]
    for number, (middle, size) in enumerate(clumps):
        foliage = _foliage(sculptor, size)
        sculptor.add(
            "crown",
            light if number % 3 == 1 else leaf,
            foliage.moved(*(float(part) for part in middle)),
            crease=50,
        )
    ground = lathe(
        smooth([(2.0, -0.25), (1.95, -0.1), (1.2, 0.0), (0.4, 0.03)], sculptor.steps(5)),
        sculptor.segments(56),
    )
    sculptor.add("ground", sculptor.paint.natural(GRASS), ground)


def _foliage(sculptor: Sculptor, size: float) -> Mesh:
    """Return a clump of leaves: a ball that is rough on two scales."""
    mesh = blob(size, sculptor.segments(40, least=14), sculptor.rng, rough=0.11, waves=4)
    fine = ripples(sculptor.rng, 13 / size)(mesh.points)
    return Mesh(mesh.points * (1 + 0.045 * fine)[:, None], mesh.faces)


def conifer(sculptor: Sculptor) -> None:
    """A fir with drooping tiers."""
    schemes = ("#35604a #5b4632", "#2f5a4f #5a4030", "#4a6f4a #5f4632")
    needle = sculptor.coloured("needles", sculptor.paint.main(*schemes), rough=0.92)
    around_ = sculptor.segments(44, least=14)
    sculptor.add("trunk", _BARK, cylinder(0.2, 4.5, 16, top=0.05).moved(y=-0.05))
    tiers = 8
    for number in range(tiers):
        share = number / (tiers - 1)
        radius, low = 1.45 * (1 - share) ** 0.9 + 0.16, 0.75 + 3.7 * share
        tall = 1.15 * (1 - 0.45 * share)
        cone = lathe(
            [
                (0.0, 0.12),
                (radius * 0.62, 0.08),
                (radius, -0.1),
                (radius * 0.96, 0.0),
                (radius * 0.5, tall * 0.42),
                (0.02, tall),
            ],
            around_,
        )
        points = cone.points.copy()
        turn = np.arctan2(points[:, 2], points[:, 0])
        out = np.hypot(points[:, 0], points[:, 2]) / radius
        wave = np.sin(turn * 9 + number * 1.7) + 0.6 * np.sin(turn * 17 + number)
        points[:, 1] += -0.10 * radius * wave * out**2 - 0.14 * radius * out**2
        points[:, [0, 2]] *= (1 + 0.07 * wave * out)[:, None]
        tone = needle.toned(lift=0.012 * number, name="needles")
        sculptor.add("tier", tone, Mesh(points, cone.faces).moved(y=low), crease=45)
    sculptor.add(
        "ground",
        SNOW if sculptor.one_of(3) == 0 else GRASS,
        lathe(
            smooth([(1.7, -0.3), (1.6, -0.12), (0.9, 0.0), (0.3, 0.02)], sculptor.steps(5)),
            sculptor.segments(56),
        ),
    )


def mountain(sculptor: Sculptor) -> None:
    """A range with a snow line, cut out of the land as a block."""
    rings, around_ = sculptor.segments(72), sculptor.segments(144)
    field = ripples(sculptor.rng, 4.0, count=9)
    fine = ripples(sculptor.rng, 10.0, count=11)
    finer = ripples(sculptor.rng, 26.0, count=13)
    peaks = [(0.0, 0.0, 1.0, 0.52)]
    for number in range(4):
        turn = number * 1.57 + sculptor.vary(-0.4, 0.4)
        peaks.append((0.5 * math.cos(turn), 0.5 * math.sin(turn), sculptor.vary(0.35, 0.66), 0.34))

    def height(x: Points, z: Points) -> Points:
        flat = np.stack([x, np.zeros_like(x), z], axis=-1).reshape(-1, 3)
        rise = np.zeros(len(flat))
        for px, pz, tall, wide in peaks:
            away = np.hypot(flat[:, 0] - px, flat[:, 2] - pz) / wide
            rise = np.maximum(rise, tall * np.maximum(1 - away, 0) ** 1.15)
        ridge = 1 - np.abs(fine(flat))
        rough = 0.16 * field(flat) + 0.42 * (ridge - 0.6) + 0.13 * (0.6 - np.abs(finer(flat)))
        edge = np.clip(1 - np.hypot(flat[:, 0], flat[:, 2]) ** 4, 0, 1)
        return ((rise * (1 + rough) + 0.03 * (1 + rough)) * edge).reshape(x.shape)

    radii = np.linspace(1, 0, rings, endpoint=False)
    angles = np.linspace(0, math.tau, around_, endpoint=False)
    x, z = radii[:, None] * np.cos(angles), radii[:, None] * np.sin(angles)
    top = np.stack([x, np.maximum(height(x, z), 0.0), z], axis=2)
    foot = top[:1].copy()
    foot[..., 1] = -0.06
    summit = np.array([0.0, float(height(np.zeros(1), np.zeros(1))[0]), 0.0])
    land = skin(np.concatenate([foot, top]), end=summit)
    scale = 1800.0
    _by_height(sculptor, land, scale)
    lake = cylinder(0.16, 0.004, sculptor.segments(48)).moved(x=0.62, y=0.035, z=0.45)
    sculptor.add("lake", WATER, lake.scaled(scale))


def _by_height(sculptor: Sculptor, land: Mesh, scale: float) -> None:
    """Add the land as meadow, rock and snow, by how high and how steep it is.

    Each layer is the whole land's surface where it is that stuff, closed by a thin inner sheet.
    """
    paint = sculptor.paint
    corners = land.points[land.faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    steep = normal[:, 1] / np.maximum(lengths(normal)[:, 0], 1e-12)
    middle = corners.mean(axis=1)
    line = 0.40 + 0.05 * ripples(sculptor.rng, 6.0)(middle)
    snow = (middle[:, 1] > line + 0.16 * (steep < 0.45)) & (steep > 0.22)  # noqa: PLR2004
    meadow = (middle[:, 1] < 0.16 + 0.2 * (line - 0.40)) & (steep > 0.35)  # noqa: PLR2004
    side = (steep <= 1e-6) | (middle[:, 1] < 0)  # noqa: PLR2004
    meadow &= ~side
    kinds = np.where(side, -1, np.where(snow, 2, np.where(meadow, 1, 0)))
    rock = sculptor.coloured("rock", paint.main("#7d7972 #f4f7fa", "#86746a #f6f4ee"), rough=0.95)
    white = sculptor.coloured("snow", paint.accent("#7d7972 #f4f7fa", "#86746a #f6f4ee"), rough=0.7)
    for kind, (name, material) in enumerate(
        (("rock", rock), ("meadow", paint.natural(GRASS)), ("snow", white))
    ):
        faces = land.faces[kinds == kind]
        if len(faces):
            sculptor.add(
                name, material, _sheet(land.points * scale, faces, 0.012 * scale), crease=28
            )
    block = lathe([(0.0, -0.06), (1.0, -0.06), (1.0, 0.0), (0.0, 0.0)], sculptor.segments(144))
    sculptor.add("earth", EARTH, block.scaled(scale))


def _sheet(points: Points, faces: Faces, thick: float) -> Mesh:
    """Return a patch of a surface as a closed sheet of a thickness, hanging below it."""
    used, numbers = np.unique(faces, return_inverse=True)
    patch = numbers.reshape(-1, 3)
    upper = points[used]
    lower = upper - [0, thick, 0]
    count = len(used)
    edges = np.concatenate([patch[:, [0, 1]], patch[:, [1, 2]], patch[:, [2, 0]]])
    known = {(int(a), int(b)) for a, b in edges}
    border = np.array([edge for edge in known if (edge[1], edge[0]) not in known], dtype=np.int64)
    border = border[np.lexsort(border.T)] if len(border) else border.reshape(0, 2)
    a, b = border[:, 0], border[:, 1]
    walls = [np.stack([b, a, a + count], axis=1), np.stack([b, a + count, b + count], axis=1)]
    return Mesh(
        np.concatenate([upper, lower]),
        np.concatenate([patch, patch[:, ::-1] + count, *walls]).astype(np.int64),
    )


def flower(sculptor: Sculptor) -> None:
    """A flower with two rows of petals, leaves and a pot."""
    schemes = ("#d9627d #f2c14e", "#e8a33d #7a4a2a", "#8d6bd0 #f5d76e", "#f3efe6 #e8b23c")
    petal = sculptor.coloured("petals", sculptor.paint.main(*schemes), rough=0.7)
    heart = sculptor.coloured("heart", sculptor.paint.accent(*schemes), rough=0.9)
    bends = sculptor.steps(8)
    top = np.array([0.03, 0.42, 0.02])
    stem = curve([(0, 0.08, 0), (-0.02, 0.2, 0.01), (0.01, 0.33, 0.0), top.tolist()], bends)
    green = sculptor.paint.natural(LEAVES)
    sculptor.add("stem", green, tube(stem, 0.0055, 12))
    blade = ball(1.0, sculptor.segments(28, least=12))
    points = blade.points * [0.052, 0.0022, 0.019]
    points[:, 1] += 0.10 * (points[:, 0] / 0.052) * 0.22 - 0.4 * points[:, 2] ** 2 / 0.019 * 0.5
    points[:, 0] += 0.050
    one = Mesh(points, blade.faces)
    rows = [(13, 0.0, 24, 1.0, 0.0), (9, 13.0, 52, 0.72, 0.003)]
    for count, start, lift, size, high in rows:
        ring = around(one.scaled(size).turned("z", lift * 0.6), count, start=start)
        sculptor.add(
            "petals",
            petal.toned(lift=0.03 * (size < 1), name="petals"),
            ring.turned("x", 42).turned("z", -8).moved(*top).moved(y=high),
        )
    disc = lathe(
        smooth([(0.026, -0.006), (0.028, 0.002), (0.018, 0.012), (0.004, 0.015)], bends),
        sculptor.segments(40),
    )
    seeds = [
        ball(0.0021, 8).moved(
            0.0235 * math.sqrt(n / 70) * math.cos(2.39996 * n),
            0.0155 - 0.009 * n / 70,
            0.0235 * math.sqrt(n / 70) * math.sin(2.39996 * n),
        )
        for n in range(70)
    ]
    middle = joined([disc, *seeds]).turned("x", 42).turned("z", -8).moved(*top).moved(y=0.004)
    sculptor.add("heart", heart, middle)
    for turn, height in ((20, 0.14), (150, 0.19), (265, 0.25)):
        leaf = Mesh(blade.points * [0.058, 0.0022, 0.022], blade.faces).moved(x=0.055)
        sculptor.add("leaf", green, leaf.turned("z", 32).turned("y", turn).moved(y=height))
    clay = stuff("clay", "#b5654a", rough=0.85)
    pot = [
        (0.0, -0.02),
        (0.050, -0.02),
        (0.066, 0.06),
        (0.073, 0.06),
        (0.074, 0.082),
        (0.067, 0.082),
        (0.064, 0.07),
        (0.0, 0.07),
    ]
    sculptor.add("pot", clay, lathe(pot, sculptor.segments(56)))
    sculptor.add(
        "earth",
        EARTH,
        lathe([(0.0, 0.064), (0.0635, 0.066), (0.05, 0.0745), (0.0, 0.078)], sculptor.segments(40)),
    )


def mushroom(sculptor: Sculptor) -> None:
    """Three mushrooms with spotted caps on moss."""
    schemes = ("#c0392b #f5f1e8", "#b5662a #f3e8d4", "#7a5aa6 #f2eaf5")
    cap = sculptor.coloured("cap", sculptor.paint.main(*schemes), rough=0.4)
    spot = sculptor.coloured("spots", sculptor.paint.accent(*schemes), rough=0.85)
    flesh = stuff("flesh", "#efe6d4", rough=0.8)
    bends, around_ = sculptor.steps(8), sculptor.segments(56)
    for x, z, size, lean in ((0, 0, 1.0, 4), (0.075, 0.045, 0.58, -10), (-0.06, 0.055, 0.42, 12)):
        parts: list[tuple[str, Material, Mesh]] = []
        stem = smooth([(0.024, -0.01), (0.026, 0.01), (0.016, 0.05), (0.014, 0.1)], bends)
        parts.append(("stem", flesh, lathe([(0.0, -0.01), *stem, (0.0, 0.1)], around_)))
        skirt = [(0.0, 0.078), (0.034, 0.070), (0.034, 0.072), (0.014, 0.086), (0.0, 0.086)]
        parts.append(("skirt", flesh, lathe(skirt, around_)))
        gills = [(0.0, 0.088), (0.02, 0.088), (0.07, 0.084), (0.07, 0.087), (0.0, 0.1)]
        parts.append(("gills", flesh.toned(lift=-0.08, name="gills"), lathe(gills, around_)))
        dome = smooth(
            [(0.072, 0.084), (0.073, 0.092), (0.060, 0.122), (0.030, 0.142), (0.004, 0.147)], bends
        )
        parts.append(
            ("cap", cap, lathe([(0.0, 0.0885), (0.069, 0.0845), *dome, (0.0, 0.147)], around_))
        )
        line = np.array(dome)
        places = np.linspace(0, 1, len(line))
        for number in range(26):
            share = 0.12 + 0.86 * ((number * 0.618) % 1)
            radius = float(np.interp(share, places, line[:, 0]))
            height = float(np.interp(share, places, line[:, 1]))
            turn = number * 2.39996
            fleck = ball(sculptor.vary(0.0045, 0.0095), 14).scaled(1, 0.45, 1)
            tilt = math.degrees(math.atan2(radius, (height - 0.07) * 1.3))
            fleck = (
                fleck.turned("z", -tilt).moved(radius, height, 0).turned("y", math.degrees(turn))
            )
            parts.append(("spots", spot, fleck))
        for name, material, mesh in parts:
            sculptor.add(name, material, mesh.scaled(size).turned("z", lean).moved(x, 0, z))
    moss = blob(1.0, sculptor.segments(40), sculptor.rng, rough=0.08, waves=5)
    sculptor.add(
        "moss", sculptor.paint.natural(GRASS), moss.scaled(0.15, 0.024, 0.13).moved(y=-0.012)
    )


def planet(sculptor: Sculptor) -> None:
    """A planet of bands with rings and moons, on a stand."""
    schemes = ("#c98d55 #f0d9ae", "#3f6fa0 #cfe3ee", "#a8563f #e8b48a", "#6b5aa0 #d8c8ee")
    main = sculptor.coloured("planet", sculptor.paint.main(*schemes), rough=0.75)
    second = sculptor.coloured("bands", sculptor.paint.accent(*schemes), rough=0.8)
    around_ = sculptor.segments(96)
    cuts = np.sort(sculptor.rng.uniform(-1, 1, 7)) * 0.9
    angles = np.degrees(np.arcsin(np.clip([-1, *cuts, 1], -1, 1)))
    tones = (main, second, main.toned(lift=-0.07), main.toned(lift=0.06), second.toned(lift=-0.05))
    parts: list[tuple[str, Material, Mesh]] = []
    for number, (low, high) in enumerate(pairwise(angles.tolist())):
        steps = max(int((high - low) / 180 * around_ / 2), 2)
        turns = [math.radians(low + (high - low) * n / steps) for n in range(steps + 1)]
        line = [
            (max(math.cos(t), 0.0) if abs(math.cos(t)) > 1e-6 else 0.0, math.sin(t))  # noqa: PLR2004
            for t in turns
        ]
        parts.append((f"band {number + 1}", tones[number % len(tones)], lathe(line, around_)))
    ringed = sculptor.one_of(4) != 0
    if ringed:
        for inner, outer, lift in ((1.32, 1.62, 0.0), (1.66, 1.98, 0.09), (2.02, 2.16, -0.06)):
            ring = band(
                [(outer, -0.006), (outer, 0.006), (inner, 0.006), (inner, -0.006)],
                sculptor.segments(144),
            )
            parts.append(("ring", second.toned(lift=lift - 0.04, name=f"ring {inner}"), ring))
    moon = STONE.toned(lift=0.12, name="moon")
    rocky = blob(0.17, sculptor.segments(32), sculptor.rng, rough=0.05, waves=7)
    parts.append(("moon", moon, rocky.moved(1.5 if not ringed else 2.5, 0.5, 0.5)))
    for name, material, mesh in parts:
        # Real planets are too large to hold: this one is a model of a metre.
        sculptor.add(
            name,
            material,
            mesh.scaled(0.25).turned("z", 18).turned("x", 12).moved(y=0.48),
            crease=60,
        )
    stand = sculptor.paint.natural(DARK_STONE)
    foot = smooth(
        [(0.15, 0.0), (0.15, 0.012), (0.05, 0.03), (0.018, 0.07), (0.013, 0.25)], sculptor.steps(7)
    )
    sculptor.add("stand", stand, lathe([(0.0, 0.0), *foot, (0.0, 0.25)], sculptor.segments(56)))
    sculptor.add(
        "collar",
        stuff("brass", "#d0a04c", rough=0.3, metal=1.0),
        torus(0.03, 0.006, 32).moved(y=0.236),
    )
