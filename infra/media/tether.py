"""Becomes a program that ends with its parent: `python -I -S tether.py PARENT_PID PROGRAM …`.

The kernel is asked to kill it when the process that started it dies (Linux only), which a program
that does not know of us cannot ask for itself. If the parent is gone already, nothing is run.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main(parent: int, command: list[str]) -> None:
    """Run the command in this process's place."""
    end_with(parent)
    os.execv(command[0], command)  # noqa: S606 - a program of ours, arguments as a list


def end_with(parent: int) -> None:
    """Ask the kernel to kill this process when its parent dies; end if it is dead already."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise SystemExit(1)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
