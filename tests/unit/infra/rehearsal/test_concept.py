"""The concept of a series is told in one language: that of the work."""

import re

import pytest

from infra.providers.rehearsal.brief import read_wish
from infra.providers.rehearsal.lexicon import SPEAKS, entries
from infra.providers.rehearsal.phrases import _LOOKS
from infra.providers.rehearsal.production import _FORMS, concept_text, produce, single_picture
from infra.providers.rehearsal.titles import title_from

SERIES = [
    ("de", "Vier Plakate über die vier Elemente, ruhig, als Aquarell"),
    ("de", "Neun Bilder vom Fenster einer alten Werkstatt"),
    ("fr", "Trois affiches sur le thé, chaleureuses"),
    ("es", "Tres carteles sobre el mar, tranquilos, en acuarela"),
    ("it", "Quattro manifesti su un panificio, nostalgici"),
    ("pt", "Três cartazes sobre o mar, sem texto"),
    ("ko", "바다에 대한 포스터 세 장, 잔잔하게"),
    ("zh", "三张关于大海的海报，平静，水彩"),
    ("ja", "四季についてのポスターを3枚、静かに、水彩で"),
]


@pytest.mark.parametrize(("language", "said"), SERIES)
def test_a_concept_has_none_of_the_generators_english_words(language: str, said: str) -> None:
    made = produce(read_wish([said], language), language)
    text = concept_text(made)
    own = made.wish.brief.subject
    for slot in range(1, made.wish.count + 1):
        prompt = single_picture(made, slot, tries=0)["prompt"].replace(own, "")
        fragments = [part.strip() for part in prompt.split(",") if part.strip()]
        assert len(fragments) > 2
        assert [part for part in fragments if part in text and part not in own] == []
    assert own in text
    if language in ("ko", "zh", "ja"):
        assert re.findall("[A-Za-z]{2,}", text) == []


@pytest.mark.parametrize(("language", "said"), SERIES)
def test_the_pictures_of_a_concept_differ(language: str, said: str) -> None:
    text = concept_text(produce(read_wish([said], language), language))
    motifs = [line for line in text.splitlines() if line.startswith("**")]
    assert len(set(motifs)) == len(motifs)


def test_a_concept_tells_what_one_picture_is_to_show() -> None:
    said = ["Drei Plakate über Tee", "das zweite Plakat soll einen Hafen zeigen"]
    _, *parts = concept_text(produce(read_wish(said, "de"), "de")).split("## ")
    assert ["Hafen" in part for part in parts] == [False, True, False]


def test_an_english_concept_says_what_the_generator_is_told() -> None:
    made = produce(read_wish(["Two posters about tea, warm"], "en"), "en")
    assert single_picture(made, 1, tries=0)["prompt"] in concept_text(made)


def test_every_look_has_a_name_in_every_language() -> None:
    for section in ("mood", "style", "colour"):
        assert set(_LOOKS[section]) == set(entries(section))
    assert set(_LOOKS["form"]) == set(_FORMS)
    for section in _LOOKS.values():
        assert all(set(names) == set(SPEAKS) for names in section.values())


@pytest.mark.parametrize(
    ("subject", "language", "title"),
    [
        ("le thé", "fr", "Le thé"),
        ("l'été à la mer et", "fr", "L'été à la mer"),
        ("Licht über", "de", "Licht"),
        ("o chá são", "pt", "O chá"),
    ],
)
def test_an_accent_tells_a_noun_from_a_small_word(subject: str, language: str, title: str) -> None:
    assert title_from(subject, language) == title
