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
from sse_starlette.sse import EventSourceResponse
from starlette.types import Message, Send

from infra.telemetry import get_logger
from server.hub import PAGE, SHUTDOWN, Client, Frame, Hub, control_frame

_log = get_logger(__name__)

PING_SECONDS = 5
RETRY = b"retry: 2000\n\n"
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
        )
        self._client = client

    @override
    async def _send_with_timeout(self, send: Send, message: Message) -> None:
        """Send without a timer of its own, which costs as much as the sending; the hub watches."""
        await send(message)

    @override
    async def _listen_for_exit_signal_with_grace(self) -> None:
        """Wait for the hub's word instead of the library's guess at the server's signals."""
        await self._client.wait_closed()
        if self._client.closed_because != SHUTDOWN:
            _log.info("stream_dropped", reason=self._client.closed_because)
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
            async for batch in continuous(hub, client, after=after):
                wanted = [frame.body for frame in batch if _is_wanted(frame, task)]
                if wanted:
                    yield b"".join(wanted)
    except psycopg.Error as error:
        _log.warning("stream_ended", error=str(error).strip())


def _is_wanted(frame: Frame, task: str | None) -> bool:
    return task is None or frame.seq is None or frame.task == task


async def continuous(hub: Hub, client: Client, *, after: int) -> AsyncIterator[list[Frame]]:
    """Yield the log after a position, each event once and in order, then what happens, as it does.

    Must run while the client is subscribed. A hole between two events, which only a shortened log
    has, is told by a `reset` frame.
    """
    position = after
    while client.closed_because is None:
        page = await hub.read_page(client.workspace_id, after=position)
        for frame in page:  # one by one: an old log may hold large events
            batch, position = _in_order([frame], position)
            yield batch
        if len(page) < PAGE:
            break
    async for queued in client.batches():
        batch, position = _in_order(queued, position)
        yield batch


def _in_order(frames: list[Frame], position: int) -> tuple[list[Frame], int]:
    """Return the frames after a position, and the new position; holes become `reset` frames."""
    batch: list[Frame] = []
    for frame in frames:
        if frame.seq is not None:
            if frame.seq <= position:
                continue
            if frame.seq != position + 1:
                batch.append(control_frame("reset", {"reason": "log_shortened"}))
            position = frame.seq
        batch.append(frame)
    return batch, position
