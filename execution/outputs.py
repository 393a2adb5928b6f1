"""How calls, plans and deliveries name object versions, and which one stands in a result's place.

A call's result names for ever what was made. What people alone have written on top of that stands
in its place since, wherever the result is shown, used, checked or delivered. Reads `objects` and
`object_versions`, and writes neither.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from infra.db.query import Conn, fetch_all

type Reference = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Newer:
    """A version that people have put on top of what was made."""

    object_id: UUID
    version: int
    kind: str
    role: str
    name: str
    media_type: str
    size: int
    sha256: str
    meta: dict[str, Any]


def reference(
    *,
    object_id: UUID,
    version: int,
    kind: str,
    role: str,
    name: str,
    media_type: str,
    size: int,
    sha256: str,
    meta: dict[str, Any],
) -> Reference:
    """Return what a ledger entry or a delivery report says of an object version."""
    return {
        "object_id": str(object_id),
        "version": version,
        "kind": kind,
        "role": role,
        "name": name,
        "media_type": media_type,
        "size": size,
        "sha256": sha256,
        "meta": meta,
        "url": f"/v1/objects/{object_id}/content?version={version}",
    }


def standing(made: Iterable[Reference], newer: Mapping[str, Reference]) -> list[Reference]:
    """Return what stands in the place of what was made."""
    return [newer.get(each["object_id"], each) for each in made]


async def newer(conn: Conn, made: Collection[Reference]) -> dict[str, Reference]:
    """Return the newest versions that people alone have put on top of these, by their objects."""
    if not made:
        return {}
    found = await fetch_all(
        conn,
        _Newer,
        """
        select distinct on (o.object_id) o.object_id, v.version, o.kind, o.role, o.name,
               v.media_type, v.size, v.blob_sha256 as sha256, v.meta
        from unnest(%(object_ids)s::uuid[], %(versions)s::int[]) as made (object_id, version)
        join objects as o on o.object_id = made.object_id
        join object_versions as v on v.object_id = o.object_id and v.version > made.version
        where o.deleted_at is null
          and not exists (
              select 1
              from object_versions as between_them
              where between_them.object_id = v.object_id
                and between_them.version > made.version
                and between_them.version <= v.version
                and between_them.author <> 'user'
          )
        order by o.object_id, v.version desc
        """,
        {
            "object_ids": [UUID(each["object_id"]) for each in made],
            "versions": [each["version"] for each in made],
        },
    )
    return {str(each.object_id): reference(**asdict(each)) for each in found}
