"""What works are called in a text, and whether as something known or as something new."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from infra.providers.rehearsal import measures
from infra.providers.rehearsal.lexicon import (
    LETTER,
    Span,
    alternatives,
    base,
    clip,
    entries,
    fold,
    is_unspaced,
    pattern,
    words,
)

FAMILIES = ("film", "image", "music", "voice", "text", "model")
GENERAL = frozenset(
    {"film_film", "image_picture", "music_music", "voice_narration", "text_text", "model_model"}
)
"""What any work of its family may be called."""
ALSO = {
    "film_film": frozenset({"film_documentary", "film_explainer", "film_animation", "film_clip"}),
    "image_picture": frozenset({"image_drawing", "image_photo", "image_portrait"}),
    "music_music": frozenset({"music_song", "music_lullaby", "music_jingle", "music_loop"}),
}
"""What is called by the general name as often as by its own."""
PARTS_OF = {"music": ("film",), "voice": ("film", "text"), "text": ("film", "voice", "image")}
"""Works of which families have such a thing in them."""
_BETWEEN = 4
_CLAUSE = re.compile(r"[,，、;；。.!！?？\n:：]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention(Span):
    """A work as it is called in a text."""

    name: str
    is_known: bool | None
    """Whether it is spoken of as known (`the film`), as new (`a film`), or neither."""


@lru_cache(maxsize=512)
def mentions(text: str, language: str = "") -> tuple[Mention, ...]:
    """Return the works that a text names, in its order; of overlapping names the longest.

    Args:
        text: the text.
        language: in which it is written, as the same word is an article in one language and
            none in another; any of them if it is not known.
    """
    folded = fold(clip(text))
    found: list[tuple[int, int, str]] = []
    for name in entries("work"):
        named = _named(name, has_compounds=base(language) == "de")
        found += [(m.start(), m.end(), name) for m in named.finditer(folded)]
    found.sort(key=lambda one: (one[0], -one[1]))
    kept: list[Mention] = []
    for start, end, name in found:
        if kept and start < kept[-1].end:
            continue
        known = _is_known(folded, start, base(language))
        if known is None and is_unspaced(folded) and _COUNTED_AFTER.match(folded, end):
            known = False
        kept.append(Mention(start=start, end=end, name=name, is_known=known))
    return tuple(kept)


def names_of(text: str, language: str) -> frozenset[str]:
    """Return what the works are called that a text names."""
    return frozenset(one.name for one in mentions(text, language))


_SIGNS = {
    "image_picture": (
        "图(?![书案标形纸像片画])|(?<![计规动漫绘国油版插])画(?![面家廊展图画上着得好完个了一])"
    ),
    "music_song": "(?<![国])歌(?![手唱词曲迷星舞声])",
}
"""Signs that name a work only where they are no part of another word."""


@cache
def _named(name: str, *, has_compounds: bool) -> re.Pattern[str]:
    """A name as a word, or as the end of a German compound: `Honigfilm`."""
    listed = pattern(f"work.{name}").pattern
    if name in _SIGNS:
        listed = f"{listed}|{_SIGNS[name]}"
    compounds = [one for one in _compounds() if has_compounds and one in pattern_words(name)]
    if not compounds:
        return re.compile(listed)
    joined = "|".join(sorted(compounds, key=len, reverse=True))
    return re.compile(rf"{listed}|(?<=[a-z]{{3}})(?:{joined})(?![{LETTER}])")


def pattern_words(name: str) -> frozenset[str]:
    """Return the single words under a name."""
    return frozenset(words(f"work.{name}").split("|"))


@cache
def _compounds() -> frozenset[str]:
    return frozenset(
        [
            "film",
            "filme",
            "filmen",
            "video",
            "videos",
            "clip",
            "clips",
            "spot",
            "spots",
            "trailer",
            "teaser",
            "doku",
            "bild",
            "bilder",
            "plakat",
            "plakate",
            "plakaten",
            "poster",
            "karte",
            "karten",
            "foto",
            "fotos",
            "cover",
            "logo",
            "zeichnung",
            "skizze",
            "aufkleber",
            "etikett",
            "banner",
            "musik",
            "lied",
            "lieder",
            "song",
            "melodie",
            "geschichte",
            "geschichten",
            "marchen",
            "gedicht",
            "rede",
            "text",
            "texte",
            "horspiel",
            "podcast",
            "horbuch",
            "rundgang",
            "fuhrung",
            "ansage",
        ]
    )


def _is_known(folded: str, start: int, language: str) -> bool | None:
    before = folded[:start]
    clause = before[max((m.end() for m in _CLAUSE.finditer(before)), default=0) :]
    if is_unspaced(folded):
        return _is_known_unspaced(clause)
    known_words, new_words = (determiners(name, language) for name in ("known", "new"))
    near = " ".join(clause.split()[-_BETWEEN:])
    found = [(one.end(), True) for one in known_words.finditer(near)]
    found += [(one.end(), False) for one in new_words.finditer(near)]
    last = near.split()
    if last and re.fullmatch(rf"\d+|{measures.number_pattern()}", last[-1]):
        return any(is_known for _, is_known in found)
    return max(found)[1] if found else None


@cache
def determiners(name: str, language: str) -> re.Pattern[str]:
    """Return the words before a `known` or a `new` thing in a language, or in any."""
    listed = entries(f"refer.{name}")
    tags = [language] if language in listed else list(listed)
    return re.compile(alternatives("|".join(str(listed[tag]) for tag in tags)))


_COUNTED = re.compile(
    r"(?<![第这那這])(?:[一两兩几二三四五六七八九十\d]+\s*(?:部|张|張|幅|个|個|段|支|条|首|篇|份|款|只|套|组"
    r"|枚|本|つ|曲|点|편|장|개|곡|점)(?:の|的)?)[^，、。,]{0,12}$|(?:한|두|세|네|다섯|여섯)\s*(?:편|장|개|곡|점)"
)
_COUNTED_AFTER = re.compile(
    r"(?:을|를|も|を)?\s*(?:한|두|세|네|다섯|여섯|하나|[一二三四五六七八九十\d]+)\s*"
    r"(?:장|편|개|곡|점|枚|本|つ|曲|点|张|幅|部|首|$|만|\s)"
)
_KNOWN_UNSPACED = re.compile(
    r"(?:这|那|這|该|上次|刚才|刚刚|其|その|この|あの|さっきの|前の|先週の|昨日の|아까|지난번|(?<![가-힣])(?:그|이|저)\s)"
    r"[^，、。,]{0,10}$"
)


def _is_known_unspaced(clause: str) -> bool | None:
    if _KNOWN_UNSPACED.search(clause):
        return True
    return False if _COUNTED.search(clause) else None


_QUOTE = re.compile(
    r"“[^”]*”|„[^“”]*[“”]|«[^»]*»|\"[^\"]*\"|「[^」]*」|『[^』]*』|‘[^’]{3,}’|(?<!\w)'[^']{6,}'(?!\w)"
)


def quoted(text: str) -> Iterator[Span]:
    """Yield what a text quotes."""
    for match in _QUOTE.finditer(text):
        yield Span(start=match.start(), end=match.end())


@cache
def _negation() -> re.Pattern[str]:
    small = pattern("refer.not_known").pattern
    rest = rf"(?:\s+[{LETTER}]+){{1,4}}?(?=\s*[,.;:!?]|\s*$|\s+(?:but|sondern|mais|sino|ma|mas)\s)"
    unspaced = (
        r"(?:不是|并不是|而不是|别动)[^，。,、]{1,10}(?=[，。,、]|$)"
        r"|[^，。,、\s]{1,10}(?:じゃなくて|ではなくて?|じゃない方)"
        r"|(?:[가-힣]+\s){0,1}[가-힣]+(?:이|가)?\s?(?:말고|아니라|아니고)"
    )
    return re.compile(rf"{small}{rest}|{unspaced}")


def negated(folded: str) -> Iterator[Span]:
    """Yield what a text says is not meant: `not the film`, `no el cartel`, `不是海报`."""
    for match in _negation().finditer(folded):
        yield Span(start=match.start(), end=match.end())


_PLACE = re.compile(
    r"第\s*([一二三四五六七八九十\d])|([一二三四五1-5])(?:番目|つ目|枚目|本目|曲目)"
)
_DIGITS = "一二三四五六七八九十"
_LAST = -1


def place(folded: str) -> int | None:
    """Return the place in an order that a text names, -1 for the last; None if it names none."""
    match = _PLACE.search(folded)
    if match is not None:
        sign = match.group(1) or match.group(2)
        return int(sign) if sign.isdigit() else _DIGITS.index(sign) + 1
    for key in entries("ordinal"):
        for found in pattern(f"ordinal.{key}").finditer(folded):
            if _stands_for_work(folded, found.start(), found.end()):
                return int(key)
    return None


def _stands_for_work(folded: str, start: int, end: int) -> bool:
    """Whether a place in an order is a work's: `the second one`, not `the second verse`."""
    if is_unspaced(folded):
        return True
    if determiners("known", "").search(folded[max(0, start - _NEAR) : start]) is None:
        return False
    rest = folded[end:].lstrip(" ")
    if not rest or not rest[0].isalpha():
        return True
    after = rest.split()[0].strip(",.;:!?")
    if any(one.start == 0 for one in mentions(rest)):
        return True
    return after in words("refer.after_place").split("|")


_NEAR = 8
