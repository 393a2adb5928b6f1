"""What OpenAI's answers mean: refusals, responses with a picture in them, tokens.

From its Python client 3.57.0 (responses/response, response_error, response_output_item
`ImageGenerationCall`) and its page on error codes as learn.microsoft.com/microsoft-cloud/dev/
dev-proxy repeats it, read 2026-11-30. Every refusal is `{"error": {"code", "type", "message"}}`; a
429 is a limit of requests or an empty account, which only `code` and `type` tell apart. What was
used is in `usage` and, for the tool, in `tool_usage.image_gen`, which may be left out: then nobody
knows. Whether a refused or a cancelled picture is charged is not documented.
"""

import base64
import binascii
from typing import Any

from infra.providers.http.answers import made, object_of, objects_in, over, type_of
from infra.providers.http.models import Model, Rate
from infra.providers.http.transport import Answer
from infra.providers.openai_images.models import (
    MILLION,
    PICTURE_IN,
    PICTURE_OUT,
    PROMPT_IN,
    TEXT_IN,
    TEXT_OUT,
)
from infra.providers.ports import (
    Artifact,
    Charge,
    ContentPolicyError,
    JobFailedError,
    ProviderError,
    QuotaError,
    RejectedError,
    Snapshot,
)

NAME = "openai_images"
INLINE = "data:"
_CALLED = "OpenAI"
_POLICY = ("policy", "moderation_blocked", "content_filter")
_UNPAID = frozenset(
    {
        "insufficient_quota",
        "billing_hard_limit_reached",
        "credit_balance_exhausted",
        "organization_spend_limit_exceeded",
        "project_spend_limit_exceeded",
        "organization_usage_limit_exceeded",
    }
)
_PAID_UP_S = 600.0
_SAID = 300


def refusal(answer: Answer) -> ProviderError | None:
    """Return what a refused order means, where OpenAI says it in its own words."""
    error = object_of(answer.json.get("error"))
    codes = {str(error.get(name) or "") for name in ("code", "type")} - {""}
    said = str(error.get("message") or "without a word")[:_SAID]
    if codes & _UNPAID:
        return QuotaError(f"{_CALLED} wants to be paid first: {said}", retry_after_s=_PAID_UP_S)
    if answer.status == 429:  # noqa: PLR2004
        wait = answer.retry_after_s
        return QuotaError(f"{_CALLED} has no room now: {said}", retry_after_s=wait)
    if _is_policy(codes):
        return ContentPolicyError(f"{_CALLED} refused the content: {said}")
    if codes and answer.status != 401:  # noqa: PLR2004
        return RejectedError(f"{_CALLED} refused the request ({answer.status}): {said}")
    return None


def described(model: Model, response: dict[str, Any]) -> Snapshot:
    """Return a response as it is now."""
    match response.get("status"):
        case "queued":
            return Snapshot(phase="queued")
        case "in_progress":
            return Snapshot(phase="running")
        case "completed" | "incomplete":
            return _ended(model, response)
        case "failed":
            return over("failed", _failure(object_of(response.get("error"))), _charge(response))
        case "cancelled":
            error = JobFailedError(f"{_CALLED} cancelled it.")
            return over("cancelled", error, _charge(response))
        case _:
            return Snapshot(phase="unknown")


def bytes_of(location: str) -> bytes | None:
    """Return the picture that a location itself is, or None if it cannot be decoded."""
    try:
        return base64.b64decode(location.partition(",")[2], validate=True)
    except (binascii.Error, ValueError):
        return None


def _ended(model: Model, response: dict[str, Any]) -> Snapshot:
    """Return a response that has ended: with a picture it is well, whatever else it says."""
    calls = [
        item
        for item in objects_in(response.get("output"))
        if item.get("type") == "image_generation_call"
    ]
    pictures = [call for call in calls if isinstance(call.get("result"), str) and call["result"]]
    if not pictures:
        return over("failed", _nothing(response, calls), _charge(response))
    media_type = type_of(model, f"image/{pictures[0].get('output_format') or 'png'}")
    location = f"{INLINE}{media_type};base64,{pictures[0]['result']}"
    artifact = Artifact(role=model.role, location=location, media_type=media_type)
    revised = pictures[0].get("revised_prompt")
    measured = {"revised_prompt": revised} if isinstance(revised, str) else {}
    return made(model, (artifact,), _charge(response), **measured)


def _nothing(response: dict[str, Any], calls: list[dict[str, Any]]) -> ProviderError:
    """Return why a response has no picture: the call says it, or the text instead of one."""
    for call in calls:
        if error := object_of(call.get("error")):
            return _failure(error)
    reason = str(object_of(response.get("incomplete_details")).get("reason") or "")
    if _is_policy({reason}):
        return ContentPolicyError(f"{_CALLED} refused the content ({reason}).")
    for message in objects_in(response.get("output")):
        for part in objects_in(message.get("content")):
            if part.get("type") == "refusal":
                said = str(part.get("refusal"))[:_SAID]
                return ContentPolicyError(f"{_CALLED} refused the content: {said}")
    return JobFailedError(f"{_CALLED} made no picture{f' ({reason})' if reason else ''}.")


def _failure(error: dict[str, Any]) -> ProviderError:
    code = str(error.get("code") or "")
    said = str(error.get("message") or "without a word")[:_SAID]
    if _is_policy({code, str(error.get("type") or "")}):
        return ContentPolicyError(f"{_CALLED} refused the content: {said}")
    return JobFailedError(f"{_CALLED} failed: {said} ({code})")


def _is_policy(codes: set[str]) -> bool:
    return any(word in code for code in codes for word in _POLICY)


def _charge(response: dict[str, Any]) -> Charge | None:
    """Return what the counted tokens cost, if both counts are there."""
    used = object_of(response.get("usage"))
    tool = object_of(object_of(response.get("tool_usage")).get("image_gen"))
    if not used or not tool:
        return None
    details = object_of(tool.get("input_tokens_details"))
    counted: list[tuple[Rate, Any]] = [
        (TEXT_IN, used.get("input_tokens")),
        (TEXT_OUT, used.get("output_tokens")),
        (PICTURE_OUT, tool.get("output_tokens")),
        (PICTURE_IN, details.get("image_tokens")),
        (PROMPT_IN, details.get("text_tokens")),
    ]
    if not all(isinstance(count, int) and count >= 0 for _, count in counted):
        return None
    micros = sum(count * rate.unit_micros for rate, count in counted) / MILLION
    return Charge(amount_micros=round(micros), basis="units_price")
