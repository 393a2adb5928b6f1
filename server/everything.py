"""One command for a person at a desk: database, HTTP and a worker, started and ended as one.

The worker is a process of its own, so that it may die without taking the page with it; it is
started again after a pause that grows while it keeps dying. It ends with this process even if
that is killed. Where the server listens is kept in the data folder for as long as it does, so
that others of this machine find it.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from infra import clock
from infra.errors import storage_error
from infra.settings import Settings
from infra.supervision import Supervisor
from infra.telemetry import get_logger

_log = get_logger(__name__)

ADDRESS_FILE = "address.json"
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_HEALTHY_SECONDS = 60.0
_STOP_SECONDS = 6.0
_FOREVER = 1e9


async def keep_worker(supervisor: Supervisor) -> None:
    """Run a worker process, again and again, until the supervisor is asked to stop."""
    pause = _FIRST_PAUSE
    while not supervisor.stopping:
        started = clock.monotonic()
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "server",
            "work",
            "--parent",
            str(os.getpid()),
            start_new_session=True,  # Ctrl-C is for this process, which then ends the worker
        )
        try:
            if await _outlives(process, supervisor):
                await _end(process)
                return
        except asyncio.CancelledError:
            process.kill()
            raise
        lived = clock.monotonic() - started
        pause = _FIRST_PAUSE if lived > _HEALTHY_SECONDS else pause
        _log.warning("worker_ended", status=process.returncode, again_in_seconds=pause)
        await supervisor.pause(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


async def _outlives(process: asyncio.subprocess.Process, supervisor: Supervisor) -> bool:
    """Wait for the end of the process or of us; True when the process is still there."""
    ended = supervisor.start(process.wait(), name="worker process")
    stopping = supervisor.start(supervisor.pause(_FOREVER), name="worker's end")
    await asyncio.wait({ended, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    return process.returncode is None


async def _end(process: asyncio.subprocess.Process) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(_STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        _log.warning("worker_killed", pid=process.pid)
        process.kill()
        await process.wait()


@contextmanager
def announced(settings: Settings, address: str) -> Generator[Callable[[], None]]:
    """Yield what puts the server's address into the data folder; it is taken back at the end."""
    path = settings.data_dir / ADDRESS_FILE

    def announce() -> None:
        fresh = path.with_suffix(".new")
        told = json.dumps({"address": address, "pid": os.getpid()})
        try:
            settings.data_dir.mkdir(parents=True, exist_ok=True)
            fresh.write_text(told, encoding="utf-8")
            fresh.rename(path)
        except OSError as error:
            raise storage_error(error, path) from error

    try:
        yield announce
    finally:
        if _announced_pid(path) == os.getpid():
            path.unlink(missing_ok=True)


def read_address(data_dir: Path, *, pid: int | None = None) -> str | None:
    """Return where the server of a data folder said that it listens, or None."""
    path = data_dir / ADDRESS_FILE
    if pid is not None and _announced_pid(path) != pid:
        return None
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["address"])
    except (OSError, ValueError, KeyError):
        return None


def running_address(data_dir: Path) -> str | None:
    """Return where the server of a data folder listens, if the process that said so still lives."""
    pid = _announced_pid(data_dir / ADDRESS_FILE)
    if pid is None:
        return None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass  # it lives, as somebody else's
    return read_address(data_dir, pid=pid)


def _announced_pid(path: Path) -> int | None:
    try:
        return int(json.loads(path.read_text(encoding="utf-8"))["pid"])
    except (OSError, ValueError, KeyError):
        return None
