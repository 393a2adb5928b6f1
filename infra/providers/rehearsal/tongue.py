"""In which language a person speaks: a word or two are judged by what was said before."""

import re

from infra.providers.rehearsal.lexicon import (
    LETTER,
    SPEAKS,
    clip,
    entries,
    fold,
    is_unspaced,
    language_of,
    words,
)
from infra.providers.rehearsal.state import MainView


def language_in(view: MainView, text: str) -> str:
    """Return the language of the conversation; a word or two are judged by what was said before."""
    tagged = view.language or "en"
    found = language_of(text, tagged)
    if is_unspaced(text) or found != tagged or _speaks(text, found):
        return found
    for item in reversed(view.recent):
        before = item.get("text")
        if item.get("role") == "user" and isinstance(before, str) and not is_unspaced(before):
            spoken = language_of(before, tagged)
            return spoken if _speaks(before, spoken) else found
    return found


def _speaks(text: str, tag: str) -> bool:
    """Whether a text has any small word of a language."""
    listed = entries("function").get(tag)
    if listed is None:
        return tag not in SPEAKS
    found = set(re.findall(f"[{LETTER}]+", fold(clip(text))))
    return not found.isdisjoint(words(f"function.{tag}").split("|"))
