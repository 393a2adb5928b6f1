"""Pots and cups: turned bodies with walls, handles and spouts."""

import math

import numpy as np

from infra.providers.local.sculpture.forms import (
    ball,
    curve,
    cylinder,
    lathe,
    smooth,
    torus,
    tube,
)
from infra.providers.local.sculpture.sculptor import Sculptor
from infra.providers.local.sculpture.stuff import GLASS, LEAVES, Material, stuff

_GLAZES = (
    "#b4552f #f0e2cb",
    "#2f6470 #efe6d2",
    "#d8cdb8 #7c4a2f",
    "#3f5f8c #f3ede0",
    "#7d8f6a #f1e8d4",
    "#c9a27a #4d3a2f",
)


def _glazes(sculptor: Sculptor, *, rough: float = 0.28) -> tuple[Material, Material]:
    paint = sculptor.paint
    glaze = sculptor.coloured("glaze", paint.main(*_GLAZES), rough=rough)
    return glaze, sculptor.coloured("second glaze", paint.accent(*_GLAZES), rough=rough + 0.1)


def _walled(
    outside: list[tuple[float, float]], wall: float, steps: int, *, floor: float
) -> list[tuple[float, float]]:
    """Return the profile of a hollow body: up its outside, over the lip, down its inside."""
    line = smooth(outside, steps)
    foot = [(0.0, line[0][1]), (line[0][0] * 0.9, line[0][1])]
    lip = line[-1]
    turns = [math.radians(angle) for angle in (150, 90, 30)]
    rim = [
        (lip[0] - wall / 2 - wall / 2 * math.cos(turn), lip[1] + wall / 2 * math.sin(turn))
        for turn in turns
    ]
    inside = [
        (radius - wall, height)
        for radius, height in reversed(line)
        if height > floor and radius > wall * 1.5
    ]
    return [*foot, *line, *rim, *inside, (inside[-1][0] * 0.6, floor), (0.0, floor)]


def cup(sculptor: Sculptor) -> None:
    """A mug with a handle, and what is in it."""
    glaze, second = _glazes(sculptor)
    belly = sculptor.vary(0.040, 0.046)
    tall = sculptor.vary(0.088, 0.102)
    shape = [
        (0.033, 0.0),
        (0.037, 0.006),
        (belly, tall * 0.35),
        (belly, tall * 0.7),
        (belly * 0.97, tall),
    ]
    profile = _walled(shape, 0.0042, sculptor.steps(6), floor=0.007)
    around = sculptor.segments(64)
    sculptor.add("cup", glaze, lathe(profile, around))
    inner = belly * 0.985 - 0.0038
    drink = stuff("drink", "#4a2c1a", rough=0.12)
    sculptor.add("drink", drink, cylinder(inner, 0.002, around).moved(y=tall * 0.86))
    side = belly - 0.002
    path = curve(
        [
            (side, tall * 0.80, 0),
            (side + 0.021, tall * 0.83, 0),
            (side + 0.031, tall * 0.60, 0),
            (side + 0.024, tall * 0.33, 0),
            (side - 0.002, tall * 0.22, 0),
        ],
        sculptor.steps(8),
    )
    sculptor.add("handle", glaze, tube(path, 0.0052, sculptor.segments(16, least=8), flat=1.35))
    saucer = _walled(
        [(0.036, 0.0), (0.046, 0.002), (0.066, 0.009), (0.076, 0.014)],
        0.003,
        sculptor.steps(5),
        floor=0.004,
    )
    sculptor.add("saucer", second, lathe(saucer, around).moved(y=-0.0045))


def teapot(sculptor: Sculptor) -> None:
    """A round pot with spout, handle and lid."""
    glaze, second = _glazes(sculptor)
    around, bends = sculptor.segments(72), sculptor.steps(8)
    fat = sculptor.vary(0.95, 1.08)
    body = smooth(
        [
            (0.045, 0.0),
            (0.052, 0.008),
            (0.078 * fat, 0.045),
            (0.080 * fat, 0.075),
            (0.062 * fat, 0.112),
            (0.044, 0.126),
        ],
        bends,
    )
    sculptor.add("body", glaze, lathe([(0.0, 0.0), (0.04, 0.0), *body, (0.0, 0.127)], around))
    foot = [(0.0, -0.004), (0.046, -0.004), (0.049, 0.0), (0.046, 0.006), (0.0, 0.006)]
    sculptor.add("foot", second, lathe(foot, around))
    lid = smooth([(0.047, 0.124), (0.048, 0.129), (0.036, 0.139), (0.012, 0.145)], bends)
    sculptor.add("lid", glaze, lathe([(0.0, 0.122), (0.044, 0.122), *lid, (0.0, 0.146)], around))
    knob = smooth([(0.006, 0.142), (0.007, 0.149), (0.013, 0.158), (0.011, 0.167)], bends)
    sculptor.add("knob", second, lathe([(0.0, 0.142), *knob, (0.0, 0.171)], around))
    x = 0.070 * fat
    spout = curve(
        [
            (x - 0.012, 0.045, 0),
            (x + 0.022, 0.056, 0),
            (x + 0.040, 0.088, 0),
            (x + 0.062, 0.120, 0),
        ],
        bends,
    )
    radii = np.interp(np.linspace(0, 1, len(spout)), [0, 0.4, 1], [0.021, 0.0135, 0.0085])
    sculptor.add("spout", glaze, tube(spout, radii, sculptor.segments(28, least=10)))
    tip = tube(spout[-2:] + (spout[-1] - spout[-2]) * 0.4, 0.0094, sculptor.segments(28, least=10))
    sculptor.add("mouth", second, tip)
    handle = curve(
        [
            (-x + 0.008, 0.104, 0),
            (-x - 0.030, 0.120, 0),
            (-x - 0.054, 0.088, 0),
            (-x - 0.036, 0.050, 0),
            (-x + 0.006, 0.036, 0),
        ],
        bends,
    )
    sculptor.add("handle", glaze, tube(handle, 0.0066, sculptor.segments(18, least=8), flat=1.3))


def vase(sculptor: Sculptor) -> None:
    """A slender vase with a band of another glaze, or branches in it."""
    glaze, second = _glazes(sculptor, rough=0.35)
    around, bends = sculptor.segments(72), sculptor.steps(9)
    belly, neck = sculptor.vary(0.085, 0.115), sculptor.vary(0.030, 0.042)
    shape = [
        (0.052, 0.0),
        (0.056, 0.01),
        (belly, 0.12),
        (belly * 0.92, 0.19),
        (neck * 1.15, 0.275),
        (neck, 0.31),
        (neck * 1.45, 0.352),
    ]
    sculptor.add("vase", glaze, lathe(_walled(shape, 0.006, bends, floor=0.014), around))
    line = np.array(smooth(shape, bends))
    for number, height in enumerate((0.215, 0.226, 0.30)):
        radius = float(np.interp(height, line[:, 1], line[:, 0]))
        ring = torus(radius, 0.0028, around, tall=0.0042).moved(y=height)
        sculptor.add(f"band {number + 1}", second, ring)
    _branches(sculptor, 0.33)


def _branches(sculptor: Sculptor, mouth: float) -> None:
    """Three twigs with leaves."""
    twig = stuff("twig", "#5b4330", rough=0.8)
    leaf = sculptor.paint.natural(LEAVES)
    for number in range(3):
        turn = math.radians(120 * number + sculptor.vary(-20, 20))
        lean, tall = sculptor.vary(0.10, 0.17), sculptor.vary(0.24, 0.34)
        ends = [(0.0, -0.22), (0.08, 0.02), (0.5, 0.55), (1.0, 1.0)]
        path = curve(
            [
                (math.cos(turn) * lean * out, mouth + tall * up, math.sin(turn) * lean * out)
                for out, up in ends
            ],
            sculptor.steps(6),
        )
        sculptor.add("twig", twig, tube(path, np.linspace(0.0034, 0.0016, len(path)), 8))
        for place in (0.45, 0.58, 0.7, 0.8, 0.9, 0.99):
            point = path[min(int(place * len(path)), len(path) - 1)]
            one = ball(1.0, sculptor.segments(14, least=8)).scaled(0.026, 0.0035, 0.011)
            one = one.moved(x=0.022).turned("z", sculptor.vary(5, 50))
            one = one.turned("y", sculptor.vary(0, 360))
            sculptor.add("leaf", leaf, one.moved(*(float(part) for part in point)))


def bowl(sculptor: Sculptor) -> None:
    """A bowl with fruit."""
    glaze, second = _glazes(sculptor)
    around, bends = sculptor.segments(72), sculptor.steps(8)
    shape = [(0.050, 0.0), (0.052, 0.010), (0.090, 0.030), (0.124, 0.066), (0.134, 0.096)]
    sculptor.add("bowl", glaze, lathe(_walled(shape, 0.006, bends, floor=0.016), around))
    sculptor.add("rim", second, torus(0.1325, 0.0038, around).moved(y=0.0975))
    fruits = ("#c9472f", "#e0a030", "#8fa83c", "#c96a2f", "#a8323a")
    stem = stuff("stem", "#4d3826", rough=0.8)
    places = [
        (0.0, 0.075, 0.0),
        (0.062, 0.082, 0.02),
        (-0.05, 0.082, 0.045),
        (-0.03, 0.083, -0.058),
        (0.04, 0.085, -0.05),
    ]
    shape = smooth([(0.012, -0.032), (0.034, -0.014), (0.036, 0.010), (0.016, 0.032)], bends)
    fruit = lathe([(0.0, -0.028), *shape, (0.0, 0.026)], sculptor.segments(40))
    for number, (x, y, z) in enumerate(places):
        colour = stuff(f"fruit {number + 1}", fruits[number], rough=0.38)
        tilt = sculptor.vary(-25, 25)
        sculptor.add("fruit", colour, fruit.turned("z", tilt).moved(x, y, z))
        stalk = cylinder(0.0018, 0.02, 8).moved(y=0.024).turned("z", tilt).moved(x, y, z)
        sculptor.add("stem", stem, stalk)


def bottle(sculptor: Sculptor) -> None:
    """A bottle with a label and a cork."""
    around, bends = sculptor.segments(64), sculptor.steps(8)
    green = sculptor.paint.main("#2f5440 #efe6d2", "#3d4f2a #f1e8d4", "#5a3420 #efe2c8")
    glass = sculptor.coloured("bottle glass", green, rough=0.07)
    body = smooth(
        [
            (0.036, 0.004),
            (0.0375, 0.012),
            (0.0375, 0.10),
            (0.0375, 0.185),
            (0.027, 0.215),
            (0.0145, 0.235),
            (0.0138, 0.285),
        ],
        bends,
    )
    lip = [(0.0168, 0.286), (0.0168, 0.297), (0.0, 0.297)]
    sculptor.add("bottle", glass, lathe([(0.0, 0.0), (0.033, 0.0), *body, *lip], around))
    paper = sculptor.coloured(
        "label",
        sculptor.paint.accent("#2f5440 #efe6d2", "#3d4f2a #f1e8d4", "#5a3420 #efe2c8"),
        rough=0.85,
    )
    sculptor.add("label", paper, cylinder(0.0381, 0.07, around, bevel=0.0003).moved(y=0.055))
    cork = stuff("cork", "#b98d5c", rough=0.9)
    sculptor.add("cork", cork, cylinder(0.0125, 0.022, around, top=0.0138).moved(y=0.293))


def candle(sculptor: Sculptor) -> None:
    """A candle in a holder, alight."""
    around, bends = sculptor.segments(56), sculptor.steps(7)
    brass = sculptor.coloured(
        "holder", sculptor.paint.accent("#f0e6d2 #c99a4a"), rough=0.3, metal=1.0
    )
    dish = smooth([(0.040, 0.0), (0.052, 0.004), (0.062, 0.014)], bends)
    inside = [(0.0585, 0.0145), (0.045, 0.007), (0.0, 0.007)]
    sculptor.add("dish", brass, lathe([(0.0, 0.0), *dish, *inside], around))
    sculptor.add("socket", brass, cylinder(0.0165, 0.026, around, bevel=0.002).moved(y=0.006))
    loop = curve(
        [(0.056, 0.012, 0), (0.078, 0.024, 0), (0.082, 0.006, 0), (0.058, 0.006, 0)], bends
    )
    sculptor.add("ring", brass, tube(loop, 0.003, 10))
    wax = sculptor.coloured("wax", sculptor.paint.main("#f0e6d2 #c99a4a"), rough=0.5)
    top = [(0.0135, 0.028), (0.0132, 0.14), (0.0115, 0.1425), (0.006, 0.139), (0.0, 0.139)]
    sculptor.add("candle", wax, lathe([(0.0, 0.028), *top], around))
    wick = stuff("wick", "#2a2422", rough=0.9)
    sculptor.add("wick", wick, cylinder(0.0011, 0.011, 8).moved(y=0.138))
    flame = smooth([(0.0012, 0.147), (0.0056, 0.156), (0.0042, 0.168), (0.0005, 0.181)], bends)
    fire = stuff("flame", "#ffc34d", rough=0.4, glow=2.2)
    sculptor.add("flame", fire, lathe([(0.0, 0.146), *flame, (0.0, 0.1815)], around))


def glass_jar(sculptor: Sculptor) -> None:
    """A lantern of glass and metal with a light in it."""
    around = sculptor.segments(48)
    metal = sculptor.coloured(
        "metal", sculptor.paint.main("#33363b #d0a04c", "#7a5233 #e8dcc4"), rough=0.4, metal=0.9
    )
    sculptor.add("base", metal, cylinder(0.07, 0.018, around, top=0.066, bevel=0.003))
    sculptor.add("globe", GLASS, cylinder(0.046, 0.13, around, bevel=0.004).moved(y=0.018))
    sculptor.add(
        "roof",
        metal,
        lathe(
            [(0.0, 0.148), (0.07, 0.148), (0.062, 0.16), (0.02, 0.2), (0.016, 0.212), (0.0, 0.212)],
            around,
        ),
    )
    posts = [
        cylinder(0.0035, 0.132, 10).moved(0.058 * math.cos(turn), 0.017, 0.058 * math.sin(turn))
        for turn in np.linspace(0, math.tau, 6, endpoint=False)
    ]
    sculptor.add("posts", metal, *posts)
    hoop = curve(
        [
            (math.cos(t) * 0.045, 0.212 + math.sin(t) * 0.05, 0.0)
            for t in np.linspace(-0.2, math.pi + 0.2, 9)
        ],
        sculptor.steps(4),
    )
    sculptor.add("handle", metal, tube(hoop, 0.0032, 10))
    sculptor.add(
        "light",
        stuff("flame", "#ffcf6a", glow=2.0),
        ball(0.018, sculptor.segments(24)).scaled(0.8, 1.6, 0.8).moved(y=0.075),
    )
