"""A timeline as OpenTimelineIO, so that an editor can go on where the render ended.

Media references name the object keys of the timeline, with the film's frame rate everywhere;
captions become markers.
"""

import importlib
from pathlib import Path
from typing import Any

# Its bindings are built at import and have no types.
otio: Any = importlib.import_module("opentimelineio")


def write_otio(timeline: dict[str, Any], path: Path) -> None:
    """Write the timeline JSON of a film (see `workspace.assembly.timeline`) as an .otio file."""
    rate = float(timeline["fps"])
    result = otio.schema.Timeline(name=timeline["title"] or "Film")
    result.global_start_time = otio.opentime.RationalTime(0, rate)
    result.metadata["atelier"] = {
        key: timeline[key] for key in ("language", "width", "height", "fps", "duration_s")
    }
    result.tracks.append(_shots(timeline, rate))
    result.tracks.append(_narration(timeline, rate))
    if timeline["music"]:
        result.tracks.append(_music(timeline, rate))
    otio.adapters.write_to_file(result, str(path))


def _shots(timeline: dict[str, Any], rate: float) -> Any:
    track = otio.schema.Track(name="Shots", kind=otio.schema.TrackKind.Video)
    for shot in timeline["shots"]:
        clip = _clip(shot["name"], shot["key"], shot["duration_s"], rate)
        clip.metadata["atelier"] = {"transition_s": shot["transition_s"]}
        track.append(clip)
    return track


def _narration(timeline: dict[str, Any], rate: float) -> Any:
    track = otio.schema.Track(name="Narration", kind=otio.schema.TrackKind.Audio)
    position = 0.0
    for line in timeline["narration"]:
        if line["start_s"] > position:
            track.append(otio.schema.Gap(source_range=_range(line["start_s"] - position, rate)))
        clip = _clip(line["text"][:60], line["key"], line["duration_s"], rate)
        clip.markers.append(
            otio.schema.Marker(name=line["text"], marked_range=_range(line["duration_s"], rate))
        )
        track.append(clip)
        position = line["start_s"] + line["duration_s"]
    return track


def _music(timeline: dict[str, Any], rate: float) -> Any:
    track = otio.schema.Track(name="Music", kind=otio.schema.TrackKind.Audio)
    clip = _clip("Music", timeline["music"]["key"], timeline["duration_s"], rate)
    clip.metadata["atelier"] = {"gain_db": timeline["music"]["gain_db"]}
    track.append(clip)
    return track


def _clip(name: str, key: str, duration_s: float, rate: float) -> Any:
    span = _range(duration_s, rate)
    return otio.schema.Clip(
        name=name,
        source_range=span,
        media_reference=otio.schema.ExternalReference(target_url=key, available_range=span),
    )


def _range(duration_s: float, rate: float) -> Any:
    return otio.opentime.TimeRange(
        otio.opentime.RationalTime(0, rate),
        otio.opentime.RationalTime(round(duration_s * rate), rate),
    )
