"""Is a file what it is said to be? Opened, decoded and described before anyone relies on it.

A provider's word for a type is not believed: the bytes decide. Media are decoded at least to the
first frame, images and objects in space completely.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import av
from av.error import FFmpegError
from PIL import Image, UnidentifiedImageError

from infra.errors import AppError
from infra.media.gltf import GltfError, read_glb


class UnusableMediaError(AppError):
    """A file cannot be used."""

    code = "unusable_media"


_MOST_PIXELS = 64_000_000
"""Four times what is made here at most; more would fill the memory when it is decoded."""
_UNREADABLE = (
    FFmpegError,
    UnidentifiedImageError,
    GltfError,
    Image.DecompressionBombError,
    OSError,
    ValueError,
    StopIteration,
)


async def verify(path: Path, media_type: str) -> dict[str, Any]:
    """Return facts about a file: width, height, duration_s, triangles, as its type has them.

    Raises:
        UnusableMediaError: it is empty, or cannot be read as the type it claims.
    """
    return await asyncio.to_thread(_verify, path, media_type)


def _verify(path: Path, media_type: str) -> dict[str, Any]:
    if path.stat().st_size == 0:
        msg = "The file is empty."
        raise UnusableMediaError(msg)
    family = media_type.partition("/")[0]
    try:
        if family == "image":
            return _image(path)
        if family in ("video", "audio"):
            return _timed(path, family)
        if media_type == "model/gltf-binary":
            return _model(path)
        if media_type.startswith("application/json"):
            json.loads(path.read_text(encoding="utf-8"))
        elif family == "text" or media_type == "application/x-subrip":
            path.read_text(encoding="utf-8")
    except _UNREADABLE as error:
        said = str(error).replace(str(path), "it")
        message = f"The file cannot be read as {media_type}: {said}"
        raise UnusableMediaError(message) from error
    return {}


def _image(path: Path) -> dict[str, Any]:
    with Image.open(path) as image:
        if image.width * image.height > _MOST_PIXELS:
            msg = f"The picture has more than {_MOST_PIXELS:,} pixels."
            raise UnusableMediaError(msg)
        image.load()
        return {"width": image.width, "height": image.height}


def _timed(path: Path, family: str) -> dict[str, Any]:
    with av.open(str(path)) as container:
        streams = container.streams.video if family == "video" else container.streams.audio
        next(container.decode(streams[0]))
        duration = float(container.duration or 0) / av.time_base
        facts: dict[str, Any] = {"duration_s": round(duration, 3)}
        if family == "video":
            codec = container.streams.video[0].codec_context
            facts |= {"width": codec.width, "height": codec.height}
        return facts


def _model(path: Path) -> dict[str, Any]:
    """Return the figures of an object in space; the file is read apart from what wrote it."""
    gltf = read_glb(path)
    low, high = gltf.bounds
    return {
        "triangles": gltf.triangles,
        "vertices": gltf.vertices,
        "materials": gltf.materials,
        "size_m": [round(float(side), 4) for side in high - low],
    }
