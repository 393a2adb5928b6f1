"""Buildings: the lighthouse on its rock, the house, the castle, the bridge."""

import math

import numpy as np

from infra.providers.local.sculpture.forms import (
    ball,
    blob,
    box,
    cylinder,
    extruded,
    lathe,
    smooth,
    torus,
    tube,
)
from infra.providers.local.sculpture.mesh import Mesh, around
from infra.providers.local.sculpture.outlines import arch, outline, oval
from infra.providers.local.sculpture.sculptor import Sculptor
from infra.providers.local.sculpture.stuff import (
    DARK_GLASS,
    DARK_STONE,
    DARK_WOOD,
    GLASS,
    GRASS,
    IRON,
    LEAVES,
    LIGHT,
    PLASTER,
    STONE,
    WATER,
    Material,
    stuff,
)


def _rock(sculptor: Sculptor, radius: float, tall: float, *, y: float = 0.0) -> Mesh:
    """Return a low, cracked rock with its foot in the ground."""
    mesh = blob(1.0, sculptor.segments(44), sculptor.rng, rough=0.16, waves=4.0)
    mesh = mesh.scaled(radius, tall, radius)
    points = mesh.points.copy()
    points[:, 1] = np.maximum(points[:, 1], -0.06 * tall)
    # Ledges: heights come in steps, as stone breaks.
    step = tall * 0.22
    points[:, 1] = points[:, 1] * 0.55 + np.round(points[:, 1] / step) * step * 0.45
    return Mesh(points, mesh.faces).moved(y=y)


def lighthouse(sculptor: Sculptor) -> None:
    """A banded tower with gallery, lantern and a keeper's house on a rock in the sea."""
    schemes = ("#c23b2e #f5f1e8", "#274b7a #f4f0e6", "#2b2d33 #f3efe6", "#b8352c #efe9dc")
    paint, around_ = sculptor.paint, sculptor.segments(72)
    dark = sculptor.coloured("bands", paint.main(*schemes), rough=0.55)
    light = sculptor.coloured("walls", paint.accent(*schemes), rough=0.6)
    bands = 5 + 2 * sculptor.one_of(2)
    foot, head, tall = 3.3, 1.95, 20.0
    cut = np.linspace(0, tall, bands + 1)
    for number in range(bands):
        low, high = float(cut[number]), float(cut[number + 1])
        radii = [foot + (head - foot) * (h / tall) ** 0.8 for h in (low, (low + high) / 2, high)]
        ring = lathe([(radii[0], low), (radii[1], (low + high) / 2), (radii[2], high)], around_)
        sculptor.add(f"band {number + 1}", dark if number % 2 == 0 else light, ring)
    stone = paint.natural(STONE)
    sculptor.add(
        "plinth",
        stone,
        cylinder(foot + 0.5, 0.9, around_, top=foot + 0.25, bevel=0.1).moved(y=-0.3),
    )
    gallery = [
        (head - 0.1, tall - 0.5),
        (head + 0.75, tall + 0.1),
        (head + 0.75, tall + 0.42),
        (0.0, tall + 0.42),
    ]
    sculptor.add("gallery", dark, lathe([(0.0, tall - 0.5), *gallery], around_))
    _railing(sculptor, head + 0.62, tall + 0.42)
    lantern = tall + 0.42
    sculptor.add(
        "lantern",
        GLASS,
        cylinder(1.3, 2.3, sculptor.segments(12, least=12)).moved(y=lantern + 0.3),
        crease=12,
    )
    sculptor.add("sill", dark, cylinder(1.45, 0.34, around_, bevel=0.05).moved(y=lantern))
    bars = around(box(0.09, 2.3, 0.09).moved(x=1.31, y=lantern + 1.45), 12)
    sculptor.add("bars", IRON, bars)
    sculptor.add(
        "lamp", LIGHT, ball(0.62, sculptor.segments(28)).scaled(1, 1.35, 1).moved(y=lantern + 1.35)
    )
    roof = smooth([(1.72, 0.0), (1.5, 0.35), (0.8, 1.0), (0.16, 1.42)], sculptor.steps(5))
    sculptor.add(
        "roof",
        dark,
        lathe([(0.0, -0.12), (1.68, -0.12), *roof, (0.0, 1.46)], around_).moved(y=lantern + 2.65),
    )
    sculptor.add(
        "spike",
        IRON,
        ball(0.22, sculptor.segments(20)).moved(y=lantern + 4.2),
        cylinder(0.05, 1.3, 8).moved(y=lantern + 4.2),
    )
    _openings(sculptor, foot, head, tall)
    _keeper(sculptor, light, dark)
    sculptor.add("rock", paint.natural(DARK_STONE), _rock(sculptor, 9.6, 3.6, y=-3.4), crease=24)
    sea = lathe([(0.0, -0.35), (13.4, -0.35), (13.6, -0.2), (13.6, 0.0), (0.0, 0.0)], around_)
    sculptor.add("sea", WATER, sea.moved(y=-3.0))


def _railing(sculptor: Sculptor, radius: float, y: float) -> None:
    rings = [torus(radius, 0.035, sculptor.segments(64)).moved(y=y + h) for h in (0.5, 0.95)]
    posts = around(cylinder(0.035, 0.98, 8).moved(x=radius, y=y), 20)
    sculptor.add("railing", IRON, *rings, posts)


def _openings(sculptor: Sculptor, foot: float, head: float, tall: float) -> None:
    """A door on the ground and windows that wind up the tower, in frames."""
    panes: list[Mesh] = []
    frames: list[Mesh] = []
    steps = sculptor.segments(14, least=8)
    for number in range(5):
        height = 4.2 + 3.3 * number
        radius = foot + (head - foot) * (height / tall) ** 0.8
        turn = 30 + 68 * number
        lean = math.degrees(math.atan((foot - head) / tall))
        for size, deep, into in ((0.62, 0.30, frames), (0.44, 0.40, panes)):
            shape = extruded(arch(size, size * 1.9, steps), deep).moved(y=-size * 0.95)
            into.append(shape.turned("x", -lean).moved(y=height, z=radius - 0.02).turned("y", turn))
    door = extruded(arch(1.3, 2.5, steps), 0.5).moved(y=0.35, z=foot + 0.12).turned("y", 30)
    frame = extruded(arch(1.75, 2.85, steps), 0.4).moved(y=0.3, z=foot + 0.1).turned("y", 30)
    sculptor.add("window frames", sculptor.paint.natural(STONE), *frames, frame)
    sculptor.add("windows", DARK_GLASS, *panes)
    sculptor.add("door", DARK_WOOD, door)


def _keeper(sculptor: Sculptor, wall: Material, roof: Material) -> None:
    """The keeper's house beside the tower."""
    x, z = 4.9, -0.6
    sculptor.add("house", wall, box(3.6, 2.4, 3.0, bevel=0.04).moved(x, 0.7, z))
    gable = outline((-2.0, 0.0), (2.0, 0.0), (0.0, 1.5))
    sculptor.add(
        "house roof", roof, extruded(gable, 4.1, bevel=0.05).turned("y", 90).moved(x, 1.88, z)
    )
    sculptor.add("chimney", STONE, box(0.5, 1.3, 0.5, bevel=0.03).moved(x + 1.1, 3.1, z - 0.5))
    sculptor.add(
        "house windows",
        DARK_GLASS,
        *(box(0.6, 0.8, 0.1).moved(x + at, 0.9, z + 1.5) for at in (-0.9, 0.9)),
    )


def house(sculptor: Sculptor) -> None:
    """A house with a gabled roof, porch, chimney and a tree beside it."""
    schemes = ("#e9dcc3 #9c4632", "#f1ece0 #4a5560", "#c9d3c0 #6b4a36", "#e3c9a0 #7d3a2c")
    wall = sculptor.coloured("walls", sculptor.paint.main(*schemes), rough=0.85)
    roof = sculptor.coloured("roof", sculptor.paint.accent(*schemes), rough=0.75)
    wide, deep, eaves, rise = 8.0, 6.4, 4.6, sculptor.vary(2.7, 3.4)
    plan = outline(
        (-deep / 2, 0), (deep / 2, 0), (deep / 2, eaves), (0, eaves + rise), (-deep / 2, eaves)
    )
    sculptor.add("walls", wall, extruded(plan, wide).turned("y", 90).moved(y=0.3))
    slope = math.degrees(math.atan2(rise, deep / 2))
    long = math.hypot(rise, deep / 2) + 0.75
    for side in (1, -1):
        sheet = box(wide + 1.0, 0.22, long, bevel=0.04).moved(z=long / 2 - 0.02)
        sheet = sheet.turned("x", slope).moved(y=eaves + rise + 0.42)
        sculptor.add("roof", roof, sheet if side > 0 else sheet.turned("y", 180))
    sculptor.add("ridge", roof, box(wide + 1.05, 0.3, 0.42, bevel=0.1).moved(y=eaves + rise + 0.42))
    sculptor.add(
        "foundation",
        sculptor.paint.natural(STONE),
        box(wide + 0.25, 0.7, deep + 0.25, bevel=0.06).moved(y=0.2),
    )
    brick = stuff("brick", "#94513d", rough=0.9)
    sculptor.add(
        "chimney",
        brick,
        box(0.9, 3.0, 0.9, bevel=0.03).moved(2.3, eaves + rise - 0.1, -1.2),
        box(1.1, 0.25, 1.1, bevel=0.04).moved(2.3, eaves + rise + 1.4, -1.2),
    )
    _windows(sculptor, wide, deep)
    _porch(sculptor, deep)
    sculptor.add(
        "garden",
        GRASS,
        lathe(
            [(0.0, -0.3), (9.0, -0.3), (9.2, -0.1), (9.0, 0.0), (0.0, 0.0)], sculptor.segments(72)
        ),
    )
    _bushes(sculptor)


def _windows(sculptor: Sculptor, wide: float, deep: float) -> None:
    frames: list[Mesh] = []
    panes: list[Mesh] = []
    bars: list[Mesh] = []
    places = [(x, y, deep / 2, 0.0) for x in (-2.5, 2.5) for y in (1.9, 3.9)]
    places += [(0.0, 3.9, deep / 2, 0.0)]
    places += [(z, y, wide / 2, 90.0) for z in (-1.5, 1.5) for y in (1.9, 3.9)]
    places += [(0.0, 5.9, wide / 2, 90.0)]
    for across, y, out, turn in places:
        tall = 0.9 if y > 5 else 1.35  # noqa: PLR2004 - under the gable
        for mesh, into in (
            (box(1.25, tall + 0.25, 0.14, bevel=0.02).moved(z=0.02), frames),
            (box(1.0, tall, 0.1).moved(z=0.07), panes),
            (box(0.06, tall, 0.06).moved(z=0.12), bars),
            (box(1.0, 0.06, 0.06).moved(z=0.12), bars),
            (box(1.45, 0.1, 0.32, bevel=0.02).moved(y=-tall / 2 - 0.16, z=0.1), frames),
        ):
            into.append(mesh.moved(across, y + 0.3, out).turned("y", turn))
    white = stuff("frames", "#f6f3ea", rough=0.5)
    sculptor.add("window frames", white, *frames, *bars)
    sculptor.add("windows", DARK_GLASS, *panes)


def _porch(sculptor: Sculptor, deep: float) -> None:
    front = deep / 2
    sculptor.add(
        "door",
        sculptor.paint.natural(stuff("door", "#2f5a52", rough=0.5)),
        box(1.15, 2.3, 0.16, bevel=0.02).moved(0, 1.7, front + 0.05),
    )
    sculptor.add(
        "knob",
        stuff("knob", "#d0a04c", rough=0.3, metal=1.0),
        ball(0.06, 16).moved(0.42, 1.65, front + 0.17),
    )
    steps = [
        box(2.2, 0.2, 1.0 - 0.3 * n, bevel=0.02).moved(0, 0.1 + 0.2 * n, front + 0.62 - 0.15 * n)
        for n in range(3)
    ]
    sculptor.add("steps", sculptor.paint.natural(STONE), *steps)
    wood = sculptor.paint.natural(stuff("posts", "#f3efe4", rough=0.5))
    posts = [
        cylinder(0.09, 2.35, sculptor.segments(16)).moved(x, 0.5, front + 0.95) for x in (-1.0, 1.0)
    ]
    gable = outline((-1.5, 0), (1.5, 0), (0, 0.8))
    sculptor.add("posts", wood, *posts)
    sculptor.add("porch roof", wood, extruded(gable, 1.5, bevel=0.04).moved(0, 2.85, front + 0.6))


def _bushes(sculptor: Sculptor) -> None:
    leaf = sculptor.paint.natural(LEAVES)
    for x, z, size in ((-3.6, 4.0, 0.6), (3.5, 4.1, 0.7), (4.9, 3.3, 0.5), (-4.9, 2.9, 0.75)):
        bush = blob(size, sculptor.segments(26), sculptor.rng, rough=0.13, waves=5)
        sculptor.add("bush", leaf, bush.scaled(1, 0.9, 1).moved(x, size * 0.6, z))
    trunk = cylinder(0.2, 2.4, sculptor.segments(16), top=0.13).moved(-6.3, 0, 0.6)
    sculptor.add("trunk", stuff("bark", "#5f4632", rough=0.9), trunk)
    for number in range(5):
        turn = number * 2.4
        crown = blob(1.25, sculptor.segments(28), sculptor.rng, rough=0.12, waves=4)
        sculptor.add(
            "crown",
            leaf.toned(lift=0.03 * (number % 3) - 0.03, name="leaves"),
            crown.moved(
                -6.3 + 0.7 * math.cos(turn), 3.0 + 0.35 * number, 0.6 + 0.7 * math.sin(turn)
            ),
        )


def castle(sculptor: Sculptor) -> None:
    """A keep and four towers with walls, battlements and flags on a hill."""
    schemes = ("#b9b1a2 #3f5878", "#a9a39a #8a3d33", "#c8b795 #5a4a6a", "#9fa1a3 #41604f")
    stone = sculptor.coloured("stone", sculptor.paint.main(*schemes), rough=0.92)
    roof = sculptor.coloured("roofs", sculptor.paint.accent(*schemes), rough=0.65)
    side, tall = 15.0, 7.0
    corners = [(x, z) for x in (-side, side) for z in (-side, side)]
    for number, (x, z) in enumerate(corners):
        _tower(sculptor, stone, roof, x, z, radius=3.0, tall=tall + 5.5 + number % 2 * 1.5)
    walls: list[Mesh] = []
    for turn in (0, 90, 180, 270):
        walls.append(box(2 * side - 4, tall, 1.8).moved(y=tall / 2, z=side).turned("y", turn))
        count = 11
        for number in range(count):
            x = (number - (count - 1) / 2) * (2 * side - 6) / count
            merlon = box(1.25, 1.2, 0.6, bevel=0.05).moved(x, tall + 0.55, side + 0.6)
            walls.append(merlon.turned("y", turn))
    sculptor.add("walls", stone, *walls)
    edge, slope = 4.5, -0.3
    keep = box(10.5, 15.0, 10.5, bevel=0.1).moved(0, 7.5, -2.0)
    crown = [
        box(1.3, 1.3, 1.3, bevel=0.06).moved(x, 15.5, z - 2.0)
        for x in np.linspace(-4.6, 4.6, 5)
        for z in np.linspace(-4.6, 4.6, 5)
        if max(abs(x), abs(z)) > edge
    ]
    sculptor.add("keep", stone.toned(lift=0.02, name="keep"), keep, *crown)
    _tower(sculptor, stone, roof, 0.0, -2.0, radius=2.6, tall=21.5)
    _gate(sculptor, stone, roof, side)
    slits = [box(0.4, 1.7, 0.4).moved(x, y, 3.2) for x in (-3, 0, 3) for y in (6.0, 10.5)]
    slits += [box(0.35, 1.4, 0.5).moved(x, 7.5, z + 2.85) for x, z in corners]
    sculptor.add("slits", stuff("shade", "#2a2a2e", rough=0.9), *slits)
    hill = lathe(
        smooth([(27.5, -5.5), (25.5, -3.4), (22.5, -0.6), (20.5, 0.0)], sculptor.steps(6)),
        sculptor.segments(72),
    )
    field = np.sin(hill.points[:, 0] * 0.31) * np.cos(hill.points[:, 2] * 0.27)
    bulged = hill.points.copy()
    bulged[:, [0, 2]] *= (1 + 0.05 * field * (hill.points[:, 1] < slope))[:, None]
    sculptor.add("hill", GRASS, Mesh(bulged, hill.faces))


def _tower(
    sculptor: Sculptor,
    stone: Material,
    roof: Material,
    x: float,
    z: float,
    *,
    radius: float,
    tall: float,
) -> None:

    segments = sculptor.segments(48)
    body = [
        (0.0, -0.5),
        (radius * 1.12, -0.5),
        (radius * 1.02, 1.2),
        (radius, tall - 1.6),
        (radius * 1.18, tall - 0.8),
        (radius * 1.18, tall),
        (0.0, tall),
    ]
    merlons = around(
        box(radius * 0.34, 1.0, 0.5, bevel=0.04).moved(y=tall + 0.45, z=radius * 1.07), 10
    )
    sculptor.add("tower", stone, lathe(body, segments).moved(x, 0, z), merlons.moved(x, 0, z))
    cone = [(0.0, 0.0), (radius * 1.06, 0.0), (radius * 0.95, 0.35), (0.0, radius * 2.1)]
    sculptor.add("roof", roof, lathe(cone, segments).moved(x, tall + 0.25, z))
    top = tall + radius * 2.1
    flag = extruded(outline((0, 0), (1.9, 0.45), (0, 0.9)), 0.06)
    sculptor.add("pole", IRON, cylinder(0.07, 2.4, 8).moved(x, top, z))
    sculptor.add("flag", roof.toned(lift=0.14, name="flags"), flag.moved(x + 0.05, top + 1.4, z))


def _gate(sculptor: Sculptor, stone: Material, roof: Material, side: float) -> None:

    for x in (-3.1, 3.1):
        _tower(sculptor, stone, roof, x, side + 0.4, radius=1.7, tall=9.2)
    steps = sculptor.segments(20, least=10)
    sculptor.add("gate house", stone, box(5.0, 8.0, 3.0, bevel=0.06).moved(0, 4.0, side + 0.2))
    sculptor.add("gate", DARK_WOOD, extruded(arch(3.0, 4.6, steps), 0.5).moved(z=side + 1.65))
    bars = [box(0.16, 4.2, 0.2).moved(x, 2.0, side + 1.95) for x in np.linspace(-1.2, 1.2, 5)]
    bars += [box(2.9, 0.16, 0.2).moved(0, y, side + 1.95) for y in (1.0, 2.2, 3.3)]
    sculptor.add("portcullis", IRON, *bars)


def bridge(sculptor: Sculptor) -> None:
    """A stone bridge of three arches over water."""
    schemes = ("#a79c8a #8a7f70", "#9a9894 #7c7a78", "#b89b7a #8f7358")
    stone = sculptor.coloured("stone", sculptor.paint.main(*schemes), rough=0.92)
    dark = sculptor.coloured("trim", sculptor.paint.accent(*schemes), rough=0.9)
    half, wide, steps = 15.0, 4.2, sculptor.segments(28, least=10)
    angles = np.linspace(0, math.pi, steps)
    below: list[tuple[float, float]] = []
    for middle, radius in ((-9.3, 3.4), (0.0, 4.6), (9.3, 3.4)):
        below += [(middle + radius * -math.cos(a), radius * math.sin(a)) for a in angles]
    line = [(-half, 0.0), *below, (half, 0.0)]
    across = np.linspace(half, -half, 25)
    line += [(float(x), 6.4 - 2.2 * (float(x) / half) ** 2) for x in across]
    sculptor.add("bridge", stone, extruded(np.array(line), wide), crease=30)
    rail = np.array([[x, 6.9 - 2.2 * (x / half) ** 2, 0.0] for x in across])
    for z in (-wide / 2 + 0.2, wide / 2 - 0.2):
        wall = np.concatenate([rail[:, :2] + [0, 0.35], rail[::-1, :2] - [0, 0.75]])
        sculptor.add("parapet", dark, extruded(wall, 0.5, bevel=0.05).moved(z=z))
    for middle, radius in ((-9.3, 3.4), (0.0, 4.6), (9.3, 3.4)):
        path = np.array(
            [[middle - radius * math.cos(a), radius * math.sin(a), 0.0] for a in angles]
        )
        ring = tube(path, 0.28, 8)
        sculptor.add("arch", dark, ring.moved(z=wide / 2), ring.moved(z=-wide / 2))
    for x in (-4.9, 4.9):
        nose = extruded(oval(2.0, wide + 1.6, sculptor.segments(24)), 2.4).turned("x", 90)
        sculptor.add("pier", dark, nose.moved(x, 0.9, 0))
    sculptor.add("water", WATER, box(2 * half - 0.6, 0.5, 11.0, bevel=0.1).moved(y=-0.1))
    sculptor.add(
        "bank", GRASS, *(box(3.4, 2.4, 11.6, bevel=0.6).moved(x, 0.2, 0) for x in (-half, half))
    )
    sculptor.add(
        "lamps",
        LIGHT,
        *(
            ball(0.3, 20).moved(x, 9.0 - 2.2 * (x / half) ** 2, z)
            for x in (-6.5, 6.5)
            for z in (-1.9, 1.9)
        ),
    )
    sculptor.add(
        "posts",
        IRON,
        *(
            cylinder(0.08, 2.0, 10).moved(x, 6.9 - 2.2 * (x / half) ** 2, z)
            for x in (-6.5, 6.5)
            for z in (-1.9, 1.9)
        ),
    )
    sculptor.add(
        "road",
        PLASTER.toned(lift=-0.2, name="road"),
        extruded(np.concatenate([rail[:, :2] - [0, 0.48], rail[::-1, :2] - [0, 0.8]]), wide - 0.8),
    )
