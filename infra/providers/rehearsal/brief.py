"""Reads what a person said about a work into a wish: what kind, about what, how long, how shown."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from infra.providers.rehearsal import lexicon
from infra.providers.rehearsal.script_types import Brief

type WorkKind = Literal["film", "posters", "image"]

DEFAULT_SECONDS = 24.0
LONGEST_SECONDS = 600.0
FPS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A work as the person wants it."""

    kind: WorkKind
    brief: Brief
    count: int


def read_wish(said: Sequence[str], language: str) -> Wish:
    """Return the wish in a person's words; later words override earlier ones."""
    words = "\n".join(said)
    kind = kind_of(words) or "film"
    seconds = _seconds(words) or DEFAULT_SECONDS
    width, height = (960, 1280) if kind == "posters" else (1280, 720)
    return Wish(
        kind=kind,
        count=4,
        brief=Brief(
            words=words,
            subject=_subject(said[0] if said else ""),
            subject_language=language,
            work_language=_language(words) or language,
            moods=(),
            style="",
            palette=(),
            duration_s=seconds,
            fps=FPS,
            width=width,
            height=height,
            shot_count=_shots(words) or min(24, max(3, round(seconds / 4.5))),
        ),
    )


def kind_of(text: str) -> WorkKind | None:
    """Return what kind of work a text asks for, None if it names none."""
    if lexicon.FILM.search(text):
        return "film"
    if lexicon.POSTERS.search(text):
        return "posters"
    return "image" if lexicon.IMAGE.search(text) else None


def _seconds(text: str) -> float:
    found = re.findall(
        r"(\d+)[\s-]*(?:seconds?|sekunden|초|秒|s\b|segundos|secondes|secondi)", text, re.I
    )
    return min(LONGEST_SECONDS, float(found[-1])) if found else 0


def _shots(text: str) -> int:
    found = re.findall(r"(\d+)\s*(?:shots|einstellungen|개 장면|个镜头)", text, re.I)
    return max(1, min(24, int(found[-1]))) if found else 0


def _language(text: str) -> str:
    found = re.findall(r"\b(?:in|auf) (english|german|deutsch|englisch|korean)\b", text, re.I)
    names = {"english": "en", "englisch": "en", "german": "de", "deutsch": "de", "korean": "ko"}
    return names[found[-1].lower()] if found else ""


def _subject(text: str) -> str:
    found = re.search(r"\b(?:about|über|of|von)\s+([^,.\n]+)", text, re.I)
    return (found.group(1) if found else text).strip()[:120]
