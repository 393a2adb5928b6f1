"""What weighed evidence comes to: the likeliest outcome, and a task only where that is likely."""

from collections.abc import Mapping

import numpy as np
import pytest

from infra.providers import embedding
from infra.providers.rehearsal import meaning, weighing
from infra.providers.rehearsal.evidence import Choice, choose
from infra.providers.rehearsal.judging import evidence_of
from infra.providers.rehearsal.state import Candidate, MainView
from infra.providers.rehearsal.weighing import Want, Weighed

THRESHOLDS = {"agreed": 1.0, "wrong": 4.0, "delete": 9.0, "option": 0.4}


def task(key: str, title: str = "", goal: str = "", asks: str = "") -> Candidate:
    return Candidate(
        task_id=key, title=title, goal=goal, status="completed", language="en", asks=asks
    )


ONE, TWO, THREE = task("one"), task("two"), task("three")


def chosen(
    wants: Mapping[Want, float],
    *chances: float,
    surety: float = 1.0,
    deletes: bool = False,
    agreed: Candidate | None = None,
) -> Choice:
    tasks = tuple(zip((ONE, TWO, THREE), chances, strict=False))
    found = Weighed(wants=wants, tasks=tasks, surety=surety)
    return choose(found, THRESHOLDS, deletes=deletes, agreed=agreed)


def wants(task: float, *, new: float = 0.0, lightweight: float = 0.0) -> dict[Want, float]:
    answer = 1.0 - task - new - lightweight
    return {"answer": answer, "new": new, "lightweight": lightweight, "task": task}


def test_a_task_that_is_very_likely_is_gone_on_with() -> None:
    assert chosen(wants(0.95), 0.95, 0.05, surety=0.95) == Choice(outcome="existing", task=ONE)


def test_a_task_that_is_only_likely_is_not() -> None:
    assert chosen(wants(0.75, new=0.2), 1.0).outcome == "new"
    assert chosen(wants(0.75, lightweight=0.2), 1.0).outcome == "lightweight"


def test_what_the_rules_say_too_need_not_be_as_likely() -> None:
    assert chosen(wants(0.75, new=0.2), 1.0, agreed=ONE).outcome == "existing"
    assert chosen(wants(0.75, new=0.2), 0.9, 0.1, agreed=TWO).outcome == "new"


def test_of_several_that_fit_the_person_chooses_among_the_likely_ones() -> None:
    found = chosen(wants(0.95), 0.5, 0.45, 0.05, surety=0.3)
    assert found == Choice(outcome="ask", options=(ONE, TWO))


def test_where_something_may_be_deleted_more_surety_is_wanted_and_else_asked() -> None:
    assert chosen(wants(0.99), 0.9, 0.1, surety=0.9).outcome == "existing"
    found = chosen(wants(0.99), 0.9, 0.1, surety=0.9, deletes=True)
    assert found == Choice(outcome="ask", options=(ONE, TWO))
    assert chosen(wants(0.99), 0.99, 0.01, surety=0.99, deletes=True).outcome == "existing"


def test_without_a_task_there_is_nothing_to_go_on_with() -> None:
    assert chosen(wants(0.9, new=0.06)).outcome == "new"


FOX = task("fox", "Fox in the snow", "A picture of a red fox in the snow")
HARBOUR = task("harbour", "Harbour film", "A film of the old harbour at dawn")
WAITS = task("waits", "Quay song", "A song for the quay", asks="Who sings it? A child A choir")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I looked at it again with my sister and the fox really should look to the left", FOX),
        ("somebody here says that the old harbour is far too dark, could that be changed", HARBOUR),
        ("we have talked about it for long now and we would all like a choir best", WAITS),
    ],
)
def test_the_task_that_the_words_belong_to_is_the_likeliest(text: str, expected: Candidate) -> None:
    shown = MainView(message=text, language="en", candidates=(FOX, HARBOUR, WAITS))
    seen = evidence_of(shown)
    chances = weighing.model().chances(seen.fit)
    assert sum(chances) == pytest.approx(1.0)
    assert seen.tasks[int(np.argmax(chances))] == expected


def test_what_is_nearer_in_meaning_is_likelier() -> None:
    near, far = (
        Candidate(
            task_id=key, title="…", goal="…", status="completed", language="en", meaning=meaning
        )
        for key, meaning in (("near", 0.6), ("far", 0.1))
    )
    shown = MainView(message="no word of it is said", language="en", candidates=(far, near))
    far_chance, near_chance = weighing.model().chances(evidence_of(shown).fit)
    assert near_chance > far_chance


def test_an_engine_that_fails_leaves_a_message_without_meaning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(texts: list[str]) -> list[embedding.Vector]:
        raise RuntimeError(texts)

    monkeypatch.setattr(embedding, "_encode", broken)
    assert not meaning.meaning_of("said while it is broken").any()
