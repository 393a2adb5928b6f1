"""How a plan's card says what becomes of results that are there, in the product's languages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """One language's words."""

    left_out: str
    kept: str


def words_of(language: str) -> Words:
    """Return the words of a language (BCP 47); English where the product does not speak it."""
    return _WORDS.get(language.split("-", maxsplit=1)[0].lower(), _WORDS["en"])


_WORDS = {
    "en": Words("Left out", "Kept as it is"),
    "de": Words("Entfällt", "Bleibt, wie es ist"),
    "es": Words("Se omite", "Se queda como está"),
    "fr": Words("Supprimé", "Reste tel quel"),
    "it": Words("Tolto", "Resta com'è"),
    "pt": Words("Fica de fora", "Fica como está"),
    "ko": Words("제외", "그대로 유지"),
    "zh": Words("省去", "保持不变"),
    "ja": Words("省くもの", "そのまま"),
}
