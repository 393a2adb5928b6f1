"""How captions look when they are burned into the picture.

Owns the ASS style: size by the frame, a translucent box that keeps the text legible on anything,
safe margins, and a font that has every character. Promises that no line is wider than the safe
area: the size goes down until the widest line fits.
"""

from dataclasses import dataclass

from pysubs2 import Alignment, Color, SSAEvent, SSAFile, SSAStyle

from infra.media.subtitles import Cue
from infra.providers.local.fonts import Face, drawable, find_face, load_font

_EM_OF_HEIGHT = 0.046
_EM_OF_WIDTH = 0.052
"""Bounds of the size: the former for wide frames, the latter for tall ones."""
_SAFE_WIDTH = 0.86
_SMALLEST = 0.6
_MEASURED_AT = 200
_TALL = 0.85
_BOTTOM_WIDE, _BOTTOM_TALL = 0.065, 0.20
"""Tall frames are watched in apps that lay their buttons over the lowest part."""
_BOX_PADDING = 0.30
_BOX_ALPHA = 72
_LANGUAGES = {"zh": "zh-Hans", "zh-tw": "zh-Hant", "zh-hk": "zh-Hant-HK", "yue": "zh-Hant-HK"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The chosen font, its size in pixels and what it could not draw."""

    face: Face
    em: float
    left_out: str


def choose_look(cues: list[Cue], *, width: int, height: int) -> Look:
    """Return a font that has all characters of the cues, at the size that fits the frame.

    Raises:
        MissingGlyphsError: No installed font has all characters.
    """
    text = "\n".join(line for cue in cues for line in cue.lines)
    kept, left_out = drawable(text)
    face = find_face(kept or "A", bold=True)
    em = min(_EM_OF_HEIGHT * height, _EM_OF_WIDTH * width * (1.25 if width < height else 1.0))
    font = load_font(face, _MEASURED_AT, weight=600)
    widest = max((font.getlength(line) for cue in cues for line in cue.lines), default=0.0)
    if widest:
        em = max(min(em, _SAFE_WIDTH * width * _MEASURED_AT / widest), em * _SMALLEST)
    return Look(face=face, em=em, left_out=left_out)


def styled(cues: list[Cue], look: Look, *, width: int, height: int, language: str) -> SSAFile:
    """Return the cues as an ASS file for a frame of this size."""
    file = SSAFile()
    file.info.update(
        {
            "PlayResX": str(width),
            "PlayResY": str(height),
            "LayoutResX": str(width),
            "LayoutResY": str(height),
            "WrapStyle": "2",
            "ScaledBorderAndShadow": "yes",
            "YCbCr Matrix": "TV.709",
            "Language": _shaping(language),
        }
    )
    file.styles = {"Default": _style(look, width=width, height=height)}
    for cue in cues:
        lines = [_escaped(drawable(line)[0]) for line in cue.lines]
        file.append(
            SSAEvent(
                start=round(cue.start_s * 1000), end=round(cue.end_s * 1000), text=r"\N".join(lines)
            )
        )
    return file


def plain(cues: list[Cue]) -> SSAFile:
    """Return the cues without any look, for SRT and VTT."""
    file = SSAFile()
    for cue in cues:
        event = SSAEvent(start=round(cue.start_s * 1000), end=round(cue.end_s * 1000))
        event.plaintext = "\n".join(cue.lines)
        file.append(event)
    return file


def _style(look: Look, *, width: int, height: int) -> SSAStyle:
    tall = width / height < _TALL
    bottom = (_BOTTOM_TALL if tall else _BOTTOM_WIDE) * height
    return SSAStyle(
        fontname=look.face.full_name,
        fontsize=round(look.em * _line_height(look.face), 1),
        primarycolor=Color(255, 255, 255, 0),
        outlinecolor=Color(12, 12, 14, _BOX_ALPHA),
        backcolor=Color(12, 12, 14, _BOX_ALPHA),
        bold="bold" not in look.face.style.lower(),
        borderstyle=4,
        outline=0.0,
        shadow=round(look.em * _BOX_PADDING, 1),
        alignment=Alignment.BOTTOM_CENTER,
        marginl=round(0.05 * width),
        marginr=round(0.05 * width),
        marginv=round(bottom),
    )


def _line_height(face: Face) -> float:
    """Return a font's ascent and descent in ems: ASS sizes mean these, not the em."""
    ascent, descent = load_font(face, _MEASURED_AT).getmetrics()
    return (ascent + descent) / _MEASURED_AT


def _escaped(text: str) -> str:
    return text.replace("\\", "\u29f5").replace("{", "(").replace("}", ")")


def _shaping(language: str) -> str:
    tag = language.replace("_", "-")
    lowered = tag.lower()
    if "hant" in lowered or "hans" in lowered:
        return tag
    return _LANGUAGES.get(lowered) or _LANGUAGES.get(lowered.partition("-")[0]) or tag
