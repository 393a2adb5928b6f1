"""Files addressed by their content, in a folder.

A blob's name is the SHA-256 of its bytes, so the same content is stored once and a reference can
never come to mean other bytes. A file appears under its name only when it is whole and on the disk:
it is written beside, synced, renamed, and the folder is synced. What it is is read from its bytes,
never from a name. Rows refer to blobs; nothing here knows a row.
"""

import asyncio
import hashlib
import os
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from infra import clock
from infra.errors import BlobDamagedError, BlobMissingError, storage_error
from infra.media_types import HEAD_BYTES, media_type_of

_CHUNK = 1 << 20
_NAME = re.compile(r"[0-9a-f]{64}")
_ABANDONED_MS = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """One stored content."""

    sha256: str
    size: int
    media_type: str


class BlobStore:
    """The blobs below one folder; any number of processes may share it."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()
        self._incoming = self.root / "incoming"
        try:
            self._incoming.mkdir(parents=True, exist_ok=True)
            _drop_abandoned(self._incoming)
        except OSError as error:
            raise storage_error(error, self._incoming) from error

    async def put_file(self, path: Path) -> Blob:
        """Store a copy of a file."""
        return await asyncio.to_thread(self._put_file, path)

    async def put_bytes(self, data: bytes) -> Blob:
        """Store bytes that are in memory."""
        return await asyncio.to_thread(self._put_bytes, data)

    async def put_stream(self, chunks: AsyncIterator[bytes]) -> Blob:
        """Store what a stream yields, without ever holding more than a chunk of it.

        A stream that fails or is cancelled leaves nothing behind.
        """
        incoming = await asyncio.to_thread(_Incoming, self._incoming)
        try:
            async for chunk in chunks:
                await asyncio.to_thread(incoming.write, chunk)
            return await asyncio.to_thread(incoming.store, self.root)
        finally:
            incoming.discard()

    def path(self, sha256: str) -> Path:
        """Return where a blob is or would be."""
        if not _NAME.fullmatch(sha256):
            message = "a blob's name is 64 lower-case hexadecimal digits"
            raise ValueError(message)
        return self.root / sha256[:2] / sha256[2:4] / sha256

    async def open(self, sha256: str) -> Path:
        """Return the path of a blob that is there.

        Raises:
            BlobMissingError: it is not.
        """
        path = self.path(sha256)
        if not await asyncio.to_thread(path.is_file):
            raise BlobMissingError(sha256)
        return path

    async def read(self, sha256: str, *, start: int = 0, stop: int | None = None) -> bytes:
        """Return a blob's bytes from `start` up to `stop`; for small ones and ranges."""
        return await asyncio.to_thread(_read, await self.open(sha256), start, stop)

    async def stream(self, sha256: str, *, start: int = 0) -> AsyncIterator[bytes]:
        """Yield a blob's bytes in chunks."""
        path = await self.open(sha256)
        while chunk := await asyncio.to_thread(_read, path, start, start + _CHUNK):
            yield chunk
            start += len(chunk)

    async def verify(self, sha256: str) -> Blob:
        """Read a blob again and return what it is.

        Raises:
            BlobMissingError: it is not there.
            BlobDamagedError: its bytes have another checksum.
        """
        path = await self.open(sha256)
        found = await asyncio.to_thread(_describe, path)
        if found.sha256 != sha256:
            raise BlobDamagedError(sha256)
        return found

    def _put_bytes(self, data: bytes) -> Blob:
        incoming = _Incoming(self._incoming)
        try:
            incoming.write(data)
            return incoming.store(self.root)
        finally:
            incoming.discard()

    def _put_file(self, path: Path) -> Blob:
        incoming = _Incoming(self._incoming)
        try:
            try:
                source = path.open("rb")
            except OSError as error:
                raise storage_error(error, path) from error
            with source:
                while chunk := source.read(_CHUNK):
                    incoming.write(chunk)
            return incoming.store(self.root)
        finally:
            incoming.discard()


class _Incoming:
    """A file on its way in: hashed as it is written, then renamed to its name or dropped."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / secrets.token_hex(16)
        self._hash = hashlib.sha256()
        self._head = b""
        self._size = 0
        try:
            self._file: IO[bytes] = self._path.open("xb")
        except OSError as error:
            raise storage_error(error, self._path) from error

    def write(self, chunk: bytes) -> None:
        try:
            self._file.write(chunk)
        except OSError as error:
            raise storage_error(error, self._path) from error
        self._hash.update(chunk)
        self._size += len(chunk)
        if len(self._head) < HEAD_BYTES:
            self._head += chunk[: HEAD_BYTES - len(self._head)]

    def store(self, root: Path) -> Blob:
        sha256 = self._hash.hexdigest()
        target = root / sha256[:2] / sha256[2:4] / sha256
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            _make_folders(target.parent, root)
            self._path.rename(target)
            _sync_folder(target.parent)
        except OSError as error:
            raise storage_error(error, target) from error
        return Blob(sha256=sha256, size=self._size, media_type=media_type_of(self._head))

    def discard(self) -> None:
        with suppress(OSError):  # closing flushes, which a full disk refuses a second time
            self._file.close()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def _drop_abandoned(incoming: Path) -> None:
    """Remove what a killed process left half written; a day is longer than any download."""
    for path in incoming.iterdir():
        with suppress(FileNotFoundError):  # another process may do the same
            if path.stat().st_mtime * 1000 < clock.unix_ms() - _ABANDONED_MS:
                path.unlink()


def _make_folders(folder: Path, root: Path) -> None:
    """Make the folders below the root, so that each is on the disk before its content is."""
    if folder.is_dir():
        return
    if folder.parent != root:
        _make_folders(folder.parent, root)
    folder.mkdir(exist_ok=True)
    _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _read(path: Path, start: int, stop: int | None) -> bytes:
    with path.open("rb") as source:
        source.seek(start)
        return source.read() if stop is None else source.read(max(0, stop - start))


def _describe(path: Path) -> Blob:
    digest = hashlib.sha256()
    head = b""
    size = 0
    with path.open("rb") as source:
        while chunk := source.read(_CHUNK):
            head = head or chunk[:HEAD_BYTES]
            digest.update(chunk)
            size += len(chunk)
    return Blob(sha256=digest.hexdigest(), size=size, media_type=media_type_of(head))
