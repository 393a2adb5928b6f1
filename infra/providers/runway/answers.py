"""What Runway's answers mean: refusals, tasks, credits.

From its Python client 5.24.0 (types/task_retrieve_response, resources/tasks), and its pages on HTTP
errors, task failures, moderation and outputs (docs.dev.runwayml.com), read 2026-11-30. A task that
has ended says its `cost.credits`, 0 if it was refunded; what is under way says `estimatedCost`, the
most that it may charge. A moderated task fails with a `SAFETY` code and costs as much as a good
one. A request without enough credits is refused as 400 with a sentence (unverified).
"""

from typing import Any, Literal, cast

from infra.providers.http.answers import made, object_of, over
from infra.providers.http.models import Model
from infra.providers.http.transport import Answer
from infra.providers.ports import (
    Artifact,
    Charge,
    ContentPolicyError,
    JobFailedError,
    ProviderError,
    QuotaError,
    Snapshot,
)
from infra.providers.runway.models import CREDIT_MICROS

NAME = "runway"
_UNTIL_PAID_S = 600.0
_SAID = 300
LIVE: dict[Any, Literal["queued", "running"]] = {
    "PENDING": "queued",
    "THROTTLED": "queued",
    "RUNNING": "running",
}


def refusal(answer: Answer) -> ProviderError | None:
    """Return what a refused order means, where Runway says it in its own words."""
    said = str(answer.json.get("error") or "")[:_SAID]
    if answer.status == 400 and "credits" in said.lower():  # noqa: PLR2004
        return QuotaError(f"Runway wants credits: {said}", retry_after_s=_UNTIL_PAID_S)
    return None


def described(model: Model, task: dict[str, Any]) -> Snapshot:
    """Return a task as it is now."""
    match task.get("status"):
        case "PENDING" | "THROTTLED" | "RUNNING" as status:
            return Snapshot(phase=LIVE[status], progress=_progress(task))
        case "SUCCEEDED":
            return _made(model, task)
        case "FAILED":
            return over("failed", _failure(task), _charge(task))
        case "CANCELLED":
            return over("cancelled", JobFailedError("Runway cancelled it."), _charge(task))
        case _:
            return Snapshot(phase="unknown")


def destroyed(most_micros: Any) -> Snapshot:
    """Return a task that Runway no longer has: whoever cancels a task destroys it.

    Whether its credits were given back can no longer be read, so it is taken to have cost the most
    that Runway said it might.
    """
    charge = (
        Charge(amount_micros=most_micros, basis="assumed_max")
        if isinstance(most_micros, int)
        else None
    )
    error = JobFailedError("Runway no longer has the task: it was cancelled or deleted.")
    return over("cancelled", error, charge)


def most_micros(task: dict[str, Any]) -> int | None:
    """Return the most that a task may charge, as Runway says when it takes it."""
    return _micros(task.get("estimatedCost"))


def _made(model: Model, task: dict[str, Any]) -> Snapshot:
    output = task.get("output")
    links = cast("list[Any]", output) if isinstance(output, list) else []
    artifacts = tuple(
        Artifact(role=model.role, location=link, media_type=model.media_type)
        for link in links
        if isinstance(link, str)
    )
    if not artifacts:
        error = JobFailedError("Runway's task ended without a result.")
        return over("failed", error, _charge(task))
    return made(model, artifacts[:1], _charge(task))


def _failure(task: dict[str, Any]) -> ProviderError:
    code = str(task.get("failureCode") or "")
    said = f"{task.get('failure') or 'without a word'} ({code or 'no code'})"[:_SAID]
    if "SAFETY" in code.split("."):
        return ContentPolicyError(f"Runway refused the content: {said}")
    return JobFailedError(f"Runway's task failed: {said}")


def _charge(task: dict[str, Any]) -> Charge | None:
    micros = _micros(task.get("cost"))
    return None if micros is None else Charge(amount_micros=micros, basis="reported")


def _micros(cost: Any) -> int | None:
    credits_ = object_of(cost).get("credits")
    if isinstance(credits_, bool) or not isinstance(credits_, int | float) or credits_ < 0:
        return None
    return round(credits_ * CREDIT_MICROS)


def _progress(task: dict[str, Any]) -> float | None:
    said = task.get("progress")
    return min(max(float(said), 0.0), 1.0) if isinstance(said, int | float) else None
