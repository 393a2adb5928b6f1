"""The guides' texts, with every limit filled in from where code holds it.

A guide is a file: its heading, one line that says what it is for, its text. `$name` in it stands
for a limit of `_limits`; an unknown one is an error at the first reading, so none can go stale.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from pydantic import BaseModel

from execution.progress import MAX_ATTEMPTS_PER_SLOT
from infra.media.subtitles import LONGEST_S, MAX_LINES, SHORTEST_S
from tools.generate import GenerateClip, GenerateImage, GenerateMusic, GenerateNarration
from tools.plan import MAX_FILM_SECONDS, ProposePlan
from workspace.assembly.timeline import (
    CROSSFADE_S,
    LEAD_IN_S,
    LOUDNESS_LUFS,
    TAIL_S,
    TRUE_PEAK_DB,
)
from workspace.delivery.picture_checks import STILL_S

_FOLDER = Path(__file__).parent
_REFERENCES = "reference_object_ids"
_CHARACTERS = "characters"


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """What a guide is called, what it is for, in a line, and its text."""

    name: str
    about: str
    text: str


@cache
def written_guides() -> tuple[Guide, ...]:
    """Return the guides that people have written, in the order of their names."""
    return tuple(_read(path) for path in sorted(_FOLDER.glob("*.md")))


def _read(path: Path) -> Guide:
    text = Template(path.read_text(encoding="utf-8")).substitute(_limits()).strip()
    return Guide(name=path.stem, about=text.splitlines()[2], text=text)


@cache
def _limits() -> dict[str, Any]:
    image, clip = _properties(GenerateImage), _properties(GenerateClip)
    plan, step = _properties(ProposePlan), _definition(ProposePlan, "PlannedStep")
    kinds = _definition(ProposePlan, "StepKind")["enum"]
    takes_pictures = _REFERENCES in image
    return {
        "attempts": MAX_ATTEMPTS_PER_SLOT,
        "cameras": ", ".join(f"`{name}`" for name in _definition(GenerateClip, "Camera")["enum"]),
        "caption_lines": MAX_LINES,
        "caption_longest": f"{LONGEST_S:g}",
        "caption_shortest": f"{SHORTEST_S:.1f}",
        "character_step": _CHARACTERS if _CHARACTERS in kinds else "image",
        "clip_least": f"{clip['duration_s']['minimum']:g}",
        "clip_most": f"{clip['duration_s']['maximum']:g}",
        "crossfade": f"{CROSSFADE_S:g}",
        "film_s": MAX_FILM_SECONDS,
        "fps_least": plan["fps"]["minimum"],
        "fps_most": plan["fps"]["maximum"],
        "frozen": f"{STILL_S:g}",
        "lead_in": f"{LEAD_IN_S:g}",
        "likeness": _LIKENESS[takes_pictures],
        "loudness": f"{LOUDNESS_LUFS:g}",
        "music_most": f"{_properties(GenerateMusic)['duration_s']['maximum']:g}",
        "narration_characters": _properties(GenerateNarration)["text"]["maxLength"],
        "peak": f"{TRUE_PEAK_DB:g}",
        "side_least": plan["width"]["minimum"],
        "side_most": plan["width"]["maximum"],
        "slots": step["properties"]["count"]["maximum"],
        "tail": f"{TAIL_S:g}",
    }


_LIKENESS = {
    True: "Pictures named in `reference_object_ids` go along where the service takes them; where "
    "it does not, the call says so.",
    False: "No tool here takes a picture as a likeness for another picture.",
}


def _properties(arguments: type[BaseModel]) -> dict[str, Any]:
    return arguments.model_json_schema()["properties"]


def _definition(arguments: type[BaseModel], name: str) -> dict[str, Any]:
    return arguments.model_json_schema()["$defs"][name]
