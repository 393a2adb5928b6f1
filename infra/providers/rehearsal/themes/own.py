"""Lines made of the brief's own words, for films about what no theme knows.

Promises that a person's words stand in them as they were said, never inflected: a word after a
colon, a phrase of place at the beginning of a sentence. There are none if the subject is in another
language than the film.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from infra.providers.rehearsal.languages.subject import at_start
from infra.providers.rehearsal.lexicon import fold, words
from infra.providers.rehearsal.themes.beats import LANGUAGES, Beat, Language

_LONGEST = 28
_LONGEST_PLACE = 34
_CUTS: dict[str, re.Pattern[str]] = {
    "ko": re.compile(r"(?<=[가-힣])(?:의|와|과|에서|에)\s+|,\s*|\s(?=이야기$)"),
    "zh": re.compile(r"[的和与、，]"),
    "ja": re.compile(r"(?<=[^もこそあど])[のと、](?=.)"),
}
_PLACES: dict[str, str] = {
    "en": "in|at|on|under|behind|near|beyond|inside",
    "de": "in|im|am|auf|unter|hinter|bei|beim|an|vor",
    "es": "en|bajo|tras|junto",
    "fr": "dans|sous|chez|derrière|à|au|aux|en",
    "it": "in|nel|nella|nelle|nei|sotto|dietro|sul|sulla",
    "pt": "em|no|na|nos|nas|sob|atrás",
}


def own_beats(subject: str, language: Language, *, only_places: bool) -> list[Beat]:
    """Return the lines that name parts of the subject, the subject being in this language.

    Args:
        subject: of the brief.
        language: of the film and of the subject.
        only_places: whether a theme knows the subject, and only its place is missing.
    """
    parts = list(_parts(subject, language))
    places = _place(subject, language)
    given = {"a": parts[0] if parts else "", "b": parts[1] if len(parts) > 1 else "", "p": places}
    given["c"] = given["b"] or given["a"]
    return [
        _filled(beat, given)
        for beat in _BEATS
        if _can_fill(beat, given) and ("{P}" in beat.en or not only_places)
    ]


def parts_of(subject: str, language: str) -> list[str]:
    """Return the things that a subject names, in the person's words."""
    known: dict[str, Language] = {one: one for one in LANGUAGES}
    return list(_parts(subject, known.get(language, "en")))


def _parts(subject: str, language: Language) -> Iterator[str]:
    """Yield the things that a subject is made of, without articles and prepositions."""
    if language in _CUTS:
        found = [piece.strip() for piece in _CUTS[language].split(subject)]
    else:
        found = _phrases(subject, language)
    yield from (one for one in dict.fromkeys(found) if one and len(one) <= _LONGEST)


_ELIDED = re.compile(r"\b(?:all|dell|nell|dall|sull|coll|d|l|qu|jusqu)['’]|['’]s\b", re.IGNORECASE)


def _phrases(subject: str, language: Language) -> list[str]:
    """Return what stands between the small words; of German only nouns, which are not inflected."""
    small = {
        *words("title.small").split("|"),
        *words("title.joint").split("|"),
        "how",
        "why",
        "wie",
    }
    small |= set(words("title.asking").split("|"))
    pieces: list[list[str]] = [[]]
    for word in re.findall(r"[^\s,;:()“”\"«»]+", _ELIDED.sub(" of ", subject)):
        if fold(word) in small:
            pieces.append([])
        elif language != "de" or not word[:1].islower():
            pieces[-1].append(word)
    found = [" ".join(piece) for piece in pieces]
    return [one for one in found if not (language == "en" and re.fullmatch(r"\w+ing", one))]


def _place(subject: str, language: Language) -> str:
    listed = _PLACES.get(language)
    match = re.search(rf"(?<=\s)(?:{listed})\s+.+$", subject) if listed else None
    return match.group().rstrip(".,") if match and len(match.group()) <= _LONGEST_PLACE else ""


def _can_fill(beat: Beat, given: dict[str, str]) -> bool:
    needed = {name.lower() for name in re.findall(r"\{([aApPbBcC])\}", beat.en)}
    return all(given[name] for name in needed)


def _filled(beat: Beat, given: dict[str, str]) -> Beat:
    lines: dict[str, str] = {}
    for language in LANGUAGES:
        line: str = getattr(beat, language)
        for name, value in given.items():
            line = line.replace(f"{{{name}}}", value)
            line = line.replace(f"{{{name.upper()}}}", at_start(value, language))
        lines[language] = line
    picture = beat.picture
    for name, value in given.items():
        picture = picture.replace(f"{{{name}}}", value)
    return replace(beat, picture=picture, **lines)


_BEATS = (
    Beat(
        "development",
        "medium",
        "{a}, {b}, side by side on a table at a window",
        en="{A}. And {b}.| That is where it begins.",
        de="{A}. Und {b}.| Damit fängt es an.",
        es="{A}. Y {b}.| De ahí parte todo.",
        fr="{A}. Et {b}.| Tout part de là.",
        it="{A}. E {b}.| Tutto parte da qui.",
        pt="{A}. E {b}.| Tudo parte daqui.",
        ko="{a}, 그리고 {b}.| 이야기는 여기서 시작된다.",
        zh="{a}，还有{b}。|一切由此开始。",
        ja="{a}。そして{b}。|話はここから始まる。",
    ),
    Beat(
        "development",
        "medium",
        "{a}, hands, wooden table",
        en="One word comes first: {a}.",
        de="Ein Wort kommt zuerst: {a}.",
        es="Una palabra llega primero: {a}.",
        fr="Un mot vient d'abord : {a}.",
        it="Una parola arriva per prima: {a}.",
        pt="Uma palavra vem primeiro: {a}.",
        ko="먼저 떠오르는 말, {a}.",
        zh="最先想到的，是{a}。",
        ja="まず浮かぶのは、{a}。",
    ),
    Beat(
        "detail",
        "close-up",
        "{b}, close, light from a window",
        en="{B}, seen from very near.| Every detail has its reason.",
        de="{B}, aus nächster Nähe.| Jedes Detail hat seinen Grund.",
        es="{B}, muy de cerca.| Cada detalle tiene su razón.",
        fr="{B}, de tout près.| Chaque détail a sa raison.",
        it="{B}, da molto vicino.| Ogni dettaglio ha il suo perché.",
        pt="{B}, bem de perto.| Cada detalhe tem a sua razão.",
        ko="{b}, 아주 가까이에서.| 작은 것마다 이유가 있다.",
        zh="{b}，凑近了看。|每个细节都有来由。",
        ja="{b}を、すぐそばで。|細部にはそれぞれ理由がある。",
    ),
    Beat(
        "development",
        "wide",
        "{p}, a few figures, road, houses",
        en="{P}, everything keeps its own pace.",
        de="{P} hat alles sein eigenes Tempo.",
        es="{P}, todo tiene su propio ritmo.",
        fr="{P}, tout a son propre rythme.",
        it="{P} tutto ha il suo ritmo.",
        pt="{P}, tudo tem o seu ritmo.",
        ko="{p}, 모든 것이 제 속도로 흐른다.",
        zh="{p}，一切都有自己的节奏。",
        ja="{p}、すべてが自分の速さで進む。",
    ),
    Beat(
        "detail",
        "detail",
        "{p}, hand and shadow on a wall",
        en="{P}, small things count|: a hand, a sound, a shadow.",
        de="{P} zählen kleine Dinge|: eine Hand, ein Klang, ein Schatten.",
        es="{P}, cuentan las cosas pequeñas|: una mano, un sonido, una sombra.",
        fr="{P}, les petites choses comptent|: une main, un bruit, une ombre.",
        it="{P} contano le piccole cose|: una mano, un suono, un'ombra.",
        pt="{P}, contam as coisas pequenas|: uma mão, um som, uma sombra.",
        ko="{p}, 작은 것이 중요하다.",
        zh="{p}，小事也重要。",
        ja="{p}、小さなものが大切だ。",
    ),
    Beat(
        "turn",
        "medium",
        "{c}, open door, light falling in",
        en="And then: {c}|, as if for the first time.",
        de="Und dann: {c}|, wie zum ersten Mal.",
        es="Y de pronto: {c}|, como la primera vez.",
        fr="Et soudain : {c}|, comme la première fois.",
        it="E all'improvviso: {c}|, come la prima volta.",
        pt="E de repente: {c}|, como da primeira vez.",
        ko="그리고 문득, {c}.| 마치 처음인 것처럼.",
        zh="忽然之间，{c}|，像第一次见到一样。",
        ja="そしてふいに、{c}。|まるで初めてのように。",
    ),
    Beat(
        "close",
        "wide",
        "{a}, {b}, small under a wide sky, road",
        en="What stays is this: {a}, {b}.",
        de="Was bleibt: {a}, {b}.",
        es="Lo que queda: {a}, {b}.",
        fr="Ce qui reste : {a}, {b}.",
        it="Quel che resta: {a}, {b}.",
        pt="O que fica: {a}, {b}.",
        ko="남는 것은 {a}, 그리고 {b}.",
        zh="留下来的，是{a}，是{b}。",
        ja="残るのは、{a}、そして{b}。",
    ),
)
