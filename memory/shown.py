"""What was shown last: the objects that "this", "the blue one" or "the second picture" may mean.

Pictures, films, sounds, 3D objects and documents of the workspace, the newest first, and never more
than a dozen: what came before has scrolled out of anybody's sight, and is named by its name.
"""

from typing import Any
from uuid import UUID

from infra.db.query import Conn
from infra.ids import WorkspaceId
from workspace import objects
from workspace.objects import ObjectVersion

MAX_SHOWN = 12
_LOOKED_AT = 60
_NAME = 80
_SEEN = ("image", "video", "audio", "model3d", "document")


async def shown(
    conn: Conn, workspace_id: WorkspaceId, *, about: list[UUID] | None = None
) -> list[dict[str, Any]]:
    """Return the objects that were shown last; those that a message names itself come first."""
    named = await objects.of_ids(conn, workspace_id, about) if about else []
    recent = await objects.recent(conn, workspace_id, limit=_LOOKED_AT)
    found = {item.object_id: item for item in [*named, *recent] if item.kind in _SEEN}
    return [_shown(item) for item in list(found.values())[:MAX_SHOWN]]


def _shown(item: ObjectVersion) -> dict[str, Any]:
    return {
        "object_id": str(item.object_id),
        "name": item.name[:_NAME],
        "kind": item.kind,
        "slot": item.slot,
        "task_id": str(item.task_id) if item.task_id else None,
        "when": item.created_at.isoformat(timespec="seconds"),
    }


def as_option(item: dict[str, Any], detail: str) -> dict[str, Any]:
    """Return a shown object as a choice of a question."""
    return {"object_id": item["object_id"], "title": item["name"], "goal": detail}


async def meant(
    conn: Conn, workspace_id: WorkspaceId, said: list[tuple[str, list[UUID]]]
) -> list[dict[str, Any]]:
    """Return for words that are about certain objects which those are, as they stand now."""
    wanted = [object_id for _, about in said for object_id in about]
    if not wanted:
        return []
    known = {item.object_id: item for item in await objects.of_ids(conn, workspace_id, wanted)}
    return [
        {
            "words": words,
            "objects": [_meant(known[object_id]) for object_id in about if object_id in known],
        }
        for words, about in said
        if any(object_id in known for object_id in about)
    ]


def _meant(item: ObjectVersion) -> dict[str, Any]:
    return {
        "object_id": str(item.object_id),
        "version": item.version,
        "name": item.name[:_NAME],
        "kind": item.kind,
        "step": item.step_key,
        "slot": item.slot,
    }
