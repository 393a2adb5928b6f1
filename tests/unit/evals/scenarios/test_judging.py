"""A trial passes when all of it holds, and chances are counted over sound trials."""

import argparse
from typing import Any

import pytest

from evals import metrics
from evals.__main__ import main
from evals.scenarios import command, judging
from evals.scenarios.schema import Fault, Scenario
from evals.scenarios.trial import End
from infra.crash_points import CrashPoint

FIGURES = {measure.__name__: 0.0 for measure in metrics.MEASURES}
SCENARIO: dict[str, Any] = {
    "id": "teapots",
    "why": "a series is made",
    "user": {
        "script": [{"when": "start", "do": {"say": "Two posters", "begins": "pots"}}],
        "requirements": [{"id": "two", "say": "two posters", "check": "pots.images == 2"}],
    },
    "expect": {"state": ["pots.status == completed"]},
}
FACTS = {"pots.images": 2, "pots.status": "completed"}
DONE = End("done", "Everything is as it was wished.")


def failed(change: dict[str, Any] | None = None, **given: Any) -> set[str]:
    scenario = Scenario.model_validate(SCENARIO | (change or {}))
    made = {"end": DONE, "facts": FACTS, "figures": FIGURES} | given
    return {each.name for each in judging.checks(scenario, **made) if not each.passed}


def test_what_holds_passes() -> None:
    assert failed() == set()


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"end": End("deadlock", "Nothing moves.")}, "ends"),
        ({"facts": FACTS | {"pots.images": 1}}, "two: two posters"),
        ({"facts": {"pots.images": 2}}, "pots.status == completed"),
        ({"figures": FIGURES | {"nudges": 1.0}}, "nudges"),
        ({"figures": FIGURES | {"duplicate_generations": 1.0}}, "duplicate_generations"),
    ],
)
def test_what_does_not_hold_is_named(given: dict[str, Any], name: str) -> None:
    assert failed(**given) == {name}


def test_faults_that_never_came_fail_a_trial_that_was_to_survive_them() -> None:
    kill, outage = Fault(kill=CrashPoint.JOB_SUBMITTING), Fault(vendor="fal", outage=5)
    assert judging.of_faults([], []) == []
    assert [each.passed for each in judging.of_faults([kill, outage], [])] == [True]
    (check,) = judging.of_faults([kill, outage], [kill])
    assert (check.name, check.passed) == ("faults", False)
    assert check.told == f"never happened: {kill.told}"


def test_a_scenario_may_have_another_gate_with_a_reason() -> None:
    expect = {"expect": {"metrics": {"nudges": 2}, "why": "nobody could know"}}
    assert failed(expect, figures=FIGURES | {"nudges": 2.0}) == set()
    assert failed(expect, figures=FIGURES | {"nudges": 3.0}) == {"nudges"}


def test_pass_hat_is_the_chance_that_k_trials_all_pass() -> None:
    assert command.pass_hat(3, 3) == [1.0, 1.0, 1.0]
    assert command.pass_hat(2, 3) == [pytest.approx(2 / 3), pytest.approx(1 / 3), 0.0]
    assert command.pass_hat(0, 0) == []


def test_a_scenario_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--scenario", "nowhere"]) == 1
    assert "There is no scenario nowhere. There is:" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--seeds", "one"], ["--faults", "some"]])
def test_an_option_that_means_nothing_is_refused(wrong: list[str]) -> None:
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(wrong)
