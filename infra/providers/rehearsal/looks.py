"""How a work should look and sound: moods, style, colours, format, language, what to leave out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from infra.providers.rehearsal import lettering, measures
from infra.providers.rehearsal.lexicon import (
    LETTER,
    Span,
    alternatives,
    blank,
    entries,
    pattern,
    patterns,
    spans,
    words,
)

UPRIGHT = (720, 1280)
SQUARE = (960, 960)
WIDE = (1280, 720)
PARTS = ("narration", "music", "captions")
"""What goes with the pictures of a film and may be left out."""
_OPPOSITE = {
    "warm": "cold",
    "cold": "warm",
    "dark": "bright",
    "bright": "dark",
    "calm": "energetic",
    "energetic": "calm",
    "cheerful": "melancholic",
    "melancholic": "cheerful",
}
_LESS = re.compile(
    r"(?:\bless|\bnot (?:so|too|as)|\bnot|\bweniger|\bnicht (?:so|zu)|\bmenos|\bmoins|\bpas si"
    r"|\bmeno|덜|不要(?:太|那么)?|别(?:太|那么)?|少一点|あまり)\s*$"
)
_TOO = re.compile(r"(?:\btoo|\bzu|\bdemasiado|\bmuy|\btrop|\btroppo|\bmuito|너무|太|過ぎ)\s*$")
_TOO_AFTER = re.compile(r"\s*(?:すぎ|過ぎ|demais)")
_TOO_INSIDE = ("すぎ",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moods:
    """Moods that were asked for, and those that were asked away, as English words."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


def opposite(mood: str) -> str | None:
    """Return the mood that cannot go with this one."""
    return _OPPOSITE.get(mood)


def moods(folded: str) -> Moods:
    """Return the moods of a text in the order in which they are named."""
    wanted: dict[str, int] = {}
    unwanted: dict[str, int] = {}
    for mood, found in _moods(folded):
        before = folded[: found.start]
        if _LESS.search(before) or _is_too_much(folded, found):
            unwanted.setdefault(mood, found.start)
            if other := opposite(mood):
                wanted.setdefault(other, found.start)
        else:
            wanted.setdefault(mood, found.start)
    return Moods(
        wanted=tuple(sorted(wanted, key=wanted.__getitem__)), unwanted=tuple(sorted(unwanted))
    )


def _is_too_much(folded: str, found: Span) -> bool:
    return (
        folded[: found.end].endswith(_TOO_INSIDE)
        or _TOO.search(folded[: found.start]) is not None
        or _TOO_AFTER.match(folded[found.end :]) is not None
    )


def _moods(folded: str) -> Iterator[tuple[str, Span]]:
    for mood, found in patterns("mood").items():
        for match in found.finditer(folded):
            yield mood, Span(start=match.start(), end=match.end())


def mood_spans(folded: str) -> list[Span]:
    """Return where moods and styles are named."""
    found = [span for _, span in _moods(folded)]
    for style in patterns("style").values():
        found += [Span(start=m.start(), end=m.end()) for m in style.finditer(folded)]
    return found


def style_spans(folded: str) -> list[Span]:
    """Return phrases like `in the style of a linocut`, which are about the look alone."""
    return [Span(start=m.start(), end=m.end()) for m in _style_phrase().finditer(folded)]


@cache
def _style_phrase() -> re.Pattern[str]:
    names = "|".join(words(f"style.{name}") for name in entries("style"))
    lead = alternatives(
        "in the style of|in style of|in the look of|im stil|im stil von|im stile|al estilo"
        "|en estilo|dans le style|a la maniere|nello stile|in stile|no estilo|em estilo|as"
    )
    small = alternatives("a|an|of|de|d|di|eines|einer|von|la|le|un|una|une")
    after = alternatives("style|stil|look|painting|drawing|print")
    return re.compile(
        rf"{lead}\s+(?:{small}\s+)*{alternatives(names)}(?:\s+{after})?"
        rf"|(?:{alternatives('in|als|en|em')}\s+)?{alternatives(names)}\s+{after}"
    )


def style(folded: str) -> str:
    """Return the style of a text in English words, empty if it names none."""
    named = {name: m.start() for name, p in patterns("style").items() if (m := p.search(folded))}
    return ", ".join(sorted(named, key=lambda name: named[name])[:2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette(Span):
    """Colours that were asked for, at their place."""

    colours: tuple[str, ...]


_HEX = re.compile(r"#[0-9a-f]{6}(?![0-9a-f])")


@cache
def _any_colour() -> str:
    return alternatives("|".join(words(f"colour.{key}") for key in entries("colour")))


@cache
def _run() -> re.Pattern[str]:
    small = rf"(?<![{LETTER}])(?:and|und|y|et|e|with|mit)(?![{LETTER}])"
    joint = rf"[\s,、，/·]*(?:{small}|와|과|和|与|と)?[\s]*"
    return re.compile(rf"{_any_colour()}(?:{joint}{_any_colour()})*")


def palettes(folded: str) -> list[Palette]:
    """Return colours of the whole work; `a red fox` asks for a fox, not for a red picture."""
    found = [
        Palette(start=m.start(), end=m.end(), colours=(m.group(),)) for m in _HEX.finditer(folded)
    ]
    for match in _run().finditer(folded):
        if _is_palette(folded, match):
            end = match.end()
            after = pattern("colour_context.after").match(
                folded, end + (folded[end : end + 1] == " ")
            )
            end = after.end() if after else end
            found.append(Palette(start=match.start(), end=end, colours=_colours(match.group())))
    return sorted(found, key=lambda one: one.start)


def _is_palette(folded: str, match: re.Match[str]) -> bool:
    """A palette has a word for it before or after, or is a clause of its own."""
    before, after = folded[: match.start()].rstrip(" :"), folded[match.end() :].lstrip()
    ends = not after or after[0] in ",.;!?、，。；！？)"
    begins = not before or before[-1] in ",.;!?、，。；！？("
    if pattern("colour_context.after").match(after):
        return True
    introduced = any(one.search(before[-40:]) for one in (_before_colour(), _work_before_colour()))
    return (ends and (begins or introduced)) or (introduced and _continues(after))


@cache
def _before_colour() -> re.Pattern[str]:
    return re.compile(alternatives(words("colour_context.before")) + r"$")


@cache
def _work_before_colour() -> re.Pattern[str]:
    """The pictures themselves are named right before it: `make the posters red`."""
    named = [words(f"kinds.{kind}.{tag}") for kind in _SEEN for tag in entries(f"kinds.{kind}")]
    be = alternatives(words("colour_context.be"))
    return re.compile(rf"{alternatives('|'.join(named))}(?:\s*{be}){{0,2}}\s*$")


def _continues(after: str) -> bool:
    """Whether another part of the wish follows, not the thing that has the colour."""
    return pattern(*_GOES_ON).match(after) is not None


_SEEN = ("image", "film")
_GOES_ON = ("spec.connector", "spec.polite", "change.instead", "colour_context.verb")


def _colours(run: str) -> tuple[str, ...]:
    named: dict[str, int] = {}
    for key, found in patterns("colour").items():
        for match in found.finditer(run):
            named[key] = min(match.start(), named.get(key, match.start()))
    return tuple(sorted(named, key=lambda key: named[key]))[:6]


def formats(folded: str) -> list[measures.Size]:
    """Return the formats that are named or given in numbers, in their order."""
    found = measures.sizes(folded)
    for name, (width, height) in (("upright", UPRIGHT), ("square", SQUARE), ("wide", WIDE)):
        found += [
            measures.Size(start=span.start, end=span.end, width=width, height=height)
            for span in spans(f"shape.{name}", folded)
        ]
    return sorted(found, key=lambda one: one.start)


@dataclass(frozen=True, slots=True, kw_only=True)
class Language(Span):
    """A language that the work is to have, at its place."""

    tag: str


_INTO = "in|auf|en|em|to|into|ins"
_MAY_FOLLOW = (
    "and|und|y|e|et|ed|with|mit|con|avec|com|for|fur|para|pour|per|about|uber|sobre|sur|su|sul|sulla"
    "|of|von|de|di|please|bitte|por|s|per|as|als|como|comme|come|at|from|instead|only|now|statt|this"
    "|on|lasting|long|length|vertical|square|but|aber|pero|mais|ma|mas|then|narration|narrated|spoken"
    "|sein|werden|be|being|ser|etre|essere|in|im|a|to|that|calm|warm|not|nicht|rather|lieber|subtitles|captions|short|the|der|die|das"
)
_OF_WORK = (
    "narration|narrator|voice|voiceover|voice over|version|language|speaker|captions|subtitles"
    "|sprecher*|stimme|fassung|untertitel*|sprachig*|narracion|locucion|voz|subtitulos|voix"
    "|voix off|audio|sous titres|narrazione|voce|sottotitoli|narracao|locucao|legendas"
    "|film|films|movie|video"
    "|documentary|short|clip|trailer|dokumentarfilm|kurzfilm|documental|cortometraje"
)
_OF_WORK_BEFORE = (
    "version|narracion|locucion|voz|voix|voix off|narration|narrazione|voce|narracao|locucao"
)


@cache
def _language_patterns() -> tuple[re.Pattern[str], ...]:
    listed = "|".join(words(f"language.{tag}") for tag in entries("language"))
    latin = "|".join(word for word in listed.split("|") if word.isascii())
    others = "|".join(word for word in listed.split("|") if not word.isascii())
    name = f"(?P<name>{alternatives(latin)})"
    follows = rf"(?=\s*$|\s*[^{LETTER}\s]|\s+\d|[\s\-]+{alternatives(_MAY_FOLLOW)})"
    return (
        re.compile(rf"{alternatives(_INTO)}[\s\-]+{name}{follows}"),
        re.compile(rf"{name}[\s\-]+{alternatives(_OF_WORK)}"),
        re.compile(rf"{alternatives(_OF_WORK_BEFORE)}[\s\-]+{name}"),
        re.compile(
            rf"(?:用|讲|说|改成|换成)?(?P<name>{alternatives(others)})"
            r"\s*(?:으로|로|판|내레이션|나레이션|더빙|자막|版|配音|旁白|解说|字幕|で|の|版の)?"
        ),
    )


def languages(folded: str, *, bare: bool) -> list[Language]:
    """Return the languages that a work is to have; `bare` also takes a name that stands alone."""
    found: list[Language] = []
    for listed in _language_patterns():
        found += [
            Language(start=m.start(), end=m.end(), tag=tag)
            for m in listed.finditer(folded)
            if (tag := _tag(m["name"]))
        ]
    if bare and not found:
        for tag, listed in patterns("language").items():
            found += [
                Language(start=m.start(), end=m.end(), tag=tag) for m in listed.finditer(folded)
            ]
    return sorted(found, key=lambda one: one.start)


def _tag(name: str) -> str:
    return next((tag for tag, p in patterns("language").items() if p.fullmatch(name)), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence(Span):
    """Something that the person does not want."""

    what: str


def refused(folded: str) -> list[Absence]:
    """Return what is named only to be left out: `without music`."""
    found: list[tuple[str, Span]] = [
        (what, span) for what in PARTS for span in _absent(what, folded)
    ]
    found += _unwritten(folded)
    return [Absence(start=span.start, end=span.end, what=what) for what, span in found]


def _unwritten(folded: str) -> list[tuple[str, Span]]:
    """Return what is not to be written; a quotation says what is."""
    taken = quoted(folded, folded)
    return [
        (what, span)
        for what, span in lettering.unwanted(folded)
        if not any(one.start <= span.start < one.end for one in taken)
    ]


def absences(folded: str) -> list[Absence]:
    """Return what is to be left out: narration, music, captions, what is written."""
    found = refused(folded)
    for span in spans("without.silent", folded):
        found.append(Absence(start=span.start, end=span.end, what="narration"))
    return found


def mentioned(folded: str) -> frozenset[str]:
    """Return which parts of a work are named without being refused: `but with music`."""
    rest = blank(folded, [*absences(folded)])
    named = {
        what
        for what in PARTS
        if pattern(f"without.{what}", f"without.{what}_named_cjk").search(rest) is not None
    }
    is_written = next(lettering.wanted(rest), None) is not None
    return frozenset(named | (set(lettering.WRITTEN) if is_written else set()))


def _absent(what: str, folded: str) -> Iterator[Span]:
    for listed in (_without(what), _off(what), re.compile(words(f"without.{what}_cjk"))):
        for match in listed.finditer(folded):
            yield Span(start=match.start(), end=match.end())


@cache
def _without(what: str) -> re.Pattern[str]:
    parts = (*PARTS, *lettering.WRITTEN)
    any_thing = alternatives("|".join(words(f"without.{key}") for key in parts))
    negation = alternatives(words("without.negation"))
    article = alternatives(f"{words('lead.article')}|any|all|jede|jeden|toute|toda|ogni|qualquer")
    between = rf"(?:[\s,]+(?:and|or|und|oder|y|o|ni|et|ou|e|nem|no|{any_thing}|{article}))*?"
    return re.compile(rf"{negation}{between}[\s\-]+{alternatives(words(f'without.{what}'))}")


@cache
def _off(what: str) -> re.Pattern[str]:
    """`Music off`, `lass die Musik weg`."""
    thing, off = (alternatives(words(f"without.{name}")) for name in (what, "off_after"))
    return re.compile(rf"{thing}[\s,:]+{off}")


_QUOTED = re.compile(r"[“„«「『《\"]\s*([^“”„«»「」『』《》\"\n]{1,120}?)\s*[”“»」』》\"]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted(Span):
    """Words in quotation marks and what they are for: a title, or words in a picture."""

    text: str
    role: str


def quoted(text: str, folded: str) -> list[Quoted]:
    """Return quotations; the place includes the words that introduce them."""
    found: list[Quoted] = []
    for match in _QUOTED.finditer(text):
        before = folded[: match.start()].rstrip(" :：,")
        role, start = "text", match.start()
        for name in ("title", "words"):
            lead = re.search(alternatives(words(f"title.{name}")) + "$", before[-40:])
            if lead:
                role, start = name, max(0, len(before) - 40) + lead.start()
        if role == "text" and _film_end().search(before[-40:]) is not None:
            role = "title"
        found.append(Quoted(start=start, end=match.end(), text=match[1].strip(), role=role))
    if not found and (match := _named().search(folded)) is not None:
        name = text[match.start("name") : match.end("name")].strip()
        found.append(Quoted(start=match.start(), end=match.end(), text=name, role="title"))
    if not found and (match := _labelled().search(folded)) is not None and _is_for_picture(folded):
        name = text[match.start("name") : match.end("name")].strip()
        found.append(Quoted(start=match.start(), end=match.end(), text=name, role="words"))
    return found


@cache
def _labelled() -> re.Pattern[str]:
    """Words for a picture without quotation marks: `with the text: Jazz by the lake`."""
    lead = alternatives(words("title.words"))
    return re.compile(rf"{lead}\s*[:：]\s*(?P<name>[^\s.!?。！？][^\n.!?。！？]{{0,90}})")


def _is_for_picture(folded: str) -> bool:
    return pattern("kinds.image").search(folded) is not None and not (
        pattern("verbs.speak", "verbs.write").search(folded)
    )


@cache
def _named() -> re.Pattern[str]:
    """A title without quotation marks: `the title should be Crumbs`."""
    lead, tail = (alternatives(words(f"naming.{name}")) for name in ("lead", "tail"))
    name = r"(?P<name>[^\s,.;:!?。，、！？][^,.;:!?\n。，、！？]{0,40}?)"
    return re.compile(rf"{lead}\s*:?\s*{name}\s*(?:{tail})?\s*(?=[,.;!?。，、！？]|$)")


@cache
def _film_end() -> re.Pattern[str]:
    """A quotation right after `a film` is its title."""
    names = [words(f"kinds.film.{tag}") for tag in entries("kinds.film")]
    return re.compile(alternatives("|".join(names)) + r"$")
