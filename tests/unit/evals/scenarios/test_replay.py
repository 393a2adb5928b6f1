"""What was done is done again at its place in what is shown, and what differs is told."""

from random import Random
from typing import Any

import pytest

from evals.reports.diff import differences
from evals.reports.lanes import in_lanes
from evals.scenarios.policies import Doing, Wait
from evals.scenarios.replay import GRACE_S, Replay, replayed
from evals.scenarios.view import Told, View
from evals.trials import Happening, Outcome, Record, Track, Trial
from infra.errors import ConfigurationError

TRIAL = Trial(
    scenario="owls",
    why="two posters",
    seed=1,
    faults="none",
    policy="script",
    commit="abc",
    began_at="2026-11-30T12:00:00+00:00",
)
OUTCOME = Outcome(
    ended="done", reason="", passed=True, checks=[], metrics={}, virtual_s=0, wall_s=0
)
OPTIONS = [{"id": "7d1f", "label": "The owls"}, {"id": "new", "label": "Something new"}]
ROUTE: dict[str, Any] = {
    "id": "q1",
    "task_id": None,
    "kind": "route",
    "title": "Which work?",
    "status": "pending",
    "actions": ["choose"],
    "options": OPTIONS,
}


def happened(track: Track, what: str, at_s: float, **data: Any) -> Happening:
    return Happening(number=1, at_s=at_s, track=track, what=what, told=what, data=data)


def did(at_s: float, act: dict[str, Any], question: str | None = None) -> Happening:
    return happened("person", next(iter(act)), at_s, act=act, question_id=question)


def record(*happenings: Happening) -> Record:
    return Record(trial=TRIAL, happenings=list(happenings), outcome=OUTCOME)


ASKED_TWICE = record(
    did(0.0, {"say": "Two posters", "begins": "owls"}),
    happened("agent", "approval.requested", 10.0, **ROUTE),
    happened("job", "job.progress", 20.0),
    did(30.0, {"decide": "choose", "choice": "7d1f"}, "q1"),
    happened("job", "job.succeeded", 40.0, id="j1", step_key="a", slot=1, title="Poster"),
    did(45.0, {"leave": True}),
)


def show(view: View, event: str, at_s: float, **data: Any) -> None:
    view.now_s = max(view.now_s, at_s)
    view.hear(Told(seq=view.seq + 1, at_s=at_s, type=event, task_id=None, data=data))


async def ask(person: Replay, view: View) -> list[Doing]:
    wanted = await person.next(view, Random(1))  # noqa: S311 - a person
    return [] if isinstance(wanted, Wait) else wanted


async def test_each_thing_is_done_after_what_had_been_shown_and_as_long_after_it() -> None:
    person, view = replayed(ASKED_TWICE), View()
    (say,) = await ask(person, view)
    assert (say.act.say, say.at_s) == ("Two posters", 0.0)
    assert await ask(person, view) == [], "the question has not been asked yet"
    show(view, "approval.requested", 15.0, **ROUTE)
    (answer,) = await ask(person, view)
    assert (answer.act.decide, answer.at_s) == ("choose", 35.0)
    view.now_s = 45.0
    assert await ask(person, view) == [], "progress is no event to wait for, success is"
    show(view, "job.succeeded", 50.0, id="j2")
    (leave,) = await ask(person, view)
    assert (leave.act.leave, leave.at_s) == (True, 55.0)
    assert person.is_through


async def test_a_question_and_an_option_are_those_at_the_same_place() -> None:
    person, view = replayed(ASKED_TWICE), View()
    await ask(person, view)
    options = [OPTIONS[0] | {"id": "another"}, OPTIONS[1]]
    show(view, "approval.requested", 10.0, **(ROUTE | {"id": "q9", "options": options}))
    (answer,) = await ask(person, view)
    assert answer.question is not None
    assert (answer.question["id"], answer.act.choice) == ("q9", "another")


async def test_what_waits_for_what_does_not_come_is_done_late() -> None:
    person, view = replayed(ASKED_TWICE), View()
    await ask(person, view)
    assert await person.next(view, Random(1)) == Wait(30.0 + GRACE_S)  # noqa: S311 - a person
    view.now_s = 30.0 + GRACE_S
    (answer,) = await ask(person, view)
    assert (answer.act.decide, answer.question) == ("choose", None)
    assert answer.at_s <= view.now_s


async def test_what_a_record_does_not_say_cannot_be_done_again() -> None:
    with pytest.raises(ConfigurationError, match="cannot be done again"):
        replayed(record(happened("person", "say", 1.0, text="Two posters")))


def job(name: str, what: str, at_s: float) -> Happening:
    return happened("job", f"job.{what}", at_s, id=name, step_key="a", slot=1, title=name)


def test_which_of_two_jobs_ends_first_is_no_difference() -> None:
    begun = [job("first", "submitted", 1.0), job("other", "submitted", 1.0)]
    ended = [job("first", "succeeded", 2.0), job("other", "succeeded", 3.0)]
    one, other = record(*begun, *ended), record(*begun, *reversed(ended))
    assert differences(one, other).first is not None
    assert differences(in_lanes(one), in_lanes(other)).first is None


def test_a_job_that_ends_before_it_was_sent_is_one() -> None:
    told = [job("first", "submitted", 1.0), job("first", "succeeded", 2.0)]
    found = differences(in_lanes(record(*told)), in_lanes(record(*reversed(told))))
    assert found.first is not None


def test_every_difference_is_told_in_order() -> None:
    before = record(job("first", "submitted", 1.0), happened("agent", "task.stopped", 9.0))
    found = differences(in_lanes(before), in_lanes(record()))
    assert [each.partition(": ")[2] for each in found.all] == [
        "job job.submitted (“job.submitted”) is missing.",
        "agent task.stopped (“task.stopped”) is missing.",
    ]


def test_how_long_something_took_is_none() -> None:
    one, other = (
        record().model_copy(update={"outcome": OUTCOME.model_copy(update={"metrics": given})})
        for given in ({"reading_p50_s": 1.0, "nudges": 0}, {"reading_p50_s": 3.0, "nudges": 0})
    )
    assert differences(in_lanes(one), in_lanes(other)).first is None
