"""Fetches a vendor's results: from allowed hosts, of the expected kind, no larger than a limit.

The bytes stream on to the blob store. What will never be usable (gone, elsewhere, of another kind,
too large) is `UnusableMediaError`; what may work later is one of the provider's own errors.
"""

from collections.abc import AsyncIterator, Mapping

import httpx

from infra import clock
from infra.media.verify import UnusableMediaError
from infra.providers.http.places import Places, origin_of
from infra.providers.http.transport import Transport
from infra.providers.ports import OutcomeUnknownError, QuotaError

_MOST_REDIRECTS = 3
_GONE = frozenset({401, 403, 404, 410})
"""What object stores answer for a link that has expired or a file that was removed."""
_UNSAID = frozenset({"", "application/octet-stream", "binary/octet-stream"})
_OK = 200
_TOO_MANY = 429


async def fetch(
    transport: Transport,
    url: str,
    *,
    media_type: str,
    places: Places,
    headers: Mapping[str, str] | None = None,
) -> AsyncIterator[bytes]:
    """Yield the bytes of a file; `headers` go to the first host alone.

    Raises:
        UnusableMediaError: there is no such file that may be used.
        NotDeliveredError: nothing could be asked for now.
        QuotaError: the vendor asks to come back later.
        OutcomeUnknownError: it broke off; it may be fetched again.
    """
    limits = transport.limits
    ends_at = clock.monotonic() + limits.file_s
    first = origin_of(url)
    for _ in range(_MOST_REDIRECTS + 1):
        _check_place(transport.vendor, url, places)
        sent = dict(headers or {}) if origin_of(url) == first else {}
        answered = False
        size = 0
        try:
            async with transport.open(url, sent) as response:
                answered = True
                if response.is_redirect:
                    url = str(response.url.join(response.headers.get("location", "")))
                    continue
                _check_answer(transport.vendor, response, media_type)
                async for chunk in response.aiter_bytes():
                    size += len(chunk)
                    _check_size(transport, size, ends_at)
                    yield chunk
                return
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OSError) as error:
            raise transport.sort(error, is_untouched=not answered) from error
    message = f"A result of {transport.vendor} was sent from place to place."
    raise UnusableMediaError(message)


def _check_place(vendor: str, url: str, places: Places) -> None:
    if not places.allow(url):
        message = f"{vendor} named a place that is not its own for a result: {origin_of(url)}"
        raise UnusableMediaError(message)


def _check_answer(vendor: str, response: httpx.Response, media_type: str) -> None:
    if response.status_code in _GONE:
        message = f"A result of {vendor} is no longer there ({response.status_code})."
        raise UnusableMediaError(message)
    if response.status_code == _TOO_MANY:
        message = f"{vendor} has no room for a download now."
        raise QuotaError(message)
    if response.status_code != _OK:
        message = f"A result of {vendor} could not be fetched ({response.status_code})."
        raise OutcomeUnknownError(message)
    said = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if said not in _UNSAID and said.partition("/")[0] != media_type.partition("/")[0]:
        message = f"A result of {vendor} is {said} and not {media_type}."
        raise UnusableMediaError(message)


def _check_size(transport: Transport, size: int, ends_at: float) -> None:
    if size > transport.limits.file_bytes:
        message = f"A result of {transport.vendor} is too large."
        raise UnusableMediaError(message)
    if clock.monotonic() > ends_at:
        message = f"A result of {transport.vendor} took too long to arrive."
        raise OutcomeUnknownError(message)
