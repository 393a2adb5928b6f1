"""How much the words of a message are those by which a task is known.

Words of form (kinds of works, numbers, verbs of making and changing) say nothing about a subject
and are left out on both sides. What is left is compared as stems in Latin scripts, compounds by
their parts too, and as pairs of signs elsewhere. A word that all tasks share tells none of them
apart, so what few share counts more.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from infra.providers.rehearsal.lexicon import (
    LETTER,
    clip,
    entries,
    fold,
    is_unspaced,
    pattern,
    words,
)

_LONG_ENOUGH = 3
_STEM = 4
_PART = 4
_COMPOUND = 7
_ENDINGS = "aeiouynsrm"
_INDEFINITE = 0.35
"""How much a word after an indefinite article counts: `add a bear` names no task about bears."""
_PAIR = 0.6
_IN_WORD = 0.6
_ALONE, _WITHIN = 0.5, 0.2
"""How much a single sign says by itself, and as a part of a longer word."""
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_HANGUL = re.compile(r"[\uac00-\ud7af]+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA_ONLY = re.compile(r"[\u3040-\u309f]+")
_SYLLABLES = frozenset(
    "줘요분초장개해주것거게네나고는을를의도로만이가은와과에데지다면니까서중편곡점번째"
)
"""What is left of endings and units where a word of form was cut out."""
_PARTICLE = re.compile(
    r"(?:에서는|에서도|에서|에게는|에게|한테|으로는|으로|이랑|까지|부터|처럼|보다|하고|에는|에도|은요"
    r"|은|는|이|가|을|를|의|에|도|로|와|과|만|랑|님)$"
)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text that name a subject, each with its weight."""

    weights: Mapping[str, float] = field(default_factory=dict[str, float])

    def __bool__(self) -> bool:
        return bool(self.weights)


def said_words(text: str) -> Words:
    """Return the words of a message; those of indefinite things count less."""
    asked = ("ask.request", "act.wish", "verbs.make", "verbs.draw", "verbs.write")
    found = fold(clip(text))
    if not is_unspaced(found):
        found = pattern(*asked, "spec.polite", "lead.latin").sub(
            lambda match: " " * len(match.group()), found
        )
    return _read(found, weighs_articles=True)


def known_words(*texts: str) -> frozenset[str]:
    """Return the words by which something is known."""
    return frozenset(unit for text in texts for unit in _read(text, weighs_articles=False).weights)


@lru_cache(maxsize=512)
def _read(text: str, *, weighs_articles: bool) -> Words:
    folded = fold(clip(text))
    found: dict[str, float] = {}
    for unit, weight in (*_latin(folded, weighs_articles=weighs_articles), *_unspaced(folded)):
        found[unit] = max(weight, found.get(unit, 0.0))
    return Words(found)


def _latin(folded: str, *, weighs_articles: bool) -> Iterable[tuple[str, float]]:
    weight, since = 1.0, 0
    for match in re.finditer(f"[{LETTER}]+|[.,;:!?]", folded):
        word = match.group()
        if weighs_articles and word in _indefinite_articles():
            weight, since = _INDEFINITE, 0
            continue
        since += 1
        if since > 2 or not word[0].isalnum() or word in _known_articles():  # noqa: PLR2004
            weight = 1.0
        if len(word) < _LONG_ENOUGH or word in _small_words():
            continue
        yield from ((unit, weight * share) for unit, share in _units(word))


@lru_cache(maxsize=4096)
def _units(word: str) -> tuple[tuple[str, float], ...]:
    """Return a word's stem, or of a compound with a kind of work (`bee film`) what is before it."""
    if word.isdigit():
        return ((f"#{word}", 0.3),)
    kind = _kind_ending().search(word)
    if kind is not None and kind.start() >= _PART:
        return ((stem(word[: kind.start()].rstrip("s") or word), 1.0),)
    if kind is not None and kind.start() == 0:
        return ()
    return ((stem(word), 1.0),)


def stem(word: str) -> str:
    """Return a word of a Latin script without its ending."""
    end = len(word)
    if word.endswith(("chs", "ss")):
        return word
    if len(word) == _STEM and word.endswith("s"):
        return word[:-1]
    while end > _STEM and word[end - 1] in _ENDINGS:
        end -= 1
    return word[:end]


@cache
def _small_words() -> frozenset[str]:
    """Words of one word that name no subject."""
    listed = [words(f"function.{tag}") for tag in entries("function")]
    listed += [words(f"stop.{tag}") for tag in ("en", "de", "es", "fr", "it", "pt", "months")]
    listed += [str(one) for one in entries("numbers").values()]
    listed += [words("title.small"), words("title.joint"), words("ask.wh"), words("refer.known")]
    listed += [words(f"work.{name}") for name in entries("work")]
    return frozenset(word for line in listed for word in fold(line).split("|") if " " not in word)


@cache
def _indefinite_articles() -> frozenset[str]:
    return frozenset(
        [
            "a",
            "an",
            "ein",
            "eine",
            "einen",
            "einem",
            "einer",
            "eines",
            "un",
            "una",
            "une",
            "uno",
            "um",
            "uma",
            "another",
            "otra",
            "otro",
            "autre",
            "outro",
            "outra",
            "altro",
            "altra",
        ]
    )


@cache
def _known_articles() -> frozenset[str]:
    return frozenset(word for word in words("refer.known").split("|") if " " not in word)


@cache
def _kind_ending() -> re.Pattern[str]:
    """What ends a German compound that names a kind of work."""
    listed = (
        "film|filme|filmen|video|videos|clip|clips|spot|spots|trailer|trailers|teaser|doku|bild"
        "|bilder|bildern|plakat|plakate|plakaten|plakats|poster|karte|karten|foto|fotos|cover"
        "|logo|zeichnung|skizze|grafik|portrat|aufkleber|etikett|banner|musik|lied|lieder|song"
        "|melodie|geschichte|geschichten|marchen|gedicht|rede|text|texte|horspiel|podcast"
        "|horbuch|rundgang|fuhrung|ansage|serie|reihe|modell"
    )
    return re.compile(rf"(?:{listed})$")


def _unspaced(folded: str) -> Iterable[tuple[str, float]]:
    for match in _UNSPACED.finditer(_without_form(folded)):
        run = match.group()
        if _HANGUL.fullmatch(run):
            run = _PARTICLE.sub("", run) if len(run) > 1 else run
            if run in _SYLLABLES:
                continue
            yield f"={run}", 1.0
            yield from ((run[i : i + 2], _PAIR) for i in range(len(run) - 1))
            continue
        if _KANA_ONLY.fullmatch(run) and len(run) >= _LONG_ENOUGH:
            yield f"={run}", 1.0
        yield from (
            (pair, _PAIR)
            for i in range(len(run) - 1)
            if not _KANA_ONLY.fullmatch(pair := run[i : i + 2])
        )
        if len(run) == 1 and _HAN.match(run):
            yield f"·{run}", _ALONE
        yield from ((f"={sign}", _WITHIN) for sign in run if _HAN.match(sign))


def _without_form(folded: str) -> str:
    return _form().sub(" ", folded)


@cache
def _form() -> re.Pattern[str]:
    """What is said of the form of works in the scripts without spaces, the longest first."""
    listed = [words(f"stop.{tag}") for tag in ("ko", "zh", "ja")]
    listed += [words(f"work.{name}") for name in entries("work")]
    phrases = {one for line in listed for one in line.split("|") if _UNSPACED.search(one)}
    longest = sorted(phrases, key=lambda one: (-len(one), one))
    spelled = "|".join(_bounded(one) for one in longest)
    return re.compile(spelled)


def _bounded(phrase: str) -> str:
    """A short Korean word of form counts only where it stands alone."""
    body = phrase if "?" in phrase else re.escape(fold(phrase))
    if _HANGUL.fullmatch(phrase) and len(phrase) <= 1:
        return rf"(?<![가-힣]){body}(?![가-힣])"
    return body


def matched(said: str, known: Iterable[str]) -> float:
    """Return how surely a word is among known ones, from 0 to 1."""
    best = 0.0
    for one in known:
        if one == said:
            return 1.0
        best = max(best, _in_compound(said, one), _in_compound(one, said))
    return best


def _in_compound(part: str, whole: str) -> float:
    if not ("a" <= part[:1] <= "z") or len(part) < _PART:
        return 0.0
    if len(part) == _PART and len(whole) < _COMPOUND:
        return 0.0
    if whole.startswith(part) or whole.endswith(part):
        return 0.8 if len(part) > _PART else _IN_WORD
    return 0.0


def scores(said: Words, tasks: Sequence[tuple[frozenset[str], frozenset[str]]]) -> list[float]:
    """Return for each task how much of what was said is about it.

    Args:
        said: the words of the message.
        tasks: of each, the words by which it is known and those that were said about it besides.
    """
    totals = [0.0] * len(tasks)
    for unit, weight in said.weights.items():
        found = [max(matched(unit, own), 0.6 * matched(unit, more)) for own, more in tasks]
        sharers = sum(1 for one in found if one)
        if not sharers:
            continue
        rarity = min(2.0, math.log2(1 + len(tasks) / sharers))
        for place, one in enumerate(found):
            totals[place] += weight * one * rarity
    return totals


def covered(said: Words, known: frozenset[str]) -> float:
    """Return which part of what was said is known, from 0 to 1."""
    every = sum(said.weights.values())
    shared = sum(weight * matched(unit, known) for unit, weight in said.weights.items())
    return shared / every if every else 0.0
