"""What a brief is about: its themes, the tags that open special lines, and the thing to be shown."""

from dataclasses import dataclass

from infra.providers.rehearsal.languages.finding import Hit, find
from infra.providers.rehearsal.script_types import Brief
from infra.providers.rehearsal.themes import shelf, universal
from infra.providers.rehearsal.themes.beats import Theme
from infra.providers.rehearsal.themes.tags import TAGS

_UNSAID = frozenset({"music", "book", "light", "night", "brand", "history", "voice"})
"""Tags that count in the subject only: briefs say "with music", "a story", "at night" of any work."""
_MOST_OTHERS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """The themes of a film, the nearest first, and what it may say and show."""

    primary: Theme
    others: tuple[Theme, ...]
    tags: frozenset[str]
    thing: str


def find_topic(brief: Brief) -> Topic:
    """Return what a brief is about; the universal theme if nothing is known of it."""
    hits = find(brief.subject, brief.subject_language)
    if not hits:
        rest = find(brief.words, brief.subject_language)
        hits = [hit for hit in rest if hit.tag not in _UNSAID]
    worth: dict[str, float] = {}
    for hit in hits:
        theme = TAGS[hit.tag].theme
        if theme in shelf.THEMES:
            worth[theme] = max(worth.get(theme, 0.0), TAGS[hit.tag].weight * hit.share)
    # A stable sort: what is said first wins among equals.
    ranked = sorted(worth, key=lambda theme: -worth[theme])
    themes = [shelf.THEMES[key] for key in ranked]
    primary = themes[0] if themes else universal.THEME
    return Topic(
        primary=primary,
        others=tuple(themes[1 : 1 + _MOST_OTHERS]),
        tags=frozenset(hit.tag for hit in hits),
        thing=_thing(hits) or primary.thing,
    )


def _thing(hits: list[Hit]) -> str:
    return next((hit.noun.thing for hit in hits if hit.noun and hit.noun.thing), "")
