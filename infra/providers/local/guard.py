"""Starts one generator under its limits: `python -m infra.providers.local.guard ATTEMPT_DIR …`.

Takes the attempt's lock (a second start of the same attempt says `busy` and ends), ends with its
parent, limits processor time, memory and file size for itself and for whatever it starts, and gives
the generator an empty folder. The other arguments are the parent's number and the limits: seconds
of the processor, bytes of memory, bytes of a file. A finished order is entered in the provider's
own log, `orders.log` beside the attempts: what was really made, whatever the tables say. What is
there is not made again: an executor that was frozen before its request sends it when it is thawed,
long after another one has had it made.
"""

import fcntl
import os
import resource
import runpy
import shutil
import sys
from pathlib import Path

from infra.media.tether import end_with

ORDERS = "orders.log"
_GRACE_S = 5
"""What is left to a process that catches the signal for its processor time, as FFmpeg does."""


def main(attempt_dir: Path, parent: int, cpu_s: int, memory_bytes: int, file_bytes: int) -> None:
    """Run the generator of an attempt."""
    end_with(parent)
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
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + _GRACE_S))
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
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


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
