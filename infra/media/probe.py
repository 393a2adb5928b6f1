"""What a film file is, read from its container and packets with PyAV; nothing is decoded.

All times in seconds. `faststart` says that the index stands before the media, so that playing can
begin before the download ends.
"""

import asyncio
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av

_HEAD_BYTES = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmFacts:
    """Facts about a film file; a missing stream leaves its fields at None."""

    format_name: str
    video_codec: str | None
    pixel_format: str | None
    width: int | None
    height: int | None
    fps: float | None
    video_frames: int
    video_duration_s: float
    audio_codec: str | None
    sample_rate: int | None
    channels: int | None
    audio_duration_s: float
    subtitle_streams: int
    start_s: float
    largest_gap_s: float
    faststart: bool


async def probe_film(path: Path) -> FilmFacts:
    """Return the facts of a film file.

    Raises:
        av.error.FFmpegError: it cannot be read as a film.
    """
    return await asyncio.to_thread(_probe, path)


def _probe(path: Path) -> FilmFacts:
    with av.open(str(path)) as container:
        video = next(iter(container.streams.video), None)
        audio = next(iter(container.streams.audio), None)
        times, ends = _packet_times(container, [s for s in (video, audio) if s is not None])
        video_times = sorted(times.get(video.index, [])) if video else []
        return FilmFacts(
            format_name=container.format.name,
            video_codec=video.codec_context.name if video else None,
            pixel_format=video.codec_context.pix_fmt if video else None,
            width=video.codec_context.width if video else None,
            height=video.codec_context.height if video else None,
            fps=float(video.average_rate) if video and video.average_rate else None,
            video_frames=len(video_times),
            video_duration_s=round(ends.get(video.index, 0.0), 4) if video else 0.0,
            audio_codec=audio.codec_context.name if audio else None,
            sample_rate=audio.codec_context.sample_rate if audio else None,
            channels=audio.codec_context.channels if audio else None,
            audio_duration_s=round(ends.get(audio.index, 0.0), 4) if audio else 0.0,
            subtitle_streams=len(container.streams.subtitles),
            start_s=video_times[0] if video_times else 0.0,
            largest_gap_s=_largest_gap(video_times),
            faststart=_index_first(path),
        )


def _packet_times(
    container: Any, streams: list[Any]
) -> tuple[dict[int, list[float]], dict[int, float]]:
    times: dict[int, list[float]] = {}
    ends: dict[int, float] = {}
    for packet in container.demux(streams):
        if packet.pts is None:
            continue
        index = packet.stream.index
        start = float(packet.pts * packet.time_base)
        times.setdefault(index, []).append(start)
        end = start + float((packet.duration or 0) * packet.time_base)
        ends[index] = max(end, ends.get(index, 0.0))
    return times, ends


def _largest_gap(times: list[float]) -> float:
    return max((b - a for a, b in itertools.pairwise(times)), default=0.0)


def _index_first(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    index, media = head.find(b"moov"), head.find(b"mdat")
    return index >= 0 and (media < 0 or index < media)
