"""Seeded randomness in one, two and no dimensions: ridges, clouds, grain.

Every function takes the generator or seed it draws from, so that one shape's randomness never moves
another's.
"""

import hashlib

import numpy as np
from numpy.typing import NDArray
from PIL import Image

_ONE_PIXEL = 1.05

type Field = NDArray[np.floating]
"""Numbers over the pixels of a patch or a frame; made and kept as 32 bit floats."""


def generator(*parts: object) -> np.random.Generator:
    """Return a random generator for a seed and the names of what it is for."""
    digest = hashlib.sha256("\x1f".join(str(part) for part in parts).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16])))


def chance(rng: np.random.Generator, odds: float) -> bool:
    """Return whether something happens that does so with the given odds."""
    return bool(rng.random() < odds)


def specks(rng: np.random.Generator, shape: tuple[int, int], *, share: float) -> Field:
    """Return 1 on a random share of the pixels and 0 on all others."""
    return (rng.random(shape, dtype=np.float32) < share).astype(np.float32)


def grain(rng: np.random.Generator, shape: tuple[int, int], *, size: float = 1.0) -> Field:
    """Return film grain, mean 0 and deviation about 1, with specks of the given size in pixels."""
    height, width = shape
    if size <= _ONE_PIXEL:
        return rng.standard_normal((height, width), dtype=np.float32)
    small = rng.standard_normal((int(height / size) + 2, int(width / size) + 2), dtype=np.float32)
    image = Image.fromarray(small, "F").resize((width, height), Image.Resampling.BICUBIC)
    return np.asarray(image, dtype=np.float32) * np.float32(1.25)


def clouds(
    rng: np.random.Generator,
    shape: tuple[int, int],
    *,
    cell: float,
    octaves: int = 4,
    stretch: float = 1.0,
    gain: float = 0.5,
) -> Field:
    """Return smooth fractal noise between 0 and 1; `stretch` draws its cells out sideways."""
    height, width = shape
    total = np.zeros((height, width), dtype=np.float32)
    weight, sum_of_weights = 1.0, 0.0
    for octave in range(octaves):
        step = cell / 2**octave
        rows = max(int(height / step) + 3, 4)
        columns = max(int(width / (step * stretch)) + 3, 4)
        small = _softened(rng.random((rows + 2, columns + 2), dtype=np.float32))
        # A fractional box keeps the cells square whatever the size of the picture.
        box = (0.0, 0.0, width / (step * stretch) + 1.0, height / step + 1.0)
        box = (0.0, 0.0, min(box[2], columns), min(box[3], rows))
        layer = Image.fromarray(small, "F").resize((width, height), Image.Resampling.BICUBIC, box)
        total += np.asarray(layer, dtype=np.float32) * np.float32(weight)
        sum_of_weights += weight
        weight *= gain
    total /= np.float32(sum_of_weights)
    return np.clip((total - 0.5) * np.float32(1.5) + 0.5, 0, 1)


def _softened(cells: Field) -> Field:
    """Return cells averaged with their neighbours: plain ones would show their square grid."""
    rows = (cells[:-2] + 2 * cells[1:-1] + cells[2:]) / 4
    both = (rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:]) / 4
    return ((both - 0.5) * np.float32(2.0) + np.float32(0.5)).astype(np.float32)


def ridge(
    rng: np.random.Generator, xs: NDArray[np.float64], *, cell: float, octaves: int, gain: float
) -> NDArray[np.float64]:
    """Return a rough line over `xs`, between about -1 and 1; a low gain makes it soft."""
    total = np.zeros_like(xs)
    weight, sum_of_weights = 1.0, 0.0
    for octave in range(octaves):
        step = cell / 2**octave
        values = rng.uniform(-1, 1, int((xs.max() - xs.min()) / step) + 7)
        places = (xs - xs.min()) / step + rng.random()
        low = np.floor(places).astype(int)
        part = places - low
        smooth = part * part * (3 - 2 * part)
        total += weight * (values[low + 2] * (1 - smooth) + values[low + 3] * smooth)
        sum_of_weights += weight
        weight *= gain
    return total / sum_of_weights * 1.4
