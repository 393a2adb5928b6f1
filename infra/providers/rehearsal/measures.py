"""Numbers in words: lengths, counts and sizes, in nine languages and many notations."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from infra.providers.rehearsal.lexicon import (
    FIRST_UNSPACED,
    LETTER,
    Span,
    alternatives,
    entries,
    pattern,
    words,
)

_HAN = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_HANGUL = {c: i for i, c in enumerate("영일이삼사오육칠팔구")}
_TENS = {"十": 10, "百": 100, "십": 10, "백": 100}
_HAN_NUMBER = "[〇零一二两兩三四五六七八九十百]+"
_HANGUL_NUMBER = "[일이삼사오육칠팔구십백]+(?=\\s*(?:초|분|장|개|컷|편|시간))"
_JOINT = re.compile(r"\s*(?:,|and|und|y|et|e)?\s*")
_RATIOS = ((16, 9), (9, 16), (4, 3), (3, 4), (1, 1), (4, 5), (5, 4), (3, 2), (2, 3), (21, 9))
_CLOCK_BEFORE = re.compile(r"(?:\b(?:at|um|a las|alle|vers)|kl\.?)\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure(Span):
    """A number with its unit, at its place."""

    value: float


@cache
def number_pattern() -> str:
    """Return what a number looks like, in digits or words.

    Native Korean numbers are syllables of many words, so they must begin one.
    """
    listed = "|".join(entries("numbers").values()).split("|")
    latin = alternatives("|".join(word for word in listed if word < FIRST_UNSPACED))
    others = alternatives("|".join(word for word in listed if word >= FIRST_UNSPACED))
    digits = r"(?<!\d)(?<!\d[.,])\d{1,6}(?:[.,]\d{1,2})?"
    return rf"(?:{digits}|{latin}|(?<![가-힣]){others}|{_HAN_NUMBER}|{_HANGUL_NUMBER})"


@cache
def _spoken() -> dict[str, int]:
    return {
        word.replace(" ", "-"): int(value)
        for value, listed in entries("numbers").items()
        for word in listed.split("|")
    }


def number(text: str) -> float:
    """Return the value of a number in digits or words."""
    if text[:1].isdecimal() and text.isascii():
        return float(text.replace(",", "."))
    spoken = _spoken().get(re.sub(r"[\s\-]+", "-", text))
    return float(spoken) if spoken is not None else float(_positional(text))


def _positional(text: str) -> int:
    total, current = 0, 0
    for character in text:
        if character in _TENS:
            total += (current or 1) * _TENS[character]
            current = 0
        else:
            current = current * 10 + _HAN.get(character, _HANGUL.get(character, 0))
    return total + current


@cache
def _length() -> re.Pattern[str]:
    units = "|".join(f"(?P<{name}>{_unit(name)})" for name in ("second", "minute", "hour"))
    return re.compile(rf"(?P<n>{number_pattern()})[\s\-]*(?:{units})")


@cache
def _unit(name: str) -> str:
    """Units may stand directly after a digit, so only their end is a boundary."""
    listed = words(f"unit.{name}").split("|")
    latin = sorted((w for w in listed if w.isascii()), key=len, reverse=True)
    others = sorted((w for w in listed if not w.isascii()), key=len, reverse=True)
    spelled = "|".join(word.replace("*", f"[{LETTER}]*") for word in latin)
    return rf"(?:(?:{spelled})(?![{LETTER}])|{'|'.join(others)})"


_MINUTE = 60
_MOST_MINUTES = 10
_SMALLEST = 256
_UNIT_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_FIXED = {"half_minute": 30.0, "minute_and_half": 90.0}


def lengths(folded: str) -> list[Measure]:
    """Return the lengths of time in a folded text, in seconds, in their order."""
    found = [
        Measure(start=m.start(), end=m.end(), value=value)
        for name, value in _FIXED.items()
        for m in pattern(f"unit.{name}").finditer(folded)
    ]
    for match in _length().finditer(folded):
        if _is_decade(folded, match) or any(_overlap(match, one) for one in found):
            continue
        unit = next(name for name in _UNIT_SECONDS if match[name])
        seconds = number(match["n"]) * _UNIT_SECONDS[unit]
        found.append(Measure(start=match.start(), end=match.end(), value=seconds))
    found += [one for one in _clock(folded) if not any(_overlap_span(one, o) for o in found)]
    return _joined(folded, sorted(found, key=lambda one: one.start))


def _is_decade(folded: str, match: re.Match[str]) -> bool:
    """`the 90s` is a decade, `a 90s clip` is a length."""
    is_short = match["second"] == "s" and match["n"].isdecimal()
    return is_short and folded[: match.start()].rstrip().endswith(("the", "early", "late"))


def _overlap(match: re.Match[str], one: Span) -> bool:
    return match.start() < one.end and one.start < match.end()


def _overlap_span(left: Span, right: Span) -> bool:
    return left.start < right.end and right.start < left.end


def _clock(folded: str) -> Iterator[Measure]:
    """Yield `1:30`: minutes and seconds, unless it is a picture's ratio or a time of day."""
    for match in re.finditer(r"(?<![\d:])(\d{1,2}):([0-5]\d)(?![\d:])", folded):
        minutes, seconds = int(match[1]), int(match[2])
        is_time = _CLOCK_BEFORE.search(folded[: match.start()]) is not None
        if (minutes, seconds) not in _RATIOS and minutes <= _MOST_MINUTES and not is_time:
            yield Measure(start=match.start(), end=match.end(), value=minutes * 60 + seconds)


def _joined(folded: str, found: list[Measure]) -> list[Measure]:
    """Add up `2 minutes and 30 seconds`."""
    joined: list[Measure] = []
    for one in found:
        last = joined[-1] if joined else None
        if (
            last is not None
            and one.value < _MINUTE <= last.value
            and last.value % _MINUTE == 0
            and _JOINT.fullmatch(folded[last.end : one.start])
        ):
            joined[-1] = Measure(start=last.start, end=one.end, value=last.value + one.value)
        else:
            joined.append(one)
    return joined


def counts(folded: str, nouns: str) -> list[Measure]:
    """Return the numbers of things, before or after their noun; `nouns` is a lexicon name."""
    found = [
        Measure(start=m.start(), end=m.end(), value=number(m["n"]))
        for m in _counted(nouns).finditer(folded)
    ]
    found += [
        Measure(start=m.start(), end=m.end(), value=number(m["n"]))
        for m in _counted_after(nouns).finditer(folded)
    ]
    return sorted(found, key=lambda one: one.start)


def sheets(folded: str) -> list[Measure]:
    """Return numbers with a counter for pictures, wherever the pictures themselves are named."""
    return [
        Measure(start=m.start(), end=m.end(), value=number(m["n"]))
        for m in _sheet().finditer(folded)
    ]


def alone(folded: str) -> list[Measure]:
    """Return the number of a text that says hardly anything else (`only three`)."""
    found = _alone().fullmatch(folded.strip(" .!。！"))
    return [Measure(start=0, end=len(folded), value=number(found["n"]))] if found else []


@cache
def _alone() -> re.Pattern[str]:
    more = "make it|make|i want|we need|instead|rather|stattdessen|lieber|of them|davon|en su lugar"
    small = alternatives(
        f"{words('spec.wish')}|{words('spec.polite')}|{more}|mejor|a la place|plutot|invece|대신"
    )
    return re.compile(
        rf"(?:{small}\s*)*(?P<n>{number_pattern()})\s*(?:개만?|个|つ)?\s*(?:{small}\s*)*"
    )


@cache
def _sheet() -> re.Pattern[str]:
    return re.compile(rf"(?P<n>{number_pattern()})\s*(?:张|張|幅|장|枚)")


_NOT_A_PLACE = "(?<![第〇零一二两兩三四五六七八九十百])"
"""`第二个镜头` names one shot and counts none."""
_COUNTERS = (
    "개의|개|장의|장|점의|점|편의|편|컷|个|個|张|張|幅|部|枚の|枚|つの|つ|点の|点|本の|本|の"
)


@cache
def _counted(nouns: str) -> re.Pattern[str]:
    word = rf"(?!and\b|und\b|y\b|et\b|e\b)[{LETTER}]+"
    between = rf"(?:[\s\-]+(?:{word}[\s\-]+){{0,2}}?|\s*(?:{_COUNTERS})?\s*)"
    return re.compile(
        rf"{_NOT_A_PLACE}(?P<n>{number_pattern()}){between}{alternatives(words(nouns))}"
    )


@cache
def _counted_after(nouns: str) -> re.Pattern[str]:
    cjk = "|".join(word for word in words(nouns).split("|") if not word.isascii())
    particle = "(?:을|를|은|는|이|가|は|を|が|要|有|共)?"
    return re.compile(
        rf"{alternatives(cjk)}\s*{particle}\s*(?P<n>{number_pattern()})\s*(?:{_COUNTERS})(?![{LETTER}])"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Size(Span):
    """Width and height in pixels."""

    width: int
    height: int


_LONG_SIDE = 1280
_NAMED = {"1080p": (1920, 1080), "full hd": (1920, 1080), "720p": (1280, 720), "4k": (3840, 2160)}
_EXPLICIT = re.compile(r"(?<!\d)(\d{3,4})\s*[x×*]\s*(\d{3,4})(?!\d)")
_RATIO = re.compile(r"(?<![\d:])(\d{1,2})\s*[:x/]\s*(\d{1,2})(?![\d:])")
_RATE = re.compile(
    r"(?<!\d)(\d{2})\s*(?:fps|frames per second|bilder pro sekunde|images par seconde)"
)


def sizes(folded: str) -> list[Size]:
    """Return sizes given in pixels, as a ratio or by a common name."""
    found = [
        _size(match, int(match[1]), int(match[2]))
        for match in _EXPLICIT.finditer(folded)
        if min(int(match[1]), int(match[2])) >= _SMALLEST
    ]
    for match in _RATIO.finditer(folded):
        ratio = (int(match[1]), int(match[2]))
        if ratio in _RATIOS:
            found.append(_size(match, *of_ratio(*ratio)))
    for name, (width, height) in _NAMED.items():
        found += [_size(match, width, height) for match in re.finditer(rf"\b{name}\b", folded)]
    return sorted(found, key=lambda one: one.start)


def of_ratio(across: int, down: int) -> tuple[int, int]:
    """Return a size of this ratio that a local machine renders in reasonable time."""
    if (across, down) == (1, 1):
        return (960, 960)
    if across > down:
        return (_LONG_SIDE, _even(_LONG_SIDE * down / across))
    return (_even(_LONG_SIDE * across / down), _LONG_SIDE)


def rates(folded: str) -> list[Measure]:
    """Return frame rates."""
    return [
        Measure(start=m.start(), end=m.end(), value=min(60, max(12, int(m[1]))))
        for m in _RATE.finditer(folded)
    ]


def _size(match: re.Match[str], width: int, height: int) -> Size:
    return Size(
        start=match.start(),
        end=match.end(),
        width=min(3840, _even(width)),
        height=min(3840, _even(height)),
    )


def _even(value: float) -> int:
    return max(_SMALLEST, round(value / 2) * 2)
