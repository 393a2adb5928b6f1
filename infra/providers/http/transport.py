"""One HTTP request to a vendor, without any retry, and an error that tells when it broke.

`NotDeliveredError` until the first byte of the request was about to be written (name, connection,
TLS, proxy); `OutcomeUnknownError` from then on, whatever broke. A connection is used for one
request only: a kept one may be closed by the vendor at the moment it is used again, and nobody can
tell then whether the request arrived. Facts about httpx are from its version 0.28.1, read
2026-11-30.
"""

import asyncio
import json
import ssl
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, cast

import httpx

from infra import clock
from infra.providers.http.places import is_loopback
from infra.providers.ports import NotDeliveredError, OutcomeUnknownError
from infra.sanitize import clean_json, clean_text

_LONGEST_WAIT_S = 3600.0
_SAID = 500
_ANSWERED_HALFWAY = frozenset({408, 409, 425, 499})
"""4xx that say how far a request came, not that it was refused (RFC 9110, RFC 8470, nginx)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long and how large: seconds and bytes.

    fal's queue and Replicate without `Prefer: wait` answer a submission at once, and 60 s is the
    longest that Replicate ever holds one open (generation.md 1.1, 2026-11). A page of Replicate's
    list has 100 predictions with inputs of up to 256 kB as data URLs (its OpenAPI, 2026-11).
    """

    connect_s: float = 10.0
    silence_s: float = 60.0
    answer_s: float = 90.0
    answer_bytes: int = 32 << 20
    file_s: float = 900.0
    file_bytes: int = 2 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a vendor answered: `body` is its JSON, made safe to store, or None if it was none."""

    status: int
    headers: Mapping[str, str]
    body: Any
    text: str

    @property
    def is_success(self) -> bool:
        """Whether the vendor says that it did what was asked."""
        return 200 <= self.status < 300  # noqa: PLR2004 - HTTP's own classes

    @property
    def is_refusal(self) -> bool:
        """Whether the vendor says for certain that it did not do what was asked."""
        return 400 <= self.status < 500 and self.status not in _ANSWERED_HALFWAY  # noqa: PLR2004

    @property
    def json(self) -> dict[str, Any]:
        """The JSON object that was answered; empty for anything else."""
        return cast("dict[str, Any]", self.body) if isinstance(self.body, dict) else {}

    @property
    def retry_after_s(self) -> float | None:
        """After how many seconds the vendor asks to be asked again (RFC 9110, both forms)."""
        said = self.headers.get("retry-after", "").strip()
        if not said:
            return None
        try:
            seconds = float(said) if said.isdigit() else _seconds_until(said)
        except (ValueError, TypeError):  # no date, or one without a zone
            return None
        return min(max(seconds, 0.0), _LONGEST_WAIT_S)


def _seconds_until(http_date: str) -> float:
    return (parsedate_to_datetime(http_date) - clock.utc_now()).total_seconds()


@dataclass(slots=True)
class _Wire:
    """How far a request came."""

    is_untouched: bool = True

    async def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Note that the request itself, not the CONNECT to a proxy, is about to be written."""
        if event.endswith("send_request_headers.started"):
            self.is_untouched = info["request"].method == b"CONNECT"


class Transport:
    """Sends single requests to one vendor."""

    def __init__(self, vendor: str, limits: Limits | None = None) -> None:
        self.vendor = vendor
        self.limits = limits or Limits()

    async def ask(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
        body: Any = None,
    ) -> Answer:
        """Send exactly one request and return what was answered, whatever its status.

        A body of bytes is sent as it is, with the type that `headers` say; any other as JSON.

        Raises:
            NotDeliveredError: no byte of it reached the vendor.
            OutcomeUnknownError: it was written, and there is no whole answer.
        """
        wire = _Wire()
        sent = dict(headers or {})
        content = body
        if body is not None and not isinstance(body, bytes):
            content = json.dumps(body, ensure_ascii=False).encode()
            sent["Content-Type"] = "application/json"
        try:
            async with (
                asyncio.timeout(self.limits.answer_s),
                self._client(url) as client,
                client.stream(
                    method,
                    url,
                    params=params,
                    headers=sent,
                    content=content,
                    extensions={"trace": wire.trace},
                ) as response,
            ):
                text = await self._text(response)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OSError) as error:
            raise self.sort(error, is_untouched=wire.is_untouched) from error
        return Answer(
            status=response.status_code,
            headers={name.lower(): value for name, value in response.headers.items()},
            body=_decoded(text),
            text=clean_text(text[:_SAID]),
        )

    @asynccontextmanager
    async def open(self, url: str, headers: Mapping[str, str]) -> AsyncGenerator[httpx.Response]:
        """Ask for a file and give its answer before its bytes; redirects are answers too."""
        async with (
            self._client(url) as client,
            client.stream("GET", url, headers=dict(headers)) as response,
        ):
            yield response

    def sort(
        self, error: Exception, *, is_untouched: bool
    ) -> NotDeliveredError | OutcomeUnknownError:
        """Return what an error of the wire means for the request."""
        if is_untouched or isinstance(error, httpx.ProxyError):
            return NotDeliveredError(f"{self.vendor} could not be reached: {_reason(error)}.")
        return OutcomeUnknownError(f"The answer of {self.vendor} was lost: {_reason(error)}.")

    def _client(self, url: str) -> httpx.AsyncClient:
        """Return a client for one request: no retries, no redirects, no kept connections.

        A proxy of the environment is for the world outside, never for this machine.
        """
        limits = self.limits
        return httpx.AsyncClient(
            trust_env=not is_loopback(url),
            verify=_certificates(),
            follow_redirects=False,
            timeout=httpx.Timeout(limits.silence_s, connect=limits.connect_s),
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=0),
            headers={"Accept-Encoding": "identity", "User-Agent": "atelier"},
        )

    async def _text(self, response: httpx.Response) -> str:
        """Return an answer's text as far as it is not too large to be one."""
        data = bytearray()
        async for chunk in response.aiter_bytes():
            data += chunk
            if len(data) > self.limits.answer_bytes:
                message = f"The answer of {self.vendor} is larger than an answer can be."
                raise OutcomeUnknownError(message)
        return data.decode("utf-8", "replace")


@cache
def _certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=True)


def _decoded(text: str) -> Any:
    try:
        return clean_json(json.loads(text))
    except (ValueError, RecursionError):
        return None


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        return "it took too long"
    said = clean_text(str(error)).strip().rstrip(".")
    return said[:200] or type(error).__name__
