"""A single picture under a moving camera, when its layers are not known."""

import math

from PIL import Image

from infra.providers.local.pictures.camera import Move
from infra.providers.local.pictures.film import Film, Stamp

_FINER = 1.5
_DEPTH = 0.74


def flat_stamp(picture: Image.Image, film: Film) -> Stamp:
    """Return the stamp that lays the picture as the camera sees it, at parts of a pixel.

    The picture is enlarged once with a good filter; each frame is only taken from it.
    """
    fine = picture.resize(
        (round(picture.width * _FINER), round(picture.height * _FINER)), Image.Resampling.LANCZOS
    )

    def stamp(image: Image.Image, at_s: float) -> None:
        sight = film.camera.sight(_DEPTH, at_s)
        left, top, right, bottom = sight.box(film.focus, film.size)
        if film.camera.move is Move.ORBIT:
            image.paste(_turned(fine, film, (left, top, right, bottom), sight.turn))
            return
        box = (left * _FINER, top * _FINER, right * _FINER, bottom * _FINER)
        box = (box[0], box[1], min(box[2], fine.width), min(box[3], fine.height))
        image.paste(fine.resize(film.size, Image.Resampling.BICUBIC, box))

    return stamp


def _turned(
    fine: Image.Image, film: Film, box: tuple[float, float, float, float], turn: float
) -> Image.Image:
    """Return the picture seen a little from the side: turned in depth and about its middle."""
    width, height = film.size
    left, top, right, bottom = (side * _FINER for side in box)
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    scale_x, scale_y = (right - left) / width, (bottom - top) / height
    # Enough is taken from inside that neither the turn nor the slant shows an edge.
    inset = 1 - 2.1 * abs(turn) * max(width / height, height / width) * 0.5 - 0.012
    roll, slant = turn * 0.45, turn * 1.1 / width
    cosine, sine = math.cos(roll) * inset, math.sin(roll) * inset
    a, b = cosine * scale_x, -sine * scale_x
    d, e = sine * scale_y, cosine * scale_y
    g, h = slant, 0.0
    # Coefficients map output pixels, measured from the middle, to the source.
    c, f = middle_x, middle_y
    base = 1 - g * width / 2 - h * height / 2
    shift_x = c - a * width / 2 - b * height / 2 - c * (1 - base)
    shift_y = f - d * width / 2 - e * height / 2 - f * (1 - base)
    data = (a + c * g, b + c * h, shift_x, d + f * g, e + f * h, shift_y, g, h)
    data = tuple(value / base for value in data)
    return fine.transform(film.size, Image.Transform.PERSPECTIVE, data, Image.Resampling.BILINEAR)
