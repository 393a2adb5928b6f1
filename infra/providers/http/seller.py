"""What the adapters of all vendors have in common: a key, models, single requests, references.

An adapter adds only what its vendor does in its own way: how it is ordered from, found again, read
and cancelled. Nothing here retries, and nothing is remembered: a restart loses nothing.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from infra.providers.http.files import fetch
from infra.providers.http.models import Model, checked_key, model_for
from infra.providers.http.places import Places
from infra.providers.http.transport import Answer, Transport
from infra.providers.ports import Artifact, Attempt, JobRef, OperationLimits

type CallbackUrl = Callable[[UUID], str]

ATTEMPT_HEADER = "X-Client-Request-Id"
"""Names an order in a vendor's own log, for whoever asks its support.

OpenAI takes a caller's id there (unverified), the others ignore it; no adapter relies on it.
"""


class Seller:
    """A vendor that is ordered from with one key.

    `callback_url` gives the address on which this installation hears of an attempt, if it can be
    reached from outside. Files are fetched from `places` alone.
    """

    vendor = ""
    """Its name in jobs, prices and messages."""

    def __init__(
        self,
        key: str,
        *,
        models: Sequence[Model],
        callback_url: CallbackUrl | None,
        places: Places,
        transport: Transport | None,
    ) -> None:
        self._key = checked_key(self.vendor, key)
        self._models = {model.operation: model for model in models}
        self._callback_url = callback_url
        self._places = places
        self._transport = transport or Transport(self.vendor)

    @property
    def name(self) -> str:
        """The provider's name in jobs and prices."""
        return self.vendor

    def quote_micros(self, operation: str, payload: dict[str, Any]) -> int:
        """Return the most that a call may cost."""
        return self._models[operation].quote_micros(payload)

    def unit(self, operation: str) -> str:
        """Return what the price of a call without further facts is for."""
        model = self._models[operation]
        return model.shown_as or model.unit

    def ref_of(self, attempt: Attempt, provider_job_id: str) -> JobRef:
        """Return the job that a signed call of the vendor names."""
        return self._ref(attempt.operation, provider_job_id)

    def fetch(self, artifact: Artifact) -> AsyncIterator[bytes]:
        """Stream a result from the vendor's own file hosts."""
        return fetch(
            self._transport,
            artifact.location,
            media_type=artifact.media_type,
            places=self._places,
            headers=self._file_headers,
        )

    async def discard(self, attempt_id: UUID) -> None:
        """Do nothing: the vendor forgets by itself."""
        del attempt_id

    @property
    def _limits(self) -> dict[str, OperationLimits]:
        """What a call of each model may ask for."""
        return {operation: model.limits for operation, model in self._models.items()}

    @property
    def _headers(self) -> dict[str, str]:
        """What every request carries, the key first of all."""
        return {"Authorization": f"Bearer {self._key}"}

    @property
    def _file_headers(self) -> dict[str, str]:
        """What a request for a file carries: nothing, unless the vendor's files want the key."""
        return {}

    async def _ask(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        body: Any = None,
    ) -> Answer:
        return await self._transport.ask(
            method, url, headers=self._headers, params=params, body=body
        )

    async def _order(
        self,
        attempt: Attempt,
        url: str,
        *,
        body: dict[str, Any],
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send the one request of an attempt."""
        sent = {**self._headers, ATTEMPT_HEADER: str(attempt.attempt_id), **(headers or {})}
        return await self._transport.ask("POST", url, headers=sent, params=params, body=body)

    def _model(self, operation: str) -> Model:
        return model_for(self._models, self.vendor, operation)

    def _model_of(self, ref: JobRef) -> Model:
        return self._model(str(ref.raw["operation"]))

    def _ref(self, operation: str, job_id: str, **raw: Any) -> JobRef:
        given = {"operation": operation, **raw}
        return JobRef(provider=self.vendor, provider_job_id=job_id, raw=given)

    def _callback(self, attempt_id: UUID) -> str | None:
        return self._callback_url(attempt_id) if self._callback_url else None
