"""fal's queue as a provider.

From fal's documentation, read 2026-11-30: submit, status, result and cancel of the queue
(docs.fal.ai/documentation/model-apis/inference/queue), and the list of an endpoint's requests with
their inputs (fal.ai/docs/platform-apis/v1/models/requests/by-endpoint). A lost submission is found
in that list by the seed that only its attempt has; the list shows requests that have ended, so one
that is not in it may still exist. What is kept of a result for how long: generation.md 0.5.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, cast
from uuid import UUID

from infra import clock
from infra.providers.fal import answers
from infra.providers.fal.answers import NAME
from infra.providers.fal.models import MODELS
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

QUEUE_URL = "https://queue.fal.run"
API_URL = "https://api.fal.ai/v1"
PLACES = Places(("fal.media", "*.fal.media"))
_PAGE = 100
_MOST_PAGES = 5
_ADDRESSES = ("status_url", "response_url", "cancel_url")
_NO_RIGHT = frozenset({401, 403, 404})
_LEAST_START_S = 1


class FalProvider:
    """Orders at fal with one key; `callback_url` gives the address that carries an attempt's id."""

    def __init__(
        self,
        key: str,
        *,
        models: Sequence[Model] = MODELS,
        callback_url: Callable[[UUID], str] | None = None,
        queue_url: str = QUEUE_URL,
        api_url: str = API_URL,
        places: Places = PLACES,
        transport: Transport | None = None,
    ) -> None:
        self._key = checked_key(NAME, key)
        self._models = {model.operation: model for model in models}
        self._callback_url = callback_url
        self._queue_url = queue_url
        self._api_url = api_url
        self._places = places
        self._transport = transport or Transport(NAME)

    @property
    def name(self) -> str:
        """The provider's name in jobs and prices."""
        return NAME

    @property
    def capabilities(self) -> Capabilities:
        """What it can do: results are kept an hour, or six minutes from 10 kB on."""
        seeded = (
            {Correlation.LIST_MATCH} if any(m.seed_field for m in self._models.values()) else ()
        )
        tagged = {Correlation.CALLBACK_TAG} if self._callback_url else ()
        return Capabilities(
            operations=frozenset(self._models),
            shape="job",
            correlation=frozenset({*seeded, *tagged}) or frozenset({Correlation.NONE}),
            webhook="unsigned" if self._callback_url else "none",
            cancel="best_effort",
            policy_block_billed="unknown",
            quote="maximum",
            charge="units_reported",
            min_poll_s=2.0,
            max_poll_s=120.0,
            result_ttl_s=360.0,
        )

    def quote_micros(self, operation: str, payload: dict[str, Any]) -> int:
        """Return the most that a call may cost."""
        return self._models[operation].quote_micros(payload)

    def unit(self, operation: str) -> str:
        """Return what the model's price is for."""
        return self._models[operation].unit

    async def submit(self, attempt: Attempt, report: ReportProgress) -> JobRef | Snapshot:
        """Queue exactly one request, which must have started before the attempt's deadline."""
        del report
        model = model_for(self._models, NAME, attempt.operation)
        body = await asyncio.to_thread(request_of, model, attempt)
        left = int((attempt.deadline - clock.utc_now()).total_seconds())
        answer = await self._transport.ask(
            "POST",
            f"{self._queue_url}/{model.address}",
            headers={**self._headers, "X-Fal-Request-Timeout": str(max(left, _LEAST_START_S))},
            params=self._callback(attempt.attempt_id),
            body=body,
        )
        taken = accepted(NAME, answer, must_have="request_id", refusal=answers.refusal)
        return self._ref(attempt.operation, taken["request_id"], taken)

    async def find(self, attempt: Attempt) -> Found | Lookup:
        """Look through the endpoint's newest requests for the one with this attempt's seed."""
        model = self._models.get(attempt.operation)
        if model is None or model.seed_field is None:
            return Lookup.CANNOT_TELL
        sent = model.marked(attempt.attempt_id, attempt.payload)
        cursor = ""
        for _ in range(_MOST_PAGES):
            answer = await self._page(model, cursor)
            if not answer.is_success:
                return _unlisted(answer)
            for item in _items(answer):
                request_id = item.get("request_id")
                if isinstance(request_id, str) and is_same_request(item.get("json_input"), sent):
                    return Found(ref=self._ref(attempt.operation, request_id, {}))
            cursor = str(answer.json.get("next_cursor") or "")
            if not cursor or not answer.json.get("has_more"):
                return Lookup.NOT_FOUND_YET
        return Lookup.CANNOT_TELL

    def ref_of(self, attempt: Attempt, provider_job_id: str) -> JobRef:
        """Return the job that a signed call of the provider names."""
        return self._ref(attempt.operation, provider_job_id, {})

    async def read(self, ref: JobRef) -> Snapshot:
        """Read the status, and once it is completed the result, which says how it ended."""
        status = await self._ask("GET", ref, "status_url")
        if not status.is_success:
            return Snapshot(phase="unknown", retry_after_s=status.retry_after_s)
        match status.json.get("status"):
            case "IN_QUEUE":
                return Snapshot(phase="queued")
            case "IN_PROGRESS":
                return Snapshot(phase="running")
            case "COMPLETED":
                result = await self._ask("GET", ref, "response_url")
                return answers.ended(self._model_of(ref), status.json, result)
            case _:
                return Snapshot(phase="unknown")

    async def cancel(self, ref: JobRef) -> CancelResult:
        """Ask for a request to be removed or stopped; one that runs may run on and be charged."""
        answer = await self._ask("PUT", ref, "cancel_url")
        match answer.status:
            case 200 | 202:
                return CancelResult.REQUESTED
            case 400:
                return CancelResult.ALREADY_TERMINAL
            case 404:
                return CancelResult.NOT_FOUND
            case _:
                raise by_status(NAME, answer) if answer.is_refusal else _unclear(answer)

    def fetch(self, artifact: Artifact) -> AsyncIterator[bytes]:
        """Stream a result from fal's own file hosts."""
        return fetch(
            self._transport,
            artifact.location,
            media_type=artifact.media_type,
            places=self._places,
        )

    async def discard(self, attempt_id: UUID) -> None:
        """Do nothing: fal forgets by itself."""
        del attempt_id

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Key {self._key}"}

    def _callback(self, attempt_id: UUID) -> dict[str, str] | None:
        return {"fal_webhook": self._callback_url(attempt_id)} if self._callback_url else None

    async def _page(self, model: Model, cursor: str) -> Answer:
        params = {"endpoint_id": model.address, "limit": str(_PAGE), "expand": "payloads"}
        return await self._transport.ask(
            "GET",
            f"{self._api_url}/models/requests/by-endpoint",
            headers=self._headers,
            params={**params, "cursor": cursor} if cursor else params,
        )

    async def _ask(self, method: str, ref: JobRef, address: str) -> Answer:
        return await self._transport.ask(method, str(ref.raw[address]), headers=self._headers)

    def _model_of(self, ref: JobRef) -> Model:
        return model_for(self._models, NAME, str(ref.raw["operation"]))

    def _ref(self, operation: str, request_id: str, taken: dict[str, Any]) -> JobRef:
        """Return a request with its addresses: those that fal gave, if they are at its queue.

        The key goes there, so an address elsewhere is replaced by the documented one, which has
        the owner and the application without the rest of the model's path.
        """
        owner, app = self._models[operation].address.split("/")[:2]
        base = f"{self._queue_url}/{owner}/{app}/requests/{request_id}"
        built = {
            "status_url": f"{base}/status",
            "response_url": base,
            "cancel_url": f"{base}/cancel",
        }
        ours = origin_of(self._queue_url)
        given = {
            name: taken[name]
            for name in _ADDRESSES
            if isinstance(taken.get(name), str) and origin_of(taken[name]) == ours
        }
        return JobRef(
            provider=NAME,
            provider_job_id=request_id,
            raw={"operation": operation, **built, **given},
        )


def _items(answer: Answer) -> list[dict[str, Any]]:
    items = answer.json.get("items")
    if not isinstance(items, list):
        return []
    listed = cast("list[Any]", items)
    return [cast("dict[str, Any]", item) for item in listed if isinstance(item, dict)]


def _unlisted(answer: Answer) -> Lookup:
    """Return what a list that was not given says: never, or not now."""
    return Lookup.CANNOT_TELL if answer.status in _NO_RIGHT else Lookup.NOT_FOUND_YET


def _unclear(answer: Answer) -> OutcomeUnknownError:
    return OutcomeUnknownError(f"fal answered {answer.status}; whether it stops is not known.")
