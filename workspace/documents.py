"""Documents that are written over: the next version of one, with the scenes it now has."""

from collections.abc import Sequence
from dataclasses import dataclass

from execution.errors import CapabilityError, InvalidCallError
from execution.tx import Tx
from infra.blobs import BlobStore
from infra.ids import ObjectId
from workspace import objects, scenes
from workspace.errors import VersionConflictError
from workspace.objects import ObjectVersion

MARKDOWN = "text/markdown"
MAX_CHARACTERS = 200_000
_REPORT = "delivery_report"
_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A passage, which must stand exactly once in a text, and what is to stand in its place."""

    find: str
    replace: str


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


async def written(
    tx: Tx,
    blobs: BlobStore,
    object_id: ObjectId,
    change: Sequence[Edit] | str,
    *,
    base_version: int,
) -> str:
    """Return a document's text as it would be with a person's change: edits, or all of it anew.

    Raises:
        NotFoundError: no such object here.
        CapabilityError: it is no text that is written over.
        VersionConflictError: someone wrote first; read again, then write.
        InvalidCallError: a passage is not there once, or nothing or too much would be left.
    """
    found = await objects.get(tx.conn, tx.workspace_id, object_id)
    if found.kind != "document" or found.role == _REPORT:
        message = f"“{found.name}” cannot be changed here: only texts can, and no reports."
        raise CapabilityError(message)
    if found.version != base_version:
        raise VersionConflictError(current_version=found.head_version)
    if isinstance(change, str):
        text = change
    else:
        text = edited((await blobs.read(found.blob_sha256)).decode(errors="replace"), change)
    if not text.strip() or len(text) > MAX_CHARACTERS:
        message = f"A text has between 1 and {MAX_CHARACTERS:,} characters."
        raise InvalidCallError(message)
    return text


def edited(text: str, edits: Sequence[Edit]) -> str:
    """Return a text with every edit made, each of the text as it was; all of them or none.

    Raises:
        InvalidCallError: a passage is not there, or several times, or overlaps with another.
    """
    places = sorted(((_place(text, each), each) for each in edits), key=lambda each: each[0])
    done, at = "", 0
    for place, each in places:
        if place < at:
            message = f"The passage {_quoted(each.find)} overlaps with another that changes."
            raise InvalidCallError(message)
        done += text[at:place] + each.replace
        at = place + len(each.find)
    return done + text[at:]


def _place(text: str, edit: Edit) -> int:
    count = text.count(edit.find)
    if count != 1:
        found = "is not in the text" if not count else f"stands {count} times in the text"
        message = f"The passage {_quoted(edit.find)} {found}; name one that stands there once."
        raise InvalidCallError(message)
    return text.index(edit.find)


def _quoted(text: str) -> str:
    short = text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
    return f"“{short}”"
