"""Keeps leases alive from a thread of its own, off the event loop, over a connection of its own.

A blocked event loop must not lose a lease, and a lost lease must stop the attempt before it ends:
what is not renewed within three quarters of its life is reported lost, and its holder is cancelled.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal
from uuid import UUID

import psycopg

from execution import jobs, leases
from infra import clock
from infra.telemetry import get_logger

_log = get_logger(__name__)


@dataclass(slots=True, kw_only=True, eq=False)
class Beat:
    """One lease that is being kept."""

    kind: Literal["turn", "job"]
    identity: UUID
    generation: int
    task: asyncio.Task[object]
    renewed_at: float
    lost: bool = False


class Heart:
    """Renews every held lease of this process, every fifth of its life."""

    def __init__(self, dsn: str, *, lease_seconds: float) -> None:
        self._dsn = dsn
        self._lease = timedelta(seconds=lease_seconds)
        self._interval = lease_seconds / 5
        self._patience = lease_seconds * 0.75
        self._beats: set[Beat] = set()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
        self._thread.start()

    @asynccontextmanager
    async def keep(
        self, kind: Literal["turn", "job"], identity: UUID, generation: int
    ) -> AsyncGenerator[Beat]:
        """Keep a lease while the block runs; the block is cancelled when it is lost."""
        current = asyncio.current_task()
        assert current is not None  # noqa: S101 - we are inside a coroutine
        beat = Beat(
            kind=kind,
            identity=identity,
            generation=generation,
            task=current,
            renewed_at=clock.monotonic(),
        )
        with self._lock:
            self._beats.add(beat)
        try:
            yield beat
            if beat.lost:
                current.uncancel()  # it was done before the cancellation reached it
        finally:
            with self._lock:
                self._beats.discard(beat)

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        conn: psycopg.Connection | None = None
        while not self._stop.wait(self._interval):
            with self._lock:
                beats = list(self._beats)
            if not beats:
                continue
            try:
                if conn is None or conn.closed:
                    conn = self._connect()
                for beat in beats:
                    self._renew(conn, beat)
            except psycopg.Error as error:
                _log.warning("heartbeat_failed", error=str(error))
                conn = None
            for beat in beats:
                if clock.monotonic() - beat.renewed_at > self._patience:
                    self._report_lost(beat)
        if conn is not None:
            conn.close()

    def _connect(self) -> psycopg.Connection:
        timeout = max(int(self._interval), 1)
        conn = psycopg.connect(self._dsn, autocommit=True, connect_timeout=timeout)
        conn.execute("select set_config('statement_timeout', %s, false)", (f"{timeout}s",))
        return conn

    def _renew(self, conn: psycopg.Connection, beat: Beat) -> None:
        started = clock.monotonic()
        statement = leases.RENEW if beat.kind == "turn" else jobs.RENEW
        values = {"lease": self._lease, "id": beat.identity, "generation": beat.generation}
        if conn.execute(statement, values).rowcount == 1 or self._has_ended(conn, beat):
            beat.renewed_at = started
        else:
            self._report_lost(beat)

    def _has_ended(self, conn: psycopg.Connection, beat: Beat) -> bool:
        """Tell whether the holder itself has ended it: nothing is left to renew, or to lose."""
        statement = leases.ENDED if beat.kind == "turn" else jobs.ENDED
        values = {"id": beat.identity, "generation": beat.generation}
        return conn.execute(statement, values).fetchone() is not None

    def _report_lost(self, beat: Beat) -> None:
        with self._lock:
            if beat not in self._beats or beat.lost:
                return
            beat.lost = True
        _log.warning("lease_lost", kind=beat.kind, identity=str(beat.identity))
        self._loop.call_soon_threadsafe(self._cancel, beat)

    def _cancel(self, beat: Beat) -> None:
        """Cancel the holder, unless it has left its block and does something else by now."""
        if beat in self._beats:
            beat.task.cancel()
