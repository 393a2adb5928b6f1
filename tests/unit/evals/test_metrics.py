"""What counts as right, as a wrong target, and as a question too many or too few."""

import io
from typing import Any

import pytest
from rich.console import Console

from evals.routing import report
from evals.routing.cases import Case
from evals.routing.metrics import Figures, Got, Judged, count, count_by, missed_thresholds
from evals.routing.report import Run

HARBOUR = {"outcome": "existing", "task": "harbour"}
ASK = {"outcome": "ask", "options": ["harbour", "mill"]}
ANSWER = {"outcome": "answer"}
OR_ASK = {"outcome": "ask", "options": ["harbour"], "why": "asking costs one click"}


def judged(
    expect: dict[str, Any],
    got: Got,
    *,
    accept: list[dict[str, Any]] | None = None,
    risk: str = "none",
    language: str = "en",
) -> Judged:
    case = Case.model_validate(
        {
            "id": "one",
            "say": "words that were sent",
            "tags": ["pronoun"],
            "expect": expect,
            "accept": accept or [],
            "risk": risk,
        }
    )
    return Judged(situation="port", case=case, language=language, got=got)


def to(task: str) -> Got:
    return Got(outcome="existing", task=task)


def asked(*options: str) -> Got:
    return Got(outcome="ask", options=list(options))


def seen(each: Judged) -> str:
    """What a case is counted as."""
    names = {
        "right": each.is_right,
        "wrong target": each.is_wrong_target,
        "missed": each.is_missed_question,
        "needless": each.is_needless_question,
    }
    return ", ".join(name for name, holds in names.items() if holds)


@pytest.mark.parametrize(
    ("expect", "got", "counts_as"),
    [
        (HARBOUR, to("harbour"), "right"),
        (HARBOUR, to("mill"), "wrong target"),
        (HARBOUR, to("?"), "wrong target"),
        (HARBOUR, asked("harbour", "mill"), "needless"),
        (HARBOUR, Got(outcome="ask", options=["harbour"], brings_back="harbour"), "right"),
        (HARBOUR, Got(outcome="ask", options=["mill"], brings_back="mill"), "needless"),
        (HARBOUR, Got(outcome="new"), ""),
        (ANSWER, to("mill"), "wrong target"),
        (ANSWER, asked("mill"), "needless"),
        (ANSWER, Got(outcome="answer"), "right"),
        (ANSWER, Got(outcome="none"), ""),
        (ASK, asked("mill", "harbour"), "right"),
        (ASK, asked("mill", "harbour", "lock"), "right"),
        (ASK, asked("mill", "harbour", "lock", "quay"), ""),
        (ASK, asked("harbour"), ""),
        (ASK, Got(outcome="new"), "missed"),
        (ASK, to("harbour"), "wrong target, missed"),
        (ASK, to("lock"), "wrong target, missed"),
    ],
)
def test_a_case_is_counted_as_what_it_was(expect: dict[str, Any], got: Got, counts_as: str) -> None:
    assert seen(judged(expect, got)) == counts_as


@pytest.mark.parametrize(
    ("got", "counts_as"),
    [
        (to("harbour"), "right"),
        (asked("harbour"), "right"),
        (asked("mill"), "needless"),
        (to("mill"), "wrong target"),
    ],
)
def test_an_accepted_alternative_is_right_and_nothing_beside_it(got: Got, counts_as: str) -> None:
    assert seen(judged(HARBOUR, got, accept=[OR_ASK])) == counts_as


def test_the_figures_are_shares_of_what_they_are_about() -> None:
    figures = count(
        [
            judged(HARBOUR, to("harbour"), risk="spends"),
            judged(HARBOUR, to("mill"), risk="deletes"),
            judged(HARBOUR, to("mill")),
            judged(ANSWER, asked("mill")),
            judged(ASK, to("harbour"), risk="spends"),
            judged(ASK, Got(outcome="new")),
            judged(ASK, asked("harbour", "mill")),
            judged(ANSWER, Got(outcome="none")),
        ]
    )
    assert figures == Figures(
        cases=8,
        right=2,
        wrong_targets=3,
        guesses=1,
        risky=3,
        risky_wrong_targets=2,
        needless_questions=1,
        should_ask=3,
        missed_questions=2,
        unrouted=1,
    )
    assert figures.accuracy == 2 / 8
    assert figures.wrong_target_rate == 3 / 8
    assert figures.needless_question_rate == 1 / 5
    assert figures.missed_question_rate == 2 / 3


def test_nothing_at_all_has_figures_too() -> None:
    assert count([]).as_json()["missed_question_rate"] == 0.0


def test_groups_count_their_own_cases() -> None:
    cases = [
        judged(HARBOUR, to("harbour"), language="de"),
        judged(HARBOUR, to("mill"), language="de"),
        judged(ASK, to("mill"), language="fr"),
    ]
    groups = count_by(cases, lambda each: [each.language])
    assert {name: (each.cases, each.right) for name, each in groups.items()} == {
        "de": (2, 1),
        "fr": (1, 0),
    }


@pytest.mark.parametrize(
    ("right", "wrong", "risk", "missed"),
    [
        (100, 0, "none", []),
        (99, 1, "none", []),
        (99, 1, "deletes", ["1 wrong targets would spend or delete; none may"]),
        (98, 2, "none", ["wrong targets are 2.0%, above 1%"]),
        (
            94,
            6,
            "spends",
            [
                "accuracy is 94.0%, below 95%",
                "wrong targets are 6.0%, above 1%",
                "6 wrong targets would spend or delete; none may",
            ],
        ),
    ],
)
def test_thresholds_are_missed_with_a_sentence_each(
    right: int, wrong: int, risk: str, missed: list[str]
) -> None:
    cases = [judged(HARBOUR, to("harbour"))] * right
    cases += [judged(HARBOUR, to("mill"), risk=risk)] * wrong
    assert missed_thresholds(count(cases)) == missed


def test_single_cases_are_written_only_where_they_may_be_looked_at() -> None:
    run = Run(model="m", half="unseen", seconds=1.0, judged=[judged(HARBOUR, to("mill"))])
    assert "words that were sent" in str(report.as_json(run, reveals=True))
    assert "words that were sent" not in str(report.as_json(run, reveals=False))


def test_a_report_shows_the_figures_and_the_wrong_ones() -> None:
    run = Run(
        model="m",
        half="dev",
        seconds=1.0,
        judged=[judged(HARBOUR, to("mill"), risk="spends"), judged(ASK, asked("harbour", "mill"))],
    )
    console = Console(record=True, width=200, file=io.StringIO())
    report.show(console, run)
    report.show_wrong(console, run)
    assert report.show_thresholds(console, run) is False
    said = console.export_text()
    assert "50.0% (1)" in said
    assert "spend or delete (1 messages): 1 wrong targets" in said
    assert "expected existing harbour, got existing mill" in said
    assert "expected ask" not in said
