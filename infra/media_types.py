"""What a file is, told from its first bytes, never from its name.

Covers what the product makes and what people bring; anything else is text or bytes. Nothing that a
browser would run (HTML, SVG, script) is ever named as such: it is plain text here.
"""

import re

HEAD_BYTES = 4096
"""How much of a file's beginning decides."""

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
    (b"ID3", "audio/mpeg"),
    (b"glTF", "model/gltf-binary"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
)
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
_FTYP = {b"qt  ": "video/quicktime", b"M4A ": "audio/mp4", b"avif": "image/avif"}
_MP3_FRAME = re.compile(rb"\xff[\xe2-\xe7\xf2-\xf7\xfa-\xff][\x10-\xeb]")
_SRT = re.compile(r"\d+\r?\n\d\d:\d\d:\d\d,\d{3} --> ")
_UTF8_TAIL = 3


def media_type_of(head: bytes) -> str:
    """Return the media type of a file that begins with these bytes."""
    for signature, media_type in _SIGNATURES:
        if head.startswith(signature):
            return media_type
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12], "application/octet-stream")
    if head[4:8] == b"ftyp":
        return _FTYP.get(head[8:12], "video/mp4")
    if _MP3_FRAME.match(head):
        return "audio/mpeg"
    text = _text(head)
    return "application/octet-stream" if text is None else _text_type(text)


def _text_type(text: str) -> str:
    if text.startswith("WEBVTT"):
        return "text/vtt"
    if _SRT.match(text):
        return "application/x-subrip"
    if text.startswith("[Script Info]"):
        return "text/x-ssa"
    if text.startswith(("{", "[")):
        return "application/json"
    return "text/plain; charset=utf-8"


def _text(head: bytes) -> str | None:
    """Return the bytes as text, or None; a character cut in two at the end is no objection."""
    for cut in range(_UTF8_TAIL + 1):
        try:
            text = head[: len(head) - cut].decode("utf-8")
        except UnicodeDecodeError:
            continue
        return None if "\x00" in text else text.removeprefix("\ufeff").lstrip()
    return None
