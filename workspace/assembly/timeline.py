"""Build a timeline: shots one after the other, spoken lines where they belong.

Promises that shots begin and end on whole frames without gap or overlap, that the film is exactly
as long as its shots, and that spoken lines keep their order, do not overlap and end before the film
does. A line begins with its shot, after a short lead-in; when the line before still speaks, it
waits; when it would then run past the end, all lines move up as far as needed. If even that does
not help, the timeline is refused with the missing seconds.
"""

from dataclasses import dataclass
from itertools import pairwise

from infra.errors import ToolRefusedError
from infra.media.timeline import (
    Timeline,
    TimelineCaptions,
    TimelineMusic,
    TimelineNarration,
    TimelineShot,
)

LEAD_IN_S = 0.35
LINE_GAP_S = 0.25
TAIL_S = 0.45
CROSSFADE_S = 0.5
LOUDNESS_LUFS = -16.0
TRUE_PEAK_DB = -1.5
_ROUNDING = 1e-6
_LARGEST_SHARE = 0.25
"""Of the shorter of two shots that a crossfade may take."""


class NarrationDoesNotFitError(ToolRefusedError):
    """The narration is longer than the film."""

    code = "narration_does_not_fit"

    def __init__(self, *, narration_s: float, film_s: float) -> None:
        self.narration_s = narration_s
        self.film_s = film_s
        super().__init__(
            f"The narration with its pauses takes {narration_s:.1f} s, the film has "
            f"{film_s:.1f} s. Shorten the text or lengthen the shots by "
            f"{narration_s - film_s:.1f} s."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmFormat:
    """The frame of the film."""

    width: int
    height: int
    fps: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A shot as it was made; `key` names its file for the render."""

    key: str
    name: str
    duration_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenLine:
    """A line as it was spoken; without a shot it follows the line before."""

    key: str
    text: str
    duration_s: float
    shot_key: str | None = None


def build_timeline(
    *,
    title: str,
    language: str,
    film_format: FilmFormat,
    shots: list[Shot],
    lines: list[SpokenLine],
    music: TimelineMusic | None = None,
    captions: TimelineCaptions | None = None,
    burn_captions: bool = False,
    crossfade_s: float = CROSSFADE_S,
    loudness_lufs: float = LOUDNESS_LUFS,
    true_peak_db: float = TRUE_PEAK_DB,
) -> Timeline:
    """Return the timeline of a film.

    Raises:
        ToolRefusedError: There are no shots, or a line names a shot that is not there.
        NarrationDoesNotFitError: The lines cannot be spoken within the film.
    """
    if not shots:
        msg = "A film needs at least one shot."
        raise ToolRefusedError(msg)
    laid = _lay_shots(shots, film_format.fps, crossfade_s)
    duration_s = round(laid[-1].end_s, 6)
    return Timeline(
        title=title,
        language=language,
        width=film_format.width,
        height=film_format.height,
        fps=film_format.fps,
        duration_s=duration_s,
        shots=laid,
        narration=_lay_lines(lines, laid, duration_s),
        music=music,
        captions=captions,
        burn_captions=burn_captions and captions is not None,
        loudness_lufs=loudness_lufs,
        true_peak_db=true_peak_db,
    )


def timeline_faults(timeline: Timeline) -> list[str]:
    """Return a sentence for everything in a timeline that contradicts itself."""
    return [
        *_shot_faults(timeline),
        *_line_faults(timeline),
        *_key_faults(timeline),
    ]


def _lay_shots(shots: list[Shot], fps: float, crossfade_s: float) -> tuple[TimelineShot, ...]:
    laid: list[TimelineShot] = []
    first_frame, exact_end_s = 0, 0.0
    for index, shot in enumerate(shots):
        exact_end_s += shot.duration_s
        # Ends are rounded, not lengths: errors of single shots must not add up.
        last_frame = max(round(exact_end_s * fps), first_frame + 1)
        duration_s = round((last_frame - first_frame) / fps, 6)
        before = laid[-1].duration_s if index else duration_s
        transition_s = min(crossfade_s, _LARGEST_SHARE * min(duration_s, before))
        laid.append(
            TimelineShot(
                key=shot.key,
                name=shot.name,
                start_s=round(first_frame / fps, 6),
                duration_s=duration_s,
                transition_s=round(int(transition_s * fps + _ROUNDING) / fps, 6),
            )
        )
        first_frame = last_frame
    return tuple(laid)


def _lay_lines(
    lines: list[SpokenLine], shots: tuple[TimelineShot, ...], film_s: float
) -> tuple[TimelineNarration, ...]:
    starts = _earliest(lines, shots)
    latest = film_s - TAIL_S
    for index in range(len(lines) - 1, -1, -1):
        starts[index] = min(starts[index], latest - lines[index].duration_s)
        latest = starts[index] - LINE_GAP_S
    if starts and starts[0] < 0:
        raise NarrationDoesNotFitError(narration_s=film_s - starts[0], film_s=film_s)
    return tuple(
        TimelineNarration(
            key=line.key, start_s=round(start, 3), duration_s=line.duration_s, text=line.text
        )
        for line, start in zip(lines, starts, strict=True)
    )


def _earliest(lines: list[SpokenLine], shots: tuple[TimelineShot, ...]) -> list[float]:
    begins = {shot.key: shot.start_s for shot in shots}
    starts: list[float] = []
    free_s = LEAD_IN_S
    for line in lines:
        if line.shot_key is not None and line.shot_key not in begins:
            msg = f"The line '{line.key}' belongs to the shot '{line.shot_key}', which is missing."
            raise ToolRefusedError(msg)
        wanted = 0.0 if line.shot_key is None else begins[line.shot_key] + LEAD_IN_S
        starts.append(max(wanted, free_s))
        free_s = starts[-1] + line.duration_s + LINE_GAP_S
    return starts


def _shot_faults(timeline: Timeline) -> list[str]:
    frame_s = 1 / timeline.fps
    faults: list[str] = []
    at_s = 0.0
    for shot in timeline.shots:
        if shot.start_s - at_s > frame_s / 2:
            faults.append(f"There is a gap of {shot.start_s - at_s:.2f} s before '{shot.name}'.")
        elif at_s - shot.start_s > frame_s / 2:
            faults.append(f"'{shot.name}' begins {at_s - shot.start_s:.2f} s too early.")
        at_s = shot.end_s
    if abs(at_s - timeline.duration_s) > frame_s / 2:
        faults.append(f"The shots end at {at_s:.2f} s, the film at {timeline.duration_s:.2f} s.")
    for before, after in pairwise(timeline.shots):
        if after.transition_s > min(before.duration_s, after.duration_s):
            faults.append(f"The crossfade to '{after.name}' is longer than a shot.")
    return faults


def _line_faults(timeline: Timeline) -> list[str]:
    faults = [
        f"'{after.key}' begins before '{before.key}' has ended."
        for before, after in pairwise(timeline.narration)
        if after.start_s < before.end_s - 0.001
    ]
    faults += [
        f"'{line.key}' speaks past the end of the film."
        for line in timeline.narration
        if line.end_s > timeline.duration_s
    ]
    return faults


def _key_faults(timeline: Timeline) -> list[str]:
    keys = [shot.key for shot in timeline.shots] + [line.key for line in timeline.narration]
    return [
        f"'{key}' stands for {keys.count(key)} things."
        for key in sorted(set(keys))
        if keys.count(key) > 1
    ]
