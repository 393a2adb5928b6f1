"""Which language a text is in, as a BCP 47 tag: data that travels with a message.

Scripts decide where they can (Hangul, kana, Han, Cyrillic …); otherwise py3langid, restricted to
languages that the product speaks, for very short or mixed texts are otherwise guessed wildly.
`surely` says a language only where nobody would doubt it, so that it may overrule a model.
"""

import asyncio
import copy
import re
from functools import lru_cache
from typing import cast

from py3langid.langid import MODEL_FILE, LanguageIdentifier

FALLBACK = "en"
_LATIN = ["en", "de", "es", "fr", "it", "pt", "nl", "pl"]
_SCRIPTS = (
    ("ko", re.compile(r"[\uac00-\ud7af\u1100-\u11ff]")),
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
)
_JAPANESE = re.compile(
    r"映画|動画|[込働畑峠円駅図気桜県辺沢塩絵売読黒歩毎変戦対発実伝価仏広応単楽栄験鉄]"
)
"""Words and forms of signs that Chinese does not write, for texts in Han signs alone."""
_SAMPLE = 2000
_SCRIPT_SHARE = 0.2

_SURE = 0.9
_SURE_LETTERS = 10
_SURE_SIGNS = 4
"""So many letters of an alphabet, or signs of a script of one language, are enough to be sure."""
_SURE_SHARE = 0.5
_SURE_HAN = 8
"""So many signs without a kana among them are Chinese."""
_SURE_SCRIPTS = {
    "ko": re.compile(r"[\uac00-\ud7af]"),
    "ja": re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]"),
    "zh": re.compile(r"[\u4e00-\u9fff]"),
    "el": re.compile(r"[\u0370-\u03ff]"),
    "he": re.compile(r"[\u0590-\u05ff]"),
}
_OTHERS_WORDS = re.compile(
    r"https?://\S+|^\s*>.*$|\"[^\"\n]*\"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|»[^«\n]*«|「[^」\n]*」|『[^』\n]*』"
    r"|‘[^’\n]*’|(?<!\w)'[^'\n]*'(?!\w)",
    re.MULTILINE,
)
"""What is quoted is in no one's language."""
_PARTS = re.compile(r"[\n:;.!?。！？：；]+")


@lru_cache(maxsize=1)
def _identifiers() -> tuple[LanguageIdentifier, LanguageIdentifier]:
    """Return one for the languages that the product speaks, and one for all that are known."""
    of_all = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    of_ours = copy.copy(of_all)
    of_ours.set_languages(_LATIN)
    return of_ours, of_all


def _identifier() -> LanguageIdentifier:
    return _identifiers()[0]


async def load_language_model() -> None:
    """Read the model from its file, off the event loop, before the first text needs it."""
    await asyncio.to_thread(_identifiers)


def detect_language(text: str) -> str:
    """Return the language tag of a text; a text without letters is in English."""
    letters = [character for character in text[:_SAMPLE] if character.isalpha()]
    if not letters:
        return FALLBACK
    for tag, script in _SCRIPTS:
        hits = sum(bool(script.match(character)) for character in letters)
        if hits >= len(letters) * _SCRIPT_SHARE:
            return "ja" if tag == "zh" and _JAPANESE.search(text[:_SAMPLE]) else tag
    found = cast("tuple[str, float]", _identifier().classify(text[:_SAMPLE]))
    return found[0]


def surely(text: str) -> str | None:
    """Return the language of a person's own words if they leave no doubt about it, else None.

    Quotations are not their words. A text whose parts are in different languages, such as a line
    before a brief that somebody else wrote, is in doubt.
    """
    own = _OTHERS_WORDS.sub(" ", text[:_SAMPLE])
    whole = _sure_of(own)
    parts = {found for part in _PARTS.split(own) if (found := _sure_of(part)) is not None}
    return whole if whole is not None and parts <= {whole} else None


def _sure_of(text: str) -> str | None:
    letters = [character for character in text if character.isalpha()]
    if len(letters) < _SURE_SIGNS:
        return None
    found = detect_language(text)
    if script := _SURE_SCRIPTS.get(found):
        hits = sum(bool(script.match(character)) for character in letters)
        return found if hits >= len(letters) * _SURE_SHARE and _is_told_apart(found, text) else None
    if found not in _LATIN or len(letters) < _SURE_LETTERS:
        return None
    of_ours, of_all = _identifiers()
    name, share = cast("tuple[str, float]", of_ours.classify(text))
    anyway = cast("tuple[str, float]", of_all.classify(text))
    return name if share >= _SURE and anyway[0] == name == found else None


def _is_told_apart(found: str, text: str) -> bool:
    """Tell whether signs that two languages share are certainly of one: kana are, or many Han."""
    kana = re.search(r"[\u3040-\u30ff]", text)
    han = len(re.findall(r"[\u4e00-\u9fff]", text))
    return bool(kana) if found == "ja" else found != "zh" or (not kana and han >= _SURE_HAN)
