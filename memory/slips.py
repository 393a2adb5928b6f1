"""What a word may have been before a finger slipped: every word one slip away from it.

One letter lost, doubled or too many, two neighbours swapped, another letter hit. Only for
alphabets; words are folded (`memory.lexemes.fold`).
"""

LEAST = 4
MOST = 14
_ALPHABETS = ("abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрстуфхцчшщъыьэюя")


def one_slip_away(word: str) -> list[str]:
    """Return all words that one slip makes this one; none for short, long or other words."""
    alphabet = next((one for one in _ALPHABETS if set(word) <= set(one)), "")
    if not alphabet or not LEAST <= len(word) <= MOST:
        return []
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    found = {begin + end[1:] for begin, end in parts if end}
    found |= {begin + end[1] + end[0] + end[2:] for begin, end in parts if len(end) > 1}
    for sign in alphabet:
        found |= {begin + sign + end for begin, end in parts}
        found |= {begin + sign + end[1:] for begin, end in parts if end}
    return sorted(found - {word})
