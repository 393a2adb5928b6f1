"""A wish after a stop: `stop, three posters instead` asks for a change, `stop the film` for a stop.

A stop is done with a button, never by a model; a changed wish is one however it begins.
"""

import re
from functools import cache

from infra.providers.rehearsal import measures
from infra.providers.rehearsal.lexicon import EDGE, alternatives, is_unspaced, pattern, words

_SEPARATES = re.compile(r"\s*(?:[,，、;；:：.。!！?？…\n]+|[-–—]+\s)")
_CLAUSE = re.compile(r"[,，、;；:：.。!！?？…\n]+|\s[-–—]\s")
_ONGOING = re.compile(r"\w+ing\b")
"""What is to end: `stop rendering`."""


def stops(folded: str) -> bool:
    """Whether a text begins with a word that stops: `stop`, `nein, halt`."""
    return _lead("chat.control").match(folded) is not None or _stands_alone(folded, "chat.halt")


def _stands_alone(folded: str, name: str) -> bool:
    """Whether it begins with such a word by itself: `alto, …`, not `alto contraste`."""
    match = _lead(name).match(folded)
    if match is None:
        return False
    place = match.end()
    polite = re.compile(
        rf"\s*(?:{pattern('spec.polite').pattern}|해(?:요|줘|라)?|하세요|吧|了|啊)?"
    )
    end = found.end() if (found := polite.match(folded, place)) else place
    ends = end == len(folded.rstrip()) or _SEPARATES.match(folded, end) is not None
    return ends or (not is_unspaced(folded) and _opens(folded[place:].lstrip()))


def rest_of(text: str, folded: str) -> str | None:
    """Return what is said besides a stop or a `wait` at the beginning, None if there is neither."""
    found = _lead("chat.control", "chat.halt", "chat.wait").match(folded)
    if found is None or not (stops(folded) or _stands_alone(folded, "chat.wait")):
        return None
    place = found.end()
    separated = _SEPARATES.match(folded, place)
    if separated is not None:
        place = separated.end()
    elif is_unspaced(folded) or not _opens(folded[place:].lstrip()):
        place = _past_object(folded, place)
    return text[place:].lstrip(EDGE).strip()


def _past_object(folded: str, place: int) -> int:
    """Return where the clause ends that says what is to stop."""
    joint = alternatives("and|but|und|aber|sondern|y|pero|et|mais|e|ma|mas")
    match = re.compile(rf"{_CLAUSE.pattern}|\s{joint}\s").search(folded, place)
    return match.end() if match else len(folded)


def _opens(rest: str) -> bool:
    """Whether a wish begins here without any sign before it (`stop make it blue`)."""
    if _ONGOING.match(rest) is not None:
        return False
    if re.match(r"\d", rest) or re.match(measures.number_pattern(), rest):
        return True
    names = ("spec.polite", "change.instead", "change.act", "change.with_thing", "verbs.make")
    more = ("without.negation", "change.comparative", "change.shorter", "change.longer")
    return pattern(*names, *more).match(rest) is not None


def is_act(folded: str) -> bool:
    """Whether a text says to do something else: `rather …`, `use …`, `add …`."""
    if pattern("change.instead").search(folded) is not None:
        return True
    if is_unspaced(folded):
        return pattern("change.other").search(folded) is not None
    rest = pattern("spec.polite", "spec.connector").sub(" ", folded).lstrip(EDGE)
    return pattern("change.act", "change.with_thing", "verbs.make").match(rest) is not None


@cache
def _before() -> str:
    """Small words that may stand before it; a `no` by itself, for `non stop` goes on."""
    listed = alternatives(f"{words('chat.agree')}|{words('spec.polite')}|{words('chat.filler')}")
    refuses = alternatives(words("chat.refuse"))
    return rf"[\s.!¡,，、。]*(?:(?:{listed}|{refuses}\s*[.!,，、。…])[\s.!,，、。…]*)*"


@cache
def _lead(*first: str) -> re.Pattern[str]:
    """Such words at the beginning, with all of their like that follow."""
    listed = alternatives("|".join(words(name) for name in first))
    names = ("chat.control", "chat.halt", "chat.wait", "chat.filler")
    more = alternatives("|".join(words(name) for name in names))
    return re.compile(rf"{_before()}{listed}(?:[\s.!,，、。…]*{more})*")
