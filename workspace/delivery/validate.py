"""Validate: is the file well formed, and is everything there that was planned?

Promises that a planned part that is not in the work is an error that names it and says why it is
absent, and that a file which does not fit its plan is refused before anybody looks at it.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path

from infra.media.probe import AudioStream, Probe, ProbeError, VideoStream, probe
from infra.media.subtitles import read_srt
from infra.media.timeline import Timeline
from workspace.assembly.timeline import timeline_faults
from workspace.delivery.findings import Finding, Severity
from workspace.delivery.plan import FilmPlan, FilmSources, PartState, PlannedPart

_TOOL = "PyAV demux"
_FPS_TOLERANCE = 0.01
_SECONDS_TOLERANCE = 0.08
_START_TOLERANCE_S = 0.05
_RATE = 48_000
_CHANNELS = 2
_STATES = {
    PartState.RUNNING: "is still being made",
    PartState.FAILED: "could not be made",
    PartState.MISSING: "was never made",
}


async def validate(master: Path, plan: FilmPlan, sources: FilmSources) -> list[Finding]:
    """Return what is wrong with the file and what is absent from it."""
    findings = [*judge_parts(plan), *judge_timeline(plan.timeline)]
    findings += await _judge_captions_file(plan, sources)
    if not await asyncio.to_thread(master.is_file):
        return [*findings, _error("file", "The finished film is missing.")]
    try:
        found = await asyncio.to_thread(probe, master)
    except ProbeError as error:
        return [*findings, _error("file", f"The finished film cannot be opened: {error}")]
    return [*findings, *judge_file(found, plan)]


def judge_parts(plan: FilmPlan) -> Iterator[Finding]:
    """Name every planned part that is absent, or made and left out."""
    for part in plan.parts:
        if part.state is not PartState.DONE:
            yield _absent(part)
    placed = {shot.key for shot in plan.timeline.shots}
    placed |= {line.key for line in plan.timeline.narration}
    if plan.timeline.music is not None:
        placed.add(plan.timeline.music.key)
    if plan.timeline.captions is not None:
        placed.add(plan.timeline.captions.srt)
    for part in plan.parts:
        if part.state is PartState.DONE and part.key not in placed:
            yield _error(
                "part_not_used", f"{part.name} was made but is not in the film.", shot=part.key
            )


def judge_timeline(timeline: Timeline) -> Iterator[Finding]:
    """Turn the contradictions of a timeline into findings."""
    for fault in timeline_faults(timeline):
        yield _error("timeline", fault)


def judge_file(found: Probe, plan: FilmPlan) -> Iterator[Finding]:
    """Compare the streams of the file with the plan."""
    timeline = plan.timeline
    if "mp4" not in found.container:
        yield _differs("container", "The container", found.container, "mp4")
    if not found.fast_start:
        yield _error(
            "fast_start",
            "The film cannot be played while it loads, since its index is at the end.",
            tool="first boxes of the file",
        )
    if len(found.video) != 1:
        yield _differs("video_streams", "The number of picture streams", len(found.video), 1)
    for stream in found.video[:1]:
        yield from _judge_video(stream, timeline)
    if plan.expects_sound and not found.audio:
        yield _error("audio_streams", "The film has no sound, although sound was planned.")
    for stream in found.audio[:1]:
        yield from _judge_audio(stream, timeline)
    if timeline.captions is not None and not any(one.cues for one in found.subtitles):
        yield _error("subtitle_stream", "The film has no caption track, although one was planned.")


def _judge_video(stream: VideoStream, timeline: Timeline) -> Iterator[Finding]:
    frames = timeline.frames
    for check, what, measured, expected in (
        ("video_codec", "The picture's codec", stream.codec, "h264"),
        ("pixel_format", "The pixel format", stream.pixel_format, "yuv420p"),
        ("frame_width", "The width", stream.width, timeline.width),
        ("frame_height", "The height", stream.height, timeline.height),
        ("color_space", "The colour space", stream.color_space, "bt709"),
    ):
        if measured != expected:
            yield _differs(check, what, measured, expected)
    if abs(stream.sample_aspect - 1) > _FPS_TOLERANCE:
        yield _differs("sample_aspect", "The shape of the pixels", stream.sample_aspect, 1)
    if abs(stream.fps - timeline.fps) > _FPS_TOLERANCE:
        yield _differs("fps", "The frame rate", round(stream.fps, 3), timeline.fps)
    if abs(stream.frames - frames) > 1:
        yield _differs("frames", "The number of frames", stream.frames, frames)
    tolerance = max(_SECONDS_TOLERANCE, 1.5 / timeline.fps)
    if abs(stream.duration_s - timeline.duration_s) > tolerance:
        yield _differs(
            "duration",
            "The length in seconds",
            round(stream.duration_s, 2),
            round(timeline.duration_s, 2),
        )
    if abs(stream.start_s) > _START_TOLERANCE_S:
        yield _differs("start_time", "The start of the picture in seconds", stream.start_s, 0)
    for at_s in stream.gaps:
        yield _error("frame_gap", f"Frames are missing at {at_s:.2f} s.", tool=_TOOL, start_s=at_s)


def _judge_audio(stream: AudioStream, timeline: Timeline) -> Iterator[Finding]:
    for check, what, measured, expected in (
        ("audio_codec", "The sound's codec", stream.codec, "aac"),
        ("audio_rate", "The sample rate", stream.rate, _RATE),
        ("audio_channels", "The number of channels", stream.channels, _CHANNELS),
    ):
        if measured != expected:
            yield _differs(check, what, measured, expected)
    if abs(stream.start_s) > _START_TOLERANCE_S:
        yield _differs("start_time", "The start of the sound in seconds", stream.start_s, 0)
    if stream.duration_s < timeline.duration_s - 2 * _SECONDS_TOLERANCE:
        yield _differs(
            "audio_duration",
            "The length of the sound in seconds",
            round(stream.duration_s, 2),
            round(timeline.duration_s, 2),
        )


async def _judge_captions_file(plan: FilmPlan, sources: FilmSources) -> list[Finding]:
    if plan.timeline.captions is None or sources.captions is None:
        return []
    try:
        cues = await asyncio.to_thread(read_srt, sources.captions)
    except (ValueError, OSError) as error:
        return [_error("captions_file", f"The caption file cannot be read: {error}")]
    return [] if cues else [_error("captions_file", "The caption file is empty.")]


def _absent(part: PlannedPart) -> Finding:
    reason = f": {part.reason}" if part.reason else ""
    return _error(
        "part_absent",
        f"{part.name} is not in the work; it {_STATES[part.state]}{reason}.",
        measured=part.state,
        limit=PartState.DONE,
        shot=part.key,
    )


def _differs(check: str, what: str, measured: object, expected: object) -> Finding:
    return _error(
        check,
        f"{what} is {measured}, planned was {expected}.",
        tool=_TOOL,
        measured=str(measured),
        limit=str(expected),
    )


def _error(
    check: str,
    message: str,
    *,
    tool: str = "",
    measured: str | None = None,
    limit: str | None = None,
    start_s: float | None = None,
    shot: str | None = None,
) -> Finding:
    return Finding(
        check=check,
        severity=Severity.ERROR,
        message=message,
        tool=tool,
        measured=measured,
        limit=limit,
        start_s=start_s,
        shot=shot,
    )
