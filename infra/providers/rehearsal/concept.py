"""The concept of a series as a document for people, wholly in the language of the work.

The words that the generator is given are English; here the same pictures are told in the person's
own words and in names that every language has.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from infra.providers.rehearsal.brief import Wish
from infra.providers.rehearsal.lexicon import speak_language
from infra.providers.rehearsal.phrases import join, look_name, say, size


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """One picture of the series on paper."""

    prompt: str
    """What the generator is given, in English words around the person's own."""
    about: tuple[str, ...]
    """What is seen, in the person's own words."""
    form: str
    """How it is composed, as the generator is told; empty for a picture by itself."""
    thought: str
    """A sentence of the script, in the language of the work."""
    words: tuple[str, ...]
    """What is written in the picture."""


def document(wish: Wish, title: str, sketches: Sequence[Sketch], *, is_unlettered: bool) -> str:
    """Return the concept as Markdown."""
    brief = wish.brief
    language = brief.work_language
    about = (
        say("doc_series", language, n=wish.count, subject=brief.subject)
        if brief.subject
        else say("doc_plain", language, n=wish.count)
    )
    told = [about, say("plan_unlettered", language) if is_unlettered else ""]
    lines = [f"# {title}", "", join(told, language), ""]
    lines.append(f"- **{say('doc_format', language)}:** {size(brief.width, brief.height)}")
    if look := looks_of(wish, language):
        lines.append(f"- **{say('doc_look', language)}:** {_comma(language).join(look)}")
    key = "name_poster" if wish.is_poster else "name_picture"
    for slot, sketch in enumerate(sketches, start=1):
        lines += ["", f"## {say(key, language, k=slot)}", ""]
        lines.append(f"**{say('doc_motif', language)}:** {_motif(sketch, language)}")
        if sketch.words:
            lines += ["", f"**{say('doc_line', language)}:** {' · '.join(sketch.words)}"]
    return "\n".join(lines) + "\n"


def looks_of(wish: Wish, language: str) -> list[str]:
    """Return the moods and styles of a work as they are called in a language."""
    moods = [look_name("mood", mood, language) for mood in wish.brief.moods]
    styles = [look_name("style", one, language) for one in wish.brief.style.split(", ") if one]
    return [*moods, *styles]


def _motif(sketch: Sketch, language: str) -> str:
    if speak_language(language) == "en":
        return sketch.prompt
    form = look_name("form", sketch.form, language) if sketch.form else ""
    seen = _comma(language).join(part for part in (*sketch.about, form) if part)
    if not sketch.thought or sketch.thought in sketch.words:
        return seen
    stop = "。" if _comma(language) != ", " else "."
    return join([f"{seen.rstrip('.。')}{stop}" if seen else "", sketch.thought], language)


def _comma(language: str) -> str:
    return {"zh": "，", "ja": "、"}.get(speak_language(language), ", ")
