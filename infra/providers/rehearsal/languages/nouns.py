"""Common nouns in nine languages: what a film about them may say, and what shows them.

Owns the reading of the tables. A row is "tag; thing" and then the nouns in the order of `LANGUAGES`,
between slashes. A noun stands with its indefinite article, with the definite one where the language
wants it, or bare if it has none. After "|" come other words for it: plurals, cases, kinds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from infra.providers.rehearsal.languages import nouns_found, nouns_made
from infra.providers.rehearsal.themes.beats import LANGUAGES, Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    """A thing that films are made about."""

    tag: str
    """What films about it may say; a key of `themes.tags`."""
    thing: str
    """Words for it that the picture generator knows; empty if it knows none."""
    forms: dict[Language, str]
    also: dict[Language, tuple[str, ...]]

    def words(self, language: Language) -> tuple[str, ...]:
        """Return all words for it in a language, without articles."""
        form = self.forms[language]
        return (without_article(form, language), *self.also[language])


ARTICLES: dict[Language, tuple[str, ...]] = {
    "en": ("a ", "an ", "the "),
    "de": ("ein ", "eine ", "der ", "die ", "das "),
    "es": ("un ", "una ", "unos ", "unas ", "el ", "la ", "los ", "las "),
    "fr": ("un ", "une ", "des ", "le ", "la ", "les ", "l'", "l’"),
    "it": ("un ", "uno ", "una ", "un'", "il ", "lo ", "la ", "i ", "gli ", "le ", "l'", "l’"),
    "pt": ("um ", "uma ", "uns ", "umas ", "o ", "a ", "os ", "as "),
    "ko": (),
    "zh": (),
    "ja": (),
}


def without_article(phrase: str, language: Language) -> str:
    """Return a phrase without its leading article."""
    for article in ARTICLES[language]:
        if phrase.casefold().startswith(article):
            return phrase[len(article) :].strip()
    return phrase


@cache
def nouns() -> tuple[Noun, ...]:
    """Return all rows of the tables."""
    tables = (nouns_made.TABLE, nouns_found.TABLE)
    return tuple(noun for table in tables for noun in _read(table))


def _read(table: str) -> Iterator[Noun]:
    rows: list[str] = []
    for line in table.strip().splitlines():
        if line.startswith(" "):
            rows[-1] += f" {line.strip()}"
        else:
            rows.append(line.strip())
    for row in rows:
        head, _, cells = row.partition(":")
        tag, _, thing = head.partition(";")
        parts = [cell.strip().split("|") for cell in cells.split("/")]
        by_language = dict(zip(LANGUAGES, parts, strict=True))
        yield Noun(
            tag=tag.strip(),
            thing=thing.strip(),
            forms={language: part[0].strip() for language, part in by_language.items()},
            also={
                language: tuple(word.strip() for word in "|".join(part[1:]).split(",") if word)
                for language, part in by_language.items()
            },
        )
