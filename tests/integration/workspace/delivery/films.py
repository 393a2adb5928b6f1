"""A small real film, made once, and ways to spoil it."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from infra.media.ffmpeg import run_ffmpeg
from infra.media.timeline import Timeline, TimelineCaptions, TimelineMusic
from infra.providers.local import captions, music, narration, render
from infra.providers.local.request import LocalRequest, LocalResult
from workspace.assembly.timeline import FilmFormat, Shot, SpokenLine, build_timeline
from workspace.delivery.plan import FilmPlan, FilmSources, parts_of

FPS = 24
SIZE = (320, 180)
SHOT_S = 3.5
LINES = (
    "Every morning an old baker opens her door.",
    "The smell of fresh bread fills the street.",
    "By noon the shelves are empty.",
)
PICTURES = (
    "mandelbrot=s={size}:r=24:start_scale=2.6:end_scale=0.4",
    "testsrc2=s={size}:r=24",
    "gradients=s={size}:r=24:speed=0.08:seed=3:nb_colors=4:type=circular",
)

type Generate = Callable[[LocalRequest, Path, Callable[[float], None]], LocalResult]


@dataclass(frozen=True, slots=True, kw_only=True)
class Film:
    """The master, its plan and what it was made of."""

    master: Path
    plan: FilmPlan
    sources: FilmSources
    files: dict[str, Path]
    measured: dict[str, Any]

    @property
    def timeline(self) -> Timeline:
        return self.plan.timeline


def generate(
    operation: Generate, out: Path, inputs: dict[str, Any], files: dict[str, Path] | None = None
) -> LocalResult:
    out.mkdir(parents=True, exist_ok=True)
    request = LocalRequest(operation=operation.__module__, seed=5, inputs=inputs, files=files or {})
    return operation(request, out, lambda _: None)


def clip(
    path: Path, picture: str, *, size: tuple[int, int] = SIZE, seconds: float = SHOT_S
) -> Path:
    source = picture.format(size=f"{size[0]}x{size[1]}")
    encoder = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "16", "-pix_fmt", "yuv420p"]
    run_ffmpeg(["-f", "lavfi", "-i", source, "-t", f"{seconds}", *encoder, str(path)])
    return path


def make_film(folder: Path) -> Film:
    files: dict[str, Path] = {}
    lines: list[SpokenLine] = []
    words: list[Any] = []
    for number, (text, picture) in enumerate(zip(LINES, PICTURES, strict=True), start=1):
        files[f"shot.{number}"] = clip(folder / f"shot{number}.mp4", picture)
        out = folder / f"voice{number}"
        generate(narration.generate, out, {"text": text, "language": "en"})
        timings = json.loads((out / "timings.json").read_text(encoding="utf-8"))
        files[f"narration.{number}"] = out / "narration.wav"
        words.append(timings["words"])
        lines.append(
            SpokenLine(
                key=f"narration.{number}",
                text=text,
                duration_s=timings["duration_s"],
                shot_key=f"shot.{number}",
            )
        )
    timeline = _timeline(lines)
    generate(music.generate, folder / "bed", {"duration_s": timeline.duration_s, "mood": "warm"})
    files["music"] = folder / "bed" / "music.wav"
    spoken = [
        {"start_s": line.start_s, "text": line.text, "words": said}
        for line, said in zip(timeline.narration, words, strict=True)
    ]
    frame = {"width": SIZE[0], "height": SIZE[1], "fps": FPS, "duration_s": timeline.duration_s}
    generate(captions.generate, folder / "text", {"language": "en", "lines": spoken, **frame})
    files["captions"] = folder / "text" / "captions.srt"
    files["captions_ass"] = folder / "text" / "captions.ass"
    return render_film(timeline, files, folder / "film")


def render_film(timeline: Timeline, files: dict[str, Path], out: Path) -> Film:
    result = generate(render.generate, out, {"timeline": timeline.to_json()}, files)
    return Film(
        master=out / "master.mp4",
        plan=FilmPlan(timeline=timeline, parts=parts_of(timeline), script=LINES),
        sources=FilmSources(
            shots={key: path for key, path in files.items() if key.startswith("shot")},
            narration={key: path for key, path in files.items() if key.startswith("narration")},
            captions=files["captions"],
        ),
        files=files,
        measured=result.measured,
    )


def spoil_picture(film: Film, out: Path, filters: str, *options: str) -> Film:
    """Encode the picture anew with a filter; the sound and captions stay."""
    master = out / "spoiled.mp4"
    arguments = ["-i", str(film.master), "-map", "0:v:0", "-map", "0:a:0", "-map", "0:s:0"]
    arguments += ["-vf", filters, "-c:a", "copy", "-c:s", "mov_text"]
    return _encoded(film, arguments, master, *options)


def spoil_sound(film: Film, out: Path, filters: str) -> Film:
    """Encode the sound anew with a filter; the picture and captions stay."""
    master = out / "spoiled.mp4"
    arguments = ["-i", str(film.master), "-map", "0:v:0", "-map", "0:a:0", "-map", "0:s:0"]
    arguments += ["-af", filters, "-c:v", "copy", "-c:s", "mov_text", "-c:a", "aac"]
    run_ffmpeg([*arguments, "-movflags", "+faststart", str(master)])
    return replace(film, master=master)


def rerender(film: Film, out: Path, **files: Path) -> Film:
    """Render the same timeline from other files, which the audit does not know of."""
    named = {name.replace("_", "."): path for name, path in files.items()}
    again = render_film(film.timeline, film.files | named, out)
    return replace(film, master=again.master)


def with_captions(film: Film, out: Path, change: Callable[[str], str]) -> Film:
    path = out / "changed.srt"
    assert film.sources.captions is not None
    path.write_text(change(film.sources.captions.read_text(encoding="utf-8")), encoding="utf-8")
    return replace(film, sources=replace(film.sources, captions=path))


def cut_off(film: Film, out: Path, share: float) -> Film:
    master = out / "cut.mp4"
    shutil.copyfile(film.master, master)
    with master.open("r+b") as file:
        file.truncate(round(film.master.stat().st_size * share))
    return replace(film, master=master)


def _encoded(film: Film, arguments: list[str], master: Path, *options: str) -> Film:
    encoder = [
        "-c:v",
        "libx264",
        "-preset",
        "ultrafast",
        "-crf",
        "18",
        "-pix_fmt",
        "yuv420p",
        "-colorspace",
        "bt709",
    ]
    run_ffmpeg([*arguments, *encoder, *options, "-movflags", "+faststart", str(master)])
    return replace(film, master=master)


def _timeline(lines: list[SpokenLine]) -> Timeline:
    return build_timeline(
        title="Bread; the oven = #1",
        language="en",
        film_format=FilmFormat(width=SIZE[0], height=SIZE[1], fps=FPS),
        shots=[
            Shot(key=f"shot.{number}", name=f"Scene {number}", duration_s=SHOT_S)
            for number in range(1, len(LINES) + 1)
        ],
        lines=lines,
        music=TimelineMusic(),
        captions=TimelineCaptions(),
        burn_captions=True,
    )
