"""How loud a file is, by ITU-R BS.1770 as FFmpeg's `ebur128` measures it.

Owns the arguments of the measurement and the reading of its summary, so that one caller may run it
and wait (generators) and another may run it under asyncio (the audit).
"""

import re
from dataclasses import dataclass
from pathlib import Path

from infra.media.ffmpeg import run_ffmpeg

FILTER = "ebur128=peak=true:framelog=quiet"
_INTEGRATED = re.compile(r"^\s*I:\s+(-?[\d.]+|-?inf|nan) LUFS", re.MULTILINE)
_RANGE = re.compile(r"^\s*LRA:\s+(-?[\d.]+|-?inf|nan) LU", re.MULTILINE)
_PEAK = re.compile(r"^\s*Peak:\s+(-?[\d.]+|-?inf|nan) dBFS", re.MULTILINE)
_GATE_LUFS = -70.0
"""ebur128 gives this for what is silent or too short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loudness:
    """What was measured; each is None where the file is silent."""

    integrated_lufs: float | None
    range_lu: float | None
    true_peak_db: float | None


def loudness_arguments(path: Path) -> list[str]:
    """Return the arguments of FFmpeg that measure the first audio stream; log level `info`."""
    return ["-i", str(path), "-map", "0:a:0", "-af", FILTER, "-f", "null", "-"]


def parse_loudness(log: str) -> Loudness:
    """Read the summary that ebur128 writes at its end."""
    summary = log[log.rfind("Summary:") :]
    integrated = _value(_INTEGRATED, summary)
    if integrated is not None and integrated <= _GATE_LUFS:
        integrated = None
    return Loudness(
        integrated_lufs=integrated,
        range_lu=_value(_RANGE, summary),
        true_peak_db=_value(_PEAK, summary),
    )


def measure_loudness(path: Path) -> Loudness:
    """Measure the first audio stream of a file.

    Raises:
        FfmpegError: The file has no audio that can be read.
    """
    return parse_loudness(run_ffmpeg(loudness_arguments(path), log_level="info"))


def _value(pattern: re.Pattern[str], text: str) -> float | None:
    match = pattern.search(text)
    if match is None or not match.group(1).lstrip("-")[0].isdigit():
        return None
    return float(match.group(1))
