"""What is spoken and what is not: silent films, emptied lines, returning music, last words."""

import pytest

from infra.providers.rehearsal.lexicon import SPEAKS
from infra.providers.rehearsal.writing import read_document_text
from tests.unit.infra.rehearsal.studio import Studio


def approved(text: str, language: str) -> Studio:
    studio = Studio(language=language)
    studio.say(text)
    studio.act()
    studio.approve()
    return studio


def test_a_line_that_a_person_emptied_is_not_filled_with_other_words() -> None:
    studio = approved("A 30-second film about a small bakery in Lisbon, 4 shots", "en")
    studio.act()
    document = studio.documents[-1]
    lines = [shot.narration for shot in read_document_text(document["text"])]
    document.update(text=document["text"].replace(lines[1], "(no words)"), version=2)
    spoken = {call["slot"]: call["text"] for call in studio.act().named("generate_narration")}
    assert " ".join([spoken[1], spoken[2]]) == lines[0]
    assert (spoken[3], spoken[4]) == (lines[2], lines[3])


def test_the_script_of_a_silent_film_has_no_words() -> None:
    studio = approved("Ein Stummfilm über Bienen, 20 Sekunden", "de")
    studio.produce()
    shots = read_document_text(studio.documents[-1]["text"])
    assert all(shot.is_silent and shot.picture for shot in shots)
    assert {entry.tool for entry in studio.entries}.isdisjoint({"generate_narration"})


def test_a_plan_refused_with_a_wish_for_music_is_a_film_with_music() -> None:
    studio = Studio(language="de")
    studio.say("Ein Film über Bienen, ohne Musik")
    studio.act()
    studio.reject("ja, aber mit Musik")
    (plan,) = studio.act().named("propose_plan")
    assert {"shots", "music", "master"} <= {step["key"] for step in plan["steps"]}


APPEARS = {
    "en": "appears here",
    "de": "erscheint hier",
    "es": "aparecerá aquí",
    "fr": "apparaîtra ici",
    "it": "apparirà qui",
    "pt": "aparece aqui",
    "ko": "여기에 나타나며",
    "zh": "显示在这里",
    "ja": "ここに現れます",
}


@pytest.mark.parametrize("language", SPEAKS)
def test_the_order_of_a_picture_also_says_what_comes_after_it(language: str) -> None:
    """Nobody asks the model again when a picture is there, so these are its last words."""
    studio = Studio(kind="lightweight", language=language)
    studio.say("draw a red fox in the snow")
    answer = studio.act()
    assert answer.names == {"generate_image"}
    assert APPEARS[language] in answer.text
