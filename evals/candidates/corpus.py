"""Tasks in ten languages out of a grammar, and how people speak of one of them days later.

Everything follows from a seed. A task is a kind of thing for a subject in a place, with a motif, in
a style, mostly with a made-up name. A query names some of these in other words, forms, order or
another language, maybe with a slip of the finger, around something to be done. It names so many
that at most `MOST_ALIKE` tasks are what it says: whoever cannot be told apart cannot be found.
"""

import random
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any
from uuid import UUID

FOLDER = Path(__file__).parent
LANGUAGES = ("en", "de", "es", "fr", "it", "ru", "ja", "zh", "ko", "ar")
UNSPACED = ("ja", "zh")
ATTRIBUTES = ("kind", "subject", "place", "motif", "style", "name")
MOST_ALIKE = 3
_NAMED = 0.7
_SAYS_MORE, _SUMMED_UP, _HAS_OBJECTS = 0.6, 0.5, 0.3
"""Shares of the tasks."""
_TOLD_APART = 4
"""So many attributes are enough to tell a task that has a name."""
LEAST_TO_SLIP = 5
"""So many letters has a word in which a finger slips."""
_KEPT = ("subject", "place", "motif", "name")
_SYLLABLES = (
    "mor", "vel", "la", "bru", "tan", "ki", "ro", "sha", "nel", "du",
    "pi", "mar", "go", "len", "tu", "fa", "ri", "quo", "ze", "ba",
    "lin", "dor", "cas", "nia", "pol", "hu", "ver", "ama", "jo", "stel",
)  # fmt: skip
_WANTED = {2: 0.25, 3: 0.5, 4: 0.25}
_HOW = {"reworded": 0.5, "mistyped": 0.2, "partly other language": 0.2, "other language": 0.1}
"""Partly: the person's own sentence, but what the task is about and where as the task has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A task of the grammar: the number of its concept for each attribute, and its name."""

    task_id: UUID
    language: str
    concepts: dict[str, int]
    name: str
    title: str
    goal: str
    summary: str
    objects: tuple[str, ...]

    def value(self, attribute: str) -> str | int:
        """Return what identifies the task in this attribute."""
        return self.name if attribute == "name" else self.concepts[attribute]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What somebody says, in which language and how, and the task that they mean."""

    text: str
    language: str
    how: str
    wanted: UUID


@lru_cache(maxsize=1)
def _words() -> dict[str, list[dict[str, list[str]]]]:
    """Return for each attribute its concepts: forms by language."""
    found: dict[str, list[dict[str, list[str]]]] = {}
    for line in (FOLDER / "words.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            group, *cells = line.split("\t")
            forms = {tag: cell.split("|") for tag, cell in zip(LANGUAGES, cells, strict=True)}
            found.setdefault(group, []).append(forms)
    return found


def forms(attribute: str, concept: int, language: str) -> list[str]:
    """Return how a language calls a concept."""
    return _words()[attribute][concept][language]


@lru_cache(maxsize=1)
def _phrases() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "phrases.toml").read_text(encoding="utf-8"))


def make_tasks(count: int, *, seed: int) -> list[Made]:
    """Return so many tasks; a larger count begins with the same ones."""
    luck = random.Random(seed)  # noqa: S311 - repeatable on purpose
    return [_make(luck) for _ in range(count)]


def _make(luck: random.Random) -> Made:
    language = luck.choice(LANGUAGES)
    phrases, concepts = _phrases()[language], _words()
    chosen = {group: luck.randrange(len(rows)) for group, rows in concepts.items()}
    said = {group: concepts[group][number][language][0] for group, number in chosen.items()}
    name = ""
    if luck.random() < _NAMED:
        name = "".join(luck.choice(_SYLLABLES) for _ in range(luck.choice((2, 3)))).capitalize()
    goal = phrases["goal"].format(name=name, **said)
    if luck.random() < _SAYS_MORE:
        goal += " " + luck.choice(phrases["more"])
    summary = phrases["done"].format(name=name, **said) if luck.random() < _SUMMED_UP else ""
    objects: tuple[str, ...] = ()
    if luck.random() < _HAS_OBJECTS:
        objects = (f"{said['motif']} 2", f"{said['kind']} {name}")
    return Made(
        task_id=UUID(int=luck.getrandbits(128), version=4),
        language=language,
        concepts=chosen,
        name=name,
        title=" ".join(phrases["title"].format(name=name, **said).split())[:80],
        goal=" ".join(goal.split()),
        summary=summary,
        objects=objects,
    )


def make_queries(tasks: Sequence[Made], count: int, *, seed: int) -> list[Query]:
    """Return queries, each for a task chosen from all of them."""
    luck = random.Random(seed)  # noqa: S311 - repeatable on purpose
    alike: dict[tuple[str, ...], Counter[Any]] = {
        attributes: Counter(tuple(task.value(one) for one in attributes) for task in tasks)
        for size in range(1, len(ATTRIBUTES) + 1)
        for attributes in combinations(ATTRIBUTES, size)
        if size <= _TOLD_APART or "name" not in attributes
    }
    queries: list[Query] = []
    names, shares = list(_HOW), list(_HOW.values())
    while len(queries) < count:
        task, how = luck.choice(tasks), luck.choices(names, shares)[0]
        kept = _KEPT if how == "partly other language" else ATTRIBUTES
        chosen = _distinguishing(task, kept, alike, luck)
        if chosen and kept == _KEPT:
            chosen.insert(luck.randrange(len(chosen) + 1), "kind")
        if chosen:
            queries.append(_ask(task, chosen, how, luck))
    return queries


def _distinguishing(
    task: Made,
    among: Sequence[str],
    alike: dict[tuple[str, ...], Counter[Any]],
    luck: random.Random,
) -> list[str]:
    """Return attributes that single the task out, in random order; none if it has a double."""
    available = [one for one in among if one != "name" or task.name]
    luck.shuffle(available)
    wanted = luck.choices(list(_WANTED), list(_WANTED.values()))[0]
    for size in range(min(wanted, len(available)), len(available) + 1):
        chosen = available[:size]
        key = tuple(one for one in ATTRIBUTES if one in chosen)
        if key in alike and alike[key][tuple(task.value(one) for one in key)] <= MOST_ALIKE:
            return chosen
    return []


def _ask(task: Made, chosen: list[str], how: str, luck: random.Random) -> Query:
    language = task.language
    if "other language" in how:
        language = luck.choice([one for one in LANGUAGES if one != task.language])
    kept = _KEPT if how == "partly other language" else ()
    phrases = _phrases()[language]
    parts: list[str] = []
    for attribute in chosen:
        word = task.name
        if attribute != "name":
            spoken = task.language if attribute in kept else language
            word = luck.choice(_words()[attribute][task.concepts[attribute]][spoken])
        parts.append(luck.choice(phrases["parts"][attribute]).format(x=word))
    thing = ("" if language in UNSPACED else " ").join(parts)
    if how == "mistyped":
        thing = _mistype(thing, luck)
    before, after = luck.choice(phrases["around"])
    text = f"{before} {thing} {after}".strip()
    return Query(text=text, language=language, how=how, wanted=task.task_id)


def _mistype(text: str, luck: random.Random) -> str:
    """Return the text with one slip: two letters of a longer word swapped, one lost or doubled."""
    words = text.split(" ")
    long = [number for number, word in enumerate(words) if len(word) >= LEAST_TO_SLIP]
    if not long:
        return text
    number = luck.choice(long)
    word = words[number]
    at = luck.randrange(1, len(word) - 1)
    slips = (
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
    )
    words[number] = luck.choice(slips)
    return " ".join(words)
