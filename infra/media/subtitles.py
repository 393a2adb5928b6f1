"""Captions as data: cues, the reading rules they keep, and SRT files.

Owns the limits (after Netflix's timed text style guides) that both the maker of captions and the
audit go by. Times are seconds; a cue's lines are what a person reads, top line first.
"""

from dataclasses import dataclass
from pathlib import Path

import pysubs2

SHORTEST_S = 5 / 6
LONGEST_S = 7.0
MAX_LINES = 2
GAP_FRAMES = 2
_CJK = frozenset(("zh", "ja", "ko", "yue", "cmn"))
_WIDE, _SQUARE = 1.2, 0.85
_LINE = {"wide": 42, "square": 32, "tall": 26}
_CJK_LINE = {"wide": 18, "square": 16, "tall": 13}
_CPS, _CJK_CPS = 20.0, 9.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRules:
    """How much a person can read; a character of a script without spaces counts as one."""

    line_characters: int
    characters_per_second: float
    cjk: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One caption on the screen."""

    start_s: float
    end_s: float
    lines: tuple[str, ...]

    @property
    def duration_s(self) -> float:
        """How long it stands."""
        return self.end_s - self.start_s

    @property
    def text(self) -> str:
        """Its lines as one text."""
        return " ".join(self.lines)

    @property
    def characters(self) -> int:
        """How many characters there are to read."""
        return sum(len(line) for line in self.lines)

    @property
    def characters_per_second(self) -> float:
        """How fast it has to be read."""
        return self.characters / max(self.duration_s, 0.001)


def reading_rules(language: str, *, width: int, height: int) -> ReadingRules:
    """Return the rules for a language in a frame; a narrow frame has shorter lines."""
    cjk = language.replace("_", "-").partition("-")[0].lower() in _CJK
    ratio = width / height
    shape = "wide" if ratio >= _WIDE else "square" if ratio >= _SQUARE else "tall"
    return ReadingRules(
        line_characters=(_CJK_LINE if cjk else _LINE)[shape],
        characters_per_second=_CJK_CPS if cjk else _CPS,
        cjk=cjk,
    )


def read_srt(path: Path) -> list[Cue]:
    """Read the cues of an SRT file in the order of time.

    Raises:
        ValueError: It is not an SRT file.
    """
    try:
        file = pysubs2.load(str(path), encoding="utf-8", format_="srt")
    except (pysubs2.exceptions.Pysubs2Error, UnicodeDecodeError) as error:
        msg = f"{path.name} is not an SRT file: {error}"
        raise ValueError(msg) from error
    return [
        Cue(
            start_s=event.start / 1000,
            end_s=event.end / 1000,
            lines=tuple(event.plaintext.splitlines()),
        )
        for event in sorted(file, key=lambda event: (event.start, event.end))
    ]
