"""A second way to ask for the tasks of `corpus`, on which no weight of the search was chosen.

Other sentences, other words for kinds, subjects and motifs, names of files, two slips of the finger
in one message, a few bare words. Each query is what exactly one task is: no other has all that is
said.
"""

import random
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from evals.candidates.corpus import ATTRIBUTES, FOLDER, LEAST_TO_SLIP, Made, Query, forms

LANGUAGES = ("en", "de", "es", "fr", "it", "ru", "ja", "zh", "ko")
_HOW = {
    "paraphrased": 0.2,
    "file": 0.2,
    "two slips": 0.2,
    "bare words": 0.2,
    "mixed languages": 0.1,
    "other language": 0.1,
}
_KEPT = ("subject", "place", "motif", "name")
_IN_OTHER_WORDS = ("kind", "subject", "motif")
_NEIGHBOURS = dict(zip("qwertyuiopasdfghjklzxcvbnm", "wertyuiopoasdfghjkkxcvbnmn", strict=True))

type _Key = tuple[str, ...]


@lru_cache(maxsize=1)
def _frames() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "second.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _others() -> dict[str, list[dict[str, str]]]:
    """Return for each attribute its concepts' other words by language."""
    found: dict[str, list[dict[str, str]]] = {}
    for line in (FOLDER / "second_words.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            group, *cells = line.split("\t")
            found.setdefault(group, []).append(dict(zip(LANGUAGES, cells, strict=True)))
    return found


class Asker:
    """Asks for tasks of one set of tasks, each question for exactly one of them."""

    def __init__(self, tasks: Sequence[Made], *, seed: int) -> None:
        self._luck = random.Random(seed)  # noqa: S311 - repeatable on purpose
        self._tasks = [task for task in tasks if task.language in LANGUAGES]
        self._names = {task.name.casefold() for task in tasks}
        self._alike: dict[_Key, Counter[Any]] = {}
        self._all = tasks

    def queries(self, count: int) -> list[Query]:
        """Return so many queries."""
        found: list[Query] = []
        hows, shares = list(_HOW), list(_HOW.values())
        while len(found) < count:
            how = self._luck.choices(hows, shares)[0]
            query = self._ask(self._luck.choice(self._tasks), how)
            if query is not None:
                found.append(query)
        return found

    def _ask(self, task: Made, how: str) -> Query | None:
        if how == "file":
            return self._by_file(task)
        kept = _KEPT if how == "mixed languages" else ATTRIBUTES
        chosen = self._singled_out(task, (), kept)
        if not chosen:
            return None
        language = task.language
        if "language" in how:
            language = self._luck.choice([one for one in LANGUAGES if one != task.language])
        spoken = task.language if how == "mixed languages" else language
        said = {one: self._said(task, one, spoken) for one in chosen}
        if how == "paraphrased":
            free = [one for one in chosen if one in _IN_OTHER_WORDS]
            if not free:
                return None
            one = self._luck.choice(free)
            said[one] = _others()[one][task.concepts[one]][language]
        thing = self._luck.choice(_frames()[language]["link"]).join(said.values())
        if how == "two slips":
            thing = self._slip(self._slip(thing))
        text = (
            thing.lower().replace(",", "") if how == "bare words" else self._framed(thing, language)
        )
        return Query(text=text, language=language, how=how, wanted=task.task_id)

    def _by_file(self, task: Made) -> Query | None:
        if not task.objects:
            return None
        number = self._luck.randrange(len(task.objects))
        shown = (("motif",), ("kind", "name") if task.name else ("kind",))[number]
        chosen = self._singled_out(task, shown, ATTRIBUTES)
        if not chosen:
            return None
        phrases = _frames()[task.language]
        parts = [self._luck.choice(phrases["named"]).format(x=task.objects[number].strip())]
        parts += [self._said(task, one, task.language) for one in chosen if one not in shown]
        text = self._framed(self._luck.choice(phrases["link"]).join(parts), task.language)
        return Query(text=text, language=task.language, how="file", wanted=task.task_id)

    def _framed(self, thing: str, language: str) -> str:
        return self._luck.choice(_frames()[language]["frames"]).format(x=thing)

    def _said(self, task: Made, attribute: str, language: str) -> str:
        if attribute == "name":
            return task.name
        return self._luck.choice(forms(attribute, task.concepts[attribute], language))

    def _singled_out(self, task: Made, shown: Sequence[str], among: Sequence[str]) -> list[str]:
        """Return attributes that no other task has, two at least; none if it has a double."""
        free = [one for one in among if one not in shown and (one != "name" or task.name)]
        self._luck.shuffle(free)
        for size in range(max(0, 2 - len(shown)), len(free) + 1):
            chosen = [*shown, *free[:size]]
            if self._count(task, chosen) == 1:
                return chosen
        return []

    def _count(self, task: Made, chosen: Sequence[str]) -> int:
        key = tuple(one for one in ATTRIBUTES if one in chosen)
        if key not in self._alike:
            self._alike[key] = Counter(
                tuple(other.value(one) for one in key) for other in self._all
            )
        return self._alike[key][tuple(task.value(one) for one in key)]

    def _slip(self, text: str) -> str:
        """Return the text with one slip in a longer word that makes it no other task's name."""
        words = text.split(" ")
        long = [n for n, word in enumerate(words) if len(word) >= LEAST_TO_SLIP and word.isalpha()]
        if not long:
            return text
        number = self._luck.choice(long)
        word = words[number]
        at = self._luck.randrange(1, len(word) - 1)
        beside = _NEIGHBOURS.get(word[at], word[at])
        slips = (
            word[:at] + word[at + 1 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + beside + word[at + 1 :],
        )
        slipped = self._luck.choice(slips)
        words[number] = word if slipped.casefold() in self._names else slipped
        return " ".join(words)
