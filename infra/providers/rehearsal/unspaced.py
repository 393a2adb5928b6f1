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
_MEASURE = re.compile(
    r"^(?:[一两几二三四五六七八九十\d]+\s*(?:部|张|幅|个|段|支|条|组|套|首|篇|份|款|只)|[只张幅]"
    r"|편의|한 편의|장의)"
    r"\s*(?:关于|有关)?"
)


def subject_in(text: str, folded: str, edges: tuple[int, int], places: list[Span]) -> str:
    """Return the subject in a piece of a sentence, empty if there is none."""
    start, end = edges
    places = [*places, *_clause_moods(folded, edges), *spans("verbs.make", folded)]
    if has("verbs.draw", folded):
        places += [one for one in looks.mood_spans(folded) if folded[one.end - 1] in "画絵畫"]
    places += [*spans("verbs.draw", folded), *spans("verbs.film", folded), *_series(folded)]
    blanked = blank(folded, places)
    shown = "".join(
        a if b == c else "\n"
        for a, b, c in zip(text[start:end], folded[start:end], blanked[start:end], strict=True)
    )
    before = pattern("anchor.before").search(fold(shown))
    opening = pattern("anchor.opening").search(fold(shown))
    if opening is not None and (opening.group() != "以" or _is_filler(shown[: opening.start()])):
        shown = shown[opening.end() :]
    elif before is not None and before.start():
        shown = shown[: before.start()]
    candidates = [_bare(piece) for piece in re.split(r"[\n,，、;；:：]", shown)]
    return max(candidates, key=len, default="")


def _series(folded: str) -> list[Span]:
    return [*measures.counts(folded, "kinds.image"), *spans("shape.series", folded)]


def _clause_moods(folded: str, edges: tuple[int, int]) -> list[Span]:
    """Return moods that stand as a clause of their own; inside a phrase they belong to it."""
    found: list[Span] = []
    start, end = edges
    cuts = [start, *(m.start() for m in CLAUSE_END.finditer(folded, start, end)), end]
    listed = looks.mood_spans(folded)
    for first, last in itertools.pairwise(cuts):
        rest = blank(folded, listed)[first:last].strip(
            EDGE + "的な에고하게한で、て风格느낌に와과和"
        )
        if not rest:
            found.append(Span(start=first, end=last))
    return found


def _bare(piece: str) -> str:
    """Return a phrase without measure words and particles around it."""
    piece = piece.strip(EDGE)
    for _ in range(3):
        piece = _MEASURE.sub("", _CJK_LEAD.sub("", piece)).strip(EDGE).removeprefix("的")
        piece = _without_particle(piece).strip(EDGE)
    is_pronoun = pattern("refer.pronoun").fullmatch(fold(piece)) is not None
    return "" if is_pronoun or _is_filler(piece) else piece


_HANGUL = (0xAC00, 0xD7A3)
_FINALS = 28


def _without_particle(piece: str) -> str:
    """Cut a particle off; in Korean only after a syllable that allows it (마을 is a village)."""
    match = _PARTICLE_END.search(piece)
    if match is None or not match.start():
        return piece
    before = ord(piece[match.start() - 1])
    if match.group() in ("을", "를", "으로") and _HANGUL[0] <= before <= _HANGUL[1]:
        closed = (before - _HANGUL[0]) % _FINALS != 0
        if closed == (match.group() == "를"):
            return piece
    return piece[: match.start()]


def _is_filler(piece: str) -> bool:
    return len(re.sub(r"[的の의에서을를은는이가はがをにで一个張张部幅]", "", piece)) == 0
