"""Media types come from bytes: what we make, what people bring, and nothing a browser would run."""

import pytest

from infra.media_types import media_type_of


@pytest.mark.parametrize(
    ("head", "media_type"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
        (b"GIF89a\x01\0", "image/gif"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "audio/wav"),
        (b"\0\0\0\x20ftypisom\0\0\x02\0", "video/mp4"),
        (b"\0\0\0\x14ftypqt  ", "video/quicktime"),
        (b"\0\0\0\x20ftypM4A ", "audio/mp4"),
        (b"\x1aE\xdf\xa3\x9f", "video/webm"),
        (b"OggS\0\x02", "audio/ogg"),
        (b"fLaC\0\0\0\x22", "audio/flac"),
        (b"ID3\x04\0\0", "audio/mpeg"),
        (b"\xff\xfb\x90\x64\0", "audio/mpeg"),
        (b"glTF\x02\0\0\0", "model/gltf-binary"),
        (b"%PDF-1.7\n", "application/pdf"),
        (b"PK\x03\x04\x14\0", "application/zip"),
        (b'{"OTIO_SCHEMA": "Timeline.1"}', "application/json"),
        (b"\n  [1, 2]", "application/json"),
        (b"\xef\xbb\xbfWEBVTT\n\n", "text/vtt"),
        (b"1\r\n00:00:01,000 --> 00:00:02,000\r\nHi", "application/x-subrip"),
        (b"[Script Info]\nTitle: x", "text/x-ssa"),
        ("안녕하세요".encode(), "text/plain; charset=utf-8"),
        (b"", "text/plain; charset=utf-8"),
        (b"\0\0\0\0", "application/octet-stream"),
        (b"text with a nul \0", "application/octet-stream"),
        (b"RIFF\x24\0\0\0ABCD", "application/octet-stream"),
    ],
)
def test_a_file_is_known_by_its_first_bytes(head: bytes, media_type: str) -> None:
    assert media_type_of(head) == media_type


@pytest.mark.parametrize(
    "head",
    [
        b"<!doctype html><script>alert(1)</script>",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        b"#!/bin/sh\nrm -rf /",
        b"javascript:alert(1)",
        b"<?xml version='1.0'?>",
    ],
)
def test_what_a_browser_would_run_is_plain_text(head: bytes) -> None:
    assert media_type_of(head) == "text/plain; charset=utf-8"


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_character_cut_in_two_at_the_end_leaves_it_text(cut: int) -> None:
    assert media_type_of(("a" * 10 + "😀").encode()[:-cut]) == "text/plain; charset=utf-8"
    assert media_type_of(b"a\xf0\x9f\x98 more text") == "application/octet-stream"
