"""Starts one generator under its limits: `python -m infra.providers.local.guard ATTEMPT_DIR`.

Takes the attempt's lock (a second start of the same attempt says `busy` and ends), ends with its
parent, limits memory and file size, and gives the generator an empty folder. A finished order is
entered in the provider's own log, `orders.log` beside the attempts: what was really made, whatever
the tables say. What stands there is not made again: an executor that was frozen before its request
sends it when it is thawed, long after another one has had it made.
"""

import ctypes
import fcntl
import os
import resource
import runpy
import shutil
import signal
import sys
from pathlib import Path

ORDERS = "orders.log"
_MEMORY_BYTES = 6 << 30
_FILE_BYTES = 4 << 30
_PR_SET_PDEATHSIG = 1


def main(attempt_dir: Path) -> None:
    """Run the generator of an attempt."""
    _end_with_parent()
    lock = (attempt_dir / "lock").open("wb")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.stderr.write("busy\n")
        raise SystemExit(3) from None
    files = attempt_dir / "files"
    if (files / "result.json").exists():
        return
    if _was_made(attempt_dir):
        shutil.rmtree(attempt_dir, ignore_errors=True)
        sys.stderr.write("made\n")
        raise SystemExit(3)
    shutil.rmtree(files, ignore_errors=True)
    files.mkdir()
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_BYTES, _FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY_BYTES, _MEMORY_BYTES))
    os.nice(5)
    sys.argv = ["infra.providers.local", str(attempt_dir / "request.json"), str(files)]
    try:
        runpy.run_module("infra.providers.local", run_name="__main__", alter_sys=True)
    finally:
        if (files / "result.json").exists():
            _enter(attempt_dir)


def _was_made(attempt_dir: Path) -> bool:
    """Tell whether the attempt is in the provider's log, though its folder is discarded."""
    log = attempt_dir.parent / ORDERS
    return log.exists() and attempt_dir.name in log.read_text(encoding="utf-8").split()


def _enter(attempt_dir: Path) -> None:
    """Write a finished order into the provider's own log, before anyone is told of it."""
    with (attempt_dir.parent / ORDERS).open("a", encoding="utf-8") as log:
        log.write(f"{attempt_dir.name}\n")
        log.flush()
        os.fsync(log.fileno())


def _end_with_parent() -> None:
    """Ask the kernel to kill this process when its executor dies (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
