"""Animals and a figure, simply formed."""

import math

import numpy as np

from infra.providers.local.sculpture.forms import (
    ball,
    blob,
    curve,
    cylinder,
    extruded,
    lathe,
    smooth,
    torus,
    tube,
)
from infra.providers.local.sculpture.mesh import Mesh, lengths
from infra.providers.local.sculpture.outlines import outline
from infra.providers.local.sculpture.sculptor import Sculptor
from infra.providers.local.sculpture.stuff import BLACK, DARK_STONE, SNOW, WHITE, Material, stuff


def _limb(points: list[tuple[float, float, float]], radii: list[float], sculptor: Sculptor) -> Mesh:
    """Return a rounded limb along points with its radius at each of them."""
    path = curve(points, sculptor.steps(7))
    places = np.linspace(0, 1, len(path))
    widths = np.interp(places, np.linspace(0, 1, len(radii)), radii)
    # Round ends: the radius goes to nothing over its own length.
    along = np.concatenate([[0], np.cumsum(lengths(np.diff(path, axis=0))[:, 0])])
    for ends in (along, along[-1] - along):
        share = np.clip(ends / np.maximum(widths, 1e-9), 0, 1)
        widths = widths * np.sqrt(np.clip(1 - (1 - share) ** 2, 0.0004, 1))
    return tube(path, widths, sculptor.segments(28, least=10))


def cat(sculptor: Sculptor) -> None:
    """A sitting cat with its tail around its feet."""
    schemes = ("#c9823f #f3e6d2", "#4a4a50 #e9e6e0", "#26262a #f0ede6", "#b9a58c #f4efe6")
    fur = sculptor.coloured("fur", sculptor.paint.main(*schemes), rough=0.85)
    light = sculptor.coloured("light fur", sculptor.paint.accent(*schemes), rough=0.85)
    body = _limb(
        [(0, 0.02, -0.035), (0, 0.10, -0.03), (0, 0.19, 0.015), (0, 0.265, 0.045)],
        [0.092, 0.094, 0.066, 0.046],
        sculptor,
    )
    haunches = [
        ball(0.066, sculptor.segments(32)).scaled(0.72, 1, 1.2).moved(x, 0.062, 0.0)
        for x in (-0.064, 0.064)
    ]
    sculptor.add("body", fur, body, *haunches)
    sculptor.add(
        "chest",
        light,
        ball(0.056, sculptor.segments(32)).scaled(0.8, 1.25, 0.62).moved(0, 0.185, 0.052),
    )
    for x in (-0.034, 0.034):
        leg = _limb(
            [(x, 0.19, 0.05), (x * 1.05, 0.10, 0.082), (x * 1.05, 0.012, 0.088)],
            [0.026, 0.021, 0.018],
            sculptor,
        )
        sculptor.add("leg", fur, leg)
        sculptor.add(
            "paw",
            light,
            ball(0.023, sculptor.segments(20)).scaled(1, 0.72, 1.3).moved(x * 1.05, 0.016, 0.099),
        )
        sculptor.add(
            "hind paw",
            light,
            ball(0.022, sculptor.segments(20)).scaled(1, 0.7, 1.6).moved(x * 2.2, 0.015, 0.062),
        )
    sculptor.add(
        "tail",
        fur,
        _limb(
            [
                (0.02, 0.03, -0.11),
                (0.12, 0.022, -0.09),
                (0.145, 0.022, 0.02),
                (0.09, 0.022, 0.105),
                (0.01, 0.022, 0.135),
            ],
            [0.021, 0.021, 0.021, 0.020, 0.017],
            sculptor,
        ),
    )
    _cat_head(sculptor, fur, light)


def _cat_head(sculptor: Sculptor, fur: Material, light: Material) -> None:
    y, z = 0.312, 0.066
    sculptor.add(
        "head", fur, ball(0.066, sculptor.segments(40)).scaled(1.08, 0.92, 0.92).moved(0, y, z)
    )
    for side in (-1, 1):
        ear = lathe(
            [
                (0.0, 0.0),
                (0.026, 0.0),
                *smooth([(0.026, 0.002), (0.018, 0.026), (0.004, 0.052)], sculptor.steps(5)),
                (0.0, 0.055),
            ],
            sculptor.segments(20),
        )
        place = {"x": side * 0.042, "y": y + 0.042, "z": z - 0.006}
        sculptor.add("ear", fur, ear.scaled(1, 1, 0.55).turned("z", -16 * side).moved(**place))
        inner = ear.scaled(0.6, 0.75, 0.35).moved(z=0.0085).turned("z", -16 * side)
        sculptor.add("inner ear", stuff("pink", "#d99a92", rough=0.9), inner.moved(**place))
        eye = ball(0.0128, sculptor.segments(20)).scaled(1, 1.1, 0.6)
        sculptor.add(
            "eye",
            stuff("eye", "#b9b23c", rough=0.1),
            eye.moved(side * 0.027, y + 0.012, z + 0.0545),
        )
        sculptor.add(
            "pupil",
            BLACK,
            ball(0.006, 16).scaled(0.6, 1.5, 0.6).moved(side * 0.0275, y + 0.012, z + 0.0602),
        )
        sculptor.add(
            "muzzle",
            light,
            ball(0.021, sculptor.segments(24))
            .scaled(1, 0.78, 0.8)
            .moved(side * 0.0135, y - 0.021, z + 0.053),
        )
        for tilt in (-10, 4, 18):
            hair = tube(np.array([[0.0, 0, 0], [0.062, 0, -0.008]]), np.array([0.0007, 0.0003]), 6)
            hair = hair.turned("z", tilt).scaled(side, 1, 1)
            sculptor.add("whisker", WHITE, hair.moved(side * 0.02, y - 0.02, z + 0.064))
    sculptor.add(
        "nose",
        stuff("nose", "#b86a64", rough=0.5),
        ball(0.0075, 16).scaled(1.2, 0.8, 0.8).moved(0, y - 0.008, z + 0.0655),
    )


def fish(sculptor: Sculptor) -> None:
    """A fish with fins over a small stand of coral and stone."""
    schemes = ("#e07a2f #f6f1e6", "#2f7f9f #e8d9a8", "#d9483b #f3e3c8", "#6b8f5a #efe4c4")
    scale = sculptor.coloured("scales", sculptor.paint.main(*schemes), rough=0.28)
    fin = sculptor.coloured("fins", sculptor.paint.accent(*schemes), rough=0.5)
    spine = [
        (-0.155, 0.0, 0),
        (-0.11, 0.004, 0),
        (-0.02, 0.01, 0),
        (0.08, 0.004, 0),
        (0.145, 0.0, 0),
    ]
    path = curve(spine, sculptor.steps(10))
    places = np.linspace(0, 1, len(path))
    tall = np.interp(
        places,
        [0, 0.06, 0.2, 0.45, 0.7, 0.88, 1],
        [0.012, 0.017, 0.036, 0.068, 0.072, 0.046, 0.008],
    )
    tall = np.convolve(np.pad(tall, 3, mode="edge"), np.ones(7) / 7, mode="valid")
    body = tube(path, tall, sculptor.segments(48, least=12))
    body = Mesh(body.points * [1, 1, 0.5], body.faces).moved(y=0.25)
    sculptor.add("body", scale, body)
    for at in (0.045, -0.035):
        index = int(np.argmin(np.abs(path[:, 0] - at)))
        ring = torus(1.0, 0.1, sculptor.segments(48)).turned("z", 90)
        belt = ring.scaled(0.07, float(tall[index]) * 0.985, float(tall[index]) * 0.492)
        sculptor.add("stripe", fin, belt.moved(at, 0.25 + float(path[index, 1]), 0))
    steps = sculptor.steps(6)
    flat = {
        "tail": [
            (-0.145, 0.0),
            (-0.20, 0.075),
            (-0.235, 0.092),
            (-0.205, 0.0),
            (-0.235, -0.092),
            (-0.20, -0.075),
        ],
        "back fin": [(0.07, 0.066), (0.03, 0.118), (-0.03, 0.126), (-0.085, 0.082), (-0.09, 0.045)],
        "lower fin": [(-0.02, -0.060), (-0.055, -0.104), (-0.095, -0.085), (-0.085, -0.03)],
    }
    for name, corners in flat.items():
        line = (
            curve(corners, steps, closed=True)[:, :2]
            if name == "tail"
            else curve(corners, steps)[:, :2]
        )
        sculptor.add(name, fin, extruded(line, 0.008).moved(y=0.25))
    wing = extruded(
        curve([(0.0, 0.0), (-0.045, 0.028), (-0.075, 0.0), (-0.05, -0.03)], steps, closed=True)[
            :, :2
        ],
        0.006,
        bevel=0.002,
    )
    for side in (-1, 1):
        sculptor.add("side fin", fin, wing.turned("y", 28 * side).moved(0.055, 0.24, 0.036 * side))
        sculptor.add(
            "eye",
            WHITE,
            ball(0.0155, sculptor.segments(24))
            .scaled(1, 1, 0.6)
            .moved(0.105, 0.268, 0.0235 * side),
        )
        sculptor.add(
            "pupil", BLACK, ball(0.0085, 18).scaled(1, 1, 0.6).moved(0.108, 0.268, 0.0305 * side)
        )
    sculptor.add("lips", fin, torus(0.0085, 0.004, 20).turned("z", 90).moved(0.147, 0.249, 0))
    stand = sculptor.paint.natural(DARK_STONE)
    rock = blob(1.0, sculptor.segments(36), sculptor.rng, rough=0.16, waves=4)
    sculptor.add("stone", stand, rock.scaled(0.12, 0.042, 0.085).moved(y=0.025))
    sculptor.add(
        "rod",
        stuff("rod", "#b9bdc3", rough=0.3, metal=1.0),
        cylinder(0.004, 0.15, 12).moved(y=0.04),
    )
    for x, z, size in ((-0.07, 0.03, 1.0), (0.075, -0.02, 0.8), (0.05, 0.045, 0.6)):
        _coral(sculptor, x, z, size)


def _coral(sculptor: Sculptor, x: float, z: float, size: float) -> None:
    pink = stuff("coral", "#d96a6a", rough=0.8)
    for number in range(5):
        turn = number * 2.4 + x * 40
        end = (
            x + 0.03 * size * math.cos(turn),
            0.05 + size * (0.07 + 0.012 * (number % 3)),
            z + 0.03 * size * math.sin(turn),
        )
        mid = (x + 0.012 * math.cos(turn + 0.6), 0.045 + 0.03 * size, z + 0.012 * math.sin(turn))
        sculptor.add(
            "coral", pink, _limb([(x, 0.03, z), mid, end], [0.007, 0.0055, 0.0045], sculptor)
        )


def bird(sculptor: Sculptor) -> None:
    """A small bird on a branch."""
    schemes = ("#3f6f9f #e8a35c", "#b8452f #f0e0c8", "#d9a42f #f5eed8", "#5a6b4a #efd9a8")
    main = sculptor.coloured("feathers", sculptor.paint.main(*schemes), rough=0.75)
    breast = sculptor.coloured("breast", sculptor.paint.accent(*schemes), rough=0.8)
    body = _limb(
        [(-0.062, 0.108, 0), (-0.02, 0.116, 0), (0.03, 0.137, 0), (0.058, 0.172, 0)],
        [0.026, 0.044, 0.044, 0.030],
        sculptor,
    )
    sculptor.add("body", main, body, ball(0.0335, sculptor.segments(36)).moved(0.06, 0.178, 0))
    sculptor.add(
        "breast",
        breast,
        ball(0.042, sculptor.segments(36)).scaled(1.0, 1.12, 0.92).moved(0.026, 0.124, 0),
    )
    tail = extruded(
        outline(
            (0, -0.012), (0.02, -0.011), (0.105, -0.017), (0.105, 0.017), (0.02, 0.011), (0, 0.012)
        ),
        0.007,
        bevel=0.002,
    )
    sculptor.add(
        "tail",
        main.toned(lift=-0.06, name="tail"),
        tail.turned("x", 90).scaled(-1, 1, 1).turned("z", 16).moved(-0.05, 0.108, 0),
    )
    feather = curve(
        [
            (0.04, 0.012),
            (0.01, 0.022),
            (-0.05, 0.006),
            (-0.085, -0.022),
            (-0.03, -0.024),
            (0.02, -0.014),
        ],
        sculptor.steps(6),
        closed=True,
    )[:, :2]
    for side in (-1, 1):
        wing = extruded(feather, 0.012, bevel=0.005).turned("y", -7 * side)
        sculptor.add(
            "wing",
            main.toned(lift=-0.04, name="wings"),
            wing.turned("x", -10 * side).moved(-0.004, 0.128, 0.041 * side),
        )
        sculptor.add("eye", BLACK, ball(0.0052, 18).moved(0.074, 0.187, 0.0265 * side))
        leg = tube(
            np.array([[0.004, 0.085, 0.014 * side], [0.012, 0.044, 0.014 * side]]), 0.0024, 8
        )
        toes = [
            tube(
                np.array([[0.012, 0.046, 0.014 * side], [0.012 + dx, 0.038, 0.014 * side + dz]]),
                0.0022,
                8,
            )
            for dx, dz in ((0.017, 0.006), (0.018, -0.006), (-0.013, 0))
        ]
        sculptor.add("leg", stuff("legs", "#8a5a3a", rough=0.7), leg, *toes)
    beak = lathe([(0.0, 0.0), (0.0095, 0.0), (0.006, 0.014), (0.0, 0.026)], 20)
    sculptor.add(
        "beak",
        stuff("beak", "#d9902f", rough=0.5),
        beak.scaled(1, 1, 0.8).turned("z", -94).moved(0.089, 0.178, 0),
    )
    bough = curve(
        [(-0.15, 0.012, -0.03), (-0.05, 0.032, 0.0), (0.06, 0.026, 0.006), (0.16, 0.048, -0.02)],
        sculptor.steps(8),
    )
    bark = stuff("bark", "#5f4632", rough=0.95)
    sculptor.add(
        "branch",
        bark,
        tube(bough, np.linspace(0.015, 0.008, len(bough)), sculptor.segments(18, least=8)),
    )
    twig = curve([(0.08, 0.03, 0.0), (0.11, 0.055, 0.03), (0.135, 0.09, 0.04)], sculptor.steps(5))
    sculptor.add("twig", bark, tube(twig, np.linspace(0.006, 0.003, len(twig)), 8))
    for at, turn in ((-0.11, 40), (0.115, 200), (0.13, 320), (0.15, 90), (-0.13, 250)):
        leaf = ball(1.0, 16).scaled(0.024, 0.0022, 0.011).moved(x=0.024).turned("z", 30)
        index = int(np.argmin(np.abs(bough[:, 0] - at)))
        sculptor.add(
            "leaf",
            stuff("leaves", "#6f9a4a", rough=0.85),
            leaf.turned("y", turn).moved(*(float(v) for v in bough[index])),
        )


def snowman(sculptor: Sculptor) -> None:
    """A snowman with hat, scarf and carrot."""
    schemes = ("#b8352c #26262a", "#2f6f8f #33363b", "#3f7a5a #2b2b2e")
    scarf = sculptor.coloured("scarf", sculptor.paint.main(*schemes), rough=0.95)
    hat = sculptor.coloured("hat", sculptor.paint.accent(*schemes), rough=0.7)
    segments = sculptor.segments(48)
    snow = [
        blob(size, segments, sculptor.rng, rough=0.012, waves=5).scaled(1, 0.93, 1).moved(y=y)
        for size, y in ((0.46, 0.40), (0.34, 0.98), (0.25, 1.44))
    ]
    sculptor.add("snow", SNOW, *snow)
    for side in (-1, 1):
        arm = curve(
            [(0.28 * side, 1.05, 0), (0.52 * side, 1.18, 0.06), (0.74 * side, 1.38, 0.1)],
            sculptor.steps(6),
        )
        twigs = [
            tube(
                np.array([[0.62 * side, 1.27, 0.08], [0.62 * side + dx, 1.27 + dy, 0.12]]), 0.011, 8
            )
            for dx, dy in ((0.12 * side, 0.02), (0.02 * side, 0.14))
        ]
        sculptor.add(
            "arm",
            stuff("branch", "#5a412e", rough=0.95),
            tube(arm, np.linspace(0.022, 0.012, len(arm)), 10),
            *twigs,
        )
        sculptor.add("eye", BLACK, ball(0.028, 16).moved(0.085 * side, 1.5, 0.222))
    smile = [
        ball(0.016, 12).moved(0.1 * math.sin(a), 1.43 - 0.075 * math.cos(a), 0.235 - 0.03 * abs(a))
        for a in np.linspace(-1.1, 1.1, 6)
    ]
    buttons = [
        ball(0.03, 16).moved(0, y, z) for y, z in ((1.12, 0.315), (0.98, 0.34), (0.84, 0.318))
    ]
    sculptor.add("coals", BLACK, *smile, *buttons)
    sculptor.add(
        "carrot",
        stuff("carrot", "#e07f2a", rough=0.7),
        cylinder(0.04, 0.26, 20, top=0.0).turned("x", 88).moved(0, 1.45, 0.22),
    )
    sculptor.add(
        "scarf",
        scarf,
        torus(0.215, 0.055, segments, tall=0.05).moved(y=1.235),
        extruded(outline((-0.06, 0), (0.06, 0), (0.075, 0.36), (-0.045, 0.36)), 0.04, bevel=0.01)
        .turned("z", 172)
        .moved(0.13, 1.24, 0.25),
    )
    sculptor.add(
        "hat",
        hat,
        cylinder(0.28, 0.025, segments, bevel=0.008).moved(y=1.63),
        cylinder(0.18, 0.27, segments, top=0.195, bevel=0.012).moved(y=1.645),
    )
    sculptor.add("band", scarf, cylinder(0.186, 0.06, segments, bevel=0.006).moved(y=1.655))
