"""Files that a person brings: looked at, decoded, and kept as objects of their own.

What a file is, its bytes say; neither its name nor its sender's word counts. What nobody here could
use, or a browser would run, is refused with a sentence.
"""

from dataclasses import dataclass
from typing import Any

from execution.errors import CapabilityError
from execution.tx import Tx
from infra.blobs import Blob, BlobStore
from infra.ids import TaskId
from infra.media.verify import UnusableMediaError, verify
from workspace import objects, scenes
from workspace.documents import MARKDOWN, MAX_CHARACTERS
from workspace.objects import NewObject, ObjectVersion

ROLE = "upload"
_KINDS = {
    "image": "image",
    "video": "video",
    "audio": "audio",
    "model/gltf-binary": "model3d",
    "text/plain": "document",
    "text/vtt": "captions",
    "application/x-subrip": "captions",
    "text/x-ssa": "captions",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A file that can be used: what kind of object it is, and what is measured of it."""

    kind: str
    media_type: str
    meta: dict[str, Any]


async def look(blobs: BlobStore, blob: Blob) -> Looked:
    """Return what a file is.

    Raises:
        CapabilityError: nobody here can use it; the message says why.
    """
    bare = blob.media_type.partition(";")[0]
    kind = _KINDS.get(bare) or _KINDS.get(bare.partition("/")[0])
    if kind is None:
        message = f"A {bare} cannot be used here: bring a picture, video, sound, GLB or text."
        raise CapabilityError(message)
    try:
        meta = await verify(await blobs.open(blob.sha256), bare)
    except UnusableMediaError as error:
        raise CapabilityError(error.message) from error
    if kind != "document":
        return Looked(kind=kind, media_type=bare, meta=meta)
    text = (await blobs.read(blob.sha256)).decode()
    if len(text) > MAX_CHARACTERS:
        message = f"The text has more than {MAX_CHARACTERS:,} characters."
        raise CapabilityError(message)
    return Looked(kind=kind, media_type=MARKDOWN, meta=scenes.meta(text))


async def keep(
    tx: Tx, blob: Blob, looked: Looked, *, name: str, cause: str, task_id: TaskId | None
) -> ObjectVersion:
    """Keep a file that was looked at as an object, once for each cause."""
    return await objects.create(
        tx,
        NewObject(
            kind=looked.kind,
            role=ROLE,
            name=name,
            blob=blob,
            media_type=looked.media_type,
            author="user",
            cause=cause,
            task_id=task_id,
            meta=looked.meta,
        ),
    )
