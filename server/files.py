"""File responses: ranges, ETags and names that hold for any client.

A file's ETag is a hash of its content. A Range header that nobody can read is ignored (RFC
9110); one that lies outside of the file is a problem.
"""

import re
from pathlib import Path
from typing import override

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    MalformedRangeHeader,
    RangeNotSatisfiable,
    Response,
)
from starlette.types import Receive, Scope, Send

from server.errors import RangeUnsatisfiableError

_WEAK = re.compile(r"^W/")
_UNUSUAL = re.compile(r'[\x00-\x1f\x7f"\\/:*?<>|]+')
_MAX_STEM = 120
_SUFFIXES = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/avif": ".avif",
    "video/mp4": ".mp4",
    "video/webm": ".webm",
    "video/quicktime": ".mov",
    "audio/wav": ".wav",
    "audio/mpeg": ".mp3",
    "audio/mp4": ".m4a",
    "audio/flac": ".flac",
    "audio/ogg": ".ogg",
    "model/gltf-binary": ".glb",
    "application/x-subrip": ".srt",
    "text/x-ssa": ".ass",
    "text/vtt": ".vtt",
    "application/json+otio": ".otio",
    "application/json": ".json",
    "application/pdf": ".pdf",
    "application/zip": ".zip",
    "text/markdown": ".md",
    "text/plain": ".txt",
}


class StoredFile(FileResponse):
    """A file's bytes, whole or in ranges."""

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Headers(scope=scope).get("range")
        if asked is not None and self.stat_result is not None:
            try:
                self._parse_range_header(asked, self.stat_result.st_size)
            except MalformedRangeHeader:
                kept = [(name, value) for name, value in scope["headers"] if name != b"range"]
                scope = {**scope, "headers": kept}
            except RangeNotSatisfiable as error:
                raise RangeUnsatisfiableError(error.max_size) from None
        await super().__call__(scope, receive, send)


def respond(request: Request, path: Path, *, etag: str, headers: dict[str, str]) -> Response:
    """Return a file, or only the word that the client's copy is still right."""
    headers = {**headers, "etag": f'"{etag}"'}
    if _is_known(request.headers.get("if-none-match"), etag):
        return Response(status_code=304, headers=headers)
    media_type = headers.pop("content-type")
    return StoredFile(path, headers=headers, media_type=media_type, stat_result=path.stat())


def file_name(name: str, media_type: str) -> str:
    """Return a file name for an object, safe on every system, ending as its media type demands."""
    bare_type = media_type.partition(";")[0].strip()
    suffix = _SUFFIXES.get(bare_type, "")
    words = _UNUSUAL.sub(" ", name).split()
    stem = " ".join(words).strip(" .")[:_MAX_STEM].strip(" .") or "file"
    return stem if suffix and stem.lower().endswith(suffix) else stem + suffix


def _is_known(if_none_match: str | None, etag: str) -> bool:
    if if_none_match is None:
        return False
    known = {_WEAK.sub("", tag.strip()).strip('"') for tag in if_none_match.split(",")}
    return etag in known or "*" in known
