"""Harbour cranes over stacks of containers."""

import itertools

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, box, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.harbours import quay_wall
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene, Sway

_RED: Colour = (0.62, 0.22, 0.16)
_BLUE: Colour = (0.16, 0.34, 0.50)
_GREEN: Colour = (0.22, 0.42, 0.34)


def container_colours(scene: Scene) -> list[Colour]:
    """Return the paints of containers, drawn to the palette and the hour."""
    palette, stage = scene.palette, scene.stage
    paints = [
        palette.stuff(_RED, 0.25),
        palette.stuff(_BLUE, 0.25),
        palette.stuff(_GREEN, 0.3),
        relight(palette.accent, lightness=0.58),
        relight(palette.tone(0.75), lightness=0.74),
        relight(palette.second, lightness=0.48),
    ]
    lift = {"night": -0.24, "dusk": -0.12, "grey": -0.03}.get(stage.hour, 0.0)
    return [mix(relight(paint, lift=lift), palette.near, 0.15) for paint in paints]


def lay_containers(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    x: float,
    y: float,
    heights: list[int],
    wide: float,
    tall: float,
) -> None:
    """Stack containers on a level y, one column for each of the heights, from x to the right."""
    frame, palette, stage = scene.frame, scene.palette, scene.stage
    paints = container_colours(scene)
    by_paint: dict[int, list[Points]] = {}
    ribs: list[Stroke] = []
    edges: list[Stroke] = []
    for column, high in enumerate(heights):
        left = x + column * wide * 1.02
        for row in range(high):
            top = y - (row + 1) * tall
            by_paint.setdefault(int(rng.integers(len(paints))), []).append(
                box(left, top, wide, tall * 0.97)
            )
            edges.append((points((left, top), (left + wide, top)), max(0.06 * tall, 0.6)))
            ribs += [
                (
                    points(
                        (left + share * wide, top + 0.12 * tall),
                        (left + share * wide, top + 0.88 * tall),
                    ),
                    max(0.045 * tall, 0.5),
                )
                for share in np.arange(0.12, 0.95, 0.125 if wide > 1.5 * tall else 0.28).tolist()
            ]
    for number, boxes in by_paint.items():
        low, high_y = y, y - max(heights) * tall
        paint = paints[number]
        layer.fill(
            frame.shapes_of(boxes),
            linear(
                (0, high_y), (0, low), relight(mix(paint, palette.glow, 0.18), lift=0.03), paint
            ),
        )
    layer.tint(frame.lines(ribs), palette.deep, 0.30)
    layer.tint(frame.lines(edges), palette.glow, 0.30 if not stage.is_dark else 0.16)


def draw_crane(scene: Scene) -> None:
    """Draw gantry cranes on the quay, near or in a row, with a container on the ropes."""
    stage = scene.stage
    rng = scene.rng("crane")
    quay = min(stage.hero_y + 0.01 * stage.height, 0.9 * stage.height)
    size = stage.hero_size * {"close": 1.5, "medium": 1.45, "wide": 1.5}[stage.view]
    size = min(size, 0.90 * quay if stage.view != "close" else 1.35 * quay)
    way = (
        -1
        if stage.hero_x > 0.55 * stage.width
        else 1
        if stage.hero_x < 0.45 * stage.width
        else int(rng.choice([-1, 1]))
    )
    x = stage.hero_x - way * 0.14 * size
    ground = scene.layer(0.52)
    quay_wall(scene, ground, y=quay)
    # The row goes on behind the near one, each crane further along the quay and smaller.
    for number in (2, 1)[0 if stage.view == "wide" else 1 :] if stage.view != "close" else ():
        share = 0.86 - 0.20 * number
        behind = x - way * size * (0.34 + 0.46 * number)
        _Crane(scene, x=behind, y=quay, size=size * share, way=way, far=0.22 * number).draw(rng)
    crane = _Crane(scene, x=x, y=quay, size=size, way=way)
    stacks = scene.layer(0.54)
    tall = size * (0.060 if stage.view != "close" else 0.075)
    count = 4 if stage.view == "close" else 6
    heights = [int(number) for number in rng.integers(1, 4, count)]
    start = x - way * 0.26 * size - (count * 2.2 * tall if way > 0 else 0)
    lay_containers(
        scene,
        stacks,
        rng,
        x=start,
        y=quay + 0.02 * size,
        heights=heights,
        wide=2.15 * tall,
        tall=tall,
    )
    crane.draw(rng)


class _Crane:
    """One gantry crane; its outline is given with the foot at 0 and the apex at 1."""

    def __init__(
        self, scene: Scene, *, x: float, y: float, size: float, way: int, far: float = 0.0
    ) -> None:
        self.scene, self.x, self.y, self.size, self.way = scene, x, y, size, way
        self.far = far
        """How much of the air's colour lies before it."""

    def at(self, px: float, py: float) -> tuple[float, float]:
        return self.x + self.way * px * self.size, self.y - py * self.size

    def line(self, *pairs: tuple[float, float], thick: float) -> Stroke:
        return points(*(self.at(*pair) for pair in pairs)), max(thick * self.size, 0.8)

    def draw(self, rng: np.random.Generator) -> None:
        scene = self.scene
        palette, stage, frame = scene.palette, scene.stage, scene.frame
        paints = [palette.accent, palette.stuff(_BLUE, 0.2), palette.stuff(_RED, 0.2)]
        paint = paints[int(rng.choice(3, p=[0.5, 0.3, 0.2]))]
        paint = relight(paint, lightness={"night": 0.30, "dusk": 0.38}.get(stage.hour, 0.52))
        paint = mix(paint, mix(palette.far, palette.horizon, 0.4), self.far)
        layer = scene.layer(0.60 - 0.4 * self.far)
        shade = relight(paint, lift=-0.12)
        back = [
            self.line((-0.115, 0), (-0.115, 0.62), thick=0.022),
            self.line((0.165, 0), (0.165, 0.62), thick=0.022),
            self.line((-0.115, 0.06), (0.165, 0.30), thick=0.009),
            self.line((0.165, 0.06), (-0.115, 0.30), thick=0.009),
        ]
        layer.fill(frame.lines(back), mix(shade, palette.near, 0.4))
        ties = [
            self.line((0.02, 0.97), (0.44, 0.645), thick=0.007),
            self.line((0.02, 0.97), (0.76, 0.645), thick=0.007),
            self.line((0.02, 0.97), (-0.34, 0.645), thick=0.007),
        ]
        layer.fill(frame.lines(ties), shade)
        self._lattice(layer, paint, shade)
        legs = frame.lines(
            [
                self.line((-0.15, 0), (-0.135, 0.62), thick=0.032),
                self.line((0.135, 0), (0.125, 0.62), thick=0.032),
                self.line((-0.15, 0.31), (0.135, 0.31), thick=0.030),
                self.line((-0.135, 0.62), (0.02, 0.97), thick=0.020),
                self.line((0.125, 0.62), (0.02, 0.97), thick=0.020),
                self.line((-0.05, 0.80), (0.09, 0.80), thick=0.012),
            ]
        )
        layer.fill(
            legs,
            linear(
                (0, self.y - self.size),
                (0, self.y),
                relight(mix(paint, palette.glow, 0.2), lift=0.04),
                paint,
                shade,
            ),
        )
        layer.rim(
            legs,
            stage.toward_light(self.x, self.y - self.size),
            0.007 * self.size,
            palette.glow,
            0.6,
        )
        self._details(layer, paint)
        self._load(rng)
        if stage.is_dark or stage.hour == "grey":
            self._lamps()

    def _lattice(self, layer: Layer, paint: Colour, shade: Colour) -> None:
        """Draw the boom: two chords with diagonals between them, from the back to the tip."""
        frame, palette = self.scene.frame, self.scene.palette
        low, high, tip, tail = 0.612, 0.648, 0.78, -0.36
        strokes = [
            self.line((tail, low), (tip - 0.03, low), thick=0.011),
            self.line((tail, high), (tip, high), thick=0.011),
        ]
        places = np.linspace(tail, tip - 0.03, 34).tolist()
        for number, (start, end) in enumerate(itertools.pairwise(places)):
            ends = ((start, low), (end, high)) if number % 2 else ((start, high), (end, low))
            strokes.append(self.line(*ends, thick=0.0055))
        mask = frame.lines(strokes)
        layer.fill(mask, mix(paint, shade, 0.3))
        layer.rim(mask, (0.0, -1.0), 0.004 * self.size, palette.glow, 0.5)

    def _details(self, layer: Layer, paint: Colour) -> None:
        frame, palette = self.scene.frame, self.scene.palette
        house = frame.shape_of(
            points(
                self.at(-0.30, 0.65),
                self.at(-0.30, 0.735),
                self.at(-0.15, 0.735),
                self.at(-0.15, 0.65),
            )
        )
        white = relight(
            mix(palette.paper, paint, 0.15), lightness=0.50 if self.scene.stage.is_dark else 0.88
        )
        layer.fill(
            house, linear(self.at(0, 0.74), self.at(0, 0.65), white, relight(white, lift=-0.12))
        )
        bogies = [
            points(
                self.at(px - 0.055, 0.0),
                self.at(px - 0.045, 0.035),
                self.at(px + 0.045, 0.035),
                self.at(px + 0.055, 0.0),
            )
            for px in (-0.15, 0.135)
        ]
        layer.fill(frame.shapes_of(bogies), palette.deep)
        stairs = [
            self.line((-0.175, 0.02 + 0.1 * k), (-0.125, 0.07 + 0.1 * k), thick=0.005)
            for k in range(6)
        ]
        layer.fill(frame.lines(stairs), palette.deep, 0.6)

    def _load(self, rng: np.random.Generator) -> None:
        """Hang a container from the trolley; it swings a little."""
        scene, frame = self.scene, self.scene.frame
        palette, stage = scene.palette, scene.stage
        layer = scene.layer(
            0.61, sway=Sway(x=0.006 * stage.unit, y=0.002 * stage.unit, period_s=5.5)
        )
        place = 0.30 if stage.view == "close" else 0.47
        hang = float(rng.uniform(0.30, 0.42))
        ropes = [
            self.line((place + off, 0.605), (place + off, hang + 0.02), thick=0.004)
            for off in (-0.05, -0.02, 0.02, 0.05)
        ]
        layer.fill(frame.lines(ropes), palette.deep, 0.8)
        cab = frame.shape_of(
            points(
                self.at(place - 0.06, 0.61),
                self.at(place - 0.06, 0.575),
                self.at(place + 0.06, 0.575),
                self.at(place + 0.06, 0.61),
            )
        )
        layer.fill(cab, mix(palette.deep, palette.near, 0.4))
        spreader = frame.lines(
            [self.line((place - 0.085, hang + 0.015), (place + 0.085, hang + 0.015), thick=0.014)]
        )
        layer.fill(spreader, relight(palette.accent, lightness=0.55))
        tall, wide = 0.066 * self.size, 0.165 * self.size
        x, y = self.at(place, hang)
        lay_containers(
            scene, layer, rng, x=x - wide / 2, y=y + tall, heights=[1], wide=wide, tall=tall
        )

    def _lamps(self) -> None:
        """Light the boom and the legs after dark, and one red lamp on the top."""
        scene, frame = self.scene, self.scene.frame
        palette, unit = scene.palette, scene.unit
        layer = scene.layer(0.62)
        strength = 1.0 if scene.stage.hour == "night" else 0.7 if scene.stage.is_dark else 0.4
        white = mix(palette.paper, palette.glow, 0.5)
        for px, py in (
            (-0.3, 0.60),
            (-0.02, 0.60),
            (0.2, 0.60),
            (0.45, 0.60),
            (0.7, 0.60),
            (0.0, 0.30),
        ):
            x, y = self.at(px, py)
            layer.fill(frame.glow(x, y, 0.05 * unit, power=2.2), white, 0.65 * strength)
            layer.fill(frame.disc(x, y, 0.0045 * unit), palette.paper, strength)
            cone = points(
                (x, y),
                (x - 0.07 * self.size, y + 0.28 * self.size),
                (x + 0.07 * self.size, y + 0.28 * self.size),
            )
            lit = frame.blurred(frame.shape_of(cone), 0.02 * self.size).faded(
                lambda _xs, ys, y=y: np.clip(1 - (ys - y) / (0.28 * self.size), 0, 1) ** 1.5
            )
            layer.fill(lit, white, 0.10 * strength)
        x, y = self.at(0.02, 0.985)
        red = (1.0, 0.28, 0.22)
        layer.fill(frame.glow(x, y, 0.04 * unit, power=2.2), red, 0.7 * strength)
        layer.fill(frame.disc(x, y, 0.004 * unit), red, strength)
