"""An object in space from its words: what is built, what it says of itself, what it refuses."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from infra.media.verify import verify
from infra.providers.local.model3d import generate, subject_of
from infra.providers.local.request import InvalidInputError, LocalRequest

pytestmark = [pytest.mark.media, pytest.mark.timeout(120)]


def request(prompt: str, *, seed: int = 3, **inputs: Any) -> LocalRequest:
    return LocalRequest(
        operation="model3d", seed=seed, inputs={"prompt": prompt, "detail": "low", **inputs}
    )


def made(asked: LocalRequest, out: Path) -> dict[str, Any]:
    out.mkdir(exist_ok=True)
    return generate(asked, out, lambda _: None).measured


def test_an_object_is_a_file_that_verifies_and_a_picture_of_it(tmp_path: Path) -> None:
    asked = request("a red teapot")
    result = generate(asked, tmp_path, lambda _: None)
    roles = [(item.role, item.media_type) for item in result.artifacts]
    assert roles == [("model", "model/gltf-binary"), ("preview", "image/png")]
    facts = asyncio.run(verify(tmp_path / "model.glb", "model/gltf-binary"))
    assert facts["triangles"] == result.measured["triangles"] > 1000
    assert (result.measured["subject"], result.measured["open_edges"]) == ("teapot", 0)
    with Image.open(tmp_path / "preview.png") as picture:
        assert picture.size == (1200, 900)
        assert picture.convert("L").entropy() > 3


def test_the_same_request_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "other"):
        made(request("a candle", palette=["#336699", "#f0e0c0"]), tmp_path / name)
    for file in ("model.glb", "preview.png"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "other" / file).read_bytes()


def test_what_cannot_be_built_is_an_abstract_form_and_says_so(tmp_path: Path) -> None:
    measured = made(request("the smell of rain on a warm street"), tmp_path)
    assert (measured["subject"], measured["is_abstract"]) == ("abstract", True)


@pytest.mark.parametrize(
    ("prompt", "language", "subject"),
    [
        ("a lighthouse on a rocky island", "en", "lighthouse"),
        ("a table lamp with a green shade", "en", "lamp"),
        ("a hot-air balloon over hills", "en", "balloon"),
        ("eine bauchige Teekanne", "de", "teapot"),
        ("ein alter Leuchtturm am Meer", "de", "lighthouse"),
        ("ein Baukran", "de", "crane"),
        ("una silla de madera", "es", "chair"),
        ("un château fort", "fr", "castle"),
        ("una teiera blu", "it", "teapot"),
        ("uma árvore grande", "pt", "tree"),
        ("나무 의자", "ko", "chair"),
        ("木の椅子", "ja", "chair"),
        ("桥上的猫", "zh", "cat"),
        ("빨간 찻주전자", "ko", "teapot"),
        ("一座灯塔", "zh", "lighthouse"),
        ("赤い急須", "ja", "teapot"),
        ("a quiet afternoon", "en", "abstract"),
    ],
)
def test_the_first_known_thing_in_the_words_is_built(
    prompt: str, language: str, subject: str
) -> None:
    assert subject_of(request(prompt, language=language)) == subject


@pytest.mark.parametrize(
    "wrong",
    [
        {"prompt": " "},
        {"palette": ["red"]},
        {"detail": "extreme"},
        {"height_m": 0},
        {"height_m": float("inf")},
    ],
)
def test_what_is_no_request_is_refused(wrong: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError):
        made(
            request("a cup", **({} if "prompt" in wrong else wrong))
            if "prompt" not in wrong
            else LocalRequest(operation="model3d", seed=1, inputs=wrong),
            tmp_path,
        )
