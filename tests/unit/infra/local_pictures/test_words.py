"""What prompts in several languages mean for a picture."""

import pytest

from infra.providers.local.pictures.words import Topic, meanings


@pytest.mark.parametrize(
    ("text", "language", "subjects", "lands"),
    [
        ("A potter's hands shape clay on the wheel", "en", ["wheel", "hands", "vessel"], []),
        ("Ein Leuchtturm am Meer", "de", ["lighthouse"], ["sea"]),
        ("Eine Kaffeetasse auf dem Tisch", "de", ["mug"], []),
        ("Un velero en la costa", "es", ["boat"], ["sea"]),
        ("Une maison dans la forêt", "fr", ["house"], ["forest"]),
        ("물레 위에서 도자기를 빚는 손", "ko", ["wheel", "vessel", "hands"], []),
        ("산 위의 작은 집", "ko", ["house"], ["mountains"]),
        ("城市里的猫", "zh", ["cat"], ["city"]),
        ("海辺の灯台", "ja", ["lighthouse"], ["sea"]),
    ],
)
def test_subjects_and_lands_are_found_in_every_language(
    text: str, language: str, subjects: list[str], lands: list[str]
) -> None:
    assert meanings(text, Topic.SUBJECTS, language)[: len(subjects)] == subjects
    assert meanings(text, Topic.LANDS, language) == lands


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The four main sons see it all, a ton of fun", "en"),
        ("a room without people", "en"),
        ("ein Raum ohne Menschen", "de"),
        ("手工 · 人工智能", "zh"),
        ("배경 음향", "ko"),
    ],
)
def test_look_alike_and_denied_words_show_nothing(text: str, language: str) -> None:
    found = meanings(text, Topic.SUBJECTS, language)
    assert set(found) <= {"network"}
    assert meanings(text, Topic.LANDS, language) == []


def test_short_words_count_in_the_language_of_the_text_only() -> None:
    assert meanings("Le chat dort près du four", Topic.SUBJECTS, "en") == ["cat", "fire"]
    assert meanings("Let us chat for four hours", Topic.SUBJECTS, "fr") == []
    assert meanings("Das Licht über dem See", Topic.LANDS, "de") == ["lake"]
    assert meanings("I see the light", Topic.LANDS, "de") == []


@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("close-up of a leaf", "close"),
        ("Nahaufnahme einer Hand", "close"),
        ("primer plano de una flor", "close"),
        ("gros plan sur le pain", "close"),
        ("도자기 클로즈업", "close"),
        ("特写镜头", "close"),
        ("a wide establishing shot", "wide"),
        ("全景", "wide"),
    ],
)
def test_the_distance_of_the_view_is_read(text: str, view: str) -> None:
    assert meanings(text, Topic.VIEWS)[0] == view


def test_hours_moods_and_colours_are_read() -> None:
    assert meanings("noche de luna", Topic.HOURS, "es") == ["night"]
    assert meanings("따뜻한 가을", Topic.MOODS, "ko") == ["warm", "autumn"]
    assert meanings("blau und rot", Topic.COLOURS, "de") == ["#3a6ea5", "#c8553d"]
