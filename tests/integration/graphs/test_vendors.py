"""Several providers: another one's turn, work that nobody wants any more, news of a job."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

import pytest

from execution import jobs, tasks
from execution.approvals import Decision
from execution.transactions import work
from infra.ids import JobId, TaskId
from infra.providers.ports import Lookup, NotDeliveredError
from tests.database import DatabaseClock
from tests.harness import calls
from tests.integration.graphs.conftest import OpenStage
from tests.integration.graphs.stage import (
    PRICE,
    Behaviour,
    Model,
    Stage,
    Vendor,
    concept,
    fill,
    picture,
    plan,
    routed,
)
from tests.invariants import check

SOON = timedelta(seconds=61)


@dataclass
class Books:
    orders: list[UUID]
    billed: dict[UUID, int]


@dataclass
class Both:
    """Two vendors that offer the same."""

    first: Vendor
    second: Vendor

    async def check(self, stage: Stage) -> None:
        """Everything in `tests.invariants`, on the books of both."""
        books = Books(
            orders=self.first.orders + self.second.orders,
            billed=self.first.billed | self.second.billed,
        )
        async with stage.machine.deps.pools.domain.connection() as conn:
            await check(conn, books, prompts=stage.model.prompts)


@pytest.fixture
def both() -> Both:
    return Both(first=Vendor(name="first"), second=Vendor(name="second"))


@pytest.fixture
async def pair(open_stage: OpenStage, both: Both) -> AsyncGenerator[Stage]:
    async with open_stage(
        model=Model(route=routed()), vendor=both.first, others=[both.second]
    ) as opened:
        yield opened


async def approve(stage: Stage) -> None:
    (question,) = await stage.machine.pending()
    await stage.machine.decide(question, Decision.APPROVE)
    await stage.machine.drain()


async def providers(stage: Stage) -> list[tuple[str, str]]:
    rows = await stage.machine.rows("select provider, phase from jobs order by created_at, slot")
    return [(row[0], row[1]) for row in rows]


async def stop(stage: Stage, task_id: TaskId) -> None:
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        await tasks.stop(tx, task_id)
    await stage.machine.drain()


@pytest.mark.parametrize("told", ["failed", "rejected", "quota"])
async def test_a_place_that_failed_at_one_provider_is_ordered_at_the_next(
    pair: Stage, both: Both, told: Behaviour
) -> None:
    both.first.behaviours = {1: told}
    pair.model.answers[:] = [plan(2), concept(), fill, fill]
    task_id = await pair.begin()
    await approve(pair)
    assert sorted(await providers(pair)) == [
        ("first", "failed"),
        ("first", "succeeded"),
        ("second", "succeeded"),
    ]
    (again,) = await pair.machine.rows(
        "select slot from jobs where provider = 'second' and phase = 'succeeded'"
    )
    assert await pair.machine.rows("select slot from jobs where phase = 'failed'") == [again]
    assert (await pair.task(task_id))[0] == "completed"
    await both.check(pair)


async def test_a_single_picture_that_failed_at_one_provider_is_ordered_at_the_next(
    pair: Stage, both: Both
) -> None:
    both.first.behaviours = {1: "failed"}
    pair.model.route[:] = routed("lightweight")
    pair.model.answers[:] = [picture(), picture()]
    await pair.begin()
    assert await providers(pair) == [("first", "failed"), ("second", "succeeded")]
    await both.check(pair)


async def test_a_job_whose_provider_is_gone_says_so_and_goes_on_when_it_is_back(
    pair: Stage, both: Both, database_clock: DatabaseClock
) -> None:
    both.first.default = "slow"
    pair.model.route[:] = routed("lightweight")
    pair.model.answers[:] = [picture()]
    await pair.begin()
    there = pair.machine.deps.providers
    gone = {name: each for name, each in there.items() if name != "first"}
    pair.machine.executor._deps = replace(pair.machine.deps, providers=gone)
    await database_clock.advance(SOON)
    await pair.machine.drain()
    ((error,),) = await pair.machine.rows("select error from jobs")
    assert error["code"] == "provider_gone"
    pair.machine.executor._deps = pair.machine.deps
    both.first.ready = True
    await database_clock.advance(SOON)
    await pair.machine.drain()
    assert await providers(pair) == [("first", "succeeded")]
    await both.check(pair)


async def test_a_provider_that_cannot_be_reached_is_left_for_another_after_a_few_tries(
    pair: Stage, both: Both, database_clock: DatabaseClock
) -> None:
    both.first.default = "not_delivered"
    pair.model.answers[:] = [plan(1), concept(), fill, fill]
    await pair.begin()
    await approve(pair)
    for _ in range(4):
        await database_clock.advance(SOON)
        await pair.machine.drain()
    assert await providers(pair) == [("first", "failed"), ("second", "succeeded")]
    assert len(both.first.requests) == 4
    await both.check(pair)


async def test_a_provider_that_has_room_soon_is_waited_for(
    pair: Stage, both: Both, database_clock: DatabaseClock
) -> None:
    both.first.behaviours, both.first.quota_for_s = {1: "quota"}, 7.0
    pair.model.answers[:] = [plan(1), concept(), fill]
    await pair.begin()
    await approve(pair)
    await database_clock.advance(timedelta(seconds=8))
    await pair.machine.drain()
    assert await providers(pair) == [("first", "succeeded")]
    assert both.second.requests == []
    await both.check(pair)


async def test_a_dearer_provider_beyond_the_budget_is_asked_about(pair: Stage, both: Both) -> None:
    both.first.behaviours = {1: "failed"}
    both.second.prices["image"] = 40 * PRICE
    pair.model.answers[:] = [plan(1), concept(), fill, fill]
    task_id = await pair.begin()
    await approve(pair)
    assert both.second.requests == []
    (question,) = await pair.machine.pending()
    assert question.price_micros == 40 * PRICE
    assert (await pair.task(task_id))[:2] == ("waiting", "budget")
    await both.check(pair)
    await approve(pair)
    assert await providers(pair) == [("first", "failed"), ("second", "succeeded")]
    await both.check(pair)


async def test_what_a_policy_refused_is_sent_nowhere_unchanged(pair: Stage, both: Both) -> None:
    both.first.behaviours = {1: "policy"}
    pair.model.route[:] = routed("lightweight")
    reworded = picture(prompt="a quieter harbour")
    pair.model.answers[:] = [picture(), picture(), reworded, calls(say="Here it is.")]
    await pair.begin()
    assert await pair.ledger() == [
        ("settled", "failed"),
        ("rejected", "refused"),
        ("settled", "succeeded"),
    ]
    assert "not sent again unchanged" in pair.model.tool_messages()[1]
    assert (len(both.first.requests), len(both.second.requests)) == (1, 1)
    await both.check(pair)


@pytest.fixture
def running(stage: Stage) -> Stage:
    """One picture is being made when the task is stopped."""
    stage.vendor.default = "slow"
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]
    return stage


async def test_a_stop_asks_the_provider_once_and_pays_what_it_charged(
    running: Stage, database_clock: DatabaseClock
) -> None:
    task_id = await running.begin()
    await stop(running, task_id)
    assert running.vendor.cancelled == running.vendor.orders
    assert await providers(running) == [("vendor", "cancelled")]
    assert await running.ledger() == [("settled", "cancelled")]
    assert (await running.money())[1:] == (0, PRICE, 0)
    await database_clock.advance(SOON)
    await running.machine.drain()
    assert len(running.vendor.cancelled) == 1
    await running.check()


async def test_a_provider_that_works_on_after_a_cancel_is_read_to_its_end(
    running: Stage, database_clock: DatabaseClock
) -> None:
    running.vendor.heeds_cancels = False
    task_id = await running.begin()
    await stop(running, task_id)
    assert await running.ledger() == [("cancel_requested", None)]
    running.vendor.ready = True
    await database_clock.advance(SOON)
    await running.machine.drain()
    assert len(running.vendor.cancelled) == 1
    assert await running.ledger() == [("settled", "succeeded")]
    assert await running.machine.rows("select count(*) from objects") == [(1,)]
    assert (await running.task(task_id))[0] == "stopped"
    assert len(running.model.prompts) == 1, "a late result wakes nobody"
    await running.check()


async def test_a_cancel_that_did_not_arrive_is_sent_again(
    running: Stage, database_clock: DatabaseClock
) -> None:
    running.vendor.cancel_fails = [NotDeliveredError("away")]
    task_id = await running.begin()
    await stop(running, task_id)
    assert running.vendor.cancelled == []
    await database_clock.advance(SOON)
    await running.machine.drain()
    assert running.vendor.cancelled == running.vendor.orders
    assert await running.ledger() == [("settled", "cancelled")]
    await running.check()


async def test_a_provider_that_cannot_cancel_is_not_asked(
    running: Stage, database_clock: DatabaseClock
) -> None:
    running.vendor.can_cancel = "none"
    task_id = await running.begin()
    await stop(running, task_id)
    assert running.vendor.cancelled == []
    running.vendor.ready = True
    await database_clock.advance(SOON)
    await running.machine.drain()
    assert await running.ledger() == [("settled", "succeeded")]
    await running.check()


async def test_what_a_stop_cancelled_counts_as_no_try_when_the_task_goes_on(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.vendor.default, stage.vendor.cancels_for_free = "slow", True
    stage.model.answers[:] = [plan(1), concept(), fill, fill, fill, fill]
    task_id = await stage.begin()
    await approve(stage)
    for _ in range(3):
        await stop(stage, task_id)
        await stage.say("go on, please", task_id)
        await stage.machine.drain()
    stage.vendor.ready = True
    await database_clock.advance(SOON)
    await stage.machine.drain()
    assert [phase for _, phase in await providers(stage)] == [*["cancelled"] * 3, "succeeded"]
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_news_of_a_job_has_it_read_before_its_time(
    running: Stage, database_clock: DatabaseClock
) -> None:
    await running.begin()
    reads = running.vendor.reads
    await running.machine.drain()
    assert running.vendor.reads == reads, "it is not due yet"
    running.vendor.ready = True
    async with running.machine.deps.pools.domain.connection() as conn:
        assert await jobs.hint(conn, JobId(running.vendor.orders[0]), None) is not None
    await running.machine.drain()
    assert await running.ledger() == [("settled", "succeeded")]
    async with running.machine.deps.pools.domain.connection() as conn:
        assert await jobs.hint(conn, JobId(running.vendor.orders[0]), None) is None
    assert await running.machine.drain() == 0
    await running.check()


async def test_news_that_comes_while_a_job_is_held_counts_once_it_is_given_back(
    running: Stage,
) -> None:
    await running.begin()
    job_id = JobId(running.vendor.orders[0])
    async with running.machine.deps.pools.domain.connection() as conn:
        await jobs.hint(conn, job_id, None)
        job = await jobs.claim(conn, job_id, lease_seconds=30)
        assert job is not None
        await jobs.hint(conn, job_id, None)
    async with work(running.machine.deps, running.machine.workspace_id) as tx:
        assert await jobs.put_off(tx, job, delay_seconds=60) == 0.0
    async with running.machine.deps.pools.domain.connection() as conn:
        assert await jobs.claim(conn, job_id, lease_seconds=30) is not None


async def test_a_lost_job_is_adopted_under_the_name_that_its_provider_tells(
    running: Stage,
) -> None:
    running.vendor.default = "lost"
    running.vendor.hides = True
    running.vendor.lookup = Lookup.NOT_FOUND_YET
    await running.begin()
    assert await running.ledger() == [("unknown", None)]
    (job_id,) = running.vendor.orders
    async with running.machine.deps.pools.domain.connection() as conn:
        await jobs.hint(conn, JobId(job_id), str(job_id))
    await running.machine.drain()
    assert await running.ledger() == [("settled", "succeeded")]
    assert len(running.vendor.requests) == 1
    await running.check()
