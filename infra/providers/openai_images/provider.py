"""OpenAI's pictures as a provider: a response in the background that calls the picture tool once.

From its Python client 3.57.0 (resources/responses, responses/response, tool_param), read
2026-11-30. `POST /responses` with `background` answers with an id before any work is done, so that
only one short request can be lost; the synchronous `/images/generations` would hold minutes of work
in its answer. There is no list of responses: an order whose answer was lost cannot be found. Its
`metadata` has the attempt, for whoever looks into the vendor's dashboard or reads a response that a
webhook names. Webhooks belong to a project's endpoint, not to an order: `callback_url` only says
that this installation can be reached. The picture is inside the response, as base64.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from infra.media.verify import UnusableMediaError
from infra.providers.http.answers import GONE, unclear, unread
from infra.providers.http.models import Model, request_of
from infra.providers.http.places import Places
from infra.providers.http.refusals import accepted, by_status
from infra.providers.http.seller import CallbackUrl, Seller
from infra.providers.http.transport import Limits, Transport
from infra.providers.openai_images import answers
from infra.providers.openai_images.answers import NAME
from infra.providers.openai_images.models import MODELS
from infra.providers.ports import (
    Artifact,
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

API_URL = "https://api.openai.com/v1"
LIMITS = Limits(answer_bytes=64 << 20)
"""A picture of 3840 by 3840 is inside its response, a third larger than it is."""
_PLACES = Places(())
_METADATA = "attempt_id"
_ENDED = ("completed", "failed", "incomplete")


class OpenAiImagesProvider(Seller):
    """Orders pictures at OpenAI, whose API is at `url`."""

    vendor = NAME

    def __init__(
        self,
        key: str,
        *,
        url: str = API_URL,
        callback_url: CallbackUrl | None = None,
        models: Sequence[Model] = MODELS,
        places: Places = _PLACES,
        transport: Transport | None = None,
    ) -> None:
        super().__init__(
            key,
            models=models,
            callback_url=callback_url,
            places=places,
            transport=transport or Transport(NAME, LIMITS),
        )
        self._url = url.rstrip("/")

    @property
    def capabilities(self) -> Capabilities:
        """What it can do: stored responses are kept for a month; nothing lost is found."""
        return Capabilities(
            operations=frozenset(self._models),
            shape="job",
            correlation=frozenset({Correlation.NONE}),
            webhook="signed" if self._callback_url else "none",
            cancel="best_effort",
            policy_block_billed="unknown",
            quote="estimate",
            charge="units_reported",
            min_poll_s=2.0,
            max_poll_s=120.0,
            result_ttl_s=30 * 86_400.0,
            limits=self._limits,
        )

    async def submit(self, attempt: Attempt, report: ReportProgress) -> JobRef | Snapshot:
        """Create exactly one response in the background."""
        del report
        model = self._model(attempt.operation)
        sent = await asyncio.to_thread(request_of, model, attempt)
        answer = await self._order(
            attempt,
            f"{self._url}/responses",
            body={**sent, "metadata": {_METADATA: str(attempt.attempt_id)}},
        )
        taken = accepted(NAME, answer, must_have="id", refusal=answers.refusal)
        return self._ref(attempt.operation, taken["id"])

    async def find(self, attempt: Attempt) -> Found | Lookup:
        """Say that nobody can tell: OpenAI lists no responses."""
        del attempt
        return Lookup.CANNOT_TELL

    async def read(self, ref: JobRef) -> Snapshot:
        """Read the response now, with the picture in it once it is made."""
        answer = await self._ask("GET", self._address(ref))
        if not answer.is_success:
            return unread(answer)
        return answers.described(self._model_of(ref), answer.json)

    async def cancel(self, ref: JobRef) -> CancelResult:
        """Ask for a response to be stopped; one that has ended stays as it is."""
        answer = await self._ask("POST", f"{self._address(ref)}/cancel")
        if answer.is_success:
            has_ended = answer.json.get("status") in _ENDED
            return CancelResult.ALREADY_TERMINAL if has_ended else CancelResult.REQUESTED
        if answer.status in GONE:
            return CancelResult.NOT_FOUND
        raise by_status(NAME, answer) if answer.is_refusal else unclear(NAME, answer)

    async def fetch(self, artifact: Artifact) -> AsyncIterator[bytes]:
        """Give the picture that the response had in it."""
        data = await asyncio.to_thread(answers.bytes_of, artifact.location)
        if data is None:
            message = "OpenAI's picture cannot be decoded."
            raise UnusableMediaError(message)
        yield data

    def _address(self, ref: JobRef) -> str:
        return f"{self._url}/responses/{ref.provider_job_id}"


def open_provider(
    key: str,
    *,
    url: str | None = None,
    callback_url: CallbackUrl | None = None,
    folder: Path | None = None,
) -> OpenAiImagesProvider:
    """Return OpenAI at its own address or at `url`; it keeps nothing in a folder."""
    del folder
    return OpenAiImagesProvider(key, url=url or API_URL, callback_url=callback_url)
