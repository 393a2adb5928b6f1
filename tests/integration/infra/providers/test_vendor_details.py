"""What single vendors say in their own way, and what of it is believed."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.simulator.serving import serve
from evals.simulator.switches import Hook, Switches
from infra import clock
from infra.ids import new_id
from infra.providers.fal.models import MODELS as FAL_MODELS
from infra.providers.fal.provider import FalProvider
from infra.providers.http.models import seed_of
from infra.providers.ports import (
    Charge,
    ContentPolicyError,
    Found,
    JobFailedError,
    JobRef,
    Lookup,
    OutcomeUnknownError,
    QuotaError,
    Snapshot,
)
from infra.providers.replicate.provider import ReplicateProvider
from infra.providers.replicate.webhooks import ReplicateWebhooks
from tests.integration.infra.providers.vendors import KEY, SECRET, open_fal, open_replicate, order


class Saying:
    """A vendor that gives the next of its answers to whatever it is asked, and remembers."""

    def __init__(
        self, *answers: Any, status: int = 200, headers: dict[str, str] | None = None
    ) -> None:
        self._answers = list(answers)
        self._status = status
        self._headers = {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        self.asked: list[tuple[str, str, dict[str, Any]]] = []

    async def answer(self, request: Request) -> Response:
        body = await request.body()
        self.asked.append((request.method, str(request.url), json.loads(body or b"{}")))
        match self._answers.pop(0):
            case (int(status), content):
                return JSONResponse(content, status, self._headers)
            case content:
                return JSONResponse(content, self._status, self._headers)

    def serve(self) -> Any:
        methods = ["GET", "POST", "PUT"]
        return serve([Route("/{rest:path}", self.answer, methods=methods)])


def fal(address: str, **given: Any) -> FalProvider:
    return FalProvider(KEY, url=address, api_url=f"{address}/v1", **given)


def replicate(address: str, **given: Any) -> ReplicateProvider:
    return ReplicateProvider(KEY, url=f"{address}/v1", **given)


def fal_ref(address: str) -> JobRef:
    raw = {"operation": "image", "status_url": address, "response_url": address}
    return JobRef(provider="fal", provider_job_id="r1", raw=raw)


async def test_fal_s_addresses_elsewhere_do_not_get_the_key() -> None:
    elsewhere = "https://queue.fal.run.evil.example/r1"
    taken = {"request_id": "r1", "status_url": elsewhere, "cancel_url": None}
    vendor = Saying(taken)
    async with vendor.serve() as address:
        ref = await fal(address).submit(order(), lambda _: None)
        assert isinstance(ref, JobRef)
        assert ref.raw["status_url"] == f"{address}/fal-ai/flux-1/requests/r1/status"
        assert ref.raw["cancel_url"] == f"{address}/fal-ai/flux-1/requests/r1/cancel"


@pytest.mark.parametrize("body", [{}, {"request_id": 7}, [], "queued", None])
async def test_a_success_without_an_id_leaves_the_outcome_unknown(body: Any) -> None:
    for make in (fal, replicate):
        async with Saying(body).serve() as address:
            with pytest.raises(OutcomeUnknownError):
                await make(address).submit(order(), lambda _: None)


async def fal_ended(status: Any, result: Any, **headers: str) -> Snapshot:
    vendor = Saying({"status": "COMPLETED", **status}, result, headers=headers)
    async with vendor.serve() as address:
        return await fal(address).read(fal_ref(address))


PICTURE = {"images": [{"url": "https://v3.fal.media/a.png", "content_type": "image/webp"}]}


async def test_fal_s_count_of_units_is_the_charge_and_no_count_is_none() -> None:
    counted = await fal_ended({}, PICTURE, x_fal_billable_units="2.5")
    assert counted.charge == Charge(amount_micros=62_500, basis="units_price")
    assert counted.artifacts[0].media_type == "image/webp"
    for wrong in ("", "many", "nan", "-1", "inf"):
        assert (await fal_ended({}, PICTURE, x_fal_billable_units=wrong)).charge is None


async def test_fal_s_blackened_picture_is_a_refusal_that_was_charged() -> None:
    ended = await fal_ended({}, {**PICTURE, "has_nsfw_concepts": [True]}, x_fal_billable_units="1")
    assert (ended.outcome, type(ended.error)) == ("failed", ContentPolicyError)
    assert ended.charge == Charge(amount_micros=25_000, basis="units_price")


async def test_fal_s_own_trouble_is_not_taken_for_the_job_s() -> None:
    for status in (500, 502, 401, 403, 429):
        assert (await fal_ended({}, (status, {"detail": "x"}))).phase == "unknown"
    crashed = await fal_ended({"error": "Runner crashed"}, (500, {"detail": "x"}))
    assert crashed.charge == Charge(amount_micros=0, basis="derived")
    assert type((await fal_ended({}, {"images": []})).error) is JobFailedError


async def test_fal_s_lists_are_followed_to_their_end() -> None:
    attempt = order()
    sent = FAL_MODELS[0].marked(attempt.attempt_id, attempt.payload)
    item: Any = {"request_id": "r9", "json_input": sent}
    other: Any = {"request_id": "r8", "json_input": {**sent, "seed": 1}}
    pages: Any = [
        {"items": [other, {"request_id": 5}, "x"], "next_cursor": "2", "has_more": True},
        {"items": [item], "next_cursor": None, "has_more": False},
    ]
    vendor = Saying(*pages)
    async with vendor.serve() as address:
        found = await fal(address).find(attempt)
    assert isinstance(found, Found)
    assert found.ref.provider_job_id == "r9"
    assert "cursor=2" in vendor.asked[1][1]


@pytest.mark.parametrize(
    ("status", "lookup"),
    [(401, Lookup.CANNOT_TELL), (403, Lookup.CANNOT_TELL), (500, Lookup.NOT_FOUND_YET)],
)
async def test_a_list_that_is_not_given_proves_nothing(status: int, lookup: Lookup) -> None:
    for make in (fal, replicate):
        async with Saying({}, status=status).serve() as address:
            assert await make(address).find(order()) is lookup


async def test_a_model_without_a_seed_cannot_be_told_apart() -> None:
    unseeded = replace(FAL_MODELS[0], seed_field=None)
    async with Saying().serve() as address:
        for make in (fal, replicate):
            assert await make(address, models=[unseeded]).find(order()) is Lookup.CANNOT_TELL


def test_each_attempt_has_a_seed_of_its_own_for_good() -> None:
    ids = [new_id() for _ in range(1000)]
    assert len({seed_of(each) for each in ids}) == 1000
    assert all(0 <= seed_of(each) < 2**31 for each in ids)
    assert seed_of(ids[0]) == seed_of(ids[0])


async def test_replicate_s_next_page_elsewhere_is_not_asked_for() -> None:
    page: Any = {"results": [], "next": "https://api.replicate.com.evil.example/v1/predictions?c=2"}
    vendor = Saying(page)
    async with vendor.serve() as address:
        assert await replicate(address).find(order()) is Lookup.CANNOT_TELL
    assert len(vendor.asked) == 1


async def test_a_prediction_whose_input_was_removed_might_be_the_one() -> None:
    removed: Any = {"id": "p1", "input": {}, "data_removed": True, "status": "succeeded"}
    async with Saying({"results": [removed], "next": None}).serve() as address:
        assert await replicate(address).find(order()) is Lookup.CANNOT_TELL


@pytest.mark.parametrize(
    ("prediction", "outcome", "charge"),
    [
        ({"status": "aborted"}, "cancelled", Charge(amount_micros=0, basis="derived")),
        ({"status": "canceled"}, "cancelled", None),
        ({"status": "succeeded", "output": None, "data_removed": True}, "expired", None),
        ({"status": "succeeded", "output": None}, "failed", None),
        ({"status": "failed", "error": "x"}, "failed", None),
    ],
)
async def test_a_prediction_ends_as_its_status_says(
    prediction: dict[str, Any], outcome: str, charge: Charge | None
) -> None:
    ref = JobRef(provider="replicate", provider_job_id="p1", raw={"operation": "image"})
    async with Saying(prediction).serve() as address:
        snapshot = await replicate(address).read(ref)
    assert (snapshot.outcome, snapshot.charge) == (outcome, charge)


async def test_an_order_is_sent_to_the_model_that_does_it() -> None:
    taken = {"request_id": "r1", "id": "p1"}
    for make, path in ((fal, "/fal-ai/flux-1/dev"), (replicate, "/v1/models/black-forest-labs/")):
        vendor = Saying(taken)
        async with vendor.serve() as address:
            await make(address).submit(order(), lambda _: None)
        assert path in vendor.asked[0][1]


async def test_a_locked_account_is_no_refusal_of_the_request() -> None:
    async with Saying({"detail": "User is locked"}, status=403).serve() as address:
        with pytest.raises(QuotaError, match="locked"):
            await fal(address).submit(order(), lambda _: None)


@pytest.mark.parametrize("key", ["", "two words", "line\nbreak", "schlüssel"])
def test_a_key_that_cannot_be_a_header_is_refused_at_once(key: str) -> None:
    for adapter in (FalProvider, ReplicateProvider):
        with pytest.raises(ValueError, match="one line"):
            adapter(key)


@pytest.mark.parametrize(
    ("hook", "deliveries"),
    [
        ("on_time", 2),
        ("duplicate", 4),
        ("out_of_order", 2),
        ("early", 2),
        ("late", 2),
        ("missing", 0),
    ],
)
async def test_replicate_s_deliveries_are_hints_however_they_come(
    tmp_path: Path, hook: Hook, deliveries: int
) -> None:
    async with open_replicate(tmp_path, Switches(hook=hook)) as pair:
        attempt = order()
        ref = await pair.submit(attempt)
        snapshot = await pair.provider.read(ref)
        assert snapshot.outcome == "succeeded"

        assert hook != "late" or pair.delivered == []
        await pair.vendor.release()
        assert len(pair.delivered) == deliveries
        now = clock.unix_ms() / 1000
        ours = ReplicateWebhooks([SECRET])
        hints = [await ours.verify(headers, body, now) for _, headers, body in pair.delivered]
        assert all(hint and hint.job_id == ref.provider_job_id for hint in hints)
        assert all(str(attempt.attempt_id) in path for path, _, _ in pair.delivered)
        different = {hint.delivery_id for hint in hints if hint}
        assert len(different) == min(deliveries, 2)


async def test_a_delivery_with_a_wrong_signature_or_of_yesterday_is_none(tmp_path: Path) -> None:
    async with open_replicate(tmp_path, Switches(hook="wrong_signature")) as pair:
        await pair.ended(order())
    now, ours = clock.unix_ms() / 1000, ReplicateWebhooks([SECRET])
    assert len(pair.delivered) == 2
    for _, headers, body in pair.delivered:
        assert await ours.verify(headers, body, now) is None
    async with open_replicate(tmp_path, Switches()) as pair:
        await pair.ended(order())
    for _, headers, body in pair.delivered:
        assert await ours.verify(headers, body, now) is not None
        assert await ours.verify(headers, body, now + 86_400) is None
        assert await ours.verify(headers, body + b" ", now) is None


async def test_fal_s_deliveries_carry_the_attempt_in_their_address(tmp_path: Path) -> None:
    async with open_fal(tmp_path, Switches(hook="early")) as pair:
        attempt = order()
        await pair.submit(attempt)
        assert [path for path, _, _ in pair.delivered] == [f"/hooks/fal/{attempt.attempt_id}.tag"]
