"""Which language a text is in, as a BCP 47 tag: data that travels with a message.

Scripts decide where they can (Hangul, kana, Han, Cyrillic …); otherwise py3langid, restricted to
languages that the product speaks, for very short or mixed texts are otherwise guessed wildly.
"""

import asyncio
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


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(_LATIN)
    return identifier


async def load_language_model() -> None:
    """Read the model from its file, off the event loop, before the first text needs it."""
    await asyncio.to_thread(_identifier)


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
