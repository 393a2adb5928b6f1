"""Whatever a provider answers: at most one order, the money right, and the model told."""

from datetime import timedelta

import pytest

from execution.verdict import MAX_ROUNDS_WITHOUT_PROGRESS
from infra.providers.ports import (
    JobFailedError,
    Lookup,
    NotDeliveredError,
    OutcomeUnknownError,
    ProviderError,
    QuotaError,
    RejectedError,
)
from tests.database import DatabaseClock
from tests.harness import calls
from tests.integration.graphs.stage import PRICE, Behaviour, Stage, picture, routed

DEADLINE = timedelta(hours=2)


async def order(stage: Stage, behaviour: Behaviour) -> None:
    """Order one picture, which ends as told; the model says nothing to it afterwards."""
    stage.vendor.behaviours = {1: behaviour}
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture(), calls(say="I see.")]
    await stage.begin()


async def outcome(stage: Stage) -> tuple[str, str, str]:
    """Ledger status and outcome, and the phase of the job."""
    rows = await stage.machine.rows(
        "select l.status, outcome, phase from ledger as l join jobs using (workspace_id, call_key)"
    )
    return rows[0]  # pyright: ignore[reportReturnType]


async def told(stage: Stage) -> list[str]:
    return [row[0] for row in await stage.machine.rows("select text from happenings")]


MADE = [
    pytest.param("made", (PRICE, 0), id="at-once"),
    pytest.param("accepted", (PRICE, 0), id="accepted-first"),
    pytest.param("over", (PRICE, 2 * PRICE), id="dearer-than-quoted"),
    pytest.param("cheap", (PRICE // 2, 0), id="cheaper-than-quoted"),
    pytest.param("lost", (PRICE, 0), id="its-answer-lost-but-found"),
    pytest.param("lost_before", (PRICE, 0), id="never-arrived-and-sent-again"),
    pytest.param("not_delivered", (PRICE, 0), id="not-delivered-and-sent-again"),
    pytest.param("quota", (PRICE, 0), id="no-room-and-sent-again"),
]


@pytest.mark.parametrize(("behaviour", "paid"), MADE)
async def test_a_picture_is_made_once_and_paid_as_charged(
    stage: Stage, database_clock: DatabaseClock, behaviour: Behaviour, paid: tuple[int, int]
) -> None:
    await order(stage, behaviour)
    await database_clock.advance(timedelta(minutes=1))
    await stage.machine.drain()
    assert await outcome(stage) == ("settled", "succeeded", "succeeded")
    assert await stage.money() == (PRICE, 0, *paid)
    assert len(stage.vendor.orders) == 1
    assert await told(stage) == []
    assert len(stage.model.prompts) == 1
    await stage.check()


FAILED = [
    pytest.param("rejected", "derived", "no", 0, id="refused"),
    pytest.param("policy", "derived", "no", 0, id="policy-free"),
    pytest.param("policy", "derived", "yes", PRICE, id="policy-billed"),
    pytest.param("policy", "derived", "unknown", PRICE, id="policy-perhaps-billed"),
    pytest.param("failed", "derived", "no", 0, id="failed-and-priced-by-results"),
    pytest.param("failed", "reported", "no", PRICE, id="failed-and-silent-about-money"),
    pytest.param("failed_charged", "reported", "no", PRICE, id="failed-and-charged"),
    pytest.param("broken_file", "reported", "no", PRICE, id="no-picture-but-charged"),
]


@pytest.mark.parametrize(("behaviour", "charge", "billed", "paid"), FAILED)
async def test_a_failure_costs_what_was_charged_and_is_told(
    stage: Stage, behaviour: Behaviour, charge: str, billed: str, paid: int
) -> None:
    stage.vendor.charge = charge  # pyright: ignore[reportAttributeAccessIssue]
    stage.vendor.policy_block_billed = billed  # pyright: ignore[reportAttributeAccessIssue]
    await order(stage, behaviour)
    assert await outcome(stage) == ("settled", "failed", "failed")
    assert await stage.money() == (PRICE, 0, paid, 0)
    assert len(stage.vendor.requests) == 1
    (sentence,) = await told(stage)
    assert sentence.startswith("'Harbour' failed (")
    assert len(stage.model.prompts) == 2
    assert await stage.machine.rows("select count(*) from objects") == [(0,)]
    await stage.check()


async def test_a_job_that_runs_long_is_read_again_and_holds_nobody_up(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    await order(stage, "slow")
    assert stage.vendor.reads == 1
    leases = await stage.machine.rows("select holder, lease_expires_at, progress from jobs")
    assert leases == [(None, None, pytest.approx(0.25))]
    await database_clock.advance(timedelta(seconds=6))
    await stage.machine.drain()
    assert stage.vendor.reads == 2
    stage.vendor.ready = True
    await database_clock.advance(timedelta(seconds=6))
    await stage.machine.drain()
    assert await outcome(stage) == ("settled", "succeeded", "succeeded")
    assert len(stage.vendor.requests) == 1
    assert len(stage.model.prompts) == 1, "progress causes no inference"
    await stage.check()


@pytest.mark.parametrize("error", [NotDeliveredError, QuotaError, OutcomeUnknownError])
async def test_a_read_that_fails_on_the_way_gives_up_no_job(
    stage: Stage, database_clock: DatabaseClock, error: type[Exception]
) -> None:
    stage.vendor.read_fails = [error("on the way")]  # pyright: ignore[reportAttributeAccessIssue]
    await order(stage, "accepted")
    assert await stage.money() == (PRICE, PRICE, 0, 0)
    await database_clock.advance(timedelta(seconds=6))
    await stage.machine.drain()
    assert await outcome(stage) == ("settled", "succeeded", "succeeded")
    await stage.check()


@pytest.mark.parametrize("error", [NotDeliveredError, QuotaError, OutcomeUnknownError])
async def test_a_download_that_breaks_off_is_tried_again(
    stage: Stage, database_clock: DatabaseClock, error: type[ProviderError]
) -> None:
    stage.vendor.fetch_fails = [error("on the way")]
    await order(stage, "accepted")
    assert await stage.money() == (PRICE, PRICE, 0, 0)
    await database_clock.advance(timedelta(seconds=31))
    await stage.machine.drain()
    assert await outcome(stage) == ("settled", "succeeded", "succeeded")
    assert len(stage.vendor.requests) == 1
    await stage.check()


async def test_a_result_that_is_gone_has_failed_and_was_charged(stage: Stage) -> None:
    stage.vendor.fetch_fails = [RejectedError("It is kept for a day only.")]
    await order(stage, "accepted")
    assert await outcome(stage) == ("settled", "failed", "failed")
    assert await stage.money() == (PRICE, 0, PRICE, 0)
    assert await told(stage) != []
    await stage.check()


async def test_a_download_is_not_tried_beyond_the_deadline(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.vendor.fetch_fails = [NotDeliveredError("no way") for _ in range(3)]
    await order(stage, "accepted")
    await database_clock.advance(DEADLINE)
    await stage.machine.drain()
    assert await outcome(stage) == ("settled", "failed", "failed")
    await stage.check()


async def test_a_vendor_is_left_alone_for_as_long_as_it_asks(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.vendor.quota_for_s = 120.0
    await order(stage, "quota")
    await database_clock.advance(timedelta(seconds=60))
    await stage.machine.drain()
    assert len(stage.vendor.requests) == 1
    await database_clock.advance(timedelta(seconds=61))
    await stage.machine.drain()
    assert await outcome(stage) == ("settled", "succeeded", "succeeded")
    await stage.check()


@pytest.mark.parametrize("error", [JobFailedError, RejectedError])
async def test_a_read_that_says_the_job_is_gone_ends_it(
    stage: Stage, error: type[Exception]
) -> None:
    stage.vendor.read_fails = [error("it is gone")]  # pyright: ignore[reportAttributeAccessIssue]
    stage.vendor.charge = "reported"
    await order(stage, "accepted")
    assert await outcome(stage) == ("settled", "failed", "failed")
    assert await stage.money() == (PRICE, 0, PRICE, 0)
    await stage.check()


@pytest.mark.parametrize("lookup", [Lookup.NOT_FOUND_YET, Lookup.CANNOT_TELL])
async def test_what_became_of_a_lost_order_is_asked_until_the_deadline_and_never_resent(
    stage: Stage, database_clock: DatabaseClock, lookup: Lookup
) -> None:
    stage.vendor.lookup = lookup
    await order(stage, "lost_before")
    for _ in range(3):
        await database_clock.advance(timedelta(minutes=30))
        await stage.machine.drain()
        assert await stage.money() == (PRICE, PRICE, 0, 0)
        rows = await stage.machine.rows("select status, phase from ledger, jobs")
        assert rows == [("unknown", "unknown")]
    await database_clock.advance(DEADLINE)
    await stage.machine.drain()
    assert await outcome(stage) == ("settled", "unknown", "failed")
    assert await stage.money() == (PRICE, 0, 0, 0)
    assert len(stage.vendor.requests) == 1
    assert "outcome_unknown" in (await told(stage))[0]
    assert len(stage.model.prompts) == 1 + MAX_ROUNDS_WITHOUT_PROGRESS, "it never looked"
    await stage.check()


async def test_an_order_that_is_lost_each_time_is_tried_no_longer_than_its_deadline(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.vendor.default = "lost_before"
    await order(stage, "lost_before")
    assert len(stage.vendor.requests) == 1, "an answer was lost: not at once again"
    await database_clock.advance(timedelta(seconds=3))
    await stage.machine.drain()
    assert len(stage.vendor.requests) == 2
    await database_clock.advance(DEADLINE)
    await stage.machine.drain()
    assert await outcome(stage) == ("settled", "unknown", "failed")
    assert stage.vendor.orders == []
    await stage.check()


async def test_a_vendor_that_cannot_be_asked_is_asked_again(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.vendor.find_fails = True
    await order(stage, "lost")
    stage.vendor.find_fails = False
    await database_clock.advance(timedelta(seconds=3))
    await stage.machine.drain()
    assert await outcome(stage) == ("settled", "succeeded", "succeeded")
    assert len(stage.vendor.requests) == 1
    await stage.check()


@pytest.mark.parametrize("behaviour", ["quota", "not_delivered"])
async def test_a_vendor_without_room_is_tried_no_longer_than_the_deadline(
    stage: Stage, database_clock: DatabaseClock, behaviour: Behaviour
) -> None:
    stage.vendor.default = behaviour
    await order(stage, behaviour)
    await database_clock.advance(timedelta(seconds=31))
    await stage.machine.drain()
    assert len(stage.vendor.requests) == 2
    await database_clock.advance(DEADLINE)
    await stage.machine.drain()
    assert await outcome(stage) == ("settled", "failed", "failed")
    assert await stage.money() == (PRICE, 0, 0, 0)
    await stage.check()


async def test_a_job_that_never_ends_ends_at_its_deadline_and_counts_as_paid(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    await order(stage, "slow")
    await database_clock.advance(DEADLINE)
    await stage.machine.drain()
    assert await outcome(stage) == ("settled", "failed", "failed")
    assert await stage.money() == (PRICE, 0, PRICE, 0)
    await stage.check()


async def test_our_own_failure_is_tried_again_and_ends_at_the_deadline(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.vendor.default = "crash"
    stage.vendor.lookup = Lookup.CANNOT_TELL
    await order(stage, "crash")
    assert await stage.money() == (PRICE, PRICE, 0, 0)
    await database_clock.advance(DEADLINE)
    await stage.machine.drain()
    assert (await outcome(stage))[0] == "settled"
    assert (await stage.money())[1] == 0
    await stage.check()


async def test_a_job_of_a_provider_that_is_gone_ends_at_its_deadline(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    await order(stage, "slow")
    stage.machine.deps.providers.pop("vendor")  # pyright: ignore[reportAttributeAccessIssue]
    await database_clock.advance(timedelta(minutes=1))
    await stage.machine.drain()
    assert await stage.money() == (PRICE, PRICE, 0, 0)
    await database_clock.advance(DEADLINE)
    await stage.machine.drain()
    assert await outcome(stage) == ("settled", "failed", "failed")
    assert await stage.money() == (PRICE, 0, PRICE, 0)


async def test_a_finished_attempt_is_discarded_at_the_vendor(stage: Stage) -> None:
    await order(stage, "made")
    assert stage.vendor.discarded == stage.vendor.orders
