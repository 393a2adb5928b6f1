"""Captions: the words of the narration as SRT, ASS and VTT.

Promises the reading rules of `infra.media.subtitles` wherever the speech allows them and says in
`measured` what came out, so that nothing too fast stays unseen. All three files have the same cues.
A text that no installed font can draw still gets its SRT and VTT; then `burnable` is false.
"""

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from infra.media.subtitles import Cue, ReadingRules, reading_rules
from infra.providers.local.cues import pieces as cutting
from infra.providers.local.cues import style
from infra.providers.local.cues.build import Frame, build_cues
from infra.providers.local.cues.pieces import Piece, Word
from infra.providers.local.request import (
    InvalidInputError,
    LocalArtifact,
    LocalRequest,
    LocalResult,
    MissingGlyphsError,
)

_LONGEST_S = 4 * 3600.0
_SIDES = (16, 8192)
_BELONGING = 9


def generate(request: LocalRequest, out: Path, report: Callable[[float], None]) -> LocalResult:
    """Make the caption files of a film.

    Raises:
        InvalidInputError: A line has no words, or a word no times.
    """
    language = request.text("language")
    width = request.integer("width", low=_SIDES[0], high=_SIDES[1])
    height = request.integer("height", low=_SIDES[0], high=_SIDES[1])
    rules = reading_rules(language, width=width, height=height)
    frame = Frame(
        rules=rules,
        duration_s=request.number("duration_s", low=0.1, high=_LONGEST_S),
        fps=request.number("fps", low=1, high=240, default=24),
    )
    lines = [_line(item, language, rules) for item in request.items("lines")]
    cues = build_cues(lines, frame)
    if not cues:
        msg = "There are no words to make captions of."
        raise InvalidInputError(msg)
    report(0.6)
    burnable = _write(out, cues, language=language, width=width, height=height)
    report(1.0)
    return LocalResult(
        artifacts=(
            LocalArtifact(role="captions", path="captions.srt", media_type="application/x-subrip"),
            LocalArtifact(
                role="captions_ass",
                path="captions.ass",
                media_type="text/x-ssa",
                name_suffix="styled",
            ),
            LocalArtifact(
                role="captions_vtt", path="captions.vtt", media_type="text/vtt", name_suffix="web"
            ),
        ),
        measured=_measured(cues, lines, rules) | burnable,
    )


def _write(out: Path, cues: list[Cue], *, language: str, width: int, height: int) -> dict[str, Any]:
    plain = style.plain(cues)
    plain.save(str(out / "captions.srt"), encoding="utf-8", format_="srt")
    plain.save(str(out / "captions.vtt"), encoding="utf-8", format_="vtt")
    try:
        look = style.choose_look(cues, width=width, height=height)
    except MissingGlyphsError as error:
        plain.save(str(out / "captions.ass"), encoding="utf-8", format_="ass")
        return {"burnable": False, "not_burnable_because": error.message}
    styled = style.styled(cues, look, width=width, height=height, language=language)
    styled.save(str(out / "captions.ass"), encoding="utf-8", format_="ass")
    return {
        "burnable": True,
        "font": look.face.full_name,
        "font_px": round(look.em, 1),
        "left_out": look.left_out,
    }


def _line(item: Any, language: str, rules: ReadingRules) -> list[Piece]:
    match item:
        case {"start_s": int() | float() as start_s, "text": str(text), "words": list()}:
            words = cast("list[Any]", item["words"])
            read = [_word(word, float(start_s)) for word in words]
        case _:
            msg = "Each line needs start_s, text and words."
            raise InvalidInputError(msg)
    ordered = all(before.start_s <= after.start_s for before, after in pairwise(read))
    if not ordered:
        msg = "The words of a line must be in the order of time."
        raise InvalidInputError(msg)
    # A word keeps its mark: what is left of a cut word must still fit beside it.
    longest = max(rules.line_characters, _BELONGING)
    return cutting.cut(text, read, language, longest=longest)


def _word(item: Any, offset_s: float) -> Word:
    match item:
        case {
            "text": str(text),
            "start_s": int() | float() as start,
            "end_s": int() | float() as end,
        }:
            if text.strip() and math.isfinite(start) and math.isfinite(end) and 0 <= start <= end:
                return Word(text=text, start_s=offset_s + start, end_s=offset_s + end)
        case _:
            pass
    msg = "Each word needs text and times in seconds, the end not before the start."
    raise InvalidInputError(msg)


def _measured(cues: list[Cue], lines: list[list[Piece]], rules: ReadingRules) -> dict[str, Any]:
    shown = "".join("".join(cue.text.split()) for cue in cues)
    spoken = "".join("".join(piece.text.split()) for line in lines for piece in line)
    fastest = max(cue.characters_per_second for cue in cues)
    return {
        "cues": len(cues),
        "max_cps": round(fastest, 2),
        "too_fast": sum(
            cue.characters_per_second > rules.characters_per_second + 0.05 for cue in cues
        ),
        "max_line_chars": max(len(line) for cue in cues for line in cue.lines),
        "max_lines": max(len(cue.lines) for cue in cues),
        "shortest_s": round(min(cue.duration_s for cue in cues), 3),
        "longest_s": round(max(cue.duration_s for cue in cues), 3),
        "complete": shown == spoken,
    }
