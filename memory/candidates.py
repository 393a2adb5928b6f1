"""The bounded list of tasks that a message may be about, and tasks that a new one would repeat.

Search has two legs over all tasks of the workspace: words, weighted by how rare they are, and
meaning, by an embedder. Their ranks are fused. What is shown does not grow with the number of
tasks, and neither does the time, by much: see `evals/candidates`.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from execution import tasks
from execution.tasks import Task
from infra.db.query import Conn
from infra.ids import WorkspaceId
from infra.providers.embedding import Embedder, Vector, within
from memory import task_index
from memory.lexemes import Word, words
from memory.task_index import quoted, scoped
from workspace import objects

MAX_CANDIDATES = 20
MAX_RECENT = 8
"""So many of the candidates are there for being at work, whatever the message says."""
EMBEDDING_SECONDS = 0.3
IN_PROGRESS = 50

_TITLE = 120
_TEXT = 600
_NAMES = 6
_NAME = 60

_MESSAGE_WORDS = 40
_LEG = 60
_EACH = 300
_PAIRED = 6
_COMMON_SHARE = 0.02
_FUSION = 5.0
_WORDS_WEIGHT = 1.0
_MEANING_WEIGHT = 0.5

NEAR_WORDS = 0.5
NEAR_MEANING = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """A task in progress that a new one would repeat; both likenesses are from 0 to 1."""

    task_id: UUID
    title: str
    goal: str
    status: str
    words: float
    meaning: float | None


async def find(
    conn: Conn,
    embedder: Embedder | None,
    workspace_id: WorkspaceId,
    message_text: str,
    *,
    limit: int = MAX_CANDIDATES,
) -> list[dict[str, Any]]:
    """Return at most `limit` tasks that the message may be about, each bounded in size.

    First those at work, the most recently active first; then what the search finds among all
    tasks that are not archived, the best first; then the tasks that changed last. So few tasks that
    all of them fit are not searched.
    """
    latest = await tasks.recent(conn, workspace_id, limit=limit + 1)
    live = await tasks.in_progress(conn, workspace_id, limit=min(MAX_RECENT, limit))
    found: list[Task] = []
    if len(latest) > limit:
        vector = await within(EMBEDDING_SECONDS, embedder, message_text)
        hits = await search(conn, workspace_id, message_text, vector, limit=limit)
        known = {task.task_id: task for task in await tasks.of_ids(conn, workspace_id, hits)}
        found = [known[task_id] for task_id in hits if task_id in known]
    ordered = {task.task_id: task for task in (*live, *found, *latest)}
    return await _shown(conn, workspace_id, list(ordered.values())[:limit])


async def search(
    conn: Conn,
    workspace_id: WorkspaceId,
    text: str,
    vector: Vector | None,
    *,
    limit: int = MAX_CANDIDATES,
) -> list[UUID]:
    """Return the tasks that fit the text best by words and meaning, the best first."""
    legs = [(_WORDS_WEIGHT, await _by_words(conn, workspace_id, text))]
    if vector is not None:
        hits = await task_index.by_meaning(conn, workspace_id, vector, limit=_LEG)
        legs.append((_MEANING_WEIGHT, [hit.task_id for hit in hits]))
    return fuse(legs)[:limit]


def fuse(legs: Sequence[tuple[float, Sequence[UUID]]], *, k: float = _FUSION) -> list[UUID]:
    """Return all of the legs' tasks by reciprocal rank, each leg with its weight."""
    scores: dict[UUID, float] = {}
    for weight, found in legs:
        for rank, task_id in enumerate(found, start=1):
            scores[task_id] = scores.get(task_id, 0.0) + weight / (k + rank)
    return sorted(scores, key=lambda task_id: (-scores[task_id], task_id))


async def _by_words(conn: Conn, workspace_id: WorkspaceId, text: str) -> list[UUID]:
    said = words(text, most=_MESSAGE_WORDS)
    if not said:
        return []
    scoped_words = [
        Word(tuple((scoped(workspace_id, lexeme), part) for lexeme, part in word.lexemes))
        for word in said
    ]
    every = [lexeme for word in scoped_words for lexeme, _ in word.lexemes]
    shares = await task_index.shares(conn, every)
    rows = max(await task_index.size(conn), _EACH)
    hits = await task_index.by_words(
        conn,
        workspace_id,
        groups=_groups(scoped_words, shares, rows),
        weights=_weights(scoped_words, shares, rows),
        each=_EACH,
        limit=_LEG,
    )
    return [hit.task_id for hit in hits]


def _weights(said: Sequence[Word], shares: dict[str, float], rows: int) -> dict[str, float]:
    rare = min(shares.values(), default=1.0) / 2 if rows > _EACH else 1.0
    weights: dict[str, float] = {}
    for word in said:
        for lexeme, part in word.lexemes:
            idf = math.log(1 + 1 / shares.get(lexeme, max(1 / rows, min(rare, 0.001))))
            weights[lexeme] = weights.get(lexeme, 0.0) + part * idf
    return weights


def _groups(said: Sequence[Word], shares: dict[str, float], rows: int) -> list[str]:
    """Return the queries that bring in tasks: rare words alone, common ones by twos."""
    rare: list[str] = []
    common: list[tuple[float, str]] = []
    for word in said:
        few = [one for one, _ in word.lexemes if shares.get(one, 0.0) * rows <= _EACH]
        many = [one for one, _ in word.lexemes if one not in few]
        if few:
            rare.append(" | ".join(quoted(one) for one in few))
        if many:
            share = sum(shares[one] for one in many)
            common.append((share, f"({' | '.join(quoted(one) for one in many)})"))
    paired = [query for _, query in sorted(common)[:_PAIRED]]
    return rare + [f"{one} & {other}" for one, other in itertools.combinations(paired, 2)]


async def near_duplicates(
    conn: Conn,
    embedder: Embedder | None,
    workspace_id: WorkspaceId,
    title_and_goal: str,
    *,
    limit: int = IN_PROGRESS,
) -> list[Near]:
    """Return those of the newest persistent tasks in progress that are near to this, nearest first.

    Near is a likeness of words or of meaning, so "warmer" and "colder" are near: what to do about
    it is for the model and the person.
    """
    vector = await within(EMBEDDING_SECONDS, embedder, title_and_goal)
    live = await tasks.in_progress(conn, workspace_id, limit=limit, kinds=("persistent",))
    alike: dict[UUID, float] = {}
    if vector is not None:
        ids = [task.task_id for task in live]
        alike = await task_index.similarities(conn, workspace_id, ids, vector)
    found = [
        Near(
            task_id=task.task_id,
            title=task.title[:_TITLE],
            goal=task.goal[:_TEXT],
            status=task.status,
            words=likeness(title_and_goal, f"{task.title} {task.goal}"),
            meaning=alike.get(task.task_id),
        )
        for task in live
    ]
    near = [one for one in found if is_near(one.words, one.meaning)]
    return sorted(near, key=lambda one: -max(one.words, one.meaning or 0.0))


def is_near(in_words: float, in_meaning: float | None) -> bool:
    """Tell whether two works so alike may be one and the same."""
    return in_words >= NEAR_WORDS or (in_meaning or 0.0) >= NEAR_MEANING


def likeness(one: str, other: str) -> float:
    """Return which part of the shorter text's words the longer one has too, from 0 to 1."""
    first, second = words(one), words(other)
    if len(first) > len(second):
        first, second = second, first
    known = {lexeme for word in second for lexeme, _ in word.lexemes}
    if not first:
        return 0.0
    shared = sum(
        sum(part for lexeme, part in word.lexemes if lexeme in known)
        / sum(part for _, part in word.lexemes)
        for word in first
    )
    return shared / len(first)


async def _shown(
    conn: Conn, workspace_id: WorkspaceId, found: Sequence[Task]
) -> list[dict[str, Any]]:
    names: dict[UUID, list[dict[str, str]]] = {task.task_id: [] for task in found}
    for item in await objects.names(conn, workspace_id, list(names), limit=_NAMES):
        names[item.task_id].append({"id": str(item.object_id), "name": item.name[:_NAME]})
    return [
        {
            "task_id": str(task.task_id),
            "title": task.title[:_TITLE],
            "goal": task.goal[:_TEXT],
            "summary": task.summary[:_TEXT],
            "status": task.status,
            "language": task.language,
            "updated": task.updated_at.isoformat(timespec="minutes"),
            "objects": names[task.task_id],
        }
        for task in found
    ]
