"""Stands in for the service where only its process matters: ends with its parent, does nothing.

For as long as it lives it holds the lock of the file that it is given.
"""

import fcntl
import os
import signal
import sys
from pathlib import Path

from server.parent import end_with

if __name__ == "__main__":
    end_with(int(sys.argv[sys.argv.index("--parent") + 1]), signal.SIGTERM)
    lock = Path(sys.argv[1]).open("wb")  # noqa: SIM115 - for as long as it lives
    fcntl.flock(lock, fcntl.LOCK_EX)
    sys.stdout.write(f"{os.getpid()} {sys.argv[1]} {os.getenv('ATELIER_MODEL')}\n")
    sys.stdout.flush()
    signal.pause()
