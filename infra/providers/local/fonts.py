"""Find a font that can really draw a text.

Owns which font files the local generators use. Promises that a returned face has a glyph for
every character, so no text is ever drawn as boxes; a text that no font here can draw is
`MissingGlyphsError`. Bundled fonts (Noto, SIL Open Font License) come before those of the system,
so that Latin, Cyrillic, Greek, Chinese, Japanese and Korean look the same on every machine.
"""

import importlib.util
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from PIL import ImageFont

from infra.providers.local.request import MissingGlyphsError

_SYSTEM_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".local/share/fonts",
    Path("/System/Library/Fonts"),
    Path("/Library/Fonts"),
)
_SYSTEM_PREFERENCE = ("noto", "dejavu", "liberation")
_NAMED_IN_MESSAGE = 8
_FULL_WIDTH = 100
_TABLE_RECORD_BYTES = 16
_HEAD_BYTES = 4096
_NO_CHARACTER = 0xFFFF
_GLYPH_SPACE = 65536
_EMOJI_JOINERS = frozenset("\ufe0e\ufe0f\u20e3")


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One font of a file; `weights` tells that any weight can be set on it."""

    path: Path
    index: int = 0
    family: str
    style: str
    weights: bool = False

    @property
    def full_name(self) -> str:
        """The name by which libass finds the font in a folder."""
        return f"{self.family} {self.style}"


def find_face(text: str, *, serif: bool = False, bold: bool = False) -> Face:
    """Return the first face that has a glyph for every character of the text.

    Raises:
        MissingGlyphsError: No installed font has all of them.
    """
    needed = _needed(text)
    for face in _bundled(serif=serif, bold=bold):
        if needed <= _coverage(face.path, face.index):
            return face
    for face in _system():
        if needed <= _coverage(face.path, face.index):
            return face
    missing = "".join(sorted(needed - _everything()))[:_NAMED_IN_MESSAGE]
    fault = (
        f"No installed font has the characters {missing}"
        if missing
        else "No single installed font has all the characters of the text"
    )
    msg = f"{fault}; install a Noto font for that script."
    raise MissingGlyphsError(msg)


def load_font(face: Face, size: float, *, weight: int = 400) -> ImageFont.FreeTypeFont:
    """Open a face at a size in pixels; the weight is used where the face has a weight axis."""
    font = ImageFont.truetype(
        str(face.path), size, index=face.index, layout_engine=ImageFont.Layout.RAQM
    )
    if face.weights:
        axes = [
            100.0 if axis["maximum"] == _FULL_WIDTH else float(weight)
            for axis in font.get_variation_axes()
        ]
        font.set_variation_by_axes(axes)
    return font


def drawable(text: str) -> tuple[str, str]:
    """Split a text into what must be drawn and the ornaments that no bundled font has.

    Letters, digits and punctuation are never left out; an emoji or another symbol without a glyph
    is, since a title must not fail for a sparkle.
    """
    kept: list[str] = []
    dropped: list[str] = []
    for character in text:
        (dropped if _is_ornament(character) else kept).append(character)
    return " ".join("".join(kept).split()), "".join(dropped)


def _is_ornament(character: str) -> bool:
    if character in _EMOJI_JOINERS:
        return True
    if unicodedata.category(character) not in {"So", "Sk", "Co", "Cs"}:
        return False
    faces = _bundled(serif=False, bold=False)
    return not any(character in _coverage(face.path, face.index) for face in faces)


def _needed(text: str) -> frozenset[str]:
    return frozenset(
        character
        for character in unicodedata.normalize("NFC", text)
        if not character.isspace() and unicodedata.category(character) not in {"Cc", "Cf"}
    )


@cache
def _bundled(*, serif: bool, bold: bool) -> tuple[Face, ...]:
    latin = [
        ("fontpkg_noto_sans", "files/NotoSans[wdth,wght].ttf", "Noto Sans"),
        ("fontpkg_noto_serif", "files/NotoSerif[wdth,wght].ttf", "Noto Serif"),
    ]
    if serif:
        latin.reverse()
    asian = ["Regular", "Bold"]
    if bold:
        asian.reverse()
    faces = [
        _bundled_face(package, file, family=family, style="Regular", weights=True)
        for package, file, family in latin
    ]
    faces += [
        _bundled_face(
            f"cvttf_NotoSansCJK_{style}",
            f"NotoSansCJKtc-{style}.otf",
            family="Noto Sans CJK TC",
            style=style,
            weights=False,
        )
        for style in asian
    ]
    return tuple(face for face in faces if face is not None)


def _bundled_face(
    package: str, file: str, *, family: str, style: str, weights: bool
) -> Face | None:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / file
    if not path.is_file():
        return None
    return Face(path=path, family=family, style=style, weights=weights)


@cache
def _system() -> tuple[Face, ...]:
    found: list[Face] = []
    for folder in _SYSTEM_FOLDERS:
        if not folder.is_dir():
            continue
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in {".ttf", ".otf", ".ttc"}:
                found += _faces_of(path)
    return tuple(sorted(found, key=_preference))


def _faces_of(path: Path) -> list[Face]:
    faces: list[Face] = []
    for index in range(_font_count(path)):
        try:
            family, style = ImageFont.truetype(str(path), 16, index=index).getname()
        except OSError:
            continue
        faces.append(Face(path=path, index=index, family=family or "", style=style or ""))
    return faces


def _preference(face: Face) -> tuple[int, int, str]:
    name = face.path.name.lower()
    rank = next(
        (place for place, word in enumerate(_SYSTEM_PREFERENCE) if name.startswith(word)),
        len(_SYSTEM_PREFERENCE),
    )
    plain = 0 if face.style in {"Regular", "Book"} and "mono" not in name else 1
    return plain, rank, str(face.path)


def _font_count(path: Path) -> int:
    with path.open("rb") as file:
        head = file.read(12)
    return int.from_bytes(head[8:12]) if head[:4] == b"ttcf" else 1


@cache
def _everything() -> frozenset[str]:
    faces = (*_bundled(serif=False, bold=False), *_system())
    none: frozenset[str] = frozenset()
    return none.union(*(_coverage(face.path, face.index) for face in faces))


@cache
def _coverage(path: Path, index: int) -> frozenset[str]:
    """Return the characters of a font, read from its `cmap` table.

    Pillow draws a box for a missing glyph and does not tell; the table is the only sure answer.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
        start = 0
        if head[:4] == b"ttcf":
            start = int.from_bytes(head[12 + 4 * index : 16 + 4 * index])
        file.seek(start)
        directory = file.read(_HEAD_BYTES)
        for record in range(int.from_bytes(directory[4:6])):
            at = 12 + _TABLE_RECORD_BYTES * record
            if directory[at : at + 4] == b"cmap":
                file.seek(int.from_bytes(directory[at + 8 : at + 12]))
                return _characters(file.read(int.from_bytes(directory[at + 12 : at + 16])))
    return frozenset()


def _characters(cmap: bytes) -> frozenset[str]:
    best: frozenset[str] = frozenset()
    for record in range(int.from_bytes(cmap[2:4])):
        at = 4 + 8 * record
        if int.from_bytes(cmap[at : at + 2]) not in {0, 3}:
            continue
        table = cmap[int.from_bytes(cmap[at + 4 : at + 8]) :]
        match int.from_bytes(table[:2]):
            case 12:
                found = _format_12(table)
            case 4:
                found = _format_4(table)
            case _:
                continue
        best = max(best, found, key=len)
    return best


def _format_12(table: bytes) -> frozenset[str]:
    count = int.from_bytes(table[12:16])
    groups = np.frombuffer(table[16 : 16 + 12 * count], dtype=">u4").reshape(count, 3)
    return frozenset(
        chr(code) for first, last, _ in groups.tolist() for code in range(first, last + 1)
    )


def _format_4(table: bytes) -> frozenset[str]:
    words = np.frombuffer(table[: len(table) // 2 * 2], dtype=">u2").tolist()
    count = words[3] // 2
    found: list[str] = []
    for segment in range(count):
        end, start = words[7 + segment], words[8 + count + segment]
        delta, offset_at = words[8 + 2 * count + segment], 8 + 3 * count + segment
        for code in range(start, end + 1):
            glyph = code
            if words[offset_at]:
                place = offset_at + words[offset_at] // 2 + code - start
                glyph = words[place] if place < len(words) else 0
                if glyph == 0:
                    continue
            if (glyph + delta) % _GLYPH_SPACE and code != _NO_CHARACTER:
                found.append(chr(code))
    return frozenset(found)
