"""Workflows without model files, for any ComfyUI server (nodes: generation.md 3.2)."""

from collections.abc import Callable, Mapping
from typing import Any

from infra.providers.comfyui.workflows import WORKFLOWS, Graph, Workflow
from infra.providers.ports import Attempt

_BLURS = 60
"""Each takes about a third of a second on two cores, and a server can stop between any two."""


def _node(node_class: str, **inputs: Any) -> Any:
    return {"class_type": node_class, "inputs": inputs}


def _saved(attempt: Attempt, source: str) -> Any:
    return _node("SaveImage", images=[source, 0], filename_prefix=f"atelier/{attempt.attempt_id}")


def _canvas(*, side: int, color: int) -> Any:
    return _node("EmptyImage", width=side, height=side, batch_size=1, color=color)


def _slow(attempt: Attempt, files: Mapping[str, str]) -> Graph:
    """A chain of blurs that is another one for each attempt, so that nothing of it is cached."""
    graph: Graph = {"0": _canvas(side=512, color=attempt.attempt_id.int % (1 << 24))}
    for number in range(1, _BLURS + 1):
        before = [str(number - 1), 0]
        graph[str(number)] = _node("ImageBlur", image=before, blur_radius=15, sigma=5.0)
    return graph | {"save": _saved(attempt, str(_BLURS))}


def _inverted(attempt: Attempt, files: Mapping[str, str]) -> Graph:
    return {
        "1": _node("LoadImage", image=files["image"]),
        "2": _node("ImageInvert", image=["1", 0]),
        "3": _saved(attempt, "2"),
    }


def _unknown_node(attempt: Attempt, files: Mapping[str, str]) -> Graph:
    return {"1": _node("AtelierHasNoSuchNode"), "2": _saved(attempt, "1")}


def _unconnected(attempt: Attempt, files: Mapping[str, str]) -> Graph:
    return {"7": _node("SaveImage", filename_prefix=f"atelier/{attempt.attempt_id}")}


def _unmarked(attempt: Attempt, files: Mapping[str, str]) -> Graph:
    """The same graph for every attempt with the same prompt, as no workflow of ours may be."""
    name = f"atelier/{attempt.payload['prompt']}"
    return {
        "1": _canvas(side=64, color=255),
        "2": _node("SaveImage", images=["1", 0], filename_prefix=name),
    }


def _sound(attempt: Attempt, files: Mapping[str, str]) -> Graph:
    name = f"atelier/{attempt.attempt_id}"
    return {
        "1": _node("EmptyAudio", duration=1.5, sample_rate=44_100, channels=2),
        "2": _node("SaveAudio", audio=["1", 0], filename_prefix=name),
    }


def _film(attempt: Attempt, files: Mapping[str, str]) -> Graph:
    name = f"atelier/{attempt.attempt_id}"
    return {
        "1": _canvas(side=64, color=attempt.attempt_id.int % (1 << 24)),
        "2": _node("RepeatImageBatch", image=["1", 0], amount=16),
        "3": _node("CreateVideo", images=["2", 0], fps=16.0),
        "4": _node("SaveVideo", video=["3", 0], filename_prefix=name, format="mp4", codec="h264"),
    }


def _workflow(
    operation: str,
    graph: Callable[[Attempt, Mapping[str, str]], Graph],
    media_type: str = "image/png",
    takes: frozenset[str] = frozenset(),
) -> Workflow:
    role = media_type.partition("/")[0]
    return Workflow(operation=operation, graph=graph, role=role, media_type=media_type, takes=takes)


ALL = (
    *WORKFLOWS,
    _workflow("slow", _slow),
    _workflow("inverted", _inverted, takes=frozenset({"image"})),
    _workflow("unknown_node", _unknown_node),
    _workflow("unconnected", _unconnected),
    _workflow("unmarked", _unmarked),
    _workflow("sound", _sound, "audio/flac"),
    _workflow("film", _film, "video/mp4"),
)
NODES = {
    "sound": ("EmptyAudio", "SaveAudio"),
    "film": ("RepeatImageBatch", "CreateVideo", "SaveVideo"),
}
"""Nodes that older servers lack."""
