"""Telling other processes that something was committed: best effort, after the commit.

A wake that is lost is found by the watchdog, an event that nobody announced by the next poll.
NOTIFY goes over a connection of its own: inside a transaction it serialises every commit of the
database. Wakes of threads and jobs are carried by procrastinate on the same Postgres; only
`infra.queue` knows it.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Protocol
from uuid import UUID

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo

from infra.db.pool import network_limits
from infra.ids import JobId, MessageId, ThreadId, WorkspaceId
from infra.providers.ports import Lane
from infra.supervision import Supervisor
from infra.telemetry import get_logger

EVENTS_CHANNEL = "atelier_events"
DELTAS_CHANNEL = "atelier_deltas"
_MAX_PAYLOAD = 7000
_CONNECT_SECONDS = 5
_log = get_logger(__name__)


class Signals(Protocol):
    """What a committed transaction may announce."""

    def events_committed(self, workspace_id: WorkspaceId, seq: int) -> None:
        """New events up to this seq can be read."""
        ...

    def wake_thread(self, thread_id: ThreadId) -> None:
        """A thread has something to do."""
        ...

    def wake_job(self, job_id: JobId, lane: Lane) -> None:
        """A job is due."""
        ...

    def delta(
        self,
        workspace_id: WorkspaceId,
        message_id: MessageId,
        *,
        generation: int,
        offset: int,
        text: str,
    ) -> None:
        """A piece of a reply that is being written; lost without harm."""
        ...


class SilentSignals:
    """Announces nothing: everything is found by polling. For tools and tests."""

    def events_committed(self, workspace_id: WorkspaceId, seq: int) -> None: ...

    def wake_thread(self, thread_id: ThreadId) -> None: ...

    def wake_job(self, job_id: JobId, lane: Lane) -> None: ...

    def delta(
        self,
        workspace_id: WorkspaceId,
        message_id: MessageId,
        *,
        generation: int,
        offset: int,
        text: str,
    ) -> None: ...


type Defer = Callable[[str], Awaitable[None]]
type DeferJob = Callable[[str, Lane], Awaitable[None]]


class PostgresSignals:
    """Announces by NOTIFY on one autocommit connection, and wakes through the queue."""

    def __init__(
        self, dsn: str, supervisor: Supervisor, *, wake_thread: Defer, wake_job: DeferJob
    ) -> None:
        self._dsn = dsn
        self._wake_thread = wake_thread
        self._wake_job = wake_job
        self._pending: dict[WorkspaceId, int] = {}
        self._deltas: list[str] = []
        self._threads: dict[ThreadId, None] = {}
        self._jobs: dict[JobId, Lane] = {}
        self._something = asyncio.Event()
        self._connection: AsyncConnection | None = None
        supervisor.start(self._run(), name="signals", essential=True)

    def events_committed(self, workspace_id: WorkspaceId, seq: int) -> None:
        self._pending[workspace_id] = max(seq, self._pending.get(workspace_id, 0))
        self._something.set()

    def wake_thread(self, thread_id: ThreadId) -> None:
        self._threads[thread_id] = None
        self._something.set()

    def wake_job(self, job_id: JobId, lane: Lane) -> None:
        self._jobs[job_id] = lane
        self._something.set()

    def delta(
        self,
        workspace_id: WorkspaceId,
        message_id: MessageId,
        *,
        generation: int,
        offset: int,
        text: str,
    ) -> None:
        for start in range(0, len(text), _MAX_PAYLOAD // 6):
            piece = text[start : start + _MAX_PAYLOAD // 6]
            self._deltas.append(
                json.dumps(
                    {
                        "workspace": str(workspace_id),
                        "message_id": str(message_id),
                        "generation": generation,
                        "offset": offset + start,
                        "text": piece,
                    }
                )
            )
        self._something.set()

    async def _run(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            threads, self._threads = self._threads, {}
            jobs, self._jobs = self._jobs, {}
            pending, self._pending = self._pending, {}
            deltas, self._deltas = self._deltas, []
            notes = [(DELTAS_CHANNEL, delta) for delta in deltas]
            notes += [(EVENTS_CHANNEL, f"{key}:{seq}") for key, seq in pending.items()]
            await self._notify(notes)
            for thread_id in threads:
                await self._defer(self._wake_thread(str(thread_id)), thread_id)
            for job_id, lane in jobs.items():
                await self._defer(self._wake_job(str(job_id), lane), job_id)

    async def _notify(self, notes: list[tuple[str, str]]) -> None:
        try:
            if self._connection is None or self._connection.closed:
                address = make_conninfo(
                    self._dsn, connect_timeout=_CONNECT_SECONDS, **network_limits(self._dsn)
                )
                self._connection = await AsyncConnection.connect(address, autocommit=True)
            for channel, payload in notes:
                await self._connection.execute(
                    "select pg_notify(%(channel)s, %(payload)s)",
                    {"channel": channel, "payload": payload},
                )
        except psycopg.Error as error:
            _log.warning("notify_lost", error=str(error), count=len(notes))
            self._connection = None

    async def _defer(self, wake: Awaitable[None], identity: UUID) -> None:
        try:
            await wake
        except (psycopg.Error, OSError) as error:
            _log.warning("wake_lost", error=str(error), identity=str(identity))
