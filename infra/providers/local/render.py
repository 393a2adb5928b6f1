"""Render: a timeline to a finished master.

Promises exactly the timeline's frames, the asked loudness, H.264 High with BT.709 tags and AAC in
an MP4 that can be played while it loads, a soft caption track and a chapter for each shot. Captions
are burned in as well when asked; if no installed font can draw them, the film is made without and
`measured` says why. Any failure of FFmpeg ends the run with a sentence.
"""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pysubs2

from infra.media.ffmpeg import run_ffmpeg
from infra.media.loudness import Loudness, measure_loudness
from infra.media.otio import write_otio
from infra.media.timeline import Timeline, TimelineFormatError, read_timeline
from infra.providers.local.film.labels import metadata, three_letters
from infra.providers.local.film.picture import Picture, compose_picture
from infra.providers.local.film.soundtrack import mix_soundtrack
from infra.providers.local.fonts import drawable, find_face
from infra.providers.local.request import (
    InvalidInputError,
    LocalArtifact,
    LocalRequest,
    LocalResult,
    MissingGlyphsError,
)

_AUDIO_SHARE = 0.12
_ENCODER_THREADS = 1
"""With more than one, x264 gives other frames each time where the limit of bits binds: what a frame
may take depends on how far the threads beside it are (`update_vbv_plan` in its `ratecontrol.c`)."""
_BITS_PER_PIXEL = 0.11
_DRIFT_S = 0.06


def generate(request: LocalRequest, out: Path, report: Callable[[float], None]) -> LocalResult:
    """Make the master, the timeline for editing programs and a copy of the captions.

    Raises:
        InvalidInputError: The timeline is not one, or a file that it names is missing.
        FfmpegError: FFmpeg could not read, encode or write.
    """
    try:
        timeline = read_timeline(request.inputs.get("timeline"))
    except TimelineFormatError as error:
        raise InvalidInputError(str(error)) from error
    files = _files(request, timeline)
    with tempfile.TemporaryDirectory(prefix="render-", dir=out) as folder:
        work = Path(folder)
        mix_soundtrack(timeline, files, work / "mix.m4a")
        report(_AUDIO_SHARE)
        burned, why_not = _prepare_burning(timeline, files, work)
        picture = compose_picture(timeline, files, burned=burned)
        _encode(timeline, files, picture, work=work, master=out / "master.mp4", report=report)
    write_otio(timeline, out / "timeline.otio")
    artifacts = [
        LocalArtifact(role="master", path="master.mp4", media_type="video/mp4"),
        LocalArtifact(
            role="timeline",
            path="timeline.otio",
            media_type="application/json+otio",
            name_suffix="timeline",
        ),
    ]
    if timeline.captions is not None:
        shutil.copyfile(files[timeline.captions.srt], out / "captions.srt")
        artifacts.append(
            LocalArtifact(
                role="captions",
                path="captions.srt",
                media_type="application/x-subrip",
                name_suffix="captions",
            )
        )
    loudness = measure_loudness(out / "master.mp4")
    report(1.0)
    return LocalResult(
        artifacts=tuple(artifacts),
        measured=_measured(timeline, loudness, burned=burned is not None, why_not=why_not),
    )


def _files(request: LocalRequest, timeline: Timeline) -> dict[str, Path]:
    keys = [shot.key for shot in timeline.shots] + [line.key for line in timeline.narration]
    if timeline.music is not None:
        keys.append(timeline.music.key)
    if timeline.captions is not None:
        keys.append(timeline.captions.srt)
        if timeline.burn_captions and timeline.captions.ass is not None:
            keys.append(timeline.captions.ass)
    return {key: request.file(key).absolute() for key in keys}


def _prepare_burning(
    timeline: Timeline, files: dict[str, Path], work: Path
) -> tuple[tuple[str, str] | None, str]:
    """Lay the captions and their font where the filter finds them by plain names."""
    captions = timeline.captions
    if not timeline.burn_captions or captions is None or captions.ass is None:
        return None, ""
    styled = pysubs2.load(str(files[captions.ass]), encoding="utf-8", format_="ass")
    text = "\n".join(event.plaintext for event in styled)
    try:
        face = find_face(drawable(text)[0] or "A", bold=True)
    except MissingGlyphsError as error:
        return None, error.message
    fonts = work / "fonts"
    fonts.mkdir()
    shutil.copyfile(face.path, fonts / face.path.name)
    for style in styled.styles.values():
        style.fontname = face.full_name
    styled.save(str(work / "captions.ass"), encoding="utf-8", format_="ass")
    return ("captions.ass", "fonts"), ""


def _encode(
    timeline: Timeline,
    files: dict[str, Path],
    picture: Picture,
    *,
    work: Path,
    master: Path,
    report: Callable[[float], None],
) -> None:
    (work / "labels.txt").write_text(metadata(timeline), encoding="utf-8")
    (work / "graph.txt").write_text(picture.graph, encoding="utf-8")
    sound = len(timeline.shots)
    arguments = [*picture.inputs, "-i", "mix.m4a", "-f", "ffmetadata", "-i", "labels.txt"]
    maps = ["-map", "[picture]", "-map", f"{sound}:a:0"]
    if timeline.captions is not None:
        arguments += ["-f", "srt", "-i", str(files[timeline.captions.srt])]
        maps += ["-map", f"{sound + 2}:s:0"]
    arguments += ["-/filter_complex", "graph.txt", *maps]
    arguments += ["-map_metadata", f"{sound + 1}", "-map_chapters", f"{sound + 1}"]
    arguments += _video_codec(timeline) + _audio_codec(timeline)
    if timeline.captions is not None:
        arguments += _caption_codec(timeline)
    arguments += ["-t", f"{timeline.duration_s:.6f}", "-movflags", "+faststart"]
    arguments += ["-fflags", "+bitexact", "-f", "mp4", str(master.absolute())]

    def pass_on(fraction: float) -> None:
        report(_AUDIO_SHARE + (0.97 - _AUDIO_SHARE) * fraction)

    run_ffmpeg(arguments, duration_s=timeline.duration_s, report=pass_on, cwd=work)


def _video_codec(timeline: Timeline) -> list[str]:
    pixels = timeline.width * timeline.height * timeline.fps
    most = max(round(pixels * _BITS_PER_PIXEL * 2 / 1000), 800)
    options = "-c:v libx264 -profile:v high -preset fast -crf 18 -pix_fmt yuv420p -flags:v +cgop"
    colours = "-color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv"
    return [
        *options.split(),
        *colours.split(),
        *("-g", str(round(timeline.fps * 2)), "-maxrate", f"{most}k", "-bufsize", f"{2 * most}k"),
        *("-threads:v", str(_ENCODER_THREADS), "-r", f"{timeline.fps:g}"),
        *("-bitexact", "-tag:v", "avc1", "-disposition:v:0", "default"),
    ]


def _audio_codec(timeline: Timeline) -> list[str]:
    language = three_letters(timeline.language)
    # The mix was measured as it is; encoded once more it would be another.
    return ["-c:a", "copy", "-metadata:s:a:0", f"language={language}"]


def _caption_codec(timeline: Timeline) -> list[str]:
    # Burned and soft captions at once would stand on top of each other.
    shown = "0" if timeline.burn_captions else "default"
    language = three_letters(timeline.language)
    return [
        *("-c:s", "mov_text", "-metadata:s:s:0", f"language={language}"),
        *("-disposition:s:0", shown),
    ]


def _measured(
    timeline: Timeline, loudness: Loudness, *, burned: bool, why_not: str
) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "duration_s": round(timeline.frames / timeline.fps, 4),
        "frames": timeline.frames,
        "width": timeline.width,
        "height": timeline.height,
        "fps": timeline.fps,
        "lufs": loudness.integrated_lufs,
        "true_peak_db": loudness.true_peak_db,
        "captions_burned": burned,
    }
    if why_not:
        facts["captions_not_burned_because"] = why_not
    return facts
