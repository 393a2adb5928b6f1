"""A stop is a stop, and a changed wish after one is a change: `stop, three posters instead`."""

from typing import Any

import pytest

from infra.providers.rehearsal import utterance
from infra.providers.rehearsal.brief import read_wish
from infra.providers.rehearsal.phrases import say
from infra.providers.rehearsal.replies import reply
from infra.providers.rehearsal.routing import route
from infra.providers.rehearsal.state import Candidate, MainView
from tests.unit.infra.rehearsal.studio import Studio

POSTERS = {
    "en": "Two posters about the sea",
    "de": "Zwei Plakate über das Meer",
    "fr": "Deux affiches sur la mer",
    "es": "Dos carteles sobre el mar",
    "it": "Due manifesti sul mare",
    "pt": "Dois cartazes sobre o mar",
    "ko": "바다 포스터 두 장",
    "zh": "两张关于大海的海报",
    "ja": "海のポスターを2枚",
}
BLUE = {"palette": ("#2f5d9b",)}
THREE = {"count": 3}
CHANGES: list[tuple[str, str, dict[str, Any]]] = [
    ("de", "Stopp! Mach drei statt zwei Plakate", THREE),
    ("de", "Halt, bitte lieber in Blau", BLUE),
    ("de", "Nein, stopp, lieber ohne Text", {"absent": {"lettering"}}),
    ("de", "stopp bitte drei Plakate", THREE),
    ("de", "Moment, drei Plakate bitte", THREE),
    ("de", "Halt stopp, die Plakate sollen in Blau sein", BLUE),
    ("en", "stop, make it blue", BLUE),
    ("en", "Oh wait, I changed my mind: three posters instead", THREE),
    ("en", "hang on, can it be three posters instead?", THREE),
    ("en", "wait, three posters instead of two", THREE),
    ("en", "stop make it warmer", {"moods": ("warm",)}),
    ("en", "stop the posters, make three instead", THREE),
    ("en", "Stop. Add a lighthouse", {"extras": ("a lighthouse",)}),
    ("fr", "stop, trois affiches au lieu de deux", THREE),
    ("fr", "Arrête, plutôt en bleu", BLUE),
    ("es", "alto, mejor tres carteles en vez de dos", THREE),
    ("es", "Espera, quiero tres carteles", THREE),
    ("it", "fermati, tre manifesti invece di due", THREE),
    ("it", "basta, meglio senza testo", {"absent": {"lettering"}}),
    ("pt", "pare, três cartazes em vez de dois", THREE),
    ("pt", "espera, faz azul", BLUE),
    ("ko", "멈춰, 포스터 두 장 말고 세 장으로 해줘", THREE),
    ("ko", "잠깐, 더 따뜻하게 해 주세요", {"moods": ("warm",)}),
    ("zh", "停，改成三张海报", THREE),
    ("zh", "等一下，两张改成三张", THREE),
    ("ja", "ストップ、2枚ではなく3枚にして", THREE),
    ("ja", "止めて、青にして", BLUE),
]
STOPS = [
    ("de", "Stopp"),
    ("de", "Halt!"),
    ("de", "stopp die Plakate bitte"),
    ("de", "Brich bitte ab"),
    ("de", "Hör auf damit"),
    ("en", "please stop"),
    ("en", "stop, who told you to do that?"),
    ("en", "stop making the two posters"),
    ("en", "stop, not now"),
    ("en", "stop all running jobs right away"),
    ("fr", "arrête tout"),
    ("es", "alto, por favor"),
    ("it", "fermati per favore"),
    ("pt", "pare, por favor"),
    ("ko", "작업을 중지해 주세요"),
    ("ko", "그만해"),
    ("zh", "停止，不要了"),
    ("zh", "先停一下"),
    ("ja", "止めてください"),
    ("ja", "ポスターを止めて"),
    ("ja", "もうやめてください"),
]
NO_STOPS = [
    "stop motion film about tea",
    "A film about a bus stop",
    "a stop sign in the rain, as a picture",
    "Ein Film über eine Bushaltestelle",
    "一部关于停车场的短片",
]


def shown(text: str, language: str) -> MainView:
    task = Candidate(
        task_id="p", title="X", goal=POSTERS[language], status="active", language=language
    )
    return MainView(message=text, language=language, candidates=(task,))


@pytest.mark.parametrize(("language", "text", "expected"), CHANGES)
def test_a_change_after_a_stop_goes_to_the_work(
    language: str, text: str, expected: dict[str, Any]
) -> None:
    assert route(shown(text, language))["task_id"] == "p"
    before, after = (
        read_wish(said, language) for said in ([POSTERS[language]], [POSTERS[language], text])
    )
    changed = {
        name: getattr(after if hasattr(after, name) else after.brief, name) for name in expected
    }
    assert changed == expected
    assert after.brief.subject == before.brief.subject
    assert after.extras == expected.get("extras", ())


@pytest.mark.parametrize(("language", "text"), STOPS)
def test_a_stop_without_a_change_is_left_to_the_button(language: str, text: str) -> None:
    view = shown(text, language)
    assert route(view)["outcome"] == "answer"
    assert reply(view) == say("control", language)
    said = [POSTERS[language]]
    assert read_wish([*said, text], language) == read_wish(said, language)


@pytest.mark.parametrize("text", NO_STOPS)
def test_a_work_about_stopping_is_a_work(text: str) -> None:
    assert utterance.tone(text) is None
    assert route(shown(text, "en"))["outcome"] in ("new", "lightweight")


def test_who_changes_with_a_stop_is_told_what_stops() -> None:
    told = route(shown("stop, three posters instead", "en"))["acknowledgement"]
    assert told.endswith(say("control", "en"))
    told = route(shown("wait, three posters instead", "en"))["acknowledgement"]
    assert say("control", "en") not in told


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("de", "Halt, bitte fünf Plakate statt vier", 5),
        ("en", "stop, I want five posters, not four", 5),
        ("ja", "待って、5枚にして", 5),
    ],
)
def test_a_stop_with_a_change_while_pictures_are_made_changes_the_plan(
    language: str, text: str, count: int
) -> None:
    studio = Studio(language=language)
    studio.say(POSTERS[language])
    studio.act()
    studio.approve()
    studio.act()
    studio.say(text)
    (plan,) = studio.act().named("propose_plan")
    assert {step["key"]: step["count"] for step in plan["steps"]} == {
        "concept": 1,
        "pictures": count,
    }


@pytest.mark.parametrize(("language", "text"), [("de", "Stopp"), ("en", "stop it"), ("zh", "停")])
def test_a_stop_in_a_works_own_conversation_is_answered_with_the_button(
    language: str, text: str
) -> None:
    studio = Studio(language=language)
    studio.say(POSTERS[language])
    studio.act()
    studio.approve()
    while (answer := studio.act()).calls:
        pass
    studio.say(text)
    answer = studio.act()
    assert (answer.text, answer.calls) == (say("control", language), ())


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30 seconds instead of 20 seconds", 30),
        ("30 statt 20 Sekunden", 30),
        ("20초 대신 30초로", 30),
        ("20秒から30秒に", 30),
        ("30 secondes au lieu de 20", 30),
    ],
)
def test_a_number_that_is_given_up_does_not_count(text: str, seconds: float) -> None:
    film = "A 20-second film about bees"
    assert read_wish([film, text], "en").brief.duration_s == seconds
