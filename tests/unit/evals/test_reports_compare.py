"""Two runs side by side, and two records as logs: what is worse is found, what is noise is not."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from evals.__main__ import main
from evals.reports.comparison import compare
from evals.reports.diff import differences
from evals.reports.folder import Folder, Key, key_of
from evals.reports.tables import as_markdown
from evals.trials import Happening, Record
from tests.unit.evals.reports_samples import HOSTILE, ending, failing, sample, write_all

GOOD = [sample(name, seed) for name in ("double-click", "poster-series") for seed in (1, 2)]
FIRST = Key("double-click", 1, "none")


def folder_of(records: list[Record]) -> Folder:
    return Folder(Path("run"), {key_of(record): record for record in records})


def with_first(changed: Record) -> list[Record]:
    return [changed, *GOOD[1:]]


# ---------------------------------------------------------------- two runs


def test_what_is_new_gone_fixed_and_broken_is_named() -> None:
    failed = ending(GOOD[1], passed=False)
    before = folder_of([GOOD[0], failed, GOOD[2]])
    broken = ending(GOOD[0], passed=False)
    found = compare(before, folder_of([broken, GOOD[1], GOOD[3]]))
    assert found.lost == [FIRST]
    assert found.fixed == [Key("double-click", 2, "none")]
    assert found.gone == [Key("poster-series", 1, "none")]
    assert f"{found.gone[0]}: it was judged before and is not there now." in found.worse
    assert found.new == [Key("poster-series", 2, "none")]
    assert found.unjudged == []


def test_a_trial_that_broke_is_neither_fixed_nor_lost() -> None:
    broke = ending(failing(GOOD[0], "", "", "", lost_messages=3), ended="broken")
    found = compare(folder_of(GOOD), folder_of(with_first(broke)))
    assert (found.lost, found.worse, found.unjudged) == ([], [], [FIRST])


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (failing(GOOD[0], "", "", "", lost_messages=1), "1 lost messages (was 0)"),
        (failing(GOOD[0], "", "", "", missed_confirmations=2), "2 missed confirmations (was 0)"),
        (ending(GOOD[0], ended="deadlock", passed=False), "1 deadlocks (was 0)"),
        (ending(GOOD[0], invariants_broken=["holds"], passed=False), "1 invariants broken (was 0)"),
        (ending(GOOD[0], metrics={}), "nudges were measured before and are not now"),
    ],
)
def test_a_lost_gate_ends_with_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: Record, told: str
) -> None:
    write_all(tmp_path / "a", GOOD)
    write_all(tmp_path / "b", with_first(changed))
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 1
    assert f"Worse: {FIRST}: {told}" in capsys.readouterr().out


def test_a_violation_is_not_balanced_by_one_that_went_elsewhere() -> None:
    before = folder_of(with_first(failing(GOOD[0], "", "", "", lost_messages=1)))
    moved = [*GOOD[:3], failing(GOOD[3], "", "", "", lost_messages=1)]
    assert compare(before, folder_of(moved)).worse == [
        "poster-series, seed 2, no faults: 1 lost messages (was 0)."
    ]


def test_a_new_trial_may_violate_nothing() -> None:
    found = compare(
        folder_of(GOOD[1:]), folder_of(with_first(failing(GOOD[0], "", "", "", nudges=1)))
    )
    assert found.worse == [f"{FIRST}: 1 nudges (nothing to compare it with)."]


@pytest.mark.parametrize(
    "changed",
    [
        GOOD[0],
        ending(GOOD[0], passed=False),
        failing(GOOD[0], "", "", "", repeated_requirements=5),
    ],
)
def test_what_loses_no_gate_ends_with_nought(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: Record
) -> None:
    write_all(tmp_path / "a", GOOD)
    write_all(tmp_path / "b", with_first(changed))
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 0
    assert "No gate was lost." in capsys.readouterr().out


def test_a_run_that_broke_as_a_whole_is_not_called_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_all(tmp_path / "a", GOOD)
    write_all(tmp_path / "b", [ending(each, ended="broken") for each in GOOD])
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 1
    assert "can be judged: all of them broke." in capsys.readouterr().err


def test_rates_powers_and_metrics_are_told_with_their_deltas(tmp_path: Path) -> None:
    write_all(tmp_path / "a", GOOD)
    worse = failing(GOOD[0], "", "", "", repeated_requirements=3)
    write_all(tmp_path / "b", with_first(worse))
    written = tmp_path / "compared.md"
    folders = [str(tmp_path / "a"), str(tmp_path / "b")]
    assert main(["compare", *folders, "--markdown", str(written)]) == 0
    text = written.read_text("utf-8")
    row = "| double-click | 2/2 (100%) | 1/2 (50%) | −50 pp | 1.00 (k=2) | 0.00 (k=2) |"  # noqa: RUF001
    assert row in text
    assert "| double-click | repeated requirements | 0 | 1.5 | +1.5 |" in text
    assert "| all | repeated requirements | 0 | 0.75 | +0.75 |" in text
    assert "**Broken: passed before, fail now** (1): double-click, seed 1, no faults" in text


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_name_stays_a_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    named = failing(GOOD[0], "", "", "", lost_messages=1)
    named = named.model_copy(update={"trial": named.trial.model_copy(update={"scenario": text})})
    write_all(tmp_path / "a", GOOD)
    write_all(tmp_path / "b", [named, *GOOD])
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 1
    assert "\x1b[31m" not in capsys.readouterr().out
    found = as_markdown(compare(folder_of(GOOD), folder_of([named, *GOOD])))
    assert not re.search(r"[<@`]|\]\(", found)


# ---------------------------------------------------------------- two records


def again(record: Record, change: Callable[[str], str] = lambda line: line) -> Record:
    """Return a record as a second run would leave it: with other ids and times."""
    ids = {
        each: str(uuid4()) for each in set(re.findall(r"[0-9a-f]{8}-[0-9a-f-]{27}", str(record)))
    }
    text = record.model_dump_json()
    for old, new in ids.items():
        text = text.replace(old, new)
    drawn = Record.model_validate_json(change(text))
    happenings = [each.model_copy(update={"at_s": each.at_s * 1.07}) for each in drawn.happenings]
    trial = drawn.trial.model_copy(
        update={"began_at": "2027-01-01T00:00:00+00:00", "commit": "f" * 40}
    )
    later = ending(drawn, wall_s=99.0, virtual_s=drawn.outcome.virtual_s * 1.07)
    return later.model_copy(update={"happenings": happenings, "trial": trial})


def happening(what: str, told: str = "", **data: Any) -> Happening:
    return Happening(number=1, at_s=0, track="agent", what=what, told=told, data=data)


def of(*happenings: Happening) -> Record:
    return GOOD[0].model_copy(update={"happenings": list(happenings)})


def test_other_ids_and_times_are_no_difference() -> None:
    record = sample("change-mind-mid-render", 1, faults=True)
    found = differences(record, again(record))
    assert found.first is None
    assert found.equal == found.before == found.after > len(record.happenings)
    assert found.told == f"The logs are equal: {found.equal} of {found.equal} lines are equal."


@pytest.mark.parametrize(
    "told",
    [
        "at 2026-11-30T12:00:00.5Z",
        "from http://127.0.0.1:40123/x",
        "with sha 5f2c9a0e1b7d4c3e8a9f",
    ],
)
def test_drawn_values_in_a_text_are_no_difference(told: str) -> None:
    other = re.sub(r"12:00:00\.5|40123|5f2c9a0e1b7d4c3e8a9f", _other, told)
    assert other != told
    first, second = happening("step.finished", told), happening("step.finished", other)
    assert differences(of(first), of(second)).first is None


def _other(found: re.Match[str]) -> str:
    return {"12:00:00.5": "13:10:01", "40123": "40999"}.get(found.group(), "0a1b2c3d4e5f60718293")


def test_a_missing_event_is_named_and_the_rest_stays_equal() -> None:
    record = sample("change-mind-mid-render", 1)
    second = again(record)
    del second.happenings[3]
    found = differences(record, second)
    assert (
        found.first
        == "Line 4: agent approval.requested (“Asks whether 0.90 may be spent”) is missing."
    )
    assert found.equal == found.before - 1 == found.after


def test_a_new_event_is_named() -> None:
    record = sample("double-click", 1)
    second = again(record)
    second.happenings.insert(2, happening("job.submitted", "A second order"))
    found = differences(record, second)
    assert found.first == "Line 3: agent job.submitted (“A second order”) is new."


def test_a_missing_event_is_not_taken_for_its_twin() -> None:
    turn = [happening("step.started"), happening("step.finished", "a"), happening("step.started")]
    found = differences(of(*turn), of(*turn[1:]))
    assert found.first == "Line 1: agent step.started is missing."


def test_a_swapped_order_is_found() -> None:
    record = sample("double-click", 1)
    second = again(record)
    happened = second.happenings
    happened[4], happened[5] = happened[5], happened[4]
    found = differences(record, second)
    assert found.first == (
        "Line 5: money money.held (“0.04 held”) comes earlier now; here was person decide"
        " (“Approves the plan”)."
    )
    assert found.equal == found.before - 1


def test_the_same_words_about_another_thing_are_a_difference() -> None:
    one, two = str(uuid4()), str(uuid4())
    first = of(*(happening("job.submitted", id=each) for each in (one, two)),
               *(happening("job.succeeded", id=each) for each in (one, two)))  # fmt: skip
    second = of(*(happening("job.submitted", id=each) for each in (one, two)),
                *(happening("job.succeeded", id=each) for each in (two, one)))  # fmt: skip
    found = differences(first, second)
    assert found.first == "Line 3: agent job.succeeded is about another thing than before."
    assert found.equal == found.before - 2


def test_a_changed_value_is_told_field_by_field() -> None:
    before, after = (
        happening("plan", price=1.5, steps=[{"n": 1}]),
        happening("plan", steps=[{"n": 2}]),
    )
    assert differences(of(before), of(after)).first == (
        "Line 1, agent plan: data.price was “1.5” and is nothing;"
        " data.steps[0].n was “1” and is “2”."
    )


def test_of_many_changed_values_the_first_are_told_and_the_rest_counted() -> None:
    told = []
    for changed in (3, 4, 5):
        before, after = (
            happening("plan", **{f"field{n}": value for n in range(changed)}) for value in (1, 2)
        )
        told.append(differences(of(before), of(after)).first)
    first = "; ".join(f"data.field{n} was “1” and is “2”" for n in range(3))
    assert told == [
        f"Line 1, agent plan: {first}{rest}." for rest in ("", "; and 1 more", "; and 2 more")
    ]


def test_another_end_is_a_difference() -> None:
    record = sample("double-click", 1)
    other = again(failing(record, record.outcome.reason, "no nudges", "There was 1.", nudges=1))
    found = differences(record, other)
    assert found.first == (
        f"Line {len(record.happenings) + 1}, the outcome: passed was “True” and is “False”."
    )


def test_records_of_different_trials_are_told_first() -> None:
    found = differences(sample("double-click", 1), sample("double-click", 2))
    assert found.first == "They are of different trials: seed was “1” and is “2”."


def test_how_often_progress_was_told_is_no_difference() -> None:
    ticks = [happening("job.progress", progress=each / 10) for each in range(9)]
    assert differences(of(happening("say")), of(*ticks, happening("say"))).first is None


def test_a_text_that_looks_like_an_id_set_aside_is_told_from_one() -> None:
    found = differences(of(happening("say", f"{uuid4()}")), of(happening("say", "<id>")))
    assert found.first == "Line 1: agent say (“<id>”) is about another thing than before."
