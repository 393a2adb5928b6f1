"""Words that say nothing about which work is meant: those of grammar, and of asking for something.

How rare a word is among the tasks does not tell it from a name: where briefs are in ten languages,
"wir brauchen" is rarer than a town. So the words of grammar of the languages that people write in
most are known here. Scripts without spaces, and Korean, are compared by pairs of neighbouring
signs; there a pair is grammar if it is one of those given, or has a sign of grammar in it.
"""

from functools import lru_cache
from pathlib import Path

from memory.lexemes import fold

_PARTICLES = "的了是我你他她它们这那哪把被吗呢吧啊嘛就还也都"
_PAIR = 2


def is_filler(word: str) -> bool:
    """Tell whether a folded word, or pair of signs, says nothing about what is meant."""
    return word in _known() or (len(word) <= _PAIR and _is_grammar(word))


def _is_grammar(pair: str) -> bool:
    """Tell whether it has a Chinese particle or is of hiragana only, Japanese grammar's script."""
    return any(sign in _PARTICLES for sign in pair) or all(
        "\u3040" <= sign <= "\u309f" for sign in pair
    )


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    lines = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    return frozenset(fold(" ".join(line for line in lines if not line.startswith("#"))).split())
