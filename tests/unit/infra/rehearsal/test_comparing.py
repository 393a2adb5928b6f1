"""A plan that is proposed again begins by saying what is different about it."""

from typing import Any

import pytest

from infra.providers.rehearsal.phrases import say
from tests.unit.infra.rehearsal.studio import Studio

FILM = "A 20-second film about a small bakery in Lisbon, calm"


def plans(language: str, *said: str, approved: bool = True) -> list[dict[str, Any]]:
    """Return every plan that is proposed while a person says this, one after the other."""
    studio, found = Studio(language=language), list[dict[str, Any]]()
    for text in said:
        studio.say(text)
        found += studio.act().named("propose_plan")
        if approved and len(found) == 1:
            studio.approve()
    return found


DIFFERENCES = [
    (
        "de",
        "Zwei Plakate über das Meer",
        "drei statt zwei, in Blau",
        "Anders als im vorigen Plan: Plakate (3 statt 2); Farben (Blau).",
    ),
    (
        "en",
        FILM,
        "40 seconds and without captions",
        (
            "Different from the plan before: Moving shots (9 instead of 4); "
            "length (40 seconds instead of 20 seconds); left out: Captions."
        ),
    ),
    (
        "en",
        FILM,
        "in French please, upright",
        (
            "Different from the plan before: format (720 x 1280 instead of 1280 x 720); "
            "language (French instead of English)."
        ),
    ),
    (
        "fr",
        "Un film sur les abeilles, sans musique",
        "oui, mais avec de la musique",
        "Ce qui change par rapport au plan précédent : ajouté : Musique.",
    ),
    (
        "es",
        "Dos carteles sobre el mar",
        "cuatro carteles en acuarela",
        (
            "Cambios respecto al plan anterior: Carteles (4 en vez de 2); "
            "ambiente y estilo (acuarela)."
        ),
    ),
    (
        "it",
        "Due manifesti sul mare",
        "senza testo",
        "Cambia rispetto al piano precedente: niente più scritte nelle immagini.",
    ),
    (
        "pt",
        "Um filme de 20 segundos sobre o mar, calmo",
        "mais escuro",
        "Mudanças em relação ao plano anterior: clima e estilo (escuro e calmo em vez de calmo).",
    ),
    (
        "ko",
        "바다 포스터 두 장",
        "다섯 장으로 해 주세요",
        "이전 계획과 달라진 점: 포스터(2 → 5).",
    ),
    (
        "zh",
        "两张关于大海的海报",
        "改成三张，蓝色调",
        "与上一版计划的不同：海报（由2改为3）；颜色（蓝色）。",
    ),
    ("ja", "海のポスターを2枚", "3枚にして", "前の計画との違い：ポスター（2から3へ）。"),
]


@pytest.mark.parametrize(("language", "first", "later", "sentence"), DIFFERENCES)
def test_a_changed_plan_begins_with_what_is_different(
    language: str, first: str, later: str, sentence: str
) -> None:
    before, after = plans(language, first, later)
    assert not before["summary"].startswith(say("diff", language, items="")[:10])
    assert after["summary"].startswith(sentence)


def test_what_is_taken_back_is_different_again() -> None:
    *_, changed, back = plans("en", FILM, "30 seconds", "undo that")
    assert "length (30 seconds instead of 20 seconds)" in changed["summary"]
    assert "length (20 seconds instead of 30 seconds)" in back["summary"]


def test_a_plan_is_compared_with_the_one_that_was_shown_last() -> None:
    *_, second, third = plans("en", FILM, "30 seconds", "in German please", approved=False)
    assert "length (30 seconds instead of 20 seconds)" in second["summary"]
    assert third["summary"].startswith(
        "Different from the plan before: language (German instead of English)."
    )


def test_a_free_wish_a_subject_and_a_kind_are_told() -> None:
    found = plans("en", FILM, "add a cat", "make it about tea instead", "3 posters instead")
    added, about, other = [plan["summary"].partition(". ")[0] for plan in found[1:]]
    assert added == "Different from the plan before: new: “a cat”"
    assert "subject (“tea” instead of “a small bakery in Lisbon”)" in about
    assert "kind of work (Posters instead of Film)" in other


def test_a_plan_that_was_refused_with_a_reason_is_the_one_before() -> None:
    studio = Studio(language="en")
    studio.say("2 posters about the sea")
    studio.act()
    studio.reject("please make it 5 posters")
    (plan,) = studio.act().named("propose_plan")
    assert plan["summary"].startswith("Different from the plan before: Posters (5 instead of 2).")


def test_who_refuses_a_change_hears_of_the_plan_in_force() -> None:
    studio = Studio(language="en")
    studio.say("2 posters about the sea")
    studio.act()
    studio.approve()
    studio.say("5 posters please")
    studio.act()
    studio.reject()
    studio.act()
    studio.say("4 posters please")
    (plan,) = studio.act().named("propose_plan")
    assert "Posters (4 instead of 2)" in plan["summary"]


@pytest.mark.parametrize(
    ("language", "first", "again"),
    [
        ("en", FILM, "do it again"),
        ("de", "Ein Film über Bienen", "bitte noch einmal"),
        ("ja", "海のポスターを2枚", "やり直し"),
    ],
)
def test_a_plan_without_a_difference_says_so(language: str, first: str, again: str) -> None:
    after = plans(language, first, again)[-1]
    assert after["summary"].startswith(say("diff_again", language))
