"""Ships that work: a container freighter and a tug."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, circle, curve, moved, path, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.cranes import lay_containers
from infra.providers.local.pictures.motifs.mirrors import lay_mirror
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.raster import Patch, Stroke
from infra.providers.local.pictures.scene import Scene, Sway

_HULL: Colour = (0.13, 0.22, 0.32)
_RUST: Colour = (0.52, 0.20, 0.15)


class _Afloat:
    """A ship of a length at the waterline (x, y); outlines have the bow on the right."""

    def __init__(self, scene: Scene, *, x: float, y: float, long: float, flip: bool) -> None:
        self.scene, self.x, self.y, self.long, self.flip = scene, x, y, long, flip

    def at(self, outline: Points) -> Points:
        return moved(outline, self.x, self.y, scale=self.long, mirror=self.flip)

    def shape(self, text: str) -> Patch:
        return self.scene.frame.shape_of(self.at(path(text)))

    def smooth(self, text: str) -> Patch:
        return self.scene.frame.shape_of(curve(self.at(path(text)), closed=True))

    def stroke(self, text: str, thick: float) -> Stroke:
        return self.at(path(text)), max(thick * self.long, 0.7)

    def box(self, x: float, top: float, wide: float, tall: float) -> Points:
        return self.at(points((x, top), (x + wide, top), (x + wide, top + tall), (x, top + tall)))

    def spot(self, px: float, py: float) -> tuple[float, float]:
        where = self.at(points((px, py)))[0]
        return float(where[0]), float(where[1])


def _waterline(scene: Scene, *, sink: float, tall: float) -> float:
    """Return the y at which a ship floats: further down the nearer it is, never on the horizon."""
    stage = scene.stage
    depth = stage.height - stage.horizon
    nearest = stage.horizon + 0.62 * depth
    return min(
        max(stage.horizon + sink * depth + 0.02 * tall, stage.horizon + 0.05 * depth), nearest
    )


def _faces_right(scene: Scene) -> bool:
    stage = scene.stage
    if abs(stage.hero_x - stage.width / 2) > 0.1 * stage.width:
        return stage.hero_x < stage.width / 2
    return chance(scene.rng("bow"), 0.5)


def draw_ship(scene: Scene) -> None:
    """Draw a loaded container ship that lies or goes slowly, her image in the water."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("ship")
    long = stage.hero_size * {"close": 2.5, "medium": 1.62, "wide": 1.15}[stage.view]
    if stage.view != "close":
        long = min(
            long, 0.80 * stage.width if stage.side in {"none", "top"} else 0.46 * stage.width
        )
    y = _waterline(
        scene, sink={"close": 0.55, "medium": 0.30, "wide": 0.12}[stage.view], tall=0.3 * long
    )
    right = _faces_right(scene)
    x = stage.hero_x - (0.30 * long * (1 if right else -1) if stage.view == "close" else 0.0)
    ship = _Afloat(scene, x=x, y=y, long=long, flip=not right)
    layer = scene.layer(0.54, sway=Sway(x=0.010 * stage.unit, y=0.0012 * stage.unit, period_s=9.0))
    _bridge_house(ship, layer)
    _cargo(ship, layer, rng)
    mask = _hull(ship, layer)
    layer.rim(mask, stage.toward_light(x, y - 0.2 * long), 0.004 * long, palette.glow, 0.45)
    if stage.is_dark or stage.hour == "grey":
        _ship_lights(ship, layer)
    lay_mirror(scene, layer, x=x, y=y + 0.004 * long, size=0.9 * long)
    _bow_wave(ship)


def _hull(ship: _Afloat, layer: Layer) -> Patch:
    scene = ship.scene
    palette, stage, long = scene.palette, scene.stage, ship.long
    paints = [
        palette.stuff(_HULL, 0.25),
        palette.stuff(_RUST, 0.25),
        relight(palette.second, lightness=0.36),
    ]
    paint = paints[int(scene.rng("hull").choice(3, p=[0.5, 0.25, 0.25]))]
    paint = relight(paint, lift={"night": -0.13, "dusk": -0.07}.get(stage.hour, 0.0))
    body = (
        "-.49,-.118 -.47,-.045 -.452,.012 .418,.012 .436,-.03 .462,-.10 .498,-.152 .40,-.132 "
        ".36,-.105 -.20,-.100"
    )
    mask = ship.shape(body)
    top, low = ship.y - 0.15 * long, ship.y + 0.01 * long
    layer.fill(
        mask,
        linear(
            (0, top),
            (0, low),
            relight(mix(paint, palette.glow, 0.16), lift=0.04),
            paint,
            relight(paint, lift=-0.06),
        ),
    )
    boot = ship.shape("-.5,-.014 .5,-.014 .5,.02 -.5,.02").inside(mask)
    layer.tint(
        boot, relight(palette.stuff(_RUST, 0.3), lift=-0.14 if stage.is_dark else -0.02), 0.9
    )
    lines = [
        ship.stroke("-.49,-.108 -.20,-.092 .36,-.096 .40,-.122 .49,-.143", 0.004),
        ship.stroke("-.5,-.0155 .5,-.0155", 0.003),
    ]
    layer.tint(
        scene.frame.lines(lines).inside(mask), palette.paper, 0.55 if not stage.is_dark else 0.3
    )
    plates = [
        ship.stroke(f"{px:.3f},-.11 {px:.3f},.01", 0.0016)
        for px in np.arange(-0.44, 0.44, 0.055).tolist()
    ]
    layer.tint(scene.frame.lines(plates).inside(mask), palette.deep, 0.25)
    streaks = [
        ship.stroke(f"{px:.3f},-.085 {px:.3f},-.03", 0.004) for px in (-0.33, -0.08, 0.17, 0.425)
    ]
    layer.tint(
        scene.frame.blurred(scene.frame.lines(streaks), 0.003 * long).inside(mask),
        palette.stuff(_RUST, 0.2),
        0.35,
    )
    anchor = [
        ship.stroke(".432,-.098 .432,-.072", 0.006),
        ship.stroke(".421,-.076 .432,-.068 .443,-.076", 0.006),
    ]
    layer.tint(scene.frame.lines(anchor).inside(mask), palette.deep, 0.8)
    return mask


def _cargo(ship: _Afloat, layer: Layer, rng: np.random.Generator) -> None:
    """Stack containers on deck in bays, lower toward the bow."""
    wide, tall, bays = 0.0355, 0.0205, 16
    # Mirrored ships are stacked from the other end, so the boxes stay in front of the bridge.
    lower = [0] * (bays - 4) + [1, 1, 3, 3]
    heights = [max(int(rng.integers(3, 7)) - less, 1) for less in lower]
    heights[int(rng.integers(2, 9))] = 2
    start = -0.215
    x = ship.spot(start, 0)[0]
    if ship.flip:
        heights.reverse()
        x = ship.spot(start + bays * wide * 1.02, 0)[0]
    lay_containers(
        ship.scene,
        layer,
        rng,
        x=x,
        y=ship.y - 0.098 * ship.long,
        heights=heights,
        wide=wide * ship.long,
        tall=tall * ship.long,
    )


def _bridge_house(ship: _Afloat, layer: Layer) -> None:
    scene = ship.scene
    palette, stage, frame, long = scene.palette, scene.stage, scene.frame, ship.long
    white = relight(
        mix(palette.paper, palette.glow, 0.15),
        lightness={"night": 0.46, "dusk": 0.62}.get(stage.hour, 0.90),
    )
    funnel = frame.shape_of(ship.box(-0.415, -0.225, 0.05, 0.125))
    layer.fill(funnel, relight(palette.accent, lightness=0.36 if stage.is_dark else 0.52))
    layer.fill(frame.shape_of(ship.box(-0.417, -0.235, 0.054, 0.014)), palette.deep)
    house = frame.shapes_of(
        [
            ship.box(-0.345, -0.255, 0.10, 0.16),
            ship.box(-0.36, -0.275, 0.135, 0.026),
            ship.box(-0.335, -0.295, 0.075, 0.022),
            ship.box(-0.46, -0.135, 0.24, 0.04),
        ]
    )
    side, _ = stage.toward_light(ship.x, ship.y - long)
    shade = relight(mix(white, palette.near, 0.35), lift=-0.05)
    left, right = (white, shade) if side < 0 else (shade, white)
    middle = ship.spot(-0.30, 0)[0]
    layer.fill(house, linear((middle - 0.08 * long, 0), (middle + 0.08 * long, 0), left, right))
    layer.rim(house, stage.toward_light(ship.x, ship.y - long), 0.003 * long, palette.glow, 0.5)
    dark = stage.is_dark or stage.hour == "grey"
    glass = (
        mix(palette.glow, (1.0, 0.78, 0.45), 0.3)
        if dark
        else mix(palette.deep, palette.zenith, 0.35)
    )
    panes = [ship.box(-0.352, -0.268, 0.12, 0.011)]
    panes += [
        ship.box(-0.335 + 0.021 * col, -0.238 + 0.026 * row, 0.010, 0.010)
        for row in range(5)
        for col in range(4)
    ]
    layer.fill(frame.shapes_of(panes), glass, 0.9)
    masts = [
        ship.stroke("-.30,-.29 -.30,-.375", 0.005),
        ship.stroke("-.32,-.335 -.28,-.335", 0.003),
        ship.stroke(".44,-.14 .44,-.235", 0.005),
    ]
    layer.fill(frame.lines(masts), mix(white, palette.near, 0.4))


def _ship_lights(ship: _Afloat, layer: Layer) -> None:
    scene = ship.scene
    frame, palette, unit = scene.frame, scene.palette, scene.unit
    strength = {"night": 1.0, "dusk": 0.7}.get(scene.stage.hour, 0.4)
    white = mix(palette.paper, palette.glow, 0.5)
    lamps = [
        (-0.30, -0.375, white),
        (0.44, -0.235, white),
        (-0.24, -0.262, (0.95, 0.25, 0.2)),
        (-0.45, -0.14, white),
        (0.0, -0.105, white),
        (0.25, -0.105, white),
    ]
    for px, py, hue in lamps:
        x, y = ship.spot(px, py)
        layer.fill(frame.glow(x, y, 0.035 * unit, power=2.2), hue, 0.7 * strength)
        layer.fill(frame.disc(x, y, 0.0036 * unit), mix(hue, palette.paper, 0.5), strength)


def _bow_wave(ship: _Afloat) -> None:
    scene = ship.scene
    palette, unit = scene.palette, scene.unit
    layer = scene.layer(0.57, sway=Sway(x=0.010 * unit, y=0.001 * unit, period_s=9.0))
    foam = [
        ship.stroke(".43,.006 .40,.012 .30,.014", 0.006),
        ship.stroke("-.46,.010 -.30,.014 .05,.012 .28,.012", 0.0028),
        ship.stroke("-.47,.012 -.55,.016 -.66,.015", 0.005),
    ]
    white = mix(palette.paper, palette.horizon, 0.4 if scene.stage.is_dark else 0.1)
    layer.fill(
        scene.frame.blurred(scene.frame.lines(foam), 0.0014 * ship.long),
        white,
        0.55 if scene.stage.is_dark else 0.8,
    )


def draw_tug(scene: Scene) -> None:
    """Draw a stout tug with her wheelhouse, funnel and fenders, pushing a bow wave."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    long = stage.hero_size * {"close": 1.55, "medium": 1.02, "wide": 0.68}[stage.view]
    long = min(long, 0.9 * stage.width if stage.side in {"none", "top"} else 0.46 * stage.width)
    y = _waterline(
        scene, sink={"close": 0.58, "medium": 0.42, "wide": 0.24}[stage.view], tall=0.5 * long
    )
    tug = _Afloat(scene, x=stage.hero_x, y=y, long=long, flip=not _faces_right(scene))
    layer = scene.layer(0.57, sway=Sway(x=0.006 * stage.unit, y=0.005 * stage.unit, period_s=3.2))
    _tug_upper_works(tug, layer)
    paint = relight(
        palette.stuff(_HULL, 0.25), lift={"night": -0.12, "dusk": -0.06}.get(stage.hour, 0.0)
    )
    hull = tug.smooth(
        "-.47,-.105 -.485,-.06 -.45,.02 -.2,.045 .2,.045 .39,.02 .47,-.08 .505,-.175 "
        ".42,-.155 .25,-.115 0,-.092 -.25,-.09"
    )
    layer.fill(
        hull,
        linear(
            (0, y - 0.17 * long),
            (0, y + 0.04 * long),
            relight(mix(paint, palette.glow, 0.15), lift=0.05),
            paint,
            relight(paint, lift=-0.06),
        ),
    )
    boot = tug.shape("-.6,-.012 .6,-.012 .6,.06 -.6,.06").inside(hull)
    layer.tint(boot, relight(palette.stuff(_RUST, 0.25), lift=-0.14 if stage.is_dark else 0.0), 0.9)
    band = frame.line(
        curve(
            tug.at(path("-.48,-.09 -.25,-.072 0,-.074 .25,-.097 .42,-.136 .50,-.16")), closed=False
        ),
        0.016 * long,
    )
    layer.tint(
        band.inside(hull), relight(palette.accent, lightness=0.42 if stage.is_dark else 0.6), 0.9
    )
    tyres: list[Points] = []
    holes: list[Points] = []
    for k in range(7):
        cx, cy = tug.spot(-0.40 + 0.125 * k, -0.040 - 0.012 * max(k - 3, 0))
        tyres.append(circle(cx, cy, 0.029 * long))
        holes.append(circle(cx, cy, 0.012 * long))
    layer.fill(frame.shapes_of(tyres), mix(palette.deep, (0.05, 0.05, 0.06), 0.5))
    layer.fill(frame.shapes_of(holes), paint)
    layer.rim(hull, stage.toward_light(tug.x, y - long), 0.006 * long, palette.glow, 0.5)
    lay_mirror(scene, layer, x=tug.x, y=y + 0.03 * long, size=0.8 * long)
    _tug_wave(tug)


def _tug_upper_works(tug: _Afloat, layer: Layer) -> None:
    scene = tug.scene
    palette, stage, frame, long = scene.palette, scene.stage, scene.frame, tug.long
    white = relight(
        mix(palette.paper, palette.glow, 0.15),
        lightness={"night": 0.46, "dusk": 0.62}.get(stage.hour, 0.90),
    )
    dim = mix(white, palette.near, 0.30)
    masts = [
        tug.stroke(".06,-.36 .06,-.60", 0.010),
        tug.stroke(".0,-.50 .12,-.50", 0.006),
        tug.stroke(".06,-.59 -.42,-.12", 0.003),
        tug.stroke(".06,-.59 .46,-.17", 0.003),
    ]
    layer.fill(frame.lines(masts), mix(palette.deep, palette.near, 0.4))
    funnel = tug.shape("-.21,-.10 -.205,-.345 -.105,-.345 -.09,-.10")
    layer.fill(funnel, relight(palette.accent, lightness=0.36 if stage.is_dark else 0.54))
    layer.fill(tug.shape("-.207,-.345 -.207,-.30 -.102,-.30 -.102,-.345"), palette.deep)
    deck = tug.shape("-.27,-.08 -.25,-.205 .28,-.205 .31,-.10")
    house = tug.shape("-.045,-.20 -.035,-.375 .205,-.375 .235,-.20")
    roof = tug.shape("-.07,-.372 -.07,-.395 .235,-.395 .245,-.372")
    for mask, low in ((deck, 0.10), (house, 0.20)):
        layer.fill(mask, linear((0, tug.y - 0.39 * long), (0, tug.y - low * long), white, dim))
        layer.rim(mask, stage.toward_light(tug.x, tug.y - long), 0.006 * long, palette.glow, 0.5)
    layer.fill(roof, relight(palette.accent, lightness=0.38 if stage.is_dark else 0.52))
    dark = stage.is_dark or stage.hour == "grey"
    glass = (
        mix(palette.glow, (1.0, 0.78, 0.45), 0.3)
        if dark
        else mix(palette.deep, palette.zenith, 0.35)
    )
    panes = [tug.box(-0.022 + 0.063 * k, -0.352, 0.050, 0.072) for k in range(4)]
    rounds: list[Points] = []
    for px in (-0.2, -0.06, 0.02, 0.10, 0.18):
        cx, cy = tug.spot(px, -0.15)
        rounds.append(circle(cx, cy, 0.018 * long))
    windows = frame.shapes_of([*panes, *rounds])
    layer.fill(windows, glass)
    if dark:
        layer.light(frame.blurred(windows, 0.02 * long), glass, 0.6)
        x, y = tug.spot(0.06, -0.60)
        layer.fill(frame.glow(x, y, 0.05 * stage.unit, power=2.2), palette.glow, 0.8)
        layer.fill(frame.disc(x, y, 0.005 * stage.unit), palette.paper)


def _tug_wave(tug: _Afloat) -> None:
    scene = tug.scene
    palette, unit, long = scene.palette, scene.unit, tug.long
    layer = scene.layer(0.59, sway=Sway(x=0.006 * unit, y=0.005 * unit, period_s=3.2))
    rng = scene.rng("tug wave")
    foam: list[Stroke] = [
        tug.stroke(".45,.012 .39,.036 .26,.046 .05,.05", 0.017),
        tug.stroke("-.45,.03 -.58,.05 -.80,.054", 0.014),
        tug.stroke("-.46,.055 -.66,.075 -.95,.080", 0.007),
    ]
    for _ in range(16):
        px = float(rng.uniform(-0.95, 0.5))
        py = 0.045 + 0.05 * float(rng.random())
        half = 0.02 + 0.05 * float(rng.random())
        foam.append(
            tug.stroke(
                f"{px - half:.3f},{py:.3f} {px + half:.3f},{py:.3f}", 0.006 * (1 + math.sin(px))
            )
        )
    white = mix(palette.paper, palette.horizon, 0.45 if scene.stage.is_dark else 0.1)
    layer.fill(
        scene.frame.blurred(scene.frame.lines(foam), 0.004 * long),
        white,
        0.5 if scene.stage.is_dark else 0.85,
    )
