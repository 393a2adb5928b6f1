"""Things of a room: chair, table, lamp, book, clock."""

import numpy as np

from infra.providers.local.sculpture.forms import (
    ball,
    band,
    box,
    curve,
    cylinder,
    extruded,
    lathe,
    smooth,
    torus,
    tube,
)
from infra.providers.local.sculpture.mesh import Mesh, Points, around
from infra.providers.local.sculpture.outlines import outline
from infra.providers.local.sculpture.sculptor import Sculptor
from infra.providers.local.sculpture.stuff import BLACK, BRASS, LIGHT, PAPER, Material, stuff

_WOODS = ("#9a6a3f #c9b48c", "#6b442a #b5533c", "#b98a5a #5f7d72", "#7d5636 #3f5878")


def chair(sculptor: Sculptor) -> None:
    """A wooden chair with turned legs, a cushion and a back of spindles."""
    wood = sculptor.coloured("wood", sculptor.paint.main(*_WOODS), rough=0.5)
    cloth = sculptor.coloured("cushion", sculptor.paint.accent(*_WOODS), rough=0.95)
    around_, bends = sculptor.segments(20, least=8), sculptor.steps(6)
    seat, wide, deep = 0.44, 0.44, 0.43
    line = smooth([(0.014, 0.0), (0.017, 0.05), (0.024, 0.20), (0.019, 0.33), (0.021, seat)], bends)
    leg = lathe([(0.0, 0.0), *line, (0.0, seat)], around_)
    legs: list[Mesh] = []
    for x in (-1, 1):
        for z in (-1, 1):
            lean = leg.moved(y=-seat).turned("z", 4.5 * x).turned("x", -4.5 * z).moved(y=seat)
            legs.append(lean.moved(x * (wide / 2 - 0.05), 0, z * (deep / 2 - 0.05)))
    sculptor.add("legs", wood, *legs)
    rungs = [tube(np.array([[-0.19, 0.17, z], [0.19, 0.17, z]]), 0.010, 12) for z in (-0.19, 0.19)]
    rungs += [
        tube(np.array([[x, 0.21, -0.19], [x, 0.21, 0.19]]), 0.010, 12) for x in (-0.195, 0.195)
    ]
    sculptor.add("rungs", wood, *rungs)
    sculptor.add("seat", wood, box(wide, 0.034, deep, bevel=0.014, steps=3).moved(y=seat + 0.012))
    pad = box(wide - 0.05, 0.045, deep - 0.05, bevel=0.0215, steps=4)
    sculptor.add("cushion", cloth, pad.moved(y=seat + 0.048))
    _back(sculptor, wood, seat, wide, deep)


def _back(sculptor: Sculptor, wood: Material, seat: float, wide: float, deep: float) -> None:
    tall, lean = 0.46, 0.09
    z = -deep / 2 + 0.03
    bends = sculptor.steps(6)
    for x in (-wide / 2 + 0.03, wide / 2 - 0.03):
        post = curve(
            [(x, seat, z), (x, seat + tall * 0.5, z - lean * 0.4), (x, seat + tall, z - lean)],
            bends,
        )
        sculptor.add("post", wood, tube(post, 0.015, sculptor.segments(16)))
    for number in range(5):
        x = (number - 2) * 0.072
        slat = curve(
            [
                (x, seat + 0.01, z),
                (x, seat + tall * 0.5, z - lean * 0.45),
                (x, seat + tall - 0.02, z - lean),
            ],
            bends,
        )
        sculptor.add("spindle", wood, tube(slat, 0.0085, 12))
    top = curve(
        [
            (-wide / 2 + 0.005, seat + tall - 0.01, z - lean),
            (0, seat + tall + 0.03, z - lean - 0.03),
            (wide / 2 - 0.005, seat + tall - 0.01, z - lean),
        ],
        bends * 2,
    )
    sculptor.add("top rail", wood, tube(top, 0.036, sculptor.segments(20), flat=0.38))


def table(sculptor: Sculptor) -> None:
    """A table with a vase and a book on it."""
    wood = sculptor.coloured("wood", sculptor.paint.main(*_WOODS), rough=0.45)
    other = sculptor.coloured("vase", sculptor.paint.accent(*_WOODS), rough=0.3)
    wide, deep, tall = 1.5, 0.85, 0.74
    sculptor.add("top", wood, box(wide, 0.036, deep, bevel=0.012, steps=3).moved(y=tall - 0.018))
    rim = wood.toned(lift=-0.05, name="frame")
    sculptor.add(
        "frame",
        rim,
        box(wide - 0.2, 0.08, 0.024, bevel=0.004).moved(y=tall - 0.076, z=deep / 2 - 0.1),
        box(wide - 0.2, 0.08, 0.024, bevel=0.004).moved(y=tall - 0.076, z=-deep / 2 + 0.1),
        *(
            box(0.024, 0.08, deep - 0.2, bevel=0.004).moved(x * (wide / 2 - 0.1), tall - 0.076, 0)
            for x in (-1, 1)
        ),
    )
    line = smooth(
        [
            (0.018, 0.0),
            (0.022, 0.05),
            (0.030, 0.42),
            (0.026, 0.52),
            (0.034, 0.6),
            (0.034, tall - 0.03),
        ],
        sculptor.steps(6),
    )
    leg = lathe([(0.0, 0.0), *line, (0.0, tall - 0.03)], sculptor.segments(28, least=10))
    sculptor.add(
        "legs",
        rim,
        *(
            leg.moved(x * (wide / 2 - 0.1), 0, z * (deep / 2 - 0.1))
            for x in (-1, 1)
            for z in (-1, 1)
        ),
    )
    body = smooth(
        [(0.036, 0.0), (0.066, 0.06), (0.060, 0.12), (0.026, 0.175), (0.034, 0.2)],
        sculptor.steps(7),
    )
    hollow = [(0.029, 0.2), (0.021, 0.175), (0.0, 0.17)]
    sculptor.add(
        "vase",
        other,
        lathe([(0.0, 0.0), *body, *hollow], sculptor.segments(48)).moved(-0.35, tall, -0.05),
    )
    volume = stuff("book", "#7d3b34", rough=0.7)
    sculptor.add(
        "book",
        volume,
        box(0.23, 0.006, 0.17, bevel=0.002).moved(0.25, tall + 0.003, 0.1),
        box(0.23, 0.006, 0.17, bevel=0.002).moved(0.25, tall + 0.037, 0.1),
    )
    sculptor.add("pages", PAPER, box(0.222, 0.03, 0.162).moved(0.252, tall + 0.02, 0.1))


def lamp(sculptor: Sculptor) -> None:
    """A table lamp with a shade, alight."""
    schemes = ("#2f5d62 #f0e0c0", "#b4552f #f3e8d4", "#33363b #efdcb4", "#8a6a9a #f4ead8")
    base = sculptor.coloured("base", sculptor.paint.main(*schemes), rough=0.25)
    around_, bends = sculptor.segments(64), sculptor.steps(9)
    line = smooth(
        [
            (0.062, 0.012),
            (0.070, 0.030),
            (0.090, 0.10),
            (0.070, 0.175),
            (0.026, 0.225),
            (0.018, 0.25),
        ],
        bends,
    )
    sculptor.add("base", base, lathe([(0.0, 0.012), *line, (0.0, 0.25)], around_))
    sculptor.add("foot", BRASS, cylinder(0.074, 0.016, around_, bevel=0.004))
    sculptor.add(
        "neck",
        BRASS,
        cylinder(0.009, 0.14, 20).moved(y=0.245),
        cylinder(0.021, 0.02, around_, bevel=0.004).moved(y=0.245),
    )
    cloth = sculptor.paint.accent(*schemes)
    shade = Material("shade", cloth, rough=0.9, glow=0.2)
    wall = [(0.158, 0.315), (0.104, 0.505), (0.1005, 0.505), (0.1545, 0.315)]
    sculptor.add("shade", shade, band(wall, around_))
    sculptor.add(
        "trim",
        BRASS,
        torus(0.1565, 0.0026, around_).moved(y=0.315),
        torus(0.1025, 0.0026, around_).moved(y=0.505),
    )
    sculptor.add("bulb", LIGHT, ball(0.032, sculptor.segments(28)).scaled(1, 1.25, 1).moved(y=0.40))
    spokes = around(tube(np.array([[0.0, 0.50, 0.0], [0.102, 0.50, 0.0]]), 0.0016, 8), 3)
    sculptor.add(
        "spokes",
        BRASS,
        spokes,
        cylinder(0.005, 0.05, 12).moved(y=0.485),
        ball(0.010, 20).moved(y=0.54),
        cylinder(0.0025, 0.1, 8).moved(y=0.40),
    )
    cord = curve(
        [(0.07, 0.004, -0.01), (0.13, 0.004, -0.06), (0.19, 0.004, -0.02), (0.24, 0.004, -0.09)],
        bends,
    )
    sculptor.add("cord", stuff("cord", "#2b2b2e", rough=0.7), tube(cord, 0.0032, 10))


def book(sculptor: Sculptor) -> None:
    """An open book with curved pages, lying on its covers."""
    schemes = ("#7a2f33 #d0a04c", "#274b4f #d9b25f", "#3b3f63 #d8c48a", "#6b442a #e0c890")
    cover = sculptor.coloured("cover", sculptor.paint.main(*schemes), rough=0.65)
    gold = sculptor.coloured("gilding", sculptor.paint.accent(*schemes), rough=0.35, metal=0.8)
    deep, wide, thick = 0.225, 0.155, 0.024
    steps = sculptor.steps(16) + 4
    x = np.linspace(0, 1, steps)
    rise = thick * (0.25 + 1.05 * np.sqrt(np.clip(1 - (1 - np.minimum(x * 5, 1)) ** 2, 0, 1)))
    rise = rise * (1 - 0.42 * x**1.8)
    leaves: list[Mesh] = []
    edges: list[Mesh] = []
    for side in (1, -1):
        block = np.concatenate(
            [
                np.column_stack([x * wide, rise + 0.004]),
                np.column_stack([x[::-1] * wide, np.full(steps, 0.004)]),
            ]
        )
        mesh = extruded(block, deep).scaled(side, 1, 1)
        leaves.append(mesh)
        top = np.concatenate(
            [
                np.column_stack([x * wide * 0.985, rise + 0.0052]),
                np.column_stack([x[::-1] * wide * 0.985, rise[::-1] + 0.0044]),
            ]
        )
        edges.append(extruded(top, deep * 0.985).scaled(side, 1, 1))
        board = box(wide + 0.008, 0.0045, deep + 0.012, bevel=0.0015)
        sculptor.add("cover", cover, board.moved(side * (wide / 2 + 0.006), 0.002, 0))
        corner = outline((0, 0), (0.03, 0), (0, 0.03))
        for end in (1, -1):
            metal = extruded(corner, 0.0056).turned("x", 90).scaled(-side, 1, -end)
            sculptor.add(
                "corner",
                gold,
                metal.moved(side * (wide + 0.0105), 0.002, end * (deep / 2 + 0.0065)),
            )
    sculptor.add("pages", PAPER, *leaves)
    sculptor.add("page", stuff("page", "#fbf6e8", rough=0.9), *edges)
    _lines(sculptor, x, rise, wide, deep)
    ribbon = np.array(
        [
            [0.004, 0.031, -0.1],
            [0.006, 0.0325, 0.0],
            [0.006, 0.030, 0.108],
            [0.010, 0.012, 0.122],
            [0.014, 0.003, 0.15],
        ]
    )
    path = curve(ribbon.tolist(), sculptor.steps(6))
    sculptor.add("ribbon", gold.toned(lift=-0.02, name="ribbon"), tube(path, 0.0042, 10, flat=0.2))


def _lines(sculptor: Sculptor, x: Points, rise: Points, wide: float, deep: float) -> None:
    """Lines of print that follow the bend of the pages."""
    lines: list[Mesh] = []
    for side in (1, -1):
        for number in range(13):
            z = -deep / 2 + 0.030 + number * 0.0135
            long = 0.098 if number % 5 else sculptor.vary(0.04, 0.08)
            # Print begins at the left: of the left page that is its outer edge.
            start = 0.032 if side > 0 else wide - 0.024 - long
            places = np.linspace(start, start + long, 7)
            heights = np.interp(places / wide, x, rise) + 0.0053
            strip = np.concatenate(
                [
                    np.column_stack([places, heights]),
                    np.column_stack([places[::-1], heights[::-1] - 0.0006]),
                ]
            )
            lines.append(extruded(strip, 0.0028).scaled(side, 1, 1).moved(z=z))
    sculptor.add("lines", stuff("ink", "#4a4440", rough=0.9), *lines)


def clock(sculptor: Sculptor) -> None:
    """An alarm clock with two bells."""
    schemes = ("#b8352c #f5f1e8", "#2f5d62 #f3ead6", "#d0a04c #fbf6ea", "#33363b #f3efe6")
    body = sculptor.coloured("case", sculptor.paint.main(*schemes), rough=0.3)
    face = sculptor.coloured("face", sculptor.paint.accent(*schemes), rough=0.6)
    around_, bends = sculptor.segments(72), sculptor.steps(6)
    line = smooth([(0.046, -0.026), (0.056, -0.018), (0.058, 0.0), (0.058, 0.022)], bends)
    case = lathe([(0.0, -0.027), *line, (0.0, 0.022)], around_).turned("x", 90)
    y = 0.078
    sculptor.add("case", body, case.moved(y=y))
    sculptor.add("rim", BRASS, torus(0.0565, 0.0042, around_).turned("x", 90).moved(y=y, z=0.023))
    sculptor.add("face", face, cylinder(0.054, 0.002, around_).turned("x", 90).moved(y=y, z=0.0225))
    _face(sculptor, y)
    bell = lathe(
        [
            (0.0, 0.0),
            (0.026, 0.0),
            *smooth([(0.026, 0.001), (0.022, 0.012), (0.010, 0.020)], bends),
            (0.0, 0.021),
        ],
        sculptor.segments(40),
    )
    for side in (-1, 1):
        tilt = -32 * side
        sculptor.add("bell", BRASS, bell.moved(y=0.064).turned("z", tilt).moved(y=y))
        leg = lathe(
            [
                (0.0, 0.0),
                *smooth([(0.004, 0.0), (0.0075, 0.01), (0.005, 0.03)], bends),
                (0.0, 0.031),
            ],
            20,
        )
        leg = leg.turned("z", 24 * side)
        sculptor.add("foot", BRASS, leg.moved(x=side * 0.044, y=0.0))
    loop = curve(
        [
            (-0.016, y + 0.058, 0),
            (-0.014, y + 0.085, 0),
            (0.0, y + 0.094, 0),
            (0.014, y + 0.085, 0),
            (0.016, y + 0.058, 0),
        ],
        bends,
    )
    sculptor.add("handle", BRASS, tube(loop, 0.0026, 12))
    hammer = tube(np.array([[0, y + 0.05, 0], [0, y + 0.076, 0]]), 0.0016, 8)
    sculptor.add("hammer", BLACK, hammer, ball(0.0055, 18).moved(y=y + 0.077))


def _face(sculptor: Sculptor, y: float) -> None:
    """The marks and hands of a clock."""
    marks = [
        box(0.0022, 0.008 if n % 3 else 0.012, 0.0012).moved(y=0.044, z=0.0255).turned("z", 30 * n)
        for n in range(12)
    ]
    hands = [
        box(0.004, 0.030, 0.0012).moved(y=0.012, z=0.027).turned("z", 55),
        box(0.0028, 0.042, 0.0012).moved(y=0.018, z=0.0285).turned("z", -60),
    ]
    sculptor.add(
        "hands",
        BLACK,
        *(mesh.moved(y=y) for mesh in [*marks, *hands]),
        ball(0.004, 16).moved(y=y, z=0.027),
    )
