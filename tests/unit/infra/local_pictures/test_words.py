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


@pytest.mark.parametrize(
    ("text", "hours", "colours"),
    [
        ("white foam on dark sand, edge of a wave", [], []),
        ("a black coffee on a dark table", [], []),
        ("a lamp on the night stand", [], []),
        ("dark sky, first stars over hills", ["night"], []),
        ("a cat in the dark", ["night"], []),
        ("black and white, dark room", ["night"], ["#17171a", "#f4f3ef"]),
        ("white tones", [], ["#f4f3ef"]),
    ],
)
def test_the_colour_of_a_thing_is_neither_an_hour_nor_a_palette(
    text: str, hours: list[str], colours: list[str]
) -> None:
    assert meanings(text, Topic.HOURS, "en") == hours
    assert meanings(text, Topic.COLOURS, "en") == colours


@pytest.mark.parametrize(
    ("text", "language", "subjects", "lands"),
    [
        ("cranes lifting containers in the harbour", "en", ["crane"], ["harbour"]),
        ("cranes flying over a lake", "en", ["bird"], ["lake"]),
        ("a flock of cranes", "en", ["bird"], []),
        ("gulls flying over cranes", "en", ["gulls", "crane"], []),
        ("a container ship beside warehouses", "en", ["ship"], ["harbour"]),
        ("Kräne und ein Schlepper im Hamburger Hafen", "de", ["crane", "tug"], ["harbour"]),
        ("Kraniche über dem See", "de", ["bird"], ["lake"]),
        ("Las grúas del puerto", "es", ["crane"], ["harbour"]),
        ("Un remorqueur au port", "fr", ["tug"], ["harbour"]),
        ("La gru nel porto e i gabbiani", "it", ["crane", "gulls"], ["harbour"]),
        ("O guindaste no porto", "pt", ["crane"], ["harbour"]),
        ("항구의 크레인과 갈매기", "ko", ["crane", "gulls"], ["harbour"]),
        ("港口的起重机", "zh", ["crane"], ["harbour"]),
        ("港のクレーン", "ja", ["crane"], ["harbour"]),
    ],
)
def test_a_harbour_is_known_in_every_language(
    text: str, language: str, subjects: list[str], lands: list[str]
) -> None:
    assert meanings(text, Topic.SUBJECTS, language) == subjects
    assert meanings(text, Topic.LANDS, language) == lands


def test_words_that_begin_or_end_like_others_keep_their_own_meaning() -> None:
    assert meanings("a warehouse", Topic.SUBJECTS, "en") == []
    assert meanings("a window", Topic.SKIES, "en") == []
    assert meanings("smooth surfaces by a marsh", Topic.SUBJECTS, "en") == []
