"""From the times of characters to those of words, in the form that captions are made of.

The words are those of our own narration: together they are all of the text except its spaces. If
what the vendor timed is not this text, the words are those that it timed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from infra.providers.http.answers import object_of
from infra.providers.local.provider import NARRATION_LANGUAGES
from infra.providers.local.speech.words import split_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A character and when it is heard, in seconds."""

    text: str
    start_s: float
    end_s: float


def heard_in(alignment: Any) -> list[Heard]:
    """Return the characters of an alignment; none if it is not whole."""
    given = object_of(alignment)
    lists = [
        _list(given.get(name))
        for name in (
            "characters",
            "character_start_times_seconds",
            "character_end_times_seconds",
        )
    ]
    if len({len(each) for each in lists}) != 1:
        return []
    heard: list[Heard] = []
    latest = 0.0
    for text, start, end in zip(*lists, strict=True):
        if not isinstance(text, str) or not isinstance(start, int | float):
            return []
        if not isinstance(end, int | float):
            return []
        first = max(float(start), latest)
        latest = max(float(end), first)
        heard.append(Heard(text=text, start_s=first, end_s=latest))
    return heard


def words_of(text: str, language: str, heard: Sequence[Heard], duration_s: float) -> dict[str, Any]:
    """Return the timings of a narration; without any from the vendor, by the words' lengths."""
    words = _written(text, language.partition("-")[0].lower())
    letters = [each for each in heard if each.text.strip()]
    if not letters:
        timed = list(_spread(words, duration_s))
    elif _letters("".join(words)) == _letters("".join(each.text for each in letters)):
        timed = list(_grouped(words, letters))
    else:
        timed = list(_as_timed(heard))
    return {
        "duration_s": round(duration_s, 4),
        "words": [
            {
                "text": each.text,
                "start_s": round(min(each.start_s, duration_s), 3),
                "end_s": round(min(each.end_s, duration_s), 3),
            }
            for each in timed
        ],
    }


def _written(text: str, language: str) -> list[str]:
    """Return the words with their signs: as our own narration cuts them, else at the spaces."""
    if language in NARRATION_LANGUAGES:
        return [word.text for word in split_words(text, language)]
    return text.split()


def _letters(text: str) -> str:
    return "".join(text.split())


def _grouped(words: list[str], letters: list[Heard]) -> Iterator[Heard]:
    """Give each word the time of its letters; an alignment may have several in one place."""
    waiting = iter(letters)
    for word in words:
        parts: list[Heard] = []
        while sum(len(_letters(part.text)) for part in parts) < len(_letters(word)):
            part = next(waiting, None)
            if part is None:
                break
            parts.append(part)
        if parts:
            yield Heard(text=word, start_s=parts[0].start_s, end_s=parts[-1].end_s)


def _as_timed(heard: Sequence[Heard]) -> Iterator[Heard]:
    parts: list[Heard] = []
    for each in [*heard, Heard(text=" ", start_s=0.0, end_s=0.0)]:
        if each.text.strip():
            parts.append(each)
        elif parts:
            text = "".join(_letters(part.text) for part in parts)
            yield Heard(text=text, start_s=parts[0].start_s, end_s=parts[-1].end_s)
            parts = []


def _spread(words: list[str], duration_s: float) -> Iterator[Heard]:
    total = sum(map(len, words)) or 1
    done = 0
    for word in words:
        start, done = done, done + len(word)
        yield Heard(text=word, start_s=duration_s * start / total, end_s=duration_s * done / total)


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
