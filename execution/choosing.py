"""Reads which of a few offered options a person has typed; pure, and sure or silent.

An option is named by its number, its place ("the second one", 第二个), what it offers ("something
new") or words that only its label has. Anything beside that (a further wish, a word of its own)
makes it an ordinary message. Nine languages; the words are below.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Literal

type Named = Literal["place", "words"]
"""How an option was named: by its place in the list, or by words of its own."""

NEW = "new"
"""The id of the option that offers something new."""
_LONGEST = 80
_LAST = -1

_ORDINALS: dict[int, str] = {
    1: "first 1st erste ersten erster erstes primero primera primer premier première 1er 1ère "
    "primo prima primeiro primeira 첫번째 첫째 第一 第一个 第一個 一つ目 1つ目 一番目 最初",
    2: "second 2nd zweite zweiten zweiter zweites segundo segunda deuxième second seconde secondo "
    "seconda 두번째 둘째 第二 第二个 第二個 二つ目 2つ目 二番目",
    3: "third 3rd dritte dritten dritter drittes tercero tercera tercer troisième terzo terza "
    "terceiro terceira 세번째 셋째 第三 第三个 第三個 三つ目 3つ目 三番目",
    4: "fourth 4th vierte vierten vierter viertes cuarto cuarta quatrième quarto quarta 네번째 "
    "넷째 第四 第四个 第四個 四つ目 4つ目 四番目",
    5: "fifth 5th fünfte fünften fünfter fünftes quinto quinta cinquième 다섯번째 第五 第五个 "
    "第五個 五つ目 5つ目 五番目",
    _LAST: "last letzte letzten letzter letztes último última dernier dernière ultimo ultima "
    "마지막 最后 最后一个 最後 最後の",
}
_NEW = (
    "new neu neues neue nuevo nueva nouveau nouvelle nuovo nuova novo nova another else anderes "
    "새로 새로운 새 新 新的 新しい 新しく 新規 另外的 別の"
)
_FILLERS = (
    "the a an one ones it that this is please number no option with go take i mean meant want to "
    "something thing for of "
    "der die das dem den ein eine einen eines bitte nummer nr option mit nimm ich meine will etwas "
    "was lieber zum zur für von ganz "
    "el la los las lo un una uno por favor número opción quiero digo algo otra cosa de del para "
    "le les l une s'il te vous plaît numéro je veux dire quelque chose d autre celui celle "
    "il gli i lo per favore numero opzione voglio intendo qualcosa di altro quello quella "
    "o os as um uma por opção quero coisa outro outra "
    "번 번째 것 거 걸 걸로 것으로 로 으로 해줘 해주세요 주세요 부탁해요 이요 요 작업 "
    "的 那个 那個 这个 這個 个 個 请 請 我要 选 選 号 號 任务 任務 东西 一个 "
    "の の方 のほう 番 です お願いします で を に もの やつ 作業 ください"
)
_SIGNS = re.compile(r"[^\w\s]+")
_DIGITS = re.compile(r"(?:n[or]?|nr)?\s*(\d{1,2})")
_COUNTED = re.compile(r"(첫|두|세|네|다섯) 번째")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")

_FILLING = frozenset(_FILLERS.split())
_NEW_WORDS = frozenset(_NEW.split())
_PLACES = {word: place for place, listed in _ORDINALS.items() for word in listed.split()}
_TAILS = sorted(
    (word for word in (*_FILLING, *_NEW_WORDS, *_PLACES) if _UNSPACED.search(word)),
    key=len,
    reverse=True,
)


def chosen(text: str, options: Sequence[Mapping[str, Any]]) -> tuple[str, Named] | None:
    """Return the id of the one option that a text names and how, or None."""
    said = _fold(text)
    if not said or len(said) > _LONGEST:
        return None
    for option in options:
        if _fold(str(option["label"])) == said:
            return str(option["id"]), "words"
    place = _place(said, len(options))
    if place is not None:
        return str(options[place]["id"]), "place"
    if _is_new(said) and any(option["id"] == NEW for option in options):
        return NEW, "place"
    named = _by_words(said, options)
    return (named, "words") if named is not None else None


def _place(said: str, count: int) -> int | None:
    """Return the place in the list that a text is nothing but the name of."""
    bare = [word for word in _words(said) if word not in _FILLING]
    if len(bare) != 1:
        return None
    number = _DIGITS.fullmatch(bare[0])
    place = int(number[1]) if number else _PLACES.get(bare[0])
    if place is None:
        return None
    if place == _LAST:
        return count - 1
    return place - 1 if 1 <= place <= count else None


def _is_new(said: str) -> bool:
    words = _words(said)
    rest = [word for word in words if word not in _FILLING]
    return bool(rest) and all(word in _NEW_WORDS for word in rest)


def _by_words(said: str, options: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the option whose label alone has the words that are said, and has all of them."""
    content = [word for word in _words(said) if word not in _FILLING]
    if not content:
        return None
    labels = {str(option["id"]): _fold(str(option["label"])) for option in options}
    having = [
        identity
        for identity, label in labels.items()
        if all(_stands_in(word, label) for word in content)
    ]
    return having[0] if len(having) == 1 else None


def _stands_in(word: str, label: str) -> bool:
    if _UNSPACED.search(word):
        return len(word) > 1 and word in label.replace(" ", "")
    return word in label.split()


def _words(said: str) -> list[str]:
    """Cut a text into words; where words stand without spaces, known ones are cut off its ends."""
    found: list[str] = []
    for word in said.split():
        found += _cut(word) if _UNSPACED.search(word) else [word]
    return found


def _cut(word: str) -> list[str]:
    before: list[str] = []
    after: list[str] = []
    while word:
        if word in _PLACES or word in _NEW_WORDS or word in _FILLING:
            break
        head = next((each for each in _TAILS if word.startswith(each)), None)
        tail = next((each for each in _TAILS if word.endswith(each)), None)
        if tail is not None:
            after.insert(0, tail)
            word = word[: -len(tail)]
        elif head is not None and head in _FILLING:
            before.append(head)
            word = word[len(head) :]
        else:
            break
    return [*before, *([word] if word else []), *after]


def _fold(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _COUNTED.sub(r"\1번째", " ".join(_SIGNS.sub(" ", plain).split()))
