"""How a candidate fits a message: a few figures each, none of which decides anything by itself.

Every figure is of one candidate beside the others: which part of the message it is known by, how
near it is in meaning, whether it is of the kind that is named, whether it was spoken of or shown
last, whether it waits for such an answer. What weight each has is in `weights.json`.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from infra.providers.rehearsal import likeness, looks, naming, nearness, pointing
from infra.providers.rehearsal.lexicon import base, blank, fold, has, is_unspaced
from infra.providers.rehearsal.likeness import Words
from infra.providers.rehearsal.pointing import Pointed
from infra.providers.rehearsal.reference import OPEN, bare, fits, founds, when
from infra.providers.rehearsal.state import Candidate, MainView

type Figures = Mapping[str, float]

_FORGETS = 0.6
"""How much less each earlier word says about what is spoken of now."""
_SPOKEN = 6
_TALKED = 8
_SHOWN = 4
_FEW, _SOME = 4, 8
"""So many words: what so short a message means is told by other things than its words."""
_LEAST_SAID = 0.2
_DAY = 86400.0
_SIGNS = 2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """A candidate and the words that belong to it."""

    task: Candidate
    title: frozenset[str]
    objects: frozenset[str]
    own: frozenset[str]
    said: frozenset[str]
    asked: frozenset[str]
    names: frozenset[str]


class Fitting:
    """The candidates of a message with the figures of each."""

    def __init__(self, view: MainView, language: str, pointed: Pointed) -> None:
        self._view = view
        self._pointed = pointed
        self._language = language
        self._text = bare(view.message)
        self._folded = fold(self._text)
        self._said = likeness.said_words(self._text)
        self.tasks = [one for one in view.candidates if one.task_id]
        self._known = [_know(one, view) for one in self.tasks]

    @cached_property
    def figures(self) -> list[Figures]:
        """The figures of each candidate, in their order."""
        if not self._known:
            return []
        columns = {
            **self._of_words(),
            **self._of_meaning(),
            **nearness.of_tasks(self._view.message, self.tasks),
            **self._of_kind(),
            **self._of_talk(),
            **self._of_words_after(),
            **pointing.of_tasks(self._pointed, self.tasks),
            **self._of_state(),
            **self._of_time(),
        }
        found = [
            {name: values[place] for name, values in columns.items()}
            for place in range(len(self._known))
        ]
        return [_by_size({**one, **_together(one, self._folded)}, self._folded) for one in found]

    def _of_words(self) -> dict[str, list[float]]:
        said, known = self._said, self._known
        everything = [one.own | one.objects | one.title for one in known]
        words = [one | more.said for one, more in zip(everything, known, strict=True)]
        rarity = _rarity(said, words)
        refused = _refused(self._view.message)
        return {
            "words": [_share(said, one, rarity) for one in everything],
            "best_word": [_best(said, one, rarity) for one in everything],
            "title": [_back(one.title, said) for one in known],
            "object": [_best(said, one.objects, rarity) for one in known],
            "told": [_share(said, one.said, rarity) for one in known],
            "asked": [_share(said, one.asked, rarity) for one in known],
            "refused": [_share(refused, one, {}) for one in everything],
            "is_named": [float(_is_in(one.task.title, self._folded)) for one in known],
        }

    def _of_meaning(self) -> dict[str, list[float]]:
        near = [one.task.meaning or 0.0 for one in self._known]
        middle = sum(near) / len(near)
        best = max(near)
        return {
            "meaning": near,
            "meaning_above": [one - middle for one in near],
            "meaning_behind": [best - one for one in near],
        }

    def _of_kind(self) -> dict[str, list[float]]:
        named = naming.mentions(self._text, self._language)
        gone = [*looks.absences(self._folded)]
        named = tuple(m for m in named if not any(s.start <= m.start < s.end for s in gone))
        known = [m for m in named if m.is_known]
        open_ = [m for m in named if m.is_known is None]
        figures = {
            name: [max((fits(one.names, m) for m in listed), default=0.0) for one in self._known]
            for name, listed in (("kind_known", known), ("kind_bare", open_))
        }
        best = max(figures["kind_known"])
        parts = {f for f in naming.FAMILIES if f != "model" and has(f"part.{f}", self._folded)}
        return {
            **figures,
            "kind_behind": [best - one for one in figures["kind_known"]],
            "has_part": [
                float(bool({name.partition("_")[0] for name in one.names} & parts))
                for one in self._known
            ],
        }

    def _of_talk(self) -> dict[str, list[float]]:
        ids = [one.task.task_id for one in self._known]
        spoken = [item.get("task_id") for item in self._view.recent][-_SPOKEN:][::-1]
        shown = [item.get("task_id") for item in self._view.shown]
        last = next((one for one in spoken if one), None)
        final = self._view.recent[-1] if self._view.recent else {}
        asks = final.get("role") == "assistant" and _asks(final.get("text"))
        return {
            "spoken": [
                sum(_FORGETS**place for place, one in enumerate(spoken) if one == task_id)
                for task_id in ids
            ],
            "spoken_last": [float(one == last) for one in ids],
            "just_spoken": [float(bool(spoken) and one == spoken[0]) for one in ids],
            "just_asked": [float(asks and one == final.get("task_id")) for one in ids],
            "shown": [
                sum(_FORGETS**place for place, one in enumerate(shown[:_SHOWN]) if one == task_id)
                for task_id in ids
            ],
            "shown_last": [float(bool(shown) and one == shown[0]) for one in ids],
        }

    def _of_words_after(self) -> dict[str, list[float]]:
        """The same of the talk alone, without the words that began each task."""
        tasks = {one.task.task_id: one.task for one in self._known}
        talk = [
            item
            for item in self._view.recent
            if (task := tasks.get(str(item.get("task_id")))) is None or not founds(item, task)
        ][-_TALKED:][::-1]
        ids = [item.get("task_id") for item in talk]
        last = next((one for one in ids if one), None)
        told = bool(talk) and talk[0].get("role") == "assistant"
        return {
            "talked": [
                sum(_FORGETS**place for place, one in enumerate(ids) if one == task_id)
                for task_id in tasks
            ],
            "talked_last": [float(one == last) for one in tasks],
            "just_told": [float(told and one == ids[0]) for one in tasks],
            "just_talked": [float(bool(ids) and not told and one == ids[0]) for one in tasks],
        }

    def _of_state(self) -> dict[str, list[float]]:
        tasks = [one.task for one in self._known]
        count_open = sum(one.status in OPEN for one in tasks)
        stops = has("state.stopped", self._folded) or has("act.revive", self._folded)
        waits = [float(one.status == "waiting") for one in tasks]
        rests = [float(one.status in ("stopped", "paused")) for one in tasks]
        return {
            "open": [float(one.status in OPEN) for one in tasks],
            "only_open": [float(one.status in OPEN and count_open == 1) for one in tasks],
            "waits": waits,
            "only_waits": [one * (sum(waits) == 1) for one in waits],
            "rests": rests,
            "rests_and_said": [one * stops for one in rests],
            "archived": [float(one.archived) for one in tasks],
            "only": [float(len(tasks) == 1)] * len(tasks),
            "language": [
                float(base(one.language) == base(self._language))
                - sum(base(t.language) == base(self._language) for t in tasks) / len(tasks)
                for one in tasks
            ],
        }

    def _of_time(self) -> dict[str, list[float]]:
        ages = ages_of([one.task for one in self._known])
        spans = (span for name, span in _AGES.items() if has(f"time.{name}", self._folded))
        told = next(spans, None)
        in_time = [float(told is not None and told[0] <= age <= told[1]) for age in ages]
        place = naming.place(self._folded)
        ordered = sorted(range(len(ages)), key=lambda one: -ages[one])
        chosen = -1
        if place is not None and len(ordered) > 1:
            index = place - 1 if place > 0 else len(ordered) - 1
            chosen = ordered[index] if index < len(ordered) else -1
        return {
            "newest": [float(age == min(ages)) for age in ages],
            "age": [math.log1p(age - min(ages)) for age in ages],
            "in_time": in_time,
            "in_order": [float(one == chosen) for one in range(len(ages))],
        }


def _by_size(figures: dict[str, float], folded: str) -> Figures:
    """Return the figures, and each once more where the message is very short, or short."""
    words = size(folded)
    sizes = {"few": float(words <= _FEW), "some": float(_FEW < words <= _SOME)}
    return figures | {
        f"{name}|{size}": value * is_it
        for size, is_it in sizes.items()
        for name, value in figures.items()
    }


def size(folded: str) -> float:
    """Return about how many words a text has, also in scripts that write without spaces."""
    return len(folded) / _SIGNS if is_unspaced(folded) else len(folded.split())


def _together(one: Figures, folded: str) -> dict[str, float]:
    """Return figures that say something only beside another."""
    points = float(has("refer.pronoun", folded) or has("refer.demonstrative", folded))
    unnamed = 1.0 - min(1.0, one["best_word"] + one["kind_known"])
    return {
        "spoken_unnamed": one["spoken_last"] * unnamed,
        "shown_unnamed": one["shown_last"] * unnamed,
        "open_unnamed": one["only_open"] * unnamed,
        "newest_unnamed": one["newest"] * unnamed,
        "archived_unnamed": one["archived"] * unnamed,
        "spoken_pointed": one["spoken_last"] * points,
        "shown_pointed": one["shown_last"] * points,
        "words_and_kind": one["best_word"] * one["kind_known"],
        "words_and_meaning": one["words"] * one["meaning"],
        "other_one": one["spoken_last"] * float(has("refer.other_one", folded)),
    }


_AGES = {
    "today": (0.0, 0.8),
    "yesterday": (0.4, 2.2),
    "week": (4.0, 14.0),
    "month": (15.0, 65.0),
    "year": (180.0, 800.0),
}


def ages_of(tasks: Sequence[Candidate]) -> list[float]:
    """Return how many days each task is older than the one that changed last."""
    times = [when(one.updated) for one in tasks]
    known = [one for one in times if one is not None]
    newest = max(known, default=None)
    return [
        (newest - one).total_seconds() / _DAY if one is not None and newest is not None else 0.0
        for one in times
    ]


def _know(task: Candidate, view: MainView) -> _Known:
    tongue = task.language
    about = [str(item.get("text")) for item in view.recent if item.get("task_id") == task.task_id]
    names = naming.names_of(task.title, tongue) | naming.names_of(task.goal, tongue)
    return _Known(
        task=task,
        title=likeness.known_words(task.title),
        objects=likeness.known_words(*task.objects),
        own=likeness.known_words(task.title, task.goal),
        said=likeness.known_words(task.summary, *about),
        asked=likeness.known_words(task.asks),
        names=names or frozenset(n for one in task.objects for n in naming.names_of(one, tongue)),
    )


def _rarity(said: Words, known: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return how much each word tells the candidates apart; one that none has tells most."""
    found: dict[str, float] = {}
    for unit in said.weights:
        sharers = sum(likeness.matched(unit, one) > 0 for one in known)
        found[unit] = math.log2(1 + len(known) / max(sharers, 1)) if sharers else 1.0
    return found


def _share(said: Words, known: frozenset[str], rarity: Mapping[str, float]) -> float:
    """Return which part of the weight of what was said is known."""
    every = sum(weight * rarity.get(unit, 1.0) for unit, weight in said.weights.items())
    if not every:
        return 0.0
    found = sum(
        weight * rarity.get(unit, 1.0) * likeness.matched(unit, known)
        for unit, weight in said.weights.items()
    )
    return found / every


def _best(said: Words, known: frozenset[str], rarity: Mapping[str, float]) -> float:
    """Return how much the one word says that says most for it."""
    return (
        max(
            (
                min(weight, 1.0) * min(rarity.get(unit, 1.0), 2.0) * likeness.matched(unit, known)
                for unit, weight in said.weights.items()
            ),
            default=0.0,
        )
        / 2.0
    )


def _back(known: frozenset[str], said: Words) -> float:
    """Return which part of some known words was said."""
    if not known:
        return 0.0
    spoken = frozenset(said.weights)
    return sum(likeness.matched(one, spoken) for one in known) / len(known)


def _is_in(title: str, folded: str) -> bool:
    words = fold(title).strip()
    if is_unspaced(words):
        return len(words) > 1 and words in folded
    return re.search(rf"\b{re.escape(words)}\b", folded) is not None if words else False


def _refused(text: str) -> Words:
    """Return the words of what is said not to be meant."""
    places = [*naming.negated(fold(text))]
    if not places:
        return Words()
    kept = blank(text, places)
    return likeness.said_words(
        "".join(a if b == " " and a != " " else " " for a, b in zip(text, kept, strict=True))
    )


def _asks(text: object) -> bool:
    if not isinstance(text, str):
        return False
    return text.rstrip(" \"”»」').").endswith(("?", "？", "か。", "か", "까요", "세요"))
