"""A book, letters and a folded crane."""

import math

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, curve, moved, path, points
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.tables import table_layer
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.raster import Stroke
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
    for _ in range(int(rng.integers(1, 4)) if stage.view != "close" else 1):
        thick = size * float(rng.uniform(0.075, 0.12))
        wide = size * float(rng.uniform(0.78, 0.98))
        shift = size * float(rng.uniform(-0.05, 0.05))
        cover = relight(covers[int(rng.integers(4))], lightness=float(rng.uniform(0.36, 0.6)))
        _closed_book(scene, layer, x=x + shift, y=level, wide=wide, thick=thick, cover=cover)
        level -= thick * 0.98
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
    if chance(rng, 0.7):
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
    strokes: list[Stroke] = []
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
