"""How long work takes is measured from the jobs of this installation, once there are enough."""

from datetime import timedelta

import pytest

from execution import durations, jobs
from execution.durations import FEWEST, Measured
from tests.database import DatabaseClock
from tests.integration.execution.world import World


async def took(
    world: World, clock: DatabaseClock, seconds: float, *, media_s: float = 0, phase: str = ""
) -> None:
    """A job that waited a minute for its turn and then took so long."""
    task_id = await world.task()
    lease = await world.held(task_id)
    call_key = await world.call(lease, await world.step(lease))
    job_id = await world.job(task_id, call_key)
    async with world.conn() as conn:
        await conn.execute(
            "update jobs set request = jsonb_build_object('payload',"
            " jsonb_build_object('duration_s', %s::float8)) where job_id = %s",
            (media_s, job_id),
        )
    await clock.advance(timedelta(minutes=1))
    job = await world.claim_job(job_id)
    assert job is not None
    await clock.advance(timedelta(seconds=seconds))
    async with world.work() as tx:
        ended = phase or "succeeded"
        await jobs.set_phase(tx, job, ended, event_type=f"job.{ended}")
        await jobs.close(tx, job)


async def known(world: World) -> dict[tuple[str, str], Measured]:
    async with world.conn() as conn:
        return await durations.measured(conn)


async def test_the_middle_of_enough_jobs_counts_from_when_they_were_taken_up(
    world: World, database_clock: DatabaseClock
) -> None:
    for seconds in (200, 300, 400, 50_000):
        await took(world, database_clock, seconds, media_s=100)
    assert await known(world) == {}, f"fewer than {FEWEST} say nothing"
    await took(world, database_clock, 90_000, phase="failed")
    assert await known(world) == {}, "what failed says nothing"
    await took(world, database_clock, 500, media_s=100)
    found = (await known(world))["image", "scripted"]
    assert found.samples == FEWEST
    # The test's own time goes by as well: a fraction of what was waited for.
    assert found.per_call_s == pytest.approx(400, rel=0.05)
    assert found.per_second_s == pytest.approx(4, rel=0.05)
    assert found.expected_s(6) == pytest.approx(24, rel=0.05)
    assert found.expected_s(0) == found.per_call_s


async def test_work_without_a_length_is_measured_by_the_call(
    world: World, database_clock: DatabaseClock
) -> None:
    for _ in range(FEWEST):
        await took(world, database_clock, 700)
    found = (await known(world))["image", "scripted"]
    assert found.per_second_s is None
    assert found.expected_s(30) == pytest.approx(700, rel=0.05)
