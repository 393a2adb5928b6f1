# ruff: noqa: RUF001 - signs of many scripts are this module's data
"""Pieces: the smallest parts of a caption, with their times and how well a break follows them.

Owns the knowledge of language: which words lean on the next one ("the", "und", "的"), so that a
line does not end in them. Promises that the pieces, in order, are all of the line's text.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

SENTENCE, CLAUSE, PAUSE, PHRASE, WORD, CLING = 0.0, 1.0, 1.5, 2.5, 4.5, 9.0
"""Costs of a break after a piece, from the end of a sentence to a word that leans on the next."""
_SENTENCE_ENDS = ".!?。！？…"
_CLAUSE_ENDS = ",;:，、；：—–"
_CLOSING = "\"'”’»›)]）」』》〉】"
_PAUSE_S = 0.22
_LEANS_ON_NEXT = {
    "en": (
        "a an the and or but nor so yet of in on at to for from with by as into onto over under "
        "about after before between through without within than that which who whose if when "
        "while because where is are was were be been has have had will would can could my your "
        "his her its our their this these those no not very"
    ),
    "de": (
        "der die das den dem des ein eine einen einem einer eines und oder aber denn sondern in im "
        "an am auf aus bei beim mit nach seit von vom zu zum zur für durch gegen ohne um über "
        "unter vor hinter neben zwischen dass ob wenn weil als wie ist sind war hat haben wird "
        "mein dein sein ihr unser euer kein keine nicht sehr"
    ),
    "fr": (
        "le la les l' un une des du de d' et ou mais à au aux en dans sur sous par pour avec sans "
        "chez vers entre que qui dont où si quand comme est sont a ont son sa ses mon ma mes ton "
        "ta tes leur leurs notre votre ce cet cette ces ne pas très plus"
    ),
    "es": (
        "el la los las un una unos unas y e o u pero de del a al en con por para sin sobre entre "
        "desde hasta que quien cuyo si cuando como es son fue ha han su sus mi mis tu tus este "
        "esta no muy más"
    ),
    "it": (
        "il lo la i gli le un uno una e ed o ma di del della dei a al alla in nel nella con su per "
        "tra fra da dal che chi cui se quando come è sono ha hanno suo sua non molto più"
    ),
    "pt": (
        "o a os as um uma e ou mas de do da dos das em no na nos nas com por para sem sobre entre "
        "até que quem se quando como é são foi tem seu sua não muito mais"
    ),
    "nl": (
        "de het een en of maar van in op aan met voor door naar uit bij om over onder tussen dat "
        "die als wanneer is zijn was heeft haar hun geen niet zeer"
    ),
    "pl": "i a ale lub w we z ze na do od po za przez dla o u pod nad przed że który gdy jest nie",
    "ru": "и а но или в во с со на к ко от до по за для о об у под над при что который когда не",
    "zh": "和 与 在 把 被 从 对 向 将 为 以 于 而 但 是 不 很 最 一 这 那 每 第 几 两 三",
    "ja": "この その あの",
    "ko": "이 그 저 한 두 세 네 및 또는 그리고 더 가장 매우 아주 안 못 새 첫 모든 각 약",
}
_LEANS_BACK = frozenset("的了着过吗呢吧们地得里上下中年月日个")
_ENDS_PHRASE = frozenset("了着过吗呢吧们면고며서에를로")
_NUMBER = re.compile(r"^[\d.,]+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A spoken word of a line of narration, at its time in the film."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a caption; `lead` is what stands before it (a space or nothing)."""

    text: str
    lead: str
    start_s: float
    end_s: float
    break_cost: float
    """What it costs to end a cue or a line after it."""


def cut(text: str, words: list[Word], language: str, *, longest: int) -> list[Piece]:
    """Return a line of narration as pieces of at most `longest` characters."""
    base = language.replace("_", "-").partition("-")[0].lower()
    leaning = frozenset(_LEANS_ON_NEXT.get("zh" if base == "yue" else base, "").split())
    spaced = _with_leads(" ".join(text.split()), words)
    pieces: list[Piece] = []
    for index, (lead, word) in enumerate(spaced):
        following = spaced[index + 1][1] if index + 1 < len(spaced) else None
        parts = list(_parts(word, longest))
        for number, (part, start_s, end_s) in enumerate(parts):
            whole = number == len(parts) - 1
            cost = _break_cost(word, following, leaning) if whole else CLING
            pieces.append(
                Piece(
                    text=part,
                    lead=lead if number == 0 else "",
                    start_s=start_s,
                    end_s=end_s,
                    break_cost=cost,
                )
            )
    return pieces


def join(pieces: list[Piece]) -> str:
    """Return the text of consecutive pieces."""
    return "".join(piece.lead + piece.text for piece in pieces).strip()


def _with_leads(text: str, words: list[Word]) -> list[tuple[str, Word]]:
    """Find each word in the text; what stands between two goes to the former of them."""
    found: list[tuple[str, Word]] = []
    place = 0
    for word in words:
        lead = ""
        while place < len(text) and text[place].isspace():
            lead = " "
            place += 1
        start = place
        for character in (sign for sign in word.text if not sign.isspace()):
            while place < len(text) and text[place].isspace():
                place += 1
            if place < len(text) and text[place] == character:
                place += 1
        written = text[start:place].strip() or word.text.strip()
        found.append((lead, Word(text=written, start_s=word.start_s, end_s=word.end_s)))
    return found


def _parts(word: Word, longest: int) -> Iterator[tuple[str, float, float]]:
    """Cut a word that is longer than a line, such as an address."""
    count = -(-len(word.text) // longest)
    size = -(-len(word.text) // count)
    share = (word.end_s - word.start_s) / count
    for number in range(count):
        start = word.start_s + share * number
        yield word.text[number * size : (number + 1) * size], start, start + share


def _break_cost(word: Word, following: Word | None, leaning: frozenset[str]) -> float:
    bare = word.text.rstrip(_CLOSING)
    if following is None or bare.endswith(tuple(_SENTENCE_ENDS)):
        # "3." before "Mai" ends no sentence.
        return WORD if following is not None and _NUMBER.match(bare) else SENTENCE
    if bare.endswith(tuple(_CLAUSE_ENDS)):
        return CLAUSE
    said = _bare(word.text)
    if said in leaning or _NUMBER.match(word.text):
        return CLING
    next_said = _bare(following.text)
    if following.start_s - word.end_s >= _PAUSE_S:
        cost = PAUSE
    elif next_said[:1] in _LEANS_BACK:
        cost = CLING
    else:
        cost = PHRASE if next_said in leaning or said[-1:] in _ENDS_PHRASE else WORD
    return cost


def _bare(text: str) -> str:
    return "".join(
        sign for sign in text.casefold() if unicodedata.category(sign)[0] in "LMN" or sign == "'"
    )
