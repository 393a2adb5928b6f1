"""Replicate's predictions as a provider.

From its OpenAPI (the copy of api-evangelist/replicate, commit 1f112859) and its documentation, read
2026-11-30. A prediction carries the `webhook` that it was made with, which its JavaScript client's
types and its maintainers name (replicate-javascript #321); the documented list does not show it. A
lost prediction is therefore found in the list by that address, which has the attempt's id, or by
the seed that only its attempt has. Inputs are removed after an hour, so an old one cannot be told.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from infra import clock
from infra.providers.http.answers import GONE, objects_in, unclear, unlisted, unread
from infra.providers.http.models import Model, is_same_request, request_of
from infra.providers.http.places import Places, origin_of
from infra.providers.http.refusals import accepted, by_status
from infra.providers.http.seller import CallbackUrl, Seller
from infra.providers.http.transport import Transport
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
from infra.providers.replicate import answers
from infra.providers.replicate.answers import NAME
from infra.providers.replicate.models import MODELS

API_URL = "https://api.replicate.com/v1"
PLACES = Places(("replicate.delivery", "*.replicate.delivery"))
_MOST_PAGES = 5
_LEAST_DEADLINE_S = 5
"""The shortest `Cancel-After`."""
_EVENTS = ("start", "completed")


class ReplicateProvider(Seller):
    """Orders at Replicate, whose API is at `url`."""

    vendor = NAME

    def __init__(
        self,
        key: str,
        *,
        url: str = API_URL,
        callback_url: CallbackUrl | None = None,
        models: Sequence[Model] = MODELS,
        places: Places = PLACES,
        transport: Transport | None = None,
    ) -> None:
        super().__init__(
            key, models=models, callback_url=callback_url, places=places, transport=transport
        )
        self._url = url.rstrip("/")

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
            limits=self._limits,
        )

    async def submit(self, attempt: Attempt, report: ReportProgress) -> JobRef | Snapshot:
        """Create exactly one prediction, which ends itself at the attempt's deadline."""
        del report
        model = self._model(attempt.operation)
        body: dict[str, Any] = {"input": await asyncio.to_thread(request_of, model, attempt)}
        if webhook := self._callback(attempt.attempt_id):
            body |= {"webhook": webhook, "webhook_events_filter": list(_EVENTS)}
        path, version = _path(model)
        left = int((attempt.deadline - clock.utc_now()).total_seconds())
        answer = await self._order(
            attempt,
            f"{self._url}/{path}",
            body=body | version,
            headers={"Cancel-After": f"{max(left, _LEAST_DEADLINE_S)}s"},
        )
        taken = accepted(NAME, answer, must_have="id", refusal=answers.refusal)
        return self._ref(attempt.operation, taken["id"])

    async def find(self, attempt: Attempt) -> Found | Lookup:
        """Look through the newest predictions for the one that this attempt made."""
        model = self._models.get(attempt.operation)
        if model is None or (model.seed_field is None and self._callback_url is None):
            return Lookup.CANNOT_TELL
        sent = model.marked(attempt.attempt_id, attempt.payload) if model.seed_field else {}
        webhook = self._callback(attempt.attempt_id)
        address = f"{self._url}/predictions"
        hides = False
        for _ in range(_MOST_PAGES):
            answer = await self._ask("GET", address)
            if not answer.is_success:
                return unlisted(answer)
            for each in objects_in(answer.json.get("results")):
                is_it = (webhook is not None and each.get("webhook") == webhook) or (
                    is_same_request(each.get("input"), sent)
                )
                if is_it and isinstance(each.get("id"), str):
                    return Found(ref=self._ref(attempt.operation, each["id"]))
                hides = hides or (bool(each.get("data_removed")) and "webhook" not in each)
            address = str(answer.json.get("next") or "")
            if not address:
                return Lookup.CANNOT_TELL if hides else Lookup.NOT_FOUND_YET
            if origin_of(address) != origin_of(self._url):
                break  # the key goes there
        return Lookup.CANNOT_TELL

    async def read(self, ref: JobRef) -> Snapshot:
        """Read the prediction now."""
        answer = await self._ask("GET", self._address(ref))
        if not answer.is_success:
            return unread(answer)
        return answers.described_as(self._model_of(ref), answer.json)

    async def cancel(self, ref: JobRef) -> CancelResult:
        """Ask for a prediction to be stopped; one that runs is charged."""
        answer = await self._ask("POST", f"{self._address(ref)}/cancel")
        if answer.is_success:
            has_ended = answer.json.get("status") in ("succeeded", "failed")
            return CancelResult.ALREADY_TERMINAL if has_ended else CancelResult.REQUESTED
        if answer.status in GONE:
            return CancelResult.NOT_FOUND
        raise by_status(NAME, answer) if answer.is_refusal else unclear(NAME, answer)

    @property
    def _file_headers(self) -> dict[str, str]:
        return self._headers

    def _address(self, ref: JobRef) -> str:
        return f"{self._url}/predictions/{ref.provider_job_id}"


def _path(model: Model) -> tuple[str, dict[str, str]]:
    """Return where a model is run: an official one by its name, any other by its version."""
    name, _, version = model.address.partition(":")
    if version:
        return "predictions", {"version": version}
    return f"models/{name}/predictions", {}


def open_provider(
    key: str,
    *,
    url: str | None = None,
    callback_url: CallbackUrl | None = None,
    folder: Path | None = None,
) -> ReplicateProvider:
    """Return Replicate at its own address or at `url`; it keeps nothing in a folder."""
    del folder
    return ReplicateProvider(
        key, url=url or API_URL, callback_url=callback_url, places=PLACES.and_at(url)
    )
