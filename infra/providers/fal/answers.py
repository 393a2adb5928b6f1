"""What fal's answers mean: refusals, failures, results, money.

From fal's documentation as read on 2026-11-30: the queue (docs.fal.ai/documentation/model-apis/
inference/queue), model errors (a list of `{loc, msg, type}` with `content_policy_violation` among
its types) and request errors (docs.fal.ai/documentation/model-apis/request-errors: `detail` and
`error_type`, also in `X-Fal-Error-Type`). That a 5xx is never charged and a 422 may be is from
generation.md 1.3 (2026-11).
"""

import math
from typing import Any, cast

from infra.providers.http.answers import FREE, GONE, made, objects_in, over, type_of, unread
from infra.providers.http.models import Model
from infra.providers.http.refusals import by_status, described
from infra.providers.http.transport import Answer
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

NAME = "fal"
_POLICY = "content_policy_violation"
_LOCKED = ("locked", "balance", "credit")
_SAYS_NOTHING = frozenset({401, 403, 429})
"""Refusals that are about the question, not about the job."""
_SERVER = 500


def refusal(answer: Answer) -> ProviderError | None:
    """Return what a refused submission means, where fal says it in its own words."""
    said = described(answer)
    if answer.status == 403 and any(word in said.lower() for word in _LOCKED):  # noqa: PLR2004
        return QuotaError(f"fal has locked the account: {said}")
    problems = objects_in(answer.json.get("detail"))
    if any(problem.get("type") == _POLICY for problem in problems):
        return ContentPolicyError(f"fal refused the content: {_told(problems)}")
    if problems:
        return RejectedError(f"fal refused the request: {_told(problems)}")
    return None


def ended(model: Model, status: dict[str, Any], result: Answer) -> Snapshot:
    """Return what became of a completed request; `COMPLETED` alone is no success."""
    charge = _charge(model, result)
    kind = str(status.get("error_type") or result.headers.get("x-fal-error-type") or "")
    if "cancel" in kind:
        return over("cancelled", JobFailedError("fal cancelled it."), charge)
    if result.is_success:
        return _made(model, result, charge)
    if result.status in GONE:
        return over("expired", JobFailedError("fal no longer has its result."), charge)
    if result.status >= _SERVER and (kind or status.get("error")):
        error = JobFailedError(f"fal's model failed: {status.get('error') or described(result)}")
        return over("failed", error, FREE)
    if result.is_refusal and result.status not in _SAYS_NOTHING:
        return over("failed", _failure(result), charge)
    # Nothing says that this is the job's own error and not that of the question.
    return unread(result)


def _failure(result: Answer) -> ProviderError:
    told = refusal(result) or by_status(NAME, result)
    return told if isinstance(told, ContentPolicyError) else JobFailedError(told.message)


def _made(model: Model, result: Answer, charge: Charge | None) -> Snapshot:
    artifacts = _artifacts(model, result.json)
    flagged = result.json.get("has_nsfw_concepts")
    if isinstance(flagged, list) and any(cast("list[Any]", flagged)):
        # The picture is there and black.
        error = ContentPolicyError("fal's model flagged its own result and blackened it.")
        return over("failed", error, charge)
    if not artifacts:
        error = JobFailedError("fal's model ended without a result.")
        return over("failed", error, charge)
    seed = result.json.get("seed")
    return made(model, artifacts, charge, **({"seed": seed} if isinstance(seed, int) else {}))


def _artifacts(model: Model, body: dict[str, Any]) -> tuple[Artifact, ...]:
    """Return the files of a result: models name theirs `images`, `image`, `video` or `audio`."""
    found: list[Any] = []
    for name in ("images", "image", "video", "audio", "audio_file"):
        value = body.get(name)
        found += cast("list[Any]", value) if isinstance(value, list) else [value]
    return tuple(
        Artifact(
            role=model.role,
            location=file["url"],
            media_type=type_of(model, str(file.get("content_type") or "")),
        )
        for file in objects_in(found)
        if isinstance(file.get("url"), str)
    )


def _charge(model: Model, result: Answer) -> Charge | None:
    """Return fal's own count of units at our price, if it counted; the unit is the model's."""
    try:
        units = float(result.headers.get("x-fal-billable-units", "").strip())
    except ValueError:
        return None
    return model.charge(units) if math.isfinite(units) and units >= 0 else None


def _told(problems: list[dict[str, Any]]) -> str:
    said = [
        f"{'.'.join(map(str, problem.get('loc') or ()))}: {problem.get('msg')}"
        for problem in problems
    ]
    return "; ".join(said)[:300]
