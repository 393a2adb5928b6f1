"""Where a command is to write is looked at before anything is made, and nothing is lost there."""

from collections.abc import Callable
from pathlib import Path

import pytest

from evals import replay
from evals.__main__ import main
from tests.unit.evals.reports_samples import sample, write_all

type Spoilt = Callable[[Path], object]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one record; no trial may begin."""

    def never(**_: object) -> None:
        pytest.fail("a trial begins")

    monkeypatch.setattr(replay, "laboratory", never)
    write_all(tmp_path / "run", [sample("double-click", 1)])
    return tmp_path / "run"


def refused(capsys: pytest.CaptureFixture[str], *arguments: Path | str) -> str:
    assert main([str(one) for one in arguments]) == 1
    return capsys.readouterr().err.strip()


def test_a_replay_is_not_made_where_its_record_cannot_be_kept(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (record,) = run.glob("*.jsonl")
    kept = record.read_bytes()
    there = f"{record} is there already: name another file."
    assert refused(capsys, "replay", record, "--out", run) == f"{run} is a folder: name a file."
    assert refused(capsys, "replay", record, "--out", record) == there
    nowhere = run / "gone" / "again.jsonl"
    said = f"There is no folder {nowhere.parent} to write again.jsonl to."
    assert refused(capsys, "replay", record, "--out", nowhere) == said
    assert record.read_bytes() == kept


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda file: file.write_bytes(b"\x88\x89"), "is no record of a trial. It is not UTF-8."),
        (lambda file: file.write_text("", "utf-8"), "It breaks off before its outcome."),
        (lambda file: file.write_text(file.read_text("utf-8")[:-9], "utf-8"), "A line is none of"),
        (lambda file: file.unlink(), "cannot be read: No such file or directory."),
    ],
)
def test_what_is_no_record_is_not_replayed(
    run: Path, capsys: pytest.CaptureFixture[str], spoil: Spoilt, said: str
) -> None:
    (record,) = run.glob("*.jsonl")
    spoil(record)
    told = refused(capsys, "replay", record)
    assert said in told
    assert "pydantic" not in told


def test_a_comparison_is_written_to_a_file(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "compare", run, run, "--markdown", run)
    assert said == f"{run} is a folder: name a file."
    assert main(["compare", str(run), str(run), "--markdown", str(run / "found.md")]) == 0
    assert (run / "found.md").read_text("utf-8")


def test_a_folder_that_is_not_there_is_not_called_empty(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = run / "gone"
    assert refused(capsys, "report", gone) == f"{gone} is no folder."
    assert refused(capsys, "report", run, "--baseline", gone) == f"{gone} is no folder."
    (record,) = run.glob("*.jsonl")
    told = refused(capsys, "report", run, "--to", record)
    assert told == f"The report cannot go to {record}: File exists."


def test_a_report_names_what_it_could_not_read(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "half.jsonl").write_bytes(b"\x88")
    assert main(["report", str(run)]) == 0
    assert "half.jsonl: It is not UTF-8.\n" in capsys.readouterr().out
