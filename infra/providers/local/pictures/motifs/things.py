"""Made things on a table: a book, paper, gears and cloth."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, circle, curve, moved, path, points
from infra.providers.local.pictures.layer import Layer, linear, toned
from infra.providers.local.pictures.motifs.abstracts import draw_backdrop
from infra.providers.local.pictures.motifs.tables import table_layer
from infra.providers.local.pictures.noise import Field, clouds
from infra.providers.local.pictures.raster import Patch
from infra.providers.local.pictures.scene import Scene
from infra.providers.local.pictures.solids import lay_shadow


def draw_book(scene: Scene) -> None:
    """Draw an open book on a small pile of others."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("book")
    layer = table_layer(scene)
    size = stage.hero_size * {"close": 1.2, "medium": 1.0, "wide": 0.9}[stage.view]
    x, y = stage.hero_x, stage.hero_y
    lay_shadow(scene, layer, x=x, y=y - 0.035 * size, wide=0.50 * size, tall=0.16 * size)
    covers = [palette.accent, palette.second, palette.tone(0.35), palette.tone(0.62)]
    level = y
    for number in range(int(rng.integers(1, 4)) if stage.view != "close" else 1):
        thick = size * float(rng.uniform(0.075, 0.12))
        wide = size * float(rng.uniform(0.78, 0.98))
        shift = size * float(rng.uniform(-0.05, 0.05))
        cover = relight(covers[int(rng.integers(4))], lightness=float(rng.uniform(0.36, 0.6)))
        _closed_book(scene, layer, x=x + shift, y=level, wide=wide, thick=thick, cover=cover)
        level -= thick * (0.98 if number < 9 else 1)
    _open_book(scene, layer, rng, x=x, y=level, size=size)


def _closed_book(
    scene: Scene, layer: Layer, *, x: float, y: float, wide: float, thick: float, cover: Colour
) -> None:
    frame, palette = scene.frame, scene.palette
    deep = thick * 0.16
    back = points(
        (x - wide / 2, y), (x - wide / 2, y - thick), (x + wide / 2, y - thick), (x + wide / 2, y)
    )
    layer.fill(
        frame.shape_of(back),
        linear(
            (x - wide / 2, 0),
            (x + wide / 2, 0),
            relight(cover, lift=0.06),
            relight(cover, lift=-0.10),
        ),
    )
    pages = points(
        (x - wide / 2 + deep, y - deep),
        (x - wide / 2 + deep, y - thick + deep),
        (x + wide * 0.47, y - thick + deep),
        (x + wide * 0.47, y - deep),
    )
    cream = relight(mix(palette.paper, cover, 0.12), lightness=0.86)
    layer.fill(
        frame.shape_of(pages),
        linear(
            (0, y - thick), (0, y), relight(cream, lift=-0.12), cream, relight(cream, lift=-0.1)
        ),
    )
    lines = [
        (
            points(
                (x - wide / 2 + deep, y - deep - (thick - 2 * deep) * k / 6),
                (x + wide * 0.47, y - deep - (thick - 2 * deep) * k / 6),
            ),
            0.8,
        )
        for k in range(1, 6)
    ]
    layer.tint(frame.lines(lines), relight(cream, lift=-0.2), 0.5)
    spine = points(
        (x - wide / 2, y),
        (x - wide / 2, y - thick),
        (x - wide * 0.42, y - thick),
        (x - wide * 0.42, y),
    )
    layer.fill(
        frame.shape_of(spine),
        linear(
            (x - wide / 2, 0),
            (x - wide * 0.42, 0),
            relight(cover, lift=-0.08),
            relight(cover, lift=0.08),
            cover,
        ),
    )


def _open_book(
    scene: Scene, layer: Layer, rng: np.random.Generator, *, x: float, y: float, size: float
) -> None:
    frame, palette = scene.frame, scene.palette
    cream = relight(mix(palette.paper, palette.glow, 0.3), lightness=0.93)
    cover = relight(palette.accent, lightness=0.46)
    side, _ = scene.stage.toward_light(x, y)
    base = points(
        (x - 0.55 * size, y + 0.005 * size),
        (x - 0.50 * size, y - 0.06 * size),
        (x + 0.50 * size, y - 0.06 * size),
        (x + 0.55 * size, y + 0.005 * size),
    )
    layer.fill(frame.shape_of(base), relight(cover, lift=-0.08))
    for leaf in range(6, -1, -1):
        for wing in (-1, 1):
            rise = 0.012 * leaf * size
            page = _page(x, y - 0.015 * size, size=size * (1 - 0.012 * leaf), wing=wing, lift=rise)
            mask = frame.shape_of(page)
            bright = 0.04 if wing * side > 0 else -0.07
            tint = relight(cream, lift=bright - 0.012 * (6 - leaf) * (1 if leaf % 2 else 0.4))
            fold = relight(tint, lift=-0.20)
            layer.fill(
                mask,
                linear(
                    (x, 0),
                    (x + wing * 0.50 * size, 0),
                    fold,
                    tint,
                    tint,
                    relight(tint, lift=-0.04),
                    ease=0.55,
                ),
            )
            if leaf == 0:
                continue
            layer.tint(frame.edge(mask, (0.0, 1.0), 1.2), relight(cream, lift=-0.25), 0.5)
    top = 6
    for wing in (-1, 1):
        _print(
            scene, layer, rng, x=x, y=y - 0.015 * size - 0.012 * top * size, size=size, wing=wing
        )
    lifted = curve(
        points(
            (x, y - 0.10 * size),
            (x + 0.10 * size, y - 0.34 * size),
            (x + 0.30 * size, y - 0.46 * size),
            (x + 0.36 * size, y - 0.30 * size),
            (x + 0.22 * size, y - 0.17 * size),
        ),
        closed=True,
    )
    if rng.random() < 0.7:
        mask = frame.shape_of(lifted)
        layer.tint(
            frame.blurred(mask, 0.02 * size).shifted(0, 0.05 * size),
            relight(cream, lift=-0.2),
            0.35,
        )
        layer.fill(
            mask,
            linear((x, y), (x + 0.36 * size, y - 0.45 * size), relight(cream, lift=-0.13), cream),
        )
        layer.rim(mask, (0.5, -0.8), 0.006 * size, palette.glow, 0.5)


def _page(x: float, y: float, *, size: float, wing: int, lift: float) -> Points:
    near = curve(
        points(
            (x, y - lift * 0.4),
            (x + wing * 0.16 * size, y - lift - 0.035 * size),
            (x + wing * 0.36 * size, y - lift - 0.012 * size),
            (x + wing * 0.53 * size, y - lift * 0.55),
        ),
        closed=False,
    )
    far = curve(
        points(
            (x + wing * 0.47 * size, y - lift * 0.55 - 0.15 * size),
            (x + wing * 0.32 * size, y - lift - 0.17 * size),
            (x + wing * 0.14 * size, y - lift - 0.19 * size),
            (x, y - lift * 0.4 - 0.155 * size),
        ),
        closed=False,
    )
    return np.concatenate([near, far])


def _print(
    scene: Scene,
    layer: Layer,
    rng: np.random.Generator,
    *,
    x: float,
    y: float,
    size: float,
    wing: int,
) -> None:
    """Set lines of type that follow the page."""
    strokes = []
    for row in range(9):
        depth = 0.028 + 0.0135 * row
        across = np.linspace(
            0.07, (0.44 - 0.006 * row) if row % 4 else 0.44 * float(rng.uniform(0.5, 0.9)), 14
        )
        rise = 0.036 * np.sin(np.clip(across / 0.47, 0, 1) * math.pi * 0.85)
        along = np.stack(
            [
                x + wing * across * size * (1 - 0.1 * depth / 0.15),
                y - (depth + rise * 0.85 - 0.012) * size,
            ],
            axis=1,
        )
        strokes.append((along, 0.0042 * size))
    layer.tint(scene.frame.lines(strokes), mix(scene.palette.ink, scene.palette.paper, 0.35), 0.55)


def draw_paper(scene: Scene) -> None:
    """Draw a folded crane over letters and an envelope."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("paper")
    layer = table_layer(scene)
    size = stage.hero_size * {"close": 1.15, "medium": 1.0, "wide": 0.85}[stage.view]
    x, y = stage.hero_x, stage.hero_y
    cream = relight(mix(palette.paper, palette.glow, 0.2), lightness=0.92)
    for number in range(3):
        shift, turn = float(rng.uniform(-0.12, 0.12)) * size, float(rng.uniform(-0.10, 0.10))
        sheet = moved(
            path("-0.48,0 -0.36,-0.16 0.44,-0.16 0.52,0"),
            x + shift,
            y + (0.10 - 0.02 * number) * size,
            scale=size,
            turn=turn,
        )
        mask = frame.shape_of(sheet)
        layer.tint(
            frame.blurred(mask, 0.012 * size).shifted(0.012 * size, 0.014 * size),
            palette.deep,
            0.35,
        )
        layer.fill(
            mask, linear((x - size / 2, 0), (x + size / 2, 0), cream, relight(cream, lift=-0.08))
        )
    lay_shadow(
        scene, layer, x=x, y=y + 0.02 * size, wide=0.34 * size, tall=0.3 * size, strength=0.45
    )
    _crane(scene, layer, x=x, y=y, size=size)


def _crane(scene: Scene, layer: Layer, *, x: float, y: float, size: float) -> None:
    palette, frame = scene.palette, scene.frame
    body = relight(palette.accent, lightness=0.64)
    dark, mid, light = (
        relight(body, lift=-0.16),
        body,
        relight(mix(body, palette.glow, 0.35), lift=0.1),
    )
    side, _ = scene.stage.toward_light(x, y)
    flip = side < 0
    facets: list[tuple[list[tuple[float, float]], Colour]] = [
        ([(0.06, -0.16), (-0.10, -0.66), (-0.26, -0.20)], dark),
        ([(-0.20, -0.14), (-0.62, -0.34), (-0.30, -0.06)], dark),
        ([(-0.20, -0.14), (-0.62, -0.34), (-0.16, -0.20)], mid),
        ([(0.16, -0.16), (0.46, -0.50), (0.26, -0.06)], mid),
        ([(0.46, -0.50), (0.62, -0.42), (0.43, -0.45)], dark),
        ([(0.16, -0.16), (0.46, -0.50), (0.10, -0.20)], light),
        ([(-0.30, -0.06), (0.26, -0.06), (0.02, 0.02)], dark),
        ([(-0.30, -0.06), (-0.02, -0.24), (0.26, -0.06)], mid),
        ([(0.14, -0.12), (0.20, -0.72), (-0.22, -0.14)], light),
        ([(-0.22, -0.14), (0.20, -0.72), (-0.02, -0.10)], mix(light, mid, 0.5)),
    ]
    for corners, colour in facets:
        shape = moved(np.array(corners), x, y + 0.0 * size, scale=size, mirror=flip)
        mask = frame.shape_of(shape)
        low, high = shape[:, 1].max(), shape[:, 1].min()
        layer.fill(
            mask,
            linear((0, high), (0, low), relight(colour, lift=0.03), relight(colour, lift=-0.04)),
        )


def draw_gears(scene: Scene) -> None:
    """Draw interlocking gear wheels, some lit and some in shade, filling their side."""
    stage, palette = scene.stage, scene.palette
    rng = scene.rng("gears")
    draw_backdrop(scene, rng, dark=stage.is_dark)
    size = stage.hero_size * {"close": 1.25, "medium": 1.0, "wide": 0.8}[stage.view]
    x, y = stage.hero_x, stage.hero_y - 0.42 * stage.hero_size
    metals = [
        relight(palette.stuff((0.72, 0.52, 0.30), 0.3), lightness=0.62),
        relight(palette.tone(0.55), lightness=0.56),
        relight(palette.accent, lightness=0.58),
        relight(palette.tone(0.3), lightness=0.40),
    ]
    wheels = [(0.0, 0.0, 0.34, 18)]
    for angle in rng.permutation([0.5, 1.75, 3.1, 4.2, 5.3]).tolist()[
        : 4 if stage.view != "close" else 3
    ]:
        radius = float(rng.uniform(0.12, 0.24))
        reach = 0.34 + radius * 0.93
        wheels.append(
            (math.cos(angle) * reach, math.sin(angle) * reach, radius, round(radius * 53))
        )
    far = scene.layer(0.40)
    for number in range(3):
        radius = size * float(rng.uniform(0.3, 0.5))
        _gear(
            scene,
            far,
            x=x + size * float(rng.normal(0, 0.6)),
            y=y + size * float(rng.normal(0, 0.25)),
            radius=radius,
            teeth=16 + number,
            metal=mix(palette.near, palette.tone(0.5), 0.35),
            turn=float(rng.random()),
        )
    far.blur(stage.unit * 0.012)
    layer = scene.layer(0.60)
    for number, (dx, dy, radius, teeth) in enumerate(wheels):
        _gear(
            scene,
            layer,
            x=x + dx * size,
            y=y + dy * size,
            radius=radius * size,
            teeth=max(teeth, 8),
            metal=metals[number % 4],
            turn=float(rng.random()),
        )


def _gear(
    scene: Scene,
    layer: Layer,
    *,
    x: float,
    y: float,
    radius: float,
    teeth: int,
    metal: Colour,
    turn: float,
) -> None:
    frame, palette = scene.frame, scene.palette
    light = scene.stage.toward_light(x, y)
    steps = np.linspace(0, math.tau, teeth * 12, endpoint=False)
    phase = (steps / math.tau * teeth + turn) % 1
    rise = np.clip((0.30 - np.abs(phase - 0.5)) / 0.07, 0, 1)
    rim = radius * (0.88 + 0.14 * rise)
    outline = np.stack([x + np.cos(steps) * rim, y + np.sin(steps) * rim], axis=1)
    spokes = 5 if teeth > 12 else 0
    holes: list[Points] = [circle(x, y, radius * 0.12)]
    for spoke in range(spokes):
        middle = math.tau * (spoke + turn) / spokes
        inner, outer, half = radius * 0.27, radius * 0.66, math.pi / spokes * 0.72
        arc_out = np.linspace(middle - half, middle + half, 14)
        arc_in = np.linspace(middle + half * 0.72, middle - half * 0.72, 10)
        holes.append(
            np.concatenate(
                [
                    np.stack([x + np.cos(arc_out) * outer, y + np.sin(arc_out) * outer], axis=1),
                    np.stack([x + np.cos(arc_in) * inner, y + np.sin(arc_in) * inner], axis=1),
                ]
            )
        )
    mask = frame.cut(outline, *holes)
    shade = frame.blurred(mask, radius * 0.05).shifted(-light[0] * radius * 0.10, radius * 0.09)
    layer.shadow(shade.outside(mask), palette.deep, 0.55)
    layer.fill(
        Patch(mask.x, mask.y, mask.mask).shifted(-light[0] * radius * 0.035, radius * 0.035),
        relight(metal, lift=-0.22),
    )
    bright, dim = relight(mix(metal, palette.glow, 0.4), lift=0.08), relight(metal, lift=-0.15)
    paint = linear(
        (x + light[0] * radius, y + light[1] * radius),
        (x - light[0] * radius, y - light[1] * radius),
        bright,
        metal,
        dim,
    )
    layer.fill(mask, paint)
    ring = frame.cut(circle(x, y, radius * 0.80), circle(x, y, radius * 0.72)).inside(mask)
    layer.tint(ring, relight(metal, lift=-0.10), 0.55)
    layer.rim(mask, light, radius * 0.025, palette.glow, 0.7)
    layer.tint(
        frame.edge(mask, (-light[0], -light[1]), radius * 0.025), relight(metal, lift=-0.24), 0.55
    )


def draw_fabric(scene: Scene) -> None:
    """Draw cloth that falls in folds over the picture, with its weave and a woven border."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("fabric")
    layer = scene.layer(0.5)
    base = relight(palette.accent if rng.random() < 0.6 else palette.second, lightness=0.55)
    if stage.hour == "night":
        base = relight(base, lift=-0.16)
    lean = float(rng.uniform(0.25, 0.7)) * float(rng.choice([-1, 1]))
    folds = {"close": 3.2, "medium": 5.0, "wide": 8.0}[stage.view]
    warp = clouds(rng, frame.shape, cell=0.5 * stage.unit, octaves=3)
    patch = frame.everything()

    def height(xs: Field, ys: Field) -> Field:
        along = (xs + lean * ys) / stage.width * folds * math.tau
        bend = along + 3.4 * warp + 0.8 * np.sin(ys / stage.height * 3.0)
        wave = 0.5 + 0.5 * np.sin(bend) * (0.75 + 0.25 * np.sin(bend * 0.5 + 1.0))
        return wave

    xs, ys = patch.grid()
    level = height(xs, ys)
    slope = np.gradient(level, axis=1) * stage.unit / folds * 0.55
    side = 1 if stage.light_x > stage.width / 2 else -1
    light = np.clip(0.52 - side * slope * 0.42 + (level - 0.5) * 0.30, 0, 1)
    light *= 0.72 + 0.28 * np.clip(
        1.3 - np.hypot(xs - stage.light_x, ys - stage.light_y) / stage.width, 0, 1
    )
    dark, bright = (
        mix(relight(base, lift=-0.28), palette.deep, 0.3),
        relight(mix(base, palette.glow, 0.35), lift=0.12),
    )
    layer.fill(patch, toned(lambda _x, _y: light, dark, base, bright))
    _weave(scene, layer, level, light, lean=lean)
    _border(scene, layer, level, light, lean=lean)


def _weave(scene: Scene, layer: Layer, level: Field, light: Field, *, lean: float) -> None:
    patch, unit = scene.frame.everything(), scene.unit
    xs, ys = patch.grid()
    step = max(unit * 0.0062, 3.0)
    bend = level * unit * 0.03
    threads = (
        0.5
        + 0.25 * np.sin((xs + lean * ys + bend) / step * math.tau)
        + 0.25 * np.sin((ys - lean * 0.2 * xs + bend) / step * math.tau)
    )
    layer.tint(
        patch.times(np.clip(threads - 0.5, 0, 1) * (0.3 + 0.7 * light)), scene.palette.paper, 0.16
    )
    layer.tint(patch.times(np.clip(0.5 - threads, 0, 1)), scene.palette.deep, 0.22)


def _border(scene: Scene, layer: Layer, level: Field, light: Field, *, lean: float) -> None:
    stage, palette = scene.stage, scene.palette
    patch = scene.frame.everything()
    xs, ys = patch.grid()
    place = (ys - lean * 0.2 * xs + level * 0.05 * stage.unit) / stage.unit
    middle = (stage.hero_y / stage.unit) * 0.86
    along = (xs + lean * ys) / stage.unit
    motif = np.abs(((along * 9) % 1) - 0.5) * 2
    diamond = np.clip(
        (0.035 * (1 - motif) + 0.006 - np.abs(place - middle)) * stage.unit * 0.5, 0, 1
    )
    lines = sum(
        np.clip((0.004 - np.abs(place - middle - shift)) * stage.unit * 0.6, 0, 1)
        for shift in (-0.062, -0.05, 0.05, 0.062)
    )
    woven = np.clip(diamond + lines, 0, 1) * (0.45 + 0.55 * light)
    layer.tint(
        patch.times(np.asarray(woven, dtype=np.float32)), relight(palette.paper, lift=-0.03), 0.8
    )
