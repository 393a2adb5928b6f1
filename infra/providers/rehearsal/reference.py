"""Finds the tasks that a message may be about: by words, by kind, by what was said last.

Words that only one task has decide before its kind does, its kind before the last words, and these
before any order. Where several are left that fit equally well, all of them are returned: a wrong
target is worse than a question.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal

from infra.providers.rehearsal import likeness, looks, naming
from infra.providers.rehearsal.lexicon import blank, clip, fold, has, is_unspaced
from infra.providers.rehearsal.likeness import Words
from infra.providers.rehearsal.naming import Mention
from infra.providers.rehearsal.state import Candidate, Json, MainView

type By = Literal["words", "kind", "time", "order", "talk", "only", "open", "nothing"]

OPEN = frozenset({"active", "waiting", "paused"})
_NAMED = 0.45
_RIVAL = 0.5
_SAME = 0.6
_ALIKE = 0.85
_CHAT_BETWEEN = 2
_SECONDS_A_DAY = 86400


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The tasks that fit equally well, and what has decided."""

    tasks: tuple[Candidate, ...]
    by: By
    misses: bool = False
    """Whether a kind of work was named that no task is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """A task and the words by which it is known."""

    task: Candidate
    own: frozenset[str]
    said: frozenset[str]
    names: frozenset[str]


class Referents:
    """The tasks that a message may be about, with what is known of each."""

    def __init__(self, view: MainView, language: str) -> None:
        self._recent = view.recent
        self._language = language
        self._known = [_know(task, view.recent) for task in view.candidates if task.task_id]

    def __bool__(self) -> bool:
        return bool(self._known)

    @property
    def all(self) -> list[Candidate]:
        """All tasks, as they were shown."""
        return [one.task for one in self._known]

    @cached_property
    def focus(self) -> Candidate | None:
        """The task that the last words were about; none after words about several."""
        for item in list(reversed(self._recent))[: _CHAT_BETWEEN + 1]:
            task = self._of_id(item.get("task_id"))
            if task is not None and not founds(item, task):
                return None if task.archived else task
            if has("refer.plural", fold(_text(item))) or item.get("task_id"):
                return None
        return None

    def _of_id(self, task_id: object) -> Candidate | None:
        return next((one.task for one in self._known if one.task.task_id == task_id), None)

    def named(self, text: str) -> list[Candidate]:
        """Return the tasks whose own words are said, the ones that fit best."""
        return [one.task for one in self._by_words(likeness.said_words(bare(text)))]

    def covering(self, text: str) -> list[tuple[Candidate, float]]:
        """Return each task with the part of the message's words by which it is known."""
        said = likeness.said_words(bare(text))
        return [(one.task, likeness.covered(said, one.own)) for one in self._known]

    def knows_all(self, task: Candidate, text: str) -> bool:
        """Whether every weighty word of a message is one by which a task is known."""
        said = likeness.said_words(bare(text))
        own = next((one.own for one in self._known if one.task == task), frozenset[str]())
        return all(
            likeness.matched(unit, own) for unit, weight in said.weights.items() if weight >= _RIVAL
        )

    def find(self, text: str, *, pointed: bool = True) -> Found:
        """Return the tasks that a message fits equally well.

        Args:
            text: the message.
            pointed: whether it may point at what was spoken of last, by saying nothing else.
        """
        text = bare(text)
        goes_back = self.goes_back(fold(text))
        pool, by = self._by_words(likeness.said_words(text)), "words"
        if not pool:
            pool, by = [one for one in self._known if not one.task.archived], "nothing"
        kinds = self._of_kind(pool, text)
        misses = kinds is None
        if kinds:
            by = "kind" if by == "nothing" and len(kinds) < len(pool) else by
            pool = kinds
        misses = misses and by != "words"
        if goes_back and by == "nothing" and likeness.said_words(text):
            return Found(tasks=(), by="nothing", misses=True)
        return self._among(pool, fold(text), by, misses=misses, pointed=pointed and not goes_back)

    def goes_back(self, folded: str) -> bool:
        """Whether something of long ago is named: it is not what was spoken of last."""
        names = ("time.week", "time.month", "time.year", "time.earlier", "state.stopped")
        names = (*names, "act.revive")
        return any(has(name, folded) for name in names)

    def _among(
        self, pool: list[_Known], folded: str, by: str, *, misses: bool, pointed: bool
    ) -> Found:
        """Choose among tasks that fit by their words and kind."""
        for fitting in (self._of_time(pool, folded), self._of_state(pool, folded)):
            if fitting and len(fitting) < len(pool):
                pool, by = fitting, "time"
        if len(pool) == 1:
            return _found(pool, by if by != "nothing" else "only", misses=misses)
        if has("refer.one_of", folded):
            return _found(pool, "nothing", misses=misses)
        one, decided = self._one_of(pool, folded, by, pointed=pointed)
        if one is not None:
            return _found([one], decided, misses=misses)
        return _found(pool, by, misses=misses)

    def _one_of(
        self, pool: Sequence[_Known], folded: str, by: str, *, pointed: bool
    ) -> tuple[_Known | None, str]:
        """Return the one of several that the talk, an order or a part decides for, and which."""
        live = [one for one in pool if one.task.status in OPEN]
        spoken = [one for one in pool if one.task == self.focus]
        if (other := self._other(pool, folded)) is not None:
            return other, "talk"
        if pointed and spoken and (by != "words" or live == spoken):
            return spoken[0], "talk"
        if (placed := self._in_order(pool, folded)) is not None:
            return placed, "order"
        parts = self._with_part(pool, folded) if by == "nothing" else []
        if len(parts) == 1:
            return parts[0], "kind"
        is_open = pointed and len(live) == 1 and by == "nothing"
        return (live[0], "open") if is_open else (None, by)

    def _by_words(self, said: Words) -> list[_Known]:
        """Return the tasks whose words are said; several where each has some of its own."""
        if not said or not self._known:
            return []
        scores = likeness.scores(said, [(one.own, one.said) for one in self._known])
        best = max(scores)
        if best < _NAMED:
            return []
        top = self._known[scores.index(best)]
        told = self._told(said, top)
        return [
            one
            for one, score in zip(self._known, scores, strict=True)
            if one is top or (score >= _RIVAL * best and _is_rival(self._told(said, one), told))
        ]

    def _told(self, said: Words, one: _Known) -> dict[str, float]:
        """Return how surely each weighty word of the message is about a task."""
        marks = {
            unit: max(likeness.matched(unit, one.own), 0.6 * likeness.matched(unit, one.said))
            for unit, weight in said.weights.items()
            if weight >= _RIVAL
        }
        return {unit: mark for unit, mark in marks.items() if mark}

    def _of_kind(self, pool: Sequence[_Known], text: str) -> list[_Known] | None:
        """Return those of a kind that is named as known; None if there is no such task."""
        named = [one for one in naming.mentions(text, self._language) if _points_at(one, text)]
        if not named:
            return []
        marks = [max(fits(one.names, mention) for mention in named) for one in pool]
        best = max(marks, default=0.0)
        if all(one.name in naming.GENERAL and _is_part(one) for one in named):
            marks = [
                best if mark and one.task == self.focus else mark
                for one, mark in zip(pool, marks, strict=True)
            ]
        if not best:
            return None
        return [one for one, mark in zip(pool, marks, strict=True) if mark >= _ALIKE * best]

    def _with_part(self, pool: Sequence[_Known], folded: str) -> list[_Known]:
        """Return those that can have what is spoken of: `the refrain`, `the third page`."""
        families = {name for name in naming.FAMILIES if name != "model"}
        meant = {family for family in families if has(f"part.{family}", folded)}
        return [one for one in pool if {name.partition("_")[0] for name in one.names} & meant]

    def _of_time(self, pool: Sequence[_Known], folded: str) -> list[_Known]:
        """Return those that were active when a message says: `last week's`."""
        times = {one.task.task_id: when(one.task.updated) for one in self._known}
        known = [one for one in times.values() if one is not None]
        if not known:
            return []
        now = max(known)
        for name, (least, most) in _AGES.items():
            if has(f"time.{name}", folded):
                return [
                    one
                    for one in pool
                    if (last := times[one.task.task_id]) is not None
                    and least <= (now - last).total_seconds() / _SECONDS_A_DAY <= most
                ]
        return []

    def _of_state(self, pool: Sequence[_Known], folded: str) -> list[_Known]:
        if not has("state.stopped", folded):
            return []
        return [one for one in pool if one.task.status in ("stopped", "paused")]

    def _other(self, pool: Sequence[_Known], folded: str) -> _Known | None:
        """Return the one of two that the talk was not about: `no, the other one`."""
        if len(pool) != 2 or self.focus is None or not has("refer.other_one", folded):  # noqa: PLR2004
            return None
        return next((one for one in pool if one.task != self.focus), None)

    def _in_order(self, pool: Sequence[_Known], folded: str) -> _Known | None:
        """Return the task of a place among equals, in the order in which they were made."""
        place = naming.place(folded)
        times = [(when(one.task.updated), one) for one in pool]
        dated = [(at, one) for at, one in times if at is not None]
        if place is None or len(dated) != len(pool):
            return None
        ordered = [one for _, one in sorted(dated, key=lambda pair: pair[0])]
        index = place - 1 if place > 0 else len(ordered) - 1
        return ordered[index] if index < len(ordered) else None


_AGES = {
    "today": (0.0, 0.8),
    "yesterday": (0.4, 2.2),
    "week": (4.0, 14.0),
    "month": (15.0, 65.0),
    "year": (180.0, 800.0),
}


def _is_rival(other: dict[str, float], told: dict[str, float]) -> bool:
    """Whether a task is meant as well as the best one: by the same words, or by some of its own."""
    has_own = any(unit not in told for unit in other)
    has_all = all(other.get(unit, 0.0) >= _SAME * mark for unit, mark in told.items())
    return has_own or has_all


def bare(text: str) -> str:
    """Return a text without what it quotes and what it says is not meant."""
    text = clip(text)
    places = [*naming.quoted(text), *naming.negated(fold(text))]
    return blank(text, places)


def _found(pool: Iterable[_Known], by: str, *, misses: bool) -> Found:
    decided: By = by  # pyright: ignore[reportAssignmentType]
    return Found(tasks=tuple(one.task for one in pool), by=decided, misses=misses)


def fits(names: frozenset[str], mention: Mention) -> float:
    """Return how well a task of these names is called by this one."""
    if mention.name in names:
        return 1.0
    if names & naming.ALSO.get(mention.name, frozenset()):
        return _ALIKE
    family = mention.name.partition("_")[0]
    alike = [name for name in names if name.partition("_")[0] == family]
    if alike and (mention.name in naming.GENERAL or any(name in naming.GENERAL for name in alike)):
        return 0.6
    if alike:
        return 0.3
    parts = naming.PARTS_OF.get(family, ())
    return 0.3 if any(name.partition("_")[0] in parts for name in names) else 0.0


def _points_at(mention: Mention, text: str) -> bool:
    """Whether a work that is named may be one that is there.

    A picture or a film may be named without an article; `music` alone is a part of any film.
    """
    if mention.is_known is False:
        return False
    if any(one.start <= mention.start < one.end for one in looks.absences(fold(text))):
        return False
    is_whole = mention.name.partition("_")[0] in ("film", "image", "model")
    return bool(mention.is_known) or is_whole or is_unspaced(text)


def _is_part(mention: Mention) -> bool:
    """Whether a work of that name may also be a part of another: `the music` of a film."""
    return mention.name.partition("_")[0] in naming.PARTS_OF


def _know(task: Candidate, recent: Sequence[Json]) -> _Known:
    tongue = task.language
    about = [_text(item) for item in recent if item.get("task_id") == task.task_id]
    names = naming.names_of(task.title, tongue) | naming.names_of(task.goal, tongue)

    return _Known(
        task=task,
        own=likeness.known_words(task.title, task.goal, *task.objects),
        said=likeness.known_words(task.summary, *about),
        names=names or frozenset(n for one in task.objects for n in naming.names_of(one, tongue)),
    )


def founds(item: Json, task: Candidate) -> bool:
    """Tell whether these are the words that began a task, rather than words about it."""
    return item.get("role") == "user" and fold(_text(item)).strip() == fold(task.goal).strip()


def _text(item: Json) -> str:
    text = item.get("text")
    return text if isinstance(text, str) else ""


def when(written: str) -> datetime | None:
    """Return the time that is written, None if there is none."""
    try:
        return datetime.fromisoformat(written)
    except ValueError:
        return None
