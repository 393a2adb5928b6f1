"""Documents that are written over: the next version of one, with the scenes it now has."""

from execution.tx import Tx
from infra.blobs import BlobStore
from infra.ids import ObjectId
from workspace import objects, scenes
from workspace.objects import ObjectVersion

MARKDOWN = "text/markdown"


async def rewrite(
    tx: Tx,
    blobs: BlobStore,
    object_id: ObjectId,
    text: str,
    *,
    base_version: int,
    author: str,
    cause: str,
) -> ObjectVersion:
    """Write a document's next version on top of the one it was based on.

    Raises:
        NotFoundError: no such object here.
        VersionConflictError: someone wrote first; read again, then write.
    """
    return await objects.put_version(
        tx,
        object_id,
        base_version=base_version,
        blob=await blobs.put_bytes(text.encode()),
        media_type=MARKDOWN,
        author=author,
        cause=cause,
        scenes=scenes.prints(text),
    )
