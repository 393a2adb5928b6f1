"""Becomes a program of Postgres that ends when the process that started it does.

A script for `infra.db.embedded`: `postgres_child.py HOW PARENT FOLDER PROGRAM ARGS…`, where HOW is
`signal` (Linux) or `watch` (elsewhere). It leaves the terminal's process group (Ctrl-C is for the
application, which then ends Postgres in order), gives up root, ties its life to the parent's, and
executes the program.

On Linux the kernel sends SIGINT, an orderly stop, when the parent dies, even by SIGKILL. Elsewhere
this process stays in between and watches its standard input, a pipe that closes with the parent.

Postgres refuses to run as root, so root becomes the folder's owner. If that user cannot reach the
program or the folder (both may lie below a folder of mode 0700, such as /root), the one capability
to pass through folders is kept; without it the database could not live there.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from types import FrameType

_PR_SET_PDEATHSIG = 1
_PR_SET_KEEPCAPS = 8
_PR_SET_SECUREBITS = 28
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_RAISE = 2
_SECBIT_NO_SETUID_FIXUP = 1 << 2
_CAP_DAC_OVERRIDE = 1
_CAP_DAC_READ_SEARCH = 2
_CAP_SETPCAP = 8
_CAPABILITY_VERSION_3 = 0x20080522


def main(arguments: list[str]) -> None:
    """Give up root, tie this process to its parent and execute the program."""
    watching = arguments[0] == "watch"
    parent, folder, program = int(arguments[1]), arguments[2], arguments[3]
    os.setsid()
    if os.geteuid() == 0:
        _become_owner(folder, program)
    if watching:
        sys.exit(_watch(arguments[3:]))
    _prctl(_PR_SET_PDEATHSIG, signal.SIGINT)
    if os.getppid() != parent:  # it died before the line above
        sys.exit(1)
    os.execv(program, arguments[3:])  # noqa: S606 - an absolute path and no shell, on purpose


def _become_owner(folder: str, program: str) -> None:
    owner = os.stat(folder)  # noqa: PTH116 - pathlib doubles this script's start-up time
    os.setgroups([])
    os.setgid(owner.st_gid)
    if sys.platform != "linux":
        os.setuid(owner.st_uid)
        return
    _prctl(_PR_SET_KEEPCAPS, 1)
    os.setuid(owner.st_uid)
    if os.access(program, os.X_OK) and os.access(folder, os.W_OK | os.X_OK):
        _set_capabilities()
        return
    with contextlib.suppress(OSError):  # else Postgres says in its log what it cannot reach
        try:
            _keep(_CAP_DAC_READ_SEARCH)
        except OSError:  # containers have this one instead
            _keep(_CAP_DAC_OVERRIDE)


def _keep(capability: int) -> None:
    """Keep one capability through the change of program.

    Postgres asks access(2), which drops capabilities of a plain user unless the securebit is set.
    """
    _set_capabilities(capability, _CAP_SETPCAP)
    _prctl(_PR_SET_SECUREBITS, _SECBIT_NO_SETUID_FIXUP)
    _set_capabilities(capability)
    _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, capability)


def _set_capabilities(*capabilities: int) -> None:
    mask = sum(1 << capability for capability in capabilities)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    # Twice effective, permitted, inheritable: the lower 32 capabilities, then the upper ones. The
    # kernel lets the permitted ones shrink to what is asked for, never grow.
    data = (ctypes.c_uint32 * 6)(mask, mask, mask, 0, 0, 0)
    _check(ctypes.CDLL(None, use_errno=True).capset(header, data))


def _prctl(option: int, first: int, second: int = 0) -> None:
    arguments = (ctypes.c_ulong(value) for value in (first, second, 0, 0))
    _check(ctypes.CDLL(None, use_errno=True).prctl(option, *arguments))


def _check(result: int) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _watch(command: list[str]) -> int:
    """Run the program as a child, pass signals on, and stop it when standard input closes."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - our own programs

    def forward(number: int, _frame: FrameType | None) -> None:
        child.send_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
        signal.signal(number, forward)
    threading.Thread(target=_stop_at_end_of_input, args=(child,), daemon=True).start()
    return child.wait()


def _stop_at_end_of_input(child: subprocess.Popen[bytes]) -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    child.send_signal(signal.SIGINT)


if __name__ == "__main__":
    main(sys.argv[1:])
