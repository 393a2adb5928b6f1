"""Objects: one identity, versions that never change, and no write over somebody else's."""

import asyncio
from typing import Any

import psycopg
import pytest

from execution.errors import NotFoundError
from infra.blobs import Blob
from infra.ids import ObjectId, TaskId, new_id
from tests.integration.execution.world import World
from workspace import objects
from workspace.errors import VersionConflictError
from workspace.objects import NewObject, ObjectVersion


def blob(name: str = "a") -> Blob:
    return Blob(sha256=name * 64, size=len(name), media_type="text/markdown")


async def create(world: World, cause: str = "turn/1/1", **given: Any) -> ObjectVersion:
    new = NewObject(
        **{
            "kind": "document",
            "role": "script",
            "name": "Script",
            "blob": blob(),
            "media_type": "text/markdown",
            "author": "agent",
            "cause": cause,
            **given,
        }
    )
    async with world.work() as tx:
        return await objects.create(tx, new)


async def write(world: World, object_id: Any, base: int, name: str = "b") -> ObjectVersion:
    async with world.work() as tx:
        return await objects.put_version(
            tx,
            ObjectId(object_id),
            base_version=base,
            blob=blob(name),
            media_type="text/markdown",
            author="user",
            cause=str(new_id()),
        )


async def test_one_cause_makes_one_object_whoever_runs_it_again(world: World) -> None:
    made = await asyncio.gather(*(create(world) for _ in range(6)))
    assert len({each.object_id for each in made}) == 1
    assert await world.value("select count(*) from object_versions") == 1
    created = "select count(*) from events where type = 'object.created'"
    assert await world.value(created) == 1


async def test_a_second_run_does_not_replace_what_the_first_one_made(world: World) -> None:
    first = await create(world)
    again = await create(world, blob=blob("z"), name="Another")
    assert (again.blob_sha256, again.name) == (first.blob_sha256, "Script")


async def test_one_cause_makes_an_object_per_role(world: World) -> None:
    sound = await create(world, role="narration", kind="audio")
    words = await create(world, role="timings", kind="timings")
    assert sound.object_id != words.object_id


async def test_a_version_is_written_on_top_of_the_one_it_was_based_on(world: World) -> None:
    made = await create(world)
    second = await write(world, made.object_id, 1)
    assert (second.version, second.head_version, second.author) == (2, 2, "user")
    async with world.conn() as conn:
        found = await objects.versions(conn, world.workspace_id, ObjectId(made.object_id))
        first = await objects.get(conn, world.workspace_id, ObjectId(made.object_id), version=1)
    assert [each.version for each in found] == [2, 1]
    assert first.blob_sha256 == made.blob_sha256


async def test_a_write_on_an_older_version_is_refused_and_says_what_is_current(
    world: World,
) -> None:
    made = await create(world)
    await write(world, made.object_id, 1)
    for base in (1, 0, 3):
        with pytest.raises(VersionConflictError) as refused:
            await write(world, made.object_id, base)
        assert refused.value.current_version == 2
    assert await world.value("select count(*) from object_versions") == 2


async def test_of_eight_writers_on_one_version_one_wins(world: World) -> None:
    made = await create(world)
    for base in range(1, 6):
        results = await asyncio.gather(
            *(write(world, made.object_id, base, str(number)) for number in range(8)),
            return_exceptions=True,
        )
        assert sum(isinstance(each, ObjectVersion) for each in results) == 1
        assert sum(isinstance(each, VersionConflictError) for each in results) == 7
    assert await world.value("select head_version from objects") == 6
    assert await world.value("select count(*) from object_versions") == 6


async def test_the_versions_of_an_object_are_numbered_without_gaps(world: World) -> None:
    made = await create(world)
    for base in range(1, 5):
        await write(world, made.object_id, base)
    assert await world.rows("select version from object_versions order by 1") == [
        (number,) for number in range(1, 6)
    ]


async def test_a_version_is_never_stored_twice(world: World) -> None:
    await create(world)
    with pytest.raises(psycopg.errors.UniqueViolation):
        await world.run("insert into object_versions select * from object_versions")


async def test_an_object_outlives_what_its_task_becomes(world: World) -> None:
    task_id = await world.task()
    made = await create(world, task_id=task_id)
    await world.run("update tasks set status = 'stopped', reason = 'x', archived_at = app_now()")
    async with world.conn() as conn:
        found = await objects.get(conn, world.workspace_id, ObjectId(made.object_id))
        assert await objects.task_of(conn, world.workspace_id, ObjectId(made.object_id)) == task_id
    assert found == made


async def test_a_deleted_object_is_not_there(world: World) -> None:
    made = await create(world)
    await world.run("update objects set deleted_at = app_now()")
    async with world.conn() as conn:
        with pytest.raises(NotFoundError, match="no such object"):
            await objects.get(conn, world.workspace_id, ObjectId(made.object_id))
        assert await objects.recent(conn, world.workspace_id, limit=5) == []
        assert await objects.versions(conn, world.workspace_id, ObjectId(made.object_id)) == []
    with pytest.raises(NotFoundError):
        await write(world, made.object_id, 1)


async def test_what_went_in_is_kept_with_the_version(world: World) -> None:
    source = [{"object_id": str(new_id()), "version": 3, "sha256": "c" * 64}]
    made = await create(world, kind="video", role="clip", inputs=source)
    assert made.inputs == source


async def test_the_newest_objects_of_a_task_come_first(world: World) -> None:
    task_id = await world.task()
    names = [(await create(world, f"turn/1/{n}", name=str(n), task_id=task_id)).name for n in "123"]
    await create(world, "turn/2/1", name="elsewhere")
    async with world.conn() as conn:
        mine = await objects.recent(conn, world.workspace_id, limit=9, task_id=task_id)
        none = await objects.recent(conn, world.workspace_id, limit=9, task_id=TaskId(new_id()))
        two = await objects.recent(conn, world.workspace_id, limit=2)
    assert [each.name for each in mine] == names[::-1]
    assert none == []
    assert [each.name for each in two] == ["elsewhere", "3"]
