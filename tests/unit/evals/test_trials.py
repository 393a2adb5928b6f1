"""A record of a trial is read as it was written, or not at all."""

from pathlib import Path

import pytest

from evals.trials import Check, Happening, Outcome, Trial, read, write

TRIAL = Trial(
    scenario="posters",
    why="A series is made.",
    seed=1,
    faults="none",
    policy="script",
    commit="0" * 40,
    began_at="2026-11-30T12:00:00+00:00",
)
SAID = Happening(number=1, at_s=0.0, track="person", what="say", told="Three posters about tea")
DONE = Outcome(
    ended="done",
    reason="Everything is delivered.",
    passed=True,
    checks=[Check(name="posters", passed=True, told="3 of 3")],
    metrics={"nudges": 0},
    virtual_s=60.0,
    wall_s=2.5,
)


@pytest.mark.parametrize("between", [" ", "\n", "\r\n", "\x85", "\u2028", "\u2029", "\x0c", "\x1e"])
def test_a_record_is_read_as_it_was_written(tmp_path: Path, between: str) -> None:
    said = SAID.model_copy(update={"told": f"Three posters{between}about tea"})
    write(tmp_path / "trial.jsonl", [TRIAL, said, DONE])
    record = read(tmp_path / "trial.jsonl")
    assert (record.trial, record.happenings, record.outcome) == (TRIAL, [said], DONE)


@pytest.mark.parametrize("lines", [[], [TRIAL, SAID], [SAID, DONE], [TRIAL]])
def test_what_breaks_off_is_no_record(
    tmp_path: Path, lines: list[Trial | Happening | Outcome]
) -> None:
    write(tmp_path / "trial.jsonl", lines)
    with pytest.raises(ValueError, match="no whole record"):
        read(tmp_path / "trial.jsonl")
