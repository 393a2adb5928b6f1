"""Words on a picture: measured, wrapped, set on the margins and legible on what is behind them.

Owns the setting of title and subtitle. Promises that no glyph leaves its zone, that every line is
measured before it is drawn, and that text and the darkest or lightest pixels behind it contrast by
at least `LEAST_CONTRAST`; where the picture alone does not give that, a soft veil is laid between.
"""

import re
import unicodedata
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from infra.providers.local.fonts import Face, drawable, find_face, load_font
from infra.providers.local.pictures.composition import Stage, Zone
from infra.providers.local.pictures.noise import Field

LEAST_CONTRAST = 4.5
_SERIF_MOODS = frozenset({"earth", "romantic", "melancholy", "luxury", "calm", "autumn", "warm"})
_SANS_MOODS = frozenset({"modern", "neon", "joyful", "fresh"})
_SERIF_LOOKS = frozenset({"watercolour", "ink"})
_NO_LINE_START = frozenset(
    "。、，\uff0e！？：；）」』】\u3015〉》’”…ー々ゃゅょっャュョッぁぃぅぇぉァィゥェォ,.!?:;)]}%"
)
_NO_LINE_END = frozenset("（「『【\u3014〈《‘“([{")
_PIECE = re.compile(
    r"\s+|[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]|[^\s\u3040-\u30ff\u3400-\u9fff\uff00-\uffef]+"
)
_MOST_TITLE_LINES = 4
_MOST_SUBTITLE_LINES = 5
_TITLE_LEADING = 1.14
_TITLE_WEIGHT = 700
_SUBTITLE_WEIGHT = 430
_SMALLEST = 0.012
_EVEN_FROM = 2
_LINEAR_BELOW = 0.04045
_SUBTITLE_LEADING = 1.42


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of text at its place; (x, y) is the left end of its baseline."""

    text: str
    font: ImageFont.FreeTypeFont
    x: float
    y: float
    box: tuple[int, int, int, int]
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """All lines of a picture, the rule above them and the rectangle that holds everything."""

    lines: tuple[Line, ...]
    rule: tuple[float, float, float, float] | None
    box: tuple[int, int, int, int]
    language: str
    dropped: str

    def mask(self, size: tuple[int, int]) -> Image.Image:
        """Return the coverage of all glyphs over a picture of that size."""
        image = Image.new("L", size, 0)
        pen = ImageDraw.Draw(image)
        for line in self.lines:
            pen.text(
                (line.x, line.y),
                line.text,
                fill=255,
                font=line.font,
                anchor="ls",
                language=self.language or None,
            )
        return image


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    lines: list[str]
    font: ImageFont.FreeTypeFont
    size: float
    leading: float

    @property
    def height(self) -> float:
        return self.size * self.leading * len(self.lines)


def set_words(
    *,
    title: str,
    subtitle: str,
    language: str,
    stage: Stage,
    look: str,
    moods: list[str],
) -> Setting | None:
    """Return the setting of title and subtitle in the stage's zone; None if there is no text.

    Raises:
        MissingGlyphsError: No installed font has all characters.
    """
    zone = stage.words
    head, lost_head = drawable(title)
    body, lost_body = drawable(subtitle)
    if zone is None or not (head or body):
        return None
    serif = _wants_serif(look, moods)
    head_face = find_face(head or body, serif=serif, bold=True)
    body_face = find_face(body or head, serif=serif, bold=False)
    blocks = _fit(
        head,
        body,
        head_face=head_face,
        body_face=body_face,
        zone=zone,
        unit=stage.unit,
        language=language,
    )
    return _placed(
        blocks, zone=zone, unit=stage.unit, language=language, dropped=lost_head + lost_body
    )


def _wants_serif(look: str, moods: list[str]) -> bool:
    if look in _SERIF_LOOKS:
        return True
    for mood in moods:
        if mood in _SERIF_MOODS:
            return True
        if mood in _SANS_MOODS:
            return False
    return False


def _fit(
    head: str,
    body: str,
    *,
    head_face: Face,
    body_face: Face,
    zone: Zone,
    unit: float,
    language: str,
) -> list[tuple[str, _Block]]:
    """Return the blocks at the largest size that stays in the zone."""
    size = 0.128 * unit if zone.width > 0.7 * unit else 0.112 * unit
    room = zone.width * (0.96 if zone.align == "left" else 0.86)
    while True:
        blocks: list[tuple[str, _Block]] = []
        small = max(size * 0.36, 0.026 * unit) if head else size * 0.6
        if head:
            font = load_font(head_face, size, weight=_TITLE_WEIGHT)
            lines = wrapped(head, font, zone.width, language)
            blocks.append(
                ("title", _Block(lines=lines, font=font, size=size, leading=_TITLE_LEADING))
            )
        if body:
            font = load_font(body_face, small, weight=_SUBTITLE_WEIGHT)
            lines = wrapped(body, font, room, language)
            blocks.append(
                ("subtitle", _Block(lines=lines, font=font, size=small, leading=_SUBTITLE_LEADING))
            )
        if _fits(blocks, zone, language) or size < _SMALLEST * unit:
            return blocks
        size *= 0.92


def _fits(blocks: list[tuple[str, _Block]], zone: Zone, language: str) -> bool:
    total = sum(block.height for _, block in blocks) + _gap(blocks) + _rule_room(blocks)
    if total > zone.height:
        return False
    for role, block in blocks:
        most = _MOST_TITLE_LINES if role == "title" else _MOST_SUBTITLE_LINES
        if len(block.lines) > most:
            return False
        if any(_width(line, block.font, language) > zone.width for line in block.lines):
            return False
    return True


def wrapped(text: str, font: ImageFont.FreeTypeFont, width: float, language: str) -> list[str]:
    """Break a text into lines no wider than `width`, as even as they can be.

    Chinese and Japanese break between characters but not before closing marks; everything else
    breaks at spaces. A word that is wider than the width stands alone, for the caller to shrink.
    """
    pieces = _pieces(text)
    known: dict[str, float] = {}
    for piece in pieces:
        known.setdefault(piece, font.getlength(piece, language=language or None))
    sizes = [known[piece] for piece in pieces]
    lines = _greedy(pieces, sizes, width)
    if len(lines) < _EVEN_FROM:
        return lines
    low, high = width * 0.35, width
    for _ in range(9):
        middle = (low + high) / 2
        if len(_greedy(pieces, sizes, middle)) <= len(lines):
            high = middle
        else:
            low = middle
    return _greedy(pieces, sizes, high)


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for piece in _PIECE.findall(unicodedata.normalize("NFC", text)):
        closes = piece[0] in _NO_LINE_START and pieces and not pieces[-1].isspace()
        opens = pieces and pieces[-1][-1] in _NO_LINE_END
        if (closes or opens) and not piece.isspace():
            pieces[-1] += piece
        else:
            pieces.append(" " if piece.isspace() else piece)
    return pieces


def _greedy(pieces: list[str], sizes: list[float], width: float) -> list[str]:
    """Fill lines one after another; words are measured alone, since lines are measured again."""
    lines: list[str] = []
    line, used = "", 0.0
    for piece, size in zip(pieces, sizes, strict=True):
        if line.strip() and piece != " " and used + size > width:
            lines.append(line.strip())
            line, used = piece, size
        elif line or piece != " ":
            line, used = line + piece, used + size
    if line.strip():
        lines.append(line.strip())
    return lines


def _width(text: str, font: ImageFont.FreeTypeFont, language: str) -> float:
    left, _, right, _ = font.getbbox(text, language=language or None)
    return max(font.getlength(text, language=language or None), right) - min(left, 0)


def _gap(blocks: list[tuple[str, _Block]]) -> float:
    return blocks[0][1].size * 0.34 if len(blocks) > 1 else 0.0


def _rule_room(blocks: list[tuple[str, _Block]]) -> float:
    return blocks[0][1].size * 0.42


def _placed(
    blocks: list[tuple[str, _Block]], *, zone: Zone, unit: float, language: str, dropped: str
) -> Setting:
    total = sum(block.height for _, block in blocks) + _gap(blocks) + _rule_room(blocks)
    top = {
        "top": zone.y,
        "middle": zone.y + (zone.height - total) / 2,
        "bottom": zone.y + zone.height - total,
    }[zone.anchor]
    centred = zone.align == "center"
    mirrored = any(_is_right_to_left(block.lines) for _, block in blocks)
    y = top + (0 if centred else _rule_room(blocks))
    lines: list[Line] = []
    for role, block in blocks:
        for text in block.lines:
            line = _line(
                text,
                block,
                role=role,
                zone=zone,
                y=y,
                centred=centred,
                mirrored=mirrored,
                language=language,
            )
            lines.append(line)
            y += block.size * block.leading
        y += _gap(blocks)
    rule = None
    if not centred:
        start = zone.x + zone.width - 0.085 * unit if mirrored else zone.x
        rule = (start, top, start + 0.085 * unit, top + max(0.0052 * unit, 2.0))
    boxes = np.array([line.box for line in lines])
    x0, y0 = boxes[:, :2].min(axis=0).tolist()
    x1, y1 = boxes[:, 2:].max(axis=0).tolist()
    box = (x0, min(y0, round(top)) if rule else y0, x1, y1)
    return Setting(lines=tuple(lines), rule=rule, box=box, language=language, dropped=dropped)


def _line(
    text: str,
    block: _Block,
    *,
    role: str,
    zone: Zone,
    y: float,
    centred: bool,
    mirrored: bool,
    language: str,
) -> Line:
    left, above, right, below = block.font.getbbox(text, anchor="ls", language=language or None)
    wide = right - left
    if centred:
        x = zone.x + (zone.width - wide) / 2 - left
    elif mirrored:
        x = zone.x + zone.width - right
    else:
        # The ink, not the side bearing, stands on the margin: large letters would look indented.
        x = zone.x - left
    baseline = y + block.size * block.leading * 0.80
    box = (
        int(np.floor(x + left)),
        int(np.floor(baseline + above)),
        int(np.ceil(x + right)),
        int(np.ceil(baseline + below)),
    )
    return Line(text=text, font=block.font, x=x, y=baseline, box=box, role=role)


def _is_right_to_left(lines: list[str]) -> bool:
    for character in "".join(lines):
        match unicodedata.bidirectional(character):
            case "R" | "AL":
                return True
            case "L":
                return False
            case _:
                continue
    return False


def luminances(planes: Field) -> Field:
    """Return the relative luminance of pixels given as three planes between 0 and 1."""
    linear = np.where(planes <= _LINEAR_BELOW, planes / 12.92, ((planes + 0.055) / 1.055) ** 2.4)
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def worst_contrast(luminance: float, behind: Field) -> float:
    """Return the contrast of a text with the least favourable hundredth of what is behind it."""
    lighter = np.maximum(behind, luminance)
    darker = np.minimum(behind, luminance)
    return float(np.percentile((lighter + 0.05) / (darker + 0.05), 1))
