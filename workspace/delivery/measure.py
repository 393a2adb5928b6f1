"""Measure a file with FFmpeg, without blocking the event loop.

Owns the running of FFmpeg for checks and the reading of its filters' logs. Promises that a
measuring process ends with its caller (cancelled means killed), and that a file that cannot be
decoded is `MeasureError`, never an empty measurement.
"""

import asyncio
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from infra.errors import AppError
from infra.media.ffmpeg import ffmpeg_command
from infra.media.loudness import FILTER as LOUDNESS
from infra.media.loudness import Loudness, parse_loudness

BLACK = "blackdetect=d=0.25:pix_th=0.10:pic_th=0.98"
FROZEN = "freezedetect=n=-60dB:d=1.0"
SILENCE = "silencedetect=noise=-50dB:d=1.0"
BAND = "highpass=f=300,highpass=f=300,lowpass=f=3400,lowpass=f=3400"
BAND_RATE = 16_000

_BLACK = re.compile(r"black_start:([\d.]+) black_end:([\d.]+)")
_FREEZE = re.compile(r"freeze_(start|end): ([\d.]+)")
_SILENCE = re.compile(r"silence_(start|end): (-?[\d.]+)")
_TAIL = 400


class MeasureError(AppError):
    """A file could not be measured."""

    code = "measure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What one pass over the master shows; spans are (start, end) in seconds."""

    black: tuple[tuple[float, float], ...]
    frozen: tuple[tuple[float, float], ...]
    silent: tuple[tuple[float, float], ...]
    loudness: Loudness


async def measure_signals(master: Path, *, duration_s: float, has_audio: bool) -> Signals:
    """Decode the film once and find black, frozen and silent spans and its loudness.

    Raises:
        MeasureError: The film cannot be decoded to its end.
    """
    arguments = ["-i", str(master), "-map", "0:v:0", "-vf", f"{BLACK},{FROZEN}"]
    if has_audio:
        arguments += ["-map", "0:a:0", "-af", f"{SILENCE},{LOUDNESS}"]
    log = await run_ffmpeg(["-xerror", *arguments, "-f", "null", "-"])
    return parse_signals(log, duration_s=duration_s)


def parse_signals(log: str, *, duration_s: float) -> Signals:
    """Read what the filters wrote; a span that is still open at the end lasts until it."""
    return Signals(
        black=tuple((float(start), float(end)) for start, end in _BLACK.findall(log)),
        frozen=_spans(_FREEZE.findall(log), duration_s),
        silent=_spans(_SILENCE.findall(log), duration_s),
        loudness=parse_loudness(log),
    )


async def speech_band(path: Path) -> NDArray[np.float64]:
    """Return the band of a file's first sound that carries speech, 300 to 3400 Hz, at 16 kHz.

    Raises:
        MeasureError: The file has no sound that can be decoded.
    """
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "band"
        arguments = ["-i", str(path), "-map", "0:a:0", "-af", BAND, "-ac", "1"]
        await run_ffmpeg([*arguments, "-ar", str(BAND_RATE), "-f", "f32le", str(raw)])
        samples = await asyncio.to_thread(np.fromfile, raw, "<f4")
    return samples.astype(np.float64)


async def run_ffmpeg(arguments: list[str]) -> str:
    """Run FFmpeg and return its log.

    Raises:
        MeasureError: It ended with an error; the message has its last words.
    """
    process = await asyncio.create_subprocess_exec(
        *ffmpeg_command(),
        *("-hide_banner", "-nostdin", "-nostats", "-y"),
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, errors = await process.communicate()
    except BaseException:
        process.kill()
        await process.wait()
        raise
    log = errors.decode("utf-8", "replace")
    if process.returncode != 0:
        msg = f"The file could not be decoded to its end: {log.strip()[-_TAIL:]}"
        raise MeasureError(msg)
    return log


def _spans(marks: list[tuple[str, str]], duration_s: float) -> tuple[tuple[float, float], ...]:
    spans: list[tuple[float, float]] = []
    start: float | None = None
    for kind, value in marks:
        if kind == "start":
            start = max(float(value), 0.0)
        elif start is not None:
            spans.append((start, float(value)))
            start = None
    if start is not None:
        spans.append((start, duration_s))
    return tuple(spans)
