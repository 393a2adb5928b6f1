"""OpenAI's webhooks: a delivery is a hint to read a response now, if it is signed and fresh.

From its Python client 3.57.0 (types/webhooks, resources/webhooks), read 2026-11-30: the scheme of
Standard Webhooks with the secret of the project's endpoint; a `response.*` event carries the
response's id and nothing else. The response itself names the attempt in its `metadata`.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from infra.providers.http.answers import object_of
from infra.providers.http.webhooks import is_signed
from infra.sanitize import clean_text


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookHint:
    """Which response to read now; nothing else of a delivery is believed."""

    response_id: str
    delivery_id: str


def verify_webhook(
    headers: Mapping[str, str], body: bytes, now: float, keys: Iterable[str]
) -> WebhookHint | None:
    """Return what a delivery hints at, or None unless one of the keys signed it just now."""
    if not is_signed(headers, body, now=now, secrets=keys):
        return None
    try:
        told: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None
    event = object_of(told)
    response_id = object_of(event.get("data")).get("id")
    if not str(event.get("type")).startswith("response.") or not isinstance(response_id, str):
        return None
    if not response_id:
        return None
    delivery_id = {name.lower(): value for name, value in headers.items()}["webhook-id"]
    return WebhookHint(response_id=clean_text(response_id), delivery_id=delivery_id)
