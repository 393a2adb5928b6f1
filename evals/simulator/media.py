"""Real media for vendors that give out more than pictures: tiny, made once in a process."""

import asyncio
import tempfile
from functools import cache
from pathlib import Path

from infra.media.ffmpeg import run_ffmpeg

SPEECH_S = 2.0
_TONE = f"sine=frequency=220:sample_rate=44100:duration={SPEECH_S}"
_FILM = "testsrc2=size=64x36:rate=12:duration=1"


async def speech() -> bytes:
    """Return an mp3 of two seconds."""
    return await asyncio.to_thread(_made, _TONE, "speech.mp3", "-b:a", "32k")


async def clip() -> bytes:
    """Return an mp4 of a second."""
    return await asyncio.to_thread(_made, _FILM, "clip.mp4", "-pix_fmt", "yuv420p")


@cache
def _made(source: str, name: str, *coding: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        run_ffmpeg(["-f", "lavfi", "-i", source, *coding, str(path)])
        return path.read_bytes()
