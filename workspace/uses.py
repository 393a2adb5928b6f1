"""Reads which objects went into which: the recorded inputs, from both sides.

A way of reading `objects` and `object_versions`; it writes neither. What an object rests on is what
its newest version does.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from infra.db.query import Conn, fetch_all
from infra.ids import WorkspaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """An object at its newest version, and the slot that it was made for."""

    object_id: UUID
    task_id: UUID | None
    step_key: str | None
    slot: int | None
    kind: str
    role: str
    name: str
    version: int
    blob_sha256: str
    meta: dict[str, Any]
    inputs: list[dict[str, Any]]


async def heads(
    conn: Conn, workspace_id: WorkspaceId, object_ids: Collection[UUID]
) -> dict[UUID, Head]:
    """Return objects at their newest version, by their ids."""
    found = await fetch_all(
        conn,
        Head,
        """
        select o.object_id, o.task_id, o.step_key, o.slot, o.kind, o.role, o.name,
               v.version, v.blob_sha256, v.meta, v.inputs
        from objects as o
        join object_versions as v on v.object_id = o.object_id and v.version = o.head_version
        where o.workspace_id = %(workspace_id)s
          and o.object_id = any(%(object_ids)s)
        """,
        {"workspace_id": workspace_id, "object_ids": list(object_ids)},
    )
    return {each.object_id: each for each in found}


async def of(conn: Conn, workspace_id: WorkspaceId, object_ids: Collection[UUID]) -> list[Head]:
    """Return the objects whose newest version was made from one of these."""
    return await fetch_all(
        conn,
        Head,
        """
        select distinct on (o.object_id) o.object_id, o.task_id, o.step_key, o.slot, o.kind, o.role,
               o.name, v.version, v.blob_sha256, v.meta, v.inputs
        from unnest(%(object_ids)s::uuid[]) as u (object_id)
        join object_versions as v
          on v.inputs @> jsonb_build_array(jsonb_build_object('object_id', u.object_id::text))
        join objects as o on o.object_id = v.object_id and o.head_version = v.version
        where o.workspace_id = %(workspace_id)s
          and o.deleted_at is null
        order by o.object_id
        """,
        {"workspace_id": workspace_id, "object_ids": list(object_ids)},
    )


async def of_slot(conn: Conn, task_id: UUID, step_key: str, slot: int) -> list[UUID]:
    """Return every object that was ever made for a slot."""
    cursor = await conn.execute(
        """
        select object_id
        from objects
        where task_id = %(task_id)s
          and step_key = %(step_key)s
          and slot = %(slot)s
        """,
        {"task_id": task_id, "step_key": step_key, "slot": slot},
    )
    return [row[0] for row in await cursor.fetchall()]


async def hold(conn: Conn, object_ids: Collection[UUID], *, alone: bool) -> None:
    """Let nobody write a new version of these until this transaction ends.

    `alone` keeps out as well who only wants to see that they stay as they are.
    """
    params = {"object_ids": list(object_ids)}
    if alone:
        await conn.execute(
            """
            select 1
            from objects
            where object_id = any(%(object_ids)s)
            order by object_id
            for no key update
            """,
            params,
        )
        return
    await conn.execute(
        """
        select 1
        from objects
        where object_id = any(%(object_ids)s)
        order by object_id
        for share
        """,
        params,
    )
