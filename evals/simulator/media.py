"""Real media for vendors that give out more than pictures: tiny, made once in a process."""

import asyncio
import tempfile
from functools import lru_cache
from pathlib import Path

from infra.media.ffmpeg import run_ffmpeg

SPEECH_S = 2.0
_SYLLABLES = "0.4*sin(2*PI*180*t)*pow(sin(2*PI*1.7*t)*sin(2*PI*2.6*t+0.4)\\,2)"
"""A tone that swells and fades as syllables do, so that it is heard under music."""
_TONE = f"aevalsrc={_SYLLABLES}:s=44100:d={SPEECH_S}"


async def speech() -> bytes:
    """Return an mp3 of two seconds."""
    return await asyncio.to_thread(_made, _TONE, "speech.mp3", "-b:a", "32k")


async def clip(seconds: int, frame: str, hue: int) -> bytes:
    """Return an mp4 of whole seconds, in the shape of a frame such as 1280:720 but smaller."""
    width, _, height = frame.partition(":")
    size = f"{int(width) // 16 * 2}x{int(height) // 16 * 2}"
    film = f"testsrc2=size={size}:rate=24:duration={seconds},hue=h={hue % 360}"
    return await asyncio.to_thread(_made, film, "clip.mp4", "-pix_fmt", "yuv420p")


@lru_cache(maxsize=512)
def _made(source: str, name: str, *coding: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        run_ffmpeg(["-f", "lavfi", "-i", source, *coding, str(path)])
        return path.read_bytes()
