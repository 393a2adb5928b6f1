"""A story with pictures of its parts is a film; a picture of each thing is not."""

import pytest

from infra.providers.rehearsal.brief import read_wish


@pytest.mark.parametrize(
    ("text", "language", "subject"),
    [
        (
            "A bedtime story about a shy fox, read slowly, with a picture for each scene",
            "en",
            "fox",
        ),
        ("Ein Hörspiel über einen alten Fuchs, mit einem Bild je Szene", "de", "Fuchs"),
        ("Un cuento sobre un zorro, con una imagen para cada escena", "es", "zorro"),
        ("여우에 관한 이야기. 천천히 읽고, 장면마다 그림 한 장.", "ko", "여우"),
        ("一个两分钟的睡前故事，讲一只狐狸，每个场景配一幅画。", "zh", "狐狸"),
    ],
)
def test_a_story_with_a_picture_for_each_part_is_a_film(
    text: str, language: str, subject: str
) -> None:
    wish = read_wish([text], language)
    assert wish.kind == "film"
    assert subject in wish.brief.subject


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A poster for each evening of our jazz festival", "image"),
        ("A picture with a story in it", "image"),
        ("Write a story with a picture for each chapter", "document"),
        ("Ein Hörspiel über einen alten Fuchs", "narration"),
    ],
)
def test_pictures_that_illustrate_nothing_make_no_film(text: str, kind: str) -> None:
    assert read_wish([text], "en").kind == kind
