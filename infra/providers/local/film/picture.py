"""The picture of a film: FFmpeg's inputs and filters for its shots.

Promises exactly the timeline's frames: every shot is brought to the film's size, rate and colours,
cut or held to its frames, and a crossfade takes no time from the film, since the outgoing shot is
held on its last frame while the next one comes in. Names in the graph are relative to the working
folder, so that no path has to be escaped.
"""

from dataclasses import dataclass
from pathlib import Path

from infra.media.timeline import Timeline, TimelineShot
from infra.media_types import HEAD_BYTES, media_type_of

FADE_OUT_S = 0.5
_SCALING = (
    "force_original_aspect_ratio=decrease:force_divisible_by=2:flags=lanczos"
    ":out_color_matrix=bt709:out_range=tv"
)
_COLOURS = "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Arguments of the inputs, and the graph that ends in `[picture]`."""

    inputs: list[str]
    graph: str


def compose_picture(
    timeline: Timeline, files: dict[str, Path], *, burned: tuple[str, str] | None
) -> Picture:
    """Return inputs and filters; `burned` is the ASS file and the folder of its fonts."""
    inputs: list[str] = []
    chains: list[str] = []
    for index, shot in enumerate(timeline.shots):
        inputs += _input(files[shot.key], timeline, _held(timeline, index))
        chains.append(f"[{index}:v:0]{_shot_filters(timeline, index)}[s{index}]")
    chains += _joins(timeline.shots, timeline)
    chains.append(f"[j{len(timeline.shots) - 1}]{_finish(timeline, burned)}[picture]")
    return Picture(inputs=inputs, graph=";".join(chains))


def _input(path: Path, timeline: Timeline, frames: int) -> list[str]:
    with path.open("rb") as file:
        still = media_type_of(file.read(HEAD_BYTES)).startswith("image/")
    if still:
        seconds = f"{frames / timeline.fps:.6f}"
        return ["-loop", "1", "-framerate", f"{timeline.fps:g}", "-t", seconds, "-i", str(path)]
    return ["-i", str(path)]


def _held(timeline: Timeline, index: int) -> int:
    """Return how many frames a shot gives, the crossfade into the next one included."""
    shots = timeline.shots
    seconds = shots[index].duration_s
    if index + 1 < len(shots):
        seconds += shots[index + 1].transition_s
    return round(seconds * timeline.fps)


def _shot_filters(timeline: Timeline, index: int) -> str:
    width, height, frames = timeline.width, timeline.height, _held(timeline, index)
    own = round(timeline.shots[index].duration_s * timeline.fps)
    return ",".join(
        (
            f"fps={timeline.fps:g}",
            f"scale={width}:{height}:{_SCALING}",
            f"pad={width}:{height}:-1:-1:color=black",
            "setsar=1",
            "format=yuv420p",
            f"trim=end_frame={own}",
            f"tpad=stop=-1:stop_mode=clone,trim=end_frame={frames}",
            "setpts=N/FRAME_RATE/TB",
            f"settb=1/{round(timeline.fps * 1000)}",
            _COLOURS,
        )
    )


def _joins(shots: tuple[TimelineShot, ...], timeline: Timeline) -> list[str]:
    joins = ["[s0]null[j0]"]
    for index, shot in enumerate(shots[1:], start=1):
        pair = f"[j{index - 1}][s{index}]"
        if shot.transition_s > 0:
            how = (
                f"xfade=transition=fade:duration={shot.transition_s:.6f}:offset={shot.start_s:.6f}"
            )
        else:
            how = f"concat=n=2:v=1:a=0,settb=1/{round(timeline.fps * 1000)}"
        joins.append(f"{pair}{how}[j{index}]")
    return joins


def _finish(timeline: Timeline, burned: tuple[str, str] | None) -> str:
    fade_in = timeline.shots[0].transition_s
    fade_out = min(FADE_OUT_S, timeline.shots[-1].duration_s / 4)
    filters = [f"fps={timeline.fps:g}", f"trim=end_frame={timeline.frames}"]
    if fade_in > 0:
        filters.append(f"fade=t=in:st=0:d={fade_in:.6f}")
    filters.append(f"fade=t=out:st={timeline.duration_s - fade_out:.6f}:d={fade_out:.6f}")
    if burned is not None:
        filters.append(f"ass=filename={burned[0]}:fontsdir={burned[1]}")
    filters += ["format=yuv420p", _COLOURS]
    return ",".join(filters)
