"""Write a timeline as OpenTimelineIO, for editing programs.

Owns the export. Promises one video track with its crossfades, one track each for narration and
music, a marker for every spoken line, and media references that name the keys of the objects, so
that a person can relink them.
"""

from pathlib import Path
from typing import Any, cast

import opentimelineio

from infra.media.timeline import Timeline, TimelineNarration, TimelineShot

# The package is a C++ extension without types.
otio = cast("Any", opentimelineio)
RationalTime = otio.opentime.RationalTime
TimeRange = otio.opentime.TimeRange
_NAMESPACE = "atelier"


def write_otio(timeline: Timeline, path: Path) -> None:
    """Write the timeline as an .otio file."""
    film = otio.schema.Timeline(name=timeline.title)
    film.global_start_time = RationalTime(0, timeline.fps)
    film.metadata[_NAMESPACE] = {
        "language": timeline.language,
        "width": timeline.width,
        "height": timeline.height,
        "loudness_lufs": timeline.loudness_lufs,
    }
    film.tracks.append(_video(timeline))
    if timeline.narration:
        film.tracks.append(_narration(timeline))
    if timeline.music is not None:
        music = otio.schema.Track(name="Music", kind=otio.schema.TrackKind.Audio)
        music.append(_clip(timeline.music.key, timeline.music.key, timeline.duration_s, timeline))
        film.tracks.append(music)
    if not otio.adapters.write_to_file(film, str(path)):
        msg = f"The timeline could not be written to {path.name}."
        raise OSError(msg)


def _video(timeline: Timeline) -> Any:
    track = otio.schema.Track(name="Picture", kind=otio.schema.TrackKind.Video)
    for index, shot in enumerate(timeline.shots):
        if index and shot.transition_s:
            track.append(
                otio.schema.Transition(
                    name="Crossfade",
                    transition_type=otio.schema.TransitionTypes.SMPTE_Dissolve,
                    in_offset=RationalTime(0, timeline.fps),
                    out_offset=_time(shot.transition_s, timeline),
                )
            )
        clip = _clip(shot.key, shot.name, shot.duration_s, timeline)
        for line in timeline.narration:
            if shot.start_s <= line.start_s < shot.end_s:
                clip.markers.append(_marker(line, shot, timeline))
        track.append(clip)
    return track


def _narration(timeline: Timeline) -> Any:
    track = otio.schema.Track(name="Narration", kind=otio.schema.TrackKind.Audio)
    at_s = 0.0
    for line in timeline.narration:
        if line.start_s > at_s:
            track.append(otio.schema.Gap(duration=_time(line.start_s - at_s, timeline)))
        track.append(_clip(line.key, line.text, line.duration_s, timeline))
        at_s = line.end_s
    return track


def _clip(key: str, name: str, duration_s: float, timeline: Timeline) -> Any:
    whole = TimeRange(RationalTime(0, timeline.fps), _time(duration_s, timeline))
    reference = otio.schema.ExternalReference(target_url=key, available_range=whole)
    reference.metadata[_NAMESPACE] = {"key": key}
    return otio.schema.Clip(name=name or key, media_reference=reference, source_range=whole)


def _marker(line: TimelineNarration, shot: TimelineShot, timeline: Timeline) -> Any:
    return otio.schema.Marker(
        name=line.text,
        marked_range=TimeRange(
            _time(line.start_s - shot.start_s, timeline), _time(line.duration_s, timeline)
        ),
        color=otio.schema.MarkerColor.GREEN,
        metadata={_NAMESPACE: {"key": line.key}},
    )


def _time(seconds: float, timeline: Timeline) -> Any:
    return RationalTime(round(seconds * timeline.fps), timeline.fps)
