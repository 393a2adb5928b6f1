"""The roots of every error we raise, by who has to act on it, and the errors of `infra` itself.

AppError
├── ToolRefusedError     told to the model: it may try another way
├── RetryableError       told to nobody: the worker tries again later
├── FatalRunError        ends this run, never the task
└── OperatorError        told to the person who runs the process, as one sentence they can act on
    ├── ConfigurationError   a setting is wrong
    ├── DiskFullError        no room left where we write
    └── StorageError         files are missing, damaged or not ours to write
        ├── BlobMissingError
        └── BlobDamagedError

Each package adds its own branches in its own `errors.py`. The first line of a class's docstring is
its default message; facts are attributes; `code` is the stable name that HTTP answers carry.
"""

import errno
from pathlib import Path
from typing import ClassVar


class AppError(Exception):
    """Something went wrong."""

    code: ClassVar[str] = "app_error"

    def __init__(self, message: str | None = None) -> None:
        self.message = message or default_message(type(self))
        super().__init__(self.message)


def default_message(kind: type[BaseException]) -> str:
    """Return the first line of an error class's docstring."""
    return (kind.__doc__ or kind.__name__).strip().splitlines()[0]


class ToolRefusedError(AppError):
    """The call was refused; another way may be open."""

    code = "tool_refused"


class RetryableError(AppError):
    """The work could not be done now and will be tried again."""

    code = "retryable"


class FatalRunError(AppError):
    """This run cannot go on; its task can."""

    code = "fatal_run"


class OperatorError(AppError):
    """The process cannot work as it was set up."""

    code = "operator"


class ConfigurationError(OperatorError):
    """A setting has a value that cannot be used."""

    code = "configuration"


class StorageError(OperatorError):
    """A file could not be read or written."""

    code = "storage"


class DiskFullError(OperatorError):
    """There is no room left on the disk."""

    code = "disk_full"

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"The disk that holds {path} is full. Free some room and retry.")


class BlobMissingError(StorageError):
    """No file with this content is stored."""

    code = "blob_missing"

    def __init__(self, sha256: str) -> None:
        self.sha256 = sha256
        super().__init__(f"No stored file has the content {sha256}.")


class BlobDamagedError(StorageError):
    """A stored file no longer has the content it was stored under."""

    code = "blob_damaged"

    def __init__(self, sha256: str) -> None:
        self.sha256 = sha256
        super().__init__(f"The stored file {sha256} is damaged: its bytes have another checksum.")


_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}


def storage_error(error: OSError, path: Path) -> OperatorError:
    """Return the error that says, in a sentence, what the operating system refused."""
    if error.errno in _NO_ROOM:
        return DiskFullError(path)
    reason = error.strerror or str(error)
    return StorageError(f"{path} could not be read or written: {reason}.")
