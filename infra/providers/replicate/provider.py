"""Replicate's predictions as a provider.

From its OpenAPI (the copy of api-evangelist/replicate, commit 1f112859) and its documentation, read
2026-11-30. A prediction carries the `webhook` that it was made with, which its JavaScript client's
types and its maintainers name (replicate-javascript #321); the documented list does not show it. A
lost prediction is therefore found in the list by that address, which has the attempt's id, or by
the seed that only its attempt has. Inputs are removed after an hour, so an old one cannot be told.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, cast
from uuid import UUID

from infra import clock
from infra.providers.http.files import fetch
from infra.providers.http.models import (
    Model,
    checked_key,
    is_same_request,
    model_for,
    request_of,
)
from infra.providers.http.places import Places, origin_of
from infra.providers.http.refusals import accepted, by_status
from infra.providers.http.transport import Answer, Transport
from infra.providers.ports import (
    Artifact,
    Attempt,
    CancelResult,
    Capabilities,
    Correlation,
    Found,
    JobRef,
    Lookup,
    OutcomeUnknownError,
    ReportProgress,
    Snapshot,
)
from infra.providers.replicate import answers
from infra.providers.replicate.answers import NAME
from infra.providers.replicate.models import MODELS

API_URL = "https://api.replicate.com/v1"
PLACES = Places(("replicate.delivery", "*.replicate.delivery"))
_MOST_PAGES = 5
_NO_RIGHT = frozenset({401, 403, 404})
_LEAST_DEADLINE_S = 5
"""The shortest `Cancel-After`."""
_EVENTS = ("start", "completed")
_GONE = frozenset({404, 410})


class ReplicateProvider:
    """Orders at Replicate with one key; `callback_url` gives the address with an attempt's id."""

    def __init__(
        self,
        key: str,
        *,
        models: Sequence[Model] = MODELS,
        callback_url: Callable[[UUID], str] | None = None,
        api_url: str = API_URL,
        places: Places = PLACES,
        transport: Transport | None = None,
    ) -> None:
        self._key = checked_key(NAME, key)
        self._models = {model.operation: model for model in models}
        self._callback_url = callback_url
        self._api_url = api_url
        self._places = places
        self._transport = transport or Transport(NAME)

    @property
    def name(self) -> str:
        """The provider's name in jobs and prices."""
        return NAME

    @property
    def capabilities(self) -> Capabilities:
        """What it can do: results are kept for an hour."""
        tagged = {Correlation.CALLBACK_TAG} if self._callback_url else ()
        return Capabilities(
            operations=frozenset(self._models),
            shape="job",
            correlation=frozenset({Correlation.LIST_MATCH, *tagged}),
            webhook="signed" if self._callback_url else "none",
            cancel="best_effort",
            policy_block_billed="unknown",
            quote="maximum",
            charge="units_reported",
            min_poll_s=2.0,
            max_poll_s=600.0,
            result_ttl_s=3600.0,
        )

    def quote_micros(self, operation: str, payload: dict[str, Any]) -> int:
        """Return the most that a call may cost."""
        return self._models[operation].quote_micros(payload)

    def unit(self, operation: str) -> str:
        """Return what the model's price is for."""
        return self._models[operation].unit

    async def submit(self, attempt: Attempt, report: ReportProgress) -> JobRef | Snapshot:
        """Create exactly one prediction, which ends itself at the attempt's deadline."""
        del report
        model = model_for(self._models, NAME, attempt.operation)
        body: dict[str, Any] = {"input": await asyncio.to_thread(request_of, model, attempt)}
        if self._callback_url is not None:
            body |= {
                "webhook": self._callback_url(attempt.attempt_id),
                "webhook_events_filter": list(_EVENTS),
            }
        path, version = _path(model)
        left = int((attempt.deadline - clock.utc_now()).total_seconds())
        answer = await self._transport.ask(
            "POST",
            f"{self._api_url}/{path}",
            headers={**self._headers, "Cancel-After": f"{max(left, _LEAST_DEADLINE_S)}s"},
            body=body | version,
        )
        taken = accepted(NAME, answer, must_have="id", refusal=answers.refusal)
        return self._ref(attempt.operation, taken["id"])

    async def find(self, attempt: Attempt) -> Found | Lookup:
        """Look through the newest predictions for the one that this attempt made."""
        model = self._models.get(attempt.operation)
        if model is None or (model.seed_field is None and self._callback_url is None):
            return Lookup.CANNOT_TELL
        sent = model.marked(attempt.attempt_id, attempt.payload) if model.seed_field else {}
        webhook = self._callback_url(attempt.attempt_id) if self._callback_url else None
        address = f"{self._api_url}/predictions"
        hides = False
        for _ in range(_MOST_PAGES):
            answer = await self._transport.ask("GET", address, headers=self._headers)
            if not answer.is_success:
                return _unlisted(answer)
            for each in _predictions(answer):
                is_it = (webhook is not None and each.get("webhook") == webhook) or (
                    is_same_request(each.get("input"), sent)
                )
                if is_it and isinstance(each.get("id"), str):
                    return Found(ref=self._ref(attempt.operation, each["id"]))
                hides = hides or (bool(each.get("data_removed")) and "webhook" not in each)
            address = str(answer.json.get("next") or "")
            if not address:
                return Lookup.CANNOT_TELL if hides else Lookup.NOT_FOUND_YET
            if origin_of(address) != origin_of(self._api_url):
                break  # the key goes there
        return Lookup.CANNOT_TELL

    def ref_of(self, attempt: Attempt, provider_job_id: str) -> JobRef:
        """Return the job that a signed call of the provider names."""
        return self._ref(attempt.operation, provider_job_id)

    async def read(self, ref: JobRef) -> Snapshot:
        """Read the prediction now."""
        answer = await self._ask("GET", ref, "")
        if not answer.is_success:
            return Snapshot(phase="unknown", retry_after_s=answer.retry_after_s)
        model = model_for(self._models, NAME, str(ref.raw["operation"]))
        return answers.described_as(model, answer.json)

    async def cancel(self, ref: JobRef) -> CancelResult:
        """Ask for a prediction to be stopped; one that runs is charged."""
        answer = await self._ask("POST", ref, "/cancel")
        if answer.is_success:
            has_ended = answer.json.get("status") in ("succeeded", "failed")
            return CancelResult.ALREADY_TERMINAL if has_ended else CancelResult.REQUESTED
        if answer.status in _GONE:
            return CancelResult.NOT_FOUND
        if answer.is_refusal:
            raise by_status(NAME, answer)
        message = f"Replicate answered {answer.status}; whether it stops is not known."
        raise OutcomeUnknownError(message)

    def fetch(self, artifact: Artifact) -> AsyncIterator[bytes]:
        """Stream a result from Replicate's own file hosts, which may want the key."""
        return fetch(
            self._transport,
            artifact.location,
            media_type=artifact.media_type,
            places=self._places,
            headers=self._headers,
        )

    async def discard(self, attempt_id: UUID) -> None:
        """Do nothing: Replicate forgets by itself."""
        del attempt_id

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._key}"}

    async def _ask(self, method: str, ref: JobRef, rest: str) -> Answer:
        address = f"{self._api_url}/predictions/{ref.provider_job_id}{rest}"
        return await self._transport.ask(method, address, headers=self._headers)

    def _ref(self, operation: str, prediction_id: str) -> JobRef:
        raw = {"operation": operation}
        return JobRef(provider=NAME, provider_job_id=prediction_id, raw=raw)


def _path(model: Model) -> tuple[str, dict[str, str]]:
    """Return where a model is run: an official one by its name, any other by its version."""
    name, _, version = model.address.partition(":")
    if version:
        return "predictions", {"version": version}
    return f"models/{name}/predictions", {}


def _predictions(answer: Answer) -> list[dict[str, Any]]:
    results = answer.json.get("results")
    if not isinstance(results, list):
        return []
    listed = cast("list[Any]", results)
    return [cast("dict[str, Any]", item) for item in listed if isinstance(item, dict)]


def _unlisted(answer: Answer) -> Lookup:
    """Return what a list that was not given says: never, or not now."""
    return Lookup.CANNOT_TELL if answer.status in _NO_RIGHT else Lookup.NOT_FOUND_YET
