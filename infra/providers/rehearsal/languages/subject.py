"""The subject of a film as a phrase that can stand in its narration.

Owns articles, cases, quotation marks and Korean particles around it. The phrase is never inflected
by whoever uses it; a subject in another language than the work is translated if it is a common noun,
else quoted. An unusable subject (a whole sentence, nothing at all) gives an empty phrase.
"""

import re

from infra.providers.rehearsal.languages import german
from infra.providers.rehearsal.languages.finding import Hit, find
from infra.providers.rehearsal.languages.nouns import ARTICLES, without_article
from infra.providers.rehearsal.script_types import Brief
from infra.providers.rehearsal.themes.beats import Language

_LONGEST_WORDS = 7
_LONGEST_SIGNS = 18
_UNSPACED = frozenset({"zh", "ja"})
_QUOTES: dict[Language, tuple[str, str]] = {
    "en": ("“", "”"),
    "de": ("„", "“"),
    "es": ("«", "»"),
    "fr": ("«\u00a0", "\u00a0»"),
    "it": ("«", "»"),
    "pt": ("“", "”"),
    "ko": ("‘", "’"),
    "zh": ("“", "”"),
    "ja": ("「", "」"),
}
_CONTRACTIONS: dict[Language, dict[str, str]] = {
    "es": {"del ": "el ", "al ": "el "},
    "fr": {"du ": "le ", "au ": "le ", "aux ": "les ", "d'": "", "d’": ""},
    "it": {
        "del ": "il ",
        "dello ": "lo ",
        "della ": "la ",
        "dell'": "l'",
        "dell’": "l'",
        "dei ": "i ",
        "degli ": "gli ",
        "delle ": "le ",
        "sul ": "il ",
        "sulla ": "la ",
        "sull'": "l'",
    },
    "pt": {"do ": "o ", "da ": "a ", "dos ": "os ", "das ": "as ", "no ": "o ", "na ": "a "},
}
_CLAUSE = re.compile(
    r"\s*[,;:–—(]|\s(?:who|that|which|where|when|because|while|der|die das|welche[rs]?|wo|weil|"
    r"que|qui|dont|où|donde|cuando|quien|che|dove|quando|onde|quem)\s.*$"
)
_PREPOSITION = re.compile(
    r"\s(?:in|at|on|by|with|from|for|near|im|am|bei|mit|auf|aus|für|vor|en|con|sin|para|junto|"
    r"dans|avec|sur|chez|pour|nel|nella|sul|con|per|em|no|na|com)\s.*$"
)
_TAIL_KO = re.compile(r"(?:에\s*대한|에\s*관한|에\s*대해서?|을|를|의)$")
_TAIL_JA = re.compile(r"(?:について(?:の)?|に関する|をテーマに(?:した)?|の)$")
_HEAD_ZH = re.compile(r"^(?:关于|有关|介绍|一[个只座杯本列条朵台件把艘棵片位种家间])")

_LONGEST_NAME = 3
_AUDIENCE = re.compile(
    r"\s(?:for|für|pour|para|per)\s+(?:(?:the|die|les|los|las|le|i|gli|os|as|young|small|kleine)\s+)?"
    r"(?:kids|children|beginners|seniors|pupils|students|kinder|senioren|anfänger|schüler|einsteiger|"
    r"enfants|débutants|élèves|niños|niñas|principiantes|mayores|alumnos|bambini|ragazzi|principianti|"
    r"anziani|crianças|iniciantes|idosos|alunos)\b.*$",
    re.IGNORECASE,
)


def subject_phrase(brief: Brief, language: Language) -> str:
    """Return the subject as it may stand inside a sentence of the work's language."""
    subject = _clean(brief.subject)
    if not subject or not re.search(r"\w", subject):
        return ""
    hits = find(subject, brief.subject_language)
    if brief.subject_language == language:
        phrase = _own(subject, hits, language)
        return phrase if _is_short(phrase, language) else _translated(hits, language)
    return _translated(hits, language) or _foreign(subject, brief.subject_language, language)


def at_start(phrase: str, language: Language) -> str:
    """Return the phrase as the beginning of a sentence."""
    return phrase if language in {"ko", "zh", "ja"} else phrase[:1].upper() + phrase[1:]


def without_audience(subject: str) -> str:
    """Return a subject without those for whom the work is made: `the Krebs cycle for kids`."""
    return _AUDIENCE.sub("", subject) or subject


def framed(frame: str, phrase: str, language: Language) -> str:
    """Return a set phrase with the subject in it, at its beginning or inside."""
    text = frame.replace("{S}", at_start(phrase, language))
    return with_particles(text.replace("{s}", phrase), phrase)


def _clean(subject: str) -> str:
    return re.sub(r"\s+", " ", subject).strip(" .,;:!?。、，！？\"'“”„‘’«»「」")


def _own(subject: str, hits: list[Hit], language: Language) -> str:
    phrase = _without_contraction(subject, language)
    match language:
        case "ko":
            return _TAIL_KO.sub("", phrase).strip()
        case "ja":
            return _TAIL_JA.sub("", phrase).strip()
        case "zh":
            return _HEAD_ZH.sub("", phrase).removesuffix("的").strip()
        case _:
            pass
    if not _is_short(phrase, language):
        phrase = _CLAUSE.split(phrase)[0].strip()
    if not _is_short(phrase, language):
        phrase = _PREPOSITION.sub("", phrase).strip()
    if language == "de":
        return german.nominative(phrase, _last_noun(hits, "de"))
    return _with_article(phrase, hits, language) if language == "en" else phrase


def _without_contraction(subject: str, language: Language) -> str:
    for contracted, plain in _CONTRACTIONS.get(language, {}).items():
        if subject.casefold().startswith(contracted):
            return plain + subject[len(contracted) :]
    return subject


def _with_article(phrase: str, hits: list[Hit], language: Language) -> str:
    """Give a bare English singular its article, where the noun is known to take one."""
    if without_article(phrase, language) != phrase or not hits:
        return phrase
    last = hits[-1]
    form = last.noun.forms[language] if last.noun else ""
    bare = without_article(form, language)
    if bare == form or form.startswith("the ") or not phrase.casefold().endswith(bare):
        return phrase
    return f"{'an' if phrase[0].casefold() in 'aeiou' else 'a'} {phrase}"


def _translated(hits: list[Hit], language: Language) -> str:
    known = [hit.noun for hit in hits if hit.noun]
    return known[0].forms[language] if known else ""


def _foreign(subject: str, spoken: str, language: Language) -> str:
    bare = subject
    for name, articles in ARTICLES.items():
        if name == spoken and articles:
            bare = without_article(subject, name)
    if not _is_short(bare, language):
        return ""
    words = bare.split()
    is_name = (
        all(word[:1].isupper() for word in words) and len(words) <= _LONGEST_NAME and spoken != "de"
    )
    opening, closing = _QUOTES[language]
    return bare if is_name else f"{opening}{bare}{closing}"


def _last_noun(hits: list[Hit], language: Language) -> str:
    forms = [hit.noun.forms[language] for hit in hits if hit.noun]
    return forms[-1] if forms else ""


def _is_short(phrase: str, language: Language) -> bool:
    if language in _UNSPACED:
        return len(phrase) <= _LONGEST_SIGNS
    return len(phrase.split()) <= _LONGEST_WORDS and len(phrase) <= _LONGEST_WORDS * 9


def with_particles(text: str, phrase: str) -> str:
    """Fill Korean particles `{는}`, `{가}`, `{를}` after the phrase by its last sound."""
    last = phrase.rstrip("’'\"”")[-1:]
    closed = "\uac00" <= last <= "\ud7a3" and (ord(last) - 0xAC00) % 28 != 0
    pairs = {"{는}": ("은", "는"), "{가}": ("이", "가"), "{를}": ("을", "를")}
    for mark, (after_consonant, after_vowel) in pairs.items():
        text = text.replace(mark, after_consonant if closed else after_vowel)
    return text
