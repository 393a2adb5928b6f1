"""A job has one owner at a time, moves only up its ladder, and is one per call."""

import asyncio
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from execution import jobs, ledger
from execution.errors import StaleLeaseError
from execution.jobs import RENEW, Job
from infra.ids import JobId
from infra.providers.ports import Lane, ProviderError
from server.workers import endings
from tests.database import DatabaseClock
from tests.integration.execution.world import LEASE_SECONDS, World

PHASES = ("queued", "running", "unknown", "succeeded", "failed", "cancelled")
ENDS = ("succeeded", "failed", "cancelled")


async def set_phase(world: World, job: Job, name: str, **given: Any) -> bool:
    async with world.work() as tx:
        return await jobs.set_phase(tx, job, name, event_type="job.progress", **given)


async def renew(world: World, job: Job) -> bool:
    values = {
        "lease": timedelta(seconds=LEASE_SECONDS),
        "id": job.job_id,
        "generation": job.generation,
    }
    async with world.conn() as conn:
        return (await conn.execute(RENEW, values)).rowcount == 1


async def reclaim(world: World, clock: DatabaseClock, job: Job) -> Job:
    await clock.advance(timedelta(seconds=LEASE_SECONDS + 1))
    claimed = await world.claim_job(JobId(job.job_id))
    assert claimed is not None
    return claimed


async def test_a_call_becomes_one_job_whoever_hands_it_over(world: World) -> None:
    task_id = await world.task(limit=100)
    lease = await world.held(task_id)
    call_key = await world.call(lease, await world.step(lease), price=100)
    made = await asyncio.gather(*(world.job(task_id, call_key) for _ in range(6)))
    assert len(set(made)) == 1
    assert await world.value("select count(*) from jobs") == 1
    submitted = "select count(*) from events where type = 'job.submitted'"
    assert await world.value(submitted) == 1


async def test_a_job_s_id_follows_from_its_call_and_its_workspace(world: World) -> None:
    mine = jobs.job_id_of(world.workspace_id, "turn/1/1")
    assert mine == jobs.job_id_of(world.workspace_id, "turn/1/1")
    assert mine != jobs.job_id_of(world.workspace_id, "turn/1/2")
    assert mine != jobs.job_id_of(await world.workspace(), "turn/1/1")


async def test_of_eight_executors_one_gets_the_job(world: World) -> None:
    task_id = await world.task()
    lease = await world.held(task_id)
    call_key = await world.call(lease, await world.step(lease))
    job_id = await world.job(task_id, call_key)
    claims = await asyncio.gather(*(world.claim_job(job_id) for _ in range(8)))
    assert sum(claim is not None for claim in claims) == 1


async def test_a_job_is_claimed_again_only_when_its_lease_is_over(
    world: World, database_clock: DatabaseClock
) -> None:
    _, job = await world.new_job()
    assert await world.claim_job(JobId(job.job_id)) is None
    assert await renew(world, job)
    second = await reclaim(world, database_clock, job)
    assert (second.generation, second.attempts) == (job.generation + 1, 2)
    assert not await renew(world, job)


async def test_a_job_that_was_put_off_is_due_later_and_free(
    world: World, database_clock: DatabaseClock
) -> None:
    _, job = await world.new_job()
    async with world.work() as tx:
        await jobs.put_off(tx, job, delay_seconds=60)
    assert await world.claim_job(JobId(job.job_id)) is None
    async with world.conn() as conn:
        assert await jobs.due(conn) == {}
    await database_clock.advance(timedelta(seconds=61))
    async with world.conn() as conn:
        assert await jobs.due(conn) == {job.job_id: Lane.HERE}
    assert await world.claim_job(JobId(job.job_id)) is not None


async def test_a_closed_job_is_never_due_again(world: World, database_clock: DatabaseClock) -> None:
    _, job = await world.new_job()
    async with world.work() as tx:
        await jobs.close(tx, job)
    await database_clock.advance(timedelta(days=1))
    async with world.conn() as conn:
        assert await jobs.due(conn) == {}
    assert await world.claim_job(JobId(job.job_id)) is None


async def test_an_end_is_never_left(world: World) -> None:
    for end in ENDS:
        _, job = await world.new_job()
        assert await set_phase(world, job, end)
        for later in PHASES:
            assert not await set_phase(world, job, later)
        stored = await world.value("select phase from jobs where job_id = %s", job.job_id)
        assert stored == end


async def test_a_running_job_is_never_queued_again(world: World) -> None:
    _, job = await world.new_job()
    assert await set_phase(world, job, "running", progress=0.6)
    assert not await set_phase(world, job, "queued")
    assert await set_phase(world, job, "running", progress=0.2)
    assert await world.value("select progress from jobs") == pytest.approx(0.6)


async def test_a_provider_s_id_once_known_is_not_forgotten(world: World) -> None:
    _, job = await world.new_job()
    await set_phase(world, job, "running", provider_job_id="p-1", provider_ref={"url": "u"})
    await set_phase(world, job, "running", progress=0.5)
    assert await world.rows("select provider_job_id, provider_ref from jobs") == [
        ("p-1", {"url": "u"})
    ]


async def test_a_thawed_executor_changes_nothing(
    world: World, database_clock: DatabaseClock
) -> None:
    _, frozen = await world.new_job(price=100)
    live = await reclaim(world, database_clock, frozen)
    assert not await set_phase(world, frozen, "failed")

    async def check(job: Job) -> None:
        async with world.work() as tx:
            await jobs.check(tx, job)

    async def fail(job: Job) -> None:
        async with world.work() as tx:
            await endings.fail(tx, job, ProviderError("too late"), charge=None)

    async def cancel(job: Job) -> None:
        async with world.work() as tx:
            await endings.cancel(tx, job)

    for ending in (check, fail, cancel):
        with pytest.raises(StaleLeaseError):
            await ending(frozen)
    async with world.work() as tx:
        await jobs.put_off(tx, frozen, delay_seconds=999)
        await jobs.close(tx, frozen)
    assert await world.rows(
        "select phase, generation, closed_at, due_at <= app_now() from jobs"
    ) == [("queued", live.generation, None, True)]
    assert await world.rows("select status, settled_micros from holds") == [("held", 0)]
    await check(live)


async def test_an_ended_job_is_let_to_nobody(world: World) -> None:
    _, job = await world.new_job()
    async with world.work() as tx:
        await jobs.close(tx, job)

    async def check() -> None:
        async with world.work() as tx:
            await jobs.check(tx, job)

    with pytest.raises(StaleLeaseError):
        await check()


async def test_a_call_gets_its_end_once(world: World) -> None:
    _, job = await world.new_job(price=100)
    async with world.work() as tx:
        assert await ledger.finish(
            tx, job.call_key, status="settled", outcome="succeeded", result={"outputs": []}
        )
        assert not await ledger.finish(
            tx, job.call_key, status="settled", outcome="failed", result={}
        )
        assert not await ledger.advance(tx, job.call_key, "held", leaving=("submitting",))
    assert await world.rows("select status, outcome from ledger") == [("settled", "succeeded")]


async def test_a_call_moves_up_only_from_where_it_is_said_to_be(world: World) -> None:
    _, job = await world.new_job()
    async with world.work() as tx:
        assert not await ledger.advance(tx, job.call_key, "accepted", leaving=("submitting",))
        assert await ledger.advance(tx, job.call_key, "submitting", leaving=("held",))
        assert not await ledger.advance(tx, job.call_key, "submitting", leaving=("held",))
        assert await ledger.advance(tx, job.call_key, "accepted", leaving=("submitting",))


async def test_a_deadline_passes_by_the_database_clock(
    world: World, database_clock: DatabaseClock
) -> None:
    _, job = await world.new_job(seconds=60)
    async with world.conn() as conn:
        assert not await jobs.is_overdue(conn, JobId(job.job_id))
    await database_clock.advance(timedelta(seconds=61))
    async with world.conn() as conn:
        assert await jobs.is_overdue(conn, JobId(job.job_id))


async def test_the_tables_refuse_states_that_are_none(world: World) -> None:
    await world.new_job()
    for statement in (
        "update jobs set phase = 'lost'",
        "update ledger set status = 'paid'",
        "update ledger set refusal = 'budget'",
        "update holds set status = 'gone'",
    ):
        with pytest.raises(psycopg.errors.CheckViolation):
            await world.run(statement)
