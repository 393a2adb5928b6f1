"""`/v1/objects`: what was made and brought, its versions and its bytes, and changes of texts.

A change names the version that it was made of (`If-Match`, as a read's `ETag` gives it). What rests
on the text is followed as after any other change of it.
"""

import asyncio
import re
from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response

from execution import tasks
from execution.tx import Tx
from infra.db.pool import transaction
from infra.ids import ObjectId, new_id
from infra.sanitize import clean_text
from server import files
from server.auth import Caller, Principal
from server.context import Context, IdempotencyKey, ObjectInPath, Opened, task_id_of
from server.errors import InvalidRequestError
from server.models import EditsBody, RewriteBody
from server.protection import CONTENT_POLICY
from server.requests import carry_out
from workspace import documents, objects, uploads
from workspace.documents import Edit

type Version = Annotated[int | None, Query(ge=1, le=2**31 - 1)]
type IfMatch = Annotated[str | None, Header(description="The version that the change is of.")]

router = APIRouter(prefix="/objects")

_SHOWN = ("image/", "audio/", "video/", "text/plain", "text/vtt", "text/markdown", "text/x-ssa")
_SHOWN_TOO = frozenset({"application/json", "application/json+otio", "application/x-subrip"})
_ACTIVE = frozenset({"image/svg+xml"})


@router.post("", status_code=201)
async def upload(
    *,
    request: Request,
    caller: Caller,
    opened: Opened,
    name: Annotated[str, Query(min_length=1, max_length=120)],
    task_id: Annotated[str | None, Query(max_length=200)] = None,
    idempotency_key: IdempotencyKey = None,
) -> dict[str, Any]:
    """Keep a file as an object; the body is the file itself, and its bytes say what it is."""
    blob = await opened.deps.blobs.put_stream(request.stream())
    looked = await uploads.look(opened.deps.blobs, blob)
    for_task = task_id_of(task_id) if task_id is not None else None

    async def act(tx: Tx) -> dict[str, Any]:
        if for_task is not None:
            await tasks.get(tx.conn, tx.workspace_id, for_task)

        kept = await uploads.keep(
            tx,
            blob,
            looked,
            name=clean_text(name),
            cause=f"upload {new_id()}",
            task_id=for_task,
        )
        return objects.view(kept)

    asked = {"upload": blob.sha256, "name": name, "task": task_id}
    return await carry_out(opened, caller, act, key=idempotency_key, request=asked)


@router.get("/{object_id}")
async def read_object(
    object_id: ObjectInPath,
    caller: Caller,
    opened: Opened,
    response: Response,
    version: Version = None,
) -> dict[str, Any]:
    """Return an object at a version, by default its newest."""
    async with transaction(opened.pool) as conn:
        found = await objects.get(conn, caller.workspace_id, object_id, version=version)
    response.headers["etag"] = f'"{found.version}"'
    return objects.view(found)


@router.put("/{object_id}")
async def rewrite_text(
    object_id: ObjectInPath,
    body: RewriteBody,
    caller: Caller,
    opened: Opened,
    if_match: IfMatch = None,
) -> dict[str, Any]:
    """Write a text anew on top of the version that was read; return its next version."""
    return await _write(opened, caller, object_id, body.text, if_match)


@router.patch("/{object_id}")
async def edit_text(
    object_id: ObjectInPath,
    body: EditsBody,
    caller: Caller,
    opened: Opened,
    if_match: IfMatch = None,
) -> dict[str, Any]:
    """Change passages of a text, all of them or none; return its next version."""
    edits = [Edit(find=each.find, replace=each.replace) for each in body.edits]
    return await _write(opened, caller, object_id, edits, if_match)


async def _write(
    opened: Context,
    caller: Principal,
    object_id: ObjectId,
    change: Sequence[Edit] | str,
    if_match: str | None,
) -> dict[str, Any]:
    base, blobs = _version_of(if_match), opened.deps.blobs

    async def act(tx: Tx) -> dict[str, Any]:
        text = await documents.written(tx, blobs, object_id, change, base_version=base)
        stored = await documents.rewrite(
            tx,
            blobs,
            object_id,
            text,
            base_version=base,
            author="user",
            cause=f"edit {new_id()}",
        )
        return objects.view(stored)

    return await carry_out(opened, caller, act)


_ETAG = re.compile(r'(?:W/)?"?(\d{1,9})"?')


def _version_of(if_match: str | None) -> int:
    found = _ETAG.fullmatch((if_match or "").strip())
    if found is None:
        message = 'If-Match must name the version that was read, such as "3".'
        raise InvalidRequestError(message)
    return int(found[1])


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
