"""A delivery counts only if one of fal's published keys signed its very bytes, and just now."""

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.simulator.books import Books
from evals.simulator.fal import FalDialect, published, signed_by
from evals.simulator.jobs import Vendor
from evals.simulator.serving import serve
from evals.simulator.switches import Hook, Switches
from evals.simulator.wire import Wires
from infra import clock
from infra.providers.fal.webhooks import KEEP_S, REST_S, FalWebhooks
from infra.providers.http.webhooks import WebhookHint
from tests.integration.infra.providers.vendors import open_fal, order

NOW = 1_764_500_000.0
BODY = json.dumps({"request_id": "r1", "status": "OK", "payload": None}).encode()
HINT = WebhookHint(job_id="r1", delivery_id="r1")


@dataclass
class Publisher:
    """fal's key server: what it publishes, how it answers, and how often it was asked."""

    dialect: FalDialect
    address: str = ""
    asked: int = 0
    answers: list[Any] = field(default_factory=list[Any])

    @property
    def keys(self) -> list[Ed25519PrivateKey]:
        return self.dialect.keys

    def verifier(self) -> FalWebhooks:
        return FalWebhooks(jwks_url=f"{self.address}/.well-known/jwks.json")

    async def answer(self, request: Request) -> Response:
        self.asked += 1
        if self.answers:
            status, content = self.answers.pop(0)
            return JSONResponse(content, status)
        return await self.dialect.published(request)


@pytest.fixture
async def publisher(tmp_path: Path) -> AsyncGenerator[Publisher]:
    wires = Wires()
    vendor = Vendor(books=Books(tmp_path / "books.jsonl"))
    made = Publisher(FalDialect(vendor, wires, lambda _: 0, lambda _: 0))
    async with serve([Route("/.well-known/jwks.json", made.answer)], wires) as address:
        made.address = address
        yield made


def delivery(key: Ed25519PrivateKey, *, body: bytes = BODY, at: float = NOW) -> dict[str, str]:
    return signed_by(key, "r1", body, at=int(at))


async def test_what_fal_signed_is_a_hint_whatever_the_case_of_its_headers(
    publisher: Publisher,
) -> None:
    ours, headers = publisher.verifier(), delivery(publisher.keys[0])
    assert await ours.verify(headers, BODY, NOW) == HINT
    for change in (str.lower, str.upper):
        changed = {change(name): value for name, value in headers.items()}
        assert await ours.verify(changed, BODY, NOW) == HINT
    assert publisher.asked == 1


async def test_a_delivery_that_is_sent_again_is_the_same_delivery(publisher: Publisher) -> None:
    ours = publisher.verifier()
    for at in (NOW, NOW + 60):
        assert await ours.verify(delivery(publisher.keys[0], at=at), BODY, at) == HINT


@pytest.mark.parametrize(
    ("seconds", "hint"), [(-301, None), (-300, HINT), (300, HINT), (301, None)]
)
async def test_a_delivery_counts_for_five_minutes(
    publisher: Publisher, seconds: int, hint: WebhookHint | None
) -> None:
    headers = delivery(publisher.keys[0], at=NOW + seconds)
    assert await publisher.verifier().verify(headers, BODY, NOW) == hint


async def test_an_old_delivery_with_a_new_time_is_none(publisher: Publisher) -> None:
    headers = delivery(publisher.keys[0], at=NOW - 3600)
    headers["X-Fal-Webhook-Timestamp"] = f"{NOW:.0f}"
    assert await publisher.verifier().verify(headers, BODY, NOW) is None


async def test_other_bytes_and_other_headers_are_not_signed(publisher: Publisher) -> None:
    ours, headers = publisher.verifier(), delivery(publisher.keys[0])
    assert await ours.verify(headers, BODY + b" ", NOW) is None
    for name in headers:
        if name.startswith("X-Fal"):
            assert await ours.verify({**headers, name: headers[name] + "1"}, BODY, NOW) is None
            assert await ours.verify({**headers, name: ""}, BODY, NOW) is None
            assert await ours.verify({**headers, name: "ü"}, BODY, NOW) is None
    assert await ours.verify({}, BODY, NOW) is None
    assert await ours.verify(headers, BODY, NOW) == HINT


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"no json", b'{"request_id": 7}', b"[" * 9999])
async def test_a_signed_body_without_a_request_hints_at_nothing(
    publisher: Publisher, body: bytes
) -> None:
    headers = delivery(publisher.keys[0], body=body)
    assert await publisher.verifier().verify(headers, body, NOW) is None


async def test_a_stranger_s_key_signs_nothing_and_costs_at_most_a_fetch_a_minute(
    publisher: Publisher,
) -> None:
    ours, stranger = publisher.verifier(), Ed25519PrivateKey.generate()
    for second in range(int(REST_S)):
        at = NOW + second
        assert await ours.verify(delivery(stranger, at=at), BODY, at) is None
    assert publisher.asked == 1
    at = NOW + REST_S
    assert await ours.verify(delivery(stranger, at=at), BODY, at) is None
    assert publisher.asked == 2


async def test_what_cannot_be_fal_s_asks_for_no_keys(publisher: Publisher) -> None:
    ours, headers = publisher.verifier(), delivery(publisher.keys[0])
    for changed in (
        {"X-Fal-Webhook-Signature": "xyz"},
        {"X-Fal-Webhook-Signature": "ab"},
        {"X-Fal-Webhook-Timestamp": "1" * 5000},
        {"X-Fal-Webhook-Timestamp": f"{NOW - 301:.0f}"},
    ):
        assert await ours.verify({**headers, **changed}, BODY, NOW) is None
    assert publisher.asked == 0


async def test_a_new_key_is_known_by_its_first_delivery_and_an_old_one_while_it_is_published(
    publisher: Publisher,
) -> None:
    ours, old = publisher.verifier(), publisher.keys[0]
    assert await ours.verify(delivery(old), BODY, NOW) == HINT
    new, later = Ed25519PrivateKey.generate(), NOW + REST_S
    publisher.keys.append(new)
    for key in (new, old):
        assert await ours.verify(delivery(key, at=later), BODY, later) == HINT
    assert publisher.asked == 2


async def test_a_key_that_is_published_no_longer_is_forgotten_after_a_day(
    publisher: Publisher,
) -> None:
    ours, old = publisher.verifier(), publisher.keys[0]
    assert await ours.verify(delivery(old), BODY, NOW) == HINT
    publisher.keys[:] = [Ed25519PrivateKey.generate()]
    soon, later = NOW + KEEP_S - 1, NOW + KEEP_S
    assert await ours.verify(delivery(old, at=soon), BODY, soon) == HINT
    assert await ours.verify(delivery(old, at=later), BODY, later) is None
    assert publisher.asked == 2


@pytest.mark.parametrize("answer", [(503, {}), (200, {"keys": []}), (200, []), (302, {})])
async def test_a_fetch_that_gives_no_keys_leaves_the_old_ones_and_is_tried_again(
    publisher: Publisher, answer: Any
) -> None:
    ours, key = publisher.verifier(), publisher.keys[0]
    publisher.answers = [answer]
    assert await ours.verify(delivery(key), BODY, NOW) is None
    first = NOW + REST_S
    assert await ours.verify(delivery(key, at=first), BODY, first) == HINT
    publisher.answers = [answer]
    later = first + KEEP_S
    assert await ours.verify(delivery(key, at=later), BODY, later) == HINT
    assert publisher.asked == 3


async def test_what_a_broken_answer_publishes_is_not_believed(publisher: Publisher) -> None:
    ours, stranger = publisher.verifier(), Ed25519PrivateKey.generate()
    publisher.answers = [(503, {"keys": [published(stranger)]})]
    assert await ours.verify(delivery(stranger), BODY, NOW) is None


async def test_deliveries_that_come_together_fetch_the_keys_once(publisher: Publisher) -> None:
    ours, headers = publisher.verifier(), delivery(publisher.keys[0])
    hints = await asyncio.gather(*(ours.verify(headers, BODY, NOW) for _ in range(8)))
    assert hints == [HINT] * 8
    assert publisher.asked == 1


async def test_keys_that_cannot_be_fetched_let_nothing_in(publisher: Publisher) -> None:
    ours = FalWebhooks(jwks_url="http://127.0.0.1:9/.well-known/jwks.json")
    assert await ours.verify(delivery(publisher.keys[0]), BODY, NOW) is None


async def test_only_whole_ed25519_keys_of_a_set_are_taken(publisher: Publisher) -> None:
    """What else may be in a set: keys for something else, halves of keys, what is no key at all."""
    ours, key, stranger = publisher.verifier(), publisher.keys[0], Ed25519PrivateKey.generate()
    strange: list[Any] = [
        7,
        {"kty": "RSA", "n": "x"},
        {**published(stranger), "crv": "X25519"},
        {**published(stranger), "kty": "EC"},
        {"kty": "OKP", "crv": "Ed25519", "x": "AAAA"},
        {"kty": "OKP", "crv": "Ed25519", "x": "?"},
        {"kty": "OKP", "crv": "Ed25519", "x": "ü"},
        {"kty": "OKP", "crv": "Ed25519"},
    ]
    publisher.answers = [(200, {"keys": [*strange, published(key)]})]
    assert await ours.verify(delivery(key), BODY, NOW) == HINT
    assert await ours.verify(delivery(stranger), BODY, NOW) is None


@pytest.mark.parametrize(
    ("hook", "hints"),
    [("on_time", 1), ("duplicate", 2), ("early", 1), ("missing", 0), ("wrong_signature", 0)],
)
async def test_the_vendor_s_own_deliveries_are_hints_at_its_requests(
    tmp_path: Path, hook: Hook, hints: int
) -> None:
    async with open_fal(tmp_path, Switches(hook=hook)) as pair:
        ref = await pair.submit(order())
        await pair.provider.read(ref)
        ours = FalWebhooks(jwks_url=f"{pair.vendor.address}/.well-known/jwks.json")
        now = clock.unix_ms() / 1000
        told = [await ours.verify(headers, body, now) for _, headers, body in pair.delivered]
    assert len(told) == (1 if hook == "wrong_signature" else hints)
    assert [each.job_id for each in told if each] == [ref.provider_job_id] * hints
