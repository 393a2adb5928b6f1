"""What cannot be is said at once and in the person's language, and the rest of the wish is met."""

import pytest

from infra.language import detect_language
from infra.providers.rehearsal.brief import read_wish
from infra.providers.rehearsal.lexicon import base
from infra.providers.rehearsal.phrases import say
from infra.providers.rehearsal.planning import plan_of
from infra.providers.rehearsal.production import produce
from infra.providers.rehearsal.routing import route
from infra.providers.rehearsal.state import MainView

IMPOSSIBLE = [
    (
        "A film rendered on a quantum printer, ready yesterday, in 16K, with smell, about a mill",
        "a mill",
    ),
    (
        "Film über eine Mühle, mit Quantencomputer berechnet, bis gestern, in 16K, mit Geruch",
        "eine Mühle",
    ),
    (
        "Un film sur un moulin, rendu sur un ordinateur quantique, livré hier, en 16K, avec odeur",
        "un moulin",
    ),
    (
        "Un vídeo sobre un molino, hecho con una máquina del tiempo, para ayer, en 16K, con olor",
        "un molino",
    ),
    (
        "Film su un mulino, stampato su una stampante quantistica, pronto ieri, in 16K, con odore",
        "un mulino",
    ),
    (
        "Filme sobre um moinho, feito numa impressora quântica, pronto ontem, em 16K, com cheiro",
        "um moinho",
    ),
    ("물레방아에 대한 영화, 양자 컴퓨터로 제작해서 어제까지 16K 화질로, 냄새까지", "물레방아"),
    ("一部关于水车的短片，用量子计算机渲染，16K画质，昨天交付，带气味", "水车"),
    ("水車についての映画、タイムマシンで制作して、16Kで、昨日までに、匂い付きで", "水車"),
]


@pytest.mark.parametrize(("text", "subject"), IMPOSSIBLE)
def test_what_cannot_be_met_is_said_in_the_first_reply_and_in_the_plan(
    text: str, subject: str
) -> None:
    language = detect_language(text)
    routed = route(MainView(message=text, language=language))
    wish = read_wish([text], language)
    plan = plan_of(produce(wish, language), title="", capabilities={}, basis=None)
    expected = [say(f"limit_{what}", language) for what in ("machine", "senses", "past")]
    expected.append(say("note_resolution", language, asked="16K", given="1280 x 720"))
    assert (routed["outcome"], base(routed["language"])) == ("new", language)
    assert (wish.kind, wish.brief.subject) == ("film", subject)
    for sentence in expected:
        assert sentence in routed["acknowledgement"]
        assert sentence in plan["summary"]


@pytest.mark.parametrize(
    "text",
    [
        "A film about a time machine",
        "A film about the smell of rain",
        "A film about a 10k run in Berlin, in 4K",
        "A film about yesterday",
        "Ein Film über Quantencomputer",
        "時間旅行とタイムマシンについての映画",
    ],
)
def test_a_film_about_such_a_thing_is_only_a_film(text: str) -> None:
    assert read_wish([text], detect_language(text)).notes == ()
