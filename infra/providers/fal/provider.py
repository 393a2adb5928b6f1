"""fal's queue as a provider.

From fal's documentation, read 2026-11-30: submit, status, result and cancel of the queue
(docs.fal.ai/documentation/model-apis/inference/queue), and the list of an endpoint's requests with
their inputs (fal.ai/docs/platform-apis/v1/models/requests/by-endpoint). A lost submission is found
in that list by the seed that only its attempt has; the list shows requests that have ended, so one
that is not in it may still exist. What is kept of a result for how long: generation.md 0.5.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from infra import clock
from infra.providers.fal import answers
from infra.providers.fal.answers import NAME
from infra.providers.fal.models import MODELS
from infra.providers.http.answers import objects_in, unclear, unlisted, unread
from infra.providers.http.models import Model, is_same_request, request_of
from infra.providers.http.places import Places, origin_of
from infra.providers.http.refusals import accepted, by_status
from infra.providers.http.seller import CallbackUrl, Seller
from infra.providers.http.transport import Answer, Transport
from infra.providers.ports import (
    Attempt,
    CancelResult,
    Capabilities,
    Correlation,
    Found,
    JobRef,
    Lookup,
    ReportProgress,
    Snapshot,
)

QUEUE_URL = "https://queue.fal.run"
API_URL = "https://api.fal.ai/v1"
PLACES = Places(("fal.media", "*.fal.media"))
_PAGE = 100
_MOST_PAGES = 5
_ADDRESSES = ("status_url", "response_url", "cancel_url")
_LEAST_START_S = 1


class FalProvider(Seller):
    """Orders at fal; `url` is its queue, `api_url` its platform."""

    vendor = NAME

    def __init__(
        self,
        key: str,
        *,
        url: str = QUEUE_URL,
        api_url: str = API_URL,
        callback_url: CallbackUrl | None = None,
        models: Sequence[Model] = MODELS,
        places: Places = PLACES,
        transport: Transport | None = None,
    ) -> None:
        super().__init__(
            key, models=models, callback_url=callback_url, places=places, transport=transport
        )
        self._queue_url = url.rstrip("/")
        self._api_url = api_url.rstrip("/")

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
            webhook="signed" if self._callback_url else "none",
            cancel="best_effort",
            policy_block_billed="unknown",
            quote="maximum",
            charge="units_reported",
            min_poll_s=2.0,
            max_poll_s=120.0,
            result_ttl_s=360.0,
            limits=self._limits,
        )

    async def submit(self, attempt: Attempt, report: ReportProgress) -> JobRef | Snapshot:
        """Queue exactly one request, which must have started before the attempt's deadline."""
        del report
        model = self._model(attempt.operation)
        left = int((attempt.deadline - clock.utc_now()).total_seconds())
        webhook = self._callback(attempt.attempt_id)
        answer = await self._order(
            attempt,
            f"{self._queue_url}/{model.address}",
            body=await asyncio.to_thread(request_of, model, attempt),
            params={"fal_webhook": webhook} if webhook else None,
            headers={"X-Fal-Request-Timeout": str(max(left, _LEAST_START_S))},
        )
        taken = accepted(NAME, answer, must_have="request_id", refusal=answers.refusal)
        return self._queued(attempt.operation, taken["request_id"], taken)

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
                return unlisted(answer)
            for item in objects_in(answer.json.get("items")):
                request_id = item.get("request_id")
                if isinstance(request_id, str) and is_same_request(item.get("json_input"), sent):
                    return Found(ref=self._queued(attempt.operation, request_id, {}))
            cursor = str(answer.json.get("next_cursor") or "")
            if not cursor or not answer.json.get("has_more"):
                return Lookup.NOT_FOUND_YET
        return Lookup.CANNOT_TELL

    def ref_of(self, attempt: Attempt, provider_job_id: str) -> JobRef:
        """Return the request that a signed call of fal names, at the documented addresses."""
        return self._queued(attempt.operation, provider_job_id, {})

    async def read(self, ref: JobRef) -> Snapshot:
        """Read the status, and once it is completed the result, which says how it ended."""
        status = await self._ask("GET", str(ref.raw["status_url"]))
        if not status.is_success:
            return unread(status)
        match status.json.get("status"):
            case "IN_QUEUE":
                return Snapshot(phase="queued")
            case "IN_PROGRESS":
                return Snapshot(phase="running")
            case "COMPLETED":
                result = await self._ask("GET", str(ref.raw["response_url"]))
                return answers.ended(self._model_of(ref), status.json, result)
            case _:
                return Snapshot(phase="unknown")

    async def cancel(self, ref: JobRef) -> CancelResult:
        """Ask for a request to be removed or stopped; one that runs may run on and be charged."""
        answer = await self._ask("PUT", str(ref.raw["cancel_url"]))
        match answer.status:
            case 200 | 202:
                return CancelResult.REQUESTED
            case 400:
                return CancelResult.ALREADY_TERMINAL
            case 404:
                return CancelResult.NOT_FOUND
            case _:
                raise by_status(NAME, answer) if answer.is_refusal else unclear(NAME, answer)

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Key {self._key}"}

    async def _page(self, model: Model, cursor: str) -> Answer:
        params = {"endpoint_id": model.address, "limit": str(_PAGE), "expand": "payloads"}
        return await self._ask(
            "GET",
            f"{self._api_url}/models/requests/by-endpoint",
            params={**params, "cursor": cursor} if cursor else params,
        )

    def _queued(self, operation: str, request_id: str, taken: dict[str, Any]) -> JobRef:
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
        return self._ref(operation, request_id, **(built | given))


def open_provider(
    key: str,
    *,
    url: str | None = None,
    callback_url: CallbackUrl | None = None,
    folder: Path | None = None,
) -> FalProvider:
    """Return fal at its own addresses, or all of it at `url`; it keeps nothing in a folder."""
    del folder
    return FalProvider(
        key,
        url=url or QUEUE_URL,
        api_url=f"{url.rstrip('/')}/v1" if url else API_URL,
        callback_url=callback_url,
        places=PLACES.and_at(url),
    )
