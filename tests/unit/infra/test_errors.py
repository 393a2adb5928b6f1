"""Errors: the docstring is the message, and the operating system's words become a sentence."""

import errno
from pathlib import Path

import pytest

from infra.errors import AppError, DiskFullError, RetryableError, StorageError, storage_error


def test_the_docstring_is_the_default_message() -> None:
    assert str(RetryableError()) == "The work could not be done now and will be tried again."
    assert AppError("Said otherwise.").message == "Said otherwise."


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_told_from_other_refusals(code: int) -> None:
    said = storage_error(OSError(code, "?"), Path("/data/x"))
    assert isinstance(said, DiskFullError)
    assert said.message == "The disk that holds /data/x is full. Free some room and retry."


def test_other_refusals_name_the_path_and_the_reason() -> None:
    said = storage_error(OSError(errno.EACCES, "Permission denied"), Path("/data/x"))
    assert isinstance(said, StorageError)
    assert said.message == "/data/x could not be read or written: Permission denied."
