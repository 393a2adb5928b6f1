"""Clips from Runway: credits, moderation, and tasks that whoever cancels them destroys."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from evals.simulator.switches import Told
from infra import clock
from infra.providers.ports import (
    CancelResult,
    Charge,
    ContentPolicyError,
    JobFailedError,
    JobRef,
    OutcomeUnknownError,
    QuotaError,
    RejectedError,
    Snapshot,
)
from infra.providers.runway.provider import RunwayProvider
from tests.integration.infra.providers.test_vendor_details import Saying
from tests.integration.infra.providers.vendors import CLIP, KEY, Pair, open_runway, order

MOST = Charge(amount_micros=600_000, basis="assumed_max")
"""Five seconds: what a clip of 4.5 is charged as."""


def clip(files: dict[str, Path] | None = None, **facts: Any) -> Any:
    return order({**CLIP, **facts}, files, operation="clip")


def ref(**raw: Any) -> JobRef:
    given = {"operation": "clip", "ordered_at": clock.utc_now().isoformat(), **raw}
    return JobRef(provider="runway", provider_job_id="t1", raw=given)


async def started(pair: Pair) -> JobRef:
    pair.vendor.switches.default = "never"
    made = await pair.submit(pair.order())
    assert (await pair.provider.read(made)).phase == "running"
    return made


async def test_a_cancelled_task_is_gone_and_has_cost_what_it_might_have(tmp_path: Path) -> None:
    async with open_runway(tmp_path) as pair:
        made = await started(pair)
        assert await pair.provider.cancel(made) is CancelResult.REQUESTED
        assert await pair.provider.cancel(made) is CancelResult.NOT_FOUND
        snapshot = await pair.provider.read(made)
        assert (snapshot.phase, snapshot.outcome) == ("terminal", "cancelled")
        assert snapshot.charge == MOST
        assert type(snapshot.error) is JobFailedError


async def test_a_task_that_has_ended_is_not_destroyed_by_a_cancellation(tmp_path: Path) -> None:
    async with open_runway(tmp_path) as pair:
        made = await pair.submit(pair.order())
        before = await pair.provider.read(made)
        assert await pair.provider.cancel(made) is CancelResult.ALREADY_TERMINAL
        assert await pair.provider.read(made) == before


async def test_a_task_too_new_to_be_known_is_not_taken_for_a_cancelled_one() -> None:
    missing = (404, {"error": "Task not found"})
    async with Saying(missing, missing).serve() as address:
        provider = RunwayProvider(KEY, url=address)
        assert (await provider.read(ref(most_micros=1))).phase == "unknown"
        old = ref(ordered_at="2026-11-30T00:00:00+00:00", most_micros=None)
        gone = await RunwayProvider(KEY, url=address, settles_after_s=0.0).read(old)
        assert (gone.outcome, gone.charge) == ("cancelled", None)


@pytest.mark.parametrize("status", [401, 429, 500, 502])
async def test_an_answer_about_anything_else_does_not_end_a_task(status: int) -> None:
    answer = (status, {"error": "No."})
    vendor = Saying(answer, answer)
    async with vendor.serve() as address:
        provider = RunwayProvider(KEY, url=address, settles_after_s=0.0)
        assert (await provider.read(ref())).phase == "unknown"
        with pytest.raises((RejectedError, QuotaError, OutcomeUnknownError)):
            await provider.cancel(ref())
    assert [method for method, _, _ in vendor.asked] == ["GET", "GET"]


@pytest.mark.parametrize(
    ("told", "error", "credits_"),
    [
        ("failed", JobFailedError, 0),
        ("failed_charged", JobFailedError, 60),
        ("policy", ContentPolicyError, 60),
        ("policy_billed", ContentPolicyError, 60),
    ],
)
async def test_a_failed_task_costs_what_it_says(
    tmp_path: Path, told: Told, error: type[Exception], credits_: int
) -> None:
    async with open_runway(tmp_path) as pair:
        pair.vendor.switches.default = told
        snapshot = await pair.ended(pair.order())
    assert type(snapshot.error) is error
    assert snapshot.charge == Charge(amount_micros=credits_ * 10_000, basis="reported")


async def test_a_picture_makes_it_another_kind_of_order_and_frame(tmp_path: Path) -> None:
    picture = tmp_path / "first.png"
    Image.new("RGB", (8, 8)).save(picture)
    taken = {"id": "t1", "estimatedCost": {"credits": 60}}
    vendor = Saying(taken, taken)
    async with vendor.serve() as address:
        provider = RunwayProvider(KEY, url=address)
        made = await provider.submit(clip({"image": picture}, width=960, height=960), print)
        assert isinstance(made, JobRef)
        assert made.raw["most_micros"] == MOST.amount_micros
        await provider.submit(clip(width=960, height=960), print)
    (_, first, with_picture), (_, second, without) = vendor.asked
    assert first.endswith("/v1/image_to_video")
    assert with_picture["promptImage"].startswith("data:image/png;base64,")
    assert with_picture["ratio"] == "960:960"
    assert second.endswith("/v1/text_to_video")
    assert "promptImage" not in without
    assert without["ratio"] in ("1280:720", "720:1280")
    assert (without["duration"], without["model"]) == (5, "gen4.5")
    assert without["promptText"].endswith("Camera: slow push in.")


async def test_a_long_text_is_sent_as_far_as_it_may_be() -> None:
    vendor = Saying({"id": "t1"})
    async with vendor.serve() as address:
        await RunwayProvider(KEY, url=address).submit(clip(prompt="🌊 harbour " * 150), print)
    text = vendor.asked[0][2]["promptText"]
    assert len(text.encode("utf-16-le")) // 2 in (999, 1000)


async def test_what_it_cannot_make_is_refused_unsent(tmp_path: Path) -> None:
    large = tmp_path / "large.png"
    large.write_bytes(b"\x89PNG" + bytes(4_000_000))
    async with open_runway(tmp_path) as pair:
        for attempt, said in (
            (clip(duration_s=10.5), "10 seconds"),
            (clip({"image": large}), "MB"),
        ):
            with pytest.raises(RejectedError, match=said):
                await pair.submit(attempt)
        assert pair.books.submissions == 0


def test_what_is_quoted_is_whole_seconds_and_at_least_two() -> None:
    provider = RunwayProvider(KEY)
    quotes = [provider.quote_micros("clip", {"duration_s": each}) for each in (0.5, 2, 4.1, 10)]
    assert quotes == [240_000, 240_000, 600_000, 1_200_000]
    assert provider.unit("clip") == "2 seconds"


async def read(task: dict[str, Any]) -> Snapshot:
    async with Saying(task).serve() as address:
        return await RunwayProvider(KEY, url=address).read(ref())


async def test_a_task_is_what_its_status_says() -> None:
    assert (await read({"status": "THROTTLED"})).phase == "queued"
    running = await read({"status": "RUNNING", "progress": 0.4})
    assert (running.phase, running.progress) == ("running", 0.4)
    cancelled = await read({"status": "CANCELLED", "cost": {"credits": 0}})
    assert cancelled.charge == Charge(amount_micros=0, basis="reported")
    empty = await read({"status": "SUCCEEDED", "output": [], "cost": {"credits": 5}})
    assert (empty.outcome, type(empty.error)) == ("failed", JobFailedError)
    assert (await read({"status": "DREAMING"})).phase == "unknown"
    for wrong in ({}, {"credits": "5"}, {"credits": True}, {"credits": -1}, None):
        assert (await read({"status": "FAILED", "cost": wrong})).charge is None


async def test_an_account_without_credits_is_no_wrong_request() -> None:
    said = (400, {"error": "You do not have enough credits to run this task."})
    async with Saying(said).serve() as address:
        with pytest.raises(QuotaError, match="credits"):
            await RunwayProvider(KEY, url=address).submit(clip(), print)
