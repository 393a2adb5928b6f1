"""The right task among 100 and among 2,000, in ten languages; the whole of it: bench-candidates."""

import json
from statistics import mean

import numpy as np
import pytest
from numpy.typing import NDArray

from evals.candidates.corpus import LANGUAGES, Made, Query, make_queries, make_tasks
from evals.candidates.stage import WORKSPACE, fill
from infra.db.pool import DomainPool
from infra.providers.embedding import DIMENSIONS, LocalEmbedder
from memory import candidates
from memory.task_index import describe

QUERIES = 30
EMBEDDED = 100
"""The others mean something else, so that this takes seconds."""


async def ask(pool: DomainPool, query: Query, embedder: LocalEmbedder) -> tuple[list[str], int]:
    (vector,) = await embedder.embed([query.text])
    async with pool.connection() as conn:
        found = await candidates.search(conn, WORKSPACE, query.text, vector)
        shown = await candidates.find(conn, embedder, WORKSPACE, query.text)
    return [str(one) for one in found], len(json.dumps(shown, ensure_ascii=False).encode())


async def vectors_of(tasks: list[Made], embedder: LocalEmbedder) -> NDArray[np.float16]:
    texts = [describe(one.title, one.goal, one.summary, one.objects).text for one in tasks]
    made = await embedder.embed(texts[:EMBEDDED])
    rest = np.random.default_rng(5).normal(size=(len(tasks) - len(made), DIMENSIONS))
    rest /= np.linalg.norm(rest, axis=1, keepdims=True)
    return np.concatenate([np.asarray(made), rest]).astype(np.float16)


@pytest.mark.timeout(90)  # two indexes are built; seconds on a quiet machine
async def test_the_right_task_is_found_and_what_is_shown_does_not_grow(pool: DomainPool) -> None:
    embedder = LocalEmbedder()
    tasks = make_tasks(2000, seed=7)
    vectors = await vectors_of(tasks, embedder)
    sizes: list[float] = []
    for begin, end in ((0, 100), (100, 2000)):
        await fill(pool, tasks[begin:end], vectors[begin:end])
        queries = [
            one for one in make_queries(tasks[:end], QUERIES, seed=8) if one.how == "reworded"
        ]
        answers = [await ask(pool, query, embedder) for query in queries]
        places = [
            str(one.wanted) in found[:5] for one, (found, _) in zip(queries, answers, strict=True)
        ]
        assert mean(places) >= 0.95
        sizes.append(max(size for _, size in answers))
    assert max(sizes) < 20 * 2000
    assert sizes[1] <= sizes[0] * 1.5


def test_queries_are_in_all_languages_and_no_titles() -> None:
    tasks = make_tasks(400, seed=3)
    queries = make_queries(tasks, 200, seed=4)
    titles = {task.title for task in tasks}
    assert {query.language for query in queries} == set(LANGUAGES)
    assert not titles & {query.text for query in queries}
    assert make_tasks(400, seed=3) == tasks
