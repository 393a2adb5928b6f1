"""Where the sea ends: sand, the line of foam, and footprints."""

import math

import numpy as np
from numpy.typing import NDArray

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, circle, curve, moved, path, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.fields import ground_under
from infra.providers.local.pictures.motifs.seas import draw_sea
from infra.providers.local.pictures.noise import chance, clouds, ridge, specks
from infra.providers.local.pictures.raster import Patch, Stroke
from infra.providers.local.pictures.scene import Scene, Sway

_SAND: Colour = (0.80, 0.70, 0.54)


def draw_beach(scene: Scene) -> None:
    """Draw the sea running out on sand: the last wave with its lace of foam, wet and dry sand."""
    draw_sea(scene)
    stage, frame = scene.stage, scene.frame
    rng = scene.rng("beach")
    xs = np.linspace(frame.left - 9, frame.right + 9, 260)
    depth = stage.height - stage.horizon
    way = -1.0 if stage.hero_x < stage.width / 2 else 1.0
    low = 0.14 if stage.view == "close" else 0.20
    lean = (xs / stage.width - 0.5) * way * (0.50 if stage.view == "close" else 0.34)
    bays = ridge(rng, xs, cell=0.75 * stage.unit, octaves=3, gain=0.32)
    line = stage.horizon + depth * (low + 0.26 + lean * 0.75 + 0.055 * bays)
    if stage.subjects:  # what stands on the beach stands on sand
        line -= max(
            float(np.interp(stage.hero_x, xs, line)) - stage.hero_y + 0.07 * stage.height, 0
        )
    _sand(scene, rng, xs, line)
    _foam(scene, rng, xs, line)


def sand_colour(scene: Scene) -> Colour:
    """Return the colour of dry sand at the hour."""
    palette, stage = scene.palette, scene.stage
    sand = mix(palette.stuff(_SAND, 0.30), palette.horizon, 0.15)
    lift = {"night": -0.42, "dusk": -0.22, "grey": -0.10, "dawn": -0.05}.get(stage.hour, 0.0)
    return relight(sand, lift=lift)


def _sand(
    scene: Scene, rng: np.random.Generator, xs: NDArray[np.float64], line: NDArray[np.float64]
) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.48)
    dry = sand_colour(scene)
    looking_down = stage.view == "close" and not stage.subjects
    wet = mix(relight(dry, lift=-0.30 if looking_down else -0.17), palette.near, 0.25)
    mass = frame.shape_of(ground_under(scene, xs, line))
    top = float(line.min())
    layer.fill(mass, linear((0, top), (0, stage.height), mix(wet, palette.horizon, 0.25), wet))
    _shine(scene, layer, mass, top=top)
    reach = (0.42 if looking_down else 0.12) * stage.height
    edge = line + reach * (1.0 + 0.35 * ridge(rng, xs, cell=0.5 * stage.unit, octaves=3, gain=0.4))
    upper = frame.shape_of(ground_under(scene, xs, edge))
    soft = frame.blurred(upper, 0.014 * stage.unit)
    layer.fill(soft, linear((0, top), (0, stage.height), dry, relight(dry, lift=-0.05)))
    grain = specks(rng, frame.shape, share=0.05)
    layer.tint(frame.everything().times(grain).inside(soft), relight(dry, lift=-0.12), 0.35)
    drifts = clouds(rng, frame.shape, cell=0.10 * stage.unit, octaves=4, stretch=3.0)
    layer.tint(
        soft.inside(frame.everything().times(np.clip((drifts - 0.5) * 2.6, 0, 1))),
        relight(mix(dry, palette.glow, 0.3), lift=0.03),
        0.35,
    )
    shells: list[Points] = []
    for _ in range(70):
        x = float(rng.uniform(frame.left, frame.right))
        y = float(np.interp(x, xs, edge)) + stage.unit * (0.010 + float(rng.normal(0, 0.006)))
        shells.append(circle(x, y, stage.unit * float(rng.uniform(0.0012, 0.0045)), squash=0.6))
    layer.fill(frame.shapes_of(shells), mix(palette.deep, dry, 0.35), 0.6)


def _shine(scene: Scene, layer: Layer, mass: Patch, *, top: float) -> None:
    """Let the wet sand give the sky's light back, most below the sun or moon."""
    stage, palette = scene.stage, scene.palette
    light = mix(palette.horizon, palette.glow, 0.5)
    spread = 0.24 * stage.width

    def strength(xs: NDArray[np.floating], ys: NDArray[np.floating]) -> NDArray[np.floating]:
        across = np.exp(-(((xs - stage.light_x) / spread) ** 2))
        return (0.25 + 0.75 * across) * np.clip(1 - (ys - top) / (0.5 * stage.height), 0, 1)

    layer.tint(mass.faded(strength), light, {"night": 0.35, "grey": 0.30}.get(stage.hour, 0.6))


def _foam(
    scene: Scene, rng: np.random.Generator, xs: NDArray[np.float64], line: NDArray[np.float64]
) -> None:
    """Lay the thin sheet of the last wave, its edge of foam and older lines of lace behind it."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    white = mix(palette.paper, palette.horizon, {"night": 0.62, "dusk": 0.35}.get(stage.hour, 0.08))
    near = stage.view == "close"
    sway = Sway(x=0.006 * stage.unit, y=0.010 * stage.unit, period_s=4.6)
    sheet = scene.layer(0.52, sway=sway)
    for number, away in enumerate((0.0, -0.055, -0.10, -0.155)):
        share = 1 - number / 4
        form = ridge(rng, xs, cell=(0.34 - 0.05 * number) * stage.unit, octaves=4, gain=0.45)
        lap = line + (away * (1.9 if near else 1.0) + 0.016 * form) * stage.height * 0.62
        if number == 0:
            water = frame.shape_of(
                np.concatenate(
                    [
                        np.stack([xs, lap], axis=1),
                        np.stack([xs, lap - 0.10 * stage.height], axis=1)[::-1],
                    ]
                )
            )
            clear = water.faded(lambda _xs, ys: np.ones_like(ys) * 0.0 + 0.55)
            sheet.fill(clear, mix(mix(palette.middle, palette.horizon, 0.5), white, 0.25), 0.8)
            shade = np.stack([xs, lap + 0.008 * stage.unit], axis=1)
            sheet.fill(
                frame.blurred(frame.line(shade, 0.012 * stage.unit), 0.004 * stage.unit),
                palette.deep,
                0.30,
            )
        thick = stage.unit * (0.016 if near else 0.010) * (0.35 + 0.65 * share)
        widths = thick * (0.55 + 0.45 * ridge(rng, xs, cell=0.09 * stage.unit, octaves=3, gain=0.5))
        sheet.fill(
            frame.line(np.stack([xs, lap], axis=1), np.maximum(widths, 0.8)),
            white,
            0.55 + 0.4 * share,
        )
        _bubbles(scene, sheet, rng, xs=xs, line=lap, share=share, white=white)


def _bubbles(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    xs: NDArray[np.float64],
    line: NDArray[np.float64],
    share: float,
    white: Colour,
) -> None:
    """Lay the net of foam behind an edge: rings that thin out toward the sea."""
    stage, frame = scene.stage, scene.frame
    near = 2.0 if stage.view == "close" else 1.0
    strokes: list[Stroke] = []
    dots: list[Points] = []
    for _ in range(int(130 * share * (1.3 if near > 1 else 1.0))):
        x = float(rng.uniform(frame.left, frame.right))
        back = abs(float(rng.normal(0, 0.030))) * stage.height * near
        y = float(np.interp(x, xs, line)) - back
        if y < stage.horizon + 0.03 * stage.height:
            continue
        size = stage.unit * near * float(rng.uniform(0.003, 0.017))
        ring = circle(x, y, size, squash=0.42)
        if chance(rng, 0.35):
            dots.append(circle(x, y, size * 0.25, squash=0.5))
        else:
            strokes.append((np.concatenate([ring, ring[:1]]), stage.unit * 0.0016 * near))
    layer.fill(frame.lines(strokes), white, 0.50 * share + 0.12)
    layer.fill(frame.shapes_of(dots), white, 0.7 * share)


def draw_beached_boat(scene: Scene) -> None:
    """Draw an open wooden boat that lies on the sand, leaning a little, her rope beside her."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    size = stage.hero_size * {"close": 1.30, "medium": 1.0, "wide": 0.62}[stage.view]
    rng = scene.rng("beached")
    flip = chance(rng, 0.5)
    x, y = stage.hero_x, stage.hero_y + 0.02 * stage.height
    layer = scene.layer(0.62)

    def at(text: str) -> Points:
        return moved(curve(path(text), closed=True), x, y, scale=size, turn=-0.05, mirror=flip)

    def lines(*texts: str, thick: float) -> Patch:
        shaped = [
            (
                moved(curve(path(text), closed=False), x, y, scale=size, turn=-0.05, mirror=flip),
                thick * size,
            )
            for text in texts
        ]
        return frame.lines(shaped)

    shade = frame.disc(x, y + 0.01 * size, 0.52 * size, squash=0.12)
    layer.fill(frame.blurred(shade, 0.03 * size), mix(palette.deep, sand_colour(scene), 0.25), 0.6)
    wood = palette.stuff((0.46, 0.30, 0.19), 0.3)
    wood = relight(wood, lift={"night": -0.20, "dusk": -0.10, "grey": -0.03}.get(stage.hour, 0.0))
    inner = frame.shape_of(
        at("-.47,-.235 -.25,-.275 .05,-.280 .32,-.275 .52,-.305 .35,-.20 0,-.165 -.3,-.18")
    )
    layer.fill(inner, relight(wood, lift=-0.13))
    seats = frame.shapes_of(
        [
            moved(
                points((px, -0.27), (px + 0.07, -0.272), (px + 0.09, -0.15), (px + 0.01, -0.15)),
                x,
                y,
                scale=size,
                turn=-0.05,
                mirror=flip,
            )
            for px in (-0.22, 0.14)
        ]
    )
    layer.fill(seats.inside(inner), relight(mix(wood, palette.glow, 0.2), lift=0.02))
    hull = frame.shape_of(
        at(
            "-.48,-.235 -.3,-.195 0,-.178 .33,-.205 .535,-.315 .47,-.12 .33,-.015 0,.015 "
            "-.3,.005 -.44,-.06"
        )
    )
    paint = relight(palette.accent, lightness=0.36 if stage.is_dark else 0.55)
    high, low = y - 0.3 * size, y + 0.01 * size
    layer.fill(
        hull,
        linear(
            (0, high),
            (0, low),
            relight(mix(wood, palette.glow, 0.2), lift=0.05),
            wood,
            relight(wood, lift=-0.12),
        ),
    )
    layer.tint(
        lines("-.49,-.225 -.3,-.182 0,-.165 .33,-.192 .53,-.295", thick=0.035).inside(hull),
        paint,
        0.85,
    )
    planks = lines(
        "-.48,-.16 -.2,-.125 .1,-.12 .36,-.15 .51,-.22",
        "-.47,-.11 -.2,-.078 .1,-.073 .36,-.10 .49,-.16",
        "-.45,-.06 -.2,-.033 .1,-.028 .36,-.05 .44,-.10",
        thick=0.006,
    )
    layer.tint(planks.inside(hull), palette.deep, 0.55)
    layer.rim(hull, stage.toward_light(x, y - size), 0.010 * size, palette.glow, 0.6)
    rope = lines(".51,-.28 .60,-.10 .62,.02 .75,.05 .70,.09 .58,.075 .64,.035 .82,.06", thick=0.014)
    layer.fill(
        rope,
        relight(
            mix(palette.stuff((0.72, 0.60, 0.42), 0.3), palette.paper, 0.1),
            lift=-0.18 if stage.is_dark else 0.0,
        ),
    )


def draw_footprints(scene: Scene) -> None:
    """Draw a trail of bare feet that leads away from the eye and grows small."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("footprints")
    layer = scene.layer(0.60)
    top = stage.horizon + (0.42 if "beach" in stage.lands else 0.10) * (
        stage.height - stage.horizon
    )
    foot_x = stage.hero_x + float(rng.normal(0, 0.04)) * stage.width
    bend = float(rng.choice([-1, 1])) * 0.16 * stage.width
    prints: list[Points] = []
    lips: list[Points] = []
    steps = 17 if stage.view != "close" else 9
    for step in range(steps):
        share = (step + 0.3) / steps
        near = (1 - share) ** 1.7
        y = top + near * (0.97 * stage.height - top)
        size = stage.unit * (0.010 + (0.105 if stage.view == "close" else 0.062) * near)
        x = foot_x + bend * math.sin(share * 2.2) + (1 if step % 2 else -1) * 0.42 * size
        for parts, shift in ((prints, 0.0), (lips, 0.07 * size)):
            sole, heel = y - 0.17 * size + shift, y + 0.19 * size + shift
            parts.append(circle(x, sole, 0.23 * size, squash=0.72))
            parts.append(circle(x, heel, 0.16 * size, squash=0.66))
            parts.append(
                points(
                    (x - 0.17 * size, sole),
                    (x + 0.17 * size, sole),
                    (x + 0.13 * size, heel),
                    (x - 0.13 * size, heel),
                )
            )
    light = frame.shapes_of(lips)
    hollow = frame.shapes_of(prints)
    layer.fill(
        frame.blurred(light, 0.002 * stage.unit), mix(palette.glow, palette.horizon, 0.4), 0.35
    )
    shade = mix(relight(sand_colour(scene), lift=-0.26), palette.deep, 0.45)
    layer.fill(hollow, shade, 0.72)
