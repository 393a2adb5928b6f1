"""Turn beats into the words of a film: lines that fit their shots and do not repeat each other.

Promises that no line is longer than its shot allows, that a shot of more than three seconds has
words, and that a line or the beginning of one occurs once. A beat that does not fit makes room for
another of the same part of the arc; a long shot gets further lines.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from infra.providers.rehearsal.languages.openings import CLOSINGS, OPENINGS
from infra.providers.rehearsal.languages.pace import capacity, units
from infra.providers.rehearsal.languages.subject import framed
from infra.providers.rehearsal.themes.arc import Candidate
from infra.providers.rehearsal.themes.beats import Language, Role
from infra.providers.rehearsal.themes.chance import draw

_FULL = 0.62
"""Below this share of its time a shot gets one more line."""
_EMPTY = 0.4
"""Above this share, a line that is true of anything is not worth saying."""
_MOST_LINES = 8
_SPACED = frozenset({"en", "de", "es", "fr", "it", "pt", "ko"})
_ENDS = (".", "!", "?", "…", "。", "！", "？")
_KIN: dict[Role, tuple[Role, ...]] = {
    "opening": ("development", "detail"),
    "development": ("development", "detail"),
    "detail": ("detail", "development"),
    "turn": ("turn", "detail", "development"),
    "close": ("turn", "close", "development"),
}
_SHOTS_WITH_A_SECOND_MENTION = 6
_SECOND_MENTIONS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A shot's beat with its words."""

    candidate: Candidate
    words: str


@dataclass(slots=True, kw_only=True)
class Teller:
    """The narration of one film in the making."""

    language: Language
    subject: str
    seed: str
    pool: Sequence[Candidate]
    used: set[int] = field(default_factory=set[int])
    heads: set[str] = field(default_factory=set[str])
    last: str = ""

    def tell(self, chosen: Sequence[Candidate], seconds: Sequence[float]) -> list[Told]:
        """Return the beats with their words, one for each shot."""
        self.used = {id(one.beat) for one in chosen}
        told: list[Told] = []
        seen: set[int] = set()
        for number, (one, length) in enumerate(zip(chosen, seconds, strict=True)):
            room = capacity(length, self.language)
            if id(one.beat) in seen:
                told.append(Told(candidate=one, words=""))
                continue
            kept = self._fitting(one, room)
            seen |= {id(one.beat), id(kept.beat)}
            if number == 0:
                words = self._opening(kept, room)
            elif number == len(chosen) - 1:
                words = self._closing(kept, room, long=number >= _SHOTS_WITH_A_SECOND_MENTION)
            else:
                words = self._filled(self._line(kept, room), kept.beat.role, room)
            told.append(Told(candidate=kept, words=words))
        return told

    def _fitting(self, one: Candidate, room: float) -> Candidate:
        """Return the candidate, or a spare one if its line is too long or begins like another."""
        if self._suits(one, room):
            return one
        kin = _KIN[one.beat.role][:2] if one.beat.role != "opening" else ("opening",)
        spare = [
            other
            for role in (one.beat.role, *kin)
            for other in self.pool
            if other.beat.role == role and id(other.beat) not in self.used
        ]
        for other in spare:
            if self._suits(other, room):
                self.used.add(id(other.beat))
                return other
        return one

    def _suits(self, one: Candidate, room: float) -> bool:
        line = self._line(one, room)
        return bool(line) and not self._echoes(line)

    def _echoes(self, line: str) -> bool:
        head = self._head(line)
        return head in self.heads or (bool(self.last) and head[:1] == self.last[:1] == "\x00")

    def _head(self, line: str) -> str:
        if self.language in _SPACED:
            return " ".join(line.casefold().split()[:2])
        return line[:2]

    def _line(self, one: Candidate, room: float) -> str:
        """Return the longest form of a line that fits, empty if none does."""
        segments = one.beat.segments(self.language)
        for count in range(len(segments), 0, -1):
            line = self._finished("".join(segments[:count]))
            if units(line, self.language) <= room:
                return line
        return ""

    def _finished(self, line: str) -> str:
        line = line.rstrip(" ,;:，：；、")
        if line.endswith(_ENDS):
            return line
        return line + ("。" if self.language in {"zh", "ja"} else ".")

    def _joined(self, first: str, second: str) -> str:
        gap = " " if self.language in _SPACED and first and second else ""
        return f"{first}{gap}{second}"

    def _filled(self, line: str, role: Role, room: float, *, before: bool = False) -> str:
        """Return the line with further ones, until the shot's time is used."""
        self._note(line)
        for _ in range(_MOST_LINES):
            used = units(line, self.language)
            if used >= room * _FULL:
                break
            extra = self._extra(role, room - used, general=used < room * _EMPTY)
            if not extra:
                break
            line = self._joined(extra, line) if before else self._joined(line, extra)
            self._note(extra)
        return line

    def _extra(self, role: Role, room: float, *, general: bool) -> str:
        for kin in _KIN[role]:
            for one in self.pool:
                if one.beat.role != kin or id(one.beat) in self.used:
                    continue
                if one.is_own or (one.is_general and not general):
                    continue
                line = self._line(one, room)
                if line and not self._echoes(line):
                    self.used.add(id(one.beat))
                    return line
        return ""

    def _opening(self, one: Candidate, room: float) -> str:
        if not self.subject:
            return self._filled(self._line(one, room), "opening", room)
        frames = [self._framed(frame) for frame in OPENINGS[self.language]]
        frames.sort(key=lambda frame: draw(self.seed, "opening", frame))
        for frame in [*frames, self._framed(OPENINGS[self.language][0])]:
            rest = room - units(frame, self.language)
            line = self._line(one, rest)
            if line:
                self._note(frame)
                return self._joined(frame, self._filled(line, "opening", rest))
        plain = self._framed(OPENINGS[self.language][0])
        if units(plain, self.language) <= room:
            self._note(plain)
            return plain
        return self._filled(self._line(one, room), "opening", room)

    def _closing(self, one: Candidate, room: float, *, long: bool) -> str:
        line = self._line(one, room)
        if long and self.subject and draw(self.seed, "second mention") < _SECOND_MENTIONS:
            frames = [self._framed(frame) for frame in CLOSINGS[self.language]]
            frames.sort(key=lambda frame: draw(self.seed, "closing", frame))
            for frame in frames:
                both = self._joined(line, frame)
                if units(both, self.language) <= room:
                    return both
        return self._filled(line, "close", room, before=True)

    def _framed(self, frame: str) -> str:
        return framed(frame, self.subject, self.language)

    def _note(self, line: str) -> None:
        if line:
            self.heads.add(self._head(line))
            self.last = line
