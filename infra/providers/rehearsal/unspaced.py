"""What a work is about, in Chinese, Japanese and Korean: mostly what stands before its kind.

Measure words, particles and the words of the wish around it are cut off.
"""

import itertools
import re

from infra.providers.rehearsal import looks, measures
from infra.providers.rehearsal.lexicon import (
    CLAUSE_END,
    EDGE,
    Span,
    blank,
    fold,
    has,
    pattern,
    spans,
)

_PARTICLE_END = re.compile(r"(?:에서|에게|으로|을|를|의|에|と|を|は|が|で|に|の|的)$")
_CJK_LEAD = re.compile(
    r"^(?:请你?|(?:帮|给|为|替)我们?(?!的)|我想要?|我要|为|给|做|制作|拍摄?|生成|创作|画|来|想要?|一下|个"
    r"|나는|저는|우리는?|제가|나에게|좀|혹시|그럼|하나|한 |私は|私の|まず|では|ねえ|简单的?)+\s*"
)
_AUDIENCE = re.compile(
    r"^(?:(?:子ども|子供|こども|初心者|高齢者|お年寄り)(?:向け|のため)(?:に|の)?"
    r"|(?:아이들|어린이|초등학생|어르신|학생들)(?:을|를)? ?위(?:한|해)"
    r"|(?:给|面向)(?:孩子|儿童|老人|小学生)们?(?:看|听)?的?)\s*"
)
"""For whom a work is made, before what it is about."""
_WHOLE = re.compile(
    r"(?:(?<![가-힣])(?:정|논|합|동|호|예|결|질|항|편|상|하|성|의|심|토|협|창|고|악|선|임|명|우|모)의"
    r"|(?:是|怎么|如何).+的|(?:회|강|주)의|もの|目的|标的|ひと|おと|さと|くに|かに|おに|うで|はは|まんが)$"
)
"""Nouns whose end looks like a particle."""
_OBJECT = ("を", "를", "을 ", "으로", "にして")
"""What belongs to the kind of work before it: what follows is a verb."""
_AFTER_KANJI = frozenset({"と", "は", "が", "で", "に"})
_MEASURE = re.compile(
    r"^(?:[一两几二三四五六七八九十\d]+\s*(?:部|张|幅|个|段|支|条|组|套|首|篇|份|款|只)|[只张幅]"
    r"|편의|한 편의|장의)"
    r"\s*(?:关于|有关)?"
)


def subject_in(text: str, folded: str, edges: tuple[int, int], places: list[Span]) -> str:
    """Return the subject in a piece of a sentence, empty if there is none."""
    start, end = edges
    places = [*places, *_clause_moods(folded, edges, places), *spans("verbs.make", folded)]
    if has("verbs.draw", folded):
        places += [one for one in looks.mood_spans(folded) if folded[one.end - 1] in "画絵畫"]
    places += [*spans("verbs.draw", folded), *spans("verbs.film", folded), *_series(folded)]
    blanked = blank(folded, places)
    shown = "".join(
        a if b == c else "\n"
        for a, b, c in zip(text[start:end], folded[start:end], blanked[start:end], strict=True)
    )
    is_anchored = False
    before = pattern("anchor.before").search(fold(shown))
    opening = pattern("anchor.opening").search(fold(shown))
    if opening is not None and (opening.group() != "以" or _is_filler(shown[: opening.start()])):
        shown = shown[opening.end() :]
    elif before is not None and before.start():
        shown, is_anchored = shown[: before.start()], True
    pieces = re.split(r"[\n,，、;；:：]", shown)
    last = len(pieces) - 1
    candidates = [
        _bare(piece.removeprefix("的") if place else piece, ends=is_anchored and place == last)
        for place, piece in enumerate(pieces)
    ]
    return max(candidates, key=len, default="")


def _series(folded: str) -> list[Span]:
    counted = [*measures.counts(folded, "kinds.image"), *measures.sheets(folded)]
    counted += measures.counts(folded, "kinds.model3d")
    return [*counted, *spans("shape.series", folded)]


def _clause_moods(folded: str, edges: tuple[int, int], places: list[Span]) -> list[Span]:
    """Return moods that stand as a clause of their own; inside a phrase they belong to it."""
    found: list[Span] = []
    start, end = edges
    cuts = [start, *(m.start() for m in CLAUSE_END.finditer(folded, start, end)), end]
    listed = looks.mood_spans(folded)
    for first, last in itertools.pairwise(cuts):
        rest = blank(folded, [*listed, *places])[first:last].strip(
            EDGE + "的な에고하게한で、て风格느낌に와과和のくも也又而且"
        )
        if not rest.replace(" ", "").strip(
            "的な에고하게한でて风格느낌に와과和のくも也又而且た雰囲気"
        ):
            found.append(Span(start=first, end=last))
    return found


def _bare(piece: str, *, ends: bool) -> str:
    """Return a phrase without measure words and particles around it.

    Args:
        piece: a part of what was said.
        ends: whether a word like `about` followed, so that no particle is left at the end.
    """
    piece = piece.strip(EDGE)
    if piece.startswith(_OBJECT):
        return ""
    for _ in range(3):
        bare = _MEASURE.sub("", _CJK_LEAD.sub("", _AUDIENCE.sub("", piece))).strip(EDGE)
        piece = bare.removeprefix("的") if bare != piece else piece
    piece = piece if ends else _without_particle(piece).strip(EDGE)
    is_pronoun = pattern("refer.pronoun").fullmatch(fold(piece)) is not None
    return "" if is_pronoun or _is_filler(piece) else piece


_HANGUL = (0xAC00, 0xD7A3)
_FINALS = 28


def _without_particle(piece: str) -> str:
    """Cut one particle off; in Korean only after a syllable that allows it (마을 is a village).

    Words that end like a particle are kept: 회의 is a meeting, もの a thing, 目的 an aim.
    """
    match = _PARTICLE_END.search(piece)
    if match is None or not match.start() or _WHOLE.search(piece) is not None:
        return piece
    if match.group() in _AFTER_KANJI and "ぁ" <= piece[match.start() - 1] <= "ん":
        return piece
    before = ord(piece[match.start() - 1])
    if match.group() in ("을", "를", "으로") and _HANGUL[0] <= before <= _HANGUL[1]:
        closed = (before - _HANGUL[0]) % _FINALS != 0
        if closed == (match.group() == "를"):
            return piece
    return piece[: match.start()]


def _is_filler(piece: str) -> bool:
    """Whether nothing but particles is left; in Korean only one, for 가을 is the autumn."""
    rest = re.sub(r"[的のはがをにで一个张張部幅]", "", piece)
    return rest == "" or re.fullmatch(r"[의에을를은는이가]|에서", rest) is not None
