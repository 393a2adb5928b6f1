"""Find known words in free text of many languages.

Owns the matching; the words are in `lexicon.toml`, those of bodies in
`objects.toml`. Latin and Cyrillic words match whole, with the
endings of plurals and cases, or as part of a German-like compound; Chinese, Japanese and Korean
words match inside the run of characters, single Korean syllables only before a particle. Short
words of a language that the text is not in do not count ("see" is a lake in German only). A word
right after a negation ("without", "ohne", "sin") is not found. A colour word of a thing ("dark
sand") is neither an hour nor a palette, and a word of two senses takes the one its neighbours have.
"""

import re
import tomllib
import unicodedata
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

_WORD = re.compile(r"[^\W\d_]+")
_HANGUL_TAIL = re.compile(r"[\uac00-\ud7a3]*")
_COMMON_WORDS = {
    "en": "the a an of and in with on at to for from by over under into is are",
    "de": "der die das den dem des und ein eine einer eines im am mit auf von zu bei durch ist",
    "es": "el la los las un una de y en con del al por sobre para desde su",
    "fr": "le la les un une des et dans avec sur du au aux par pour sous d l",
    "it": "il lo gli una di e con sul nella nel della del al per un",
    "pt": "o os as um uma de e com no na do da ao por para em",
}
_NEGATIONS = "no not without ohne kein keine keinen nicht sin ningun ninguna sans aucun pas senza"
_PARTICLES = (
    "은 는 이 가 을 를 의 에 와 과 도 로 으로 에서 위 위에 아래 옆 속 들 들이 처럼 만 까지 위로"
)
_SHORTEST_STEM = 4
_SHORTEST_COMPOUND = 5
_SHORTEST_FOREIGN = 5
_LONGEST_ENDING = 2
_REACH_OF_NEGATION = 2
_DECOY = "none"


class Topic(StrEnum):
    """The tables of the lexicon."""

    SUBJECTS = "subjects"
    LANDS = "lands"
    SKIES = "skies"
    HOURS = "hours"
    VIEWS = "views"
    LOOKS = "looks"
    MOODS = "moods"
    COLOURS = "colours"
    OBJECTS = "objects"


_ADJECTIVES = {
    Topic.HOURS: "attributes",
    Topic.COLOURS: "attributes",
    Topic.SUBJECTS: "materials",
}
"""Which row of the lexicon names the words that may be mere adjectives of a thing."""
_SHOWN = (Topic.SUBJECTS, Topic.LANDS)
"""Topics whose whole words are no compounds in any other: a warehouse is no house."""


@dataclass(frozen=True, slots=True)
class _Entry:
    word: str
    language: str
    meaning: str


@dataclass(frozen=True, slots=True)
class _Table:
    """Whole words, phrases of several words and words of scripts without spaces."""

    latin: dict[str, tuple[_Entry, ...]]
    phrases: tuple[tuple[re.Pattern[str], str], ...]
    asian: tuple[_Entry, ...]


def meanings(text: str, topic: Topic, language: str = "") -> list[str]:
    """Return what the known words in the text mean, each once, in the order of the text."""
    table = _table(topic)
    spoken = _languages_of(text, language[:2].lower())
    phrases = _phrases(text, table)
    found = [(start, meaning) for start, _, meaning in phrases]
    # The words of a phrase are not read again: in "container ship" there is no stack of containers.
    for start, end, _ in phrases:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    if topic in _ADJECTIVES:
        text = _without_adjectives(text, _ADJECTIVES[topic])
    found += [*_latin(text, table, spoken), *_asian(text, table)]
    ordered = [meaning for _, meaning in sorted(found) if meaning != _DECOY]
    return list(dict.fromkeys(ordered))


@cache
def _lexicon() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in ("lexicon.toml", "objects.toml"):
        found |= tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    return found


@cache
def _table(topic: Topic) -> _Table:
    rows: dict[str, dict[str, str]] = {**_lexicon()[topic], **_lexicon()["decoys"]}
    latin: dict[str, list[_Entry]] = {}
    phrases: list[tuple[re.Pattern[str], str]] = []
    asian: list[_Entry] = []
    for meaning, by_language in rows.items():
        for language, words in by_language.items():
            for word in words.split():
                entry = _Entry(word, language, meaning)
                if _is_asian(word[0]):
                    asian.append(entry)
                elif "-" in word:
                    phrases.append((_phrase(word), meaning))
                else:
                    latin.setdefault(_plain(word), []).append(entry)
    asian.sort(key=lambda entry: (-len(entry.word), entry.meaning == _DECOY))
    whole = {word: tuple(entries) for word, entries in latin.items()}
    return _Table(whole, tuple(phrases), tuple(asian))


def _phrase(word: str) -> re.Pattern[str]:
    return re.compile(
        r"\b" + r"[\s\-]+".join(map(re.escape, word.split("-"))) + r"\b", re.IGNORECASE
    )


def _languages_of(text: str, asked: str) -> frozenset[str]:
    """Return the languages whose short words count: the text's own, else the asked and English."""
    votes: Counter[str] = Counter()
    tokens = [token.casefold() for token in _WORD.findall(text)]
    for language, words in _COMMON_WORDS.items():
        known = set(words.split())
        votes[language] = sum(token in known for token in tokens)
    best, count = votes.most_common(1)[0]
    if count == 0:
        return frozenset({asked, "en"})
    return frozenset(language for language, votes_of in votes.items() if votes_of == count) | {best}


def _phrases(text: str, table: _Table) -> list[tuple[int, int, str]]:
    return [
        (match.start(), match.end(), meaning)
        for pattern, meaning in table.phrases
        for match in pattern.finditer(text)
    ]


@cache
def _adjective(row: str) -> re.Pattern[str]:
    """Return what finds a row's words where the word after them is a thing."""
    words, others = ("|".join(part.split()) for part in _lexicon()[row].values())
    return re.compile(rf"\b(?:{words})(?= (?!(?:{others})\b)[a-z])", re.IGNORECASE)


def _without_adjectives(text: str, row: str) -> str:
    """Return the text without the words that only say something of the thing right after them."""
    return _adjective(row).sub(lambda match: " " * len(match.group()), text)


def _latin(text: str, table: _Table, spoken: frozenset[str]) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    # In Portuguese "no" is "in the".
    negations = set(_NEGATIONS.split()) - ({"no"} if "pt" in spoken else set[str]())
    denied_until = -1
    tokens = [(match.start(), match.group().casefold()) for match in _WORD.finditer(text)]
    for number, (start, token) in enumerate(tokens):
        if _plain(token) in negations:
            denied_until = number + _REACH_OF_NEGATION
        elif number > denied_until:
            beside = {word for _, word in _neighbours(tokens, number)}
            known = _of_token(token, table, spoken) or _of_compound(token, table, spoken)
            found += [(start, _in_company(meaning, beside)) for meaning in known]
    return found


def _neighbours(tokens: list[tuple[int, str]], number: int) -> list[tuple[int, str]]:
    """Return the word before, over a joining "of", and the word after."""
    before = number - 2 if number > 1 and tokens[number - 1][1] in {"of", "de"} else number - 1
    return [*tokens[max(before, 0) : max(before + 1, 0)], *tokens[number + 1 : number + 2]]


def _in_company(meaning: str, beside: set[str]) -> str:
    """Return what a word of two senses means beside other words."""
    others: dict[str, str] = _lexicon()["senses"].get(meaning, {})
    for other, company in others.items():
        if beside & set(company.split()):
            return other
    return meaning


def _of_token(token: str, table: _Table, spoken: frozenset[str]) -> list[str]:
    plain = _plain(token)
    cuts = [plain] + [
        plain[:-cut] for cut in range(1, _LONGEST_ENDING + 1) if len(plain) - cut >= _SHORTEST_STEM
    ]
    for stem in cuts:
        if stem != plain and any(plain in _table(topic).latin for topic in _SHOWN):
            break  # a window is no wind
        known = [entry for entry in table.latin.get(stem, ()) if _counts(entry, token, spoken)]
        if known:
            return [entry.meaning for entry in known]
    return []


def _of_compound(token: str, table: _Table, spoken: frozenset[str]) -> list[str]:
    """Return what the parts of a longer word mean, unless the whole of it is known elsewhere."""
    plain = _plain(token)
    if any(_of_token(token, _table(topic), spoken) for topic in _SHOWN):
        return []
    parts = [
        (len(word), entries[0].meaning)
        for word, entries in table.latin.items()
        if len(word) >= _SHORTEST_COMPOUND
        and len(plain) > len(word) + _LONGEST_ENDING
        and (plain.endswith(word) or plain.startswith(word))
    ]
    return [meaning for _, meaning in sorted(parts, reverse=True)]


def _counts(entry: _Entry, token: str, spoken: frozenset[str]) -> bool:
    if len(entry.word) >= _SHORTEST_FOREIGN:
        return True
    # A short word must also keep its accents: "thé" is tea, "the" is not.
    return entry.language in {*spoken, "ru"} and token.startswith(entry.word)


def _asian(text: str, table: _Table) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    rest = text
    for entry in table.asian:
        word = entry.word
        place = rest.find(word)
        while place >= 0:
            if len(word) > 1 or not _is_hangul(word) or _stands_alone(rest, place):
                found.append((place, entry.meaning))
                rest = rest[:place] + "\x00" * len(word) + rest[place + len(word) :]
            place = rest.find(word, place + 1)
    return found


def _stands_alone(text: str, place: int) -> bool:
    if place and _is_hangul(text[place - 1]):
        return False
    tail = _HANGUL_TAIL.match(text, place + 1)
    ending = tail.group() if tail else ""
    return not ending or ending in _PARTICLES.split()


def _is_asian(character: str) -> bool:
    return (
        "\u3040" <= character <= "\u30ff"
        or "\u3400" <= character <= "\u9fff"
        or _is_hangul(character)
    )


def _is_hangul(character: str) -> bool:
    return "\uac00" <= character <= "\ud7a3"


def _plain(word: str) -> str:
    folded = unicodedata.normalize("NFKD", word.casefold())
    return "".join(part for part in folded if not unicodedata.combining(part))
