"""Pictures from OpenAI: what a response in the background says, and what of it is believed."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from evals.simulator.openai_images import PRICE
from evals.simulator.switches import Hook, Switches
from infra import clock
from infra.providers.http.webhooks import sign
from infra.providers.openai_images.models import size
from infra.providers.openai_images.provider import OpenAiImagesProvider
from infra.providers.openai_images.webhooks import verify_webhook
from infra.providers.ports import (
    Charge,
    ContentPolicyError,
    JobFailedError,
    JobRef,
    QuotaError,
    RejectedError,
    Snapshot,
)
from tests.integration.infra.providers.test_vendor_details import Saying
from tests.integration.infra.providers.vendors import KEY, SECRET, open_openai_images, order

CALL: dict[str, Any] = {
    "type": "image_generation_call",
    "result": base64.b64encode(b"a picture").decode(),
    "output_format": "webp",
}


async def read(response: dict[str, Any]) -> Snapshot:
    ref = JobRef(provider="openai_images", provider_job_id="r1", raw={"operation": "image"})
    async with Saying(response).serve() as address:
        return await OpenAiImagesProvider(KEY, url=address).read(ref)


async def test_an_order_is_one_call_of_the_tool_in_the_background_and_names_its_attempt() -> None:
    vendor, attempt = Saying({"id": "r1", "status": "queued"}), order()
    async with vendor.serve() as address:
        await OpenAiImagesProvider(KEY, url=address).submit(attempt, print)
    ((method, url, sent),) = vendor.asked
    assert (method, url.endswith("/responses")) == ("POST", True)
    assert (sent["background"], sent["store"], sent["max_tool_calls"]) == (True, True, 1)
    assert sent["metadata"] == {"attempt_id": str(attempt.attempt_id)}
    assert [tool["type"] for tool in sent["tools"]] == ["image_generation"]
    assert sent["tools"][0]["size"] == "1280x720"
    assert "seed" not in sent


@pytest.mark.parametrize(
    ("status", "code", "kind", "error", "wait"),
    [
        (429, "rate_limit_exceeded", "requests", QuotaError, None),
        (429, "insufficient_quota", "insufficient_quota", QuotaError, 600.0),
        (429, "project_spend_limit_exceeded", "insufficient_quota", QuotaError, 600.0),
        (400, "image_content_policy_violation", "user_error", ContentPolicyError, None),
        (400, "moderation_blocked", "user_error", ContentPolicyError, None),
        (400, "invalid_value", "invalid_request_error", RejectedError, None),
        (401, "invalid_api_key", "invalid_request_error", RejectedError, None),
    ],
)
async def test_a_refusal_is_read_by_its_code(
    status: int, code: str, kind: str, error: type[Exception], wait: float | None
) -> None:
    said = {"error": {"code": code, "type": kind, "message": "No."}}
    async with Saying((status, said)).serve() as address:
        with pytest.raises(error) as raised:
            await OpenAiImagesProvider(KEY, url=address).submit(order(), print)
    assert type(raised.value) is error
    assert getattr(raised.value, "retry_after_s", None) == wait


USED: dict[str, Any] = {
    "usage": {"input_tokens": 1000, "output_tokens": 1000},
    "tool_usage": {
        "image_gen": {
            "output_tokens": 1000,
            "input_tokens_details": {"image_tokens": 1000, "text_tokens": 1000},
        }
    },
}


async def test_tokens_of_every_kind_are_charged_and_an_unknown_count_is_no_charge() -> None:
    done: dict[str, Any] = {"status": "completed", "output": [CALL]}
    counted = await read({**done, **USED})
    assert counted.charge == Charge(amount_micros=44_400, basis="units_price")
    for missing in ("usage", "tool_usage"):
        assert (await read({**done, **USED, missing: None})).charge is None
    partial: Any = {"image_gen": {"output_tokens": 1000}}
    assert (await read({**done, **USED, "tool_usage": partial})).charge is None


async def test_the_picture_is_what_the_response_holds() -> None:
    snapshot = await read({"status": "completed", "output": [{"type": "reasoning"}, CALL]})
    (artifact,) = snapshot.artifacts
    assert artifact.media_type == "image/webp"
    provider = OpenAiImagesProvider(KEY)
    assert b"".join([chunk async for chunk in provider.fetch(artifact)]) == b"a picture"


@pytest.mark.parametrize(
    ("response", "error"),
    [
        ({"status": "failed", "error": {"code": "server_error"}}, JobFailedError),
        ({"status": "failed", "error": {"code": "bio_policy"}}, ContentPolicyError),
        ({"status": "failed", "error": None}, JobFailedError),
        ({"status": "completed", "output": []}, JobFailedError),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
            ContentPolicyError,
        ),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
            JobFailedError,
        ),
        (
            {
                "status": "completed",
                "output": [{**CALL, "result": None, "error": {"code": "moderation_blocked"}}],
            },
            ContentPolicyError,
        ),
        (
            {
                "status": "completed",
                "output": [{"type": "message", "content": [{"type": "refusal", "refusal": "No"}]}],
            },
            ContentPolicyError,
        ),
    ],
)
async def test_a_response_without_a_picture_says_why(
    response: dict[str, Any], error: type[Exception]
) -> None:
    snapshot = await read(response)
    assert (snapshot.outcome, type(snapshot.error)) == ("failed", error)


async def test_states_are_what_they_say() -> None:
    phases = [(await read({"status": each})).phase for each in ("queued", "in_progress", "odd")]
    assert phases == ["queued", "running", "unknown"]
    assert (await read({"status": "cancelled"})).outcome == "cancelled"


@pytest.mark.parametrize(
    ("width", "height", "wanted"),
    [(1280, 720, "1280x720"), (256, 256, "816x816"), (3840, 3840, "2880x2880")],
)
def test_a_size_is_one_that_may_be_asked_for(width: int, height: int, wanted: str) -> None:
    assert size({"width": width, "height": height}) == wanted


def test_every_size_that_is_ordered_is_allowed() -> None:
    for width in range(256, 3841, 128):
        for height in range(256, 3841, 128):
            wide, high = map(int, size({"width": width, "height": height}).split("x"))
            assert (wide % 16, high % 16) == (0, 0)
            assert 655_360 <= wide * high <= 8_294_400
            assert (wide <= 3 * high, high <= 3 * wide) == (True, True)


@pytest.mark.parametrize(("hook", "deliveries"), [("on_time", 1), ("duplicate", 2), ("early", 1)])
async def test_a_delivery_names_the_response_and_nothing_else(
    tmp_path: Path, hook: Hook, deliveries: int
) -> None:
    async with open_openai_images(tmp_path, Switches(hook=hook)) as pair:
        ref = await pair.submit(pair.order())
        snapshot = await pair.provider.read(ref)
        assert snapshot.charge == Charge(amount_micros=PRICE, basis="units_price")
    assert len(pair.delivered) == deliveries
    now = clock.unix_ms() / 1000
    for _, headers, body in pair.delivered:
        hint = verify_webhook(headers, body, now, [SECRET])
        assert hint is not None
        assert hint.response_id == ref.provider_job_id
        assert set(json.loads(body)["data"]) == {"id"}
        assert verify_webhook(headers, body + b" ", now, [SECRET]) is None
        assert verify_webhook(headers, body, now + 86_400, [SECRET]) is None


async def test_a_delivery_about_anything_else_is_none(tmp_path: Path) -> None:
    async with open_openai_images(tmp_path, Switches(hook="wrong_signature")) as pair:
        await pair.ended(pair.order())
    now = clock.unix_ms() / 1000
    (_, headers, body), *_ = pair.delivered
    assert verify_webhook(headers, body, now, [SECRET]) is None
    for told, is_hint in (
        ({"type": "response.failed", "data": {"id": "r1"}}, True),
        ({"type": "batch.completed", "data": {"id": "b1"}}, False),
        ({"type": "response.completed", "data": {"id": ""}}, False),
        ({"type": "response.completed", "data": "r1"}, False),
        (["response.completed"], False),
    ):
        content = json.dumps(told).encode()
        signed = sign(SECRET, f"e1.{int(now)}.".encode() + content) or b""
        headers = {
            "Webhook-Id": "e1",
            "Webhook-Timestamp": str(int(now)),
            "Webhook-Signature": f"v1,{signed.decode()}",
        }
        assert (verify_webhook(headers, content, now, [SECRET]) is not None) is is_hint
