"""fal's webhooks: a delivery is a hint to read a request now, if it is signed and fresh.

From docs.fal.ai (documentation/model-apis/inference/webhooks), read 2026-11-30: headers
`X-Fal-Webhook-Request-Id`, `-User-Id`, `-Timestamp` and `-Signature`, the last in hexadecimal. What
is signed is the first three and the SHA-256 of the body in hexadecimal, a line each, with Ed25519
and any key of a public set that may be kept for a day. Five minutes to either side is fal's window.
A request is told of once; a delivery that is sent again is of the same request.
"""

import asyncio
import base64
import binascii
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from infra.providers.http.transport import Limits, Transport
from infra.providers.http.webhooks import WebhookHint, is_fresh
from infra.providers.ports import ProviderError
from infra.sanitize import clean_text
from infra.telemetry import get_logger

JWKS_URL = "https://rest.fal.ai/.well-known/jwks.json"
KEEP_S = 86_400.0
"""How long a fetched set of keys is taken without another look."""
REST_S = 60.0
"""How long the set is left alone after a fetch, however many deliveries match none of its keys."""
_LIMITS = Limits(connect_s=4.0, silence_s=4.0, answer_s=8.0, answer_bytes=1 << 20)
"""fal waits 15 s for a delivery to be taken."""
_MOST_KEYS = 32
_SIGNATURE_BYTES = 64

_log = get_logger(__name__)


class FalWebhooks:
    """Knows fal's deliveries by its public keys, which are fetched when they are first needed."""

    def __init__(self, transport: Transport | None = None, *, jwks_url: str = JWKS_URL) -> None:
        self._transport = transport or Transport("fal", _LIMITS)
        self._jwks_url = jwks_url
        self._keys: tuple[Ed25519PublicKey, ...] = ()
        self._fetched_at: float | None = None
        self._tried_at: float | None = None
        self._fetching = asyncio.Lock()

    async def verify(
        self, headers: Mapping[str, str], body: bytes, now: float
    ) -> WebhookHint | None:
        """Return what a delivery hints at, or None unless fal signed it just now."""
        lowered = {name.lower(): value for name, value in headers.items()}
        told = [
            lowered.get(f"x-fal-webhook-{name}", "")
            for name in ("request-id", "user-id", "timestamp")
        ]
        signature = _unhexed(lowered.get("x-fal-webhook-signature", ""))
        if not told[0] or signature is None or not is_fresh(told[2], now):
            return None
        signed = "\n".join([*told, hashlib.sha256(body).hexdigest()]).encode("utf-8", "replace")
        if not await self._is_signed(signature, signed, now):
            return None
        job_id = _request_id(body)
        if job_id is None:
            return None
        return WebhookHint(job_id=job_id, delivery_id=clean_text(told[0]))

    async def _is_signed(self, signature: bytes, signed: bytes, now: float) -> bool:
        if self._fetched_at is None or _is_past(self._fetched_at, KEEP_S, now):
            await self._fetch(now)
        if _matches(self._keys, signature, signed):
            return True
        before = self._keys
        await self._fetch(now)
        return self._keys is not before and _matches(self._keys, signature, signed)

    async def _fetch(self, now: float) -> None:
        """Fetch the keys unless that was tried just now; without an answer the old ones stay."""
        async with self._fetching:
            if self._tried_at is not None and not _is_past(self._tried_at, REST_S, now):
                return
            self._tried_at = now
            try:
                answer = await self._transport.ask("GET", self._jwks_url)
            except ProviderError as error:
                _log.warning("fal_keys_not_fetched", reason=error.message)
                return
            keys = tuple(_keys(answer.json.get("keys")))
            if not answer.is_success or not keys:
                _log.warning("fal_keys_not_fetched", status=answer.status)
                return
            self._keys = keys
            self._fetched_at = now


def _is_past(since: float, seconds: float, now: float) -> bool:
    """Return whether a span has passed; a clock that was put back counts as if it had."""
    return not since <= now < since + seconds


def _matches(keys: Sequence[Ed25519PublicKey], signature: bytes, signed: bytes) -> bool:
    for key in keys:
        try:
            key.verify(signature, signed)
        except InvalidSignature:
            continue
        return True
    return False


def _keys(listed: Any) -> Iterator[Ed25519PublicKey]:
    """Yield the Ed25519 keys of a set (RFC 8037); others in it are for something else."""
    for item in cast("list[Any]", listed)[:_MOST_KEYS] if isinstance(listed, list) else []:
        facts = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
        if facts.get("kty") != "OKP" or facts.get("crv") != "Ed25519":
            continue
        try:
            said = str(facts.get("x", "")).encode("ascii")
            yield Ed25519PublicKey.from_public_bytes(
                base64.b64decode(said + b"=" * (-len(said) % 4), altchars=b"-_", validate=True)
            )
        except (ValueError, binascii.Error):
            continue


def _unhexed(text: str) -> bytes | None:
    try:
        signature = bytes.fromhex(text)
    except ValueError:
        return None
    return signature if len(signature) == _SIGNATURE_BYTES else None


def _request_id(body: bytes) -> str | None:
    """Return the request's name in the queue, which a retry within fal does not change."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return None
    request_id = cast("dict[str, Any]", told).get("request_id") if isinstance(told, dict) else None
    return clean_text(request_id) if isinstance(request_id, str) and request_id else None
