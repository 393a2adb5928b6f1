"""Find the known words in a text: the nouns and the words of the tags, in any of nine languages.

Words of languages with spaces match whole, with common endings, or as part of a German compound.
Chinese, Japanese and Korean words match inside the run of characters, the longest first; a single
Korean syllable counts only where it stands alone or before a particle.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from infra.providers.rehearsal.languages.nouns import Noun, nouns
from infra.providers.rehearsal.themes.beats import LANGUAGES, Language
from infra.providers.rehearsal.themes.tags import TAGS

_WORD = re.compile(r"[^\W\d_]+")
_ENDINGS = ("", "s", "es", "e", "n", "en", "er", "ern", "i", "a", "o", "as", "os")
_SHORTEST_STEM = 4
_SHORTEST_IN_COMPOUND = 5
_SHORTEST_FOREIGN = 5
_COMPOUND_SHARE = 0.9
_PARTICLES = frozenset(
    [
        "은",
        "는",
        "이",
        "가",
        "을",
        "를",
        "의",
        "에",
        "와",
        "과",
        "도",
        "로",
        "으로",
        "에서",
        "만",
        "들",
        "이야기",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A known word in a text; `share` is 1 for the word itself, less for a part of one."""

    start: int
    end: int
    tag: str
    noun: Noun | None
    share: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    word: str
    language: Language | None
    """None for a word of a tag, whose language is not kept."""
    tag: str
    noun: Noun | None


def find(text: str, language: str) -> list[Hit]:
    """Return the known words of a text in their order; words of its own language go first."""
    hits = [*_spaced(text, language), *_unspaced(text)]
    return sorted(hits, key=lambda hit: hit.start)


@cache
def _entries() -> tuple[_Entry, ...]:
    return (*_of_nouns(), *_of_tags())


def _of_nouns() -> Iterator[_Entry]:
    for noun in nouns():
        for language in LANGUAGES:
            for word in noun.words(language):
                yield _Entry(word=word.casefold(), language=language, tag=noun.tag, noun=noun)


def _of_tags() -> Iterator[_Entry]:
    for key, tag in TAGS.items():
        for word in tag.words.split():
            plain = word.replace("_", " ").casefold()
            yield _Entry(word=plain, language=None, tag=key, noun=None)


@cache
def _latin() -> dict[str, tuple[_Entry, ...]]:
    table: dict[str, list[_Entry]] = {}
    for entry in _entries():
        if not _is_asian(entry.word[0]):
            table.setdefault(entry.word, []).append(entry)
    return {word: tuple(entries) for word, entries in table.items()}


@cache
def _asian() -> tuple[_Entry, ...]:
    found = [entry for entry in _entries() if _is_asian(entry.word[0])]
    return tuple(sorted(found, key=lambda entry: -len(entry.word)))


def _spaced(text: str, language: str) -> list[Hit]:
    folded = text.casefold()
    hits = list(_phrases(folded, language))
    covered = [(hit.start, hit.end) for hit in hits]
    for match in _WORD.finditer(folded):
        if any(start <= match.start() < end for start, end in covered):
            continue
        hits += _of_token(match.group(), match.start(), language)
    return hits


def _phrases(folded: str, language: str) -> Iterator[Hit]:
    for word, entries in _latin().items():
        if " " not in word:
            continue
        for match in re.finditer(rf"\b{re.escape(word)}\b", folded):
            entry = _fitting(entries, language)
            if entry:
                yield _hit(entry, match.start(), match.end())


def _of_token(token: str, start: int, language: str) -> list[Hit]:
    for ending in _ENDINGS:
        stem = token.removesuffix(ending)
        if ending and (stem == token or len(stem) < _SHORTEST_STEM):
            continue
        entry = _fitting(_latin().get(stem, ()), language)
        if entry:
            return [_hit(entry, start, start + len(token))]
    return _of_compound(token, start) if language == "de" else []


def _of_compound(token: str, start: int) -> list[Hit]:
    parts = [
        (token.endswith(word), len(word), entry)
        for word, entries in _latin().items()
        if len(word) >= _SHORTEST_IN_COMPOUND
        and len(token) > len(word)
        and (token.endswith(word) or token.startswith(word))
        for entry in entries
        if entry.language in {"de", None}
    ]
    # The last part of a German compound is what it names.
    parts.sort(key=lambda part: (part[0], part[1]), reverse=True)
    kept = {entry.tag: entry for _, _, entry in reversed(parts)}
    return [_hit(entry, start, start + len(token), _COMPOUND_SHARE) for entry in kept.values()]


def _fitting(entries: tuple[_Entry, ...], language: str) -> _Entry | None:
    """Return the entry of the text's own language, else a word too long to be a coincidence."""
    own = [entry for entry in entries if entry.language in {language, None}]
    if own:
        return own[0]
    return next((entry for entry in entries if len(entry.word) >= _SHORTEST_FOREIGN), None)


def _unspaced(text: str) -> list[Hit]:
    hits: list[Hit] = []
    rest = text
    for entry in _asian():
        place = rest.find(entry.word)
        while place >= 0:
            end = place + len(entry.word)
            if len(entry.word) > 1 or not _is_hangul(entry.word) or _stands_alone(rest, place):
                hits.append(_hit(entry, place, end))
                rest = rest[:place] + "\x00" * len(entry.word) + rest[end:]
            place = rest.find(entry.word, place + 1)
    return hits


def _stands_alone(text: str, place: int) -> bool:
    if place and _is_hangul(text[place - 1]):
        return False
    tail = re.match(r"[\uac00-\ud7a3]*", text[place + 1 :])
    ending = tail.group() if tail else ""
    return not ending or ending in _PARTICLES


def _hit(entry: _Entry, start: int, end: int, share: float = 1.0) -> Hit:
    return Hit(start=start, end=end, tag=entry.tag, noun=entry.noun, share=share)


def _is_asian(sign: str) -> bool:
    return "\u3040" <= sign <= "\u30ff" or "\u3400" <= sign <= "\u9fff" or _is_hangul(sign)


def _is_hangul(sign: str) -> bool:
    return "\uac00" <= sign <= "\ud7a3"
