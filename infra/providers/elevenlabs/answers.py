"""What ElevenLabs' answers mean: refusals, speech, the history's items, money.

From its error codes (elevenlabs.io/docs/eleven-api/resources/errors as api-evangelist/elevenlabs
repeats it, commit 7591e5e1), its help pages on 400, 401 and 429, and its Python client 2.78.0, read
2026-11-30. A refusal is `{"detail": {"code", "status", "message"}}`, where `status` is the older
name of `code`: it is read before the HTTP status, as `quota_exceeded` comes as 401. What it answers
when it refuses a text by policy is not documented: the words that it is known by here are
unverified. The header `character-cost` is what integrators report to see (mulmocast-cli #1420).
"""

import base64
import binascii
import math
import re
from dataclasses import dataclass
from typing import Any

from infra.providers.elevenlabs.timings import Heard, heard_in
from infra.providers.http.answers import object_of
from infra.providers.http.models import Model
from infra.providers.http.transport import Answer
from infra.providers.ports import (
    Charge,
    ContentPolicyError,
    ProviderError,
    QuotaError,
    RejectedError,
)

NAME = "elevenlabs"
_POLICY = re.compile(r"content_policy|policy_violation|moderation|blocked|tos_violation")
_CREDITS = frozenset({"quota_exceeded", "insufficient_credits", "payment_required"})
_CROWDED = frozenset({"too_many_concurrent_requests", "concurrent_limit_exceeded"})
_BUSY = frozenset({"system_busy", "rate_limit_exceeded"})
_NEXT_S = 5.0
"""Our own requests are in each other's way: there is room as soon as one of them has ended."""
_BUSY_S = 60.0
"""The vendor is in trouble: leave it alone."""
_PAID_UP_S = 600.0
"""Somebody has to pay first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """A spoken text: its bytes, when each character is heard, and what it cost if that is told."""

    sound: bytes
    heard: list[Heard]
    charge: Charge | None


def refusal(answer: Answer) -> ProviderError | None:
    """Return what a refused text means, where ElevenLabs says it in its own words."""
    detail = object_of(answer.json.get("detail"))
    codes = {str(detail.get(name)).lower() for name in ("code", "status") if detail.get(name)}
    said = str(detail.get("message") or "without a word")[:300]
    if codes & _CREDITS:
        return QuotaError(f"ElevenLabs wants credits: {said}", retry_after_s=_PAID_UP_S)
    if codes & _CROWDED:
        wait = answer.retry_after_s or _NEXT_S
        return QuotaError(f"ElevenLabs speaks enough at once: {said}", retry_after_s=wait)
    if codes & _BUSY:
        wait = answer.retry_after_s or _BUSY_S
        return QuotaError(f"ElevenLabs is busy: {said}", retry_after_s=wait)
    if any(_POLICY.search(code) for code in codes):
        return ContentPolicyError(f"ElevenLabs refused the text: {said}")
    if detail and "invalid_api_key" not in codes:
        return RejectedError(f"ElevenLabs refused the request ({answer.status}): {said}")
    return None


def speech_in(model: Model, answer: Answer) -> Speech | None:
    """Return the speech of an answer, or None if there is none in it."""
    encoded = answer.json.get("audio_base64")
    if not answer.is_success or not isinstance(encoded, str):
        return None
    try:
        sound = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return None
    if not sound:
        return None
    heard = heard_in(answer.json.get("alignment"))
    return Speech(sound=sound, heard=heard, charge=_counted(model, answer))


def charge_in(model: Model, item: dict[str, Any]) -> Charge | None:
    """Return what an item of the history cost: the change of the account's characters."""
    before, after = item.get("character_count_change_from"), item.get("character_count_change_to")
    if not isinstance(before, int) or not isinstance(after, int) or after < before:
        return None
    return model.charge(after - before)


def _counted(model: Model, answer: Answer) -> Charge | None:
    try:
        units = float(answer.headers.get("character-cost", "").strip())
    except ValueError:
        return None
    return model.charge(units) if math.isfinite(units) and units >= 0 else None
