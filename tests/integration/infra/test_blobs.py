"""The blob store on a real folder: whole or absent, once, and what its bytes say."""

import errno
import hashlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from infra.blobs import Blob, BlobStore
from infra.errors import BlobDamagedError, BlobMissingError, DiskFullError, StorageError

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20_000


@pytest.fixture
def store(tmp_path: Path) -> BlobStore:
    return BlobStore(tmp_path / "blobs")


def files(store: BlobStore) -> list[Path]:
    return [path for path in store.root.rglob("*") if path.is_file()]


async def pieces(data: bytes, size: int = 70_000) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


async def collect(store: BlobStore, sha256: str, *, start: int = 0) -> bytes:
    return b"".join([chunk async for chunk in store.stream(sha256, start=start)])


async def test_the_three_ways_in_give_one_blob(store: BlobStore, tmp_path: Path) -> None:
    source = tmp_path / "picture.txt"
    source.write_bytes(PNG)
    blob = await store.put_bytes(PNG)
    assert blob == Blob(
        sha256=hashlib.sha256(PNG).hexdigest(), size=len(PNG), media_type="image/png"
    )
    assert await store.put_file(source) == blob
    assert await store.put_stream(pieces(PNG)) == blob
    assert files(store) == [store.path(blob.sha256)]
    assert source.read_bytes() == PNG


async def test_content_comes_back_whole_and_in_parts(store: BlobStore) -> None:
    blob = await store.put_bytes(PNG)
    assert await collect(store, blob.sha256) == PNG
    assert await collect(store, blob.sha256, start=4_000_000) == PNG[4_000_000:]
    assert await store.read(blob.sha256) == PNG
    assert await store.read(blob.sha256, start=10, stop=20) == PNG[10:20]
    assert await store.read(blob.sha256, start=20, stop=10) == b""
    assert await store.read(blob.sha256, start=len(PNG) + 5) == b""
    assert (await store.open(blob.sha256)).read_bytes() == PNG
    assert await store.verify(blob.sha256) == blob


async def test_an_empty_file_is_a_blob(store: BlobStore) -> None:
    blob = await store.put_bytes(b"")
    assert blob.size == 0
    assert await collect(store, blob.sha256) == b""


async def test_a_stream_that_breaks_leaves_nothing(store: BlobStore) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield PNG
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        await store.put_stream(broken())
    assert files(store) == []


async def test_a_process_killed_while_writing_leaves_no_blob(store: BlobStore) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path; from infra import blobs\n"
        "blobs.os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)\n"
        "blobs.BlobStore(Path(sys.argv[1]))._put_bytes(b'x' * 1000)"
    )
    ended = subprocess.run([sys.executable, "-c", script, store.root], check=False)  # noqa: ASYNC221
    assert ended.returncode == -9
    assert [path.parent.name for path in files(store)] == ["incoming"]
    with pytest.raises(BlobMissingError):
        await store.open(hashlib.sha256(b"x" * 1000).hexdigest())


async def test_what_a_killed_process_left_is_removed_after_a_day(store: BlobStore) -> None:
    old, young = store.root / "incoming" / "old", store.root / "incoming" / "young"
    old.write_bytes(b"half")
    young.write_bytes(b"half")
    os.utime(old, (1, 1))
    BlobStore(store.root)
    assert files(store) == [young]


async def test_a_full_disk_is_named_and_leaves_nothing(
    store: BlobStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    for put in (store.put_bytes(PNG), store.put_stream(pieces(PNG))):
        with pytest.raises(DiskFullError, match="is full"):
            await put
    assert files(store) == []


async def test_a_file_that_cannot_be_read_is_named(store: BlobStore, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file"):
        await store.put_file(tmp_path / "gone")
    assert files(store) == []


async def test_a_missing_blob_is_named(store: BlobStore) -> None:
    with pytest.raises(BlobMissingError, match="0000"):
        await store.read("0" * 64)


async def test_a_damaged_blob_is_found(store: BlobStore) -> None:
    blob = await store.put_bytes(PNG)
    path = store.path(blob.sha256)
    path.write_bytes(PNG[:-1] + b"!")
    with pytest.raises(BlobDamagedError):
        await store.verify(blob.sha256)
    assert await store.put_bytes(PNG) == blob  # storing it again heals it
    assert await store.verify(blob.sha256) == blob


@pytest.mark.parametrize(
    "name", ["", "..", "../../etc/passwd", "A" * 64, "0" * 63, "0" * 64 + "\n"]
)
def test_a_name_that_is_no_checksum_is_refused(store: BlobStore, name: str) -> None:
    with pytest.raises(ValueError, match="hexadecimal"):
        store.path(name)


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        BlobStore(tmp_path / "file" / "blobs")
