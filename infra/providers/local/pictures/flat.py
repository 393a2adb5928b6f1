"""A single picture under a moving camera, when its layers are not known."""

import math

from PIL import Image

from infra.providers.local.pictures.camera import Move
from infra.providers.local.pictures.film import Film, Stamp

_FINER = 1.5
_DEPTH = 0.74
_ROLL = math.radians(0.35)
_SLANT = 0.012
_INSET = 0.030


def flat_stamp(picture: Image.Image, film: Film) -> Stamp:
    """Return the stamp that lays the picture as the camera sees it, at parts of a pixel.

    The picture is enlarged once with a good filter; each frame is only taken from it.
    """
    fine = picture.resize(
        (round(picture.width * _FINER), round(picture.height * _FINER)), Image.Resampling.LANCZOS
    )

    def stamp(image: Image.Image, at_s: float) -> None:
        if film.camera.move is Move.ORBIT:
            image.paste(_turned(fine, film, at_s))
            return
        sight = film.camera.sight(_DEPTH, at_s)
        left, top, right, bottom = (side * _FINER for side in sight.box(film.focus, film.size))
        box = (left, top, min(right, fine.width), min(bottom, fine.height))
        image.paste(fine.resize(film.size, Image.Resampling.BICUBIC, box))

    return stamp


def _turned(fine: Image.Image, film: Film, at_s: float) -> Image.Image:
    """Return the picture as one sees it who walks past: slanted in depth, rolled and shifted."""
    width, height = film.size
    swing = 2 * film.camera.progress(at_s) - 1
    scale = _FINER * (1 - 2 * _INSET)
    cosine, sine = math.cos(_ROLL * swing) * scale, math.sin(_ROLL * swing) * scale
    slant = _SLANT * swing / width
    middle_x = fine.width / 2 + swing * 0.5 * _INSET * fine.width
    middle_y = fine.height / 2
    # From output pixels, measured from the middle of the frame, to pixels of the source.
    rows = ((cosine, -sine, 0.0), (sine, cosine, 0.0), (slant, 0.0, 1.0))
    moved = [
        [rows[0][k] + middle_x * rows[2][k] for k in range(3)],
        [rows[1][k] + middle_y * rows[2][k] for k in range(3)],
        [rows[2][k] for k in range(3)],
    ]
    for row in moved:
        row[2] -= row[0] * width / 2 + row[1] * height / 2
    last = moved[2][2]
    data = (*moved[0], *moved[1], moved[2][0], moved[2][1])
    shares = tuple(value / last for value in data)
    return fine.transform(film.size, Image.Transform.PERSPECTIVE, shares, Image.Resampling.BILINEAR)
