"""The operation `clip`: a camera move over layers, or over a given keyframe, as H.264.

Promises exactly `round(duration_s * fps)` frames, a move that is seen at every moment, text that
stays inside the frame, and the same frames for the same request. A keyframe that the operation
`image` drew is taken apart into its layers again, so that near and far things move differently.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from PIL import Image, UnidentifiedImageError

from infra.media.ffmpeg import run_ffmpeg
from infra.providers.local.image import RECIPE, lettering_for, render_still
from infra.providers.local.pictures.brief import Brief, read_brief
from infra.providers.local.pictures.camera import Camera, Move
from infra.providers.local.pictures.film import (
    Film,
    Stamp,
    grain_sheet,
    light_stamp,
    stamps_of,
)
from infra.providers.local.pictures.flat import flat_stamp
from infra.providers.local.pictures.motifs.living import draw_dust, draw_weather
from infra.providers.local.pictures.painter import build_scene, empty_scene
from infra.providers.local.pictures.scene import Scene
from infra.providers.local.pictures.texture import look_of, texture_of
from infra.providers.local.request import (
    InvalidInputError,
    LocalArtifact,
    LocalRequest,
    LocalResult,
)

LEAST_MOTION = 1.5
"""Mean luma difference, of 255, between frames half a second apart; grain not counted."""

_LONGEST_S = 120.0
_AIM = 1.45 * LEAST_MOTION
_TRIES = ((1.0, 1.0), (1.3, 1.6), (1.7, 2.4), (2.2, 3.4))
_GLOW_PERIOD_S = 3.2
_GLOW = 0.085
_SAME_PICTURE = 7.0
_PROBE = (160, 90)
_HALF_SECOND = 0.5
_TEXT_MARGIN = 0.041
"""What a move over a flat picture may leave out on a side: words keep 4.8 % or more from it."""

_CRF = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    brief: Brief
    move: Move
    fps: float
    frames: int
    duration_s: float


def generate(request: LocalRequest, out: Path, report: Callable[[float], None]) -> LocalResult:
    """Render the clip into `out`.

    Raises:
        InvalidInputError: The inputs are not those of a clip, or the keyframe is no picture.
        FfmpegError: The encoder failed.
    """
    order = _read(request)
    report(0.02)
    film, layered = _film(request, order)
    report(0.15)
    film, motion = _lively(film, order)
    path = out / "clip.mp4"
    _encode(film, order, path, lambda done: report(0.15 + 0.83 * done))
    report(1.0)
    return LocalResult(
        artifacts=(LocalArtifact(role="clip", path=path.name, media_type="video/mp4"),),
        measured={
            "frames": order.frames,
            "fps": order.fps,
            "duration_s": round(order.frames / order.fps, 4),
            "motion_mean": round(motion, 2),
            "layers": len(film.stamps),
            "layered": layered,
            "camera": order.move.value,
        },
    )


def _read(request: LocalRequest) -> _Order:
    brief = read_brief(request)
    if brief.width % 2 or brief.height % 2:
        msg = f"A clip needs an even width and height, not {brief.width} by {brief.height}."
        raise InvalidInputError(msg)
    fps = request.number("fps", low=1, high=60, default=24)
    duration_s = request.number("duration_s", low=0.1, high=_LONGEST_S)
    move = Move(request.choice("camera", tuple(item.value for item in Move), "push_in"))
    frames = max(round(duration_s * fps), 1)
    return _Order(brief=brief, move=move, fps=fps, frames=frames, duration_s=frames / fps)


def _film(request: LocalRequest, order: _Order) -> tuple[Film, bool]:
    """Return the film of the keyframe's own layers, of the flat keyframe or of a new drawing."""
    if "image" not in request.files:
        return _drawn_film(build_scene(order.brief), order), True
    picture = _opened(request.file("image"))
    scene = _scene_behind(picture, order)
    if scene is not None:
        return _drawn_film(scene, order), True
    return _flat_film(_covering(picture, order.brief), order), False


def _opened(path: Path) -> Image.Image:
    try:
        picture = Image.open(path)
        picture.load()
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError) as error:
        msg = f"The keyframe cannot be read as a picture: {error}"
        raise InvalidInputError(msg) from error
    return picture


def _scene_behind(picture: Image.Image, order: _Order) -> Scene | None:
    """Return the scene that the keyframe was drawn from, if it still looks like that scene."""
    recipe = cast("dict[str, object]", picture.info).get(RECIPE)
    if not isinstance(recipe, str):
        return None
    size = (order.brief.width, order.brief.height)
    try:
        raw: Any = json.loads(recipe)
        inputs = {**raw["inputs"], "width": size[0], "height": size[1]}
        brief = read_brief(LocalRequest(operation="image", seed=int(raw["seed"]), inputs=inputs))
    except (ValueError, KeyError, TypeError, InvalidInputError):
        return None
    scene = build_scene(brief)
    drawn, _ = render_still(scene)
    same = _thumb(drawn) - _thumb(_covering(picture, order.brief))
    return scene if float(np.abs(same).mean()) < _SAME_PICTURE else None


def _drawn_film(scene: Scene, order: _Order) -> Film:
    look = look_of(scene)
    stage = scene.stage
    film = _empty_film(
        order, focus=(stage.hero_x, min(stage.hero_y - 0.3 * stage.hero_size, 0.7 * stage.height))
    )
    film.stamps = stamps_of(scene, look, film)
    glow = scene.frame.glow(stage.light_x, stage.light_y, 1.15 * max(film.size), power=1.3)
    sheet = np.zeros(scene.frame.shape, dtype=np.float32)
    sheet[glow.y : glow.y + glow.mask.shape[0], glow.x : glow.x + glow.mask.shape[1]] = glow.mask
    film.stamps.append(_breath(sheet, scene, film))
    moments = [film_planes(film, at) for at in (0.0, order.duration_s / 2, order.duration_s)]
    texture = texture_of(scene, look)
    words = lettering_for(scene, [planes * texture for planes in moments])
    sheet = _overlay(texture, None if words is None else words.overlay(film.size))
    film.overlay = (sheet.convert("RGB"), sheet.getchannel("A"))
    film.grain = grain_sheet(film.size, look.grain, order.brief.seed)
    return film


def film_planes(film: Film, at_s: float) -> np.ndarray:
    """Return a frame without overlay and grain as three planes between 0 and 1."""
    image = replace(film, overlay=None, grain=None).frame(0, at_s)
    return np.asarray(image, dtype=np.float32).transpose(2, 0, 1) / np.float32(255)


def _flat_film(picture: Image.Image, order: _Order) -> Film:
    film = _empty_film(order, focus=(order.brief.width / 2, order.brief.height / 2))
    film.camera = replace(film.camera, most_crop=_TEXT_MARGIN)
    film.stamps = [flat_stamp(picture, film)]
    scene = empty_scene(replace(order.brief, title="", subtitle=""))
    if not draw_weather(scene):
        draw_dust(scene)
    film.stamps += stamps_of(scene, look_of(scene), film)
    bright = np.asarray(picture.convert("L").resize((16, 9)), dtype=np.float32)
    row, column = np.unravel_index(int(bright.argmax()), bright.shape)
    x, y = (column + 0.5) / 16 * film.size[0], (row + 0.5) / 9 * film.size[1]
    ys, xs = np.mgrid[0 : film.size[1], 0 : film.size[0]].astype(np.float32)
    away = np.hypot(xs - x, ys - y) / (1.1 * max(film.size))
    film.stamps.append(_breath(np.clip(1 - away, 0, 1) ** 1.3, scene, film))
    film.grain = grain_sheet(film.size, 0.010, order.brief.seed)
    return film


def _empty_film(order: _Order, *, focus: tuple[float, float]) -> Film:
    size = (order.brief.width, order.brief.height)
    camera = Camera(move=order.move, width=size[0], height=size[1], duration_s=order.duration_s)
    return Film(size=size, focus=focus, camera=camera, seed=order.brief.seed)


def _breath(strength: np.ndarray, scene: Scene, film: Film) -> Stamp:
    mask = Image.fromarray((np.clip(strength, 0, 1) * 255).astype(np.uint8), "L")
    red, green, blue = (round(part * 255) for part in scene.palette.glow)
    return light_stamp(mask, (red, green, blue), film, most=_GLOW, period_s=_GLOW_PERIOD_S)


def _overlay(texture: np.ndarray, words: Image.Image | None) -> Image.Image:
    """Return texture and words as one sheet: multiplying is the same as laying black over."""
    height, width = texture.shape
    sheet = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    sheet.putalpha(Image.fromarray(((1 - texture) * 255 + 0.5).astype(np.uint8), "L"))
    if words is not None:
        sheet.alpha_composite(words)
    return sheet


def _lively(film: Film, order: _Order) -> tuple[Film, float]:
    """Return the film with the weakest move that is plainly seen, and how much it moves."""
    motion = 0.0
    for strength, light in _TRIES:
        film.camera = replace(film.camera, strength=strength)
        film.light = light
        motion = _motion(film, order)
        if motion >= _AIM:
            break
    return film, motion


def _motion(film: Film, order: _Order) -> float:
    """Return the least mean luma difference over half a second, without grain."""
    step = min(_HALF_SECOND, order.duration_s)
    starts = np.linspace(0, max(order.duration_s - step, 0), 3)
    quiet = replace(film, grain=None)
    found = [
        np.abs(_thumb(quiet.frame(0, at)) - _thumb(quiet.frame(0, at + step))).mean()
        for at in starts.tolist()
    ]
    return float(min(found))


def _encode(film: Film, order: _Order, path: Path, report: Callable[[float], None]) -> None:
    width, height = film.size
    rate = f"{order.fps:g}"
    colour = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"]
    arguments = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", rate]
    arguments += ["-i", "pipe:0", "-an", "-vf", "scale=out_color_matrix=bt709:out_range=tv"]
    arguments += [
        "-c:v",
        "libx264",
        "-preset",
        "veryfast",
        "-crf",
        str(_CRF),
        "-pix_fmt",
        "yuv420p",
    ]
    arguments += ["-profile:v", "high", "-g", str(max(round(order.fps), 1)), "-threads", "2"]
    arguments += [*colour, "-color_range", "tv", "-fflags", "+bitexact", "-flags:v", "+bitexact"]
    arguments += ["-map_metadata", "-1", "-movflags", "+faststart", path.name]

    def frames() -> Iterator[bytes]:
        for number in range(order.frames):
            yield film.frame(number, number / order.fps).tobytes()
            report((number + 1) / order.frames)

    run_ffmpeg(arguments, frames=frames(), cwd=path.parent)


def _covering(picture: Image.Image, brief: Brief) -> Image.Image:
    """Return the picture at the clip's size, cut to its shape from the middle."""
    wide = picture.convert("RGB")
    scale = max(brief.width / wide.width, brief.height / wide.height)
    cut_x = (wide.width - brief.width / scale) / 2
    cut_y = (wide.height - brief.height / scale) / 2
    box = (cut_x, cut_y, wide.width - cut_x, wide.height - cut_y)
    return wide.resize((brief.width, brief.height), Image.Resampling.LANCZOS, box)


def _thumb(image: Image.Image) -> np.ndarray:
    return np.asarray(image.convert("L").resize(_PROBE, Image.Resampling.BOX), dtype=np.float32)
