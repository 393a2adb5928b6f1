"""Tools over documents and objects: write a document, read an object, list what is there."""

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from execution.authorization import Risk
from execution.errors import InvalidCallError, NotFoundError
from infra.ids import ObjectId
from tools.tool import Tool, ToolContext, ToolResult
from workspace import objects, scenes
from workspace.documents import MARKDOWN, MAX_CHARACTERS
from workspace.objects import NewObject

_SHOWN_CHARACTERS = 20_000


class WriteDocument(BaseModel):
    """Arguments of `write_document`."""

    step: Annotated[str | None, Field(max_length=40)] = None
    slot: Annotated[int, Field(ge=1, le=60, description="which of the step's results this is")] = 1
    name: Annotated[str, Field(min_length=1, max_length=120)]
    text: Annotated[str, Field(min_length=1, max_length=MAX_CHARACTERS)]


class ReadObject(BaseModel):
    """Arguments of `read_object`."""

    object_id: str
    version: Annotated[int, Field(ge=1, le=1_000_000)] | None = None


class ListObjects(BaseModel):
    """Arguments of `list_objects`: none."""


async def write_document(context: ToolContext, arguments: WriteDocument) -> ToolResult:
    """Keep a text as a document object."""
    blob = await context.deps.blobs.put_bytes(arguments.text.encode())
    stored = await objects.create(
        context.tx,
        NewObject(
            kind="document",
            role="script" if arguments.step else "document",
            name=arguments.name,
            blob=blob,
            media_type=MARKDOWN,
            author="agent",
            cause=context.call_key,
            task_id=context.task_id,
            step_key=arguments.step,
            slot=arguments.slot if arguments.step else None,
            meta=scenes.meta(arguments.text),
        ),
    )
    return ToolResult(
        message=f"Kept as object {stored.object_id}, version 1.",
        outputs=[objects.reference(stored)],
        step_key=arguments.step,
        slot=arguments.slot,
    )


async def read_object(context: ToolContext, arguments: ReadObject) -> ToolResult:
    """Return a document's text, or the facts of a media object."""
    try:
        found = await objects.get(
            context.tx.conn,
            context.tx.workspace_id,
            ObjectId(UUID(arguments.object_id)),
            version=arguments.version,
        )
    except (ValueError, NotFoundError):
        message = f"There is no object {arguments.object_id} in this workspace."
        raise InvalidCallError(message) from None
    if found.kind != "document":
        return ToolResult(message=f"{found.kind} '{found.name}' v{found.version}: {found.meta}")
    text = (await context.deps.blobs.read(found.blob_sha256)).decode(errors="replace")
    shown = text[:_SHOWN_CHARACTERS]
    rest = f"\n… {len(text) - len(shown)} more characters" if len(text) > len(shown) else ""
    return ToolResult(message=f"'{found.name}' version {found.version}:\n{shown}{rest}")


async def list_objects(context: ToolContext, arguments: ListObjects) -> ToolResult:
    """Return the newest objects of the workspace."""
    del arguments
    found = await objects.recent(context.tx.conn, context.tx.workspace_id, limit=50)
    lines = [f"{item.object_id} v{item.version} {item.kind} '{item.name}'" for item in found]
    return ToolResult(message="\n".join(lines) or "There are no objects yet.")


WRITE_DOCUMENT = Tool(
    name="write_document",
    description="Keep a text (script, storyboard, notes) as a document of the workspace.",
    arguments=WriteDocument,
    risk=Risk.WRITE,
    call=write_document,
)
READ_OBJECT = Tool(
    name="read_object",
    description="Read an object: a document's text, or what is known of a medium.",
    arguments=ReadObject,
    risk=Risk.READ,
    call=read_object,
)
LIST_OBJECTS = Tool(
    name="list_objects",
    description="List the newest objects of the workspace.",
    arguments=ListObjects,
    risk=Risk.READ,
    call=list_objects,
)
