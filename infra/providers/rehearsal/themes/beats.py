"""The form of a theme's data.

A line is written in segments divided by "|". Its first segment alone is a correct sentence, and so
is every longer run of segments: that is how one idea fills shots of different length. A segment
that continues the sentence brings its own comma or space.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from infra.providers.rehearsal.script_types import ShotSize

type Role = Literal["opening", "development", "detail", "turn", "close"]
type Language = Literal["en", "de", "es", "fr", "it", "pt", "ko", "zh", "ja"]

LANGUAGES: tuple[Language, ...] = ("en", "de", "es", "fr", "it", "pt", "ko", "zh", "ja")


@dataclass(frozen=True, slots=True)
class Beat:
    """One idea of a film: what is said in each language, and the picture that shows it."""

    role: Role
    size: ShotSize
    picture: str
    """English scene words; `{thing}` stands for what the film is about, if a picture of it exists."""
    _: KW_ONLY
    only: str = ""
    """Tags, one of which the brief must have; empty if the line is true of the whole theme."""
    never: str = ""
    """Tags of subjects of which the line is not true."""
    mood: str = ""
    """Moods that this beat suits best, as in `Brief.moods`."""
    en: str
    de: str
    es: str
    fr: str
    it: str
    pt: str
    ko: str
    zh: str
    ja: str

    def segments(self, language: Language) -> list[str]:
        """Return the line of a language in its segments."""
        lines: dict[Language, str] = {
            "en": self.en,
            "de": self.de,
            "es": self.es,
            "fr": self.fr,
            "it": self.it,
            "pt": self.pt,
            "ko": self.ko,
            "zh": self.zh,
            "ja": self.ja,
        }
        return lines[language].split("|")


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """All that is known about one kind of subject."""

    key: str
    thing: str
    """What stands for the subject in a picture when nothing nearer is known."""
    music: str
    """English words for the music, used where the brief names no mood."""
    titles: Mapping[Language, tuple[str, ...]]
    """Film titles; "tag: Title" is for works with that tag only."""
    loglines: Mapping[Language, tuple[str, ...]]
    """What follows the subject and a colon in the logline."""
    closings: Mapping[Language, tuple[str, ...]]
    """A few words for the last picture."""
    beats: tuple[Beat, ...]
    """In the order in which a film tells them."""
