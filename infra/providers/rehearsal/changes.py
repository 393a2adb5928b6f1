"""Changes that are not of the whole work: what is taken back, and what is about one shot alone."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from infra.providers.rehearsal import measures
from infra.providers.rehearsal.lexicon import (
    EDGE,
    Span,
    alternatives,
    clip,
    entries,
    fold,
    has,
    is_unspaced,
    pattern,
    words,
)

LAST = -1


def standing(said: Sequence[str], asks: Callable[[str], bool]) -> tuple[str, ...]:
    """Return what still holds of what was said: `undo that` takes the newest wish back.

    Args:
        said: everything the person said, the newest last.
        asks: whether a text asks for something; thanks and questions cannot be taken back.
    """
    kept: list[str] = []
    for text in said:
        folded = fold(clip(text))
        if not kept or not takes_back(folded):
            kept.append(text)
            continue
        if has("change.undo_all", folded):
            kept = kept[:1]
        else:
            wishes = [place for place, one in enumerate(kept) if place and asks(one)]
            kept = [one for place, one in enumerate(kept) if place not in wishes[-1:]]
        if rest := _rest(text, folded):
            kept.append(rest)
    return tuple(kept)


def takes_back(folded: str) -> bool:
    """Whether a text takes back the newest change, or all of them."""
    all_of_it = has("change.undo_all", folded) and has("change.return", folded)
    return all_of_it or has("change.undo", folded)


def _rest(text: str, folded: str) -> str:
    """Return what is asked for besides: `undo that and make it warmer`."""
    match = re.search(r"(?:\b(?:and|but|und|aber|y|pero|et|mais|e|ma|mas)\b|[,;，、])\s*", folded)
    if match is None or has("change.undo", folded[match.end() :]):
        return ""
    is_undo_first = has("change.undo", folded[: match.start()])
    return text[match.end() :].strip() if is_undo_first else ""


def replaced(folded: str) -> list[Span]:
    """Return numbers that are given up: `three instead of two`, `두 장 대신 세 장`."""
    return [
        Span(start=match.start(), end=match.end())
        for one in _replaced()
        for match in one.finditer(folded)
    ]


@cache
def _replaced() -> tuple[re.Pattern[str], ...]:
    number, counter = measures.number_pattern(), f"(?:{words('unit.counter')})?"
    instead = alternatives(
        "instead of|rather than|not|statt|anstatt|anstelle von|nicht|en vez de|en lugar de|no|pas"
        "|au lieu de|plutot que|et pas|invece di|anziche|non|em vez de|ao inves de|no lugar de|nao"
    )
    gone = "(?:대신에?|말고|이?가? ?아니라|の?代わりに|ではなく|じゃなくて)"
    start, to = alternatives("from|von|de|da"), alternatives("to|auf|a|para")
    return (
        re.compile(
            rf"{instead}\s+(?:{alternatives('the|die|den|los|las|les|i|os|as')}\s+)?{number}"
        ),
        re.compile(rf"{start}\s+{number}(?=\s+(?:\w+\s+)?{to}\s+{number})"),
        re.compile(rf"(?:而不是|不是|不要)\s*{number}\s*{counter}"),
        re.compile(rf"{number}\s*{counter}\s*{gone}"),
        re.compile(rf"{number}\s*{counter}\s*(?:改成|改为|换成|变成|에서|から)(?=\s*{number})"),
    )


def counted_shots(folded: str) -> list[measures.Measure]:
    """Return how many shots there are to be; `the first two shots` only says which are meant."""
    if len(dict(_places(folded))) == 1:
        return []
    listed = "|".join(words(f"ordinal.{value}") for value in entries("ordinal"))
    before = re.compile(
        rf"{alternatives(f'{listed}|other|前|头|처음|앞의|앞|最初の|はじめの')}[\s\-]*$"
    )
    found = measures.counts(folded, "unit.shot")
    return [one for one in found if before.search(folded[: one.start]) is None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotChange:
    """A wish about one shot: which (`LAST` is the last), and what is to be seen there."""

    number: int
    what: str
    """In the person's words; empty where the wish is not about what is seen."""


def shot_change(text: str) -> ShotChange | None:
    """Return the shot that a text is about, None if it is about all of them or about several."""
    text = clip(text)
    folded = fold(text)
    found = dict(_places(folded))
    if len(found) != 1:
        return None
    ((number, place),) = found.items()
    what = _unspaced_what if is_unspaced(folded) else _latin_what
    return ShotChange(number=number, what=what(text, folded, place))


def of_slot(change: ShotChange, slot: int, count: int) -> bool:
    """Whether a change is about this shot of so many."""
    return slot == (count if change.number == LAST else change.number)


def _places(folded: str) -> Iterator[tuple[int, Span]]:
    for value in entries("ordinal"):
        for match in _ordinal(value).finditer(folded):
            yield int(value), Span(start=match.start(), end=match.end())
    for match in _numbered().finditer(folded):
        number = next(one for one in match.groups() if one)
        yield round(measures.number(number)), Span(start=match.start(), end=match.end())


@cache
def _unit() -> str:
    plain = "plan|poster|picture|image|plakat|bild|cartel|imagen|affiche|manifesto|immagine|cartaz"
    cjk = "포스터|그림|사진|海报|图片|图|ポスター|絵|画像|画面|幕"
    return alternatives(f"{words('unit.shot')}|{plain}|imagem|{cjk}")


@cache
def _ordinal(value: str) -> re.Pattern[str]:
    return re.compile(rf"{alternatives(words(f'ordinal.{value}'))}\s*{_unit()}")


@cache
def _numbered() -> re.Pattern[str]:
    unit = _unit()
    return re.compile(
        rf"{unit}\s*(?:number|nr\.?|no\.?|#|n\.?)?\s*(\d{{1,2}})(?![\d.,]*\s*(?:s\b|sec|sek|seg|min|초|분|秒|分|x))"
        rf"|(?<!\d)(\d{{1,2}})\s*(?:\.|º|ª|eme|번째?|番目の?|つ目の?|枚目の?)\s*{unit}"
        rf"|第\s*([一二三四五六七八九十\d]{{1,2}})\s*(?:个|張|张|幅|组)?\s*{unit}"
        rf"|([一二三四五六七八九十]{{1,2}})(?:番目の?|枚目の?)\s*{unit}"
    )


_SHOWS = (
    "by|with|to|into|for|of|show|shows|showing|depict|depicts|feature|features|durch|gegen|mit|zu"
    "|zeigt|por|con|a|muestre|muestra|mostrar|par|avec|en|montrer|montre|montrera|mostrare|mostri"
    "|mostra|com|mostre|mostrara"
)
_INDEFINITE = "a|an|ein|eine|einen|un|une|una|uno|um|uma"


def _latin_what(text: str, folded: str, place: Span) -> str:
    """Return what follows `replace the second shot by` or stands in `show X in the second shot`."""
    after = re.compile(rf"[\s:,]*(?:\S+\s+){{0,3}}?{alternatives(_SHOWS)}\s+(?P<what>.+)")
    framed = re.compile(r"\s*(?:soll|sollte|muss)\s+(?P<what>.+?)\s+(?:zeigen|sein|werden)\b")
    direct = re.compile(rf"\s*:?\s*(?P<what>{alternatives(_INDEFINITE)}\s+.+)")
    for one in (framed, direct, after):
        if (match := one.match(folded, place.end)) is not None:
            return _bare(text, folded, match.start("what"), match.end("what"))
    shows = alternatives("show|put|zeig|zeige|muestra|montre|mettez|mets|mostra|mostre|pon|metti")
    into = alternatives("in|into|im|en|dans|nel|nella|no|na|em|for|fur|para|pour|per")
    small = rf"(?:{pattern('lead.article').pattern}\s+)?"
    before = re.compile(rf"{shows}\s+(?P<what>.+?)\s+{into}\s+{small}$")
    match = before.search(folded[: place.start])
    return _bare(text, folded, match.start("what"), match.end("what")) if match else ""


_UNSPACED = (
    re.compile(
        r"^\s*(?:을|를|은|는|이|가)?\s*(?P<what>.+?)(?:으로|로)\s*(?:바꿔|바꾸|변경|교체|대체|해)"
    ),
    re.compile(r"^\s*에(?:서|는|서는)?\s*(?P<what>.+?)(?:을|를|이|가)\s*(?:보여|넣|나오|담)"),
    re.compile(r"(?:换成|改成|改为|替换成|替换为|变成|换为|变为)\s*(?P<what>[^，。,.!！]+)"),
    re.compile(r"^(?:应该|应当|要|里|中)?\s*(?:显示|展示|拍|出现|表现)\s*(?P<what>[^，。,.!！]+)"),
    re.compile(r"^(?:を|は)(?P<what>.+?)(?:に|へ)(?:変え|替え|換え|差し替え|変更|して)"),
    re.compile(r"^に(?:は)?(?P<what>.+?)を(?:入れ|見せ|映し|出して)"),
)


def _unspaced_what(text: str, folded: str, place: Span) -> str:
    rest = folded[place.end :]
    for one in _UNSPACED:
        if (match := one.search(rest)) is not None:
            start, end = (place.end + match.start("what"), place.end + match.end("what"))
            return _bare(text, folded, start, end)
    return ""


def _bare(text: str, folded: str, start: int, end: int) -> str:
    """Return a phrase up to where its clause ends, without `please` and `instead`."""
    stop = re.search(r"[.;!?。！？\n]|,\s", folded[start:end])
    end = start + stop.start() if stop else end
    polite = pattern("spec.polite")
    small = alternatives("instead|stattdessen|en su lugar|a la place|invece|em vez disso|now|jetzt")
    while (match := re.search(rf"\s*(?:{polite.pattern}|{small})\s*$", folded[start:end])) and end:
        end = start + match.start()
        if end <= start:
            return ""
    return text[start:end].strip(EDGE)
