"""Coverage masks with clean edges, and the operations that make light and shadow from them.

Owns `Frame`, the rectangle that is drawn on, and `Patch`, a mask that knows where it lies. Shapes
are drawn several times larger and averaged down; a patch is only as large as its shape.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from infra.providers.local.pictures.geometry import Points, circle
from infra.providers.local.pictures.noise import Field

_MOST_SAMPLES = 4
_LARGEST_MASK_SIDE = 6200
_ROUNDED_FROM = 4.0
_SEEN_BLUR = 0.3
_CORNERS = 3

type Stroke = tuple[Points, float | NDArray[np.float64]]
"""A line and its width, or one width for each of its points."""

type _Drawing = Callable[[ImageDraw.ImageDraw, NDArray[np.float64], int], None]


@dataclass(frozen=True, slots=True)
class Patch:
    """A mask between 0 and 1 whose upper left pixel is at (x, y) of the picture."""

    x: int
    y: int
    mask: Field

    @property
    def is_empty(self) -> bool:
        """Whether nothing of the shape lies in the frame."""
        return self.mask.size == 0

    def grid(self) -> tuple[Field, Field]:
        """Return the pixels' x as a row and their y as a column."""
        height, width = self.mask.shape
        xs = np.arange(self.x, self.x + width, dtype=np.float32)[None, :]
        ys = np.arange(self.y, self.y + height, dtype=np.float32)[:, None]
        return xs + np.float32(0.5), ys + np.float32(0.5)

    def times(self, amount: float | Field) -> "Patch":
        """Return the patch with its mask multiplied."""
        return Patch(self.x, self.y, (self.mask * amount).astype(np.float32))

    def faded(self, strength: Callable[[Field, Field], Field]) -> "Patch":
        """Return the patch with its mask multiplied by a function of the pixels' x and y."""
        return self.times(strength(*self.grid()))

    def shifted(self, x: float, y: float) -> "Patch":
        """Return the patch at another place, to whole pixels."""
        return Patch(self.x + round(x), self.y + round(y), self.mask)

    def inside(self, other: "Patch") -> "Patch":
        """Return what lies in both."""
        return Patch(self.x, self.y, self.mask * other.sampled_like(self))

    def outside(self, other: "Patch") -> "Patch":
        """Return what lies in this one only."""
        return Patch(self.x, self.y, self.mask * (1 - other.sampled_like(self)))

    def sampled_like(self, other: "Patch") -> Field:
        """Return this mask over the pixels of another patch, 0 where it has none."""
        found = np.zeros_like(other.mask)
        height, width = other.mask.shape
        left, top = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.mask.shape[1], other.x + width)
        bottom = min(self.y + self.mask.shape[0], other.y + height)
        if right > left and bottom > top:
            found[top - other.y : bottom - other.y, left - other.x : right - other.x] = self.mask[
                top - self.y : bottom - self.y, left - self.x : right - self.x
            ]
        return found

    def stippled(self, rng: np.random.Generator, softness: float = 0.25) -> "Patch":
        """Return the mask dissolved into specks: a tone becomes a density, as with spray paint."""
        if self.is_empty:
            return self
        threshold = rng.random(self.mask.shape, dtype=np.float32)
        specks = np.clip((self.mask - threshold) / np.float32(softness) + 0.5, 0, 1)
        return Patch(self.x, self.y, specks * np.minimum(self.mask * 3, 1))


@dataclass(frozen=True, slots=True)
class Frame:
    """The pixels to draw on: a picture of `width` by `height`."""

    width: int
    height: int

    @property
    def left(self) -> float:
        """The x of the left edge."""
        return 0.0

    @property
    def right(self) -> float:
        """The x of the right edge."""
        return float(self.width)

    @property
    def top(self) -> float:
        """The y of the upper edge."""
        return 0.0

    @property
    def bottom(self) -> float:
        """The y of the lower edge."""
        return float(self.height)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of an array that holds the frame."""
        return self.height, self.width

    def everything(self) -> Patch:
        """Return the patch that covers the frame."""
        return Patch(0, 0, np.ones(self.shape, dtype=np.float32))

    def below(self, y: float) -> Patch:
        """Return the patch of all rows from y down."""
        top = min(max(round(y), 0), self.height)
        rows = self.height - top
        return Patch(0, top, np.ones((rows, self.shape[1]), dtype=np.float32))

    def shape_of(self, *outlines: Points) -> Patch:
        """Return the union of filled outlines."""
        return self._drawn(outlines, ())

    def cut(self, outline: Points, *holes: Points) -> Patch:
        """Return a filled outline with holes."""
        return self._drawn((outline,), holes)

    def shapes_of(self, outlines: Iterable[Points]) -> Patch:
        """Return the union of many filled outlines."""
        return self._drawn(tuple(outlines), ())

    def disc(self, x: float, y: float, radius: float, *, squash: float = 1.0) -> Patch:
        """Return a filled circle or ellipse."""
        return self._drawn((circle(x, y, radius, squash=squash),), ())

    def line(self, along: Points, widths: float | NDArray[np.float64]) -> Patch:
        """Return a line with round ends; bends may cross themselves."""
        return self.lines([(along, widths)])

    def lines(self, strokes: Iterable[Stroke]) -> Patch:
        """Return the union of many lines."""
        given = [
            (along, np.broadcast_to(np.asarray(widths, dtype=np.float64), (len(along),)))
            for along, widths in strokes
        ]
        if not given:
            return _NOTHING
        low = np.min([along.min(axis=0) - widths.max() for along, widths in given], axis=0)
        high = np.max([along.max(axis=0) + widths.max() for along, widths in given], axis=0)

        def draw(pen: ImageDraw.ImageDraw, corner: NDArray[np.float64], samples: int) -> None:
            for along, widths in given:
                knots = ((along - corner) * samples).tolist()
                thick = (widths * samples).tolist()
                # Piece by piece: one outline that crosses itself would leave holes.
                for index in range(len(knots) - 1):
                    middle = max(round((thick[index] + thick[index + 1]) / 2), 1)
                    pen.line((*knots[index], *knots[index + 1]), fill=255, width=middle)
                for (x, y), width in zip(knots, thick, strict=True):
                    if width > _ROUNDED_FROM:
                        half = width / 2
                        pen.ellipse((x - half, y - half, x + half, y + half), fill=255)

        return self._rendered(low, high, draw)

    def glow(self, x: float, y: float, radius: float, *, power: float = 2.0) -> Patch:
        """Return a soft round light that ends at the radius."""
        left, right = max(x - radius, self.left), min(x + radius, self.right)
        top, bottom = max(y - radius, self.top), min(y + radius, self.bottom)
        if right <= left or bottom <= top:
            return _NOTHING
        columns, rows = int(right) - int(left), int(bottom) - int(top)
        patch = Patch(int(left), int(top), np.ones((rows, columns), dtype=np.float32))
        xs, ys = patch.grid()
        distance = np.sqrt((xs - np.float32(x)) ** 2 + (ys - np.float32(y)) ** 2)
        return patch.times(np.clip(1 - distance / np.float32(radius), 0, 1) ** np.float32(power))

    def blurred(self, patch: Patch, radius: float) -> Patch:
        """Return the patch with soft edges, grown by what they need."""
        if patch.is_empty or radius < _SEEN_BLUR:
            return patch
        grow = int(radius * 2.5) + 1
        padded = np.pad(patch.mask, grow)
        shrink = max(int(radius / 4), 1)
        image = Image.fromarray((padded * 255).astype(np.uint8), "L")
        size = image.size
        if shrink > 1:
            image = image.resize((max(size[0] // shrink, 1), max(size[1] // shrink, 1)), 2)
        image = image.filter(ImageFilter.GaussianBlur(radius / shrink))
        if shrink > 1:
            image = image.resize(size, Image.Resampling.BICUBIC)
        mask = np.asarray(image, dtype=np.float32) / np.float32(255)
        return self.clipped(Patch(patch.x - grow, patch.y - grow, mask))

    def edge(self, patch: Patch, toward: tuple[float, float], width: float) -> Patch:
        """Return the strip of a shape along its edge on the side that points `toward`."""
        if patch.is_empty:
            return patch
        rows, columns = patch.mask.shape
        grow = int(width * 3) + 2
        # A shape that the frame cuts off has no edge there, so its mask goes on beyond the frame.
        sides = (
            patch.y <= 0,
            patch.y + rows >= self.height,
            patch.x <= 0,
            patch.x + columns >= self.width,
        )
        padded = np.pad(patch.mask, grow, mode="edge")
        for cut, away in zip(
            sides,
            (np.s_[:grow, :], np.s_[-grow:, :], np.s_[:, :grow], np.s_[:, -grow:]),
            strict=True,
        ):
            if not cut:
                padded[away] = 0
        image = Image.fromarray((padded * 255).astype(np.uint8), "L")
        soft = np.asarray(image.filter(ImageFilter.GaussianBlur(width * 0.5)), dtype=np.float32)
        top, left = grow + round(toward[1] * width), grow + round(toward[0] * width)
        behind = soft[top : top + rows, left : left + columns] / np.float32(255)
        return patch.times(1 - behind)

    def clipped(self, patch: Patch) -> Patch:
        """Return the part of the patch that lies in the frame."""
        rows, columns = patch.mask.shape
        left, top = max(patch.x, 0), max(patch.y, 0)
        right = min(patch.x + columns, self.width)
        bottom = min(patch.y + rows, self.height)
        if right <= left or bottom <= top:
            return _NOTHING
        mask = patch.mask[top - patch.y : bottom - patch.y, left - patch.x : right - patch.x]
        return Patch(left, top, mask)

    def _drawn(self, outlines: tuple[Points, ...], holes: tuple[Points, ...]) -> Patch:
        outlines = tuple(outline for outline in outlines if len(outline) >= _CORNERS)
        if not outlines:
            return _NOTHING
        low = np.min([outline.min(axis=0) for outline in outlines], axis=0)
        high = np.max([outline.max(axis=0) for outline in outlines], axis=0)

        def draw(pen: ImageDraw.ImageDraw, corner: NDArray[np.float64], samples: int) -> None:
            for ink, group in ((255, outlines), (0, holes)):
                for outline in group:
                    pen.polygon(((outline - corner) * samples).ravel().tolist(), fill=ink)

        return self._rendered(low, high, draw)

    def _rendered(
        self, low: NDArray[np.float64], high: NDArray[np.float64], draw: _Drawing
    ) -> Patch:
        """Draw several times larger into the part of the frame that is touched; average down."""
        left = int(max(np.floor(low[0]) - 1, 0))
        top = int(max(np.floor(low[1]) - 1, 0))
        right = int(min(np.ceil(high[0]) + 1, self.width))
        bottom = int(min(np.ceil(high[1]) + 1, self.height))
        if right <= left or bottom <= top:
            return _NOTHING
        samples = self._samples(max(right - left, bottom - top))
        image = Image.new("L", ((right - left) * samples, (bottom - top) * samples), 0)
        draw(ImageDraw.Draw(image), np.array([left, top], dtype=np.float64), samples)
        small = image.reduce(samples) if samples > 1 else image
        return Patch(left, top, np.asarray(small, dtype=np.float32) / np.float32(255))

    @staticmethod
    def _samples(side: int) -> int:
        return min(max(_LARGEST_MASK_SIDE // max(side, 1), 2), _MOST_SAMPLES)


_NOTHING = Patch(0, 0, np.zeros((0, 0), dtype=np.float32))
