"""A delivery counts only if its very bytes were signed, by a secret of ours, and just now."""

import base64

import pytest

from infra.providers.http.webhooks import is_signed, sign

SECRET = "whsec_" + base64.b64encode(b"a secret of ours").decode()
OTHER = "whsec_" + base64.b64encode(b"another secret").decode()
BODY = b'{"id":"p1"}'
NOW = 1_764_500_000.0


def delivery(
    *, at: float = NOW, secret: str = SECRET, message_id: str = "m1", body: bytes = BODY
) -> dict[str, str]:
    signature = sign(secret, f"{message_id}.{at:.0f}.".encode() + body)
    assert signature is not None
    return {
        "Webhook-Id": message_id,
        "webhook-timestamp": f"{at:.0f}",
        "webhook-signature": f"v1,{signature.decode()}",
    }


def test_the_scheme_s_own_example_is_signed() -> None:
    """The example of the specification and of its libraries."""
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105 - a public example
    assert is_signed(headers, b'{"test": 2432232314}', now=1614265330, secrets=[secret])


@pytest.mark.parametrize("seconds", [-300, 0, 300])
def test_a_delivery_of_the_last_minutes_is_signed(seconds: int) -> None:
    assert is_signed(delivery(at=NOW + seconds), BODY, now=NOW, secrets=[SECRET])


@pytest.mark.parametrize("seconds", [-301, 301, 86_400])
def test_an_old_or_a_future_delivery_is_none(seconds: int) -> None:
    assert not is_signed(delivery(at=NOW + seconds), BODY, now=NOW, secrets=[SECRET])


def test_one_signature_of_several_and_one_secret_of_several_are_enough() -> None:
    headers = delivery()
    headers["webhook-signature"] = f"v1a,x v1,AAAA {headers['webhook-signature']} v2,y"
    assert is_signed(headers, BODY, now=NOW, secrets=[OTHER, SECRET])


@pytest.mark.parametrize(
    "changed",
    [
        {"Webhook-Id": "m2"},
        {"Webhook-Id": ""},
        {"webhook-timestamp": f"{NOW + 1:.0f}"},
        {"webhook-timestamp": "now"},
        {"webhook-timestamp": f"{NOW:.0f}".translate({48 + n: 0xFF10 + n for n in range(10)})},
        {"webhook-signature": ""},
        {"webhook-signature": "v1,"},
        {"webhook-signature": "v1,ünïcode"},
        {"webhook-signature": delivery()["webhook-signature"].replace("v1,", "v2,")},
        {"webhook-signature": delivery(secret=OTHER)["webhook-signature"]},
    ],
)
def test_whatever_else_is_said_is_not_signed(changed: dict[str, str]) -> None:
    assert not is_signed({**delivery(), **changed}, BODY, now=NOW, secrets=[SECRET])


def test_other_bytes_are_not_signed() -> None:
    assert not is_signed(delivery(), BODY + b" ", now=NOW, secrets=[SECRET])
    assert not is_signed({}, BODY, now=NOW, secrets=[SECRET])


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_???", SECRET.removeprefix("whsec_")])
def test_a_secret_that_is_none_signs_nothing(secret: str) -> None:
    assert not is_signed(delivery(), BODY, now=NOW, secrets=[secret])
    assert not is_signed(delivery(), BODY, now=NOW, secrets=[])
