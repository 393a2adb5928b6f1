"""Runs `python -m server …` under a clock that is wrong: `python -m tests.skewed SECONDS work`.

What LangGraph makes checkpoint ids of, what procrastinate plans by and what our own clock reads
are all shifted; the database's clock is not.
"""

import importlib
import os
import sys
import time
from datetime import timedelta

from procrastinate import utils

from infra import clock
from server.__main__ import main
from tests.faults.broken import break_this_process
from tests.processes import BROKEN_BUILD


def skew(seconds: float) -> None:
    """Shift every clock of this process but the monotonic one, which has no zero to be wrong by."""
    importlib.import_module("server.workers.run")
    shift = timedelta(seconds=seconds)
    real_time, real_time_ns, real_now = time.time, time.time_ns, clock.utc_now
    time.time = lambda: real_time() + seconds
    time.time_ns = lambda: real_time_ns() + int(seconds * 1e9)
    clock.utc_now = lambda: real_now() + shift
    utils.utcnow = lambda: real_now() + shift


if __name__ == "__main__":
    skew(float(sys.argv[1]))
    if broken := os.environ.get(BROKEN_BUILD):  # noqa: TID251 - set by a test
        break_this_process(broken)
    sys.exit(main(sys.argv[2:]))
