"""The `render` operation: a timeline becomes a master, with FFmpeg.

Three runs: the sound is mixed, its loudness measured, then picture and sound are encoded together
with the measured values, so the target is met exactly and linearly. Crossfades overlap two shots
without shortening the film: the outgoing shot's last frame is held for as long as the fade takes.
H.264 High in BT.709, AAC, the index first; captions burned in and as a text track.
"""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from infra.media.ffmpeg import run_ffmpeg
from infra.media.loudness import measure_loudness
from infra.media.otio import write_otio
from infra.providers.local.fonts import font_folders
from infra.providers.local.request import (
    InvalidInputError,
    LocalArtifact,
    LocalRequest,
    LocalResult,
    ToolFailedError,
)

_RATE = 48_000
_FADE_IN_S = 0.4
_FADE_OUT_S = 0.7
_LOUDNESS_RANGE_LU = 11
_MIX_SHARE = 0.1
_FONTS = "fonts"
_CHAPTERS = "chapters.ini"
_MIX = "mix.wav"
_MASTER = "master.mp4"
_SRT = "captions.srt"
_ASS = "captions.ass"
_OTIO = "timeline.otio"

type Report = Callable[[float], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Film:
    timeline: dict[str, Any]
    files: dict[str, Path]
    out: Path

    @property
    def duration_s(self) -> float:
        return float(self.timeline["duration_s"])

    @property
    def burns_captions(self) -> bool:
        return bool(self.timeline["captions"] and self.timeline["burn_captions"])


def generate(request: LocalRequest, out: Path, report: Report) -> LocalResult:
    """Render the timeline of the request.

    Raises:
        InvalidInputError: the timeline names files that the request does not carry.
        FfmpegError: FFmpeg failed.
    """
    film = _Film(timeline=_timeline(request), files=request.files, out=out)
    _lay_out(film)
    _mix(film)
    report(_MIX_SHARE)
    gain = _measure(film)
    _encode(film, gain, lambda done: report(_MIX_SHARE + done * (1 - _MIX_SHARE)))
    write_otio(film.timeline, out / _OTIO)
    for name in (_MIX, _CHAPTERS):
        (out / name).unlink()
    shutil.rmtree(out / _FONTS, ignore_errors=True)
    return _result(film)


def _timeline(request: LocalRequest) -> dict[str, Any]:
    given = request.inputs.get("timeline")
    timeline = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    if not timeline.get("shots"):
        msg = "The input 'timeline' must have at least one shot."
        raise InvalidInputError(msg)
    keys: list[str] = [part["key"] for part in [*timeline["shots"], *timeline["narration"]]]
    keys += [timeline["music"]["key"]] if timeline["music"] else []
    keys += list(timeline["captions"].values()) if timeline["captions"] else []
    if missing := [key for key in keys if key not in request.files]:
        msg = f"The timeline needs files that are not there: {', '.join(missing)}."
        raise InvalidInputError(msg)
    return timeline


def _lay_out(film: _Film) -> None:
    """Put captions, fonts and chapters where FFmpeg's filters can name them without quoting."""
    if film.timeline["captions"]:
        shutil.copyfile(film.files[film.timeline["captions"]["srt"]], film.out / _SRT)
        shutil.copyfile(film.files[film.timeline["captions"]["ass"]], film.out / _ASS)
    fonts = film.out / _FONTS
    fonts.mkdir()
    for folder in font_folders():
        for font in (*folder.rglob("*.ttf"), *folder.rglob("*.otf"), *folder.rglob("*.ttc")):
            (fonts / re.sub(r"[^A-Za-z0-9.]", "_", font.name)).symlink_to(font)
    lines = [";FFMETADATA1", f"title={_escaped(film.timeline['title'])}"]
    for shot in film.timeline["shots"]:
        start = round(shot["start_s"] * 1000)
        end = round((shot["start_s"] + shot["duration_s"]) * 1000)
        lines += ["[CHAPTER]", "TIMEBASE=1/1000", f"START={start}", f"END={end}"]
        lines.append(f"title={_escaped(shot['name'])}")
    (film.out / _CHAPTERS).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _escaped(text: str) -> str:
    return re.sub(r"([=;#\\\n])", r"\\\1", text)


def _mix(film: _Film) -> None:
    """Mix narration and music: the music gives way while someone speaks."""
    inputs: list[str] = []
    chains: list[str] = []
    lines = film.timeline["narration"]
    length = f"apad,atrim=end={film.duration_s:.6f}"
    stereo = f"aresample={_RATE},aformat=sample_fmts=fltp:channel_layouts=stereo"
    for number, line in enumerate(lines):
        inputs += ["-i", str(film.files[line["key"]])]
        delay = round(line["start_s"] * 1000)
        chains.append(f"[{number}:a]{stereo},adelay={delay}:all=1,{length}[n{number}]")
    names = "".join(f"[n{number}]" for number in range(len(lines)))
    silence = f"anullsrc=r={_RATE}:cl=stereo"
    voice = f"{names}amix=inputs={len(lines)}:normalize=0" if lines else silence
    music = film.timeline["music"]
    if music is None:
        chains.append(f"{voice},{length}[out]")
    else:
        inputs += ["-i", str(film.files[music["key"]])]
        chains.append(f"{voice},{length},asplit=2[voice][key]")
        chains.append(f"[{len(lines)}:a]{stereo},volume={music['gain_db']}dB,{length}[bed]")
        chains.append(
            "[bed][key]sidechaincompress=threshold=0.02:ratio=6:attack=80:release=600[ducked]"
        )
        chains.append("[voice][ducked]amix=inputs=2:normalize=0[out]")
    run_ffmpeg(
        [
            *inputs,
            "-filter_complex",
            ";".join(chains),
            "-map",
            "[out]",
            "-t",
            f"{film.duration_s:.6f}",
            "-c:a",
            "pcm_f32le",
            "-ar",
            str(_RATE),
            _MIX,
        ],
        cwd=film.out,
    )


def _loudnorm(film: _Film) -> str:
    target = film.timeline["loudness_lufs"]
    peak = film.timeline["true_peak_db"]
    return f"loudnorm=I={target}:TP={peak}:LRA={_LOUDNESS_RANGE_LU}"


def _measure(film: _Film) -> str:
    """Return loudnorm's second pass with what the first one measured."""
    log = run_ffmpeg(
        ["-i", _MIX, "-af", f"{_loudnorm(film)}:print_format=json", "-f", "null", "-"],
        cwd=film.out,
        log_level="info",
    )
    found = re.search(r"\{[^{}]*\"input_i\"[^{}]*\}", log)
    if found is None:
        msg = "FFmpeg did not say how loud the sound is."
        raise ToolFailedError(msg)
    measured = json.loads(found.group())
    if measured["input_i"] == "-inf":
        return "anull"
    return (
        f"{_loudnorm(film)}:measured_I={measured['input_i']}:measured_TP={measured['input_tp']}"
        f":measured_LRA={measured['input_lra']}:measured_thresh={measured['input_thresh']}"
        f":offset={measured['target_offset']}:linear=true"
    )


def _picture(film: _Film) -> str:
    """Return the filter graph of the picture, from the shots to `[v]`."""
    width, height, fps = (film.timeline[key] for key in ("width", "height", "fps"))
    shots = film.timeline["shots"]
    chains = [
        f"[{number}:v]scale={width}:{height}:force_original_aspect_ratio=decrease:flags=lanczos,"
        f"pad={width}:{height}:(ow-iw)/2:(oh-ih)/2,setsar=1,fps={fps},format=yuv420p,"
        f"tpad=stop_mode=clone:stop_duration={shot['transition_s'] + 1:.3f},"
        f"trim=end={shot['duration_s'] + shot['transition_s']:.6f},setpts=PTS-STARTPTS,"
        f"settb=AVTB[s{number}]"
        for number, shot in enumerate(shots)
    ]
    current = "s0"
    for number in range(1, len(shots)):
        fade = shots[number - 1]["transition_s"]
        joined = f"j{number}"
        if fade > 0:
            chains.append(
                f"[{current}][s{number}]xfade=transition=fade:duration={fade:.3f}"
                f":offset={shots[number]['start_s']:.6f},settb=AVTB[{joined}]"
            )
        else:
            chains.append(f"[{current}][s{number}]concat=n=2:v=1:a=0,settb=AVTB[{joined}]")
        current = joined
    finish = f"[{current}]fps={fps}"
    if film.burns_captions:
        finish += f",subtitles=filename={_ASS}:fontsdir={_FONTS}"
    finish += f",fade=t=in:st=0:d={_FADE_IN_S}"
    finish += f",fade=t=out:st={film.duration_s - _FADE_OUT_S:.6f}:d={_FADE_OUT_S}"
    chains.append(f"{finish},trim=end={film.duration_s:.6f},format=yuv420p[v]")
    return ";".join(chains)


def _encode(film: _Film, gain: str, report: Report) -> None:
    shots = film.timeline["shots"]
    inputs = [part for shot in shots for part in ("-i", str(film.files[shot["key"]]))]
    inputs += ["-i", _MIX, "-i", _CHAPTERS]
    sound, chapters = len(shots), len(shots) + 1
    graph = f"{_picture(film)};[{sound}:a]{gain},aresample={_RATE}[a]"
    texts: list[str] = []
    if film.timeline["captions"]:
        inputs += ["-i", _SRT]
        language = _iso_639_2(film.timeline["language"])
        texts = ["-map", f"{chapters + 1}:s", "-c:s", "mov_text"]
        texts += ["-metadata:s:s:0", f"language={language}", "-disposition:s:0", "0"]
    run_ffmpeg(
        [
            *inputs,
            "-filter_complex",
            graph,
            "-map",
            "[v]",
            "-map",
            "[a]",
            *texts,
            "-map_metadata",
            str(chapters),
            "-map_chapters",
            str(chapters),
            *_VIDEO,
            "-r",
            str(film.timeline["fps"]),
            "-g",
            str(int(film.timeline["fps"]) * 2),
            *_SOUND,
            "-t",
            f"{film.duration_s:.6f}",
            "-movflags",
            "+faststart",
            _MASTER,
        ],
        cwd=film.out,
        duration_s=film.duration_s,
        report=report,
    )


_VIDEO = [
    *("-c:v", "libx264", "-preset", "medium", "-crf", "18", "-profile:v", "high"),
    *("-pix_fmt", "yuv420p", "-color_primaries", "bt709", "-color_trc", "bt709"),
    *("-colorspace", "bt709", "-color_range", "tv"),
]
_SOUND = ["-c:a", "aac", "-b:a", "192k", "-ar", str(_RATE), "-ac", "2"]
_LANGUAGES = {
    "de": "deu",
    "en": "eng",
    "es": "spa",
    "fr": "fra",
    "it": "ita",
    "ja": "jpn",
    "ko": "kor",
    "nl": "nld",
    "pl": "pol",
    "pt": "por",
    "ru": "rus",
    "zh": "zho",
}


def _iso_639_2(language: str) -> str:
    return _LANGUAGES.get(language.split("-", maxsplit=1)[0].lower(), "und")


def _result(film: _Film) -> LocalResult:
    loudness = measure_loudness(film.out / _MASTER)
    artifacts = [
        LocalArtifact(role="master", path=_MASTER, media_type="video/mp4"),
        LocalArtifact(
            role="timeline",
            path=_OTIO,
            media_type="application/json+otio",
            name_suffix=" (timeline)",
        ),
    ]
    if film.timeline["captions"]:
        artifacts.append(
            LocalArtifact(
                role="captions",
                path=_SRT,
                media_type="application/x-subrip",
                name_suffix=" (captions)",
            )
        )
        (film.out / _ASS).unlink()
    return LocalResult(
        artifacts=tuple(artifacts),
        measured={
            "duration_s": film.duration_s,
            "lufs": loudness.integrated_lufs,
            "true_peak_db": loudness.true_peak_db,
        },
    )
