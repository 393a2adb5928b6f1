"""What stands before every route: host check, cross-origin check, body limit, security headers.

A server on this machine can be reached by every page that its browser opens. So only known Host
names are answered (against DNS rebinding), a request that changes something must come from our
own page or from no page at all (the rule of Go 1.25's CrossOriginProtection), and a body ends
at one megabyte; only that of a file is longer, and passed on piece by piece. What is refused here
is a problem like any other.
"""

from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from infra.providers.callbacks import PATH
from server.errors import BodyTooLargeError, problem

MAX_BODY_BYTES = 1_000_000
MAX_UPLOAD_BYTES = 100_000_000
UPLOADS = ("POST", "/v1/objects")
"""The route whose body is a file."""
LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})
_READ_ANYWAY_BYTES = 32_000_000
"""Who closes while the other still writes takes the answer away from it; so much is read first."""
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' blob: data:",
        "media-src 'self' blob:",
        "font-src 'self'",
        "manifest-src 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
CONTENT_POLICY = (
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline';"
    " frame-ancestors 'self'; sandbox"
)
"""For files that people or models made: shown, never run."""

_API_POLICY = "default-src 'none'; frame-ancestors 'none'"
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": _API_POLICY,
    "Cache-Control": "no-store",
}


class ProtectionMiddleware:
    """Refuses what must not reach a route and sets the headers that every answer carries."""

    def __init__(
        self, app: ASGIApp, *, hosts: frozenset[str], callback_host: str | None = None
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._callback_host = callback_host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        send = _with_headers(send)
        if not self._is_known(_host_name(headers.get("host", "")), scope["path"]):
            refusal = problem(
                HTTPStatus.BAD_REQUEST, "unknown_host", "This server is not known by that name."
            )
            await refusal(scope, receive, send)
        elif not _comes_from_here(scope["method"], headers):
            refusal = problem(
                HTTPStatus.FORBIDDEN, "cross_origin", "Another site's page may not change things."
            )
            await refusal(scope, receive, send)
        else:
            await self._limited(scope, receive, send)

    def _is_known(self, host: str, path: str) -> bool:
        """Tell whether the server has this name; from outside it is known for providers' calls."""
        is_callback = host == self._callback_host and path.startswith(f"{PATH}/")
        return host in self._hosts or is_callback

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on once its whole body is here."""
        if scope["method"] in _SAFE_METHODS:
            await self._app(scope, receive, send)
            return
        if (scope["method"], scope["path"]) == UPLOADS:
            await self._app(scope, _counted(receive), send)
            return
        body = bytearray()
        size = 0
        more = True
        while more and size <= _READ_ANYWAY_BYTES:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            size += len(message.get("body", b""))
            if size <= MAX_BODY_BYTES:
                body += message.get("body", b"")
            more = message.get("more_body", False)
        if size > MAX_BODY_BYTES:
            await _too_large(scope, receive, send)
        else:
            await self._app(scope, _replay(bytes(body), receive), send)


def _counted(receive: Receive) -> Receive:
    """Pass a body on until it has more bytes than a file may have."""
    size = 0

    async def counting() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size <= MAX_UPLOAD_BYTES:
            return message
        most = size + _READ_ANYWAY_BYTES
        while message.get("more_body", False) and size <= most:
            message = await receive()
            size += len(message.get("body", b""))
        raise BodyTooLargeError(MAX_UPLOAD_BYTES)

    return counting


async def _too_large(scope: Scope, receive: Receive, send: Send) -> None:
    refusal = problem(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "body_too_large",
        f"A request may have {MAX_BODY_BYTES:,} bytes at most.",
        headers={"Connection": "close"},
    )
    await refusal(scope, receive, send)


def _replay(body: bytes, receive: Receive) -> Receive:
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return pending.pop() if pending else await receive()

    return replayed


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _comes_from_here(method: str, headers: Headers) -> bool:
    """Tell whether a request that may change something comes from our page or from no page."""
    if method in _SAFE_METHODS:
        return True
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


def _host_name(host: str) -> str:
    """Return the name of a Host header, without its port and brackets, in lower case."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()
