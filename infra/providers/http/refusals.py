"""From an answer to a submission to what it means, the same for every vendor.

A success that holds what it must is accepted. A definite refusal is the vendor's to name. Anything
else (5xx, redirects, answers that are none) does not say whether a job was made: a ComfyUI that
answered 500 ran the job all the same (generation.md 3.4, measured 2026-11).
"""

from collections.abc import Callable
from typing import Any

from infra.providers.http.transport import Answer
from infra.providers.ports import OutcomeUnknownError, ProviderError, QuotaError, RejectedError

type Refusal = Callable[[Answer], ProviderError | None]

_SAID = 300


def accepted(vendor: str, answer: Answer, *, must_have: str, refusal: Refusal) -> dict[str, Any]:
    """Return the JSON object of an accepted submission.

    Raises:
        ProviderError: it was refused, as the vendor's `refusal` or the status says.
        OutcomeUnknownError: the answer does not say what became of it.
    """
    if answer.is_success and isinstance(answer.json.get(must_have), str):
        return answer.json
    if answer.is_refusal:
        raise refusal(answer) or by_status(vendor, answer)
    message = f"{vendor} answered {answer.status} to a submission; whether it works is not known."
    raise OutcomeUnknownError(message)


def by_status(vendor: str, answer: Answer) -> ProviderError:
    """Return what a refusal means whose body says nothing that we know."""
    said = described(answer)
    match answer.status:
        case 401:
            return RejectedError(f"{vendor} does not accept the key.")
        case 402:
            return QuotaError(f"{vendor} wants the account to be paid up: {said}")
        case 429:
            return QuotaError(
                f"{vendor} has no room now: {said}", retry_after_s=answer.retry_after_s
            )
        case _:
            return RejectedError(f"{vendor} refused the request ({answer.status}): {said}")


def described(answer: Answer) -> str:
    """Return what a refusal says, in a line."""
    for name in ("detail", "title", "message", "error"):
        if isinstance(said := answer.json.get(name), str) and said.strip():
            return said.strip()[:_SAID]
    return " ".join(answer.text.split())[:_SAID] or "without a word"
