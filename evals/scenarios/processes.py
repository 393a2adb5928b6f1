"""Starts the service's programs as real processes that need not import everything anew.

Importing the service takes longer than most trials. One process has done it, does nothing else and
is forked for each start. What is forked becomes `python -m …` with an environment of its own: it
has its own id, dies at a signal as any process does, and ends with whoever started the trials.
"""

import asyncio
import os
import runpy
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path

_FORKS = get_context("forkserver")
_FIRST_OF_OTHERS = 3
"""Files from here on are neither standard input nor output."""
_FORKS.set_forkserver_preload(["evals.scenarios.preload"])


@dataclass(frozen=True, slots=True)
class Process:
    """A process that was started."""

    _forked: ForkServerProcess

    @property
    def pid(self) -> int:
        """Its id."""
        assert self._forked.pid is not None  # noqa: S101 - it was started
        return self._forked.pid

    @property
    def exit_code(self) -> int | None:
        """Its exit code, or the signal that ended it as a negative number; None while it runs."""
        return self._forked.exitcode

    @property
    def has_ended(self) -> bool:
        """Whether it has ended."""
        return self.exit_code is not None

    def send(self, sent: signal.Signals) -> None:
        """Send it a signal; one that has ended is left alone."""
        if not self.has_ended:
            os.kill(self.pid, sent)

    def kill(self) -> None:
        """End it at once; one that has ended is left alone."""
        self._forked.kill()

    async def wait(self) -> None:
        """Wait until it has ended."""
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()
        loop.add_reader(self._forked.sentinel, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(self._forked.sentinel)


async def start(
    arguments: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    log: Path | None = None,
) -> Process:
    """Start `python -m …` in a folder; what it prints is added to the log, if there is one.

    It is given `--parent` after its command, so that it ends with what it is forked from.
    """
    given = (tuple(arguments), folder, dict(environment), log)
    forked = _FORKS.Process(target=_become, args=given, daemon=True)
    await asyncio.to_thread(forked.start)
    return Process(forked)


def _become(
    arguments: Sequence[str], folder: Path, environment: dict[str, str], log: Path | None
) -> None:
    if log is not None:
        with log.open("ab") as printed:
            os.dup2(printed.fileno(), sys.stdout.fileno())
            os.dup2(printed.fileno(), sys.stderr.fileno())
    # Among them is what keeps alive the process that this one is forked from, and ends with.
    os.closerange(_FIRST_OF_OTHERS, os.sysconf("SC_OPEN_MAX"))
    os.chdir(folder)
    os.environ.clear()  # noqa: TID251 - becomes the process's own
    os.environ.update(environment)  # noqa: TID251
    module, *rest = arguments
    sys.argv = [module, *rest, "--parent", str(os.getppid())]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
