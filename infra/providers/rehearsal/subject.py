"""What a work is about: the noun phrase in the person's own words, freed from everything else.

The wish around it (make me, a 20-second film, calm, in English, please) is recognised and cut off.
In Latin scripts the subject follows the kind of work (a film *about bees*), in Chinese, Japanese
and Korean it mostly stands before it.
"""

import itertools
import re
from functools import cache

from infra.providers.rehearsal import limits, looks, measures, unspaced
from infra.providers.rehearsal.changes import replaced
from infra.providers.rehearsal.lexicon import (
    CLAUSE_END,
    EDGE,
    LETTER,
    Span,
    alternatives,
    blank,
    fold,
    is_unspaced,
    kind_heads,
    pattern,
    spans,
)
from infra.providers.rehearsal.titles import balanced

LONGEST = 120
_ABBREVIATED = (
    r"(?<!\b[A-Za-zÀ-ÿ])(?<!\b\d)(?<!\b\d\d)(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bSt)"
    r"(?<!\bProf)(?<!\bNr)(?<!\bNo)(?<!\bSr)(?<!\bSra)(?<!\bDra)(?<!\bJr)(?<!\bca)(?<!\bvs)"
)
"""`Dr. Meier` and `15. Geburtstag` go on; so do initials."""
_SENTENCE_END = re.compile(rf"[。！？\n]|[!?;](?=\s+\S|\s*$)|{_ABBREVIATED}\.(?=\s+\S)|\.(?=\s*$)")
_BEFORE_KIND = re.compile(
    r"\s*(?:\b(?:in|as|into|als|als|zu|en|dans|sous forme de|come|in forma di|como|em|with|mit"
    r"|for|fur)\b(?:\s+\w{1,8})?)[\s\-]*$"
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
    found += [*measures.counts(folded, "kinds.image"), *measures.rates(folded)]
    found += measures.counts(folded, "kinds.model3d")
    found += [*looks.formats(folded), *looks.absences(folded)]
    found += looks.languages(folded, bare=False)
    found += looks.palettes(folded)
    found += [one for one in looks.quoted(text, folded) if one.role != "text"]
    found += looks.style_spans(folded)
    found += limits.limits(folded)
    found += replaced(folded)
    for name in ("spec.polite", "shape.platform", "shape.series"):
        found += spans(name, folded)
    return sorted(found, key=lambda one: (one.start, -one.end))


def _unspaced(text: str, folded: str, head: Span | None, places: list[Span]) -> str:
    for start, end in _sentences(text, head):
        pieces = [(start, end)]
        if head is not None and start <= head.start < end:
            pieces = [(start, head.start), (head.end, end)]
            if folded[head.end : head.end + 2].strip()[:1] == ":":
                pieces.reverse()
        for piece in pieces:
            if found := unspaced.subject_in(text, folded, piece, places):
                return found[:LONGEST]
    return ""


def _latin(text: str, folded: str, head: Span | None, places: list[Span]) -> str:
    for start, end in _sentences(text, head):
        inside = head if head is not None and start <= head.start < end else None
        found = _in_sentence(text, folded, (start, end), inside, places)
        if found and not _is_pronoun(found):
            return balanced(found[:LONGEST].strip(EDGE))
    return ""


def _is_pronoun(found: str) -> bool:
    """Whether nothing but small words is left, or only those for whom the work is made."""
    bare = pattern("spec.wish", "refer.pronoun", "change.other", "anchor.weak", "lead.audience")
    return not bare.sub(" ", fold(found)).strip(EDGE)


def _sentences(text: str, head: Span | None) -> list[tuple[int, int]]:
    """Return the sentences, the one that names the kind of work first."""
    edges = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    found = [(a, b) for a, b in itertools.pairwise(edges) if text[a:b].strip(EDGE)]
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
    return (
        _adjunct(text, folded, (start, head.start), places)
        or _anchored(text, folded, (start, head.start), places)
        or _introduced(text, folded, (start, head.start))
        or _strip_lead(_clauses(text, folded, (head.end, end), places), article=False)
    )


def _after_kind(folded: str, edges: tuple[int, int], places: list[Span]) -> int | None:
    """Return where the subject begins after the kind of work, past specs and the word for about."""
    position, end = edges
    anchor = pattern("anchor.strong", "anchor.weak")
    while position < end:
        rest = folded[position:end]
        gap = rest[: len(rest) - len(rest.lstrip(" ,:;()-–—"))]
        position += len(gap)
        spec = next((one for one in places if one.start <= position < one.end), None)
        if spec is not None:
            position = spec.end
            continue
        match = anchor.match(folded, position, end)
        if match is None and ":" in gap:
            return position
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
    for count in (1, 2):
        match = re.compile(rf"(?:[{LETTER}]+\s+){{{count}}}").match(folded, *edges)
        if match is not None:
            after = match.end()
            spec = next((one for one in places if _begins(folded, after, one)), None)
            if spec is not None:
                return spec.end
    return None


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
    return match.end() if not before.strip(EDGE) else None


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
    cuts = [start, *(m.start() for m in CLAUSE_END.finditer(text, start, end)), end]
    stop = start
    for first, last in itertools.pairwise(cuts):
        is_first = not text[start:first].strip(EDGE)
        other = not is_first and _is_other(folded, (first, last))
        if other or _is_spec(folded, (first, last), places, is_first=is_first):
            if stop > start:
                break
            if text[first:last].strip(EDGE):
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
    return not blanked.strip(EDGE) or (not is_first and _is_manner(folded, edges, places))


_ADJECTIVE = re.compile(r"[a-zß]{2,}(?:lich|isch|voll|sam|haft|los|ig|ful|less|eux|evole)(?:es?)?")


def _is_manner(folded: str, edges: tuple[int, int], places: list[Span]) -> bool:
    """Whether a clause is one or two adjectives, of which one is known: `quiet and pensive`."""
    start, end = edges
    clause = folded[start:end].strip(EDGE)
    moods = blank(folded, [*places, *looks.mood_spans(folded)])[start:end]
    known = len(folded[start:end].split()) > len(moods.split())
    joint = alternatives("and|und|y|et|e|but|aber|pero|mais|ma|mas")
    pair = re.fullmatch(rf"(?:{joint}\s+)?(\w+)(?:\s+{joint}\s+(\w+))?", clause)
    if pair is None:
        return False
    listed = [word for word in pair.groups() if word]
    return (known and len(listed) > 1) or all(_ADJECTIVE.fullmatch(word) for word in listed)


def _is_other(folded: str, edges: tuple[int, int]) -> bool:
    """Whether a clause begins a new request instead of going on with the subject."""
    clause = folded[slice(*edges)].lstrip(EDGE)
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
        end = start + len(text[start:end].rstrip(EDGE))
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
    verbs = "machen|erstellen|gestalten|entwerfen|drehen|produzieren|zeichnen|malen|haben"
    small = "instead|stattdessen|lieber|rather|plutot|invece|en su lugar|a la place|as well|too"
    return re.compile(rf"\s+{alternatives(f'{verbs}|{small}')}\s*$")


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
    names = ("impossible.print", "impossible.ship", "impossible.publish", "chat.approve")
    listed = pattern(*names)
    for joint in re.finditer(r"\s(?:and then|and|und dann|und|y|et|e)\s+", folded[start:end]):
        if joint.start() and listed.match(folded, start + joint.end(), end):
            return start + joint.start()
    return end


def _adjunct(text: str, folded: str, edges: tuple[int, int], places: list[Span]) -> str:
    """Return what stands directly before the kind of work (`a bakery film`)."""
    start, end = edges
    if pattern(*_ASKS).search(folded, start, end) is not None:
        return ""
    blanked = blank(folded, [*places, *looks.mood_spans(folded)])
    piece = blanked[start:end]
    start += max((m.end() for m in CLAUSE_END.finditer(piece)), default=0)
    articles = pattern("lead.article").finditer(folded, start, end)
    start = max((m.end() for m in articles), default=start)
    shown = "".join(
        a if b != " " or a == " " else " "
        for a, b in zip(text[start:end], blanked[start:end], strict=True)
    )
    bare = re.sub(r"\s+", " ", _strip_lead(shown, article=True)).strip(EDGE)
    if (weak := pattern("anchor.weak").match(fold(bare))) is not None:
        bare = bare[weak.end() :].strip(EDGE)
    form = pattern("spec.connector", "lead.latin", "lead.article", "shape.series", "anchor.weak")
    small = re.fullmatch(rf"(?:{form.pattern}\s*)*", fold(bare))
    return "" if small or _is_sentence(fold(bare)) else bare


def _anchored(text: str, folded: str, edges: tuple[int, int], places: list[Span]) -> str:
    """Return what follows `about` before the kind of work (`something about X, a film`)."""
    place = _strong(folded, edges)
    return _clauses(text, folded, (place, edges[1]), places) if place is not None else ""


def _introduced(text: str, folded: str, edges: tuple[int, int]) -> str:
    """Return who someone is that says what they need (`we are a small bakery and need a film`)."""
    joint = alternatives("and need|and want|and would like|and we need|und brauchen|und mochten")
    more = alternatives("y necesitamos|y queremos|et nous voulons|e vogliamo|e queremos|und suchen")
    match = re.compile(rf"\s(?:{joint}|{more})\s").search(folded, *edges)
    return _strip_lead(text[edges[0] : match.start()], article=False) if match else ""


_ADJUNCT_WORDS = 4
_ASKS = (
    "question.capability",
    "question.price_sure",
    "question.status",
    "impossible.print",
    "impossible.ship",
    "impossible.publish",
    "impossible.buy",
    "change.with_thing",
)


def _is_sentence(folded: str) -> bool:
    """Whether words before the kind of work are too many to be its subject, or count it."""
    found = folded.split()
    return len(found) > _ADJUNCT_WORDS or any(measures.number(word) for word in found)


def _strip_lead(text: str, *, article: bool) -> str:
    """Cut `please make me` and the like off the beginning, with articles on demand."""
    text = text.strip(EDGE)
    names = ("lead.latin", "verbs.draw", "verbs.compose", "verbs.write", "verbs.speak")
    lead = pattern(*names, "lead.article") if article else pattern(*names)
    while match := re.match(rf"(?:{lead.pattern})[\s,:]*", fold(text)):
        text = text[match.end() :].lstrip(EDGE)
    return text
