"""What the answers of all vendors have in common: how a job has ended, and what lists hold."""

from typing import Any, Literal, cast

from infra.providers.http.models import Model
from infra.providers.http.transport import Answer
from infra.providers.ports import (
    Artifact,
    Charge,
    Lookup,
    OutcomeUnknownError,
    ProviderError,
    Snapshot,
)

FREE = Charge(amount_micros=0, basis="derived")
GONE = frozenset({404, 410})
_NO_RIGHT = frozenset({401, 403, 404})


def over(
    outcome: Literal["failed", "cancelled", "expired"],
    error: ProviderError,
    charge: Charge | None,
) -> Snapshot:
    """Return a job that ended without a result; no charge means that nobody knows."""
    return Snapshot(phase="terminal", outcome=outcome, error=error, charge=charge)


def made(
    model: Model,
    artifacts: tuple[Artifact, ...],
    charge: Charge | None,
    **measured: Any,
) -> Snapshot:
    """Return a job that ended with results."""
    return Snapshot(
        phase="terminal",
        outcome="succeeded",
        progress=1.0,
        artifacts=artifacts,
        measured={"model": model.address, **measured},
        charge=charge,
    )


def unread(answer: Answer) -> Snapshot:
    """Return what a read that was not answered says of the job: nothing."""
    return Snapshot(phase="unknown", retry_after_s=answer.retry_after_s)


def unlisted(answer: Answer) -> Lookup:
    """Return what a list that was not given says: never, or not now."""
    return Lookup.CANNOT_TELL if answer.status in _NO_RIGHT else Lookup.NOT_FOUND_YET


def unclear(vendor: str, answer: Answer) -> OutcomeUnknownError:
    """Return what a cancellation comes to that was not clearly answered."""
    message = f"{vendor} answered {answer.status}; whether it stops is not known."
    return OutcomeUnknownError(message)


def type_of(model: Model, said: str) -> str:
    """Return the media type that a vendor names, if it is of the kind that the model gives."""
    named = said.partition(";")[0].strip().lower()
    is_of_its_kind = named.partition("/")[0] == model.media_type.partition("/")[0]
    return named if is_of_its_kind else model.media_type


def object_of(value: Any) -> dict[str, Any]:
    """Return a JSON object; empty for anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def objects_in(value: Any) -> list[dict[str, Any]]:
    """Return the JSON objects of a list; none for anything else."""
    listed = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", item) for item in listed if isinstance(item, dict)]
