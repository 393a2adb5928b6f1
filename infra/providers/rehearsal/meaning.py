"""What a message means, as the numbers of the engine on this machine; nothing where it fails."""

from functools import lru_cache

import numpy as np

from infra.providers.embedding import DIMENSIONS, Vector, embed_now
from infra.telemetry import get_logger

_log = get_logger(__name__)


@lru_cache(maxsize=4096)
def meaning_of(text: str) -> Vector:
    """Return the vector of a text, zeros where it has none."""
    if not text.strip():
        return np.zeros(DIMENSIONS, dtype=np.float32)
    try:
        return embed_now(text)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it, a message is not to fail
        _log.warning("embedding_failed", error=str(error))
        return np.zeros(DIMENSIONS, dtype=np.float32)
