"""Sentences in the person's language, with values said as people say them.

The sentences are in `phrases.toml`, the names of moods, styles and colours in `look_names.toml`.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import cast

from babel import Locale
from babel.lists import format_list
from babel.units import format_unit

from infra.providers.rehearsal.lexicon import base, speak_language

_PHRASES: Mapping[str, Mapping[str, str]] = tomllib.loads(
    (Path(__file__).parent / "phrases.toml").read_text(encoding="utf-8")
)
_LOOKS: Mapping[str, Mapping[str, Mapping[str, str]]] = tomllib.loads(
    (Path(__file__).parent / "look_names.toml").read_text(encoding="utf-8")
)
_MINUTE = 60


def say(key: str, language: str, /, **values: object) -> str:
    """Return a sentence in a language, in English if it is none of ours."""
    return _PHRASES[speak_language(language)][key].format(**values)


def knows(key: str) -> bool:
    """Whether there is a sentence of this name."""
    return key in _PHRASES["en"]


def join(sentences: Iterable[str], language: str) -> str:
    """Return sentences as one paragraph."""
    space = "" if speak_language(language) in ("zh", "ja") else " "
    return space.join(sentence for sentence in sentences if sentence)


def listed(items: Iterable[str], language: str) -> str:
    """Return items as people list them: a, b and c."""
    return format_list([item for item in items if item], locale=_locale(language))


def length(seconds: float, language: str) -> str:
    """Return a length of time in words; full minutes as minutes."""
    whole = seconds >= 2 * _MINUTE and seconds % _MINUTE == 0
    value, unit = (seconds / _MINUTE, "minute") if whole else (seconds, "second")
    shown = int(value) if value == int(value) else round(value, 1)
    return format_unit(shown, f"duration-{unit}", length="long", locale=_locale(language))


def language_name(tag: str, language: str) -> str:
    """Return the name of a language in a language."""
    names = cast("Mapping[str, str]", _locale(language).languages)
    return names.get(base(tag), tag)


def look_name(section: str, key: str, language: str) -> str:
    """Return how a mood, style, colour or form is called; what has no name is its own."""
    found = _LOOKS[section].get(key)
    return found[speak_language(language)] if found is not None else key


def size(width: int, height: int) -> str:
    """Return a picture's size."""
    return f"{width} x {height}"


def quote(text: str, language: str) -> str:
    """Return someone's own words as a quotation."""
    marks = {"de": "„“", "fr": "«»", "es": "«»", "it": "«»", "ko": "‘’", "ja": "「」"}
    opening, closing = marks.get(speak_language(language), "“”")
    gap = "\u00a0" if speak_language(language) == "fr" else ""
    return f"{opening}{gap}{text}{gap}{closing}"


@cache
def _locale(language: str) -> Locale:
    return Locale.parse(speak_language(language))
