"""Reads one thing that a person said: what is asked for in it, and what kind of talk it is."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from infra.providers.rehearsal import amounts, halting, lettering, limits, looks, measures
from infra.providers.rehearsal.changes import counted_shots, replaced, shot_change, takes_back
from infra.providers.rehearsal.lexicon import (
    LETTER,
    Kind,
    Span,
    blank,
    clip,
    fold,
    has,
    is_unspaced,
    kind_heads,
    pattern,
    spans,
)
from infra.providers.rehearsal.subject import find_subject, spec_spans

_CLAUSE = re.compile(r"[,，、;；。.!！?？\n]")
_FILLER = re.compile(
    r"(?:요|해|줘|주세요|좀|네|은|는|이|가|을|를|으로|로|게|하게|的|了|吧|呢|啊|一下|点|些|にして|して|ください|ね|よ|を|は|が|に|で|も|な|く)+"
)
_WEAK = frozenset({"document"})
_NOT_DRAWN = frozenset({"film", "music", "narration"})
"""What a picture may show: `paint a fox that watches a film`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head(Span):
    """The kind of work that a text asks for, where it is named."""

    kind: Kind
    verb: str = ""
    """The verb that says it, where no noun does (`draw a fox`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One utterance, read."""

    text: str
    folded: str
    head: Head | None
    subject: str
    is_new: bool
    """Whether it names a work as something new (`a film`), not as known (`the film`)."""
    is_poster: bool
    is_square: bool
    is_series: bool
    count: int | None
    seconds: float | None
    seconds_delta: float
    factor: float
    """By how much longer or shorter the work is to become; 1 if nothing is said."""
    shots: int | None
    shot_seconds: float | None
    shots_factor: float
    size: tuple[int, int] | None
    fps: int | None
    language: str | None
    moods: looks.Moods
    style: str
    palette: tuple[str, ...]
    title: str
    lettering: str
    quotation: str
    absent: frozenset[str]
    named: frozenset[str]
    """Parts of a film that are spoken of as being in it: `but with music`."""
    adds: bool
    """Whether the kind of work is named as something to be added: `add a picture of my dog`."""
    is_film: bool
    """Whether a film is named."""
    is_of_one_shot: bool
    undoes: bool
    """Whether it takes back what was said before."""
    limits: tuple[limits.Limit, ...]
    """What of it can never be."""
    is_cheaper: bool
    is_again: bool
    remark: str
    """What is left when everything recognised is taken away: a wish in free words."""
    interrupts: Literal["stop", "wait", ""] = ""
    """How it began before what it asks for; only a button can stop."""

    @property
    def replaces_subject(self) -> bool:
        """Whether it names another subject: `make it about tea`, not `the film about tea`."""
        names = ("before", "opening") if is_unspaced(self.folded) else ("strong",)
        anchored = any(has(f"anchor.{name}", self.folded) for name in names)
        known = self.head is not None and not self.is_new
        return bool(self.subject) and anchored and (not known or has("change.other", self.folded))

    @property
    def restores(self) -> bool:
        """Whether a part of a film is asked for as such: `yes, with music`."""
        asked = ("change.with_thing", "change.other", "change.back")
        return bool(self.named) and any(has(name, self.folded) for name in asked)

    @property
    def changes(self) -> bool:
        """Whether it says anything about the form of a work."""
        form = (self.count, self.seconds, self.shots, self.size, self.language, self.shot_seconds)
        return (
            any(value is not None for value in form)
            or self.seconds_delta != 0
            or self.factor != 1
            or self.shots_factor != 1
            or bool(self.moods.wanted or self.moods.unwanted or self.style or self.palette)
            or bool(self.title or self.lettering or self.absent)
            or self.is_cheaper
            or self.is_again
            or self.undoes
            or self.restores
        )


@lru_cache(maxsize=128)
def read(text: str) -> Said:
    """Read one utterance; of `stop, make it blue` the change."""
    text = clip(text)
    rest = halting.rest_of(text, fold(text)) if not takes_back(fold(text)) else None
    if rest:
        said = _read(rest)
        if _asks_for_change(said):
            return replace(said, interrupts="stop" if halting.stops(fold(text)) else "wait")
    return _read(text)


def _asks_for_change(said: Said) -> bool:
    if said.text.rstrip().endswith(("?", "？")) and not has("change.instead", said.folded):
        return False
    is_new = said.head is not None and said.is_new
    acts = bool(said.remark) and halting.is_act(said.folded)
    named = any(has(name, said.folded) for name in ("change.more", "change.comparative"))
    return said.changes or is_new or said.replaces_subject or acts or named


def _read(text: str) -> Said:
    folded = fold(text)
    counted = blank(folded, replaced(folded))
    wanted = blank(folded, [*looks.refused(folded)])
    lengths, delta, factor, per_shot = amounts.times(counted)
    head = _timed(find_head(folded), lengths)
    sizes = looks.formats(folded)
    rates = measures.rates(folded)
    quotes = looks.quoted(text, folded)
    named = looks.languages(folded, bare=len(folded.split()) <= _SHORT and not _is_long(folded))
    palettes = looks.palettes(folded)
    shots = counted_shots(counted)
    return Said(
        text=text,
        folded=folded,
        head=head,
        subject=_subject(text, head),
        is_new=head is not None and _is_new(folded, head),
        is_poster=has("shape.poster", folded),
        is_square=has("shape.square_object", folded),
        is_series=has("shape.series", wanted) or has("shape.plural", wanted),
        count=amounts.count(counted, is_contrast=counted != folded),
        seconds=lengths,
        seconds_delta=delta,
        factor=factor,
        shots=round(shots[-1].value) if shots else None,
        shot_seconds=per_shot,
        shots_factor=amounts.shots_factor(folded),
        size=(sizes[-1].width, sizes[-1].height) if sizes else None,
        fps=round(rates[-1].value) if rates else None,
        language=named[-1].tag if named else None,
        moods=looks.moods(folded),
        style=looks.style(folded),
        palette=palettes[-1].colours if palettes else (),
        title=next((q.text for q in quotes if q.role == "title"), ""),
        lettering=_lettering(head, quotes),
        quotation=_quotation(text, head, quotes),
        absent=frozenset(one.what for one in looks.absences(folded)),
        named=looks.mentioned(folded),
        adds=head is not None and _is_added(folded, head),
        is_film=any(kind == "film" for kind, _ in kind_heads(folded)),
        is_of_one_shot=shot_change(text) is not None,
        undoes=takes_back(folded),
        limits=tuple(limits.limits(folded)),
        is_cheaper=has("change.cheaper", folded),
        is_again=has("change.again", folded),
        remark=_remark(text, folded),
    )


def _timed(head: Head | None, seconds: float | None) -> Head | None:
    """A story of so many seconds is a film."""
    if head is None or head.kind != "document" or head.verb or seconds is None:
        return head
    return Head(start=head.start, end=head.end, kind="film", verb="story")


def _subject(text: str, head: Head | None) -> str:
    """Return what it is about: neither a text to be read out, nor words for a picture."""
    if head is None or head.verb == "speak":
        return "" if head else find_subject(text, head)
    if head.verb == "story":
        return find_subject(text, None)
    if head.kind == "image":
        quotes = [one for one in looks.quoted(text, fold(text)) if one.role == "text"]
        text = blank(text, [*quotes])
    return find_subject(text, head)


def _lettering(head: Head | None, quotes: list[looks.Quoted]) -> str:
    """Return the words for a picture: those said to be, or else any quotation."""
    said = next((quote.text for quote in quotes if quote.role == "words"), "")
    if said or head is None or head.kind != "image":
        return said
    return next((quote.text for quote in quotes if quote.role == "text"), "")


def _quotation(text: str, head: Head | None, quotes: list[looks.Quoted]) -> str:
    quoted = next((quote.text for quote in quotes if quote.role == "text"), "")
    if head is None or head.verb != "speak":
        return quoted
    before, colon, after = text.partition(":" if ":" in text else "：")
    return (after if colon and len(before) < _LEAD_IN else quoted).strip(' \n"“”„«»') or quoted


_LEAD_IN = 60
_SHORT = 6
_LONG = 24


def _is_long(folded: str) -> bool:
    return is_unspaced(folded) and len(folded) > _LONG


def find_head(folded: str) -> Head | None:
    """Return the kind of work that a text asks for.

    In Latin scripts the first one named counts, in a compound (`movie poster`) its last part; in
    Chinese, Japanese and Korean the last one of the first clause that names any.
    """
    taken = [*looks.refused(folded), *looks.quoted(folded, folded)]
    heads = [
        Head(start=span.start, end=span.end, kind=kind)
        for kind, span in kind_heads(folded)
        if not any(one.start <= span.start < one.end for one in taken)
    ]
    heads.sort(key=lambda one: (one.start, -one.end))
    if _is_illustrated(folded, heads):
        return Head(start=heads[0].start, end=heads[0].end, kind="film")
    heads = _without_weak(folded, heads)
    if not heads or (heads[0].kind in _WEAK and has("verbs.speak", folded[: heads[0].start])):
        return _by_verb(folded)
    found = _last_of_clause(folded, heads) if is_unspaced(folded) else _compound(folded, heads)
    drawn = pattern("verbs.draw").search(folded)
    if drawn is not None and found.kind in _NOT_DRAWN and drawn.end() <= found.start:
        return _by_verb(folded)
    return found


def _is_illustrated(folded: str, heads: list[Head]) -> bool:
    """A story or a narration with a picture for each part of it is a film, not a single picture."""
    if not heads or heads[0].kind not in ("document", "narration") or has("verbs.write", folded):
        return False
    pictures = [head for head in heads if head.kind == "image"]
    if is_unspaced(folded):
        return any(has("unit.part_cjk", folded[: head.start]) for head in pictures)
    return any(
        _WITH.search(folded[: head.start])
        and pattern("unit.part").match(folded[head.end :].lstrip())
        for head in pictures
    )


_WITH = re.compile(rf"(?<![{LETTER}])(?:with|mit|con|avec|com)\s+(?:[{LETTER}]+\s+){{0,2}}$")


def _without_weak(folded: str, heads: list[Head]) -> list[Head]:
    """Words like `text` and `story` name a work only when it is to be written, or nothing else."""
    strong = [head for head in heads if head.kind not in _WEAK]
    if not strong or (heads[0].kind in _WEAK and has("verbs.write", folded)):
        return heads
    return strong


def _by_verb(folded: str) -> Head | None:
    for verb, kind in _VERB_KINDS:
        match = pattern(f"verbs.{verb}").search(folded)
        if match is not None:
            return Head(start=match.start(), end=match.end(), kind=kind, verb=verb)
    return None


_VERB_KINDS: tuple[tuple[str, Kind], ...] = (
    ("speak", "narration"),
    ("draw", "image"),
    ("film", "film"),
    ("compose", "music"),
    ("write", "document"),
)


def _last_of_clause(folded: str, heads: list[Head]) -> Head:
    first = heads[0]
    cut = _CLAUSE.search(folded, first.end)
    end = cut.start() if cut else len(folded)
    inside = [head for head in heads if head.end <= end]
    return max(inside or [first], key=lambda head: (head.end, -head.start))


def _compound(folded: str, heads: list[Head]) -> Head:
    found = heads[0]
    for head in heads[1:]:
        gap = folded[found.end : head.start]
        if head.start < found.end or not re.fullmatch(rf"[\s\-]+(?:[{LETTER}]+[\s\-]+)?", gap):
            continue
        if not pattern("spec.connector", "anchor.strong", "anchor.weak", "lead.article").search(
            gap
        ):
            found = head
    return found


def _is_new(folded: str, head: Head) -> bool:
    before = folded[: head.start]
    clause = before[max((m.end() for m in _CLAUSE.finditer(before)), default=0) :]
    changes = any(has(name, folded) for name in _CHANGES)
    if is_unspaced(folded):
        known = [s for s in spans("refer.definite_cjk", clause) if not clause[s.end :].strip()]
        return has("refer.indefinite", clause) or not (changes or known)
    found = [(span.end, "new") for span in spans("refer.indefinite", clause)]
    found += [(span.end, "known") for span in spans("refer.definite", clause)]
    return max(found)[1] == "new" if found else not changes


def _is_added(folded: str, head: Head) -> bool:
    before = folded[: head.start]
    clause = before[max((m.end() for m in _CLAUSE.finditer(before)), default=0) :]
    added = list(pattern("change.with_thing").finditer(clause))
    return bool(added) and len(clause[added[-1].end() :].split()) <= _FEW_BETWEEN


_FEW_BETWEEN = 2


_CHANGES = (
    "change.comparative",
    "change.shorter",
    "change.longer",
    "change.again",
    "change.other",
    "change.cheaper",
    "change.fewer",
    "change.half",
    "change.double",
)


_KNOWN = (
    "change.shorter",
    "change.longer",
    "change.half",
    "change.double",
    "change.comparative",
    "change.cheaper",
    "change.again",
    "change.fewer",
    "change.more",
    "change.undo",
    "change.undo_all",
    "change.back",
    "without.narration",
    "without.music",
    "without.captions",
    "without.narration_named_cjk",
    "without.music_named_cjk",
    "without.captions_named_cjk",
    "spec.polite",
    "spec.wish",
    "spec.connector",
    "colour_context.verb",
    "lead.latin",
    "lead.article",
    "refer.definite",
    "refer.pronoun",
    "refer.definite_cjk",
    "verbs.make",
    "unit.long",
    "unit.shot",
    "shape.variants",
    "shape.series",
    "unit.about",
    "chat.agree",
    "chat.thanks",
    "chat.praise",
    "chat.greeting",
    "chat.approve",
    "chat.dislike",
    "chat.refuse",
)


def _remark(text: str, folded: str) -> str:
    """Return the text if something is left of it that nothing else explains."""
    if shot_change(text) is not None:
        return text.strip()
    known: list[Span] = [*spec_spans(text, folded), *looks.mood_spans(folded)]
    known += [span for _, span in kind_heads(folded)]
    known += [*looks.languages(folded, bare=len(folded.split()) <= _SHORT)]
    known += [*lettering.wanted(folded), *measures.sheets(folded)]
    for name in _KNOWN:
        known += spans(name, folded)
    rest = re.sub(r"[\W\d_]+", " ", blank(folded, known))
    rest = pattern("change.other", "anchor.weak").sub(" ", rest)
    rest = _FILLER.sub(" ", rest) if is_unspaced(folded) else rest
    left = [word for word in rest.split() if len(word) > 1 or is_unspaced(word)]
    is_enough = len(left) > 1 or (left and (is_unspaced(left[0]) or _is_change(folded)))
    return text.strip() if is_enough else ""


def _is_change(folded: str) -> bool:
    return any(pattern(name).match(folded) for name in ("change.with_thing", "change.other"))


def tone(text: str) -> str | None:
    """Return which kind of talk a text is if it asks for nothing: `thanks`, `unclear`."""
    said = read(text)
    if not re.search(r"\w", said.folded) or said.folded == "(no text)":
        return "empty"
    for name in ("hostile", "approve"):
        if has(f"chat.{name}", said.folded) and not said.changes:
            return "approve"
    if is_question(said.folded):
        return "question"
    if is_stop(said, said.folded):
        return "stop"
    if has("chat.dislike", said.folded) and not said.changes and not said.remark:
        return "dislike"
    asks = said.changes or said.remark or said.head or said.replaces_subject
    return None if asks else _talk(said.folded)


def is_stop(said: Said, frame: str) -> bool:
    """Whether it asks for a stop and nothing else, which is done with a button.

    Args:
        said: what was said.
        frame: the folded text, perhaps without what a work is about.
    """
    if said.interrupts or said.undoes or said.is_of_one_shot or not is_short(frame):
        return False
    if said.head is not None and said.is_new and said.subject:
        return False
    if halting.stops(frame):
        return True
    acts = has("change.with_thing", frame) or has("change.other", frame)
    named = is_unspaced(frame) and has("chat.control", frame)
    return named and not (acts or said.changes)


def is_short(folded: str) -> bool:
    """Whether it is a handful of words."""
    if is_unspaced(folded):
        return len(folded) <= _FEW_CHARACTERS
    return len(folded.split()) <= _FEW_WORDS


_FEW_WORDS = 8
_FEW_CHARACTERS = 24


def _talk(folded: str) -> str | None:
    return next((name for name in _TALK if has(f"chat.{name}", folded)), "unclear")


_TALK = ("thanks", "praise", "greeting", "agree")


def is_question(folded: str) -> bool:
    """Whether a text asks how things stand, what is possible or what it costs."""
    names: Iterable[str] = ("status", "capability", "price_sure")
    return any(has(f"question.{name}", folded) for name in names)
