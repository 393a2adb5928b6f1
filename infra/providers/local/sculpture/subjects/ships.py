"""What sails: a ship under full sail, a fishing boat, and the sea around them."""

import math

import numpy as np

from infra.providers.local.sculpture.forms import (
    box,
    curve,
    cylinder,
    extruded,
    sheet,
    skin,
    torus,
    tube,
)
from infra.providers.local.sculpture.mesh import Mesh, Points
from infra.providers.local.sculpture.outlines import outline
from infra.providers.local.sculpture.sculptor import Sculptor
from infra.providers.local.sculpture.stuff import (
    BLACK,
    BRASS,
    DARK_GLASS,
    DARK_WOOD,
    IRON,
    WATER,
    WHITE,
    WOOD,
    Material,
    stuff,
)


def _hull(
    sculptor: Sculptor,
    stations: list[tuple[float, float, float, float]],
    *,
    low: float,
    high: float,
) -> Mesh:
    """Return the part of a hull between two shares of its depth.

    The stations are along x: where, half the breadth at the deck, the keel's and the deck's height;
    the shares are 0 at the keel and 1 at the deck.
    """
    line = curve(stations, sculptor.steps(5))
    steps = max(sculptor.steps(8), 4)
    rows: list[Points] = []
    for x, half, keel, deck in line:
        shares = np.linspace(low, high, steps)
        breadth = max(half, 0.02) * np.sqrt(np.clip(1 - (1 - shares) ** 2.4, 0, 1))
        breadth = np.maximum(breadth, 0.015)
        heights = keel + (deck - keel) * shares
        right = np.column_stack([np.full(steps, x), heights, breadth])
        left = np.column_stack([np.full(steps, x), heights, -breadth])[::-1]
        rows.append(np.concatenate([right, left]))
    return skin(np.array(rows))


def ship(sculptor: Sculptor) -> None:
    """A sailing ship with two masts under full sail on the sea."""
    schemes = ("#6b3f26 #f2ead8", "#2b3550 #f4efe4", "#7a2f2c #f1e6cf", "#33413c #efe7d6")
    hull = sculptor.coloured("hull", sculptor.paint.main(*schemes), rough=0.5)
    canvas = sculptor.coloured("sails", sculptor.paint.accent(*schemes), rough=0.9)
    stations = [
        (-9.4, 1.5, -0.2, 3.3),
        (-7.5, 2.2, -1.0, 2.8),
        (-3, 2.6, -1.3, 2.2),
        (2, 2.6, -1.3, 2.15),
        (6, 1.9, -1.1, 2.6),
        (8.6, 0.7, -0.3, 3.1),
        (9.7, 0.05, 1.2, 3.4),
    ]
    sculptor.add(
        "bottom",
        stuff("bottom", "#6d2b26", rough=0.7),
        _hull(sculptor, stations, low=0.03, high=0.42),
    )
    sculptor.add("hull", hull, _hull(sculptor, stations, low=0.42, high=0.90))
    sculptor.add(
        "stripe",
        BRASS,
        _hull(
            sculptor, [(x, h * 1.015 + 0.03, k, d) for x, h, k, d in stations], low=0.80, high=0.84
        ),
    )
    rail = [(x, h * 1.01, k, d + 0.12) for x, h, k, d in stations]
    sculptor.add("rail", WOOD, _hull(sculptor, rail, low=0.90, high=1.0))
    sculptor.add(
        "cabin",
        WOOD.toned(lift=0.06, name="cabin"),
        box(2.6, 1.4, 2.4, bevel=0.08).moved(-6.9, 3.4, 0),
        box(2.0, 0.9, 1.8, bevel=0.08).moved(-0.9, 2.9, 0),
    )
    sculptor.add(
        "cabin windows",
        DARK_GLASS,
        *(box(0.5, 0.45, 2.46).moved(x, 3.6, 0) for x in (-7.6, -6.9, -6.2)),
    )
    sculptor.add(
        "bowsprit",
        DARK_WOOD,
        tube(np.array([[8.2, 3.1, 0], [13.2, 4.9, 0]]), np.array([0.2, 0.08]), 12),
    )
    for x, tall in ((3.3, 15.2), (-3.2, 16.6)):
        _rig(sculptor, canvas, x, tall)
    jib = _sail([(12.8, 4.9, 0), (4.2, 13.6, 0.1), (5.3, 4.3, 0.2)], 0.9)
    other = _sail([(10.6, 4.3, 0), (4.0, 11.0, 0.1), (5.2, 4.1, 0.2)], 0.7)
    sculptor.add("jibs", canvas, jib, other.moved(z=-0.5))
    spanker = _sail([(-3.5, 5.0, 0), (-9.3, 5.6, 0.3), (-7.6, 11.6, 0.3), (-3.5, 9.6, 0)], 0.7)
    sculptor.add("spanker", canvas, spanker)
    sculptor.add("boom", DARK_WOOD, tube(np.array([[-3.3, 4.8, 0], [-9.6, 5.4, 0.3]]), 0.11, 10))
    _rigging(sculptor)
    _sea(sculptor, 12.5, 6.0, 1.5)


def _rig(sculptor: Sculptor, canvas: Material, x: float, tall: float) -> None:
    sculptor.add(
        "mast", DARK_WOOD, cylinder(0.24, tall, sculptor.segments(16), top=0.09).moved(x, 1.5, 0)
    )
    for low, high, wide in ((4.6, 8.9, 4.4), (9.2, 12.5, 3.7), (12.7, tall - 0.2, 2.9)):
        sculptor.add(
            "yard",
            DARK_WOOD,
            tube(
                np.array([[x + 0.25, high + 0.1, -wide - 0.3], [x + 0.25, high + 0.1, wide + 0.3]]),
                0.09,
                10,
            ),
        )
        sculptor.add("sail", canvas, _square(sculptor, x + 0.3, low, high, wide))
    sculptor.add(
        "pennant",
        sculptor.coloured("pennant", sculptor.paint.main("#b8352c #ffffff")),
        extruded(outline((0, 0), (1.9, 0.25), (0, 0.5)), 0.05)
        .turned("y", 180)
        .moved(x, tall + 0.8, 0),
    )


def _square(sculptor: Sculptor, x: float, low: float, high: float, wide: float) -> Mesh:
    """Return a square sail, full of wind, as a thin closed sheet."""
    steps = max(sculptor.steps(12), 6)
    us, vs = np.meshgrid(np.linspace(-1, 1, steps), np.linspace(0, 1, steps))
    half = wide * (1.0 - 0.14 * vs) * (1 - 0.05 * np.sin(vs * math.pi))
    belly = 1.15 * (1 - us**2) * np.sin(np.clip(0.12 + vs * 0.9, 0, 1) * math.pi) ** 0.8
    foot = 0.35 * (1 - us**2) * (1 - vs)
    front = np.stack([x + belly, low + (high - low) * vs + foot * (1 - vs), us * half], axis=2)
    return sheet(front)


def _sail(corners: list[tuple[float, float, float]], belly: float) -> Mesh:
    """Return a sail between three or four corners as a thin closed sheet."""
    a, b, c = (np.array(corner) for corner in corners[:3])
    d = np.array(corners[3]) if len(corners) > 3 else c  # noqa: PLR2004
    steps = 10
    us, vs = np.meshgrid(np.linspace(0.004, 0.996, steps), np.linspace(0.004, 0.996, steps))
    us, vs = us[..., None], vs[..., None]
    points = (1 - us) * (1 - vs) * a + us * (1 - vs) * b + us * vs * c + (1 - us) * vs * d
    points[..., 2] += belly * (np.sin(us * math.pi) * np.sin(vs * math.pi))[..., 0]
    return sheet(points)


def _rigging(sculptor: Sculptor) -> None:
    ropes: list[Mesh] = []
    for x, tall in ((3.3, 13.6), (-3.2, 15.0)):
        for z in (-2.45, 2.45):
            ropes += [
                tube(np.array([[x + at, 2.5, z], [x, tall * 0.83, z * 0.1]]), 0.032, 6)
                for at in (-0.9, 0.0, 0.9)
            ]
    ropes.append(tube(np.array([[13.1, 4.9, 0], [3.3, 15.6, 0]]), 0.035, 6))
    ropes.append(tube(np.array([[3.3, 15.8, 0], [-3.2, 14.5, 0]]), 0.035, 6))
    sculptor.add("rigging", stuff("rope", "#4a4038", rough=0.95), *ropes)


def _sea(sculptor: Sculptor, long: float, wide: float, deep: float) -> None:
    """A patch of water with waves, its edge an oval."""
    rings, around_ = sculptor.segments(24), sculptor.segments(96)
    radii = np.linspace(1, 0, rings, endpoint=False)
    angles = np.linspace(0, math.tau, around_, endpoint=False)
    x = radii[:, None] * np.cos(angles) * long
    z = radii[:, None] * np.sin(angles) * wide
    y = 0.11 * np.sin(x * 1.1 + z * 0.4) + 0.09 * np.sin(z * 1.7 - x * 0.5)
    top = np.stack([x, y, z], axis=2)
    foot = top[:1].copy()
    foot[..., 1] = -deep
    sculptor.add("sea", WATER, skin(np.concatenate([foot, top])), crease=50)


def boat(sculptor: Sculptor) -> None:
    """A fishing boat with a wheelhouse, mast and nets, on the water."""
    schemes = ("#2f6f8f #f4efe4", "#b8352c #f3ead6", "#3f7a5a #f5f0e2", "#d08a2f #f4efe4")
    hull = sculptor.coloured("hull", sculptor.paint.main(*schemes), rough=0.4)
    light = sculptor.coloured("house", sculptor.paint.accent(*schemes), rough=0.5)
    stations = [
        (-3.6, 0.95, 0.0, 1.15),
        (-2.6, 1.25, -0.45, 1.0),
        (-0.5, 1.4, -0.6, 0.95),
        (1.7, 1.2, -0.5, 1.2),
        (3.2, 0.6, -0.1, 1.65),
        (3.9, 0.04, 0.7, 1.95),
    ]
    sculptor.add(
        "bottom",
        stuff("bottom", "#7a3028", rough=0.7),
        _hull(sculptor, stations, low=0.03, high=0.45),
    )
    sculptor.add("hull", hull, _hull(sculptor, stations, low=0.45, high=0.86))
    sculptor.add(
        "gunwale",
        light,
        _hull(sculptor, [(x, h * 1.03, k, d) for x, h, k, d in stations], low=0.86, high=1.0),
    )
    sculptor.add("wheelhouse", light, box(1.35, 1.5, 1.25, bevel=0.06).moved(0.7, 1.75, 0))
    sculptor.add("roof", hull, box(1.7, 0.13, 1.6, bevel=0.06).moved(0.72, 2.55, 0))
    panes = [box(0.1, 0.5, 0.42).moved(1.36, 2.0, z) for z in (-0.3, 0.3)]
    panes += [box(0.42, 0.5, 0.1).moved(x, 2.0, z) for x in (0.4, 0.98) for z in (-0.6, 0.6)]
    sculptor.add("windows", DARK_GLASS, *panes)
    sculptor.add(
        "mast",
        WOOD,
        cylinder(0.06, 3.0, 14, top=0.035).moved(-0.6, 1.0, 0),
        tube(np.array([[-0.6, 1.6, 0], [-2.9, 3.1, 0]]), 0.04, 10),
    )
    sculptor.add(
        "ropes",
        IRON,
        *(
            tube(np.array([[-0.6, 3.95, 0], end]), 0.014, 6)
            for end in ([3.8, 1.9, 0], [-2.9, 3.1, 0], [-0.4, 0.9, 1.3], [-0.4, 0.9, -1.3])
        ),
    )
    sculptor.add("funnel", BLACK, cylinder(0.1, 0.6, 16, bevel=0.01).moved(0.3, 2.55, 0.35))
    for x, z, tint in ((-2.0, 0.45, "#c9682f"), (-2.3, -0.3, "#3f6f8f"), (-1.6, -0.45, "#c9a83f")):
        crate = box(0.55, 0.42, 0.42, bevel=0.03).moved(x, 1.12, z)
        sculptor.add("crate", stuff(f"crate {tint}", tint, rough=0.8), crate)
    rings = [
        torus(0.22, 0.07, sculptor.segments(28)).turned("x", 90).moved(x, 0.75, z * 1.42)
        for x in (-1.6, 0.2)
        for z in (-1, 1)
    ]
    sculptor.add("fenders", WHITE, *rings)
    _sea(sculptor, 5.4, 3.2, 0.75)
