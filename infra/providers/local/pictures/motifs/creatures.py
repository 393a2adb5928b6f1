"""Living beings: birds, a cat, fish and a human figure."""

from dataclasses import dataclass

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import (
    Points,
    circle,
    curve,
    moved,
    path,
    points,
    ribbon,
    taper,
)
from infra.providers.local.pictures.layer import Layer, linear, radial
from infra.providers.local.pictures.motifs.buildings import draw_window, lay_mound
from infra.providers.local.pictures.noise import clouds
from infra.providers.local.pictures.scene import Scene, Sway


def draw_bird(scene: Scene) -> None:
    """Draw a large gliding bird and its flock further off."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("bird")
    size = stage.hero_size * {"close": 1.25, "medium": 0.95, "wide": 0.55}[stage.view]
    flock = scene.layer(0.34, sway=Sway(x=0.02 * stage.unit, y=0.008 * stage.unit, period_s=6.5))
    small: list[Points] = []
    count = int(rng.integers(7, 15)) if stage.view == "wide" else int(rng.integers(4, 8))
    for number in range(count):
        row = (number + 1) // 2 * (1 if number % 2 else -1)
        x = stage.hero_x + row * 0.085 * stage.unit + float(rng.normal(0, 0.02)) * stage.unit
        y = (
            0.16 * stage.height
            + abs(row) * 0.038 * stage.unit
            + float(rng.normal(0, 0.012)) * stage.unit
        )
        small += _gliding(
            x,
            y,
            size=stage.unit * float(rng.uniform(0.05, 0.085)),
            lift=float(rng.uniform(0.12, 0.42)),
            flip=False,
        )
    flock.fill(
        scene.frame.shapes_of(small),
        mix(palette.deep, palette.horizon, 0.35 if stage.is_dark else 0.45),
    )
    layer = scene.layer(
        0.66, sway=Sway(x=0.022 * stage.unit, y=0.016 * stage.unit, period_s=5.0, phase=1.0)
    )
    x, y = stage.hero_x, min(stage.hero_y - 0.35 * size, stage.horizon * 0.86)
    flip = bool(rng.random() < 0.5)
    shapes = _gliding(x, y, size=size, lift=float(rng.uniform(0.25, 0.42)), flip=flip)
    white = relight(
        mix(palette.paper, palette.glow, 0.2), lightness=0.52 if stage.hour == "night" else 0.9
    )
    wing_dark = mix(white, palette.deep, 0.55)
    far, near, body, tips = shapes
    layer.fill(
        scene.frame.shape_of(far),
        linear((0, y - 0.4 * size), (0, y), wing_dark, mix(white, palette.deep, 0.3)),
    )
    layer.fill(
        scene.frame.shape_of(body),
        linear((0, y - 0.1 * size), (0, y + 0.1 * size), white, mix(white, palette.near, 0.5)),
    )
    near_mask = scene.frame.shape_of(near)
    layer.fill(
        near_mask,
        linear(
            (x, y - 0.1 * size),
            (x + (0.5 if not flip else -0.5) * size, y - 0.3 * size),
            white,
            white,
            mix(white, palette.near, 0.35),
        ),
    )
    layer.tint(scene.frame.shape_of(tips).inside(near_mask), palette.deep, 0.75)
    feathers = []
    way = -1 if flip else 1
    for k in range(9):
        share = 0.2 + 0.085 * k
        px = x + way * share * 0.52 * size
        feathers.append(
            (
                points(
                    (px, y - share * 0.30 * size),
                    (px - way * 0.05 * size, y - share * 0.13 * size + 0.03 * size),
                ),
                0.005 * size,
            )
        )
    layer.tint(scene.frame.lines(feathers).inside(near_mask), mix(white, palette.near, 0.5), 0.6)
    for mask in (near_mask, scene.frame.shape_of(body)):
        layer.rim(mask, stage.toward_light(x, y), 0.010 * size, palette.glow, 0.7)
    beak = moved(path("0.285,-0.055 0.37,-0.035 0.285,-0.022"), x, y, scale=size, mirror=flip)
    layer.fill(scene.frame.shape_of(beak), relight(palette.accent, lightness=0.62))
    layer.fill(
        scene.frame.disc(x + way * 0.245 * size, y - 0.052 * size, 0.009 * size), palette.deep
    )


def _gliding(x: float, y: float, *, size: float, lift: float, flip: bool) -> list[Points]:
    """Return far wing, near wing, body and near wing tip of a bird that flies to the right."""
    near = curve(
        points(
            (-0.10, 0.0),
            (0.02, -0.10),
            (0.20, -0.5 * lift - 0.10),
            (0.36, -lift * 0.95),
            (0.58, -lift * 0.88),
            (0.44, -lift * 0.55),
            (0.27, -0.14),
            (0.10, 0.02),
        ),
        closed=True,
    )
    far = curve(
        points(
            (-0.02, -0.02),
            (-0.08, -0.12),
            (-0.22, -0.5 * lift - 0.16),
            (-0.34, -lift * 1.15),
            (-0.50, -lift * 1.12),
            (-0.42, -lift * 0.7),
            (-0.25, -0.12),
            (-0.10, 0.0),
        ),
        closed=True,
    )
    body = curve(
        path(
            "-0.34,0.035 -0.2,-0.015 0,-0.06 0.18,-0.085 0.27,-0.075 0.3,-0.04 0.22,0 "
            "0.05,0.055 -0.15,0.05 -0.36,0.075 "
        ),
        closed=True,
    )
    tips = points(
        (0.46, -lift * 1.2), (0.70, -lift * 1.2), (0.62, -lift * 0.5), (0.40, -lift * 0.55)
    )
    return [moved(part, x, y, scale=size, mirror=flip) for part in (far, near, body, tips)]


def draw_cat(scene: Scene) -> None:
    """Draw a cat on a window sill, its outline lit from outside."""
    draw_window(scene)
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("cat")
    layer = scene.layer(0.62)
    size = stage.hero_size * {"close": 0.78, "medium": 0.60, "wide": 0.50}[stage.view]
    x, y = (
        stage.hero_x + float(rng.uniform(-0.08, 0.08)) * stage.hero_size,
        stage.hero_y + 0.012 * stage.unit,
    )
    flip = bool(rng.random() < 0.5)

    def at(shape: Points) -> Points:
        return moved(shape, x, y, scale=size, mirror=flip)

    coat = mix(palette.deep, palette.second, 0.22)
    if not stage.is_dark and rng.random() < 0.45:
        coat = relight(palette.accent, lightness=0.50)
    body = curve(
        path(
            "-0.3,0 -0.36,-0.18 -0.3,-0.42 -0.14,-0.58 0.06,-0.66 0.2,-0.62 0.22,-0.4 "
            "0.2,-0.15 0.24,0 "
        ),
        closed=True,
    )
    head = curve(
        path(
            "0,-0.72 0.04,-0.86 0.16,-0.9 0.29,-0.86 0.33,-0.73 0.26,-0.62 0.14,-0.59 0.04,-0.63 "
        ),
        closed=True,
    )
    ears = [
        path("0.035,-0.82 0.045,-1 0.145,-0.89"),
        path("0.2,-0.895 0.295,-1 0.305,-0.82"),
    ]
    tail_line = curve(
        path("-0.26,-0.05 -0.48,-0.02 -0.62,-0.1 -0.66,-0.27 -0.58,-0.36"),
        closed=False,
    )
    tail = ribbon(tail_line, taper(len(tail_line), 0.10, 0.055))
    tail_layer = scene.layer(0.621, sway=Sway(x=0.010 * size, y=0.006 * size, period_s=2.4))
    tail_mask = frame.shape_of(at(tail))
    tail_layer.fill(tail_mask, coat)
    tail_layer.rim(tail_mask, (0.0, -1.0), 0.02 * size, palette.glow, 0.5)
    mask = frame.shapes_of([at(part) for part in (body, head, *ears)])
    layer.fill(
        mask,
        linear(
            (0, y - size), (0, y), mix(coat, palette.glow, 0.10), coat, relight(coat, lift=-0.04)
        ),
    )
    side, _ = stage.toward_light(x, y - size)
    layer.rim(mask, (side, -0.8), 0.022 * size, palette.glow, 0.75)
    haunch = frame.shape_of(at(circle(-0.10, -0.17, 0.19, squash=0.95)))
    layer.tint(frame.edge(haunch, (0.5, -0.9), 0.02 * size), relight(coat, lift=0.12), 0.55)
    legs = [
        (at(points((0.10, -0.42), (0.12, -0.02))), 0.10 * size),
        (at(points((0.19, -0.42), (0.21, -0.02))), 0.09 * size),
    ]
    layer.tint(
        frame.edge(frame.lines(legs), (0.8, 0.0), 0.012 * size), relight(coat, lift=0.12), 0.5
    )
    stripes = [
        (
            at(points((-0.33 + 0.02 * k, -0.22 - 0.09 * k), (-0.22 + 0.02 * k, -0.20 - 0.09 * k))),
            np.array([0.03, 0.006]) * size,
        )
        for k in range(4)
    ]
    layer.tint(frame.lines(stripes).inside(mask), relight(coat, lift=-0.08), 0.7)
    _cat_face(scene, layer, at=lambda px, py: at(points((px, py)))[0], size=size)


def _cat_face(scene: Scene, layer: Layer, *, at, size: float) -> None:  # noqa: ANN001
    palette, frame = scene.palette, scene.frame
    for px in (0.105, 0.235):
        ex, ey = at(px, -0.755)
        layer.fill(
            frame.disc(float(ex), float(ey), 0.030 * size, squash=0.8),
            relight(palette.accent, lightness=0.8, turn=0.05),
        )
        layer.fill(frame.disc(float(ex), float(ey), 0.011 * size, squash=2.1), palette.ink)
        layer.fill(
            frame.disc(float(ex) + 0.006 * size, float(ey) - 0.008 * size, 0.006 * size),
            palette.paper,
        )
    nx, ny = at(0.17, -0.69)
    layer.fill(
        frame.disc(float(nx), float(ny), 0.014 * size, squash=0.7),
        mix(palette.accent, palette.paper, 0.3),
    )
    whiskers = []
    for way in (-1, 1):
        for k in (-1, 0, 1):
            sx, sy = at(0.17 + way * 0.04, -0.675)
            tx, ty = at(0.17 + way * 0.24, -0.675 + 0.035 * k)
            whiskers.append((points((float(sx), float(sy)), (float(tx), float(ty))), 0.0035 * size))
    layer.fill(frame.lines(whiskers), palette.paper, 0.45)


def draw_fish(scene: Scene) -> None:
    """Draw fish in deep water under slanting light, with weed and bubbles."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("fish")
    water = scene.layer(0.0)
    light = relight(palette.tone(0.8), lightness=0.84 if stage.hour != "night" else 0.45)
    middle = relight(
        mix(palette.tone(0.55), (0.1, 0.5, 0.6), 0.4),
        lightness=0.55 if stage.hour != "night" else 0.28,
    )
    deep = relight(mix(palette.tone(0.15), (0.03, 0.15, 0.28), 0.5), lightness=0.20)
    water.fill(
        frame.everything(),
        radial(
            stage.light_x,
            -0.25 * stage.height,
            1.5 * max(stage.height, stage.width * 0.6),
            light,
            middle,
            deep,
        ),
    )
    _shafts(scene, water, rng)
    _weed(scene, rng, depth=0.25, tint=mix(deep, middle, 0.45), tall=0.35)
    school = scene.layer(0.36, sway=Sway(x=0.03 * stage.unit, y=0.008 * stage.unit, period_s=7))
    for _ in range(int(rng.integers(9, 16))):
        _fish(
            scene,
            school,
            rng,
            x=stage.hero_x + float(rng.normal(0, 0.20)) * stage.width,
            y=float(rng.uniform(0.18, 0.75)) * stage.height,
            size=stage.unit * float(rng.uniform(0.05, 0.10)),
            flip=True,
            plain=True,
        )
    school.veil(middle, 0.45)
    size = stage.hero_size * {"close": 1.2, "medium": 0.85, "wide": 0.55}[stage.view]
    layer = scene.layer(0.62, sway=Sway(x=0.022 * stage.unit, y=0.012 * stage.unit, period_s=5))
    _fish(
        scene,
        layer,
        rng,
        x=stage.hero_x,
        y=0.5 * stage.height,
        size=size,
        flip=bool(rng.random() < 0.5),
        plain=False,
    )
    _weed(scene, rng, depth=0.9, tint=mix(deep, (0.0, 0.05, 0.08), 0.4), tall=0.42)
    bubbles = scene.layer(0.7, sway=Sway(y=0.02 * stage.unit, x=0.004 * stage.unit, period_s=3.0))
    for _ in range(22):
        bx, by = (
            stage.hero_x + float(rng.normal(0, 0.16)) * stage.width,
            float(rng.uniform(0.05, 0.8)) * stage.height,
        )
        radius = stage.unit * float(rng.uniform(0.003, 0.011))
        ring = frame.disc(bx, by, radius)
        bubbles.fill(ring, light, 0.25)
        bubbles.fill(frame.edge(ring, (-0.5, -0.7), radius * 0.4), palette.paper, 0.9)


def _shafts(scene: Scene, layer: Layer, rng: np.random.Generator) -> None:
    stage, frame, palette = scene.stage, scene.frame, scene.palette
    fans = []
    for _ in range(8):
        x = stage.light_x + float(rng.normal(0, 0.28)) * stage.width
        lean, wide = (
            (x - stage.light_x) * 0.6 + float(rng.normal(0, 0.05)) * stage.width,
            stage.unit * float(rng.uniform(0.02, 0.09)),
        )
        fans.append(
            points(
                (x - wide * 0.4, frame.top),
                (x + wide * 0.4, frame.top),
                (x + lean + wide * 1.6, frame.bottom),
                (x + lean - wide * 1.6, frame.bottom),
            )
        )
    mask = frame.blurred(frame.shapes_of(fans), 0.02 * stage.unit)
    layer.light(
        mask.faded(lambda _xs, ys: np.clip(1 - ys / (0.95 * stage.height), 0, 1) ** 1.3),
        palette.glow,
        0.4,
    )
    caustic = clouds(rng, frame.shape, cell=0.09 * stage.unit, octaves=3, stretch=2.4)
    web = np.clip(1 - np.abs(caustic - 0.5) * 9, 0, 1)
    layer.light(
        frame.everything()
        .times(web)
        .faded(lambda _xs, ys: np.clip(0.55 - ys / stage.height, 0, 1)),
        palette.glow,
        0.4,
    )


def _weed(
    scene: Scene,
    rng: np.random.Generator,
    *,
    depth: float,
    tint: tuple[float, float, float],
    tall: float,
) -> None:
    stage, frame = scene.stage, scene.frame
    layer = scene.layer(depth, sway=Sway(x=0.012 * stage.unit, period_s=4.2, phase=depth * 9))
    shapes: list[Points] = []
    for _ in range(20):
        near_edge = (
            float(rng.choice([rng.uniform(-0.02, 0.22), rng.uniform(0.78, 1.02)]))
            if depth > 0.5
            else float(rng.uniform(0, 1))
        )
        x, high = near_edge * stage.width, stage.height * tall * float(rng.uniform(0.3, 1.0))
        ys = np.linspace(frame.bottom + 9, stage.height - high, 24)
        wave = (
            0.022
            * stage.unit
            * np.sin(np.linspace(0, 7, 24) + float(rng.uniform(0, 6)))
            * np.linspace(0, 1.6, 24)
        )
        shapes.append(
            ribbon(
                np.stack([x + wave, ys], axis=1), taper(24, 0.020, 0.003, belly=0.012) * stage.unit
            )
        )
    layer.fill(frame.shapes_of(shapes), tint)
    if depth > 0.5:
        layer.blur(0.004 * stage.unit)


def _fish(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    x: float,
    y: float,
    size: float,
    flip: bool,
    plain: bool,
) -> None:
    palette, frame = scene.palette, scene.frame

    def at(shape: Points) -> Points:
        return moved(shape, x, y, scale=size, mirror=flip)

    body = at(
        curve(
            path(
                "0.5,0 0.4,-0.1 0.18,-0.19 -0.1,-0.16 -0.36,-0.05 -0.42,0 -0.36,0.05 "
                "-0.1,0.15 0.2,0.17 0.42,0.09 "
            ),
            closed=True,
        )
    )
    tail = at(
        curve(
            path("-0.38,0 -0.52,-0.1 -0.68,-0.21 -0.6,-0.02 -0.66,0.2 -0.5,0.1"),
            closed=True,
        )
    )
    fin = at(curve(path("0.14,-0.17 0.02,-0.29 -0.2,-0.26 -0.16,-0.14"), closed=True))
    under = at(curve(path("0.05,0.14 -0.06,0.27 -0.18,0.22 -0.08,0.13"), closed=True))
    if plain:
        layer.fill(frame.shapes_of([body, tail]), mix(palette.deep, palette.tone(0.5), 0.4))
        return
    coat = relight(palette.accent, lightness=0.64)
    pale = relight(mix(palette.paper, coat, 0.25), lightness=0.90)
    fins = frame.shapes_of([tail, fin, under])
    layer.fill(
        fins,
        linear(
            (x - 0.7 * size, 0), (x, 0), mix(coat, palette.paper, 0.5), relight(coat, lift=-0.04)
        ),
        0.86,
    )
    rays = []
    for k in range(7):
        end = at(points((-0.40, 0.0), (-0.64, -0.16 + 0.053 * k)))
        rays.append((end, 0.005 * size))
    layer.tint(frame.lines(rays).inside(fins), relight(coat, lift=-0.14), 0.6)
    mask = frame.shape_of(body)
    layer.fill(
        mask,
        linear((0, y - 0.18 * size), (0, y + 0.17 * size), relight(coat, lift=-0.08), coat, pale),
    )
    blots = frame.shapes_of(
        [
            at(
                circle(
                    float(rng.uniform(-0.28, 0.28)),
                    float(rng.uniform(-0.14, 0.02)),
                    float(rng.uniform(0.05, 0.11)),
                    squash=0.7,
                )
            )
            for _ in range(4)
        ]
    )
    layer.tint(frame.blurred(blots, 0.012 * size).inside(mask), pale, 0.85)
    scales = [
        frame.edge(
            frame.shape_of(
                at(circle(-0.30 + 0.07 * (k % 9), -0.10 + 0.055 * (k // 9) + 0.02 * (k % 2), 0.05))
            ),
            (0.9 if not flip else -0.9, 0.0),
            0.006 * size,
        )
        for k in range(36)
    ]
    for scale in scales:
        layer.tint(scale.inside(mask), relight(coat, lift=-0.12), 0.35)
    layer.rim(mask, (0.1, -1.0), 0.018 * size, palette.glow, 0.75)
    gill = frame.line(at(curve(path("0.27,-0.13 0.22,0 0.27,0.12"), closed=False)), 0.009 * size)
    layer.tint(gill, relight(coat, lift=-0.2), 0.7)
    ex, ey = at(points((0.375, -0.045)))[0]
    layer.fill(frame.disc(float(ex), float(ey), 0.030 * size), pale)
    layer.fill(frame.disc(float(ex), float(ey), 0.017 * size), palette.ink)
    layer.fill(
        frame.disc(float(ex) + 0.005 * size, float(ey) - 0.007 * size, 0.006 * size), palette.paper
    )
    flap = frame.shape_of(at(curve(path("0.16,0.03 0,0.01 -0.09,0.1 0.05,0.12"), closed=True)))
    layer.fill(
        flap,
        linear((x - 0.1 * size, 0), (x + 0.2 * size, 0), mix(coat, palette.paper, 0.5), coat),
        0.9,
    )


def draw_figure(scene: Scene) -> None:
    """Draw a person seen from behind who looks at the land."""
    stage = scene.stage
    rng = scene.rng("figure")
    layer = scene.layer(0.64)
    near = stage.view == "close"
    size = stage.hero_size * {"close": 1.30, "medium": 0.80, "wide": 0.44}[stage.view]
    x, y = stage.hero_x, stage.hero_y + (0.50 * size if near else 0.0)
    if not near:
        wide = 0.55 * size + 0.2 * stage.unit
        lay_mound(scene, layer, x=x, y=y - 0.01 * size, wide=wide, rocky=bool(rng.random() < 0.6))
    person = _Person(x=x, y=y, size=size, flip=bool(rng.random() < 0.5))
    _legs(scene, layer, person)
    _coat(scene, layer, person, rng)
    if rng.random() < 0.45:
        _rucksack(scene, layer, person)
    _head(scene, layer, person, rng)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Person:
    """Where a person stands; outlines are given with the foot at 0 and the crown at -1."""

    x: float
    y: float
    size: float
    flip: bool

    def at(self, outline: Points) -> Points:
        return moved(outline, self.x, self.y, scale=self.size, mirror=self.flip)

    def smooth(self, text: str) -> Points:
        return self.at(curve(path(text), closed=True))


def _legs(scene: Scene, layer: Layer, person: _Person) -> None:
    palette, frame, size = scene.palette, scene.frame, person.size
    side, _ = scene.stage.toward_light(person.x, person.y)
    shade = frame.disc(
        person.x - side * 0.2 * size, person.y + 0.01 * size, 0.24 * size, squash=0.1
    )
    layer.shadow(frame.blurred(shade, 0.03 * size), palette.deep, 0.45)
    widths = np.array([0.095, 0.068, 0.05]) * size
    legs = [
        (person.at(path("-.05,-.45 -.056,-.22 -.062,-.01")), widths),
        (person.at(path(".05,-.45 .062,-.22 .075,-.01")), widths),
    ]
    layer.fill(frame.lines(legs), mix(palette.deep, palette.near, 0.2))
    shoes = [person.at(circle(px, -0.008, 0.042, squash=0.42)) for px in (-0.068, 0.084)]
    layer.fill(frame.shapes_of(shoes), palette.deep)


def _coat(scene: Scene, layer: Layer, person: _Person, rng: np.random.Generator) -> None:
    """Draw coat and sleeves as one silhouette; the arms are told apart by their shade only."""
    palette, frame, stage, size = scene.palette, scene.frame, scene.stage, person.size
    coat = relight(palette.accent, lightness=0.40 if stage.is_dark else 0.54)
    hem = float(rng.uniform(-0.38, -0.28))
    body = person.smooth(
        "-.045,-.835 -.10,-.81 -.150,-.775 -.178,-.70 -.192,-.56 -.197,-.44 -.165,-.415 "
        f"-.150,-.46 -.145,{hem:.3f} 0,{hem + 0.012:.3f} .150,{hem:.3f} .150,-.46 .165,-.415 "
        ".197,-.44 .192,-.56 .178,-.70 .150,-.775 .10,-.81 .045,-.835 0,-.842"
    )
    mask = frame.shape_of(body)
    side, _ = stage.toward_light(person.x, person.y - size)
    bright, dim = relight(mix(coat, palette.glow, 0.28), lift=0.03), relight(coat, lift=-0.13)
    left, right = (bright, dim) if side < 0 else (dim, bright)
    reach = 0.2 * size
    layer.fill(mask, linear((person.x - reach, 0), (person.x + reach, 0), left, coat, right))
    hands = [person.at(circle(px, -0.408, 0.021, squash=1.3)) for px in (-0.180, 0.180)]
    layer.fill(frame.shapes_of(hands), _skin(scene))
    seams = [
        (person.at(curve(path("-.128,-.70 -.140,-.58 -.148,-.44"), closed=False)), 0.010 * size),
        (person.at(curve(path(".128,-.70 .140,-.58 .148,-.44"), closed=False)), 0.010 * size),
        (person.at(np.array([[0.0, -0.66], [0.0, hem]])), 0.006 * size),
        (person.at(np.array([[-0.075, -0.52], [-0.085, hem]])), 0.006 * size),
        (person.at(np.array([[0.075, -0.52], [0.085, hem]])), 0.006 * size),
    ]
    dark = frame.blurred(frame.lines(seams), 0.003 * size)
    layer.tint(dark.inside(mask), relight(coat, lift=-0.17), 0.6)
    layer.rim(mask, stage.toward_light(person.x, person.y - size), 0.010 * size, palette.glow, 0.6)


def _rucksack(scene: Scene, layer: Layer, person: _Person) -> None:
    palette, frame, size = scene.palette, scene.frame, person.size
    bag = frame.shape_of(
        person.smooth("-.09,-.75 -.105,-.56 -.085,-.48 .085,-.48 .105,-.56 .09,-.75 0,-.775")
    )
    tint = relight(palette.second, lightness=0.46)
    high, low = person.y - 0.77 * size, person.y - 0.48 * size
    layer.fill(bag, linear((0, high), (0, low), tint, relight(tint, lift=-0.14)))
    lines = [
        (person.at(path("-.10,-.61 .10,-.61")), 0.008 * size),
        (person.at(path("-.05,-.61 -.05,-.55")), 0.010 * size),
        (person.at(path(".05,-.61 .05,-.55")), 0.010 * size),
    ]
    layer.tint(frame.lines(lines).inside(bag), relight(tint, lift=-0.2), 0.7)
    roll = frame.line(person.at(path("-.085,-.775 .085,-.775")), 0.05 * size)
    layer.fill(
        roll,
        linear(
            (0, high - 0.03 * size), (0, high + 0.03 * size), mix(tint, palette.paper, 0.5), tint
        ),
    )
    layer.rim(bag, scene.stage.toward_light(person.x, person.y), 0.008 * size, palette.glow, 0.5)


def _head(scene: Scene, layer: Layer, person: _Person, rng: np.random.Generator) -> None:
    palette, frame, size = scene.palette, scene.frame, person.size
    layer.fill(frame.line(person.at(path("0,-.82 0,-.87")), 0.056 * size), _skin(scene))
    hair = mix(palette.deep, palette.stuff((0.25, 0.15, 0.10), 0.3), 0.5)
    crown = frame.shape_of(person.at(circle(0.0, -0.925, 0.058, squash=1.2)))
    kind = rng.random()
    if kind < 0.4:
        long = frame.shape_of(
            person.smooth("-.05,-.95 -.064,-.88 -.060,-.80 0,-.785 .060,-.80 .064,-.88 .05,-.95")
        )
        layer.fill(long, hair)
        layer.rim(
            long,
            scene.stage.toward_light(person.x, person.y - size),
            0.007 * size,
            palette.glow,
            0.5,
        )
    elif kind < 0.7:
        layer.fill(frame.shape_of(person.at(circle(0.012, -0.985, 0.028))), hair)
    layer.fill(crown, hair)
    if kind >= 0.7:
        brim = frame.shape_of(person.at(circle(0.0, -0.945, 0.105, squash=0.2)))
        felt = relight(palette.second, lightness=0.34)
        layer.fill(
            frame.shape_of(person.smooth("-.058,-.945 -.05,-1.01 0,-1.02 .05,-1.01 .058,-.945")),
            felt,
        )
        layer.fill(brim, relight(felt, lift=0.05))
    scarf = frame.shape_of(
        person.smooth("-.068,-.862 0,-.85 .068,-.862 .072,-.826 0,-.808 -.072,-.826")
    )
    layer.fill(scarf, relight(palette.tone(0.8), lightness=0.72))
    light = scene.stage.toward_light(person.x, person.y - size)
    for part in (crown, scarf):
        layer.rim(part, light, 0.008 * size, palette.glow, 0.7)


def _skin(scene: Scene) -> Colour:
    skin = scene.palette.stuff((0.72, 0.50, 0.38), 0.3)
    return relight(skin, lift=-0.12) if scene.stage.is_dark else skin
