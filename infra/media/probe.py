"""What a media file really is: streams, times, frames, colours and the order of its boxes.

Owns probing with PyAV; imageio-ffmpeg brings no ffprobe. `probe` reads packets, not pictures, so it
is quick; it blocks, so asyncio callers run it in a thread. A file that cannot be opened is
`ProbeError`, a file that ends early is not: its counts tell.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import av.error
from av.container import InputContainer

_BOX_HEAD = 8
_LONG_BOX = 16
_GAP_FRAMES = 1.5
_COLOURS = {1: "bt709", 2: "unspecified", 5: "bt470bg", 6: "smpte170m", 9: "bt2020"}
_RANGES = {0: "unspecified", 1: "tv", 2: "pc"}


class ProbeError(Exception):
    """The file is not media that can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoStream:
    """A picture stream; `gaps` are the times at which frames are missing."""

    codec: str
    profile: str
    pixel_format: str
    width: int
    height: int
    fps: float
    sample_aspect: float
    frames: int
    start_s: float
    duration_s: float
    color_space: str
    color_range: str
    gaps: tuple[float, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class AudioStream:
    """A sound stream."""

    codec: str
    rate: int
    channels: int
    start_s: float
    duration_s: float
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtitleStream:
    """A soft caption stream."""

    codec: str
    language: str
    cues: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A whole file; `fast_start` tells that it can be played while it loads."""

    container: str
    duration_s: float
    size: int
    video: tuple[VideoStream, ...]
    audio: tuple[AudioStream, ...]
    subtitles: tuple[SubtitleStream, ...]
    chapters: int
    fast_start: bool


@dataclass(slots=True)
class _Times:
    """Where the packets of one stream lie, in its own time base."""

    stamps: list[int] = field(default_factory=list[int])
    ends: int = 0
    shown: int = 0


def probe(path: Path) -> Probe:
    """Read what a file is.

    Raises:
        ProbeError: It cannot be opened as media.
    """
    try:
        with av.open(str(path)) as container:
            times = _read_packets(container)
            return Probe(
                container=container.format.name,
                duration_s=(container.duration or 0) / av.time_base,
                size=path.stat().st_size,
                video=tuple(_video(one, times[one.index]) for one in container.streams.video),
                audio=tuple(_audio(one, times[one.index]) for one in container.streams.audio),
                subtitles=tuple(
                    SubtitleStream(
                        codec=one.codec_context.name,
                        language=one.language or "und",
                        cues=times[one.index].shown,
                    )
                    for one in container.streams.subtitles
                ),
                chapters=len(container.chapters()),
                fast_start=moov_before_mdat(path),
            )
    except (av.error.FFmpegError, OSError) as error:
        msg = f"{path.name} cannot be read as media: {error}"
        raise ProbeError(msg) from error


def moov_before_mdat(path: Path) -> bool:
    """Whether an MP4 has its index before its media; other files have no such order."""
    with path.open("rb") as file:
        while len(head := file.read(_BOX_HEAD)) == _BOX_HEAD:
            size, kind = int.from_bytes(head[:4]), head[4:]
            if kind == b"moov":
                return True
            if kind == b"mdat":
                return False
            read = _BOX_HEAD
            if size == 1:
                size, read = int.from_bytes(file.read(8)), _LONG_BOX
            if size < read:
                return False
            file.seek(size - read, 1)
    return False


def _read_packets(container: InputContainer) -> dict[int, _Times]:
    times = {stream.index: _Times() for stream in container.streams}
    try:
        for packet in container.demux():
            if packet.pts is None:
                continue
            entry = times[packet.stream.index]
            entry.stamps.append(packet.pts)
            entry.ends = max(entry.ends, packet.pts + (packet.duration or 0))
            # mov_text writes an empty sample of two bytes wherever no caption stands.
            entry.shown += packet.size > 2  # noqa: PLR2004
    except av.error.FFmpegError:
        # A file that was cut off ends in a broken packet; what came before it counts.
        return times
    return times


def _video(stream: av.VideoStream, times: _Times) -> VideoStream:
    context = stream.codec_context
    base = _fraction(stream.time_base)
    rate = stream.average_rate or stream.guessed_rate or 0
    start, end = _span(times, base)
    aspect = stream.sample_aspect_ratio
    return VideoStream(
        codec=context.name,
        profile=str(context.profile or ""),
        pixel_format=str(context.pix_fmt or ""),
        width=context.width,
        height=context.height,
        fps=float(rate),
        sample_aspect=float(aspect) if aspect else 1.0,
        frames=len(times.stamps),
        start_s=start,
        duration_s=end - start,
        color_space=_COLOURS.get(int(context.colorspace), "other"),
        color_range=_RANGES.get(int(context.color_range), "other"),
        gaps=_gaps(times, base, float(rate)),
    )


def _audio(stream: av.AudioStream, times: _Times) -> AudioStream:
    start, end = _span(times, _fraction(stream.time_base))
    return AudioStream(
        codec=stream.codec_context.name,
        rate=stream.codec_context.sample_rate,
        channels=stream.codec_context.channels,
        start_s=max(start, 0.0),
        duration_s=end - max(start, 0.0),
        language=stream.language or "und",
    )


def _fraction(value: Any) -> Fraction:
    """Return PyAV's own rational as Python's; a stream without a time base counts seconds."""
    return Fraction(value.numerator, value.denominator) if value else Fraction(1)


def _span(times: _Times, base: Fraction) -> tuple[float, float]:
    if not times.stamps:
        return 0.0, 0.0
    return float(min(times.stamps) * base), float(times.ends * base)


def _gaps(times: _Times, base: Fraction, fps: float) -> tuple[float, ...]:
    if fps <= 0:
        return ()
    ordered = sorted(times.stamps)
    longest = _GAP_FRAMES / fps / float(base)
    return tuple(
        round(float(before * base), 3)
        for before, after in pairwise(ordered)
        if after - before > longest
    )
