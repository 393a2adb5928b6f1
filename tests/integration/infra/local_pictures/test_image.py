"""Pictures are measured from their decoded pixels: legible, varied, and the same every time."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from infra.providers.local.image import generate
from infra.providers.local.pictures.colour import from_hex, luminance
from infra.providers.local.request import LocalResult, MissingGlyphsError
from infra.providers.rehearsal.themes.shelf import THEMES
from tests.integration.infra.local_pictures.conftest import MakeRequest

BRIEFS = [
    ("A potter's hands on the wheel, warm morning light", "en", "The Hands of Clay", "A film"),
    ("a lighthouse at night, stars", "en", "Keeper of the Light", ""),
    ("coffee cup close-up by the window", "en", "Slow Mornings", "Roasted by hand since 1998"),
    ("Ein Haus am See im Morgennebel", "de", "Das Haus am See", "Größe, Maß und Übermut"),
    ("Wüste bei Sonnenuntergang, ein Wanderer", "de", "Der lange Weg", ""),
    ("Un velero en el mar al mediodía", "es", "Rumbo al sur", "Diario de a bordo, año uno"),
    ("un bosque con nieve", "es", "El invierno más largo", ""),
    ("물레 위에서 도자기를 빚는 손", "ko", "흙과 손의 시간", "경주 도예 공방의 하루"),
    ("가을 저녁의 한옥 마을", "ko", "가을이 머무는 마을", ""),
    ("夜晚的城市，下雨", "zh", "城市之光", "一部关于夜晚与霓虹的短片"),
    ("雪山和星空，广角", "zh", "星河之下", "登山者的纪录片"),
    ("abstract shapes, playful", "en", "Quarterly Report", "Results and outlook"),
]
LEAST_MARGIN = 0.05
SHOWN = {("rain", "night"), ("snow", "day"), ("storm", "dusk"), ("fog", "dusk"), ("wind", "day")}
"""The weather of every `make test`; `make test-media` has each at each hour."""


def _draw(request_of: MakeRequest, out: Path, prompt: str, **changes: object) -> LocalResult:
    out.mkdir(exist_ok=True)
    return generate(request_of(prompt, **changes), out, lambda _: None)


def _pixels(path: Path) -> NDArray[np.float64]:
    return np.asarray(Image.open(path).convert("RGB"), dtype=np.float64) / 255


def _luminances(pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    linear = np.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def _contrast_in(box: list[int], pixels: NDArray[np.float64], text: float) -> tuple[float, float]:
    """Return the contrast of the text to the worst of what surrounds its strokes, and their share.

    Strokes are the pixels close to the text's luminance; a ring around them is their soft edge.
    """
    x0, y0, x1, y1 = box
    around = _luminances(pixels[max(y0 - 3, 0) : y1 + 3, max(x0 - 3, 0) : x1 + 3])
    ratio = (np.maximum(around, text) + 0.05) / (np.minimum(around, text) + 0.05)
    strokes = Image.fromarray(((ratio < 1.5) * 255).astype(np.uint8), "L")
    reached = np.asarray(strokes.filter(ImageFilter.MaxFilter(5))) > 0
    behind = ratio[~reached]
    return float(np.percentile(behind, 2)), float(np.mean(ratio < 1.5))


def _hash(path: Path) -> NDArray[np.bool_]:
    grey = Image.open(path).convert("L").resize((17, 16), Image.Resampling.BOX)
    small: NDArray[np.uint8] = np.asarray(grey, dtype=np.uint8)
    return small[:, 1:] > small[:, :-1]


def _distance(one: Path, other: Path) -> int:
    return int(np.count_nonzero(_hash(one) ^ _hash(other)))


@pytest.mark.media
@pytest.mark.parametrize(("prompt", "language", "title", "subtitle"), BRIEFS)
def test_words_are_legible_and_inside_the_margins(
    *,
    make_request: MakeRequest,
    tmp_path: Path,
    prompt: str,
    language: str,
    title: str,
    subtitle: str,
) -> None:
    result = _draw(
        make_request,
        tmp_path,
        prompt,
        language=language,
        title=title,
        subtitle=subtitle,
        seed=5,
        width=1280,
        height=720,
    )
    facts = result.measured
    pixels = _pixels(tmp_path / "image.png")
    colour = from_hex(facts["text_colour"])
    assert colour is not None
    assert facts["contrast_ratio"] >= 4.5
    assert "".join("".join(facts["text_lines"]).split()) == "".join(f"{title}{subtitle}".split())
    for box in facts["text_boxes"]:
        contrast, strokes = _contrast_in(box, pixels, luminance(colour))
        assert contrast >= 4.5, f"text in {box} stands on {contrast:.2f}"
        assert 0.03 < strokes < 0.6
        assert LEAST_MARGIN * 720 <= box[0] < box[2] <= 1280 - LEAST_MARGIN * 720
        assert LEAST_MARGIN * 720 <= box[1] < box[3] <= 720 - LEAST_MARGIN * 720
    for one, other in itertools.combinations(facts["text_boxes"], 2):
        assert one[3] <= other[1] + 4 or other[3] <= one[1] + 4


@pytest.mark.media
@pytest.mark.parametrize(
    ("width", "height"), [(360, 640), (512, 512), (1024, 430), (256, 256), (260, 4000)]
)
def test_any_shape_holds_its_words(
    *, make_request: MakeRequest, tmp_path: Path, width: int, height: int
) -> None:
    result = _draw(
        make_request,
        tmp_path,
        "a boat on the lake",
        width=width,
        height=height,
        title="Donaudampfschifffahrt und andere lange Wörter",
        subtitle="Ein Untertitel, der nicht abgeschnitten werden darf",
        language="de",
    )
    with Image.open(tmp_path / "image.png") as picture:
        assert picture.size == (width, height)
    unit = min(width, height)
    for x0, y0, x1, y1 in result.measured["text_boxes"]:
        assert LEAST_MARGIN * unit <= x0 < x1 <= width - LEAST_MARGIN * unit
        assert LEAST_MARGIN * unit <= y0 < y1 <= height - LEAST_MARGIN * unit


@pytest.mark.media
def test_the_same_request_gives_the_same_bytes(make_request: MakeRequest, tmp_path: Path) -> None:
    for name in ("one", "two"):
        _draw(make_request, tmp_path / name, "a city in the rain", title="Again")
    one, two = (tmp_path / name / "image.png" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.media
def test_seeds_and_shots_of_one_subject_look_different(
    make_request: MakeRequest, tmp_path: Path
) -> None:
    shots = {
        "seed 1": {"prompt": "a lighthouse by the sea", "seed": 1},
        "seed 2": {"prompt": "a lighthouse by the sea", "seed": 2},
        "seed 3": {"prompt": "a lighthouse by the sea", "seed": 3},
        "close": {"prompt": "a lighthouse by the sea, close-up", "seed": 1},
        "wide": {"prompt": "a lighthouse by the sea, wide", "seed": 1},
        "night": {"prompt": "a lighthouse by the sea at night", "seed": 1},
    }
    for name, shot in shots.items():
        _draw(make_request, tmp_path / name, **shot)  # pyright: ignore[reportArgumentType]
    for one, other in itertools.combinations(shots, 2):
        apart = _distance(tmp_path / one / "image.png", tmp_path / other / "image.png")
        assert apart >= 16, f"{one} and {other} are {apart} of 256 apart"


@pytest.mark.media
def test_different_subjects_are_different_pictures(
    make_request: MakeRequest, tmp_path: Path
) -> None:
    prompts = ["a cat", "bread", "a train", "gears", "a planet", "leaves", "a book", "a fish"]
    for prompt in prompts:
        result = _draw(make_request, tmp_path / prompt, prompt, seed=3)
        assert result.measured["entropy_bits"] > 5.0
        assert len(result.measured["palette"]) >= 4
    for one, other in itertools.combinations(prompts, 2):
        assert _distance(tmp_path / one / "image.png", tmp_path / other / "image.png") >= 40


@pytest.mark.media
def test_given_colours_are_in_the_picture(make_request: MakeRequest, tmp_path: Path) -> None:
    _draw(make_request, tmp_path / "green", "abstract", palette=["#0b3d2e", "#2f8f5b", "#e8f5e0"])
    _draw(make_request, tmp_path / "red", "abstract", palette=["#3d0b0b", "#b43a2f", "#f7e6e0"])
    green, red = (_pixels(tmp_path / name / "image.png") for name in ("green", "red"))
    assert np.mean(green[..., 1] - green[..., 0]) > 0.03
    assert np.mean(red[..., 0] - red[..., 1]) > 0.03


@pytest.mark.media
@pytest.mark.parametrize(
    "words",
    [
        "vase hands campfire lighthouse train cat person sea forest snow stars harbour",
        pytest.param(
            "mug potter bread candle book letter machine loom music planet bridge house window "
            "boat bird tree leaf flower balloon fish network abstract mountains desert river lake "
            "road city hills rain crane freighter tugboat bollard gull footprints beach storm fog "
            "wind",
            marks=pytest.mark.long,
        ),
    ],
)
def test_every_subject_and_land_of_the_lexicon_is_drawn(
    make_request: MakeRequest, tmp_path: Path, words: str
) -> None:
    for word in words.split():
        out = tmp_path / word
        result = _draw(make_request, out, f"a {word}", width=256, height=256)
        facts = result.measured
        assert facts["subjects"] or facts["lands"], word
        assert facts["entropy_bits"] > 4.0, word


@pytest.mark.media
@pytest.mark.parametrize(
    ("weather", "hour"),
    [
        pytest.param(weather, hour, marks=() if (weather, hour) in SHOWN else pytest.mark.long)
        for weather in ("rain", "snow", "storm", "fog", "wind")
        for hour in ("day", "dusk", "night")
    ],
)
def test_weather_that_is_named_is_seen(
    make_request: MakeRequest, tmp_path: Path, weather: str, hour: str
) -> None:
    at = {"day": "midday", "dusk": "dusk", "night": "night"}[hour]
    _draw(make_request, tmp_path / "plain", f"house on a hill, {at}", style="film")
    _draw(make_request, tmp_path / "weather", f"house on a hill, {at}, {weather}", style="film")
    plain, weathered = (_pixels(tmp_path / name / "image.png") for name in ("plain", "weather"))
    seen = {"wind": 0.004}.get(weather, 0.02)
    assert np.mean(np.abs(plain - weathered)) > seen


@pytest.mark.media
@pytest.mark.parametrize("size", [(456, 256), pytest.param((360, 640), marks=pytest.mark.long)])
def test_neighbouring_shots_of_a_harbour_film_are_different_pictures(
    make_request: MakeRequest, tmp_path: Path, size: tuple[int, int]
) -> None:
    prompts = [beat.picture for beat in THEMES["harbour"].beats]
    thumbs: list[NDArray[np.float64]] = []
    for number, prompt in enumerate(prompts):
        width, height = size
        out = tmp_path / str(number)
        _draw(make_request, out, prompt, seed=number, width=width, height=height, caption_room=True)
        grey = Image.open(out / "image.png").convert("L").resize((32, 18))
        thumbs.append(np.asarray(grey, dtype=np.float64))
    for number, (one, other) in enumerate(itertools.pairwise(thumbs)):
        apart = float(np.abs(one - other).mean())
        assert apart > 12, f"{prompts[number]} / {prompts[number + 1]}: {apart:.1f}"


def test_a_script_without_a_font_is_a_named_error(
    make_request: MakeRequest, tmp_path: Path
) -> None:
    with pytest.raises(MissingGlyphsError) as refusal:
        _draw(make_request, tmp_path, "a boat", title="\U00012000\U00012001")
    assert refusal.value.code == "missing_glyphs"
    assert not (tmp_path / "image.png").exists()


@pytest.mark.media
def test_ornaments_without_a_glyph_are_left_out_and_told(
    make_request: MakeRequest, tmp_path: Path
) -> None:
    result = _draw(make_request, tmp_path, "a boat", title="Sunrise ✨ now")
    assert " ".join(result.measured["text_lines"]) == "Sunrise now"
    assert result.measured["dropped_characters"] == "✨"
