"""`/`: the built page, one file each, checked for news at every load."""

import asyncio
import hashlib
import mimetypes
from functools import lru_cache
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from execution.errors import NotFoundError
from infra.errors import default_message
from server import files
from server.errors import PageMissingError, status_of
from server.protection import PAGE_POLICY

FOLDER = Path(__file__).parent.parent / "static" / "app"
_INDEX = "index.html"
_TYPES = {".js": "text/javascript", ".woff2": "font/woff2", ".webmanifest": "application/json"}

router = APIRouter(include_in_schema=False)


@router.api_route("/", methods=["GET", "HEAD"])
async def read_index(request: Request) -> Response:
    """Return the page; when it was not built, a sentence for the person who opens it."""
    path = FOLDER / _INDEX
    if not await asyncio.to_thread(path.is_file):
        error = PageMissingError()
        return PlainTextResponse(default_message(type(error)), status_code=status_of(error))
    return await asyncio.to_thread(_respond, request, path)


@router.api_route("/{path:path}", methods=["GET", "HEAD"])
async def read_asset(request: Request, path: str) -> Response:
    """Return a file of the page."""
    found = await asyncio.to_thread(_find, path)
    if found is None:
        msg = "There is nothing at this address."
        raise NotFoundError(msg)
    return await asyncio.to_thread(_respond, request, found)


def _find(name: str) -> Path | None:
    """Return a file of the page's folder, never one outside of it."""
    if "\x00" in name or name.endswith("/"):
        return None
    try:
        path = (FOLDER / name).resolve()
        return path if path.is_relative_to(FOLDER.resolve()) and path.is_file() else None
    except OSError:  # a name that no file can have
        return None


def _respond(request: Request, path: Path) -> Response:
    found = path.stat()
    media_type = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    headers = {
        "content-type": media_type or "application/octet-stream",
        "cache-control": "no-cache",
        "content-security-policy": PAGE_POLICY,
    }
    etag = _hash(path, found.st_mtime_ns, found.st_size)
    return files.respond(request, path, etag=etag, headers=headers)


@lru_cache(maxsize=256)
def _hash(path: Path, changed_ns: int, size: int) -> str:
    """Return a hash of a file's content; the other two say when to read it again."""
    del changed_ns, size
    return hashlib.sha256(path.read_bytes()).hexdigest()[:32]
