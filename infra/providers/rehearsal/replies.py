"""Main's own answers: what can be made, what it costs, how things stand, and what cannot be."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from infra.money import Money
from infra.providers.rehearsal.brief import read_wish
from infra.providers.rehearsal.judging import OPEN, Judgement, judge
from infra.providers.rehearsal.lexicon import FIRST_UNSPACED, SPEAKS
from infra.providers.rehearsal.phrases import (
    join,
    knows,
    language_name,
    length,
    listed,
    say,
)
from infra.providers.rehearsal.state import Json, MainView, json_objects

_OF_FILMS = ("image", "clip", "narration", "music", "captions", "render")
_ORDER = (*_OF_FILMS, "model3d")
_SHOWN_TASKS = 3
_TOO_MUCH = 10**15
_CODE = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Offer:
    name: str
    micros: int | None
    unit: str


def reply(view: MainView) -> str:
    """Return the answer to a message; also to one that the router did not leave to Main."""
    found = judge(view)
    about = found.about if found.outcome == "answer" else found.outcome
    if about in _ANSWERS:
        return _ANSWERS[about](view, found)
    if about in _SENTENCES:
        return say(_SENTENCES[about], found.language)
    return _unclear(found)


_SENTENCES = {
    "existing": "closed",
    "greeting": "hello",
    "empty": "empty",
    "only_card": "only_card",
    "control": "control",
    "nothing_to_change": "nothing_to_change",
    "thanks": "thanks",
    "praise": "praise",
    "bye": "bye",
    "talk": "talk",
}


def _unclear(found: Judgement) -> str:
    """Ask what the work should be, with the subject if there seems to be one."""
    subject = found.said.subject
    asks = found.said.text.rstrip().endswith(("?", "？"))
    is_noun = " " in subject or subject >= FIRST_UNSPACED
    if found.said.head is None and is_noun and len(subject) <= _LONGEST_SUBJECT and not asks:
        return say("unclear_about", found.language, subject=subject)
    return say("unclear", found.language)


_LONGEST_SUBJECT = 60


def _impossible(view: MainView, found: Judgement) -> str:
    del view
    language = found.language
    what = say(f"impossible_{found.impossible}", language)
    nearest = "nearest_poster" if found.impossible == "print" else "nearest_film"
    return join([what, say(nearest, language)], language)


def _identity(view: MainView, found: Judgement) -> str:
    del view
    return join([say("identity", found.language), say("can_ask", found.language)], found.language)


def _capabilities(view: MainView, found: Judgement) -> str:
    language = found.language
    offers = list(_offers(view.capabilities))
    if not offers:
        return join([say("no_capabilities", language), say("can_ask", language)], language)
    items = listed([_named(offer.name, language) for offer in offers], language)
    spoken = listed([language_name(tag, language) for tag in SPEAKS], language)
    sentences = [say("can", language, items=items)]
    if {"clip", "render"} <= {offer.name for offer in offers}:
        sentences.append(say("can_films", language, languages=spoken))
    return join([*sentences, say("can_ask", language)], language)


def _price(view: MainView, found: Judgement) -> str:
    language = found.language
    currency = _currency(view.capabilities)
    offers = [offer for offer in _offers(view.capabilities) if offer.micros is not None]
    if not offers:
        return join([say("price_unknown", language), say("price_note", language)], language)
    items = listed([_priced(offer, currency, language) for offer in offers], language)
    return join(
        [
            say("price", language, items=items),
            _film_price(found, {o.name: o for o in offers}, currency),
            say("price_note", language),
        ],
        language,
    )


def _film_price(found: Judgement, offers: dict[str, _Offer], currency: str) -> str:
    """Return about what the film costs that was asked about."""
    if found.said.head is None or found.said.head.kind != "film":
        return ""
    brief = read_wish([found.said.text], found.language).brief
    micros = 0
    for name, offer in offers.items():
        if name not in _OF_FILMS:
            continue
        times = brief.shot_count if name in ("image", "narration") else 1
        seconds = brief.duration_s if offer.unit == "second" else times
        micros += round((offer.micros or 0) * seconds)
    return say(
        "price_film",
        found.language,
        length=length(brief.duration_s, found.language),
        n=brief.shot_count,
        price=_money(micros, currency, found.language),
    )


def _offers(capabilities: Json) -> Iterator[_Offer]:
    """Yield what is offered, the operations that people know first."""
    offers: dict[str, _Offer] = {}
    for item in json_objects(capabilities.get("operations")):
        name, unit = item.get("name"), item.get("unit")
        if isinstance(name, str) and name:
            unit = unit if isinstance(unit, str) else "call"
            micros = _micros(item.get("price_micros"))
            offers.setdefault(name, _Offer(name=name, micros=micros, unit=unit))
    known = [offers.pop(name) for name in _ORDER if name in offers]
    yield from [*known, *offers.values()]


def _micros(price: object) -> int | None:
    if not isinstance(price, int) or isinstance(price, bool):
        return None
    return price if 0 <= price < _TOO_MUCH else None


def _named(name: str, language: str) -> str:
    return say(f"op_{name}", language) if knows(f"op_{name}") else name


def _priced(offer: _Offer, currency: str, language: str) -> str:
    what = _named(offer.name, language)
    if not offer.micros:
        return f"{what} ({say('free', language)})"
    price = _money(offer.micros, currency, language)
    key = "per_second" if offer.unit == "second" else "per_call"
    return say(key, language, what=what, price=price)


def _currency(capabilities: Json) -> str:
    found = capabilities.get("currency")
    return found if isinstance(found, str) and _CODE.fullmatch(found) else "USD"


def _money(micros: int, currency: str, language: str) -> str:
    return Money(micros, currency).format(language if language in SPEAKS else "en")


def _status(view: MainView, found: Judgement) -> str:
    """Say how the tasks stand that are open, or else the newest one."""
    language = found.language
    tasks = [one for one in view.candidates if one.title]
    shown = [one for one in tasks if one.status in OPEN][:_SHOWN_TASKS] or tasks[:1]
    lines = [
        say("status_line", language, title=one.title, status=say(f"status_{one.status}", language))
        for one in shown
        if knows(f"status_{one.status}")
    ]
    return join(lines, language) or say("no_tasks", language)


_ANSWERS: dict[str, Callable[[MainView, Judgement], str]] = {
    "impossible": _impossible,
    "price": _price,
    "capabilities": _capabilities,
    "identity": _identity,
    "status": _status,
}
