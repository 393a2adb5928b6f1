"""The bounded list of tasks that a message may be about, and tasks that a new one would repeat.

Search has two legs over all tasks of the workspace: words, weighted by how rare they are, and
meaning, by an embedder. What both say is added up. What is shown does not grow with the number of
tasks, and neither does the time, by much: see `evals/candidates`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from execution import asked, listing, tasks
from execution.approvals import Approval
from execution.tasks import Task, TaskStatus
from infra.db.query import Conn
from infra.ids import WorkspaceId
from infra.providers.embedding import Embedder, Vector, within
from memory import keywords, task_index
from memory.lexemes import Word, words
from workspace import objects

MAX_CANDIDATES = 20
MAX_RECENT = 8
"""So many of the candidates are there for being at work, whatever the message says."""
MAX_PUT_AWAY = 4
EMBEDDING_SECONDS = 0.3
IN_PROGRESS = 50

_TITLE = 120
_TEXT = 600
_NAMES = 6
_OPTIONS = 4
_NAME = 60

_LEG = 60
_MEANING = 0.1

NEAR_WORDS = 0.6
NEAR_MEANING = 0.6
"""Measured: 95 % of works told anew in other words are near, 38 % of others of the same kind, 2 %
of any two; in another language, which only the meaning sees, 25 %."""


class Told(Protocol):
    """A task as it is told of."""

    @property
    def task_id(self) -> UUID:
        """Which it is."""
        ...

    @property
    def title(self) -> str:
        """What it is called."""
        ...

    @property
    def goal(self) -> str:
        """What it shall come to."""
        ...

    @property
    def status(self) -> str:
        """How it stands."""
        ...


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
    all of them fit are not searched. Where there is room left, the tasks that were archived last
    follow: they are meant only by who names them. Each says on what question it waits, and how near
    it is to the message in meaning.
    """
    latest = await tasks.recent(conn, workspace_id, limit=limit + 1)
    live = await tasks.in_progress(conn, workspace_id, limit=min(MAX_RECENT, limit))
    found: list[Task] = []
    vector = await within(EMBEDDING_SECONDS, embedder, message_text) if latest else None
    if len(latest) > limit:
        hits = await search(conn, workspace_id, message_text, vector, limit=limit)
        known = {task.task_id: task for task in await tasks.of_ids(conn, workspace_id, hits)}
        found = [known[task_id] for task_id in hits if task_id in known]
    ordered = {task.task_id: task for task in (*live, *found, *latest)}
    room = min(MAX_PUT_AWAY, limit - len(ordered))
    away = await listing.put_away(conn, workspace_id, limit=room) if room > 0 else []
    return await _shown(conn, workspace_id, [*list(ordered.values())[:limit], *away], vector)


async def search(
    conn: Conn,
    workspace_id: WorkspaceId,
    text: str,
    vector: Vector | None,
    *,
    limit: int = MAX_CANDIDATES,
) -> list[UUID]:
    """Return the tasks that fit the text best by words and meaning, the best first."""
    near: dict[UUID, float] = {}
    size = await task_index.size(conn, workspace_id)
    if vector is not None:
        hits = await task_index.by_meaning(conn, workspace_id, vector, size=size, limit=_LEG)
        near = {hit.task_id: hit.score for hit in hits}
    fits = await keywords.fitting(conn, workspace_id, text, size, also=list(near), limit=_LEG)
    unknown = [task_id for task_id in fits if task_id not in near]
    if vector is not None and unknown:
        near |= await task_index.similarities(conn, workspace_id, unknown, vector)
    return fuse(fits, near)[:limit]


def fuse(fits: Mapping[UUID, float], near: Mapping[UUID, float]) -> list[UUID]:
    """Return all tasks by both measures, the best first (why so: ADR 0012)."""
    scores = {
        task_id: fits.get(task_id, 0.0) + _MEANING * near.get(task_id, 0.0)
        for task_id in {**fits, **near}
    }
    return sorted(scores, key=lambda task_id: (-scores[task_id], task_id))


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
    return nearest(live, title_and_goal, alike)


def nearest(live: Sequence[Told], title_and_goal: str, alike: Mapping[UUID, float]) -> list[Near]:
    """Return those of some tasks that are near to a work so described, nearest first."""
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
    """Return which part of one text's words the other has too, the larger of both, from 0 to 1."""
    first, second = words(one), words(other)
    return max(_contained(first, second), _contained(second, first))


def _contained(inner: Sequence[Word], outer: Sequence[Word]) -> float:
    known = {lexeme for word in outer for lexeme, _ in word.lexemes}
    parts = [
        sum(part for lexeme, part in word.lexemes if lexeme in known)
        / sum(part for _, part in word.lexemes)
        for word in inner
    ]
    return sum(parts) / len(parts) if parts else 0.0


async def _shown(
    conn: Conn, workspace_id: WorkspaceId, found: Sequence[Task], vector: Vector | None
) -> list[dict[str, Any]]:
    ids = [task.task_id for task in found]
    names: dict[UUID, list[dict[str, str]]] = {task_id: [] for task_id in ids}
    for item in await objects.names(conn, workspace_id, ids, limit=_NAMES):
        names[item.task_id].append({"id": str(item.object_id), "name": item.name[:_NAME]})
    questions = await asked.of_tasks(
        conn, workspace_id, [task.task_id for task in found if task.status == TaskStatus.WAITING]
    )
    near: dict[UUID, float] = {}
    if vector is not None:
        near = await task_index.similarities(conn, workspace_id, ids, vector)
    return [
        {
            "task_id": str(task.task_id),
            "title": task.title[:_TITLE],
            "goal": task.goal[:_TEXT],
            "summary": task.summary[:_TEXT],
            "status": task.status,
            "archived": task.archived_at is not None,
            "language": task.language,
            "updated": task.updated_at.isoformat(timespec="minutes"),
            "objects": names[task.task_id],
            **_asks(questions.get(task.task_id)),
            **({"meaning": round(near[task.task_id], 2)} if task.task_id in near else {}),
        }
        for task in found
    ]


def _asks(question: Approval | None) -> dict[str, Any]:
    """Return what a task waits to be told, as it was asked."""
    if question is None:
        return {}
    options = [str(each["label"])[:_NAME] for each in question.card.get("options", [])]
    return {"asks": {"question": question.title[:_TITLE], "options": options[:_OPTIONS]}}
