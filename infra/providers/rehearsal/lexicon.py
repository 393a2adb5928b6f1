"""The words by which wishes are recognised, compiled from the `.toml` files here.

Texts are folded before they are matched: one character stays one character, so a place in the
folded text is the same place in the person's own words.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

LETTER = "a-z0-9ßœæøłđ"
FIRST_UNSPACED = "\u2e80"
"""From here on are the scripts that write without spaces, or glue particles to words."""
SPEAKS = ("en", "de", "ko", "zh", "es", "fr", "it", "pt", "ja")
"""The languages in which the rehearsal model writes."""
CLAUSE_END = re.compile(r"[,，、;；:：()（）]|\s[-–—]\s")
EDGE = " \t\n.,;:!?¿¡…。、，！？：；·-–—()[]{}<>\"“”„«»‘’'*_#/"
"""What may stand around a phrase without belonging to it."""
_APOSTROPHES = "'’`\u00b4\u02bc"
_LATIN_END = 0x250
_LATIN_EXTRA = (0x1E00, 0x1EFF)
_READ_CHARACTERS = 6000

_FILES = ("words.toml", "talk.toml", "works.toml")


def _read_table() -> Mapping[str, Mapping[str, Any]]:
    """Return all files as one table; a section may be spread over several."""
    table: dict[str, dict[str, Any]] = {}
    for name in _FILES:
        found = tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
        for section, listed in found.items():
            table.setdefault(section, {}).update(listed)
    return table


_TABLE: Mapping[str, Mapping[str, Any]] = _read_table()


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A place in a text."""

    start: int
    end: int


def clip(text: str) -> str:
    """Return the part of a text that is read: its beginning, in composed, real characters."""
    real = text[:_READ_CHARACTERS].encode(errors="ignore").decode()
    return unicodedata.normalize("NFC", real)


@lru_cache(maxsize=256)
def fold(text: str) -> str:
    """Return the text without case and accents, character for character."""
    return "".join(_fold(character) for character in text)


@cache
def _fold(character: str) -> str:
    if character in _APOSTROPHES:
        return " "
    code = ord(character)
    if code < _LATIN_END or _LATIN_EXTRA[0] <= code <= _LATIN_EXTRA[1]:
        character = unicodedata.normalize("NFD", character)[0]
    else:
        compatible = unicodedata.normalize("NFKC", character)
        character = compatible if len(compatible) == 1 else character
    lower = character.lower()
    return lower if len(lower) == 1 else character


def base(tag: str) -> str:
    """Return the primary language of a BCP 47 tag."""
    return tag.strip().lower().replace("_", "-").partition("-")[0]


def is_unspaced(text: str) -> bool:
    """Whether a text is mostly in Chinese, Japanese or Korean."""
    letters = [character for character in text if character.isalpha()]
    return sum(character >= FIRST_UNSPACED for character in letters) * 3 > len(letters)


def entries(section: str) -> Mapping[str, Any]:
    """Return a section of the table."""
    found: Any = _TABLE
    for name in section.split("."):
        found = found[name]
    return found


def words(name: str) -> str:
    """Return the alternatives under a name, of all languages, as one string."""
    section, _, key = name.rpartition(".")
    found = entries(section)[key] if section else _TABLE[key]
    return found if isinstance(found, str) else "|".join(str(value) for value in found.values())


@cache
def pattern(*names: str) -> re.Pattern[str]:
    """Return the pattern that matches any of the words under these names."""
    return re.compile(alternatives("|".join(words(name) for name in names)))


@cache
def patterns(section: str) -> Mapping[str, re.Pattern[str]]:
    """Return one pattern for each key of a section."""
    return {key: pattern(f"{section}.{key}") for key in entries(section)}


@cache
def alternatives(listed: str) -> str:
    """Return the regular expression of alternatives, the longest first."""
    phrases = sorted(set(listed.split("|")), key=lambda phrase: (-len(phrase), phrase))
    latin = [_latin(phrase) for phrase in phrases if phrase and phrase < FIRST_UNSPACED]
    others = [_unspaced(phrase) for phrase in phrases if phrase >= FIRST_UNSPACED]
    parts = [rf"(?<![{LETTER}])(?:{'|'.join(latin)})(?![{LETTER}])"] if latin else []
    return f"(?:{'|'.join([*parts, *others])})"


def _latin(phrase: str) -> str:
    tokens = [re.escape(token).replace(r"\*", f"[{LETTER}]*") for token in fold(phrase).split()]
    anything = f"[{LETTER}]*"
    spelled = [r"\S+(?:\s+\S+){0,3}?" if token == anything else token for token in tokens]
    return r"[\s\-]+".join(spelled)


def _unspaced(phrase: str) -> str:
    return r"\s*".join(re.escape(fold(part)) for part in phrase.split(" ") if part)


def has(name: str, folded: str) -> bool:
    """Whether a folded text contains any word under a name."""
    return pattern(name).search(folded) is not None


def spans(name: str, folded: str) -> Iterator[Span]:
    """Yield the places of all words under a name."""
    for match in pattern(name).finditer(folded):
        yield Span(start=match.start(), end=match.end())


def blank(text: str, places: Iterator[Span] | list[Span]) -> str:
    """Return the text with these places overwritten by spaces."""
    characters = list(text)
    for place in places:
        characters[place.start : place.end] = " " * (place.end - place.start)
    return "".join(characters)


def speak_language(tag: str) -> str:
    """Return the language to write in for a tag: its own, or English."""
    primary = base(tag)
    return primary if primary in SPEAKS else "en"


def language_of(text: str, tagged: str) -> str:
    """Return the language of a text; small words correct a tag that was guessed from little."""
    if is_unspaced(text) or base(tagged) not in entries("function"):
        return tagged or "en"
    found = re.findall(f"[{LETTER}]+", fold(clip(text)))
    hits = {tag: sum(word in listed for word in found) for tag, listed in _function_words().items()}
    best = max(hits, key=lambda tag: (hits[tag], tag == base(tagged)))
    if not hits[best]:
        return tagged if base(tagged) in SPEAKS else "en"
    return tagged if hits[best] <= hits[base(tagged)] else best


@cache
def _function_words() -> Mapping[str, frozenset[str]]:
    return {tag: frozenset(listed.split("|")) for tag, listed in entries("function").items()}


type Kind = Literal["film", "image", "narration", "music", "document", "model3d"]

_KINDS: tuple[Kind, ...] = ("film", "image", "narration", "music", "document", "model3d")


def kind_heads(folded: str) -> Iterator[tuple[Kind, Span]]:
    """Yield every place where a kind of work is named."""
    for kind in _KINDS:
        for match in _kind_pattern(kind).finditer(folded):
            yield kind, Span(start=match.start(), end=match.end())


@cache
def _kind_pattern(kind: str) -> re.Pattern[str]:
    return re.compile(alternatives(words(f"kinds.{kind}")))
