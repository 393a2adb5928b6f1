"""Leases are kept from outside the event loop; a lost one cancels its holder and nobody else."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta

import pytest

from execution import jobs, leases
from execution.leases import Lease
from infra.ids import ThreadId
from server.workers.heartbeat import Heart
from tests.database import DatabaseClock
from tests.integration.execution.world import World

LIFE = 1.0


@pytest.fixture
async def heart(world: World) -> AsyncGenerator[Heart]:
    opened = Heart(world.deps.dsn, lease_seconds=LIFE)
    try:
        yield opened
    finally:
        opened.close()


async def hold(heart: Heart, lease: Lease, seconds: float) -> str:
    """Hold a lease for a while; say how that ended."""
    async with heart.keep("turn", lease.turn_id, lease.generation) as beat:
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            return "lost" if beat.lost else "cancelled"
    return "kept"


async def test_a_lease_is_kept_for_longer_than_its_life(world: World, heart: Heart) -> None:
    thread_id = await world.thread()
    lease = await world.held(thread_id, lease_seconds=LIFE)
    assert await hold(heart, lease, LIFE * 1.6) == "kept"
    assert await world.claim(thread_id) is None


async def test_a_lease_that_was_taken_over_cancels_its_holder(
    world: World, heart: Heart, database_clock: DatabaseClock
) -> None:
    thread_id = await world.thread()
    lease = await world.held(thread_id, lease_seconds=LIFE)
    holding = asyncio.ensure_future(hold(heart, lease, 10))
    await asyncio.sleep(0)
    await database_clock.advance(timedelta(seconds=60))
    await world.held(thread_id)
    assert await holding == "lost"


async def test_a_turn_that_its_holder_has_ended_is_not_lost(world: World, heart: Heart) -> None:
    lease = await world.held(await world.thread(), lease_seconds=LIFE)
    async with world.work(lease.fence) as tx:
        seen = await leases.read_wake_seq(tx.conn, ThreadId(lease.thread_id))
        assert await leases.end_turn(tx.conn, lease.fence, wake_seq=seen, outcome="wait")
    assert await hold(heart, lease, LIFE) == "kept"


async def test_a_job_that_its_holder_has_put_off_is_not_lost(world: World, heart: Heart) -> None:
    _, job = await world.new_job()
    async with world.work() as tx:
        await jobs.put_off(tx, job, delay_seconds=60)
    async with heart.keep("job", job.job_id, job.generation) as beat:
        await asyncio.sleep(LIFE / 2)
    assert not beat.lost
