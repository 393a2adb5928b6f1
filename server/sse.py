"""Server-sent events: one stream is the log from a client's position on, without a gap, then live.

`stream_log` subscribes first, reads from the client's position, then drains its queue, so
nothing falls between the two. Control frames (`hello`, `reset`) and pieces of replies carry no
id; a position that this log does not have is told by `reset`, after which the stream goes on
from the log's end. A comment every five seconds keeps the connection open, and a client that
has read nothing for half a minute is let go.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import override

import anyio
import psycopg
from fastapi import Request
from sse_starlette.event import ServerSentEvent
from sse_starlette.sse import EventSourceResponse, SendTimeoutError
from starlette.types import Receive, Scope, Send

from infra.db.pool import DomainPool
from infra.telemetry import get_logger
from server.hub import PAGE, Client, Frame, Hub, control_frame, read_page

_log = get_logger(__name__)

PING_SECONDS = 5
RETRY = b"retry: 2000\n\n"
_SEND_SECONDS = 30.0
_FAREWELL_SECONDS = 1.0
_LARGEST_SEQ = 2**63 - 1


class EventStream(EventSourceResponse):
    """The response of a stream; ends when its client is closed, whether that one reads or not."""

    def __init__(self, content: AsyncIterator[bytes], client: Client) -> None:
        super().__init__(
            content,
            ping=PING_SECONDS,
            sep="\n",
            ping_message_factory=lambda: ServerSentEvent(comment="ping", sep="\n"),
            send_timeout=_SEND_SECONDS,
        )
        self._client = client

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        except SendTimeoutError:
            _log.info("stream_dropped", reason="silent")

    @override
    async def _listen_for_exit_signal_with_grace(self) -> None:
        """Wait for the hub's word instead of the library's guess at the server's signals."""
        await self._client.wait_closed()
        if self._client.closed_because == "slow":
            _log.info("stream_dropped", reason="slow")
            return
        with anyio.move_on_after(_FAREWELL_SECONDS):
            while self.active:  # noqa: ASYNC110 - the library offers no event for it
                await anyio.sleep(0.02)


def position_from(request: Request, after: int) -> int | None:
    """Return where a client wants to go on: its Last-Event-ID, else `after`; None if unreadable."""
    said = request.headers.get("last-event-id")
    if said is None or not said.strip():
        return after
    said = said.strip()
    if not (said.isascii() and said.isdigit()) or int(said[:20]) > _LARGEST_SEQ:
        return None
    return int(said[:20])


async def stream_log(
    hub: Hub,
    pool: DomainPool,
    client: Client,
    *,
    after: int | None,
    epoch: str,
    task: str | None = None,
) -> AsyncGenerator[bytes]:
    """Yield a client's stream; ends when the client is closed or the database is gone."""
    try:
        async with hub.subscribed(client) as last:
            hello = control_frame("hello", {"seq": last, "server_epoch": epoch})
            yield RETRY + hello.body
            if after is None or after > last:
                yield control_frame("reset", {"reason": "unknown_position"}).body
                after = last
            async for frame in continuous(pool, client, after=after):
                if frame.type == "reset" or frame.seq is None or task in (None, frame.task):
                    yield frame.body
    except psycopg.Error as error:
        _log.warning("stream_ended", error=str(error).strip())


async def continuous(pool: DomainPool, client: Client, *, after: int) -> AsyncIterator[Frame]:
    """Yield the log after a position, each event once and in order, then what happens, as it does.

    Must run while the client is subscribed. A hole between two events, which only a shortened log
    has, is told by a `reset` frame.
    """
    position = after
    async for frame in _stored(pool, client, after=position):
        if frame.seq != position + 1:
            yield control_frame("reset", {"reason": "log_shortened"})
        position = frame.seq or position
        yield frame
    async for frame in client.frames():
        if frame.seq is None:
            yield frame
        elif frame.seq > position:
            if frame.seq != position + 1:
                yield control_frame("reset", {"reason": "log_shortened"})
            position = frame.seq
            yield frame


async def _stored(pool: DomainPool, client: Client, *, after: int) -> AsyncIterator[Frame]:
    while client.closed_because is None:
        page = await read_page(pool, client.workspace_id, after=after)
        for frame in page:
            yield frame
        if len(page) < PAGE:
            return
        after = page[-1].seq or after
