"""Run the FFmpeg that imageio-ffmpeg ships.

Owns the finding and running of the binary. Promises that a run either ends well or raises
`FfmpegError` with the tool's last words, that no reader or writer of a pipe can block the other,
and that FFmpeg ends with the process that runs it. The caller gives the arguments after the global
ones, output included; outputs are overwritten.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import IO

import imageio_ffmpeg

_TAIL_CHARACTERS = 2000
_TETHER = Path(__file__).with_name("tether.py")
_NO_MEMORY = ("cannot allocate memory", "out of memory", "malloc of size")
_NO_ROOM = ("no space left on device", "disk quota exceeded", "file too large")


class FfmpegError(Exception):
    """FFmpeg ended with an error; `disk_full` and `no_memory` tell what it ran out of."""

    def __init__(
        self, message: str, *, exit_code: int | None, disk_full: bool, no_memory: bool = False
    ) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code
        self.disk_full = disk_full
        self.no_memory = no_memory


def ffmpeg_command() -> list[str]:
    """Return the beginning of a command that runs FFmpeg and ends it when this process ends.

    Raises:
        FfmpegError: There is none for this machine.
    """
    return [sys.executable, "-I", "-S", str(_TETHER), str(os.getpid()), str(ffmpeg_path())]


@cache
def ffmpeg_path() -> Path:
    """Return the binary of the installed imageio-ffmpeg.

    Raises:
        FfmpegError: There is none for this machine.
    """
    try:
        return Path(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError as error:
        msg = f"FFmpeg is not installed: {error}"
        raise FfmpegError(msg, exit_code=None, disk_full=False) from error


def run_ffmpeg(
    arguments: list[str],
    *,
    duration_s: float | None = None,
    report: Callable[[float], None] | None = None,
    frames: Iterable[bytes | memoryview] | None = None,
    cwd: Path | None = None,
    log_level: str = "error",
) -> str:
    """Run FFmpeg to its end and return what it wrote to its log.

    Args:
        arguments: Inputs, filters and outputs, without the program and global options.
        duration_s: Length of the output; needed for `report`.
        report: Called with the done fraction while FFmpeg works; from another thread when
            `frames` is given.
        frames: Raw frames for an input named `pipe:0`; read as FFmpeg takes them.
        cwd: The directory that relative names in the arguments belong to.
        log_level: "info" where a filter's measurements are read from the returned log.

    Raises:
        FfmpegError: FFmpeg could not be started or ended with an error.
    """
    command = [*ffmpeg_command(), "-hide_banner", "-nostats", "-y", "-loglevel", log_level]
    command += ["-progress", "pipe:1"]
    if frames is None:
        command.append("-nostdin")
    with tempfile.TemporaryFile() as log:
        process = _start(command + arguments, log=log, cwd=cwd, feed=frames is not None)
        try:
            _drive(process, frames=frames, duration_s=duration_s, report=report)
        except BaseException:
            process.kill()
            process.wait()
            raise
        log.seek(0)
        words = log.read().decode("utf-8", "replace").strip()
    if process.returncode != 0:
        raise _failure(process.returncode, words)
    return words


def _start(
    command: list[str], *, log: IO[bytes], cwd: Path | None, feed: bool
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(  # noqa: S603 - our own binary, arguments as a list
            command,
            stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=cwd,
        )
    except OSError as error:
        msg = f"FFmpeg could not be started: {error}"
        raise FfmpegError(msg, exit_code=None, disk_full=False) from error


def _drive(
    process: subprocess.Popen[bytes],
    *,
    frames: Iterable[bytes | memoryview] | None,
    duration_s: float | None,
    report: Callable[[float], None] | None,
) -> None:
    with process:
        if frames is None:
            _follow(process, duration_s, report)
        else:
            # FFmpeg writes progress while it reads frames: with one thread for both, each side
            # may wait for the other for ever.
            follower = threading.Thread(target=_follow, args=(process, duration_s, report))
            follower.start()
            try:
                _feed(process, frames)
            finally:
                follower.join()


def _feed(process: subprocess.Popen[bytes], frames: Iterable[bytes | memoryview]) -> None:
    assert process.stdin is not None  # noqa: S101 - started with a pipe
    try:
        for frame in frames:
            process.stdin.write(frame)
    except BrokenPipeError:
        pass  # FFmpeg has ended; its exit code and last words tell why
    except BaseException:
        process.kill()
        raise
    finally:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()


def _follow(
    process: subprocess.Popen[bytes],
    duration_s: float | None,
    report: Callable[[float], None] | None,
) -> None:
    assert process.stdout is not None  # noqa: S101 - started with a pipe
    for line in process.stdout:
        key, _, value = line.decode("ascii", "replace").strip().partition("=")
        if report is None or not duration_s or key != "out_time_us" or not value.isdigit():
            continue
        report(min(int(value) / 1_000_000 / duration_s, 1.0))


def _failure(exit_code: int, words: str) -> FfmpegError:
    disk_full = any(sign in words.lower() for sign in _NO_ROOM)
    tail = words[-_TAIL_CHARACTERS:] or "it said nothing"
    message = (
        "The disk has no room for the output of FFmpeg."
        if disk_full
        else f"FFmpeg ended with code {exit_code}: {tail}"
    )
    no_memory = any(sign in words.lower() for sign in _NO_MEMORY)
    return FfmpegError(message, exit_code=exit_code, disk_full=disk_full, no_memory=no_memory)
