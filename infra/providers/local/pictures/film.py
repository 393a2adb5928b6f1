"""A scene or a single picture as moving sheets, rendered frame by frame.

Owns the way from layers to frames: sheets that move together are laid together once, every frame
takes the part of each sheet that the camera sees at sub-pixel precision, and the sheets are laid
over one another with what lives between them. Frames are a function of the request alone.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from PIL import Image, ImageChops, ImageFilter

from infra.providers.local.pictures.camera import Camera, Sight
from infra.providers.local.pictures.noise import Field, generator, grain
from infra.providers.local.pictures.painter import pulse_strength
from infra.providers.local.pictures.palette import Palette
from infra.providers.local.pictures.scene import Pulse, Scene, Sheet, Stream, Sway
from infra.providers.local.pictures.texture import Look

_SAME_DEPTH = 0.16
_FAR = 0.30
_WHOLE = 0.998
_SOLID = 0.02
_MIDDLE_GREY = 128
_GRAIN_SPARE = 160
type Stamp = Callable[[Image.Image, float], None]
"""Lays one thing onto a frame at a moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moving:
    """Colour and coverage of sheets that move as one; no coverage means that it fills the frame."""

    colour: Image.Image
    cover: Image.Image | None
    corner: tuple[int, int]
    depth: float
    sway: Sway | None = None
    drift: float = 0.0


@dataclass(slots=True, kw_only=True)
class Film:
    """Everything that a clip's frames are made from."""

    size: tuple[int, int]
    focus: tuple[float, float]
    camera: Camera
    stamps: list[Stamp] = field(default_factory=list[Stamp])
    overlay: tuple[Image.Image, Image.Image] | None = None
    """Colour and coverage of what stands still over every frame."""
    grain: Image.Image | None = None
    seed: int = 0
    light: float = 1.0
    """How strongly light that swells and fades does so."""

    def frame(self, number: int, at_s: float) -> Image.Image:
        """Return one finished RGB frame."""
        image = Image.new("RGB", self.size)
        for stamp in self.stamps:
            stamp(image, at_s)
        if self.overlay is not None:
            image.paste(self.overlay[0], (0, 0), self.overlay[1])
        if self.grain is not None:
            rng = generator(self.seed, "frame", number)
            x, y = (int(part) for part in rng.integers(0, _GRAIN_SPARE, 2))
            speck = self.grain.crop((x, y, x + self.size[0], y + self.size[1]))
            image = ImageChops.add(image, speck, 1, -_MIDDLE_GREY)
        return image


def grain_sheet(size: tuple[int, int], strength: float, seed: int) -> Image.Image:
    """Return grain around middle grey, larger than the frame so that each frame takes another."""
    rng = generator(seed, "grain sheet")
    shape = (size[1] + _GRAIN_SPARE, size[0] + _GRAIN_SPARE)
    specks = grain(rng, shape, size=max(min(size) / 1000, 1.0)) * np.float32(strength * 255)
    grey = Image.fromarray(np.clip(specks + _MIDDLE_GREY, 0, 255).astype(np.uint8), "L")
    return Image.merge("RGB", (grey, grey, grey))


def stamps_of(scene: Scene, look: Look, film: Film) -> list[Stamp]:
    """Return what to lay on a frame, back to front, for a drawn scene."""
    stamps: list[Stamp] = []
    waiting: list[Sheet] = []
    for item in scene.items:
        match item:
            case Sheet():
                if waiting and not _moves_with(waiting[-1], waiting[0], item):
                    stamps += _laid(waiting, scene, look, film)
                    waiting = []
                waiting.append(item)
            case Stream():
                stamps += _laid(waiting, scene, look, film)
                waiting = []
                stamps.append(_streaming(item, film))
            case Pulse():
                stamps += _laid(waiting, scene, look, film)
                waiting = []
                stamps.append(_pulsing(item, film))
    return stamps + _laid(waiting, scene, look, film)


def moving_stamp(moving: Moving, film: Film) -> Stamp:
    """Return the stamp that lays a sheet where the camera sees it."""
    slack = _slack(moving, film.size)

    def stamp(image: Image.Image, at_s: float) -> None:
        sight = film.camera.sight(moving.depth, at_s)
        left, top, right, _ = sight.box(film.focus, film.size, slack=slack)
        dx, dy = _swing(moving, at_s, film.camera.duration_s)
        zoom = film.size[0] / (right - left)
        _lay(image, moving, zoom=zoom, x=-left * zoom + dx, y=-top * zoom + dy)

    return stamp


def light_stamp(
    mask: Image.Image, colour: tuple[int, int, int], film: Film, *, most: float, period_s: float
) -> Stamp:
    """Return a stamp of light over the whole picture that swells to `most` and fades again."""
    # Scaled from the full range at each moment: a dim mask would show its few steps as rings.
    steps = np.arange(256) * most

    def stamp(image: Image.Image, at_s: float) -> None:
        wave = film.light * (0.5 - 0.5 * math.cos(at_s / period_s * math.tau))
        levels = np.minimum(steps * wave + 0.5, 255).astype(int).tolist()
        image.paste(colour, (0, 0), mask.point(levels))

    return stamp


def _moves_with(last: Sheet, first: Sheet, item: Sheet) -> bool:
    if last.sway != item.sway or last.drift != item.drift:
        return False
    return abs(item.layer.depth - first.layer.depth) <= _SAME_DEPTH


def _laid(sheets: list[Sheet], scene: Scene, look: Look, film: Film) -> list[Stamp]:
    """Return the stamp of sheets that move together, or none if they are empty."""
    if not sheets:
        return []
    colour = np.zeros((3, *scene.frame.shape), dtype=np.float32)
    cover = np.zeros(scene.frame.shape, dtype=np.float32)
    for sheet in sheets:
        sheet.layer.over(colour)
        cover += (1 - cover) * sheet.layer.cover
    depth = float(np.mean([sheet.layer.depth for sheet in sheets]))
    moving = _moving(colour, cover, scene.palette, look, depth=depth, like=sheets[0])
    if moving is None:
        return []
    stamps = [moving_stamp(moving, film)]
    if look.sheets_cast_shadows and moving.cover is not None:
        stamps.insert(0, moving_stamp(_shadow_of(moving, moving.cover, scene.unit), film))
    return stamps


def _moving(
    colour: Field, cover: Field, palette: Palette, look: Look, *, depth: float, like: Sheet
) -> Moving | None:
    seen = cover > 1 / 512
    if not seen.any():
        return None
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    colour, cover = colour[:, top:bottom, left:right], cover[top:bottom, left:right]
    plain = np.clip(colour / np.maximum(cover, 1 / 255), 0, 1)
    graded = look.grade(plain.astype(np.float32), palette)
    whole = bool(cover.min() > _WHOLE) and (top, left) == (0, 0) and like.sway is None
    return Moving(
        colour=_rgb(_bled(graded, cover)),
        cover=None
        if whole
        else Image.fromarray((np.clip(cover, 0, 1) * 255 + 0.5).astype(np.uint8), "L"),
        corner=(int(left), int(top)),
        depth=depth,
        sway=like.sway,
        drift=like.drift,
    )


def _bled(colour: Field, cover: Field) -> Field:
    """Return the colour carried beyond the coverage, so that edges mix with no dark line."""
    solid = cover > _SOLID
    if solid.all():
        return colour
    image = _rgb(colour * solid)
    weight = Image.fromarray((solid * 255).astype(np.uint8), "L")
    small = (max(image.width // 8, 1), max(image.height // 8, 1))
    spread = np.asarray(
        image.resize(small, Image.Resampling.BOX).resize(image.size, Image.Resampling.BILINEAR),
        dtype=np.float32,
    )
    mass = np.asarray(
        weight.resize(small, Image.Resampling.BOX).resize(image.size, Image.Resampling.BILINEAR),
        dtype=np.float32,
    )
    around = (spread / np.maximum(mass, 1)[..., None]).transpose(2, 0, 1)
    return np.where(solid, colour, np.clip(around, 0, 1)).astype(np.float32)


def _shadow_of(moving: Moving, cover: Image.Image, unit: float) -> Moving:
    reach = unit * 0.010
    soft = cover.filter(ImageFilter.GaussianBlur(reach)).point(
        [round(v * 0.38) for v in range(256)]
    )
    return Moving(
        colour=Image.new("RGB", moving.colour.size),
        cover=soft,
        corner=(moving.corner[0] + round(reach * 0.4), moving.corner[1] + round(reach * 0.7)),
        depth=moving.depth,
        sway=moving.sway,
        drift=moving.drift,
    )


def _slack(moving: Moving, size: tuple[int, int]) -> float:
    """Return the zoom that hides a sheet's edge while it swings."""
    reach_x = (moving.sway.x if moving.sway else 0.0) + abs(moving.drift) * 3
    reach_y = moving.sway.y if moving.sway else 0.0
    touches = moving.corner[0] <= 0 or moving.corner[0] + moving.colour.width >= size[0]
    stands = moving.corner[1] + moving.colour.height >= size[1] or moving.corner[1] <= 0
    needed = 0.0
    if touches:
        needed = 2.4 * reach_x / size[0]
    if stands:
        needed = max(needed, 2.4 * reach_y / size[1])
    return needed


def _swing(moving: Moving, at_s: float, duration_s: float) -> tuple[float, float]:
    x, y = moving.drift * (at_s - duration_s / 2), 0.0
    if moving.sway is not None:
        turn = at_s / moving.sway.period_s * math.tau + moving.sway.phase
        x += moving.sway.x * math.sin(turn)
        y += moving.sway.y * math.sin(turn * 0.83 + 1.1)
    return x, y


def _lay(image: Image.Image, moving: Moving, *, zoom: float, x: float, y: float) -> None:
    """Lay a sheet enlarged by `zoom` with the picture's origin at (x, y), to parts of a pixel."""
    start_x, start_y = moving.corner[0] * zoom + x, moving.corner[1] * zoom + y
    left, top = max(math.ceil(start_x), 0), max(math.ceil(start_y), 0)
    right = min(math.floor(start_x + moving.colour.width * zoom), image.width)
    bottom = min(math.floor(start_y + moving.colour.height * zoom), image.height)
    if right <= left or bottom <= top:
        return
    box = (
        max((left - start_x) / zoom, 0.0),
        max((top - start_y) / zoom, 0.0),
        min((right - start_x) / zoom, moving.colour.width),
        min((bottom - start_y) / zoom, moving.colour.height),
    )
    size = (right - left, bottom - top)
    # A far sheet is soft; the cheaper filter cannot be told from the better one there.
    filtering = Image.Resampling.BILINEAR if moving.depth < _FAR else Image.Resampling.BICUBIC
    part = moving.colour.resize(size, filtering, box)
    if moving.cover is None:
        image.paste(part, (left, top))
        return
    image.paste(part, (left, top), moving.cover.resize(size, Image.Resampling.BILINEAR, box))


def _streaming(stream: Stream, film: Film) -> Stamp:
    """Return the stamp of specks or wisps that run through the frame."""
    if stream.through is None:
        area = (0, 0, *film.size)
        through = None
    else:
        patch = stream.through
        area = (patch.x, patch.y, patch.x + patch.mask.shape[1], patch.y + patch.mask.shape[0])
        through = Image.fromarray((np.clip(patch.mask, 0, 1) * 255).astype(np.uint8), "L")
    strength = np.clip(stream.tile * stream.opacity, 0, 1)
    size = (area[2] - area[0], area[3] - area[1])
    tile = _spread(Image.fromarray((strength * 255).astype(np.uint8), "L"), size)
    period = (stream.tile.shape[1], stream.tile.shape[0])
    colour = _bytes(stream.colour)

    def stamp(image: Image.Image, at_s: float) -> None:
        sight = film.camera.sight(stream.depth, at_s)
        shift = _seen(sight, film, stream.depth)
        x = (-stream.speed[0] * at_s - shift[0]) % period[0]
        y = (-stream.speed[1] * at_s - shift[1]) % period[1]
        mask = tile.crop((round(x), round(y), round(x) + size[0], round(y) + size[1]))
        corner = (area[0], area[1])
        if through is not None:
            mask = ImageChops.multiply(mask, through)
            if size != film.size:
                corner = (round(area[0] + shift[0]), round(area[1] + shift[1]))
        image.paste(colour, corner, mask) if _inside(corner, size, image.size) else _cropped(
            image, colour, corner, mask
        )

    return stamp


def _seen(sight: Sight, film: Film, depth: float) -> tuple[float, float]:
    """Return how far a thing at the focus of the scene is moved in the frame."""
    _ = depth
    left, top, right, _bottom = sight.box(film.focus, film.size)
    zoom = film.size[0] / (right - left)
    return (film.focus[0] - left) * zoom - film.focus[0], (film.focus[1] - top) * zoom - film.focus[
        1
    ]


def _inside(corner: tuple[int, int], size: tuple[int, int], whole: tuple[int, int]) -> bool:
    return (
        corner[0] >= 0
        and corner[1] >= 0
        and corner[0] + size[0] <= whole[0]
        and corner[1] + size[1] <= whole[1]
    )


def _cropped(
    image: Image.Image, colour: tuple[int, int, int], corner: tuple[int, int], mask: Image.Image
) -> None:
    left, top = max(corner[0], 0), max(corner[1], 0)
    right = min(corner[0] + mask.width, image.width)
    bottom = min(corner[1] + mask.height, image.height)
    if right <= left or bottom <= top:
        return
    part = mask.crop((left - corner[0], top - corner[1], right - corner[0], bottom - corner[1]))
    image.paste(colour, (left, top), part)


def _spread(tile: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return the tile repeated so that any shift of it covers the size."""
    across = math.ceil(size[0] / tile.width) + 1
    down = math.ceil(size[1] / tile.height) + 1
    whole = Image.new("L", (tile.width * across, tile.height * down))
    for column in range(across):
        for row in range(down):
            whole.paste(tile, (column * tile.width, row * tile.height))
    return whole


def _pulsing(pulse: Pulse, film: Film) -> Stamp:
    mask = Image.fromarray((np.clip(pulse.patch.mask, 0, 1) * 255).astype(np.uint8), "L")
    colour = _bytes(pulse.colour)

    def stamp(image: Image.Image, at_s: float) -> None:
        strength = pulse_strength(pulse, at_s) * 0.7
        shift = _seen(film.camera.sight(pulse.depth, at_s), film, pulse.depth)
        corner = (round(pulse.patch.x + shift[0]), round(pulse.patch.y + shift[1]))
        level = mask.point([round(value * strength) for value in range(256)])
        _cropped(image, colour, corner, level)

    return stamp


def _rgb(planes: Field) -> Image.Image:
    # Dithered: eight bits alone would show the steps of a slow gradient once it moves.
    dither = generator("dither", planes.shape).random(planes.shape, dtype=np.float32)
    pixels = np.clip(planes * 255 + dither, 0, 255).astype(np.uint8)
    return Image.fromarray(np.ascontiguousarray(pixels.transpose(1, 2, 0)), "RGB")


def _bytes(colour: tuple[float, float, float]) -> tuple[int, int, int]:
    return round(colour[0] * 255), round(colour[1] * 255), round(colour[2] * 255)
