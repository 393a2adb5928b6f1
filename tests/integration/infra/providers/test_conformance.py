"""What every adapter promises its executor, tried on a simulated vendor that breaks on demand."""

import hashlib
from collections.abc import AsyncGenerator, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from evals.simulator.books import Books
from evals.simulator.switches import RETRY_AFTER_S, Told
from infra.ids import new_id
from infra.media.verify import UnusableMediaError, verify
from infra.providers.ports import (
    Artifact,
    CancelResult,
    ContentPolicyError,
    Correlation,
    Found,
    JobFailedError,
    JobRef,
    Lookup,
    NotDeliveredError,
    OutcomeUnknownError,
    Provider,
    ProviderError,
    QuotaError,
    RejectedError,
)
from tests.integration.infra.providers.vendors import OPEN, Pair

LOST: list[Told] = ["lost", "half", "nonsense", "accepted_500", "timeout"]
SELLERS = ("fal", "replicate", "openai_images", "elevenlabs", "runway")
SYNCHRONOUS = ("elevenlabs",)
LISTS = ("fal", "replicate", "elevenlabs")
"""Those that list what was ordered; the others of the sellers cannot tell what was lost."""
CALLS = ("fal", "replicate")
"""Those that are given an address of ours with each order."""
LOOKS_FIRST = ("fal", "replicate", "openai_images", "elevenlabs")
"""Those that may refuse a content before they make a job."""
BASES = {"derived": "derived", "units_reported": "units_price", "reported": "reported"}


@pytest.fixture
async def seller(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Pair]:
    """A vendor that is paid and has a policy."""
    async with OPEN[request.param](tmp_path) as opened:
        yield opened


def sellers(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("seller", names, indirect=True)


def jobs(names: Iterable[str] = OPEN) -> list[str]:
    return [name for name in names if name not in SYNCHRONOUS]


@pytest.fixture(params=list(OPEN))
async def pair(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Pair]:
    async with OPEN[request.param](tmp_path) as opened:
        yield opened


@pytest.fixture(params=jobs())
async def worker(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Pair]:
    """A vendor whose work can be looked at while it is done."""
    async with OPEN[request.param](tmp_path) as opened:
        yield opened


async def bytes_of(provider: Provider, artifact: Artifact) -> bytes:
    return b"".join([chunk async for chunk in provider.fetch(artifact)])


async def collected(provider: Provider, pair: Pair) -> bytes:
    snapshot = await pair.ended(pair.order())
    return await bytes_of(provider, snapshot.artifacts[0])


async def test_an_order_goes_up_its_ladder_and_is_charged_once_it_has_ended(worker: Pair) -> None:
    attempt = worker.order()
    worker.vendor.switches.default = "slow"
    ref = await worker.submit(attempt)
    assert (await worker.provider.read(ref)).phase in ("queued", "running")
    assert worker.books.billed == {}
    worker.vendor.jobs[ref.provider_job_id].released = True
    snapshot = await worker.provider.read(ref)
    assert (snapshot.phase, snapshot.outcome) == ("terminal", "succeeded")
    assert attempt.attempt_id in worker.books.billed


async def test_a_result_is_what_it_is_said_to_be_and_costs_what_the_vendor_counted(
    pair: Pair, tmp_path: Path
) -> None:
    attempt = pair.order()
    snapshot = await pair.ended(attempt)
    assert snapshot.outcome == "succeeded"
    assert snapshot.charge is not None
    assert snapshot.charge.basis == BASES[pair.provider.capabilities.charge]
    assert pair.books.billed == {attempt.attempt_id: snapshot.charge.amount_micros}
    assert snapshot.charge.amount_micros <= pair.provider.quote_micros(
        attempt.operation, attempt.payload
    )
    assert snapshot.artifacts[0].role == attempt.operation
    for artifact in snapshot.artifacts:
        made = tmp_path / "made"
        made.write_bytes(await bytes_of(pair.provider, artifact))
        facts = await verify(made, artifact.media_type)
        is_media = artifact.media_type.partition("/")[0] in ("image", "video", "audio")
        assert bool(facts) is is_media
    assert (pair.books.submissions, pair.books.orders) == (1, [attempt.attempt_id])


async def test_reading_twice_says_the_same_and_charges_once(pair: Pair) -> None:
    ref = await pair.submit(pair.order())
    assert await pair.provider.read(ref) == await pair.provider.read(ref)
    assert len([line for line in pair.books.lines if line["event"] == "bill"]) == 1


@pytest.mark.parametrize(
    ("told", "error"),
    [
        ("rejected", RejectedError),
        ("unauthorized", RejectedError),
        ("quota", QuotaError),
        ("rate_limited", QuotaError),
        ("refused_503", OutcomeUnknownError),
        ("lost_before", OutcomeUnknownError),
        *((told, OutcomeUnknownError) for told in LOST),
    ],
)
async def test_a_submission_is_one_request_and_its_end_one_error(
    pair: Pair, told: Told, error: type[ProviderError]
) -> None:
    pair.vendor.switches.default = told
    attempt = pair.order()
    with pytest.raises(error) as raised:
        await pair.submit(attempt)
    assert type(raised.value) is error
    assert pair.books.submissions == 1
    assert pair.books.orders == ([attempt.attempt_id] if told in LOST else [])
    assert "key-of-a-test" not in raised.value.message


@sellers(*LOOKS_FIRST)
async def test_content_that_is_refused_is_told_from_a_wrong_request(seller: Pair) -> None:
    seller.vendor.switches.default = "policy"
    with pytest.raises(ContentPolicyError):
        await seller.submit(seller.order())
    assert (seller.books.submissions, seller.books.orders) == (1, [])


async def test_a_vendor_without_room_says_when_to_come_back(pair: Pair) -> None:
    pair.vendor.switches.default = "rate_limited"
    with pytest.raises(QuotaError) as raised:
        await pair.submit(pair.order())
    assert raised.value.retry_after_s == RETRY_AFTER_S


async def test_a_vendor_that_cannot_be_reached_was_sent_nothing(tmp_path: Path) -> None:
    for name, opened in OPEN.items():
        (tmp_path / name).mkdir()
        async with opened(tmp_path / name) as pair:
            pass
        with pytest.raises(NotDeliveredError):
            await pair.submit(pair.order())
        assert pair.books.submissions == 0


@pytest.mark.parametrize("told", LOST)
async def test_what_was_lost_is_found_and_no_other(pair: Pair, told: Told) -> None:
    """Two orders that are alike in everything but their attempt."""
    pair.vendor.switches.by_number = {2: told}
    other, attempt = pair.order(), pair.order()
    ref = await pair.submit(other)
    await pair.provider.read(ref)
    with pytest.raises(OutcomeUnknownError):
        await pair.submit(attempt)
    assert pair.books.submissions == 2
    found = await pair.provider.find(attempt)
    if pair.provider.capabilities.correlation == frozenset({Correlation.NONE}):
        assert found is Lookup.CANNOT_TELL
        return
    assert isinstance(found, Found)
    job = pair.vendor.jobs.get(found.ref.provider_job_id)
    assert job is None or job.attempt == attempt.attempt_id
    snapshot = await pair.provider.read(found.ref)
    assert snapshot.outcome == "succeeded"
    again = await pair.provider.find(other)
    assert isinstance(again, Found)
    assert again.ref.provider_job_id == ref.provider_job_id
    assert pair.books.submissions == 2


@sellers(*CALLS)
async def test_what_was_lost_is_found_without_a_callback_too(seller: Pair) -> None:
    seller.vendor.switches.default = "lost"
    attempts = [seller.order(), seller.order()]
    for attempt in attempts:
        with pytest.raises(OutcomeUnknownError):
            await seller.without_callback.submit(attempt, lambda _: None)
    for attempt, job_id in zip(attempts, seller.vendor.jobs, strict=True):
        found = await seller.without_callback.find(attempt)
        assert isinstance(found, Found)
        assert found.ref.provider_job_id == job_id


@sellers(*LISTS)
async def test_nothing_is_said_to_be_absent_that_the_vendor_cannot_prove(seller: Pair) -> None:
    assert await seller.provider.find(seller.order()) is Lookup.NOT_FOUND_YET
    seller.vendor.switches.by_number = {1: "lost_before", 2: "lost"}
    seller.vendor.switches.shows_late = True
    never, lost = seller.order(), seller.order()
    for attempt in (never, lost):
        with pytest.raises(OutcomeUnknownError):
            await seller.submit(attempt)
        assert await seller.provider.find(attempt) is Lookup.NOT_FOUND_YET
    seller.vendor.switches.shows_late = False
    assert await seller.provider.find(never) is Lookup.NOT_FOUND_YET
    assert isinstance(await seller.provider.find(lost), Found)


async def test_what_is_done_for_nobody_else_is_no_operation(pair: Pair) -> None:
    attempt = replace(pair.order(), operation="opera")
    with pytest.raises(RejectedError, match="no model"):
        await pair.submit(attempt)
    assert await pair.provider.find(attempt) is Lookup.CANNOT_TELL
    assert pair.books.submissions == 0


async def test_a_file_that_the_model_does_not_take_is_refused_unsent(
    pair: Pair, tmp_path: Path
) -> None:
    picture = tmp_path / "in.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(RejectedError, match="takes no 'sketch'"):
        await pair.submit(pair.order(files={"sketch": picture}))
    assert pair.books.submissions == 0


@sellers(*jobs(SELLERS))
@pytest.mark.parametrize(
    ("told", "outcome", "error"),
    [
        ("failed", "failed", JobFailedError),
        ("failed_charged", "failed", JobFailedError),
        ("policy_after", "failed", ContentPolicyError),
        ("policy_billed", "failed", ContentPolicyError),
    ],
)
async def test_a_job_that_ended_badly_says_how_and_never_less_than_it_cost(
    seller: Pair, told: Told, outcome: str, error: type[ProviderError]
) -> None:
    seller.vendor.switches.default = told
    attempt = seller.order()
    snapshot = await seller.ended(attempt)
    assert (snapshot.outcome, type(snapshot.error)) == (outcome, error)
    assert snapshot.artifacts == ()
    if snapshot.charge is not None:  # none means that nobody knows: the hold is settled whole
        assert snapshot.charge.amount_micros == seller.books.billed[attempt.attempt_id]


@sellers(*CALLS)
async def test_a_result_that_was_not_fetched_in_time_is_expired(seller: Pair) -> None:
    seller.vendor.switches.default = "expired"
    snapshot = await seller.ended(seller.order())
    assert snapshot.outcome == "expired"
    assert snapshot.charge is None or snapshot.charge.basis == "units_price"


@sellers("fal", "replicate", "runway")
async def test_a_file_at_another_host_is_not_asked_for(seller: Pair) -> None:
    seller.vendor.switches.default = "elsewhere"
    with pytest.raises(UnusableMediaError, match="not its own"):
        await collected(seller.provider, seller)


async def test_a_file_that_is_none_is_no_result(pair: Pair, tmp_path: Path) -> None:
    pair.vendor.switches.default = "broken_file"
    snapshot = await pair.ended(pair.order())
    made = tmp_path / "made"
    made.write_bytes(await bytes_of(pair.provider, snapshot.artifacts[0]))
    with pytest.raises(UnusableMediaError):
        await verify(made, snapshot.artifacts[0].media_type)


async def test_a_file_that_breaks_off_is_no_result(pair: Pair) -> None:
    pair.vendor.switches.default = "cut_file"
    with pytest.raises(OutcomeUnknownError):
        await collected(pair.provider, pair)


async def test_a_result_is_the_same_whenever_it_is_fetched(pair: Pair) -> None:
    snapshot = await pair.ended(pair.order())
    digests = {
        hashlib.sha256(
            b"".join([chunk async for chunk in pair.provider.fetch(snapshot.artifacts[0])])
        ).hexdigest()
        for _ in range(2)
    }
    assert len(digests) == 1


@sellers(*jobs(SELLERS))
async def test_a_cancellation_is_a_request_and_only_a_read_says_what_came_of_it(
    seller: Pair,
) -> None:
    seller.vendor.switches.default = "never"
    ref = await seller.submit(seller.order())
    assert (await seller.provider.read(ref)).phase in ("queued", "running")
    assert await seller.provider.cancel(ref) is CancelResult.REQUESTED
    snapshot = await seller.provider.read(ref)
    assert snapshot.outcome == "cancelled"
    assert snapshot.charge is None or snapshot.charge.amount_micros > 0


async def test_what_has_ended_cannot_be_cancelled(pair: Pair) -> None:
    ref = await pair.submit(pair.order())
    before = await pair.provider.read(ref)
    can = pair.provider.capabilities.cancel != "none"
    wanted = CancelResult.ALREADY_TERMINAL if can else CancelResult.UNSUPPORTED
    assert await pair.provider.cancel(ref) is wanted
    assert await pair.provider.read(ref) == before


@sellers("fal", "replicate", "openai_images")
async def test_what_does_not_exist_cannot_be_cancelled_and_is_not_said_to_have_ended(
    seller: Pair,
) -> None:
    ref = await seller.submit(seller.order())
    gone = str(new_id())
    raw = {name: str(value).replace(ref.provider_job_id, gone) for name, value in ref.raw.items()}
    unknown = JobRef(provider=ref.provider, provider_job_id=gone, raw=raw)
    assert await seller.provider.cancel(unknown) is CancelResult.NOT_FOUND
    assert (await seller.provider.read(unknown)).phase == "unknown"


def test_the_books_outlive_the_vendor(tmp_path: Path) -> None:
    books = Books(tmp_path / "books.jsonl")
    assert (books.orders, books.billed) == ([], {})


async def test_the_books_are_on_the_disk_before_the_answer(pair: Pair, tmp_path: Path) -> None:
    attempt = pair.order()
    await pair.ended(attempt)
    read_again = Books(tmp_path / "books.jsonl")
    assert read_again.orders == [attempt.attempt_id]
    assert read_again.billed == pair.books.billed
    assert read_again.submissions == 1


@sellers(*SELLERS)
async def test_capabilities_say_what_the_adapter_does(
    seller: Pair,
) -> None:
    name = seller.provider.name
    declared, silent = seller.provider.capabilities, seller.without_callback.capabilities
    assert declared.operations == {seller.operation}
    assert declared.shape == ("sync" if name in SYNCHRONOUS else "job")
    assert (Correlation.LIST_MATCH in declared.correlation) is (name in LISTS)
    assert (Correlation.CALLBACK_TAG in declared.correlation) is (name in CALLS)
    assert Correlation.CALLBACK_TAG not in silent.correlation
    assert silent.webhook == "none"
    assert declared.min_poll_s < declared.max_poll_s < (declared.result_ttl_s or 1e9)


async def test_every_adapter_quotes_and_names_a_unit_for_what_it_does(pair: Pair) -> None:
    operation, payload = pair.operation, pair.payload
    quote = pair.provider.quote_micros(operation, payload)
    assert quote >= 0
    assert (quote == 0) is (pair.provider.name == "comfyui")
    assert pair.provider.quote_micros(operation, {"duration_s": 1}) >= 0, (
        "a list of prices has no size"
    )
    assert pair.provider.unit(operation)
    await pair.provider.discard(new_id())


async def test_only_a_vendor_that_takes_our_id_can_prove_that_there_is_no_job(pair: Pair) -> None:
    correlation = pair.provider.capabilities.correlation
    pair.vendor.switches.default = "lost_before"
    attempt = pair.order()
    with pytest.raises(OutcomeUnknownError):
        await pair.submit(attempt)
    wanted = (
        Lookup.PROVABLY_ABSENT
        if Correlation.CLIENT_ID in correlation
        else (
            Lookup.CANNOT_TELL
            if correlation == frozenset({Correlation.NONE})
            else Lookup.NOT_FOUND_YET
        )
    )
    assert await pair.provider.find(attempt) is wanted


async def test_a_cancelled_job_ends_as_cancelled_and_costs_what_a_read_says(worker: Pair) -> None:
    worker.vendor.switches.default = "never"
    ref = await worker.submit(worker.order())
    await worker.provider.read(ref)
    assert await worker.provider.cancel(ref) is CancelResult.REQUESTED
    assert (await worker.provider.read(ref)).outcome == "cancelled"


async def test_a_job_that_failed_says_why(worker: Pair) -> None:
    worker.vendor.switches.default = "failed"
    snapshot = await worker.ended(worker.order())
    assert (snapshot.outcome, type(snapshot.error)) == ("failed", JobFailedError)
    assert snapshot.error is not None
    assert "memory" in snapshot.error.message or "crashed" in snapshot.error.message
