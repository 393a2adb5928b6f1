"""Keeps leases alive from threads of its own, off the event loop, over a connection of its own.

A blocked event loop must not lose a lease, and a lost lease must stop the attempt before it ends:
what is not renewed within three quarters of its life is reported lost, and its holder is cancelled.
One thread renews; another watches, since a network that swallows what it is given holds the first
one for many minutes. The watcher then cuts the connection, and the next renewal makes a new one.
"""

import asyncio
import contextlib
import os
import socket
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal
from uuid import UUID

import psycopg
from psycopg.conninfo import make_conninfo

from execution import jobs, leases
from infra import clock
from infra.db.pool import network_limits
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


@dataclass(frozen=True, slots=True)
class _Busy:
    """A statement that waits for its answer: on which socket, and since when."""

    fileno: int
    since: float


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
        self._busy: _Busy | None = None
        self._loop = asyncio.get_running_loop()
        self._threads = [
            threading.Thread(target=run, name=f"heartbeat {run.__name__}", daemon=True)
            for run in (self._run, self._watch)
        ]
        for thread in self._threads:
            thread.start()

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
        """End the threads."""
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=5)

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
                    with self._in_use(conn):
                        self._renew(conn, beat)
            except psycopg.Error as error:
                _log.warning("heartbeat_failed", error=str(error))
                conn = None
        if conn is not None:
            conn.close()

    def _watch(self) -> None:
        """Report what was not renewed in time, whatever the renewing thread is waiting for."""
        while not self._stop.wait(self._interval / 4):
            with self._lock:
                beats = list(self._beats)
                self._cut_if_stuck()
            for beat in beats:
                if clock.monotonic() - beat.renewed_at > self._patience:
                    self._report_lost(beat)

    @contextmanager
    def _in_use(self, conn: psycopg.Connection) -> Generator[None]:
        with self._lock:
            self._busy = _Busy(conn.fileno(), clock.monotonic())
        try:
            yield
        finally:
            with self._lock:
                self._busy = None

    def _cut_if_stuck(self) -> None:
        """End a statement that the database's side has not answered; its thread gets an error."""
        if self._busy is None or clock.monotonic() - self._busy.since < self._patience:
            return
        fileno, self._busy = self._busy.fileno, None
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(fileno)) as same:
            same.shutdown(socket.SHUT_RDWR)

    def _connect(self) -> psycopg.Connection:
        timeout = max(int(self._interval), 1)
        address = make_conninfo(self._dsn, connect_timeout=timeout, **network_limits(self._dsn))
        conn = psycopg.connect(address, autocommit=True, prepare_threshold=None)
        with self._in_use(conn):
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
