"""Objects of the shared workspace: a stable identity with immutable versions.

Owns `objects` and `object_versions`. An object outlives the task that made it; one object may be
used by many tasks. A version is written against the version it was based on, or refused. The same
cause (a call, a message) makes an object once, whoever runs it again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from psycopg.types.json import Jsonb

from execution import outputs
from execution.errors import NotFoundError
from execution.tx import Tx
from infra.blobs import Blob
from infra.db.query import Conn, execute, fetch_all, fetch_one, fetch_value
from infra.ids import ObjectId, TaskId, WorkspaceId
from workspace import propagation
from workspace.errors import VersionConflictError


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectVersion:
    """An object as it stands at one version."""

    object_id: UUID
    workspace_id: UUID
    kind: str
    role: str
    name: str
    task_id: UUID | None
    step_key: str | None
    slot: int | None
    head_version: int
    version: int
    blob_sha256: str
    media_type: str
    size: int
    meta: dict[str, Any]
    author: str
    cause: str
    inputs: list[dict[str, Any]]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedObject:
    """What an object of a task is called."""

    task_id: UUID
    object_id: UUID
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewObject:
    """What an object is to be; `cause` and `role` together are its identity."""

    kind: str
    role: str
    name: str
    blob: Blob
    media_type: str
    author: str
    cause: str
    task_id: TaskId | None = None
    step_key: str | None = None
    slot: int | None = None
    meta: dict[str, Any] | None = None
    inputs: list[dict[str, Any]] | None = None


def object_id_of(workspace_id: WorkspaceId, cause: str, role: str) -> ObjectId:
    """Return the id of the object that a cause makes in a role."""
    return ObjectId(uuid5(workspace_id, f"{cause}#{role}"))


async def create(tx: Tx, new: NewObject) -> ObjectVersion:
    """Create an object with its first version; a re-run finds what it made before."""
    object_id = object_id_of(tx.workspace_id, new.cause, new.role)
    created = await execute(
        tx.conn,
        """
        insert into objects (object_id, workspace_id, kind, role, name, task_id, step_key, slot,
                             head_version)
        values (%(object_id)s, %(workspace_id)s, %(kind)s, %(role)s, %(name)s, %(task_id)s,
                %(step_key)s, %(slot)s, 1)
        on conflict do nothing
        """,
        {
            "object_id": object_id,
            "workspace_id": tx.workspace_id,
            "kind": new.kind,
            "role": new.role,
            "name": new.name,
            "task_id": new.task_id,
            "step_key": new.step_key,
            "slot": new.slot,
        },
    )
    if created:
        await _add_version(
            tx,
            object_id,
            1,
            blob=new.blob,
            media_type=new.media_type,
            meta=new.meta or {},
            author=new.author,
            cause=new.cause,
            inputs=new.inputs or [],
        )
    stored = await get(tx.conn, tx.workspace_id, object_id)
    if created:
        tx.emit("object.created", view(stored), task_id=new.task_id)
    return stored


async def put_version(
    tx: Tx,
    object_id: ObjectId,
    *,
    base_version: int,
    blob: Blob,
    media_type: str,
    author: str,
    cause: str,
    scenes: dict[str, str] | None = None,
) -> ObjectVersion:
    """Write the next version on top of the one it was based on, and follow what rests on it.

    `scenes` are the prints of a script's scenes; without them all of it counts as changed. What the
    object itself rests on stays.

    Raises:
        NotFoundError: no such object here.
        VersionConflictError: someone wrote first; read again, then write.
    """
    current = await get(tx.conn, tx.workspace_id, object_id)
    moved = await execute(
        tx.conn,
        """
        update objects
        set head_version = head_version + 1
        where object_id = %(object_id)s
          and head_version = %(base_version)s
        """,
        {"object_id": object_id, "base_version": base_version},
    )
    if not moved:
        raise VersionConflictError(current_version=current.head_version)
    await _add_version(
        tx,
        object_id,
        base_version + 1,
        blob=blob,
        media_type=media_type,
        meta={name: fact for name, fact in current.meta.items() if name != "scenes"}
        | ({"scenes": scenes} if scenes else {}),
        author=author,
        cause=cause,
        inputs=current.inputs,
    )
    await propagation.object_changed(tx, object_id)
    stored = await get(tx.conn, tx.workspace_id, object_id)
    task_id = TaskId(stored.task_id) if stored.task_id else None
    tx.emit("object.version", view(stored), task_id=task_id)
    if task_id is not None:
        tx.touch_task(task_id)  # its plan names the version now
    return stored


async def _add_version(
    tx: Tx,
    object_id: ObjectId,
    version: int,
    *,
    blob: Blob,
    media_type: str,
    meta: dict[str, Any],
    author: str,
    cause: str,
    inputs: list[dict[str, Any]],
) -> None:
    await execute(
        tx.conn,
        """
        insert into object_versions (object_id, version, workspace_id, blob_sha256, media_type,
                                     size, meta, author, cause, inputs)
        values (%(object_id)s, %(version)s, %(workspace_id)s, %(sha256)s, %(media_type)s, %(size)s,
                %(meta)s, %(author)s, %(cause)s, %(inputs)s)
        """,
        {
            "object_id": object_id,
            "version": version,
            "workspace_id": tx.workspace_id,
            "sha256": blob.sha256,
            "media_type": media_type,
            "size": blob.size,
            "meta": Jsonb(meta),
            "author": author,
            "cause": cause,
            "inputs": Jsonb(inputs),
        },
    )


async def give_over(tx: Tx, task_id: TaskId, to: TaskId) -> None:
    """Let a task's objects belong to another one; they are the results of none of its steps."""
    await execute(
        tx.conn,
        """
        update objects
        set task_id = %(to)s, step_key = null, slot = null
        where workspace_id = %(workspace_id)s
          and task_id = %(task_id)s
        """,
        {"to": to, "workspace_id": tx.workspace_id, "task_id": task_id},
    )


async def get(
    conn: Conn, workspace_id: WorkspaceId, object_id: ObjectId, *, version: int | None = None
) -> ObjectVersion:
    """Return an object at a version, by default its newest.

    Raises:
        NotFoundError: there is none, or it is another workspace's.
    """
    found = await fetch_one(
        conn,
        ObjectVersion,
        """
        select o.object_id, o.workspace_id, o.kind, o.role, o.name, o.task_id, o.step_key, o.slot,
               o.head_version, v.version, v.blob_sha256, v.media_type, v.size, v.meta, v.author,
               v.cause, v.inputs, v.created_at
        from objects as o
        join object_versions as v on v.object_id = o.object_id
        where o.workspace_id = %(workspace_id)s
          and o.object_id = %(object_id)s
          and o.deleted_at is null
          and v.version = coalesce(%(version)s::int, o.head_version)
        """,
        {"workspace_id": workspace_id, "object_id": object_id, "version": version},
    )
    if found is None:
        msg = "There is no such object."
        raise NotFoundError(msg)
    return found


async def recent(
    conn: Conn, workspace_id: WorkspaceId, *, limit: int, task_id: TaskId | None = None
) -> list[ObjectVersion]:
    """Return the newest objects at their newest version, newest first."""
    return await fetch_all(
        conn,
        ObjectVersion,
        """
        select o.object_id, o.workspace_id, o.kind, o.role, o.name, o.task_id, o.step_key, o.slot,
               o.head_version, v.version, v.blob_sha256, v.media_type, v.size, v.meta, v.author,
               v.cause, v.inputs, v.created_at
        from objects as o
        join object_versions as v on v.object_id = o.object_id and v.version = o.head_version
        where o.workspace_id = %(workspace_id)s
          and o.deleted_at is null
          and (%(task_id)s::uuid is null or o.task_id = %(task_id)s)
        order by o.created_at desc, o.object_id
        limit %(limit)s
        """,
        {"workspace_id": workspace_id, "task_id": task_id, "limit": limit},
    )


async def of_ids(
    conn: Conn, workspace_id: WorkspaceId, object_ids: Sequence[UUID]
) -> list[ObjectVersion]:
    """Return those of the objects that are here, at their newest version, newest first."""
    return await fetch_all(
        conn,
        ObjectVersion,
        """
        select o.object_id, o.workspace_id, o.kind, o.role, o.name, o.task_id, o.step_key, o.slot,
               o.head_version, v.version, v.blob_sha256, v.media_type, v.size, v.meta, v.author,
               v.cause, v.inputs, v.created_at
        from objects as o
        join object_versions as v on v.object_id = o.object_id and v.version = o.head_version
        where o.workspace_id = %(workspace_id)s
          and o.object_id = any(%(object_ids)s)
          and o.deleted_at is null
        order by o.created_at desc, o.object_id
        """,
        {"workspace_id": workspace_id, "object_ids": list(object_ids)},
    )


async def versions(
    conn: Conn, workspace_id: WorkspaceId, object_id: ObjectId
) -> list[ObjectVersion]:
    """Return every version of an object, newest first."""
    return await fetch_all(
        conn,
        ObjectVersion,
        """
        select o.object_id, o.workspace_id, o.kind, o.role, o.name, o.task_id, o.step_key, o.slot,
               o.head_version, v.version, v.blob_sha256, v.media_type, v.size, v.meta, v.author,
               v.cause, v.inputs, v.created_at
        from objects as o
        join object_versions as v on v.object_id = o.object_id
        where o.workspace_id = %(workspace_id)s
          and o.object_id = %(object_id)s
          and o.deleted_at is null
        order by v.version desc
        """,
        {"workspace_id": workspace_id, "object_id": object_id},
    )


async def task_of(conn: Conn, workspace_id: WorkspaceId, object_id: ObjectId) -> TaskId | None:
    """Return the task that an object belongs to, if it belongs to one."""
    found = await fetch_value(
        conn,
        """
        select task_id
        from objects
        where workspace_id = %(workspace_id)s
          and object_id = %(object_id)s
          and deleted_at is null
        """,
        {"workspace_id": workspace_id, "object_id": object_id},
    )
    return TaskId(found) if found else None


async def tasks_using(conn: Conn, workspace_id: WorkspaceId, object_id: ObjectId) -> list[TaskId]:
    """Return the tasks that an object is bound to: which made it, or made something from it."""
    cursor = await conn.execute(
        """
        select o.task_id
        from objects as o
        where o.workspace_id = %(workspace_id)s
          and o.object_id = %(object_id)s
          and o.deleted_at is null
          and o.task_id is not null
        union
        select o.task_id
        from object_versions as v
        join objects as o on o.object_id = v.object_id
        where v.workspace_id = %(workspace_id)s
          and v.inputs @> %(used)s
          and o.task_id is not null
        """,
        {
            "workspace_id": workspace_id,
            "object_id": object_id,
            "used": Jsonb([{"object_id": str(object_id)}]),
        },
    )
    return [TaskId(row[0]) for row in await cursor.fetchall()]


async def names(
    conn: Conn, workspace_id: WorkspaceId, task_ids: Sequence[UUID], *, limit: int
) -> list[NamedObject]:
    """Return what the tasks' newest objects are called, of each task at most so many."""
    return await fetch_all(
        conn,
        NamedObject,
        """
        select o.task_id, o.object_id, o.name
        from unnest(%(task_ids)s::uuid[]) as t (task_id)
        cross join lateral (
            select task_id, object_id, name, created_at
            from objects
            where workspace_id = %(workspace_id)s
              and task_id = t.task_id
              and deleted_at is null
            order by created_at desc, object_id
            limit %(limit)s
        ) as o
        order by o.created_at desc, o.object_id
        """,
        {"workspace_id": workspace_id, "task_ids": list(task_ids), "limit": limit},
    )


def reference(stored: ObjectVersion) -> dict[str, Any]:
    """Return what a ledger entry or a delivery report says of an object version."""
    return outputs.reference(
        object_id=stored.object_id,
        version=stored.version,
        kind=stored.kind,
        role=stored.role,
        name=stored.name,
        media_type=stored.media_type,
        size=stored.size,
        sha256=stored.blob_sha256,
        meta=stored.meta,
    )


def view(stored: ObjectVersion) -> dict[str, Any]:
    """Return an object as a client sees it."""
    return {
        "id": str(stored.object_id),
        **{key: value for key, value in reference(stored).items() if key != "object_id"},
        "head_version": stored.head_version,
        "task_id": str(stored.task_id) if stored.task_id else None,
        "step_key": stored.step_key,
        "slot": stored.slot,
        "author": stored.author,
        "created_at": stored.created_at.isoformat(),
    }
