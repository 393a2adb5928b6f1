"""Words that a person does not want in a picture: `without any text`, `ohne Schrift`, 文字なし.

A word like `text` is meant by itself only where its phrase ends: `without text messages` is about
messages. What is said of a thing (`a book without words`) is about the thing, not about the work.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

from infra.providers.rehearsal.lexicon import (
    CLAUSE_END,
    LETTER,
    Span,
    alternatives,
    is_unspaced,
    pattern,
    words,
)

type Written = Literal["lettering", "titles", "words"]

WRITTEN: tuple[Written, ...] = ("lettering", "titles", "words")
"""What may be unwanted: anything written, titles alone, or words, in a film the spoken ones."""
_BEARER = 40


def unwanted(folded: str) -> Iterator[tuple[Written, Span]]:
    """Yield what of it is not wanted, where that is said."""
    for what in WRITTEN:
        for listed in (_without(what), _away(what), pattern(f"without.no_{what}")):
            for match in listed.finditer(folded):
                if not _is_of_a_thing(folded, match.start()):
                    yield what, Span(start=match.start(), end=match.end())
        for match in _unspaced(what).finditer(folded):
            if not _describes_a_thing(folded, match):
                yield what, Span(start=match.start(), end=match.end())


def wanted(folded: str) -> Iterator[Span]:
    """Yield where words in the picture are asked for as such: `but with a title`."""
    for what in _VISIBLE:
        for match in _with(what).finditer(folded):
            yield Span(start=match.start(), end=match.end())


_VISIBLE: tuple[Written, ...] = ("lettering", "titles")


@cache
def _thing(what: Written) -> str:
    listed = words(f"without.{what}").split("|")
    return alternatives("|".join(word for word in listed if word.isascii()))


@cache
def _ends() -> str:
    """What may follow, so that the word before it is meant by itself."""
    small = alternatives(
        f"{words('without.text_tail')}|{words('spec.polite')}|{words('spec.connector')}"
        f"|{words('spec.wish')}|{words('anchor.strong')}|{words('lead.article')}"
        f"|{words('refer.definite')}|{words('without.off_after')}|{words('change.other')}"
    )
    more = alternatives(words("without.text_verb") + "|or|nor|oder|noch|ou|ni|o|nem|ne")
    return rf"(?=\s+{more}|\s*$|\s*[^{LETTER}\s\-]|\s+[\-]\s|\s+{small})"


@cache
def _around() -> tuple[str, str]:
    """What belongs to such a wish before and after it, and neither to a subject."""
    lead, after = (alternatives(words(f"without.text_{name}")) for name in ("lead", "verb"))
    either = alternatives("or|nor|oder|noch|ou|ni|o|nem|ne")
    return rf"(?:{lead}\s+)*", rf"(?:\s+{either}\s+[{LETTER}]+|\s+{after})?"


@cache
def _without(what: Written) -> re.Pattern[str]:
    """`Without music and text`, `kein Text`, `do not put any words on it`."""
    negation = alternatives(words("without.negation") + "|" + words("without.no_writing"))
    parts = ("narration", "music", "captions", *WRITTEN)
    joint = alternatives(
        "and|or|nor|und|oder|noch|y|o|u|ni|et|ou|e|ed|ne|nem|no|any|all|additional|extra|more|other"
        "|written|visible|whatever|jede|jeden|jegliche|jeglichen|irgendwelche|irgendwelchen|weitere"
        "|weiteren|weiterer|weiteres|anderer|anderen|andere|sichtbare|sichtbaren|toute|ningun|ninguna|aucun|aucune|alcun|alcuna|nessun|nenhum"
        f"|nenhuma|qualquer|{words('lead.article')}"
    )
    listed = alternatives("|".join(words(f"without.{part}") for part in parts))
    between = rf"(?:[\s,/]+(?:{joint}|{listed}))*?"
    lead, after = _around()
    return re.compile(rf"{lead}{negation}{between}[\s\-]+{_thing(what)}{_ends()}{after}")


@cache
def _away(what: Written) -> re.Pattern[str]:
    """`Lass den Text weg`, `the title away please`."""
    off = alternatives("off|away|gone|weg|raus|fort|fuera|via|fora|weglassen|streichen|entfernen")
    polite = pattern("spec.polite").pattern
    return re.compile(rf"{_thing(what)}\s+(?:{polite}\s+)?{off}{_ends()}")


@cache
def _with(what: Written) -> re.Pattern[str]:
    asked = alternatives(words("change.with_thing") + "|" + words("change.back"))
    article = rf"(?:{alternatives(words('lead.article'))}\s+)?"
    put = alternatives("put|bring|setz|setze|nimm|pon|vuelve a poner|remets|rimetti|poe|bota")
    cjk = "|".join(word for word in words(f"without.{what}").split("|") if not word.isascii())
    return re.compile(
        rf"{asked}\s+{article}{_thing(what)}{_ends()}"
        rf"|(?:{put}\s+)?{article}{_thing(what)}\s+{asked}{_ends()}"
        rf"|(?:要有|带上|加上|加|带)(?:{cjk})|(?:{cjk})[을를은는도이가をはもが]*\s*"
        r"(?:다시 ?)?(?:넣어|있게|있으면|추가|入れて|ありで|つけて|付けて|加回|放回)"
    )


@cache
def _unspaced(what: Written) -> re.Pattern[str]:
    """The thing and its refusal in either order, with the particles between them."""
    cjk = "|".join(word for word in words(f"without.{what}").split("|") if not word.isascii())
    before, after = words("without.before_cjk"), words("without.after_cjk")
    more = r"(?:[、,와과랑이나や和与及或·/]|하고|とか|以及|\s)*"
    other = words("without.any_cjk")
    things = rf"(?:(?:{other}){more})*?(?:任何|所有|一切)?(?:{cjk})(?:{more}(?:{other}))*"
    tail = r"(?:은|는|을|를|도|이|가|は|を|が|も|の|都|也|全部|一切|전혀|一切|일절|一律|\s)*"
    return re.compile(
        rf"(?:{before})(?:出现|有|加|放|写|任何)*{things}|{things}{tail}(?:{after})の?"
    )


def _is_of_a_thing(folded: str, start: int) -> bool:
    """Whether it is said of something in the picture (`a world without words`)."""
    before = folded[max(0, start - _BEARER) : start]
    return re.search(pattern("without.bearer").pattern + r"\s+(?:with\s+)?$", before) is not None


def _describes_a_thing(folded: str, match: re.Match[str]) -> bool:
    """Whether it belongs to what the work is about: 关于没有文字的时代, 글자 없는 시대에 대한."""
    clause_start = max((m.end() for m in CLAUSE_END.finditer(folded, 0, match.start())), default=0)
    after = folded[match.end() :]
    cut = CLAUSE_END.search(after)
    rest = after[: cut.start()] if cut else after
    is_adnominal = match.group().endswith(("없는", "ない", "없던", "の")) or rest[:1] == "的"
    if not is_adnominal or not is_unspaced(folded):
        return False
    about = pattern("anchor.opening").search(folded, clause_start, match.start()) is not None
    follows = pattern("anchor.before").search(rest)
    image = pattern("kinds.image").search(rest[: follows.start()] if follows else "")
    return about or (follows is not None and image is None)
