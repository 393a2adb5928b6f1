"""A form for what cannot be built: a sculpture of bent and turned bodies, plainly abstract."""

import math

import numpy as np

from infra.providers.local.sculpture.forms import (
    ball,
    box,
    curve,
    hoop,
    lathe,
    skin,
    smooth,
    torus,
    tube,
)
from infra.providers.local.sculpture.mesh import Mesh, Points, lengths
from infra.providers.local.sculpture.sculptor import Sculptor
from infra.providers.local.sculpture.stuff import BRASS, STONE, Material


def abstract(sculptor: Sculptor) -> None:
    """One of three sculptures on a plinth."""
    schemes = ("#b4552f #f0e2cb", "#2f6470 #d9b25f", "#6b4a7a #e8b48a", "#3f5f4a #e9d9b0")
    one = sculptor.coloured("body", sculptor.paint.main(*schemes), rough=0.3)
    other = sculptor.coloured("second body", sculptor.paint.accent(*schemes), rough=0.35)
    kind = sculptor.one_of(3)
    (_knot, _spheres, _twist)[kind](sculptor, one, other)
    stone = sculptor.paint.natural(STONE)
    sculptor.add("plinth", stone, box(0.46, 0.1, 0.46, bevel=0.012).moved(y=-0.05))


def _knot(sculptor: Sculptor, one: Material, other: Material) -> None:
    """A band that winds about a ring, and a ball in it."""
    turns, through = ((2, 3), (3, 2), (2, 5))[sculptor.one_of(3)]
    count = sculptor.segments(180, least=60)
    angle = np.linspace(0, math.tau, count, endpoint=False)
    radius = 0.17 + 0.07 * np.cos(through * angle)
    path = np.column_stack(
        [
            radius * np.cos(turns * angle),
            radius * np.sin(turns * angle),
            0.09 * np.sin(through * angle),
        ]
    )
    winding = tube(path, 0.032, sculptor.segments(28, least=10), closed=True)
    sculptor.add("knot", one, winding.moved(y=0.31))
    sculptor.add("ball", other, ball(0.062, sculptor.segments(40)).moved(y=0.31))
    sculptor.add(
        "foot",
        BRASS,
        lathe(
            [(0.0, 0.0), (0.05, 0.0), (0.016, 0.02), (0.012, 0.09), (0.0, 0.09)],
            sculptor.segments(32),
        ),
    )


def _spheres(sculptor: Sculptor, one: Material, other: Material) -> None:
    """Balls and rings that balance on each other."""
    y = 0.0
    for number, size in enumerate((0.12, 0.09, 0.065, 0.042)):
        shift = sculptor.vary(-0.025, 0.025)
        material = one if number % 2 == 0 else other
        body = ball(size, sculptor.segments(56)).moved(shift, y + size * 0.97, -shift)
        sculptor.add(f"ball {number + 1}", material, body)
        ring = torus(size * 1.25, size * 0.07, sculptor.segments(72))
        ring = ring.turned("x", sculptor.vary(-35, 35)).turned("z", sculptor.vary(-35, 35))
        sculptor.add("ring", BRASS, ring.moved(shift, y + size * 0.97, -shift))
        y += size * 1.9
    tip = smooth([(0.001, 0.0), (0.018, 0.03), (0.006, 0.09)], sculptor.steps(6))
    sculptor.add("tip", one, lathe([(0.0, -0.01), *tip, (0.0, 0.11)], 24).moved(y=y - 0.005))


def _twist(sculptor: Sculptor, one: Material, other: Material) -> None:
    """A twisted column that opens upwards, with a ball on top."""
    sides = 3 + sculptor.one_of(3)
    rows, columns = sculptor.segments(60), sculptor.segments(96)
    shares = np.linspace(0, 1, rows)
    angles = np.linspace(0, math.tau, columns, endpoint=False)
    bend = sculptor.vary(1.6, 2.8)
    radius = 0.075 + 0.05 * np.sin(shares * math.pi * 1.25)[:, None]
    lobes = 1 + 0.26 * np.cos(sides * (angles[None, :] - bend * shares[:, None]))
    points = np.stack(
        [
            radius * lobes * np.cos(angles),
            np.broadcast_to(shares[:, None] * 0.52, (rows, columns)),
            radius * lobes * np.sin(angles),
        ],
        axis=2,
    )
    sculptor.add("column", one, skin(points))
    sculptor.add("ball", other, ball(0.058, sculptor.segments(48)).moved(y=0.575))
    halo = curve(
        [
            (0.13 * math.cos(t), 0.575 + 0.04 * math.sin(2 * t), 0.13 * math.sin(t))
            for t in np.linspace(0, math.tau, 12, endpoint=False)
        ],
        sculptor.steps(5),
        closed=True,
    )
    rows_ = _ring_rows(halo, 0.007)
    sculptor.add("halo", BRASS, rows_)


def _ring_rows(path: Points, radius: float) -> Mesh:
    angles = np.linspace(0, math.tau, 12, endpoint=False)
    out = path * [1, 0, 1]
    out /= lengths(out)
    ring = np.cos(angles)[None, :, None] * out[:, None, :] + np.sin(angles)[
        None, :, None
    ] * np.array([0.0, 1.0, 0.0])
    return hoop(path[:, None, :] + ring * radius)
