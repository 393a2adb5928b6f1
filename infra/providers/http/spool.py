"""Keeps what a synchronous vendor answered until it is stored elsewhere: paid bytes are made once.

A folder for each attempt, which is there whole or not at all: its files are on the disk before its
name is. So a process that ends between the answer and the collection loses nothing.
"""

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

from infra.ids import new_id

_TOLD = "told.json"
_BEGUN = ".begun-"


class Spool:
    """The folders of attempts below `folder`; its methods block."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()

    def keep(self, attempt_id: UUID, told: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
        """Keep what is told of an attempt and its files, for good; once only."""
        kept = self._folder / str(attempt_id)
        if kept.exists():
            return
        begun = self._folder / f"{_BEGUN}{attempt_id}-{new_id()}"
        begun.mkdir(parents=True)
        text = json.dumps(dict(told), ensure_ascii=False)
        for name, data in {**files, _TOLD: text.encode()}.items():
            _write(begun / name, data)
        _sync(begun)
        begun.rename(kept)
        _sync(self._folder)

    def told(self, attempt_id: UUID | str) -> dict[str, Any] | None:
        """Return what is told of an attempt, or None if nothing is kept."""
        try:
            return json.loads((self._folder / str(attempt_id) / _TOLD).read_text("utf-8"))
        except FileNotFoundError:
            return None

    def path(self, attempt_id: UUID | str, name: str) -> Path:
        """Return where a file of an attempt is."""
        return self._folder / str(attempt_id) / name

    def discard(self, attempt_id: UUID) -> None:
        """Forget an attempt, and what was begun of it by a process that ended."""
        for begun in self._folder.glob(f"{_BEGUN}{attempt_id}-*"):
            shutil.rmtree(begun, ignore_errors=True)
        shutil.rmtree(self._folder / str(attempt_id), ignore_errors=True)


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Have the names in a folder on the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
