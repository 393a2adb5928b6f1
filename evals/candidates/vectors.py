"""The embeddings of the tasks, computed once and kept in the temporary folder for the next run."""

import hashlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from infra import clock
from infra.providers.embedding import DIMENSIONS, LocalEmbedder

_BATCH = 100
_KEPT_EVERY = 5000


async def embeddings(texts: Sequence[str]) -> NDArray[np.float16]:
    """Return a row for each text; those of a run that was ended are not computed again."""
    path = _path(texts)
    known = np.load(path) if path.exists() else np.zeros((0, DIMENSIONS), np.float16)
    if len(known) >= len(texts):
        return known[: len(texts)]
    parts, done, began = [known], len(known), clock.monotonic()
    embedder = LocalEmbedder()
    while done < len(texts):
        batch = texts[done : done + _BATCH]
        parts.append(np.asarray(await embedder.embed(batch), dtype=np.float16))
        done += len(batch)
        if done % _KEPT_EVERY == 0 or done == len(texts):
            parts = [np.concatenate(parts)]
            np.save(path, parts[0])
            seconds = clock.monotonic() - began
            sys.stderr.write(f"embedded {done} of {len(texts)} texts, {seconds:.0f} s\n")
    return parts[0]


def _path(texts: Sequence[str]) -> Path:
    """Return where the embeddings of texts that begin like these are kept."""
    begin = hashlib.sha256("\n".join(texts[:100]).encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"atelier-candidates-{begin}.npy"
