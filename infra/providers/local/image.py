"""The operation `image`: one picture drawn from words, with its title and subtitle.

Promises the same bytes for the same request, text with a contrast of at least 4.5 to what is behind
it, and facts about the picture: contrast, entropy, palette, where the text stands.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from infra.providers.local.pictures.brief import Brief, read_brief
from infra.providers.local.pictures.colour import to_hex
from infra.providers.local.pictures.composition import drawn_subjects
from infra.providers.local.pictures.lettering import Lettering, letter
from infra.providers.local.pictures.noise import Field
from infra.providers.local.pictures.painter import build_scene, paint
from infra.providers.local.pictures.scene import Scene
from infra.providers.local.pictures.texture import grain_of, look_of, texture_of
from infra.providers.local.pictures.typography import set_words
from infra.providers.local.request import LocalArtifact, LocalRequest, LocalResult

RECIPE = "atelier-recipe"
"""The PNG text under which a picture keeps its request, so that a clip can move its layers."""

_COMPRESSION = 5


def generate(request: LocalRequest, out: Path, report: Callable[[float], None]) -> LocalResult:
    """Draw the picture into `out`.

    Raises:
        InvalidInputError: The inputs are not those of a picture.
        MissingGlyphsError: No font here can draw the title or the subtitle.
    """
    brief = read_brief(request)
    report(0.05)
    scene = build_scene(brief)
    report(0.6)
    image, words = render_still(scene)
    report(0.9)
    facts = PngInfo()
    facts.add_itxt(
        RECIPE, json.dumps({"seed": request.seed, "inputs": request.inputs}, sort_keys=True)
    )
    image.save(out / "image.png", pnginfo=facts, compress_level=_COMPRESSION)
    report(1.0)
    return LocalResult(
        artifacts=(LocalArtifact(role="image", path="image.png", media_type="image/png"),),
        measured=_measured(brief, scene, image, words),
    )


def render_still(scene: Scene) -> tuple[Image.Image, Lettering | None]:
    """Return the finished picture and the words on it."""
    planes = finished(scene, paint(scene))
    words = lettering_for(scene, [planes])
    image = to_image(planes)
    if words is not None:
        words.lay(image)
    return image, words


def finished(scene: Scene, planes: Field, *, number: int = 0) -> Field:
    """Return the planes with grade, texture and grain."""
    look = look_of(scene)
    graded = look.grade(np.clip(planes, 0, 1), scene.palette)
    graded = graded * texture_of(scene, look)
    return np.clip(graded + grain_of(scene, look, number=number), 0, 1).astype(np.float32)


def lettering_for(scene: Scene, backgrounds: list[Field]) -> Lettering | None:
    """Return the words of the scene's brief, legible on the given pictures."""
    brief = scene.brief
    setting = set_words(
        title=brief.title,
        subtitle=brief.subtitle,
        language=brief.language,
        stage=scene.stage,
        look=brief.look,
        moods=brief.moods,
    )
    if setting is None:
        return None
    return letter(setting, stage=scene.stage, palette=scene.palette, backgrounds=backgrounds)


def to_image(planes: Field) -> Image.Image:
    """Return three planes between 0 and 1 as an RGB picture."""
    pixels = (np.clip(planes, 0, 1) * 255 + 0.5).astype(np.uint8)
    return Image.fromarray(np.ascontiguousarray(pixels.transpose(1, 2, 0)), "RGB")


def entropy_bits(image: Image.Image) -> float:
    """Return the entropy of the luma histogram in bits."""
    counts = np.asarray(image.convert("L").histogram(), dtype=np.float64)
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


def _measured(
    brief: Brief, scene: Scene, image: Image.Image, words: Lettering | None
) -> dict[str, Any]:
    palette = scene.palette
    facts: dict[str, Any] = {
        "width": brief.width,
        "height": brief.height,
        "entropy_bits": round(entropy_bits(image), 3),
        "palette": [to_hex(colour) for colour in (*palette.base, palette.accent)],
        "subjects": list(scene.stage.subjects),
        "drawn": list(drawn_subjects(scene.stage)),
        "lands": list(scene.stage.lands),
        "view": scene.stage.view,
        "hour": scene.stage.hour,
        "contrast_ratio": None,
    }
    if words is not None:
        facts |= words.measured()
    return facts
