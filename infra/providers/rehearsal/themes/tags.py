"""Which theme a tag belongs to, how much it weighs, and the further words that point to it.

A noun of `languages.nouns` points to its tag by itself. The weight decides between two tags of one
subject: in "a handmade violin" the making wins over the music.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tag:
    """What a word says about a film."""

    theme: str
    weight: float = 1.0
    words: str = ""
    """Words of all languages, separated by spaces; "_" joins the words of a phrase."""


TAGS: dict[str, Tag] = {
    "pottery": Tag("craft", 1.1),
    "bread": Tag("food"),
    "coffee": Tag("food"),
    "lighthouse": Tag("sea"),
    "sea": Tag("sea"),
}
