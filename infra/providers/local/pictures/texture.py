"""The look laid over a whole picture: film, flat, cut paper, ink, watercolour or screen print.

Owns `Look`: a grade of the colours, a still texture that multiplies them (never above 1, so that a
clip can lay it over every frame), the strength of the grain, and whether sheets cast shadows.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageFilter

from infra.providers.local.pictures.colour import mix, relight
from infra.providers.local.pictures.noise import Field, clouds, generator, grain
from infra.providers.local.pictures.palette import Palette
from infra.providers.local.pictures.raster import Frame
from infra.providers.local.pictures.scene import Scene

type Grade = Callable[[Field, Palette], Field]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a picture is finished."""

    grain: float
    vignette: float
    fibre: float
    grade: Grade
    sheets_cast_shadows: bool = False


def look_of(scene: Scene) -> Look:
    """Return the look that the words asked for; film when they named none."""
    return _LOOKS.get(scene.brief.look, _LOOKS["film"])


def texture_of(scene: Scene, look: Look) -> Field:
    """Return what multiplies the picture: darker corners and, on paper, its fibres."""
    frame = Frame(scene.brief.width, scene.brief.height)
    unit = scene.unit
    ys, xs = np.mgrid[0 : frame.height, 0 : frame.width].astype(np.float32)
    away = np.hypot((xs / frame.width - 0.5) * 1.15, (ys / frame.height - 0.5) * 1.15)
    texture = 1 - look.vignette * np.clip((away - 0.30) / 0.52, 0, 1) ** 2
    if look.fibre:
        rng = generator(scene.brief.seed, "fibre")
        fine = clouds(rng, frame.shape, cell=max(unit * 0.004, 2.0), octaves=2, stretch=1.6)
        broad = clouds(rng, frame.shape, cell=unit * 0.09, octaves=4)
        texture = texture * (1 - look.fibre * (0.6 * fine + 0.4 * broad))
    return np.clip(texture, 0, 1).astype(np.float32)


def grain_of(scene: Scene, look: Look, *, number: int = 0) -> Field:
    """Return the grain of one frame."""
    rng = generator(scene.brief.seed, "grain", number)
    shape = (scene.brief.height, scene.brief.width)
    return grain(rng, shape, size=max(scene.unit / 1000, 1.0)) * np.float32(look.grain)


def _plain(planes: Field, palette: Palette) -> Field:
    _ = palette
    return planes


def _film(planes: Field, palette: Palette) -> Field:
    """Lift the blacks a little toward the darkest colour and soften the whites."""
    _ = palette
    curved = planes + 0.055 * np.sin((planes - 0.5) * 2 * np.pi) * 0.5
    return np.clip(curved * 0.975 + 0.012, 0, 1).astype(np.float32)


def _ink(planes: Field, palette: Palette) -> Field:
    grey = 0.30 * planes[0] + 0.59 * planes[1] + 0.11 * planes[2]
    grey = np.clip((grey - 0.5) * 1.28 + 0.52, 0, 1)
    dark, light = relight(palette.ink, chroma=0.25), mix(palette.paper, (1, 1, 1), 0.2)
    return np.stack(
        [low + (high - low) * grey for low, high in zip(dark, light, strict=True)]
    ).astype(np.float32)


def _watercolour(planes: Field, palette: Palette) -> Field:
    """Thin the paint and let it gather at the edges of each shape."""
    height, width = planes.shape[1:]
    grey = Image.fromarray(np.clip(planes.mean(axis=0) * 255, 0, 255).astype(np.uint8), "L")
    reach = max(min(height, width) * 0.004, 1.2)
    near = np.asarray(grey.filter(ImageFilter.GaussianBlur(reach)), dtype=np.float32) / 255
    sharp = np.asarray(grey, dtype=np.float32) / 255
    edge = np.clip((near - sharp) * 1.7, 0, 0.35)
    rng = generator("pigment", height, width)
    pool = clouds(rng, (height, width), cell=min(height, width) * 0.12, octaves=5)
    thin = 0.16 + 0.20 * pool
    paper = np.asarray(palette.paper, dtype=np.float32).reshape(3, 1, 1)
    return ((planes + (paper - planes) * thin) * (1 - edge)).astype(np.float32)


def _riso(planes: Field, palette: Palette) -> Field:
    """Print with few inks a little out of register."""
    slip = max(round(min(planes.shape[1:]) / 420), 1)
    shifted = np.stack(
        [np.roll(planes[0], slip, axis=1), planes[1], np.roll(planes[2], -slip, axis=0)]
    )
    steps = 7.0
    rng = generator("screen", *planes.shape)
    screen = rng.random(planes.shape[1:], dtype=np.float32) - np.float32(0.5)
    flat = np.round(shifted * steps + 0.9 * screen) / steps
    paper = np.asarray(palette.paper, dtype=np.float32).reshape(3, 1, 1)
    return np.clip((0.55 * flat + 0.45 * shifted) * (0.25 + 0.75 * paper) + 0.03, 0, 1).astype(
        np.float32
    )


_LOOKS = {
    "film": Look(grain=0.013, vignette=0.26, fibre=0.0, grade=_film),
    "flat": Look(grain=0.004, vignette=0.0, fibre=0.0, grade=_plain),
    "paper": Look(grain=0.009, vignette=0.12, fibre=0.10, grade=_plain, sheets_cast_shadows=True),
    "ink": Look(grain=0.016, vignette=0.16, fibre=0.09, grade=_ink),
    "watercolour": Look(grain=0.008, vignette=0.0, fibre=0.13, grade=_watercolour),
    "riso": Look(grain=0.026, vignette=0.06, fibre=0.07, grade=_riso),
}
