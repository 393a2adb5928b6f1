"""Hands committed events to every open stream of this process: one LISTEN, one read, one encoding.

A notice only says that there is something to read; a poll covers lost ones. What is read once
per workspace is encoded once and put into the queue of each client, which is bounded in bytes:
a client that does not keep up is dropped and comes back for the rest, an event never is. Pieces
of a reply that is being written go the same way and are left out for a client that lags. No
connection of a pool is held between reads.
"""

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Generator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.conninfo import make_conninfo

from execution import events
from execution.events import Event
from infra import clock
from infra.db.pool import DomainPool, network_limits, transaction
from infra.ids import WorkspaceId
from infra.signals import DELTAS_CHANNEL, EVENTS_CHANNEL
from infra.supervision import Supervisor
from infra.telemetry import get_logger

_log = get_logger(__name__)

POLL_SECONDS = 2.0
PAGE = 200
REPLAYS = 3
"""Streams that may read old events at the same time."""
MAX_QUEUED_BYTES = 4 << 20
PATIENCE_SECONDS = 2.0
"""A client that is over its limit is dropped once it has taken nothing for so long."""
SILENCE_SECONDS = 30.0
"""A client that has taken nothing for so long while something waits is let go, however little."""
BATCH_BYTES = 64 << 10
BURST = 8
"""So many times its limit is too much for any client; a page of the log may come in one burst."""
DELTA = "assistant.delta"
SHUTDOWN = "shutdown"
_RECONNECT_SECONDS = 0.5
_RECONNECT_LIMIT = 5.0
# JSON leaves them as they are, but some readers of lines take them for line ends.
_LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One message of a stream: its bytes, and what a filter needs; `seq` only for events."""

    type: str
    body: bytes
    data: dict[str, Any]
    seq: int | None = None
    task: str | None = None


def control_frame(event_type: str, data: dict[str, Any]) -> Frame:
    """Return a frame that is no event of the log and carries no id."""
    return Frame(type=event_type, body=_encode(event_type, data), data=data)


def event_frame(event: Event) -> Frame:
    """Return the frame of an event of the log."""
    return Frame(
        type=event.type,
        body=_encode(event.type, event.envelope(), seq=event.seq),
        data=event.data,
        seq=event.seq,
        task=str(event.task_id) if event.task_id else None,
    )


def _encode(event_type: str, data: dict[str, Any], *, seq: int | None = None) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_LINE_ENDS)
    head = f"id: {seq}\n" if seq is not None else ""
    return f"{head}event: {event_type}\ndata: {text}\n\n".encode()


class Client:
    """One open stream: a queue bounded in bytes, and the reason for its end."""

    def __init__(self, workspace_id: WorkspaceId, *, max_bytes: int) -> None:
        self.workspace_id = workspace_id
        self.closed_because: str | None = None
        self._max_bytes = max_bytes
        self._queue: deque[Frame] = deque()
        self._bytes = 0
        self._moved_at = clock.monotonic()
        self._something = asyncio.Event()
        self._closed = asyncio.Event()

    def offer(self, frame: Frame) -> None:
        """Queue a frame; a client whose queue is full and does not move is dropped."""
        if self.closed_because is not None:
            return
        if not self._queue:
            self._moved_at = clock.monotonic()
        after = self._bytes + len(frame.body)
        if frame.seq is None and after > self._max_bytes // 2:
            return
        if after > self._max_bytes and self._is_stuck(after):
            self.close("slow")
            return
        self._queue.append(frame)
        self._bytes = after
        self._something.set()

    def _is_stuck(self, queued: int) -> bool:
        still = clock.monotonic() - self._moved_at
        return still > PATIENCE_SECONDS or queued > BURST * self._max_bytes

    def close(self, reason: str) -> None:
        """End the stream; what is queued is let go."""
        self.closed_because = self.closed_because or reason
        self._queue.clear()
        self._bytes = 0
        self._something.set()
        self._closed.set()

    async def wait_closed(self) -> None:
        """Wait until the stream is to end."""
        await self._closed.wait()

    def is_silent(self, seconds: float) -> bool:
        """Tell whether frames have been waiting for so long without one being taken."""
        return bool(self._queue) and clock.monotonic() - self._moved_at > seconds

    async def batches(self) -> AsyncIterator[list[Frame]]:
        """Yield what was queued, several frames at once when they are small and wait already."""
        while self.closed_because is None:
            await self._something.wait()
            self._something.clear()
            while self._queue:
                yield self._take()

    def _take(self) -> list[Frame]:
        batch: list[Frame] = []
        size = 0
        while self._queue and size < BATCH_BYTES:
            batch.append(self._queue.popleft())
            size += len(batch[-1].body)
        self._bytes -= size
        self._moved_at = clock.monotonic()
        return batch


@dataclass(slots=True)
class _Feed:
    clients: set[Client] = field(default_factory=set[Client])
    cursor: int | None = None


class Hub:
    """The open streams of a process, fed from the log."""

    def __init__(
        self,
        pool: DomainPool,
        dsn: str,
        supervisor: Supervisor,
        *,
        max_bytes: int = MAX_QUEUED_BYTES,
    ) -> None:
        self._pool = pool
        self._dsn = dsn
        self._max_bytes = max_bytes
        self._feeds: dict[WorkspaceId, _Feed] = {}
        self._dirty: set[WorkspaceId] = set()
        self._something = asyncio.Event()
        self._is_closed = False
        self._replays = asyncio.Semaphore(REPLAYS)
        self.is_listening = False
        supervisor.start(self._listen(), name="hub listener", essential=True)
        supervisor.start(self._pump(), name="hub pump", essential=True)

    async def read_page(self, workspace_id: WorkspaceId, *, after: int) -> list[Frame]:
        """Return the next frames of the log for one stream, at most a page.

        Only a few streams read at a time: however many come back at once, the pool's other
        connections stay free for what people send.
        """
        async with self._replays:
            return await _read(self._pool, workspace_id, after=after)

    @property
    def client_count(self) -> int:
        """How many streams are open."""
        return sum(len(feed.clients) for feed in self._feeds.values())

    def clients(self, workspace_id: WorkspaceId) -> tuple[Client, ...]:
        """Return the open streams of a workspace."""
        feed = self._feeds.get(workspace_id)
        return tuple(feed.clients) if feed else ()

    def new_client(self, workspace_id: WorkspaceId) -> Client:
        """Return a client that is not subscribed yet."""
        return Client(workspace_id, max_bytes=self._max_bytes)

    @contextlib.asynccontextmanager
    async def subscribed(self, client: Client) -> AsyncGenerator[int]:
        """Feed a client for the length of the block; yields the log's last seq at its start.

        Every event committed after that seq reaches the client's queue, or the client is dropped.
        """
        if self._is_closed:
            client.close(SHUTDOWN)
        with self._registered(client) as feed:
            async with transaction(self._pool) as conn:
                last = await events.last_seq(conn, client.workspace_id)
            if feed.cursor is None:
                feed.cursor = last
            yield last

    @contextlib.contextmanager
    def _registered(self, client: Client) -> Generator[_Feed]:
        feed = self._feeds.setdefault(client.workspace_id, _Feed())
        feed.clients.add(client)
        try:
            yield feed
        finally:
            feed.clients.discard(client)
            if not feed.clients and self._feeds.get(client.workspace_id) is feed:
                del self._feeds[client.workspace_id]

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._is_closed = True
        for feed in self._feeds.values():
            for client in feed.clients:
                client.close(SHUTDOWN)

    async def _listen(self) -> None:
        delay = _RECONNECT_SECONDS
        while True:
            try:
                address = make_conninfo(self._dsn, **network_limits(self._dsn))
                connection = await AsyncConnection.connect(
                    address, autocommit=True, application_name="atelier events"
                )
                async with connection:
                    for channel in (EVENTS_CHANNEL, DELTAS_CHANNEL):
                        listen = sql.SQL("listen {}").format(sql.Identifier(channel))
                        await connection.execute(listen)
                    self.is_listening = True
                    delay = _RECONNECT_SECONDS
                    self._mark(*self._feeds)
                    async for notice in connection.notifies():
                        self._hear(notice.channel, notice.payload)
            except (psycopg.Error, OSError) as error:
                _log.warning("listen_lost", error=str(error).strip())
            self.is_listening = False
            await asyncio.sleep(delay)
            delay = min(delay * 2, _RECONNECT_LIMIT)

    def _hear(self, channel: str, payload: str) -> None:
        """Take a notice; one that cannot be read is left to the poll."""
        try:
            if channel == EVENTS_CHANNEL:
                self._mark(WorkspaceId(UUID(payload.partition(":")[0])))
                return
            delta: dict[str, Any] = json.loads(payload)
            workspace_id = WorkspaceId(UUID(delta.pop("workspace")))
        except (ValueError, KeyError):
            _log.warning("notice_unreadable", channel=channel)
            return
        frame = control_frame(DELTA, delta)
        for client in self.clients(workspace_id):
            client.offer(frame)

    def _mark(self, *workspaces: WorkspaceId) -> None:
        self._dirty.update(workspaces)
        self._something.set()

    async def _pump(self) -> None:
        poll_at = clock.monotonic() + POLL_SECONDS
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, poll_at - clock.monotonic())):
                    await self._something.wait()
            self._something.clear()
            if clock.monotonic() >= poll_at:
                self._dirty.update(self._feeds)
                self._drop_silent()
                poll_at = clock.monotonic() + POLL_SECONDS
            dirty, self._dirty = self._dirty, set()
            for workspace_id in dirty:
                try:
                    await self._read_on(workspace_id)
                except (psycopg.Error, OSError) as error:
                    _log.warning("events_unread", error=str(error).strip())

    def _drop_silent(self) -> None:
        for feed in self._feeds.values():
            for client in feed.clients:
                if client.is_silent(SILENCE_SECONDS):
                    client.close("silent")

    async def _read_on(self, workspace_id: WorkspaceId) -> None:
        feed = self._feeds.get(workspace_id)
        while feed is not None and feed.cursor is not None and feed.clients:
            page = await _read(self._pool, workspace_id, after=feed.cursor)
            if page:
                feed.cursor = page[-1].seq
            for frame in page:
                for client in self.clients(workspace_id):
                    client.offer(frame)
            if len(page) < PAGE:
                return


async def _read(pool: DomainPool, workspace_id: WorkspaceId, *, after: int) -> list[Frame]:
    """Return the next frames of the log, at most a page."""
    async with transaction(pool) as conn:
        found = await events.read(conn, workspace_id, after=after, limit=PAGE)
    return [event_frame(event) for event in found]
