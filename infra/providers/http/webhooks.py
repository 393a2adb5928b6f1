"""Webhooks: what a delivery may be believed, and the scheme of Standard Webhooks.

A delivery is a hint to read a job now, never the job's state. Every vendor that signs has one
`WebhookVerifier`; whoever takes deliveries knows no more of them.

Standard Webhooks is that of standardwebhooks.com as Replicate documents it (read 2026-11-30):
headers `webhook-id`, `webhook-timestamp` and `webhook-signature` with space-separated
`v1,<base64>`, HMAC-SHA256 over `id.timestamp.body` with the base64 after `whsec_` as its key. Five
minutes to either side is the window that the scheme recommends; Replicate's own client checks no
time unless told to.
"""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

WINDOW_S = 300.0
_MOST_DIGITS = 12
"""More would be no time, and could be more digits than Python makes a number of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookHint:
    """Which job to read now; nothing else of a delivery is believed.

    A delivery that is sent again has the same `delivery_id`.
    """

    job_id: str
    delivery_id: str


class WebhookVerifier(Protocol):
    """Tells a vendor's own deliveries from all others."""

    async def verify(
        self, headers: Mapping[str, str], body: bytes, now: float
    ) -> WebhookHint | None:
        """Return what a delivery hints at, or None unless the vendor signed it just now.

        `headers` may have names in any case, `body` is what arrived, byte for byte, and `now` is
        in seconds since 1970. Raises nothing, whatever is delivered.
        """
        ...


def is_fresh(sent_at: str, now: float, window_s: float = WINDOW_S) -> bool:
    """Return whether a time, told in whole seconds since 1970, is about now."""
    is_number = sent_at.isascii() and sent_at.isdigit() and len(sent_at) <= _MOST_DIGITS
    return is_number and abs(now - int(sent_at)) <= window_s


def is_signed(
    headers: Mapping[str, str],
    body: bytes,
    *,
    now: float,
    secrets: Iterable[str],
    window_s: float = WINDOW_S,
) -> bool:
    """Return whether one of the secrets signed these very bytes, at most `window_s` from `now`."""
    lowered = {name.lower(): value for name, value in headers.items()}
    sent_id = lowered.get("webhook-id", "")
    sent_at = lowered.get("webhook-timestamp", "")
    if not sent_id or not is_fresh(sent_at, now, window_s):
        return False
    given = [
        word.partition(",")[2].encode("utf-8", "replace")
        for word in lowered.get("webhook-signature", "").split()
        if word.startswith("v1,")
    ]
    signed = b".".join((sent_id.encode("utf-8", "replace"), sent_at.encode(), body))
    is_ours = False
    for secret in secrets:
        wanted = sign(secret, signed)
        for signature in given:
            # No early end: how long this takes must not tell which secret is nearly right.
            is_ours |= wanted is not None and hmac.compare_digest(wanted, signature)
    return is_ours


def sign(secret: str, signed: bytes) -> bytes | None:
    """Return the signature of a content, or None if the secret is none."""
    if not secret.startswith("whsec_"):
        return None
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        return None
    if not key:
        return None
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
