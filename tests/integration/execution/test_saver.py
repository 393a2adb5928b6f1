"""The fenced checkpointer: the holder writes, the head decides what is newest, clocks do not."""

import asyncio
import warnings
from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint
from langgraph.checkpoint.conformance.initializer import checkpointer_test
from langgraph.checkpoint.conformance.test_utils import generate_checkpoint, generate_metadata
from langgraph.checkpoint.conformance.validate import validate

from execution.errors import StaleLeaseError
from execution.leases import Lease
from execution.saver import GENERATION, FencedSaver
from tests.database import DatabaseClock
from tests.integration.execution.world import LEASE_SECONDS, World

SLOW = "1e000000-0000-6000-8000-00000000000{}"
"""Checkpoint ids of a worker whose clock is years behind: they sort before every true one."""


@pytest.fixture
async def saver(world: World) -> FencedSaver:
    return FencedSaver(world.deps.pools.checkpoints)


def config(lease: Lease, parent: str | None = None, **given: Any) -> RunnableConfig:
    configurable: dict[str, Any] = {
        "thread_id": str(lease.thread_id),
        "checkpoint_ns": "",
        GENERATION: lease.generation,
        **given,
    }
    if parent is not None:
        configurable["checkpoint_id"] = parent
    return {"configurable": configurable}


def reading(lease: Lease) -> RunnableConfig:
    return {"configurable": {"thread_id": str(lease.thread_id)}}


def point(value: str, *, checkpoint_id: str | None = None) -> Checkpoint:
    return generate_checkpoint(
        checkpoint_id=checkpoint_id,
        channel_values={"said": value},
        channel_versions={"said": f"00000000000000000000000000000001.{abs(hash(value)) / 2**64}"},
    )


async def put(
    saver: FencedSaver,
    lease: Lease,
    value: str,
    *,
    parent: str | None = None,
    checkpoint_id: str | None = None,
) -> str:
    made = point(value, checkpoint_id=checkpoint_id)
    saved = await saver.aput(
        config(lease, parent), made, generate_metadata(), made["channel_versions"]
    )
    assert saved["configurable"][GENERATION] == lease.generation
    return str(saved["configurable"]["checkpoint_id"])


async def newest(saver: FencedSaver, lease: Lease) -> str | None:
    found = await saver.aget_tuple(reading(lease))
    return found.checkpoint["channel_values"]["said"] if found else None


async def taken_over(world: World, clock: DatabaseClock, lease: Lease) -> Lease:
    await clock.advance(timedelta(seconds=LEASE_SECONDS + 1))
    return await world.held(lease.thread_id)


async def count(world: World, table: str, lease: Lease) -> int:
    assert table in ("checkpoints", "checkpoint_writes")
    statement = (
        "select count(*) from checkpoints where thread_id = %s"
        if table == "checkpoints"
        else "select count(*) from checkpoint_writes where thread_id = %s"
    )
    return await world.value(statement, str(lease.thread_id))


async def test_it_passes_the_library_s_conformance_suite_on_threads_it_does_not_know(
    world: World,
) -> None:
    @checkpointer_test(name="FencedSaver")
    async def factory() -> AsyncGenerator[FencedSaver]:
        yield FencedSaver(world.deps.pools.checkpoints)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        report = await validate(factory)
    failures = [
        f"{name}: {failure}"
        for name, result in report.results.items()
        for failure in result.failures or []
    ]
    assert failures == []
    passed = {name for name, result in report.results.items() if result.passed}
    assert {"put", "put_writes", "get_tuple", "list", "delete_thread"} <= passed
    assert sum(result.tests_passed for result in report.results.values()) > 30


async def test_a_checkpoint_moves_the_head_and_is_read_back(
    world: World, saver: FencedSaver
) -> None:
    lease = await world.held(await world.thread())
    assert await newest(saver, lease) is None
    first = await put(saver, lease, "one")
    await put(saver, lease, "two", parent=first)
    assert await newest(saver, lease) == "two"


async def test_the_newest_is_what_was_committed_last_not_what_a_clock_says(
    world: World, saver: FencedSaver
) -> None:
    lease = await world.held(await world.thread())
    first = await put(saver, lease, "by a true clock")
    slow = await put(saver, lease, "by a slow clock", parent=first, checkpoint_id=SLOW.format(1))
    assert slow < first
    assert await newest(saver, lease) == "by a slow clock"
    await put(saver, lease, "and on", parent=slow, checkpoint_id=SLOW.format(2))
    assert await newest(saver, lease) == "and on"


async def test_of_two_writers_on_one_parent_one_is_refused(
    world: World, saver: FencedSaver
) -> None:
    lease = await world.held(await world.thread())
    parent = await put(saver, lease, "parent")
    for number in range(20):
        results = await asyncio.gather(
            put(saver, lease, f"left {number}", parent=parent),
            put(saver, lease, f"right {number}", parent=parent),
            return_exceptions=True,
        )
        written = [result for result in results if isinstance(result, str)]
        refused = [result for result in results if isinstance(result, StaleLeaseError)]
        assert (len(written), len(refused)) == (1, 1)
        parent = written[0]
    assert await count(world, "checkpoints", lease) == 21


async def test_the_chain_of_a_thread_is_a_line(world: World, saver: FencedSaver) -> None:
    lease = await world.held(await world.thread())
    parent: str | None = None
    for number in range(4):
        parent = await put(saver, lease, str(number), parent=parent)
        with pytest.raises(StaleLeaseError):
            await put(saver, lease, "a branch", parent=None if number else SLOW.format(9))
    parents = await world.rows(
        "select parent_checkpoint_id, count(*) from checkpoints group by 1 having count(*) > 1"
    )
    assert parents == []


async def test_a_thawed_writer_is_refused_and_changes_nothing(
    world: World, saver: FencedSaver, database_clock: DatabaseClock
) -> None:
    frozen = await world.held(await world.thread())
    parent = await put(saver, frozen, "before")
    live = await taken_over(world, database_clock, frozen)
    head = await put(saver, live, "after", parent=parent)
    with pytest.raises(StaleLeaseError):
        await put(saver, frozen, "thawed", parent=parent)
    with pytest.raises(StaleLeaseError):
        await put(saver, frozen, "thawed on the new head", parent=head)
    with pytest.raises(StaleLeaseError):
        await saver.aput_writes(config(frozen, head), [("said", "thawed")], "task")
    assert await newest(saver, live) == "after"
    assert await count(world, "checkpoints", live) == 2
    assert await count(world, "checkpoint_writes", live) == 0


async def test_writes_of_the_holder_are_kept(world: World, saver: FencedSaver) -> None:
    lease = await world.held(await world.thread())
    head = await put(saver, lease, "head")
    await saver.aput_writes(config(lease, head), [("said", "pending")], "task")
    found = await saver.aget_tuple(reading(lease))
    assert found is not None
    assert found.pending_writes == [("task", "said", "pending")]


async def test_a_write_without_a_generation_is_refused_on_a_fenced_thread(
    world: World, saver: FencedSaver
) -> None:
    lease = await world.held(await world.thread())
    head = await put(saver, lease, "head")
    bare: RunnableConfig = {
        "configurable": {
            "thread_id": str(lease.thread_id),
            "checkpoint_ns": "",
            "checkpoint_id": head,
        }
    }
    made = point("studio")
    with pytest.raises(StaleLeaseError, match="written by its holder only"):
        await saver.aput(bare, made, generate_metadata(), made["channel_versions"])
    with pytest.raises(StaleLeaseError, match="written by its holder only"):
        await saver.aput_writes(bare, [("said", "studio")], "task")
    assert await newest(saver, lease) == "head"


async def test_a_checkpoint_that_was_not_committed_moves_no_head(
    world: World, saver: FencedSaver
) -> None:
    lease = await world.held(await world.thread())
    first = await put(saver, lease, "one")
    broken = point("two")
    broken["channel_values"]["said"] = object()
    with pytest.raises(TypeError):
        await saver.aput(
            config(lease, first), broken, generate_metadata(), broken["channel_versions"]
        )
    assert await newest(saver, lease) == "one"
    await put(saver, lease, "two", parent=first)
    assert await newest(saver, lease) == "two"


async def test_after_lost_checkpoints_a_first_one_takes_the_head(
    world: World, saver: FencedSaver
) -> None:
    lease = await world.held(await world.thread())
    await put(saver, lease, "lost")
    await world.run("delete from checkpoints")
    assert await newest(saver, lease) is None
    await put(saver, lease, "anew")
    assert await newest(saver, lease) == "anew"
    with pytest.raises(StaleLeaseError):
        await put(saver, lease, "a second beginning")


async def test_an_older_checkpoint_is_read_by_its_id(world: World, saver: FencedSaver) -> None:
    lease = await world.held(await world.thread())
    first = await put(saver, lease, "one")
    await put(saver, lease, "two", parent=first)
    found = await saver.aget_tuple(config(lease, first))
    assert found is not None
    assert found.checkpoint["channel_values"]["said"] == "one"


async def test_a_thread_with_any_other_name_is_the_library_s(
    world: World, saver: FencedSaver
) -> None:
    free: RunnableConfig = {"configurable": {"thread_id": "studio-7", "checkpoint_ns": ""}}
    made = point("free")
    await saver.aput(free, made, generate_metadata(), made["channel_versions"])
    found = await saver.aget_tuple({"configurable": {"thread_id": "studio-7"}})
    assert found is not None
    assert found.checkpoint["channel_values"]["said"] == "free"
    assert UUID(str(found.config["configurable"]["checkpoint_id"]))
