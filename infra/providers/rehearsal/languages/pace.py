"""How long a line takes to say, in the unit in which each language is paced.

Words for languages written with spaces, syllables for Korean, characters for Chinese, morae for
Japanese. Long words count for more than one, so that a line of long words is not rushed.
"""

import re

from infra.providers.rehearsal.themes.beats import Language

AIR_S = 0.8
"""The part of a shot in which nobody speaks."""

PER_SECOND: dict[Language, float] = {
    "en": 2.3,
    "de": 2.0,
    "es": 2.4,
    "fr": 2.4,
    "it": 2.4,
    "pt": 2.4,
    "ko": 4.2,
    "zh": 4.0,
    "ja": 6.5,
}
_LETTERS_PER_WORD: dict[Language, float] = {
    "en": 5.6,
    "de": 6.6,
    "es": 5.6,
    "fr": 5.6,
    "it": 5.8,
    "pt": 5.6,
}
"""Above this mean length, letters are counted instead of words."""
_MORAE_OF_KANJI = 1.9
_MORAE_OF_LATIN_LETTER = 0.9
_SYLLABLES_OF_LATIN_LETTER = 0.45
_SMALL_KANA = frozenset("ゃゅょぁぃぅぇぉャュョァィゥェォ")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_HAN = re.compile(r"[\u3400-\u9fff々]")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fc]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f0-9]")


def capacity(seconds: float, language: Language) -> float:
    """Return how many units can be said at ease in a shot of that length."""
    return max(seconds - AIR_S, 0.0) * PER_SECOND[language]


def units(text: str, language: Language) -> float:
    """Return the length of a text in the units of its language."""
    match language:
        case "ko":
            latin = _SYLLABLES_OF_LATIN_LETTER * len(_LATIN.findall(text))
            return len(_HANGUL.findall(text)) + len(_HAN.findall(text)) + latin
        case "zh":
            latin = _SYLLABLES_OF_LATIN_LETTER * len(_LATIN.findall(text))
            return len(_HAN.findall(text)) + latin
        case "ja":
            kana = [sign for sign in _KANA.findall(text) if sign not in _SMALL_KANA]
            kanji = _MORAE_OF_KANJI * len(_HAN.findall(text))
            return len(kana) + kanji + _MORAE_OF_LATIN_LETTER * len(_LATIN.findall(text))
        case _:
            words: list[str] = _WORD.findall(text)
            letters = sum(map(len, words))
            return max(len(words), letters / _LETTERS_PER_WORD[language])
