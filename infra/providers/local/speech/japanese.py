"""Japanese: phrases and their readings.

espeak-ng reads kana only and says "Chinese letter" for anything else, so the readings come from
janome's dictionary (IPADIC). Promises that the phrases, in order, are the text.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

_CONTENT = frozenset(
    ("名詞", "動詞", "形容詞", "副詞", "連体詞", "接続詞", "感動詞", "接頭詞", "フィラー")
)
_DEPENDENT = frozenset(("接尾", "非自立"))
_UNREAD = "*"
_AFTER_NUMBER = {"月": "ガツ", "日": "ニチ", "年": "ネン", "人": "ニン"}
_LONGEST = 10
"""Characters after which a chain of nouns is cut, so that a caption line can break there."""


def phrases(text: str) -> list[tuple[str, str]]:
    """Return each phrase (a word and what depends on it) with its reading in kana."""
    found: list[list[str]] = []
    previous: Any = None
    for token in _tokens(text):
        surface, reading = str(token.surface), _reading(token, previous)
        if found and not _begins(token, previous, len(found[-1][0])):
            found[-1][0] += surface
            found[-1][1] += reading
        else:
            found.append([surface, reading])
        previous = token
    return [(surface, reading) for surface, reading in found]


def _begins(token: Any, previous: Any, length: int) -> bool:
    """Whether a phrase begins here: signs, particles and endings belong to what precedes."""
    kind, detail = _kind(token)
    before, before_detail = _kind(previous)
    if before == "記号" and before_detail != "括弧開":
        return detail not in {"括弧閉", "句点", "読点"}
    if detail == "括弧開":
        return True
    if kind not in _CONTENT or detail in _DEPENDENT:
        return False
    if before == "接頭詞" or before_detail == "括弧開":
        return False
    if detail == "数":
        return before_detail != "数"
    chain = kind == "名詞" and before == "名詞" and before_detail != "副詞可能"
    return not chain or length >= _LONGEST


def _kind(token: Any) -> tuple[str, str]:
    parts = str(token.part_of_speech).split(",")
    return parts[0], parts[1]


def _reading(token: Any, previous: Any) -> str:
    surface = str(token.surface)
    if surface in _AFTER_NUMBER and previous is not None and _kind(previous)[1] == "数":
        return _AFTER_NUMBER[surface]
    phonetic = str(token.phonetic)
    if phonetic != _UNREAD and not surface.isascii():
        return phonetic
    return surface


def _tokens(text: str) -> Iterable[Any]:
    return _tokenizer().tokenize(text)


@cache
def _tokenizer() -> Any:
    # Loading the dictionary takes a second, which no other language should pay.
    from janome.tokenizer import Tokenizer  # noqa: PLC0415

    return Tokenizer()
