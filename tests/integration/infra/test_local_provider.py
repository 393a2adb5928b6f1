"""The local provider as its executor sees it: one order per attempt, whatever comes twice."""

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from infra import clock
from infra.ids import new_id
from infra.providers.local import prices
from infra.providers.local.guard import ORDERS
from infra.providers.local.limits import LIMITS, Limits
from infra.providers.local.provider import OPERATIONS, LocalProvider
from infra.providers.ports import (
    Attempt,
    Found,
    JobFailedError,
    JobRef,
    Lookup,
    OutcomeUnknownError,
    RejectedError,
    Snapshot,
)

pytestmark = [pytest.mark.media, pytest.mark.timeout(90)]

WORDS = [{"text": "tea", "start_s": 0.2, "end_s": 0.6}]
CAPTIONS = {
    "language": "en",
    "width": 1280,
    "height": 720,
    "duration_s": 2.0,
    "lines": [{"text": "tea", "start_s": 0.2, "end_s": 0.6, "words": WORDS}],
}
PICTURE = {"prompt": "a cup of tea", "width": 512, "height": 512}


def attempt(operation: str = "captions", payload: dict[str, Any] | None = None) -> Attempt:
    return Attempt(
        attempt_id=new_id(),
        operation=operation,
        payload=CAPTIONS if payload is None else payload,
        payload_sha256="0" * 64,
        seed=7,
        hold_micros=1000,
        deadline=clock.utc_now() + timedelta(hours=1),
        files={},
    )


def limited(operation: str, **changed: Any) -> dict[str, Limits]:
    """Return the limits with some of an operation's changed."""
    return LIMITS | {operation: replace(LIMITS[operation], **changed)}


def orders(folder: Path) -> list[str]:
    log = folder / ORDERS
    return log.read_text().split() if log.exists() else []


async def submit(provider: LocalProvider, order: Attempt) -> JobRef | Snapshot:
    return await provider.submit(order, lambda _: None)


async def test_an_order_is_made_found_and_read_again(tmp_path: Path) -> None:
    provider, order = LocalProvider(tmp_path), attempt()
    assert await provider.find(order) is Lookup.PROVABLY_ABSENT
    answered = await submit(provider, order)
    assert isinstance(answered, Snapshot)
    assert (answered.outcome, answered.charge is not None) == ("succeeded", True)
    found = await provider.find(order)
    assert isinstance(found, Found)
    assert await provider.read(found.ref) == answered
    assert orders(tmp_path) == [str(order.attempt_id)]


async def test_an_order_that_was_made_and_discarded_is_not_made_again(tmp_path: Path) -> None:
    """As an executor does that was frozen before its request and is thawed after the takeover."""
    provider, order = LocalProvider(tmp_path), attempt()
    await submit(provider, order)
    await provider.discard(order.attempt_id)
    with pytest.raises(OutcomeUnknownError, match="made before"):
        await submit(provider, order)
    assert orders(tmp_path) == [str(order.attempt_id)]
    assert not (tmp_path / str(order.attempt_id)).exists()


async def test_of_two_submissions_at_once_one_is_made(tmp_path: Path) -> None:
    provider, order = LocalProvider(tmp_path), attempt("image", PICTURE)
    ended = await asyncio.gather(
        submit(provider, order), submit(provider, order), return_exceptions=True
    )
    kinds = sorted(type(each).__name__ for each in ended)
    assert kinds in (["OutcomeUnknownError", "Snapshot"], ["Snapshot", "Snapshot"])
    assert orders(tmp_path) == [str(order.attempt_id)]


async def test_what_cannot_be_made_is_refused_in_a_sentence(tmp_path: Path) -> None:
    provider = LocalProvider(tmp_path)
    with pytest.raises(RejectedError, match="no words"):
        await submit(provider, attempt(payload={**CAPTIONS, "lines": []}))
    assert orders(tmp_path) == []


async def test_what_takes_too_long_is_ended(tmp_path: Path) -> None:
    provider = LocalProvider(tmp_path, limits=limited("image", wall_s=0.01))
    order = attempt("image", PICTURE)
    with pytest.raises(JobFailedError, match="did not finish"):
        await submit(provider, order)
    assert orders(tmp_path) == []
    assert await provider.find(order) is Lookup.PROVABLY_ABSENT


LARGE = {"prompt": "mountains over a lake", "width": 3840, "height": 3840}
LONG = {"prompt": "a lighthouse", "width": 640, "height": 360, "fps": 30, "duration_s": 60}


@pytest.mark.parametrize(
    ("operation", "payload", "changed", "said"),
    [
        ("image", LARGE, {"memory_mib": 500}, "more memory than the 500 MiB"),
        ("clip", LONG, {"cpu_s": 3}, "used up the 3 seconds of processor time"),
        ("clip", LONG, {"wall_s": 2.5}, "did not finish within the 2.5 seconds"),
    ],
)
async def test_a_limit_that_is_reached_fails_the_job_by_name_and_the_provider_goes_on(
    operation: str, payload: dict[str, Any], changed: dict[str, Any], said: str, tmp_path: Path
) -> None:
    provider = LocalProvider(tmp_path, limits=limited(operation, **changed))
    order = attempt(operation, payload)
    with pytest.raises(JobFailedError, match=said) as failed:
        await submit(provider, order)
    assert f"'{operation}'" in failed.value.message
    assert await provider.find(order) is Lookup.PROVABLY_ABSENT
    following = await submit(provider, attempt())
    assert isinstance(following, Snapshot)
    assert following.outcome == "succeeded"


def test_every_operation_has_limits_and_a_price() -> None:
    assert set(LIMITS) == set(OPERATIONS) == set(prices.RATES)
    assert all(one.cpu_s > 0 and one.wall_s > 0 and one.memory_mib > 0 for one in LIMITS.values())


def test_the_limits_that_are_documented_are_those_that_hold() -> None:
    lines = (Path(__file__).parents[3] / "docs" / "operations.md").read_text().splitlines()
    for operation, one in LIMITS.items():
        row = next(line for line in lines if line.startswith(f"| {operation} ") and "GiB" in line)
        said = [int(value) for value in re.findall(r"(\d+) (?:s|GiB)", row)]
        assert said == [one.wall_s, one.cpu_s, one.memory_mib // 1024]
        assert one.file_mib == 4 * 1024
