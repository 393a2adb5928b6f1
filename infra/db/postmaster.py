"""What a server that ended badly has left behind, and how the next one gets rid of it.

`postmaster.pid` names a process. After a crash it may be dead, be a stranger that got the number,
or be the old server, still writing its last checkpoint. Only the last one is waited for; a
stranger's number must not keep the database from starting. Called with the data folder's lock held,
so no server that another process looks after is ever touched.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from infra import clock
from infra.db.errors import DataFolderBusyError
from infra.telemetry import get_logger

_log = get_logger(__name__)

_POLL_SECONDS = 0.02
_FAST_SECONDS = 60.0
_IMMEDIATE_SECONDS = 15.0


def end_leftover_server(folder: Path, sockets: Path) -> None:
    """Wait for the old server of a folder to end, and remove what would refuse a new one.

    Raises:
        DataFolderBusyError: it does not end.
    """
    pid_file = folder / "postmaster.pid"
    pid = _read_pid(pid_file)
    if pid is None:
        return
    for number, seconds in ((signal.SIGINT, _FAST_SECONDS), (signal.SIGQUIT, _IMMEDIATE_SECONDS)):
        if not is_server(pid, folder):
            break
        _log.warning("old_server_ends", pid=pid, signal=number.name)
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        _wait_for_end(pid, folder, seconds)
    else:
        if is_server(pid, folder):
            raise DataFolderBusyError(folder.parent, str(pid))
    pid_file.unlink(missing_ok=True)
    for name in (".s.PGSQL.5432", ".s.PGSQL.5432.lock"):
        (sockets / name).unlink(missing_ok=True)


def is_server(pid: int, folder: Path) -> bool:
    """Return whether a process is the server of a folder, even of one that was moved since."""
    if sys.platform != "linux":
        return _is_server_by_ps(pid, folder)
    process = Path("/proc") / str(pid)
    try:
        program = process.joinpath("cmdline").read_bytes().split(b"\0")[0]
        here = process.joinpath("cwd").stat()
    except OSError:  # it is gone, or another user's: ours is never that
        return False
    return Path(os.fsdecode(program)).name == "postgres" and os.path.samestat(here, folder.stat())


def _is_server_by_ps(pid: int, folder: Path) -> bool:
    command = ["/bin/ps", "-o", "command=", "-p", str(pid)]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603
    return "postgres" in said and str(folder) in said


def _read_pid(path: Path) -> int | None:
    """Return the process that a pid file names; a file cut short by a full disk names none."""
    try:
        first = path.read_text(encoding="utf-8", errors="replace").split("\n", 1)[0]
    except FileNotFoundError:
        return None
    return abs(int(first)) if first.strip().lstrip("-").isdecimal() else 0


def _wait_for_end(pid: int, folder: Path, seconds: float) -> None:
    give_up = clock.monotonic() + seconds
    while is_server(pid, folder) and clock.monotonic() < give_up:
        time.sleep(_POLL_SECONDS)
