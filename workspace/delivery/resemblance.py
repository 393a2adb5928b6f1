"""Compare the film's shots with the clips they were made of.

Owns fingerprints of frames. A fingerprint is a difference hash of the upper part of the picture
(captions are burned below) and its mean colours; the distance of two is 0 for the same picture and
near 0.5 for different ones. Decoding blocks, so callers run `compare_shots` in a thread.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import av
import av.error
import numpy as np
from numpy.typing import NDArray

from infra.media.timeline import Timeline, TimelineShot
from infra.media_types import HEAD_BYTES, media_type_of

_HASH = 16
_UPPER = 0.62
_NOTICEABLE = 1.5
"""Steps of brightness below this are noise of the encoder, not a difference of pictures."""
_COLOUR_SCALE = 96.0
_MOMENTS = (0.3, 0.5, 0.7)

type Grid = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """How far a shot of the film is from each clip, by key; not `seen`: the film ends before it."""

    key: str
    seen: bool
    start_s: float
    end_s: float
    distances: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """A frame, reduced: steps of brightness between neighbours, and mean colours of a raster."""

    steps: Grid
    colours: Grid


def compare_shots(master: Path, timeline: Timeline, clips: dict[str, Path]) -> list[Likeness]:
    """Return the likeness of every shot; a shot without a clip to compare is left out."""
    shots = [shot for shot in timeline.shots if shot.key in clips]
    aspect = timeline.width / timeline.height
    originals = {
        shot.key: [
            _around(clips[shot.key], moment, aspect, timeline.fps) for moment in _offsets(shot)
        ]
        for shot in shots
    }
    likenesses: list[Likeness] = []
    for shot in shots:
        moments = [shot.start_s + offset for offset in _offsets(shot)]
        seen = [next(_frames(master, [moment], aspect), None) for moment in moments]
        distances = {key: _distance(seen, frames) for key, frames in originals.items()}
        likenesses.append(
            Likeness(
                key=shot.key,
                seen=any(frame is not None for frame in seen),
                start_s=shot.start_s,
                end_s=shot.end_s,
                distances={key: far for key, far in distances.items() if far is not None},
            )
        )
    return likenesses


def fingerprint(picture: Grid) -> Fingerprint:
    """Reduce a picture (rows, columns, RGB) to what survives encoding."""
    upper = picture[: max(round(len(picture) * _UPPER), _HASH)]
    bright = _shrink(upper.mean(axis=2), _HASH, _HASH + 1)
    colours = np.stack([_shrink(upper[:, :, channel], 4, 4) for channel in range(3)], axis=2)
    return Fingerprint(steps=np.diff(bright, axis=1), colours=colours)


def distance(one: Fingerprint, other: Fingerprint) -> float:
    """Return how different two frames are, from 0 to about 1."""
    clear = (np.abs(one.steps) > _NOTICEABLE) | (np.abs(other.steps) > _NOTICEABLE)
    opposed = clear & (np.sign(one.steps) != np.sign(other.steps))
    # A step that is faint in one frame may point either way there.
    opposed &= np.abs(one.steps - other.steps) > 2 * _NOTICEABLE
    hashed = float(opposed.mean())
    coloured = float(np.abs(one.colours - other.colours).mean()) / _COLOUR_SCALE
    return max(hashed, min(coloured, 1.0))


def _offsets(shot: TimelineShot) -> list[float]:
    """Return moments within a shot that no crossfade touches."""
    first = shot.transition_s + 0.05 * shot.duration_s
    span = 0.9 * shot.duration_s - first
    return [first + moment * span for moment in _MOMENTS]


def _distance(seen: list[Fingerprint | None], original: list[list[Fingerprint]]) -> float | None:
    """Return the middle of the moments' distances; one odd moment does not decide."""
    found = [
        min(distance(frame, near) for near in around)
        for frame, around in zip(seen, original, strict=True)
        if frame is not None and around
    ]
    return float(np.median(found)) if found else None


def _around(clip: Path, moment: float, aspect: float, fps: float) -> list[Fingerprint]:
    """Return the frames of a clip at a moment and its neighbours: rates may differ."""
    with clip.open("rb") as file:
        if media_type_of(file.read(HEAD_BYTES)).startswith("image/"):
            return list(_frames(clip, [0.0], aspect))
    step = 1 / fps
    return list(_frames(clip, [moment - step, moment, moment + step], aspect))


def _frames(path: Path, moments: list[float], aspect: float) -> Iterator[Fingerprint]:
    """Decode the frames shown at rising moments; what lies past the end is left out."""
    wanted = [max(moment, 0.0) for moment in moments]
    try:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            if wanted[0] > 1:
                container.seek(round(wanted[0] * av.time_base))
            for frame in container.decode(stream):
                time = frame.time or 0.0
                while wanted and time >= wanted[0] - 1e-3:
                    wanted.pop(0)
                    yield fingerprint(_fitted(frame, aspect))
                if not wanted:
                    return
    except (av.error.FFmpegError, OSError, IndexError):
        return


def _fitted(frame: av.VideoFrame, aspect: float) -> Grid:
    """Return a small picture in the film's shape, with the bars that the render gives it."""
    own = frame.width / frame.height
    high, wide = 144, round(144 * aspect)
    inner_wide = min(wide, round(high * own))
    inner_high = min(high, round(wide / own))
    small = frame.reformat(width=max(inner_wide, 2), height=max(inner_high, 2), format="rgb24")
    canvas = np.zeros((high, wide, 3))
    top, left = (high - inner_high) // 2, (wide - inner_wide) // 2
    canvas[top : top + inner_high, left : left + inner_wide] = small.to_ndarray()
    return canvas


def _shrink(grid: Grid, rows: int, columns: int) -> Grid:
    """Return the means of a raster of rows and columns."""
    high = np.arange(rows + 1) * grid.shape[0] // rows
    wide = np.arange(columns + 1) * grid.shape[1] // columns
    sums: Grid = np.add.reduceat(np.add.reduceat(grid, high[:-1], axis=0), wide[:-1], axis=1)
    return sums / np.outer(np.diff(high), np.diff(wide))
