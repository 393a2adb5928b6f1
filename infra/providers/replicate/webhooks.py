"""Replicate's webhooks: a delivery is a hint to read a prediction now, if it is signed and fresh.

From replicate.com/docs/topics/webhooks/verify-webhook, read 2026-11-30: the scheme of Standard
Webhooks; a delivery that is sent again has the same `webhook-id`.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

from infra.providers.http.webhooks import WebhookHint, is_signed
from infra.sanitize import clean_text


class ReplicateWebhooks:
    """Knows Replicate's deliveries by the account's secrets: two while one is being replaced."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = tuple(secrets)

    async def verify(
        self, headers: Mapping[str, str], body: bytes, now: float
    ) -> WebhookHint | None:
        """Return what a delivery hints at, or None unless one of the secrets signed it just now."""
        if not is_signed(headers, body, now=now, secrets=self._secrets):
            return None
        try:
            told = json.loads(body)
        except (ValueError, RecursionError):
            return None
        delivery_id = {name.lower(): value for name, value in headers.items()}["webhook-id"]
        prediction_id = cast("dict[str, Any]", told).get("id") if isinstance(told, dict) else None
        if not isinstance(prediction_id, str) or not prediction_id:
            return None
        return WebhookHint(job_id=clean_text(prediction_id), delivery_id=clean_text(delivery_id))
