"""What people lift and travel with: cranes, rockets, balloons, cars."""

import math

import numpy as np

from infra.providers.local.sculpture.forms import (
    ball,
    band,
    box,
    curve,
    cylinder,
    extruded,
    lathe,
    sheet,
    smooth,
    torus,
    tube,
)
from infra.providers.local.sculpture.mesh import Mesh, Points, around
from infra.providers.local.sculpture.outlines import outline, oval
from infra.providers.local.sculpture.sculptor import Sculptor
from infra.providers.local.sculpture.stuff import (
    BLACK,
    BRASS,
    DARK_GLASS,
    DARK_WOOD,
    GLASS,
    IRON,
    LIGHT,
    STEEL,
    STONE,
    stuff,
)


def crane(sculptor: Sculptor) -> None:
    """A tower crane with lattice mast and jib, cab, weights and a load."""
    schemes = ("#e0a026 #33363b", "#c9472f #3a3d44", "#2f6f8f #33363b")
    paint = sculptor.coloured("paint", sculptor.paint.main(*schemes), rough=0.45)
    dark = sculptor.coloured("dark", sculptor.paint.accent(*schemes), rough=0.6)
    tall, side = 26.0, 0.85
    sculptor.add("mast", paint, *_lattice(np.array([0, 0.5, 0]), np.array([0, tall, 0]), side, 13))
    head = np.array([0, tall + 0.9, 0])
    sculptor.add("jib", paint, *_lattice(head, head + np.array([19.5, 0, 0]), 0.62, 13))
    sculptor.add("counter jib", paint, *_lattice(head, head - np.array([7.5, 0, 0]), 0.62, 5))
    peak = head + np.array([0, 4.4, 0])
    mast = [
        tube(np.array([head + np.array([x, 0, z]), peak]), 0.12, 8)
        for x in (-0.6, 0.6)
        for z in (-0.6, 0.6)
    ]
    sculptor.add("peak", paint, *mast)
    ties = [
        tube(np.array([peak, head + np.array([x, 0.62, 0])]), 0.05, 8) for x in (9.5, 17.5, -7.0)
    ]
    sculptor.add("ties", IRON, *ties)
    sculptor.add(
        "turntable", dark, cylinder(1.15, 0.7, sculptor.segments(32), bevel=0.08).moved(y=tall)
    )
    sculptor.add("cab", paint, box(1.5, 1.7, 1.4, bevel=0.1).moved(1.0, tall - 0.1, 1.35))
    sculptor.add(
        "cab windows", GLASS, box(1.56, 0.85, 1.1, bevel=0.05).moved(1.03, tall + 0.1, 1.35)
    )
    weights = [
        box(0.55, 1.9, 1.5, bevel=0.05).moved(-5.1 - 0.65 * n, tall + 0.3, 0) for n in range(4)
    ]
    sculptor.add("weights", STONE, *weights)
    reach = sculptor.vary(10.5, 15.0)
    sculptor.add("trolley", dark, box(1.2, 0.4, 1.0, bevel=0.05).moved(reach, tall + 0.1, 0))
    drop = 13.0
    ropes = [
        tube(np.array([[reach + x, tall, z], [reach + x * 0.5, tall - drop, z * 0.5]]), 0.03, 6)
        for x in (-0.3, 0.3)
        for z in (-0.25, 0.25)
    ]
    sculptor.add("ropes", IRON, *ropes)
    hook = curve(
        [
            (reach, tall - drop, 0),
            (reach, tall - drop - 0.8, 0),
            (reach + 0.35, tall - drop - 1.2, 0),
            (reach + 0.1, tall - drop - 1.5, 0),
            (reach - 0.3, tall - drop - 1.25, 0),
        ],
        sculptor.steps(6),
    )
    sculptor.add(
        "hook",
        STEEL,
        tube(hook, 0.09, 10),
        box(0.7, 0.5, 0.5, bevel=0.08).moved(reach, tall - drop + 0.1, 0),
    )
    beam = box(3.6, 0.35, 0.9, bevel=0.04).moved(reach, tall - drop - 3.4, 0)
    slings = [
        tube(np.array([[reach, tall - drop - 1.5, 0], [reach + x, tall - drop - 3.3, 0]]), 0.035, 6)
        for x in (-1.5, 1.5)
    ]
    sculptor.add("load", stuff("beam", "#a5553a", rough=0.7), beam, beam.moved(y=0.36))
    sculptor.add("slings", IRON, *slings)
    sculptor.add(
        "footing",
        STONE,
        box(4.4, 0.8, 4.4, bevel=0.12).moved(y=0.2),
        box(3.0, 0.5, 3.0, bevel=0.1).moved(y=0.8),
    )


def _lattice(start: Points, end: Points, half: float, bays: int) -> list[Mesh]:
    """Return four chords with struts between them, along a straight line."""
    ahead = (end - start) / np.linalg.norm(end - start)
    side = np.cross(ahead, [0, 0, 1.0])
    side /= np.linalg.norm(side)
    up = np.cross(ahead, side)
    corners = [side * a * half + up * b * half for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
    bars = [tube(np.array([start + corner, end + corner]), half * 0.115, 8) for corner in corners]
    for bay in range(bays):
        low = start + (end - start) * bay / bays
        high = start + (end - start) * (bay + 1) / bays
        for number in range(4):
            one, other = corners[number], corners[(number + 1) % 4]
            first, second = (one, other) if (bay + number) % 2 else (other, one)
            bars.append(tube(np.array([low + first, high + second]), half * 0.06, 6))
            bars.append(tube(np.array([low + one, low + other]), half * 0.06, 6))
    return bars


def rocket(sculptor: Sculptor) -> None:
    """A rocket of the old kind: round body, fins, portholes."""
    schemes = ("#f1ece0 #c23b2e", "#d9dde2 #2f6f8f", "#f3ead6 #e08a2f", "#c9ccd2 #b8352c")
    body = sculptor.coloured("body", sculptor.paint.main(*schemes), rough=0.3)
    second = sculptor.coloured("fins", sculptor.paint.accent(*schemes), rough=0.35)
    around_, bends = sculptor.segments(64), sculptor.steps(8)
    shape = smooth([(0.62, 1.3), (1.02, 2.6), (1.22, 4.6), (1.06, 6.8), (0.72, 8.2)], bends)
    sculptor.add("body", body, lathe([(0.0, 1.3), *shape, (0.0, 8.2)], around_))
    tip = smooth([(0.72, 8.2), (0.46, 9.2), (0.14, 10.1)], bends)
    sculptor.add("tip", second, lathe([(0.0, 8.2), *tip, (0.0, 10.2)], around_))
    sculptor.add(
        "antenna", STEEL, cylinder(0.03, 1.0, 10).moved(y=10.1), ball(0.08, 16).moved(y=11.1)
    )
    sculptor.add(
        "nozzle", IRON, band([(0.6, 0.75), (0.5, 1.35), (0.36, 1.35), (0.5, 0.75)], around_)
    )
    fin = outline(
        (0.55, 3.7),
        (0.62, 1.7),
        (1.35, 0.55),
        (2.0, -0.35),
        (2.25, -0.35),
        (2.15, 0.9),
        (1.75, 2.2),
        (1.05, 3.6),
    )
    sculptor.add("fins", second, around(extruded(fin[::-1], 0.16, bevel=0.05), 3, start=35))
    line = np.array(shape)
    for height, size in ((6.1, 0.46), (4.5, 0.38)):
        radius = float(np.interp(height, line[:, 1], line[:, 0]))
        place = {"y": height, "z": radius - 0.07}
        sculptor.add(
            "porthole",
            BRASS,
            torus(size, 0.09, sculptor.segments(40)).turned("x", 90).moved(**place).turned("y", 28),
        )
        sculptor.add(
            "pane",
            DARK_GLASS,
            ball(size, sculptor.segments(32)).scaled(1, 1, 0.32).moved(**place).turned("y", 28),
        )
    for height in (2.7, 7.6):
        radius = float(np.interp(height, line[:, 1], line[:, 0]))
        sculptor.add("belt", second, torus(radius, 0.05, around_, tall=0.16).moved(y=height))


def balloon(sculptor: Sculptor) -> None:
    """A hot-air balloon of coloured gores with a basket."""
    schemes = ("#d9483b #f4e6c8", "#2f7f8f #f3d27a", "#e08a2f #7a3b6b", "#4d6fb0 #f2e6d0")
    one = sculptor.coloured("gores", sculptor.paint.main(*schemes), rough=0.7)
    other = sculptor.coloured("light gores", sculptor.paint.accent(*schemes), rough=0.7)
    shape = np.array(
        smooth(
            [
                (1.15, 4.0),
                (2.2, 5.6),
                (4.3, 8.6),
                (5.4, 12.2),
                (4.7, 15.6),
                (2.6, 17.9),
                (0.5, 18.6),
            ],
            sculptor.steps(5),
        )
    )
    gores, steps = 16, max(sculptor.steps(4), 3)
    for number in range(gores):
        turns = np.linspace(0, math.tau / gores, steps + 1) + number * math.tau / gores
        bulge = 1 + 0.028 * np.sin(np.linspace(0, math.pi, steps + 1))
        skin_ = shape[:, None, 0] * bulge
        front = np.stack(
            [
                skin_ * np.cos(turns),
                np.broadcast_to(shape[:, 1:], skin_.shape),
                -skin_ * np.sin(turns),
            ],
            axis=2,
        )
        sculptor.add("gore", one if number % 2 else other, sheet(front, 0.05), crease=50)
    sculptor.add(
        "crown",
        one,
        lathe([(0.0, 18.45), (0.7, 18.45), (0.5, 18.66), (0.0, 18.72)], sculptor.segments(40)),
    )
    sculptor.add(
        "skirt",
        one.toned(lift=-0.06, name="skirt"),
        band([(0.95, 3.2), (1.17, 4.05), (1.1, 4.05), (0.88, 3.2)], sculptor.segments(40)),
    )
    wicker = stuff("wicker", "#a8774a", rough=0.95)
    basket = [box(1.7, 0.9, 0.1, bevel=0.03).moved(y=0.5, z=z) for z in (-0.75, 0.75)]
    basket += [box(0.1, 0.9, 1.6, bevel=0.03).moved(x, 0.5, 0) for x in (-0.8, 0.8)]
    sculptor.add("basket", wicker, *basket, box(1.7, 0.1, 1.6, bevel=0.03).moved(y=0.08))
    edge = [tube(np.array([[-0.85, 0.98, z], [0.85, 0.98, z]]), 0.075, 10) for z in (-0.76, 0.76)]
    edge += [tube(np.array([[x, 0.98, -0.8], [x, 0.98, 0.8]]), 0.075, 10) for x in (-0.81, 0.81)]
    sculptor.add("edge", DARK_WOOD, *edge)
    ropes = [
        tube(np.array([[x * 0.8, 0.95, z * 0.75], [x * 0.78, 3.3, z * 0.62]]), 0.025, 6)
        for x in (-1, 1)
        for z in (-1, 1)
    ]
    sculptor.add("ropes", IRON, *ropes, cylinder(0.16, 0.4, 16).moved(y=2.0))
    sculptor.add("flame", LIGHT, lathe([(0.0, 2.4), (0.12, 2.55), (0.07, 2.9), (0.0, 3.3)], 16))


def car(sculptor: Sculptor) -> None:
    """A small car with round shapes."""
    schemes = ("#c23b2e #f3ead6", "#7fb0a8 #f4efe4", "#e0b23c #f5f1e6", "#3f5f8c #e9e4d8")
    body = sculptor.coloured("body", sculptor.paint.main(*schemes), rough=0.22)
    roof = sculptor.coloured("roof", sculptor.paint.accent(*schemes), rough=0.3)
    low = curve(
        [
            (-1.75, 0.35),
            (-1.85, 0.62),
            (-1.62, 0.86),
            (-0.95, 0.93),
            (0.75, 0.94),
            (1.5, 0.83),
            (1.82, 0.62),
            (1.78, 0.35),
        ],
        sculptor.steps(6),
    )[:, :2]
    sculptor.add("body", body, extruded(low[::-1], 1.5, bevel=0.07))
    cabin = curve(
        [(-1.15, 0.88), (-0.85, 1.22), (-0.35, 1.4), (0.25, 1.38), (0.75, 1.12), (0.98, 0.9)],
        sculptor.steps(6),
    )[:, :2]
    sculptor.add("windows", DARK_GLASS, extruded(cabin[::-1], 1.26, bevel=0.03))
    top = curve([(-0.86, 1.23), (-0.36, 1.43), (0.26, 1.41), (0.62, 1.23)], sculptor.steps(6))[
        :, :2
    ]
    lid = np.concatenate([top, top[::-1] - [0, 0.05]])
    sculptor.add("roof", roof, extruded(lid[::-1], 1.3))
    pillars = [
        tube(np.array([[x, 0.9, z], [t, 1.38, z * 0.93]]), 0.035, 10)
        for x, t in ((-1.12, -0.62), (-0.12, -0.12), (0.95, 0.42))
        for z in (-0.61, 0.61)
    ]
    sculptor.add("pillars", roof, *pillars)
    tyre = torus(0.25, 0.085, sculptor.segments(48)).turned("x", 90)
    hub = cylinder(0.2, 0.14, sculptor.segments(36), bevel=0.03).turned("x", 90)
    for x in (-1.12, 1.12):
        for z in (-0.7, 0.7):
            place = {"x": x, "y": 0.335, "z": z}
            sculptor.add("tyre", BLACK, tyre.moved(**place))
            sculptor.add("hub", STEEL, hub.moved(z=-0.07).moved(**place))
            arch_ = curve(
                [
                    (x - 0.42, 0.34, z),
                    (x - 0.3, 0.66, z),
                    (x, 0.77, z),
                    (x + 0.3, 0.66, z),
                    (x + 0.42, 0.34, z),
                ],
                sculptor.steps(6),
            )
            sculptor.add("guard", body, tube(arch_, 0.075, 12))
    sculptor.add(
        "lamps",
        LIGHT,
        *(ball(0.13, 24).scaled(0.6, 1, 1).moved(1.76, 0.66, z) for z in (-0.5, 0.5)),
    )
    sculptor.add(
        "tail lamps",
        stuff("red light", "#c22a2a", rough=0.2, glow=0.6),
        *(ball(0.09, 20).scaled(0.5, 1.2, 1).moved(-1.79, 0.64, z) for z in (-0.55, 0.55)),
    )
    sculptor.add(
        "bumpers",
        STEEL,
        *(
            tube(curve([(x, 0.4, -0.7), (x * 1.045, 0.4, 0), (x, 0.4, 0.7)], 8), 0.05, 12)
            for x in (1.84, -1.84)
        ),
    )
    sculptor.add(
        "grille", STEEL, extruded(oval(0.5, 0.22, 32), 0.06).turned("y", 90).moved(1.82, 0.56, 0)
    )
