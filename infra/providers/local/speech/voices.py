"""Which languages are spoken, by which voice and how fast.

Owns the map from BCP 47 tags to espeak-ng voices. A language is listed only if espeak-ng can be
understood in it: Arabic, Hebrew, Persian and Urdu are written without the vowels that it would
need, and its Thai and Burmese put the sounds in the wrong order.
"""

from dataclasses import dataclass

from babel import Locale, UnknownLocaleError

from infra.providers.local.request import LocalError

PACE_WPM = 142
"""espeak's rate that gives about 150 spoken words a minute in English."""
_SLOW_SCRIPTS_WPM = 172
"""Chinese and Japanese: this gives four characters a second, as a calm narrator speaks."""


class UnsupportedLanguageError(LocalError):
    """No voice here speaks the language."""

    code = "unsupported_language"


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """One language of the narrator; `rate_wpm` is espeak's own measure of pace."""

    language: str
    name: str
    rate_wpm: int = PACE_WPM

    @property
    def base(self) -> str:
        """The language without region, such as `en`."""
        return self.language.partition("-")[0]


_SAME_NAME = (
    "af az be bg bs ca cs cy da de el eo es et eu fi fr ga hi hr hu hy id is it ja ka kk ko lt lv "
    "mk ms mt nb ne nl pl pt ro ru sk sl sq sr sv sw ta te tr uk uz vi yue"
)
_PAIRS = (
    "en-gb:en en-au:en en-ie:en en-in:en en-nz:en en-za:en en:en-us zh:cmn es-419:es-419 "
    "fr-be:fr-be fr-ch:fr-ch pt-br:pt-br zh-hk:yue zh-yue:yue"
)
_VOICES = {tag: tag for tag in _SAME_NAME.split()} | {
    tag: name for tag, _, name in (pair.partition(":") for pair in _PAIRS.split())
}
_FIRST_NAMES = {"cmn": "zh", "no": "nb", "nn": "nb", "iw": "he", "in": "id", "gsw": "de"}
_LATIN_AMERICA = "419 ar bo cl co cr cu do ec gt hn mx ni pa pe pr py sv us uy ve"
_NEAREST = (
    "br:fr fo:is gd:ga gl:pt gu:hi ht:fr jv:id ky:kk lb:de mr:hi oc:ca pa:hi su:id tk:tr tt:tr "
    "ur:hi yi:de"
)
_RELATED = {tag: nearest for tag, _, nearest in (pair.partition(":") for pair in _NEAREST.split())}
"""For languages without a voice: one that their speakers mostly understand; else English."""
_PACES = {
    "cmn": _SLOW_SCRIPTS_WPM,
    "yue": _SLOW_SCRIPTS_WPM,
    "ja": _SLOW_SCRIPTS_WPM,
    "ko": 155,
    "fr": 124,
    "fr-be": 124,
    "fr-ch": 124,
}


def find_voice(language: str) -> Voice:
    """Return the voice for a BCP 47 tag, the region's own where there is one.

    Raises:
        UnsupportedLanguageError: None speaks it; the message names the nearest that is spoken.
    """
    parts = language.strip().replace("_", "-").lower().split("-")
    base = _FIRST_NAMES.get(parts[0], parts[0])
    tag = next(
        (f"{base}-{part}" for part in parts[1:] if f"{base}-{part}" in _VOICES),
        base,
    )
    if base == "es" and set(_LATIN_AMERICA.split()).intersection(parts[1:]):
        tag = "es-419"
    if tag not in _VOICES:
        raise UnsupportedLanguageError(_refusal(language, base))
    name = _VOICES[tag]
    return Voice(language=tag, name=name, rate_wpm=_PACES.get(name, PACE_WPM))


def spoken_languages() -> list[str]:
    """Return the tags of every language that can be spoken, without regions."""
    return sorted({tag.partition("-")[0] for tag in _VOICES})


def _refusal(language: str, base: str) -> str:
    nearest = _RELATED.get(base, "en")
    return (
        f"No voice here speaks {_name_of(base)} ({language.strip()}). "
        f"The nearest that is spoken is {_name_of(nearest)} ({nearest})."
    )


def _name_of(base: str) -> str:
    try:
        return Locale.parse(base).english_name or base
    except (UnknownLocaleError, ValueError):
        return f"'{base}'"
