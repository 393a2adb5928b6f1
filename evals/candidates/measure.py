"""Asks the queries of every size in turn and tells what came of it.

The sizes take turns query by query, so that whatever else the machine does meets all of them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean, median, quantiles
from typing import Any

from evals.candidates.corpus import Query
from evals.candidates.stage import WORKSPACE
from infra import clock
from infra.db.pool import DomainPool
from infra.providers.embedding import LocalEmbedder, within
from memory import candidates

LEAST_RECALL = 0.98
MOST_TIMES = 3.0
OTHER_LANGUAGE = "other language"
_PATIENCE = 60.0
"""Of the second embedding, which is not timed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of one query: its place in the search's order, if any, and what it took."""

    query: Query
    place: int | None
    is_shown: bool
    seconds: float
    size: int


@dataclass(slots=True)
class Result:
    """All answers among so many tasks to those who ask in one way."""

    tasks: int
    way: str
    answers: list[Answer] = field(default_factory=list[Answer])

    def recall(self, most: int, answers: Sequence[Answer] | None = None) -> float:
        """Return how often the right task is among the first so many."""
        chosen = self.judged if answers is None else answers
        return mean(1.0 if one.place and one.place <= most else 0.0 for one in chosen)

    @property
    def judged(self) -> list[Answer]:
        """The answers that the aim is for: a wholly other language is told apart."""
        return [one for one in self.answers if one.query.how != OTHER_LANGUAGE]

    @property
    def seconds(self) -> tuple[float, float]:
        """The median and the 95th percentile."""
        times = [one.seconds for one in self.answers]
        return median(times), quantiles(times, n=20)[-1]


async def ask_all(
    pools: Mapping[int, DomainPool], asked: Mapping[int, Mapping[str, list[Query]]]
) -> list[Result]:
    """Ask each size's queries and return what came of them, by way and size."""
    embedder = LocalEmbedder()
    await embedder.embed(["warm"])
    results: list[Result] = []
    for way in next(iter(asked.values())):
        by_size = {tasks: Result(tasks, way) for tasks in pools}
        for row in zip(*(asked[tasks][way] for tasks in pools), strict=True):
            for (tasks, pool), query in zip(pools.items(), row, strict=True):
                by_size[tasks].answers.append(await _ask(pool, embedder, query))
        results += by_size.values()
    return results


async def _ask(pool: DomainPool, embedder: LocalEmbedder, query: Query) -> Answer:
    async with pool.connection() as conn:
        await conn.execute("select 1")
        began = clock.monotonic()
        shown = await candidates.find(conn, embedder, WORKSPACE, query.text)
        seconds = clock.monotonic() - began
    vector = await within(_PATIENCE, embedder, query.text)
    async with pool.connection() as conn:
        order = await candidates.search(conn, WORKSPACE, query.text, vector)
    return Answer(
        query=query,
        place=order.index(query.wanted) + 1 if query.wanted in order else None,
        is_shown=str(query.wanted) in {one["task_id"] for one in shown},
        seconds=seconds,
        size=len(json.dumps(shown, ensure_ascii=False).encode()),
    )


def table(results: Sequence[Result]) -> list[str]:
    """Return the figures as lines to read."""
    lines = [
        "  tasks  way      p50 ms   p95 ms   bytes mean   bytes most   R@1     R@5     R@20   shown"
    ]
    for one in results:
        p50, p95 = one.seconds
        sizes = [answer.size for answer in one.answers]
        shown = mean(answer.is_shown for answer in one.judged)
        lines.append(
            f"{one.tasks:7d}  {one.way:7s}{p50 * 1000:8.1f} {p95 * 1000:8.1f} {mean(sizes):12.0f}"
            f" {max(sizes):12d}   {one.recall(1):.3f}   {one.recall(5):.3f}   {one.recall(20):.3f}"
            f"   {shown:.3f}"
        )
    lines += ["", "  tasks  way      asked in / how            queries   R@5     R@20"]
    for one in results:
        for name, answers in _groups(one):
            lines.append(
                f"{one.tasks:7d}  {one.way:7s}  {name:22s} {len(answers):10d}"
                f"   {one.recall(5, answers):.3f}   {one.recall(20, answers):.3f}"
            )
    return lines


def _groups(result: Result) -> list[tuple[str, list[Answer]]]:
    groups: dict[str, list[Answer]] = {}
    for one in result.judged:
        groups.setdefault(one.query.language, []).append(one)
    languages = sorted(groups.items())
    hows: dict[str, list[Answer]] = {}
    for one in result.answers:
        hows.setdefault(one.query.how, []).append(one)
    return languages + sorted(hows.items())


def faults(results: Sequence[Result]) -> list[str]:
    """Return what is short of the aims, as sentences."""
    found = [
        f"among {one.tasks} tasks, asked in the {one.way} way, recall@5 is {one.recall(5):.3f},"
        f" not {LEAST_RECALL}"
        for one in results
        if one.recall(5) < LEAST_RECALL
    ]
    if len({one.tasks for one in results}) > 1:
        few = min(results, key=lambda one: one.tasks)
        many = max(results, key=lambda one: one.tasks)
        times = many.seconds[0] / few.seconds[0]
        if times > MOST_TIMES:
            found.append(f"{many.tasks} tasks take {times:.1f} times as long, not {MOST_TIMES:.0f}")
    return found


def as_json(results: Sequence[Result]) -> dict[str, Any]:
    """Return the figures for a machine."""
    return {
        f"{one.tasks} {one.way}": {
            "p50_ms": one.seconds[0] * 1000,
            "p95_ms": one.seconds[1] * 1000,
            "most_bytes": max(answer.size for answer in one.answers),
            "recall_at_1": one.recall(1),
            "recall_at_5": one.recall(5),
            "recall_at_20": one.recall(20),
            "groups": {
                name: {"queries": len(answers), "recall_at_5": one.recall(5, answers),
                       "recall_at_20": one.recall(20, answers)}
                for name, answers in _groups(one)
            },
        }
        for one in results
    }  # fmt: skip
