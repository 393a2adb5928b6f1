"""What cannot be a record is none, and is told with the name of its file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.reports.folder import load
from evals.trials import FORMAT
from infra.errors import ConfigurationError
from tests.unit.evals.reports_samples import sample, write_all

type Lines = list[dict[str, Any]]


def _two_trials(lines: Lines) -> Lines:
    return [lines[0], *lines]


def _two_outcomes(lines: Lines) -> Lines:
    return [*lines, lines[-1]]


def _another_format(lines: Lines) -> Lines:
    return [{**lines[0], "format": FORMAT + 1, "mood": "new"}, *lines[1:]]


def _failed_check(lines: Lines) -> Lines:
    check = {"name": "three posters", "passed": False, "told": "2"}
    return [*lines[:-1], {**lines[-1], "checks": [check]}]


def _broken_promise(lines: Lines) -> Lines:
    return [*lines[:-1], {**lines[-1], "invariants_broken": ["money adds up"]}]


def _broke(lines: Lines) -> Lines:
    return [*lines[:-1], {**lines[-1], "ended": "broken"}]


def _nonsense(lines: Lines) -> Lines:
    return [{**lines[0], "seed": "first"}, *lines[1:]]


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (_two_trials, "It has more than one trial or more than one outcome."),
        (_two_outcomes, "It has more than one trial or more than one outcome."),
        (_another_format, "Its format is 2, and only 1 can be read."),
        (_failed_check, "It says that it passed, and what failed is there: three posters."),
        (_broken_promise, "It says that it passed, and what failed is there: money adds up."),
        (_broke, "It says that it passed, and what failed is there: broken."),
        (_nonsense, "A line is none of a record: trial.seed: 'first' is no whole number."),
    ],
)
def test_what_cannot_be_a_record_is_told(
    tmp_path: Path, spoil: Callable[[Lines], Lines], problem: str
) -> None:
    write_all(tmp_path, [sample("double-click", 1)])
    path = next(tmp_path.glob("*.jsonl"))
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert lines[-1]["passed"]
    path.write_text("".join(f"{json.dumps(each)}\n" for each in spoil(lines)), "utf-8")
    folder = load(tmp_path)
    assert folder.records == {}
    assert [(each.name, each.problem) for each in folder.unread] == [(path.name, problem)]


def test_both_files_of_one_trial_are_named(tmp_path: Path) -> None:
    write_all(tmp_path / "a", [sample("double-click", 1)])
    write_all(tmp_path / "b", [sample("double-click", 1)])
    name = next((tmp_path / "a").iterdir()).name
    with pytest.raises(ConfigurationError) as refused:
        load(tmp_path)
    assert f"a/{name} and b/{name}." in refused.value.message
