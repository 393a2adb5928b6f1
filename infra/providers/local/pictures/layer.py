"""One sheet of paint: colour and coverage that shapes, light and shadow are laid into.

Owns `Layer` and the paints. Colours are kept multiplied by their coverage, so that soft edges mix
cleanly when layers are laid over each other.
"""

from collections.abc import Callable

import numpy as np
from PIL import Image, ImageFilter

from infra.providers.local.pictures.colour import Colour, ramp
from infra.providers.local.pictures.noise import Field
from infra.providers.local.pictures.raster import Frame, Patch

type Paint = Colour | Callable[[Field, Field], Field]
"""One colour, or a function of the pixels' x (a row) and y (a column) to three planes."""

_STEPS = 768
_SEEN_BLUR = 0.5


def linear(
    start: tuple[float, float], end: tuple[float, float], *colours: Colour, ease: float = 1.0
) -> Paint:
    """Return a gradient between two points; `ease` above 1 keeps the first colour longer."""
    table = _table(list(colours))
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max(dx * dx + dy * dy, 1e-6)

    def paint(xs: Field, ys: Field) -> Field:
        offset = np.float32((start[0] * dx + start[1] * dy) / length)
        # A gradient straight down or across needs one column or one row only.
        down: Field = ys * np.float32(dy / length) - offset
        along = down if dx == 0 else down + xs * np.float32(dx / length)
        if dy == 0:
            along = xs * np.float32(dx / length) - offset
        return _looked_up(table, np.clip(along, 0, 1) ** np.float32(ease))

    return paint


def radial(
    x: float, y: float, radius: float, *colours: Colour, squash: float = 1.0, ease: float = 1.0
) -> Paint:
    """Return a gradient from a centre outwards."""
    table = _table(list(colours))

    def paint(xs: Field, ys: Field) -> Field:
        distance = np.sqrt((xs - np.float32(x)) ** 2 + ((ys - np.float32(y)) / squash) ** 2)
        return _looked_up(table, np.clip(distance / np.float32(radius), 0, 1) ** np.float32(ease))

    return paint


def toned(tone: Callable[[Field, Field], Field], *colours: Colour) -> Paint:
    """Return a paint that looks up a tone between 0 and 1 on a ramp of colours."""
    table = _table(list(colours))

    def paint(xs: Field, ys: Field) -> Field:
        return _looked_up(table, np.clip(tone(xs, ys), 0, 1))

    return paint


class Layer:
    """A sheet of the frame's size at a depth from 0 (far) to 1 (near)."""

    def __init__(self, frame: Frame, depth: float) -> None:
        self.frame = frame
        self.depth = depth
        self.colour: Field = np.zeros((3, *frame.shape), dtype=np.float32)
        self.cover: Field = np.zeros(frame.shape, dtype=np.float32)

    def fill(self, patch: Patch, paint: Paint, opacity: float = 1.0) -> None:
        """Lay paint over what is there."""
        patch = self.frame.clipped(patch)
        rows, columns = self._window(patch)
        mask = patch.mask * np.float32(opacity) if opacity != 1.0 else patch.mask
        for plane, value in zip(self.colour, self._planes(paint, patch), strict=True):
            part = plane[rows, columns]
            part += (value - part) * mask
        cover = self.cover[rows, columns]
        cover += (1 - cover) * mask

    def tint(self, patch: Patch, paint: Paint, opacity: float = 1.0) -> None:
        """Lay paint only where this layer already has some."""
        patch = self.frame.clipped(patch)
        rows, columns = self._window(patch)
        mask = patch.mask * np.float32(opacity) if opacity != 1.0 else patch.mask
        cover = self.cover[rows, columns]
        for plane, value in zip(self.colour, self._planes(paint, patch), strict=True):
            part = plane[rows, columns]
            part += (value * cover - part) * mask

    def light(self, patch: Patch, colour: Colour, strength: float = 1.0) -> None:
        """Shine on what is there; light adds up without burning out."""
        patch = self.frame.clipped(patch)
        rows, columns = self._window(patch)
        cover = self.cover[rows, columns]
        for plane, value in zip(self.colour, colour, strict=True):
            part = plane[rows, columns]
            part += np.maximum(cover - part, 0) * (patch.mask * np.float32(value * strength))

    def shadow(self, patch: Patch, colour: Colour, strength: float = 1.0) -> None:
        """Darken what is there towards a shadow colour."""
        patch = self.frame.clipped(patch)
        rows, columns = self._window(patch)
        for plane, value in zip(self.colour, colour, strict=True):
            part = plane[rows, columns]
            part *= 1 - patch.mask * np.float32((1 - value) * strength)

    def rim(
        self,
        patch: Patch,
        toward: tuple[float, float],
        width: float,
        colour: Colour,
        strength: float = 0.8,
    ) -> None:
        """Light the edge of a shape on the side that points `toward` the light."""
        self.light(self.frame.edge(patch, toward, max(width, 1.0)), colour, strength)

    def blur(self, radius: float) -> None:
        """Put the layer out of focus."""
        if radius < _SEEN_BLUR:
            return
        for plane in (*self.colour, self.cover):
            image = Image.fromarray(np.clip(plane * 255, 0, 255).astype(np.uint8), "L")
            soft = image.filter(ImageFilter.GaussianBlur(radius))
            plane[:] = np.asarray(soft, dtype=np.float32) / np.float32(255)

    def keep(self, patch: Patch, before: Field, chosen: Field) -> None:
        """Go back to the colours of `before` where `chosen` is 0, e.g. to leave only stripes."""
        rows, columns = self._window(patch)
        after = self.colour[:, rows, columns]
        after += (before[:, rows, columns] - after) * (1 - chosen)

    def veil(self, paint: Paint, opacity: float) -> None:
        """Lay haze over the whole layer, as air does over distance."""
        self.tint(self.frame.everything(), paint, opacity)

    def over(self, below: Field) -> None:
        """Lay this layer over three planes of an opaque picture."""
        clear = 1 - self.cover
        below *= clear
        below += self.colour

    def _window(self, patch: Patch) -> tuple[slice, slice]:
        top, left = patch.y, patch.x
        rows, columns = patch.mask.shape
        return slice(top, top + rows), slice(left, left + columns)

    @staticmethod
    def _planes(paint: Paint, patch: Patch) -> Field:
        if callable(paint):
            return paint(*patch.grid())
        return np.asarray(paint, dtype=np.float32).reshape(3, 1, 1)


def _table(colours: list[Colour]) -> Field:
    anchors = [ramp(colours, step / 48) for step in range(49)]
    places = np.linspace(0, 48, _STEPS)
    return np.stack(
        [
            np.interp(places, np.arange(49), [anchor[part] for anchor in anchors])
            for part in range(3)
        ]
    ).astype(np.float32)


def _looked_up(table: Field, place: Field) -> Field:
    return table[:, (place * np.float32(_STEPS - 1)).astype(np.int16)]
