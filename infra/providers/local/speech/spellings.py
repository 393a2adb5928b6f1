# ruff: noqa: RUF001 - signs of many scripts are this module's data
"""How written forms are spelled out for the voice, where espeak-ng reads them wrongly.

Owns the exceptions only: money signs before the number, English years, German ordinals, titles and
abbreviations whose dot would be heard as the end of a sentence.
"""

import re

_MONEY = re.compile(r"^(\W*?)([$€£¥₩￥])\s?(\d[\d.,]*\d|\d)(.*)$")
_MONEY_AFTER = re.compile(r"^(\W*)(\d[\d.,]*\d|\d)(\$)(.*)$")
_CURRENCIES = {
    "$": {
        "en": "dollars",
        "de": "Dollar",
        "es": "dólares",
        "fr": "dollars",
        "it": "dollari",
        "ko": "달러",
        "nl": "dollar",
        "pl": "dolarów",
        "pt": "dólares",
        "ru": "долларов",
    },
    "₩": {"ko": "원", "en": "won", "de": "Won"},
}
_CHINESE_MONEY = {"¥": "元", "￥": "元", "$": "美元", "€": "欧元", "£": "英镑"}
_ENGLISH_YEAR = re.compile(r"^(\W*)(1[1-9])([1-9]\d)(s?)(\W*)$")
_ENGLISH_DECADES = {
    "20": "twenties",
    "30": "thirties",
    "40": "forties",
    "50": "fifties",
    "60": "sixties",
    "70": "seventies",
    "80": "eighties",
    "90": "nineties",
}
_GERMAN_ORDINAL = re.compile(r"^(\d{1,2})\.$")
_GERMAN_UNITS = (
    "- ers zwei drit vier fünf sechs sieb ach neun zehn elf zwölf dreizehn vierzehn fünfzehn "
    "sechzehn siebzehn achtzehn neunzehn"
)
_GERMAN_COUNTED = "- ein zwei drei vier fünf sechs sieben acht neun"
_GERMAN_TENS = {2: "zwanzigs", 3: "dreißigs"}
_DATIVE_BEFORE = "am dem den des vom zum im beim bis"
_DATES_END = 31
_TEENS_END = 19
_WITHOUT_DOT = "dr mr mrs ms st prof sr sra sto jr hr mme mlle dott sig mgr ing"
_BEFORE_NUMBER = "no nr art abb fig bd kap vol núm"
_INITIAL = re.compile(r"^[^\W\d_]\.$")
_ABBREVIATIONS = {
    "de": {
        "z.b.": "zum Beispiel",
        "z.": "zum",
        "b.": "Beispiel",
        "d.h.": "das heißt",
        "d.": "das",
        "h.": "heißt",
        "u.a.": "unter anderem",
        "bzw.": "beziehungsweise",
        "ca.": "circa",
        "usw.": "und so weiter",
        "km/h": "Kilometer pro Stunde",
    },
    "en": {
        "e.g.": "for example",
        "i.e.": "that is",
        "etc.": "et cetera",
        "vs.": "versus",
        "vs": "versus",
        "km/h": "kilometers per hour",
        "mph": "miles per hour",
    },
    "es": {"p.ej.": "por ejemplo", "etc.": "etcétera", "km/h": "kilómetros por hora"},
    "fr": {"p.ex.": "par exemple", "etc.": "et cetera", "km/h": "kilomètres à l'heure"},
    "it": {"ecc.": "eccetera", "km/h": "chilometri all'ora"},
    "pt": {"p.ex.": "por exemplo", "etc.": "et cetera", "km/h": "quilômetros por hora"},
}
_PAIRED = {"b.": "z.", "h.": "d."}
_TRAILING = ",;:!?"


def spell(token: str, language: str, *, before: str, after: str) -> str:
    """Return what to say for a token that stands between two others."""
    if (long_form := _abbreviation(token, language, before=before, after=after)) is not None:
        return long_form
    if (money := _money(token, language)) is not None:
        return money
    if language == "en" and (year := _english_year(token)) is not None:
        return year
    if language == "de" and after[:1].isalpha() and (ordinal := _GERMAN_ORDINAL.match(token)):
        return _german_ordinal(int(ordinal.group(1)), token, before=before.lower())
    return _without_dot(token, after=after)


def spell_chinese(token: str) -> str:
    """Return what to say for a token of Chinese: money after the number, per cent before it."""
    if token[-1] in "%％" and token[:-1]:
        return f"百分之{token[:-1]}"
    unit = _CHINESE_MONEY.get(token[0])
    return token if unit is None or not token[1:] else token[1:] + unit


def _money(token: str, language: str) -> str | None:
    if before := _MONEY.match(token):
        lead, sign, amount, rest = before.groups()
    elif after := _MONEY_AFTER.match(token):
        lead, amount, sign, rest = after.groups()
    else:
        return None
    return f"{lead}{amount} {_CURRENCIES.get(sign, {}).get(language, sign)}{rest}"


def _english_year(token: str) -> str | None:
    if (year := _ENGLISH_YEAR.match(token)) is None:
        return None
    lead, century, rest, plural, tail = year.groups()
    if not plural:
        return f"{lead}{century} {rest}{tail}"
    decade = _ENGLISH_DECADES.get(rest)
    return None if decade is None else f"{lead}{century} {decade}{tail}"


def _abbreviation(token: str, language: str, *, before: str, after: str) -> str | None:
    bare = token.rstrip(_TRAILING)
    key = bare.lower()
    long_form = _ABBREVIATIONS.get(language, {}).get(key)
    if long_form is None:
        return None
    if key in _PAIRED and before.lower() != _PAIRED[key]:
        return None
    if key in _PAIRED.values() and after.lower().rstrip(_TRAILING) not in _PAIRED:
        return None
    ends = "." if bare.endswith(".") and (not after or after[0].isupper()) else ""
    # German nouns are upper case, so there only the end of the text shows the end of a sentence.
    if language == "de" and after:
        ends = ""
    return long_form + (token[len(bare) :] or ends)


def _without_dot(token: str, *, after: str) -> str:
    """Drop a dot that ends no sentence."""
    if not token.endswith(".") or not after:
        return token
    bare = token[:-1]
    continues = after[0].islower()
    title = bare.lower().lstrip("(\"'„“«") in _WITHOUT_DOT.split() and after[0].isalpha()
    number = bare.lower() in _BEFORE_NUMBER.split() and after[0].isdigit()
    initial = _INITIAL.match(token) is not None and after[0].isupper() and bare not in {"I", "A"}
    return bare if continues or title or number or initial else token


def _german_ordinal(number: int, token: str, *, before: str) -> str:
    if not 1 <= number <= _DATES_END:
        return token
    units, tens = number % 10, number // 10
    if number <= _TEENS_END:
        stem = _GERMAN_UNITS.split()[number]
    elif units:
        stem = f"{_GERMAN_COUNTED.split()[units]}und{_GERMAN_TENS[tens]}"
    else:
        stem = _GERMAN_TENS[tens]
    return f"{stem}te{'n' if before in _DATIVE_BEFORE.split() else ''}"
