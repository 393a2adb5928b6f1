"""The operation `model3d`: one object in space as a GLB file, and a picture of it.

Promises the same bytes for the same request; closed meshes in metres, Y up, with materials of metal
and roughness; a picture that is taken of the finished file, read back as a stranger's. What has no
subject here becomes an abstract form, and `measured` says so.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from infra.media.gltf import Gltf, GltfError, read_glb
from infra.media.meshes import Faults, faults_of
from infra.providers.local.pictures.colour import Colour, from_hex
from infra.providers.local.pictures.palette import choose
from infra.providers.local.pictures.words import Topic, meanings
from infra.providers.local.request import (
    InvalidInputError,
    LocalArtifact,
    LocalRequest,
    LocalResult,
    ToolFailedError,
)
from infra.providers.local.sculpture.glb import to_glb
from infra.providers.local.sculpture.sculptor import Detail, Sculptor
from infra.providers.local.sculpture.stuff import Paint
from infra.providers.local.sculpture.subjects.registry import ABSTRACT, SUBJECTS
from infra.providers.local.sculpture.view import picture_of

PREVIEW = (1200, 900)
SMALLEST_M, LARGEST_M = 0.001, 10_000.0
_MOST_COLOURS = 8
_LONGEST = 2000
_CLAUSE_END = re.compile(r"[.,;:!?\n、，。；：！？]")
_HEAD_FINAL = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")


def generate(request: LocalRequest, out: Path, report: Callable[[float], None]) -> LocalResult:
    """Build the object into `out`.

    Raises:
        InvalidInputError: The inputs are not those of an object.
    """
    subject = subject_of(request)
    rng = np.random.default_rng(request.seed)
    detail = Detail(request.choice("detail", tuple(one.value for one in Detail), Detail.MEDIUM))
    height = _height(request)
    sculptor = Sculptor(rng, Paint(_colours(request, rng), rng), detail)
    report(0.05)
    SUBJECTS[subject](sculptor)
    parts = sculptor.finished(height)
    extras = {"subject": subject, "seed": request.seed}
    path = out / "model.glb"
    path.write_bytes(to_glb(parts, name=subject, extras=extras))
    report(0.3)
    gltf = _read_back(path)
    picture = picture_of(gltf, width=PREVIEW[0], height=PREVIEW[1])
    picture.save(out / "preview.png", compress_level=6)
    report(1.0)
    return LocalResult(
        artifacts=(
            LocalArtifact(role="model", path=path.name, media_type="model/gltf-binary"),
            LocalArtifact(
                role="preview",
                path="preview.png",
                media_type="image/png",
                name_suffix="preview",
            ),
        ),
        measured=_measured(gltf, faults_of(gltf), subject, detail),
    )


def subject_of(request: LocalRequest) -> str:
    """Return what is built: the first thing that the words name and that is known here.

    In Chinese, Japanese and Korean what a thing is said about comes last: of the first clause that
    names any, the last one counts (`다리 위의 고양이`, `木の椅子`).

    Raises:
        InvalidInputError: There are no words.
    """
    prompt, title = request.text("prompt", ""), request.text("title", "")
    if not (prompt or title):
        msg = "The object needs a prompt or a title."
        raise InvalidInputError(msg)
    language = request.text("language", "en")
    for clause in _CLAUSE_END.split(f"{prompt[:_LONGEST]}\n{title[:_LONGEST]}"):
        known = [name for name in meanings(clause, Topic.OBJECTS, language) if name in SUBJECTS]
        if known:
            return known[-1 if _HEAD_FINAL.search(clause) else 0]
    return ABSTRACT


def _height(request: LocalRequest) -> float | None:
    if request.inputs.get("height_m") is None:
        return None
    return request.number("height_m", low=SMALLEST_M, high=LARGEST_M)


def _colours(request: LocalRequest, rng: np.random.Generator) -> list[Colour]:
    """Return the colours that were given, or named, or that a mood suggests; else none."""
    given: list[Colour] = []
    for item in request.items("palette")[:_MOST_COLOURS]:
        colour = from_hex(item) if isinstance(item, str) else None
        if colour is None:
            msg = f"The palette must hold colours such as '#c8553d', not {item!r}."
            raise InvalidInputError(msg)
        given.append(colour)
    if given:
        return given
    language = request.text("language", "en")
    texts = [request.text(name, "")[:_LONGEST] for name in ("prompt", "style", "mood")]
    named = [name for text in texts for name in meanings(text, Topic.COLOURS, language)]
    if named:
        return [colour for name in named[:2] if (colour := from_hex(name)) is not None]
    moods = [mood for text in texts for mood in meanings(text, Topic.MOODS, language)]
    if not moods:
        return []
    palette = choose(given=[], named=[], moods=moods, subjects=[], hour="day", rng=rng)
    return [palette.accent, palette.second]


def _read_back(path: Path) -> Gltf:
    try:
        return read_glb(path)
    except GltfError as error:
        msg = f"The object that was built is not a usable file: {error}"
        raise ToolFailedError(msg) from error


def _measured(gltf: Gltf, faults: Faults, subject: str, detail: Detail) -> dict[str, Any]:
    low, high = gltf.bounds
    return {
        "subject": subject,
        "is_abstract": subject == ABSTRACT,
        "detail": detail.value,
        "triangles": gltf.triangles,
        "open_edges": faults.open_edges,
        "size_m": [round(float(side), 4) for side in high - low],
    }
