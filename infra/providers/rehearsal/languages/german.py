"""A German noun phrase, as a person wrote it in a sentence, put into the nominative.

Articles tell the case. Where they do not tell the gender, a known noun does; without one the phrase
is kept where it can stand and else reduced to its noun.
"""

import re

_WEAK = re.compile(
    r"^(\w*(?:mensch|bär|held|hirt|fürst|student|patient|astronaut|soldat|musikant|artist|pilot|"
    r"polizist|tourist|elefant|planet|komet|mensch|präsident|fotograf|nachbar|bauer?))(?:en|n)$",
    re.IGNORECASE,
)
_WEAK_E = re.compile(
    r"^(\w*(?:junge|löwe|affe|hase|falke|rabe|kunde|bote|riese|zeuge|name))n$", re.IGNORECASE
)
_FEMININE = re.compile(
    r"(?:ung|heit|keit|schaft|tät|ion|ei|ik|kunst|stadt|nacht|in|ur|enz|anz|ie|welt|kraft|wand)$"
)
_DIMINUTIVE = re.compile(r"(?:chen|lein|ment|um|tum)$")
_ADJECTIVE_END = {"der": "er", "die": "e", "das": "es"}


def nominative(phrase: str, known: str) -> str:
    """Return the phrase in the nominative; `known` is a noun of it with its indefinite article."""
    words = phrase.split()
    article, rest = words[0].casefold(), words[1:]
    match article:
        case "einen" if rest:
            return " ".join(["ein", *_declined(rest, "er", weak=True)])
        case "den" if rest:
            return _den(rest)
        case "einem" | "einer" | "eines" if rest:
            return _indefinite(rest, _gender(rest, known, feminine=article == "einer"))
        case "dem" | "des" if rest:
            return _definite(rest, _gender(rest, known, feminine=False))
        case "der" if rest and _gender(rest, known, feminine=False) == "die":
            return _definite(rest, "die")
        case _:
            is_nominative = article in {"ein", "eine", "der", "die", "das"}
            return " ".join([article, *rest]) if is_nominative else _bare(words, known)


def _den(rest: list[str]) -> str:
    noun = _noun_of(rest)
    # "den Bergen" is a plural: the plural's own "-n" is kept, it is right in "die Blumen" too.
    if noun.endswith("en") and not _WEAK.match(noun):
        return " ".join(["die", *rest])
    return " ".join(["der", *_declined(rest, "e", weak=True)])


def _indefinite(rest: list[str], gender: str) -> str:
    if not gender:
        return _noun_of(rest)
    article = "eine" if gender == "die" else "ein"
    return " ".join([article, *_declined(rest, _ADJECTIVE_END[gender], weak=True)])


def _definite(rest: list[str], gender: str) -> str:
    if not gender:
        return _noun_of(rest)
    return " ".join([gender, *_declined(rest, "e", weak=True)])


def _bare(words: list[str], known: str) -> str:
    """Give a bare phrase the endings of its own gender: "handgemachten Tasse"."""
    if len(words) == 1 and known.casefold().endswith(f" {words[0].casefold()}"):
        return known
    if words[0][:1].islower() and words[0].endswith("en"):
        gender = _gender(words, known, feminine=False)
        noun = _noun_of(words)
        if gender and not noun.endswith("en"):
            return " ".join(_declined(words, _ADJECTIVE_END[gender], weak=True))
    return " ".join(words)


def _gender(rest: list[str], known: str, *, feminine: bool) -> str:
    if feminine:
        return "die"
    noun = _noun_of(rest).casefold()
    article, _, name = known.partition(" ")
    if name and noun.endswith(name.casefold()):
        return {"eine": "die", "die": "die", "das": "das", "der": "der"}.get(article, "")
    if _DIMINUTIVE.search(noun):
        return "das"
    return "die" if _FEMININE.search(noun) else ""


def _noun_of(words: list[str]) -> str:
    return next((word for word in words if word[:1].isupper()), words[-1])


def _declined(words: list[str], ending: str, *, weak: bool) -> list[str]:
    """Give the adjectives before the noun an ending; take a weak noun's ending away."""
    done: list[str] = []
    before_noun = True
    for word in words:
        if before_noun and word[:1].islower() and word.endswith(("en", "em", "er")):
            done.append(word[:-2] + ending)
        elif before_noun and word[:1].isupper():
            before_noun = False
            done.append(_strong(word) if weak else word)
        else:
            done.append(word)
    return done


def _strong(noun: str) -> str:
    for pattern in (_WEAK, _WEAK_E):
        found = pattern.match(noun)
        if found:
            return found.group(1)
    return noun
