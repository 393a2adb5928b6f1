"""What a brief is about: its themes, the tags that open special lines, and the thing to be shown."""

import re
from dataclasses import dataclass

from infra.providers.rehearsal.languages.finding import Hit, find
from infra.providers.rehearsal.script_types import Brief
from infra.providers.rehearsal.themes import shelf, universal
from infra.providers.rehearsal.themes.beats import Theme
from infra.providers.rehearsal.themes.own import parts_of
from infra.providers.rehearsal.themes.tags import TAGS
from infra.providers.rehearsal.titles import title_from

_UNSAID = frozenset({"music", "book", "light", "night", "brand", "history", "voice"})
"""Tags that count in the subject only: briefs say "with music", "a story", "at night" of any work."""
_MOST_OTHERS = 1
_EXPLAINS = re.compile(
    r"\bexplain|\bhow (?:does|do)\b|\bhow \S+(?: \S+){0,3} works?\b|\berklär|\bwie \S+(?: \S+){0,3} "
    r"funktionier|\bexplica|\bcómo funciona|\bexpliqu|\bcomment fonctionn|\bspiega|\bcome funziona|"
    r"\bcomo funciona|\bwie entsteh|\bwarum\b|\bwhy\b|\bpourquoi\b|\bpor qué\b|\bperché\b|"
    r"설명|어떻게|왜 |怎么|为什么|どうして|なぜ|讲解|解释|科普|讲讲|説明|解説|仕組み|しくみ",
    re.IGNORECASE,
)
_DRAWN = frozenset({"universal", "explaining"})
"""Themes that have no thing of their own: they show what the brief names."""


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
    if _EXPLAINS.search(brief.words):
        worth["explaining"] = max(worth.get("explaining", 0.0), TAGS["explained"].weight)
    # A stable sort: what is said first wins among equals.
    ranked = sorted(worth, key=lambda theme: -worth[theme])
    themes = [shelf.THEMES[key] for key in ranked]
    primary = themes[0] if themes else universal.THEME
    return Topic(
        primary=primary,
        others=tuple(themes[1 : 1 + _MOST_OTHERS]),
        tags=frozenset(hit.tag for hit in hits),
        thing=_thing(hits) or (primary.key in _DRAWN and _named(brief)) or primary.thing,
    )


def _named(brief: Brief) -> str:
    """Return what the subject names first, in the person's own words."""
    parts = parts_of(brief.subject, brief.subject_language)
    return parts[0] if parts else title_from(brief.subject, brief.subject_language)


def _thing(hits: list[Hit]) -> str:
    return next((hit.noun.thing for hit in hits if hit.noun and hit.noun.thing), "")
