"""Runway's tasks as a provider of clips.

From its Python client 5.24.0 (resources/tasks, resources/image_to_video, lib/polling, `_client`)
and its documentation (docs.dev.runwayml.com: errors, task failures, moderation, outputs), read
2026-11-30. There is no list of tasks, no webhook and no key against sending twice: an order whose
answer was lost cannot be found, only the next day's sum of credits shows it. A lost answer is
therefore left unknown, with the money held to the deadline.

`DELETE` cancels a task that is under way and deletes one that has ended, with its result; after
either it can never be fetched again. So `cancel` looks before it deletes, and a task that is gone
later than `settles_after_s` after it was ordered has been cancelled: a read of it is the end, at
the most that Runway said it might charge. Before that a 404 may be a server that has not heard of
the task yet. If it ends between the look and the `DELETE`, its result is lost and paid.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from infra import clock
from infra.providers.http.answers import GONE, unclear, unread
from infra.providers.http.models import Model, request_of
from infra.providers.http.places import Places
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
    RejectedError,
    ReportProgress,
    Snapshot,
)
from infra.providers.runway import answers
from infra.providers.runway.answers import LIVE, NAME
from infra.providers.runway.models import (
    LONGEST_S,
    MODELS,
    WITH_PICTURE,
    WITHOUT_PICTURE,
    ratio,
    seconds,
)

API_URL = "https://api.dev.runwayml.com"
VERSION = "2024-11-06"
PLACES = Places(("*.cloudfront.net",))
"""Where the documented example of an output is; Runway names no host of its own (unverified)."""
_SETTLES_AFTER_S = 60.0


class RunwayProvider(Seller):
    """Orders clips at Runway, whose API is at `url`."""

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
        settles_after_s: float = _SETTLES_AFTER_S,
    ) -> None:
        super().__init__(
            key, models=models, callback_url=callback_url, places=places, transport=transport
        )
        self._url = url.rstrip("/")
        self._settles_after = timedelta(seconds=settles_after_s)

    @property
    def capabilities(self) -> Capabilities:
        """What it can do: it may be read every five seconds; links are good for a day."""
        return Capabilities(
            operations=frozenset(self._models),
            shape="job",
            correlation=frozenset({Correlation.NONE}),
            webhook="none",
            cancel="delete_destroys",
            policy_block_billed="yes",
            quote="maximum",
            charge="reported",
            min_poll_s=5.0,
            max_poll_s=600.0,
            result_ttl_s=86_400.0,
            limits=self._limits,
        )

    async def submit(self, attempt: Attempt, report: ReportProgress) -> JobRef | Snapshot:
        """Create exactly one task: from a picture if there is one, else from the text alone."""
        del report
        model = self._model(attempt.operation)
        if seconds(attempt.payload) > LONGEST_S:
            message = f"{model.address} makes clips of at most {LONGEST_S} seconds."
            raise RejectedError(message)
        has_picture = bool(attempt.files)
        sent = await asyncio.to_thread(request_of, model, attempt)
        ratios = WITH_PICTURE if has_picture else WITHOUT_PICTURE
        answer = await self._order(
            attempt,
            f"{self._url}/v1/{'image_to_video' if has_picture else 'text_to_video'}",
            body={**sent, "ratio": ratio(attempt.payload, ratios)},
        )
        taken = accepted(NAME, answer, must_have="id", refusal=answers.refusal)
        return self._ref(
            attempt.operation,
            taken["id"],
            ordered_at=clock.utc_now().isoformat(),
            most_micros=answers.most_micros(taken),
        )

    async def find(self, attempt: Attempt) -> Found | Lookup:
        """Say that nobody can tell: Runway lists no tasks."""
        del attempt
        return Lookup.CANNOT_TELL

    async def read(self, ref: JobRef) -> Snapshot:
        """Read the task; one that is gone was cancelled, unless it is too new to be known."""
        answer = await self._ask("GET", self._address(ref))
        if answer.is_success:
            return answers.described(self._model_of(ref), answer.json)
        if answer.status in GONE and self._is_settled(ref.raw):
            return answers.destroyed(ref.raw.get("most_micros"))
        return unread(answer)

    async def cancel(self, ref: JobRef) -> CancelResult:
        """Cancel a task that is under way, which destroys it; one that has ended is left alone."""
        seen = await self._ask("GET", self._address(ref))
        if seen.status in GONE:
            return CancelResult.NOT_FOUND
        if not seen.is_success:
            raise by_status(NAME, seen) if seen.is_refusal else unclear(NAME, seen)
        if seen.json.get("status") not in LIVE:
            return CancelResult.ALREADY_TERMINAL
        answer = await self._ask("DELETE", self._address(ref))
        if answer.is_success or answer.status in GONE:
            return CancelResult.REQUESTED
        raise by_status(NAME, answer) if answer.is_refusal else unclear(NAME, answer)

    @property
    def _headers(self) -> dict[str, str]:
        return {**super()._headers, "X-Runway-Version": VERSION}

    def _address(self, ref: JobRef) -> str:
        return f"{self._url}/v1/tasks/{ref.provider_job_id}"

    def _is_settled(self, raw: dict[str, Any]) -> bool:
        ordered_at = datetime.fromisoformat(str(raw["ordered_at"]))
        return clock.utc_now() - ordered_at >= self._settles_after


def open_provider(
    key: str,
    *,
    url: str | None = None,
    callback_url: CallbackUrl | None = None,
    folder: Path | None = None,
) -> RunwayProvider:
    """Return Runway at its own address or at `url`; it keeps nothing in a folder."""
    del folder
    return RunwayProvider(
        key, url=url or API_URL, callback_url=callback_url, places=PLACES.and_at(url)
    )
