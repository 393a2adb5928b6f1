"""Replicate's webhooks: a delivery is a hint to read a prediction now, if it is signed and fresh.

From replicate.com/docs/topics/webhooks/verify-webhook, read 2026-11-30: the scheme of Standard
Webhooks; a delivery that is sent again has the same `webhook-id`.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from infra.providers.http.webhooks import is_signed
from infra.sanitize import clean_text


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookHint:
    """Which prediction to read now; nothing else of a delivery is believed."""

    prediction_id: str
    delivery_id: str


def verify_webhook(
    headers: Mapping[str, str], body: bytes, now: float, keys: Iterable[str]
) -> WebhookHint | None:
    """Return what a delivery hints at, or None unless one of the keys signed it just now.

    The same delivery may come again: `delivery_id` stays the same when it is sent again.
    """
    if not is_signed(headers, body, now=now, secrets=keys):
        return None
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return None
    delivery_id = {name.lower(): value for name, value in headers.items()}["webhook-id"]
    prediction_id = cast("dict[str, Any]", told).get("id") if isinstance(told, dict) else None
    if not isinstance(prediction_id, str) or not prediction_id:
        return None
    return WebhookHint(prediction_id=clean_text(prediction_id), delivery_id=delivery_id)
