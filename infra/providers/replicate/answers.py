"""What Replicate's answers mean: refusals, predictions, money.

From its OpenAPI and documentation as read on 2026-11-30: problems are `{title, detail, status}`
(RFC 7807); a prediction is `starting`, `processing`, `succeeded`, `failed`, `canceled` or `aborted`
(replicate.com/docs/topics/predictions/lifecycle). That `canceled` is charged and `aborted` is not
is from generation.md 1.3 (2026-11). There is no field for a policy: models say it in free text.
"""

import re
from typing import Any, cast

from infra.providers.http.answers import FREE, made, over, type_of
from infra.providers.http.models import Model
from infra.providers.http.refusals import described
from infra.providers.http.transport import Answer
from infra.providers.ports import (
    Artifact,
    Charge,
    ContentPolicyError,
    JobFailedError,
    ProviderError,
    Snapshot,
)

NAME = "replicate"
_POLICY = re.compile(r"nsfw|flagged|sensitive|safety|content policy|moderat|E005", re.IGNORECASE)
_TYPES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
    "mp4": "video/mp4",
    "webm": "video/webm",
    "mp3": "audio/mpeg",
    "wav": "audio/wav",
}


def refusal(answer: Answer) -> ProviderError | None:
    """Return what a refused submission means, where Replicate says it in its own words."""
    said = described(answer)
    if answer.status in (400, 422) and _POLICY.search(said):
        return ContentPolicyError(f"Replicate refused the content: {said}")
    return None


def described_as(model: Model, prediction: dict[str, Any]) -> Snapshot:
    """Return a prediction as it is now."""
    match prediction.get("status"):
        case "starting" | "processing" as status:
            return Snapshot(phase="queued" if status == "starting" else "running")
        case "succeeded":
            return _made(model, prediction)
        case "failed":
            return _failed(prediction)
        case "canceled":
            return over("cancelled", JobFailedError("Replicate stopped it."), None)
        case "aborted":
            error = JobFailedError("Replicate did not start it before its deadline.")
            return over("cancelled", error, FREE)
        case _:
            return Snapshot(phase="unknown")


def _failed(prediction: dict[str, Any]) -> Snapshot:
    said = str(prediction.get("error") or "without a word")[:300]
    error = ContentPolicyError if _POLICY.search(said) else JobFailedError
    return over("failed", error(f"Replicate's model failed: {said}"), None)


def _made(model: Model, prediction: dict[str, Any]) -> Snapshot:
    links = _links(prediction.get("output"))
    charge = model.charge(len(links)) if model.unit == "image" and links else _computed(
        model, prediction
    )  # fmt: skip
    if not links:
        if prediction.get("data_removed"):
            error = JobFailedError("Replicate has removed its result.")
            return over("expired", error, charge)
        return over("failed", JobFailedError("Replicate's model gave no result."), charge)
    artifacts = tuple(
        Artifact(role=model.role, location=link, media_type=_type_of(model, link)) for link in links
    )
    return made(model, artifacts, charge)


def _computed(model: Model, prediction: dict[str, Any]) -> Charge | None:
    """Return what the seconds cost that it ran, for models that are sold by the second."""
    metrics = prediction.get("metrics")
    if model.unit != "second" or not isinstance(metrics, dict):
        return None
    seconds = cast("dict[str, Any]", metrics).get("predict_time")
    return model.charge(seconds) if isinstance(seconds, int | float) else None


def _links(output: Any) -> list[str]:
    items = cast("list[Any]", output) if isinstance(output, list) else [output]
    return [item for item in items if isinstance(item, str) and "://" in item]


def _type_of(model: Model, link: str) -> str:
    ending = link.partition("?")[0].rpartition(".")[2].lower()
    return type_of(model, _TYPES.get(ending, ""))
