"""What a work is about: the noun phrase in the person's own words, freed from everything else.

The wish around it (make me, a 20-second film, calm, in English, please) is recognised and cut off.
In Latin scripts the subject follows the kind of work (a film *about bees*), in Chinese, Japanese
and Korean it mostly stands before it.
"""

import itertools
import re
from collections.abc import Iterable
from functools import cache
from typing import Literal

from infra.providers.rehearsal import looks, measures
from infra.providers.rehearsal.lexicon import (
    LETTER,
    Span,
    alternatives,
    blank,
    fold,
    is_unspaced,
    pattern,
    spans,
    words,
)

LONGEST = 120
_SENTENCE_END = re.compile(r"[。！？\n]|[.!?;](?=\s+\S|\s*$)")
_COMMA = re.compile(r"[,，、;；()（）]|\s[-–—]\s")
_EDGE = " \t\n.,;:!?…。、，！？：；·-–—()[]{}<>\"“”„«»‘’'*_#/"
_BEFORE_KIND = re.compile(
    r"\s*(?:\b(?:in|as|into|als|als|zu|en|dans|sous forme de|come|in forma di|como|em|with|mit"
    r"|for|fur)\b(?:\s+\w{1,8})?)[\s\-]*$"
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


def find_subject(text: str, head: Span | None) -> str:
    """Return what a wish is about, empty if it does not say.

    Args:
        text: the person's words, composed.
        head: where the kind of work is named in it, if anywhere.
    """
    folded = fold(text)
    places = spec_spans(text, folded)
    if is_unspaced(text):
        return _unspaced(text, folded, head, places)
    return _latin(text, folded, head, places)


def spec_spans(text: str, folded: str) -> list[Span]:
    """Return where a text says how the work should be, rather than what it is about."""
    found: list[Span] = [*measures.lengths(folded), *measures.counts(folded, "unit.shot")]
    found += [*measures.rates(folded), *looks.formats(folded), *looks.absences(folded)]
    found += looks.languages(folded, bare=False)
    found += looks.palettes(folded)
    found += [one for one in looks.quoted(text, folded) if one.role != "text"]
    found += spans("spec.polite", folded)
    return sorted(found, key=lambda one: (one.start, -one.end))


def _latin(text: str, folded: str, head: Span | None, places: list[Span]) -> str:
    for start, end in _sentences(text, head):
        inside = head if head is not None and start <= head.start < end else None
        found = _in_sentence(text, folded, (start, end), inside, places)
        if found and not _is_pronoun(found):
            return found[:LONGEST].strip(_EDGE)
    return ""


def _is_pronoun(found: str) -> bool:
    bare = pattern("spec.wish", "refer.pronoun", "change.other")
    return not bare.sub(" ", fold(found)).strip(_EDGE)


def _sentences(text: str, head: Span | None) -> list[tuple[int, int]]:
    """Return the sentences, the one that names the kind of work first."""
    edges = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    found = [(a, b) for a, b in itertools.pairwise(edges) if text[a:b].strip(_EDGE)]
    if head is None:
        return found
    return sorted(found, key=lambda edge: (not edge[0] <= head.start < edge[1], edge[0]))


def _in_sentence(
    text: str, folded: str, edges: tuple[int, int], head: Span | None, places: list[Span]
) -> str:
    start, end = edges
    if head is None:
        strong = _after_small_words(folded, edges)
        return _clauses(text, folded, (start if strong is None else strong, end), places)
    after = _after_kind(folded, (head.end, end), places)
    if after is not None:
        return _clauses(text, folded, (_past_kind(folded, (after, end), head), end), places)
    if (strong := _strong(folded, (head.end, end))) is not None:
        return _clauses(text, folded, (strong, end), places)
    if (before := _before_head(blank(folded, places), start, head.start)) < head.start:
        return _trim(text, folded, (_strong_lead(folded, (start, before)), before), places)
    if adjunct := _adjunct(text, folded, (start, head.start), places):
        return adjunct
    return _strip_lead(_clauses(text, folded, (head.end, end), places), article=False)


def _after_kind(folded: str, edges: tuple[int, int], places: list[Span]) -> int | None:
    """Return where the subject begins after the kind of work, past specs and the word for about."""
    position, end = edges
    anchor = pattern("anchor.strong", "anchor.weak")
    while position < end:
        position += len(folded[position:end]) - len(folded[position:end].lstrip(" ,:;-–—"))
        spec = next((one for one in places if one.start <= position < one.end), None)
        if spec is not None:
            position = spec.end
            continue
        match = anchor.match(folded, position, end)
        if match is None:
            connector = _connector_before_spec(folded, (position, end), places)
            if connector is None:
                return None
            position = connector
            continue
        spec = next((one for one in places if _begins(folded, match.end(), one)), None)
        if spec is None:
            return match.end()
        position = spec.end
    return None


def _past_kind(folded: str, edges: tuple[int, int], head: Span) -> int:
    """Return where the subject begins in `a script for a film about X`."""
    start, end = edges
    inner = next((one for _, one in kind_heads(folded) if one.start > head.end), None)
    if inner is None or not _is_small(folded[start : inner.start]):
        return start
    anchor = pattern("anchor.strong").match(folded, inner.end + 1, end)
    return anchor.end() if anchor is not None else start


def _connector_before_spec(folded: str, edges: tuple[int, int], places: list[Span]) -> int | None:
    """Return where a spec ends that small words lead to (`in warm and calm`, `lasting 20 s`)."""
    match = re.compile(rf"(?:[{LETTER}]+\s+){{1,2}}").match(folded, *edges)
    if match is None:
        return None
    spec = next((one for one in places if _begins(folded, match.end(), one)), None)
    return spec.end if spec is not None else None


def _begins(folded: str, position: int, one: Span) -> bool:
    gap = folded[position : one.start] if one.start >= position else None
    return gap is not None and (not gap.strip() or _is_small(gap))


def _is_small(gap: str) -> bool:
    """Whether only an article or a word like `about` stands between."""
    return re.fullmatch(rf"\s*{pattern('lead.article', 'unit.about').pattern}\s*", gap) is not None


def _strong(folded: str, edges: tuple[int, int]) -> int | None:
    match = pattern("anchor.strong").search(folded, *edges)
    return match.end() if match else None


def _after_small_words(folded: str, edges: tuple[int, int]) -> int | None:
    """Return where the subject begins in `no, make it about the sea`."""
    start, end = edges
    match = pattern("anchor.strong").search(folded, start, end)
    if match is None:
        return None
    names = ("lead.latin", "lead.article", "refer.pronoun", "spec.wish", "change.other")
    before = pattern(*names, "chat.agree", "chat.refuse", "spec.connector").sub(
        " ", folded[start : match.start()]
    )
    return match.end() if not before.strip(_EDGE) else None


def _strong_lead(folded: str, edges: tuple[int, int]) -> int:
    """Return where the subject begins in `tell the story of X`; `X over Y` is all subject."""
    start, end = edges
    match = pattern("anchor.strong").search(folded, start, end)
    if match is not None and not _strip_lead(folded[start : match.start()], article=True):
        return match.end()
    return start


def _before_head(folded: str, start: int, stop: int) -> int:
    """Return where the subject ends when the kind of work follows (`the story of X in a film`)."""
    match = _BEFORE_KIND.search(folded[start:stop])
    return start + match.start() if match else stop


def _clauses(text: str, folded: str, edges: tuple[int, int], places: list[Span]) -> str:
    """Return the first clause and those that go on with it, without clauses about the form."""
    start, end = edges
    cuts = [start, *(m.start() for m in _COMMA.finditer(text, start, end)), end]
    stop = start
    for first, last in itertools.pairwise(cuts):
        is_first = not text[start:first].strip(_EDGE)
        other = not is_first and _is_other(folded, (first, last))
        if other or _is_spec(folded, (first, last), places, is_first=is_first):
            if stop > start:
                break
            if text[first:last].strip(_EDGE):
                start = last
        stop = max(stop, last) if last > start else stop
    return _trim(text, folded, (start, stop), places)


def _is_spec(folded: str, edges: tuple[int, int], places: list[Span], *, is_first: bool) -> bool:
    """Whether a clause says only how the work should be; small words may be a first subject."""
    start, end = edges
    blanked = blank(folded, [*places, *looks.mood_spans(folded)])[start:end]
    blanked = pattern("spec.wish").sub(" ", blanked)
    small = pattern("spec.connector", "spec.polite", "lead.article", "unit.long", "unit.about")
    blanked = blanked if is_first else small.sub(" ", blanked)
    return not blanked.strip(_EDGE)


def _is_other(folded: str, edges: tuple[int, int]) -> bool:
    """Whether a clause begins a new request instead of going on with the subject."""
    clause = folded[slice(*edges)].lstrip(_EDGE)
    joint = re.match(r"(?:and|und|y|et|e|then|dann)\s+", clause)
    clause = clause[joint.end() :] if joint else clause
    listed = pattern("impossible.print", "impossible.ship", "impossible.publish", "verbs.make")
    absent = looks.absences(clause[:30])
    return listed.match(clause) is not None or (absent != [] and absent[0].start == 0)


def _trim(text: str, folded: str, edges: tuple[int, int], places: list[Span]) -> str:
    """Cut specs and small words off the end of a subject, and small words off its beginning."""
    start, end = edges
    end = _cut_request(folded, (start, end))
    while True:
        before = end
        end = start + len(text[start:end].rstrip(_EDGE))
        for one in places:
            if start < one.start < end <= one.end:
                end = one.start
        if (final := _final().search(folded, start, end)) is not None and final.start() > start:
            end = final.start()
        tail = _tail().search(folded, start, end)
        if tail is not None and tail.start() > start and end < before:
            end = tail.start()
        if end == before:
            break
    return _strip_lead(text[start:end], article=False)


@cache
def _final() -> re.Pattern[str]:
    """What ends a request and never a subject."""
    listed = "instead|stattdessen|lieber|rather|plutot|invece|en su lugar|a la place|as well|too"
    return re.compile(rf"\s+{alternatives(listed)}\s*$")


@cache
def _tail() -> re.Pattern[str]:
    small = alternatives(
        "and|with|in|for|of|as|lasting|about|around|und|mit|im|als|von|fur|y|con|en|de|como|para|et"
        "|avec|comme|pour|e|di|come|per|em|com|por|auf|instead|stattdessen|lieber|rather|plutot|invece"
        "|en su lugar|mejor|as well|too|also|auch|aussi|tambien|anche|tambem"
        "|the|a|an|at|to|should be|running|spoken"
    )
    return re.compile(rf"(?:\s+{small}){{1,3}}\s*$")


def _cut_request(folded: str, edges: tuple[int, int]) -> int:
    """Return where `… and print it` begins, or the end."""
    start, end = edges
    listed = pattern("impossible.print", "impossible.ship", "impossible.publish")
    for joint in re.finditer(r"\s(?:and then|and|und dann|und|y|et|e)\s+", folded[start:end]):
        if joint.start() and listed.match(folded, start + joint.end(), end):
            return start + joint.start()
    return end


def _adjunct(text: str, folded: str, edges: tuple[int, int], places: list[Span]) -> str:
    """Return what stands directly before the kind of work (`a bakery film`)."""
    start, end = edges
    blanked = blank(folded, [*places, *looks.mood_spans(folded)])
    piece = blanked[start:end]
    start += max((m.end() for m in _COMMA.finditer(piece)), default=0)
    articles = pattern("lead.article").finditer(folded, start, end)
    start = max((m.end() for m in articles), default=start)
    shown = "".join(
        a if b != " " or a == " " else " "
        for a, b in zip(text[start:end], blanked[start:end], strict=True)
    )
    bare = re.sub(r"\s+", " ", _strip_lead(shown, article=True)).strip(_EDGE)
    if (weak := pattern("anchor.weak").match(fold(bare))) is not None:
        bare = bare[weak.end() :].strip(_EDGE)
    form = pattern("spec.connector", "lead.latin", "lead.article", "shape.series", "anchor.weak")
    small = re.fullmatch(rf"(?:{form.pattern}\s*)*", fold(bare))
    return "" if small or _is_sentence(fold(bare)) else bare


_ADJUNCT_WORDS = 4
_ASKS = (
    "question.price_sure",
    "question.status",
    "impossible.print",
    "impossible.ship",
    "impossible.publish",
    "impossible.buy",
    "change.with_thing",
)


def _is_sentence(folded: str) -> bool:
    """Whether words before the kind of work are too much or too active to be its subject."""
    found = folded.split()
    asks = pattern(*_ASKS).search(folded) is not None
    return asks or len(found) > _ADJUNCT_WORDS or any(measures.number(word) for word in found)


def _strip_lead(text: str, *, article: bool) -> str:
    """Cut `please make me` and the like off the beginning, with articles on demand."""
    text = text.strip(_EDGE)
    names = ("lead.latin", "verbs.draw", "verbs.compose", "verbs.write", "verbs.speak")
    lead = pattern(*names, "lead.article") if article else pattern(*names)
    while match := re.match(rf"(?:{lead.pattern})[\s,:]*", fold(text)):
        text = text[match.end() :].lstrip(_EDGE)
    return text


def _unspaced(text: str, folded: str, head: Span | None, places: list[Span]) -> str:
    for start, end in _sentences(text, head):
        inside = head if head is not None and start <= head.start < end else None
        pieces = [(start, end)]
        if inside is not None:
            pieces = [(start, inside.start), (inside.end, end)]
            if folded[inside.end : inside.end + 2].strip()[:1] in (":", "："):
                pieces.reverse()
        for piece in pieces:
            if found := _unspaced_piece(text, folded, piece, places):
                return found[:LONGEST]
    return ""


def _unspaced_piece(text: str, folded: str, edges: tuple[int, int], places: list[Span]) -> str:
    start, end = edges
    places = [*places, *_clause_moods(folded, edges), *spans("verbs.make", folded)]
    places += [*spans("verbs.draw", folded), *spans("verbs.film", folded), *_series(folded)]
    blanked = blank(folded, places)
    shown = "".join(
        a if b == c else "\n"
        for a, b, c in zip(text[start:end], folded[start:end], blanked[start:end], strict=True)
    )
    before = pattern("anchor.before").search(fold(shown))
    opening = pattern("anchor.opening").search(fold(shown))
    if (opening is not None and not shown[: opening.start()].strip(_EDGE + "一部个张段幅篇首")) or (
        opening is not None and opening.group() != "以"
    ):
        shown = shown[opening.end() :]
    elif before is not None and before.start():
        shown = shown[: before.start()]
    candidates = [_bare(piece) for piece in re.split(r"[\n,，、;；:：]", shown)]
    return max(candidates, key=len, default="")


def _series(folded: str) -> Iterable[Span]:
    return [*measures.counts(folded, "kinds.image"), *spans("shape.series", folded)]


def _clause_moods(folded: str, edges: tuple[int, int]) -> list[Span]:
    """Return moods that stand as a clause of their own; inside a phrase they belong to it."""
    found: list[Span] = []
    start, end = edges
    cuts = [start, *(m.start() for m in _COMMA.finditer(folded, start, end)), end]
    listed = looks.mood_spans(folded)
    for first, last in itertools.pairwise(cuts):
        rest = blank(folded, listed)[first:last].strip(
            _EDGE + "的な에고하게한で、て风格느낌に와과和"
        )
        if not rest:
            found.append(Span(start=first, end=last))
    return found


def _bare(piece: str) -> str:
    """Return a phrase without measure words and particles around it."""
    piece = piece.strip(_EDGE)
    for _ in range(3):
        piece = _MEASURE.sub("", _CJK_LEAD.sub("", piece)).strip(_EDGE)
        piece = _without_particle(piece).strip(_EDGE)
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


type Kind = Literal["film", "image", "narration", "music", "document"]

_KINDS: tuple[Kind, ...] = ("film", "image", "narration", "music", "document")


def kind_heads(folded: str) -> Iterable[tuple[Kind, Span]]:
    """Yield every place where a kind of work is named."""
    for kind in _KINDS:
        for match in _kind_pattern(kind).finditer(folded):
            yield kind, Span(start=match.start(), end=match.end())


@cache
def _kind_pattern(kind: str) -> re.Pattern[str]:
    return re.compile(alternatives(words(f"kinds.{kind}")))
