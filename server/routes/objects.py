"""`/v1/objects`: what was made, its versions and its bytes."""

import asyncio
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from infra.db.pool import transaction
from server import files
from server.auth import Caller
from server.context import ObjectInPath, Opened
from server.protection import CONTENT_POLICY
from workspace import objects

type Version = Annotated[int | None, Query(ge=1, le=2**31 - 1)]

router = APIRouter(prefix="/objects")

_SHOWN = ("image/", "audio/", "video/", "text/plain", "text/vtt", "text/markdown", "text/x-ssa")
_SHOWN_TOO = frozenset({"application/json", "application/json+otio", "application/x-subrip"})
_ACTIVE = frozenset({"image/svg+xml"})


@router.get("/{object_id}")
async def read_object(
    object_id: ObjectInPath, caller: Caller, opened: Opened, version: Version = None
) -> dict[str, Any]:
    """Return an object at a version, by default its newest."""
    async with transaction(opened.pool) as conn:
        found = await objects.get(conn, caller.workspace_id, object_id, version=version)
    return objects.view(found)


@router.get("/{object_id}/versions")
async def list_versions(object_id: ObjectInPath, caller: Caller, opened: Opened) -> dict[str, Any]:
    """Return every version of an object, newest first."""
    async with transaction(opened.pool) as conn:
        await objects.get(conn, caller.workspace_id, object_id)
        found = await objects.versions(conn, caller.workspace_id, object_id)
    return {"object_id": str(object_id), "versions": [objects.view(row) for row in found]}


@router.head("/{object_id}/content", include_in_schema=False)
@router.get("/{object_id}/content", response_class=Response)
async def read_content(
    *,
    request: Request,
    object_id: ObjectInPath,
    caller: Caller,
    opened: Opened,
    version: Version = None,
    download: bool = False,
) -> Response:
    """Return an object's bytes, whole or in ranges; a version never changes, so it may be kept."""
    async with transaction(opened.pool) as conn:
        found = await objects.get(conn, caller.workspace_id, object_id, version=version)
    path = await opened.deps.blobs.open(found.blob_sha256)
    name = files.file_name(found.name, found.media_type)
    attached = download or not _is_shown(found.media_type)
    kept = "private, max-age=31536000, immutable" if version is not None else "no-cache"
    headers = {
        "content-type": found.media_type,
        "cache-control": kept,
        "content-security-policy": CONTENT_POLICY,
        "x-frame-options": "SAMEORIGIN",
        "content-disposition": _disposition(name, attached=attached),
    }
    return await asyncio.to_thread(
        files.respond, request, path, etag=found.blob_sha256, headers=headers
    )


def _is_shown(media_type: str) -> bool:
    bare = media_type.partition(";")[0].strip().lower()
    return (bare.startswith(_SHOWN) or bare in _SHOWN_TOO) and bare not in _ACTIVE


def _disposition(name: str, *, attached: bool) -> str:
    how = "attachment" if attached else "inline"
    if name.isascii():
        return f'{how}; filename="{name}"'
    plain = name.encode("ascii", "replace").decode().replace("?", "_")
    return f"{how}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
