"""What a simulated ComfyUI server knows of workflows: nodes, their order, time and files.

Node names, inputs and the words of refusals are those that a running ComfyUI 0.3.64 gave
(2026-11-30). Pictures are small ones of noise, whatever size was asked for.
"""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import av
import numpy as np
from PIL import Image, ImageOps

from evals.simulator.jobs import SIDE

type Graph = Mapping[str, Any]

_NODES: dict[str, frozenset[str]] = {
    "EmptyImage": frozenset({"width", "height", "batch_size", "color"}),
    "ImageAddNoise": frozenset({"image", "seed", "strength"}),
    "ImageBlur": frozenset({"image", "blur_radius", "sigma"}),
    "ImageInvert": frozenset({"image"}),
    "LoadImage": frozenset({"image"}),
    "RepeatImageBatch": frozenset({"image", "amount"}),
    "SaveImage": frozenset({"images", "filename_prefix"}),
    "PreviewImage": frozenset({"images"}),
    "CreateVideo": frozenset({"images", "fps"}),
    "SaveVideo": frozenset({"video", "filename_prefix", "format", "codec"}),
    "EmptyAudio": frozenset({"duration", "sample_rate", "channels"}),
    "SaveAudio": frozenset({"audio", "filename_prefix"}),
}
"""The inputs that each node must have."""
_ENDINGS = {"SaveImage": "png", "PreviewImage": "png", "SaveVideo": "mp4", "SaveAudio": "flac"}
"""What the nodes with outputs write."""
FAILED_CHECK = ("prompt_outputs_failed_validation", "Prompt outputs failed validation")
_UNDER = {"SaveAudio": "audio"}
"""Where a node's files are listed; a video is among the images."""
_PER_SECOND = 2e9
"""Multiplications of a blur in a second, measured on two cores."""
_AT_ONCE_S = 1.0
"""A workflow that takes less has ended when it is first looked at."""


class RefusedGraphError(Exception):
    """A workflow that the server does not take, with what it answers."""

    def __init__(self, answer: Any) -> None:
        super().__init__(answer["error"]["message"])
        self.answer = answer


def refusal(kind: str, message: str, details: str = "", nodes: Any = None) -> Any:
    """Return what the server answers to a workflow that it does not take."""
    extra: dict[str, Any] = {}
    error = {"type": kind, "message": message, "details": details, "extra_info": extra}
    return {"error": error, "node_errors": nodes or {}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One file that a node writes."""

    node: str
    listed_as: str
    folder: str
    stem: str
    ending: str
    kind: str


def is_known(node_class: str) -> bool:
    """Return whether the server has such a node."""
    return node_class in _NODES


def check(graph: Graph, uploaded: Mapping[str, bytes]) -> None:
    """Check a workflow as the server does before it takes it.

    Raises:
        RefusedGraphError: it has unknown nodes, no outputs, or inputs that are missing.
    """
    for name, node in graph.items():
        if node.get("class_type") not in _NODES:
            message = f"Cannot execute because node {node.get('class_type')} does not exist."
            raise RefusedGraphError(refusal("invalid_prompt", message, f"Node ID '#{name}'"))
    if not any(node["class_type"] in _ENDINGS for node in graph.values()):
        raise RefusedGraphError(refusal("prompt_no_outputs", "Prompt has no outputs"))
    wrong = {name: errors for name, node in graph.items() if (errors := _wrong(node, uploaded))}
    if wrong:
        nodes = {
            name: {"errors": errors, "class_type": graph[name]["class_type"]}
            for name, errors in wrong.items()
        }
        raise RefusedGraphError(refusal(*FAILED_CHECK, nodes=nodes))


def _wrong(node: Mapping[str, Any], uploaded: Mapping[str, bytes]) -> list[Any]:
    inputs = node["inputs"]
    errors = [
        {
            "type": "required_input_missing",
            "message": "Required input is missing",
            "details": name,
            "extra_info": {"input_name": name},
        }
        for name in sorted(_NODES[node["class_type"]] - inputs.keys())
    ]
    if node["class_type"] == "LoadImage" and inputs.get("image") not in uploaded:
        errors.append(
            {
                "type": "custom_validation_failed",
                "message": "Custom validation failed for node",
                "details": f"image - Invalid image file: {inputs.get('image')}",
                "extra_info": {"input_name": "image"},
            }
        )
    return errors


def in_order(graph: Graph) -> list[str]:
    """Return the nodes that lead to outputs, each after those that it needs."""
    found: dict[str, None] = {}

    def follow(name: str) -> None:
        if name not in found:
            for needed in _needed(graph[name]):
                follow(needed)
            found[name] = None

    for name, node in graph.items():
        if node["class_type"] in _ENDINGS:
            follow(name)
    return list(found)


def _needed(node: Mapping[str, Any]) -> Iterator[str]:
    for value in node["inputs"].values():
        if isinstance(value, list):
            yield str(cast("list[Any]", value)[0])


def seconds(graph: Graph) -> dict[str, float]:
    """Return how long each node takes, in order; nothing of what is done at once."""
    pixels: dict[str, int] = {}
    taken: dict[str, float] = {}
    for name in in_order(graph):
        node, inputs = graph[name], graph[name]["inputs"]
        before = [pixels[needed] for needed in _needed(node)]
        pixels[name] = (
            before[0] if before else inputs.get("width", SIDE) * inputs.get("height", SIDE)
        )
        weight = (2 * inputs.get("blur_radius", 0) + 1) ** 2 * 3
        taken[name] = pixels[name] * weight / _PER_SECOND if "blur_radius" in inputs else 0.0
    if sum(taken.values()) < _AT_ONCE_S:
        return dict.fromkeys(taken, 0.0)
    return taken


def outputs(graph: Graph) -> Iterator[Output]:
    """Yield the files that a workflow writes."""
    for name in in_order(graph):
        node = graph[name]
        ending = _ENDINGS.get(node["class_type"])
        if ending is not None:
            prefix = str(node["inputs"].get("filename_prefix", "ComfyUI_temp"))
            folder, _, stem = prefix.rpartition("/")
            yield Output(
                node=name,
                listed_as=_UNDER.get(node["class_type"], "images"),
                folder=folder,
                stem=stem,
                ending=ending,
                kind="temp" if node["class_type"] == "PreviewImage" else "output",
            )


def rendered(graph: Graph, output: Output, noise: bytes, uploaded: Mapping[str, bytes]) -> bytes:
    """Return the bytes of a file that a workflow writes."""
    source = next(_needed(graph[output.node]))
    made = io.BytesIO()
    match output.ending:
        case "flac":
            _sound(made, graph[source]["inputs"])
        case "mp4":
            _film(made, _picture(graph, next(_needed(graph[source])), noise, uploaded))
        case _:
            _picture(graph, source, noise, uploaded).save(made, "PNG")
    return made.getvalue()


def _picture(graph: Graph, name: str, noise: bytes, uploaded: Mapping[str, bytes]) -> Image.Image:
    node = graph[name]
    match node["class_type"]:
        case "LoadImage":
            return Image.open(io.BytesIO(uploaded[node["inputs"]["image"]])).convert("RGB")
        case "EmptyImage":
            return Image.open(io.BytesIO(noise)).convert("RGB")
        case "ImageInvert":
            return ImageOps.invert(_picture(graph, next(_needed(node)), noise, uploaded))
        case _:
            return _picture(graph, next(_needed(node)), noise, uploaded)


def _sound(made: io.BytesIO, inputs: Mapping[str, Any]) -> None:
    rate = int(inputs["sample_rate"])
    silence = np.zeros((1, round(rate * float(inputs["duration"]))), np.int16)
    with av.open(made, "w", format="flac") as container:
        stream = container.add_stream("flac", rate=rate, layout="mono")
        frame = av.AudioFrame.from_ndarray(silence, "s16", "mono")
        frame.sample_rate = rate
        container.mux([*stream.encode(frame), *stream.encode(None)])


def _film(made: io.BytesIO, picture: Image.Image) -> None:
    with av.open(made, "w", format="mp4") as container:
        stream = container.add_stream("mpeg4", rate=8)
        stream.width, stream.height, stream.pix_fmt = SIDE, SIDE, "yuv420p"
        pixels = np.asarray(picture.resize((SIDE, SIDE)))
        frame = av.VideoFrame.from_ndarray(pixels, "rgb24")
        for _ in range(8):
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
