"""Workflows for a ComfyUI server in its API format, one for each operation of ours.

The one that is shipped needs no model files: coloured noise, blurred. It is there to be replaced by
a workflow of the installation's own; nodes and formats are from generation.md 3.2, 3.3 and 3.6,
measured on a running ComfyUI 0.3.64 (2026-11).
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from infra.providers.http.models import seed_of
from infra.providers.ports import Attempt

type Graph = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """A workflow: `graph` is given the attempt, whose id must be in the names of its files.

    A server that has run the same graph before answers with the old files' names, whether those
    files still exist or not; the attempt's id makes every graph a new one. The second thing that
    `graph` is given are the attempt's files: what the server calls them, under their names in
    `takes`.
    """

    operation: str
    graph: Callable[[Attempt, Mapping[str, str]], Graph]
    role: str
    media_type: str
    takes: frozenset[str] = frozenset()


def _noise(attempt: Attempt, files: Mapping[str, str]) -> Graph:
    del files
    given = attempt.payload
    palette: list[Any] = given.get("palette") or []
    colour = str(palette[0]).removeprefix("#") if palette else _colour_of(str(given["prompt"]))
    return {
        "1": {
            "class_type": "EmptyImage",
            "inputs": {
                "width": given["width"],
                "height": given["height"],
                "batch_size": 1,
                "color": int(colour, 16),
            },
        },
        "2": {
            "class_type": "ImageAddNoise",
            "inputs": {"image": ["1", 0], "seed": seed_of(attempt.attempt_id), "strength": 0.4},
        },
        "3": {
            "class_type": "ImageBlur",
            "inputs": {"image": ["2", 0], "blur_radius": 8, "sigma": 4.0},
        },
        "9": {
            "class_type": "SaveImage",
            "inputs": {"images": ["3", 0], "filename_prefix": f"atelier/{attempt.attempt_id}"},
        },
    }


def _colour_of(prompt: str) -> str:
    return hashlib.sha256(prompt.encode()).hexdigest()[:6]


WORKFLOWS = (Workflow(operation="image", graph=_noise, role="image", media_type="image/png"),)
