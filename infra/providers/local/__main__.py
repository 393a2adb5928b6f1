"""One generator run in its own process: `python -m infra.providers.local REQUEST.json OUT_DIR`.

Promises that `result.json` appears only when every artifact is complete and on the disk, that a
refusal leaves `error.json` and exit code 1, and that progress is told as lines `progress 0.42`. A
process that ends without either file has crashed or was killed; its caller must treat that as a
failure of the tool.
"""

import errno
import importlib
import json
import os
import resource
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol, cast

from infra.media.ffmpeg import FfmpegError
from infra.providers.local import limits
from infra.providers.local.request import (
    DiskFullError,
    InvalidInputError,
    LimitReachedError,
    LocalError,
    LocalRequest,
    LocalResult,
    ToolFailedError,
    load_request,
)

OPERATIONS = frozenset({"image", "clip", "narration", "music", "captions", "render", "model3d"})
_ARGUMENTS = 3
_NEARLY_S = 1
_OUT_OF_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class Generator(Protocol):
    """The one function of an operation's module."""

    def __call__(
        self, request: LocalRequest, out: Path, report: Callable[[float], None]
    ) -> LocalResult: ...


def main(arguments: list[str]) -> int:
    """Carry out one request; return the exit code."""
    if len(arguments) != _ARGUMENTS:
        sys.stderr.write("usage: python -m infra.providers.local REQUEST.json OUT_DIR\n")
        return 2
    request_path, out = Path(arguments[1]), Path(arguments[2])
    operation = ""
    try:
        request = load_request(request_path)
        operation = request.operation
        result = _generator(request.operation)(request, out, _report)
        _check(result, out)
        write_json(out / "result.json", asdict(result))
    except LocalError as error:
        return _refuse(out, error)
    except (FfmpegError, OSError, MemoryError) as error:
        return _refuse(out, _from_outside(error, operation))
    return 0


def write_json(path: Path, value: Any) -> None:
    """Write JSON so that the file is either absent or whole, also after a power cut."""
    partial = path.with_suffix(".partial")
    with partial.open("w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, allow_nan=False)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _generator(operation: str) -> Generator:
    if operation not in OPERATIONS:
        msg = f"There is no local operation '{operation}'."
        raise InvalidInputError(msg)
    # Only the module that is needed is loaded: a caption run must not pay for the drawing code.
    module = importlib.import_module(f"infra.providers.local.{operation}")
    return cast("Generator", module.generate)


def _check(result: LocalResult, out: Path) -> None:
    for artifact in result.artifacts:
        path = out / artifact.path
        if not path.is_file() or path.stat().st_size == 0:
            msg = f"The generator left no bytes in '{artifact.path}'."
            raise ToolFailedError(msg)
        with path.open("rb") as file:
            os.fsync(file.fileno())


def _report(fraction: float) -> None:
    sys.stdout.write(f"progress {min(max(fraction, 0.0), 1.0):.4f}\n")
    sys.stdout.flush()


def _refuse(out: Path, error: LocalError) -> int:
    sys.stderr.write(f"{error.code}: {error.message}\n")
    try:
        write_json(out / "error.json", {"code": error.code, "message": error.message})
    except OSError as unwritable:
        sys.stderr.write(f"error.json could not be written: {unwritable}\n")
    return 1


def _from_outside(error: FfmpegError | OSError | MemoryError, operation: str) -> LocalError:
    """Return what has failed as an error of ours, above all a limit that was reached."""
    if isinstance(error, MemoryError) or _says_memory(error):
        memory_bytes, _ = resource.getrlimit(resource.RLIMIT_DATA)
        return LimitReachedError(limits.too_large(operation, memory_bytes))
    if isinstance(error, OSError):
        if error.errno in _OUT_OF_ROOM:
            return DiskFullError("The disk has no room for the result.")
        return ToolFailedError(f"The system refused: {error}")
    if error.disk_full:
        return DiskFullError(error.message)
    cpu_s, _ = resource.getrlimit(resource.RLIMIT_CPU)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if cpu_s != resource.RLIM_INFINITY and used.ru_utime + used.ru_stime >= cpu_s - _NEARLY_S:
        return LimitReachedError(limits.too_much_work(operation, cpu_s))
    return ToolFailedError(error.message)


def _says_memory(error: FfmpegError | OSError) -> bool:
    return error.no_memory if isinstance(error, FfmpegError) else error.errno == errno.ENOMEM


if __name__ == "__main__":
    sys.exit(main(sys.argv))
