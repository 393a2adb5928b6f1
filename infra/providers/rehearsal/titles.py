"""Short titles from a person's own words: whole phrases, never ending in a small word."""

import itertools
import re
from functools import cache

from infra.providers.rehearsal.lexicon import EDGE, fold, is_unspaced, pattern, words

_CHARACTERS, _SIGNS = 42, 20
_WORDS = 8
_FEWEST_WORDS, _FEWEST_CHARACTERS = 3, 14
_GERMAN_ARTICLES = frozenset(
    {"der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines"}
)
_QUOTES = (("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("『", "』"), ("(", ")"), ('"', '"'))


def title_from(subject: str, language: str) -> str:
    """Return a title for a work about a subject in that language."""
    subject = balanced(subject).strip(EDGE)
    if language == "de":
        subject = _without_german_article(subject)
    else:
        match = pattern("lead.dropped_article").match(fold(subject))
        if match is not None and subject[match.end() : match.end() + 1] == " ":
            subject = subject[match.end() :]
    subject = shortened(subject.strip())
    return subject[:1].upper() + subject[1:]


def shortened(text: str) -> str:
    """Return a text, or as much of it as is short enough and stands by itself."""
    if is_unspaced(text):
        return _unspaced(text)
    parts = text.split()
    if len(parts) <= _WORDS and len(text) <= _CHARACTERS:
        return _ended(parts)
    if (clause := _before_clause(parts)) is not None:
        return shortened(clause)
    ends = [
        place for place, word in enumerate(parts) if place and _is_joint(parts[place - 1], word)
    ]
    fits = [end for end in ends if end <= _WORDS and len(" ".join(parts[:end])) <= _CHARACTERS]
    for end in reversed(fits):
        shown = _ended(parts[:end])
        if end >= _FEWEST_WORDS or len(shown) >= _FEWEST_CHARACTERS:
            return shown
    if ends and ends[0] <= 1 and len(" ".join(parts[: ends[0] + 3])) > _CHARACTERS:
        return shortened(" ".join(_begun(parts[ends[0] :])))
    lengths = itertools.accumulate(len(word) + 1 for word in parts[:_WORDS])
    count = sum(length <= _CHARACTERS + 1 for length in lengths)
    return _ended(parts[: max(1, count)])[:_CHARACTERS]


def _before_clause(parts: list[str]) -> str | None:
    """Return what stands before a relative clause, if that is more than a word."""
    for place in range(2, len(parts)):
        opens = fold(parts[place]).strip(EDGE) in _listed("relative")
        if opens and (place >= _FEWEST_WORDS or parts[place - 1].endswith(",")):
            return " ".join(parts[:place]).rstrip(" ,")
    return None


def _is_joint(before: str, word: str) -> bool:
    is_genitive = word in ("der", "des") and before[:1].isupper()
    return before.endswith((",", ";", ":")) or fold(word) in _listed("joint") or is_genitive


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(words(f"title.{name}").split("|"))


def _is_small(word: str) -> bool:
    bare = fold(word).strip(EDGE)
    if bare != word.lower().strip(EDGE) and bare not in _ACCENTED:
        return False
    return not bare or bare in _listed("joint") | _listed("small")


_ACCENTED = frozenset({"a", "e", "el", "fur", "la", "mas", "ou", "piu", "sao", "tres", "uber"})
"""Small words that are written with an accent; `thé` is none."""


def _ended(parts: list[str]) -> str:
    """Return the words without small ones at their end."""
    while len(parts) > 1 and _is_small(parts[-1]):
        parts = parts[:-1]
    return balanced(" ".join(parts)).rstrip(" ,;:–—-")


def _begun(parts: list[str]) -> list[str]:
    """Return the words without small ones at their beginning."""
    while len(parts) > 1 and _is_small(parts[0]):
        parts = parts[1:]
    return parts


def _korean(text: str) -> str:
    """Return the end of a phrase: what it is about stands last."""
    parts = text.split()
    while len(parts) > 1 and (len(" ".join(parts)) > _KOREAN or len(parts[0]) == 1):
        parts = parts[1:]
    return " ".join(parts)[:_SIGNS]


_KOREAN = 14


def _unspaced(text: str) -> str:
    if len(text) <= _SIGNS:
        return text
    if re.search(r"[\uac00-\ud7a3]\s", text) is not None:
        return _korean(text)
    cuts = [match.start() for match in re.finditer(r"[、，,：:·]|(?<=.)\s|(?<=[のと的和])", text)]
    fits = [cut for cut in cuts if _SIGNS // 3 <= cut <= _SIGNS]
    shown = text[: fits[-1]] if fits else text[:_SIGNS]
    return re.sub(r"[のと的和、，\s]+$", "", shown)


def balanced(text: str) -> str:
    """Return a text without quotation marks and brackets that have lost their other half."""
    for opening, closing in _QUOTES:
        is_same = opening == closing
        uneven = text.count(opening) % 2 if is_same else text.count(opening) != text.count(closing)
        if uneven and not (opening == "“" and "„" in text):
            text = text.replace(opening, "").replace(closing, "")
    return text


def _without_german_article(subject: str) -> str:
    """Drop the article where what is left is a title: adjectives would need another ending."""
    article, _, rest = subject.partition(" ")
    article = article.lower()
    if article not in _GERMAN_ARTICLES or not rest:
        return subject
    if rest[0].isupper() or article in ("ein", "eine"):
        return rest
    if article in ("das", "die"):
        return subject
    noun = re.search(r"(?<=\s)[A-ZÄÖÜ].*", rest)
    return noun.group() if noun else subject
