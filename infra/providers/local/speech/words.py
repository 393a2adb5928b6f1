# ruff: noqa: RUF001 - signs of many scripts are this module's data
"""From a written text to words and what is said for each.

Owns how a text is cut into words and how a written form is spoken. Promises that the written forms,
in order, are all of the text except its spaces, and that every word has something to say; a sign
that is not spoken (a dash, an emoji) hangs on its neighbour. Chinese is cut into characters,
Japanese into phrases of a word and its particles, other languages at spaces.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace

from infra.providers.local.speech import japanese, spellings

_HAN = r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]"
_COUNTED = "年月日号點点时時分秒个個人元度米次岁歲级級层層位名条條张張"
_CHINESE = re.compile(
    rf"[$€£¥￥]?(?:[^\W\u3400-\u9fff]|[%％°])+(?:[.,:/'’-]\w+)*[%％]?[{_COUNTED}]?|{_HAN}|\s+|."
)
_OPENING = frozenset("«‹“‘„‚「『《〈（([【{¿¡")
_BREATHS = frozenset("—–-…·")
_SAID_SIGNS = frozenset("&%+=€$£¥@#§°￥％＆＋")
_NO_SPACE = re.compile(rf"{_HAN}|[\u3000-\u303f\uff00-\uffef]")
_MARKS = ".,;:!?。，、；：！？"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenWord:
    """A word as it is written, signs attached, and as it is said."""

    text: str
    spoken: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """The text to say, and at which of its characters each word begins."""

    text: str
    starts: tuple[int, ...]


def split_words(text: str, language: str) -> list[SpokenWord]:
    """Cut a text into words; `language` is a base tag such as `en`."""
    text = unicodedata.normalize("NFC", text)
    match language:
        case "zh" | "yue":
            pieces = _CHINESE.findall(text)
            return _joined((piece, _said(spellings.spell_chinese(piece))) for piece in pieces)
        case "ja":
            return _joined((piece, _said(said)) for piece, said in japanese.phrases(text))
        case _:
            return _joined(_spaced(text, language))


def write_script(words: list[SpokenWord]) -> Script:
    """Join what is said; no space between characters that are written without one."""
    text = ""
    starts: list[int] = []
    for word in words:
        if text and not (_NO_SPACE.match(text[-1]) and _NO_SPACE.match(word.spoken[0])):
            text += " "
        starts.append(len(text))
        text += word.spoken
    return Script(text=text, starts=tuple(starts))


def _spaced(text: str, language: str) -> list[tuple[str, str]]:
    found = list(re.finditer(r"\S+", text))
    pieces: list[tuple[str, str]] = []
    for index, match in enumerate(found):
        before = found[index - 1].group() if index else ""
        after = found[index + 1] if index + 1 < len(found) else None
        said = spellings.spell(
            match.group(), language, before=before, after=after.group() if after else ""
        )
        said = _said(said)
        ends_line = after is not None and "\n" in text[match.end() : after.start()]
        if ends_line and said and said[-1].isalnum():
            said += "."
        pieces.append((match.group() if said else f" {match.group()}", said))
    return pieces


def _said(piece: str) -> str:
    """Return what espeak-ng is told: no quotes, brackets or emoji, and one mark at most."""
    kept = "".join(
        character
        for character in piece.replace("’", "'").replace("—", ", ").replace("…", ".")
        if character in _SAID_SIGNS
        or unicodedata.category(character) not in {"So", "Sk", "Cf", "Co", "Pi", "Pf", "Ps", "Pe"}
    )
    kept = re.sub(r'["„”*_~|<>^]+', "", kept).strip().strip("-'").strip()
    kept = re.sub(r"([.,;:!?。，、；：！？])[.,;:!?。，、；：！？]+$", r"\1", kept)
    if not any(character.isalnum() or character in _SAID_SIGNS for character in kept):
        return ""
    return kept


def _joined(pieces: Iterable[tuple[str, str]]) -> list[SpokenWord]:
    """Hang what is not said on the word before it, or, when it opens something, after it."""
    words: list[SpokenWord] = []
    opening = ""
    for text, said in pieces:
        written = text.strip()
        if not written:  # spaces between characters
            if opening and not opening[-1].isspace():
                opening += " "
        elif said:
            words.append(SpokenWord(text=opening + written, spoken=said))
            opening = ""
        elif not words or opening or written[0] in _OPENING:
            opening += written
        else:
            words[-1] = _extended(words[-1], text.rstrip())
    if opening.strip() and words:
        words[-1] = replace(words[-1], text=f"{words[-1].text} {opening.strip()}")
    return words


def _extended(word: SpokenWord, sign: str) -> SpokenWord:
    mark = _mark_of(sign.strip())
    spoken = word.spoken if word.spoken[-1] in _MARKS else word.spoken + mark
    return SpokenWord(text=word.text + sign, spoken=spoken)


def _mark_of(sign: str) -> str:
    first = sign[0]
    if first in _BREATHS:
        return ","
    return first if first in _MARKS else ""
