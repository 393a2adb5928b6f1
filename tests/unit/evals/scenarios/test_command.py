"""`python -m evals run` refuses what makes no sense before anything is started."""

import asyncio
import signal
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evals import trials
from evals.__main__ import main
from evals.scenarios import command
from evals.scenarios.laboratory import Faults
from evals.scenarios.schema import Scenario
from evals.trials import Line
from tests.unit.evals.reports_samples import sample

CALM = """
id: calm
why: a series is made
user:
  script:
    - when: start
      do: {say: "Three posters about teapots", begins: pots}
done: [pots.status == completed]
"""
STRUCK = CALM.replace("id: calm", "id: struck") + "faults: [{drop_stream: true}]\n"


@pytest.fixture
def ours(tmp_path: Path) -> str:
    folder = tmp_path / "scenarios"
    folder.mkdir()
    (folder / "calm.yaml").write_text(CALM, encoding="utf-8")
    (folder / "struck.yaml").write_text(STRUCK, encoding="utf-8")
    return str(folder)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Tell of each trial that is made; the second one is never over, and Ctrl-C is pressed."""
    begun: list[str] = []

    class Place:
        async def attempt(self, scenario: Scenario, seed: int, faults: Faults) -> list[Line]:
            begun.append(f"{scenario.id} {seed} {faults}")
            if len(begun) > 1:
                signal.raise_signal(signal.SIGINT)
                await asyncio.Event().wait()
            record = sample("double-click", seed)
            return [record.trial, *record.happenings, record.outcome]

    @contextmanager
    def laboratory(*, cast: object) -> Generator[Place]:
        del cast
        yield Place()

    monkeypatch.setattr(command, "laboratory", laboratory)
    return begun


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--seeds", "1,1"], "1 is named twice"),
        (["--seeds", "1,01"], "1 is named twice"),
        (["--seeds=-1"], "-1 is no seed: they are whole numbers from 0 on"),
        (["--seeds", "one"], "one is no list of numbers"),
        (["--at-once", "0"], "0 is no number from 1 to 4"),
        (["--at-once=-2"], "-2 is no number from 1 to 4"),
        (["--at-once", "5"], "5 is no number from 1 to 4"),
        (["--at-once", "many"], "many is no number from 1 to 4"),
        (["--faults", "some"], "some must be of none and listed"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(
    given: list[str], said: str, capsys: pytest.CaptureFixture[str], started: list[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", *given])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
    assert started == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--faults", "listed", "--scenario", "calm"], "No faults are listed in calm, so"),
        (["--faults", "listed", "--scenario", "calm", "--scenario", "struck"], "listed in calm"),
        (["--scenario", "cups"], "There is no scenario cups. There is: calm, struck."),
    ],
)
def test_what_there_is_nothing_of_is_told(
    given: list[str], said: str, ours: str, capsys: pytest.CaptureFixture[str], started: list[str]
) -> None:
    assert main(["run", "--files", ours, *given]) == 1
    assert said in capsys.readouterr().err
    assert started == []


def test_records_go_where_there_are_none(
    tmp_path: Path, ours: str, capsys: pytest.CaptureFixture[str], started: list[str]
) -> None:
    old = tmp_path / "old" / "inner"
    old.mkdir(parents=True)
    (old / "calm.1.none.jsonl").touch()
    (tmp_path / "file").touch()
    for out, said in (
        ("old", "has records of an earlier run: name another folder."),
        ("file", "The records cannot go to"),
        ("file/below", "The records cannot go to"),
    ):
        assert main(["run", "--files", ours, "--out", str(tmp_path / out)]) == 1
        assert said in capsys.readouterr().err
    assert started == []


def test_a_broken_file_stops_a_run_before_it_begins(
    tmp_path: Path, ours: str, capsys: pytest.CaptureFixture[str], started: list[str]
) -> None:
    (Path(ours) / "broken.yaml").write_text("id: 5", encoding="utf-8")
    out = tmp_path / "out"
    assert main(["run", "--files", ours, "--out", str(out)]) == 1
    assert capsys.readouterr().err.startswith("broken.yaml: line 1: ")
    assert started == []
    assert not out.exists()


def test_a_run_that_is_stopped_tells_what_is_kept(
    tmp_path: Path, ours: str, capsys: pytest.CaptureFixture[str], started: list[str]
) -> None:
    out = tmp_path / "new" / "out"
    assert (
        main(["run", "--files", ours, "--seeds", "1", "--at-once", "1", "--out", str(out)]) == 130
    )
    assert started == ["calm 1 none", "struck 1 none"]
    assert trials.read(out / "calm.1.none.jsonl")
    assert (
        f"Stopped: the records of 1 of 3 trials are kept in {out}. Their report:"
        f" .venv/bin/python -m evals report {out}\n"
    ) in capsys.readouterr().out


def test_a_run_that_is_stopped_leaves_no_empty_folder(
    tmp_path: Path, ours: str, capsys: pytest.CaptureFixture[str], started: list[str]
) -> None:
    started.append("one before")
    out = tmp_path / "new" / "out"
    assert main(["run", "--files", ours, "--out", str(out)]) == 130
    assert "none of 9 trials had ended, and nothing is kept" in capsys.readouterr().out
    assert not (tmp_path / "new").exists()
