"""Lines are broken where each script allows it, and no glyph leaves its box."""

import numpy as np
import pytest

from infra.providers.local.fonts import find_face, load_font
from infra.providers.local.pictures.brief import read_brief
from infra.providers.local.pictures.composition import arrange
from infra.providers.local.pictures.noise import generator
from infra.providers.local.pictures.typography import set_words, wrapped
from tests.integration.infra.local_pictures.conftest import MakeRequest


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("Größe und Maß", "Noto Sans"),
        ("Привет, мир", "Noto Sans"),
        ("Καλημέρα", "Noto Sans"),
        ("도자기 Studio 2026", "Noto Sans CJK TC"),
        ("城市之光", "Noto Sans CJK TC"),
        ("桜の季節", "Noto Sans CJK TC"),
    ],
)
def test_a_bundled_font_has_the_script(text: str, family: str) -> None:
    assert find_face(text, bold=True).family == family


def test_lines_of_words_break_at_spaces_and_are_even() -> None:
    font = load_font(find_face("a"), 40, weight=700)
    text = "The quick brown fox jumps over the lazy dog tonight"
    lines = wrapped(text, font, 420, "en")
    assert " ".join(lines) == text
    widths = [font.getlength(line) for line in lines]
    assert max(widths) <= 420
    assert min(widths) > 0.6 * max(widths)


def test_chinese_breaks_between_characters_but_not_before_a_full_stop() -> None:
    text = "山间的小村庄里，春天正在慢慢到来。人们等待着。"
    font = load_font(find_face(text), 40)
    for width in range(120, 400, 20):
        lines = wrapped(text, font, width, "zh")
        assert "".join(lines) == text
        assert all(line[0] not in "，。" for line in lines)


def test_korean_words_are_not_torn() -> None:
    text = "경주 도예 공방의 하루를 담은 짧은 다큐멘터리"
    font = load_font(find_face(text), 40)
    assert " ".join(wrapped(text, font, 300, "ko")).split() == text.split()


@pytest.mark.parametrize("title", ["Ångström jÿgpq", "흙과 손의 시간", "W", "ﬁnal Ưỡng", "مرحبا"])
def test_every_drawn_pixel_lies_in_a_measured_box(make_request: MakeRequest, title: str) -> None:
    brief = read_brief(make_request("a boat", title=title, subtitle=title))
    setting = set_words(
        title=title,
        subtitle=title,
        language="",
        stage=arrange(brief, generator(1)),
        look="",
        moods=[],
    )
    assert setting is not None
    ink = np.asarray(setting.mask((640, 360))) > 0
    assert ink.any()
    for line in setting.lines:
        x0, y0, x1, y1 = line.box
        assert ink[y0:y1, x0:x1].any()
        ink = ink.copy()
        ink[max(y0 - 1, 0) : y1 + 1, max(x0 - 1, 0) : x1 + 1] = False
    assert not ink.any()
