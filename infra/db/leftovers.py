"""What a server that ended badly has left behind, and how the next one gets past it.

`postmaster.pid` names a process. After a crash it may be dead, be a stranger that got the number,
or be the old server, still writing its last checkpoint. Only the last one is waited for; a
stranger's number must not keep the database from starting. The file itself stays: it tells the new
server which shared memory to look at, so that it refuses to start beside sessions that still write.

Called with the data folder's lock held, so no server that a process looks after is ever touched.
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
_NOBODYS_PID = 2**31 - 1
"""Above every system's highest: Postgres finds that it is dead."""


def end_leftover_server(folder: Path, sockets: Path) -> None:
    """Wait for the old server of a folder to end, and disarm a stranger's number.

    Raises:
        DataFolderBusyError: the old server does not end.
    """
    pid_file = folder / "postmaster.pid"
    try:
        first, _, rest = pid_file.read_text(encoding="utf-8", errors="replace").partition("\n")
    except FileNotFoundError:
        return
    if not first.strip().isdecimal():  # cut off by a full disk: it tells nothing
        pid_file.unlink()
        return
    pid = int(first)
    if is_server(pid, folder):
        _end(pid, folder)
    elif _lives(pid):
        _log.warning("old_server_number_reused", pid=pid)
        pid_file.write_text(f"{_NOBODYS_PID}\n{rest}", encoding="utf-8")
        (sockets / ".s.PGSQL.5432.lock").unlink(missing_ok=True)


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


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _end(pid: int, folder: Path) -> None:
    for number, seconds in ((signal.SIGINT, _FAST_SECONDS), (signal.SIGQUIT, _IMMEDIATE_SECONDS)):
        _log.warning("old_server_ends", pid=pid, signal=number.name)
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        give_up = clock.monotonic() + seconds
        while is_server(pid, folder):
            if clock.monotonic() > give_up:
                break
            time.sleep(_POLL_SECONDS)
        else:
            return
    raise DataFolderBusyError(folder.parent, str(pid))
