"""The words of a text as the keyword search compares them, in any script.

Case and accents are folded, also German transliteration (`ae` for `ä`). A word gives some
lexemes: itself, its stem (endings of the European languages cut off), its beginning (`bakin<`) and
its end (`>akery`). Beginning and end are what inflected, compounded and mistyped words still
share. Scripts without spaces, and Korean, whose words carry their particles, give pairs of
neighbouring signs.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

MOST_CHARACTERS = 2000
MOST_WORDS = 120
_LONGEST = 32
_EDGE = 5

_LETTERS = str.maketrans("łøđðı\u0153æþς\u0649\u0629", "loddioatσ\u064a\u0647", "\u0640’'")  # noqa: RUF001
_TRANSLITERATED = re.compile(r"([aou])e")
_MARKS = (range(1, 2), range(10, 37), range(200, 241))
"""Combining classes of accents and of vowel points; those of Indic vowels are others."""
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    r"\U00020000-\U0002fa1f]+"
)
_ENDINGS = (
    (re.compile(r"[a-z]"), "aeiouynsrm", 4),
    (re.compile(r"[\u0400-\u04ff]"), "аеиоуыэюяьъмвх", 3),
    (re.compile(r"[\u0370-\u03ff]"), "αειουωησν", 4),
)
_ARABIC_ARTICLE = re.compile(r"^[وبفك]?(?:ال|لل)(?=\w{3})")


@dataclass(frozen=True, slots=True)
class Word:
    """One word, with its lexemes and how much each says about it (together at most 1)."""

    lexemes: tuple[tuple[str, float], ...]


def words(text: str, *, most: int = MOST_WORDS) -> list[Word]:
    """Return the different words of a text in their order, at most so many."""
    found: dict[str, Word] = {}
    for run in _runs(fold(text[:MOST_CHARACTERS])):
        for word in _words_of(run):
            found.setdefault(word.lexemes[0][0], word)
            if len(found) >= most:
                return list(found.values())
    return list(found.values())


def lexemes(*texts: str, most: int = MOST_WORDS) -> list[str]:
    """Return all different lexemes of several texts, the first texts' first."""
    found: dict[str, None] = {}
    left = most
    for text in texts:
        said = words(text, most=left) if left else []
        left -= len(said)
        for word in said:
            found.update((lexeme, None) for lexeme, _ in word.lexemes)
    return list(found)


def fold(text: str) -> str:
    """Return the text without what people write in different ways: case, accents, `ae` for `ä`."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(sign for sign in decomposed if not _is_mark(sign))
    folded = unicodedata.normalize("NFC", kept).casefold().translate(_LETTERS)
    return _TRANSLITERATED.sub(r"\1", folded)


def _is_mark(sign: str) -> bool:
    kind = unicodedata.combining(sign)
    return kind > 0 and any(kind in marks for marks in _MARKS)


def _runs(text: str) -> Iterator[str]:
    """Yield what letters, digits and their marks make up without a break."""
    run: list[str] = []
    for sign in text:
        if unicodedata.category(sign)[0] in "LNM":
            run.append(sign)
        elif run:
            yield "".join(run)
            run = []
    if run:
        yield "".join(run)


def _words_of(run: str) -> Iterator[Word]:
    end = 0
    for match in _UNSPACED.finditer(run):
        if match.start() > end:
            yield _spaced(run[end : match.start()])
        yield from _pairs(match.group())
        end = match.end()
    if end < len(run):
        yield _spaced(run[end:])


def _pairs(run: str) -> Iterator[Word]:
    if len(run) == 1:
        yield Word(((run, 0.5),))
    for first, second in itertools.pairwise(run):
        yield Word(((first + second, 0.6),))


def _spaced(word: str) -> Word:
    word = _ARABIC_ARTICLE.sub("", word)[:_LONGEST]
    if word.isdigit() or len(word) <= 3:  # noqa: PLR2004 - too short to have a stem
        return Word(((word, 1.0),))
    stem = _stem(word)
    forms = {word: 0.25, f"{stem}~": 0.25}
    if len(word) > _EDGE:
        forms[f"{word[:_EDGE]}<"] = 0.15
        forms[f">{word[-_EDGE:]}"] = 0.1
        forms.setdefault(f">{stem[-_EDGE:]}", 0.05)
    if len(word) >= _EDGE:
        forms["=" + "".join(sorted(set(word)))] = 0.2
    return Word(tuple(forms.items()))


def _stem(word: str) -> str:
    for script, endings, least in _ENDINGS:
        if script.match(word):
            end = len(word)
            while end > least and word[end - 1] in endings:
                end -= 1
            return word[:end]
    return word
