"""A folder of records as figures, as a page and as JUnit: right, complete, and never obeyed."""

import base64
import hashlib
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from evals import metrics
from evals.__main__ import main
from evals.reports import figures
from evals.reports.figures import Rate
from evals.reports.folder import Folder, Key, key_of, load
from evals.reports.junit import junit
from evals.reports.page import page
from evals.reports.scale import Scale
from evals.reports.summary import summary
from evals.reports.timeline import bars
from evals.reports.wording import markdown, one_line, span
from evals.trials import Happening, Record
from infra.errors import ConfigurationError
from tests.unit.evals.reports_samples import (
    DAY,
    HOSTILE,
    ending,
    failing,
    sample,
    samples,
    write_all,
)


def folder_of(records: Sequence[Record]) -> Folder:
    return Folder(Path("run"), {key_of(record): record for record in records})


@pytest.fixture(scope="module")
def run() -> Folder:
    """A whole run, each trial with its first happenings."""
    return folder_of(
        [each.model_copy(update={"happenings": each.happenings[:6]}) for each in samples()]
    )


class Page(HTMLParser):
    """The elements of a page, each with its attributes and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.append((self.open[-1], data))

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


# ---------------------------------------------------------------- figures


@pytest.mark.parametrize(
    ("passed", "counted", "powers"),
    [
        (3, 4, [3 / 4, 1 / 2, 1 / 4, 0]),  # C(3,2)/C(4,2) = 3/6, C(3,3)/C(4,3) = 1/4
        (4, 6, [2 / 3, 2 / 5, 1 / 5, 1 / 15, 0, 0]),  # 6/15, 4/20, 1/15
        (2, 2, [1, 1]),
        (0, 2, [0, 0]),
    ],
)
def test_pass_powers_are_what_they_are_by_hand(
    passed: int, counted: int, powers: list[float]
) -> None:
    found = [figures.pass_power(Rate(passed, counted), k) for k in range(1, counted + 1)]
    assert found == pytest.approx(powers)


@pytest.mark.parametrize("k", [0, 4])
def test_a_power_of_more_trials_than_there_are_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match="not defined"):
        figures.pass_power(Rate(2, 3), k)


def test_the_mean_power_is_over_the_scenarios_that_have_so_many_trials() -> None:
    two = [sample("double-click", seed) for seed in (1, 2)]
    three = [sample("poster-series", seed) for seed in (1, 2, 3)]
    three[0] = ending(three[0], passed=False)
    means = figures.mean_powers(folder_of([*two, *three]))
    assert [mean.value for mean in means] == pytest.approx([(1 + 2 / 3) / 2, (1 + 1 / 3) / 2, 0])
    assert [mean.scenarios for mean in means] == [2, 2, 1]


def test_what_the_machine_broke_is_counted_apart() -> None:
    records = [sample("double-click", seed) for seed in (1, 2, 3)]
    records[0] = ending(failing(records[0], "", "", "", nudges=9), ended="broken")
    records[1] = ending(records[1], passed=False)
    folder = folder_of(records)
    assert figures.rate(records) == Rate(1, 2)
    assert figures.tally(folder) == {"failed": 1, "broken": 1, "passed": 1}
    assert figures.total(records, "nudges") == 0
    assert len(figures.mean_powers(folder)) == 2


def test_recovery_is_of_the_scenarios_that_were_tried_both_ways() -> None:
    calm = [sample("double-click", seed) for seed in (1, 2)]
    struck = [sample("double-click", seed, faults=True) for seed in (1, 2)]
    struck[0] = ending(struck[0], passed=False)
    only_calm = ending(sample("poster-series", 1), passed=False)
    found = figures.recovery(folder_of([*calm, *struck, only_calm]))
    assert found.share == 0.5
    assert (found.without, found.listed) == (Rate(2, 2), Rate(1, 2))


def test_recovery_of_nothing_is_not_known() -> None:
    failed = [
        ending(sample("double-click", 1, faults=each), passed=False) for each in (False, True)
    ]
    assert figures.recovery(folder_of([sample("double-click", 1)])).share is None
    assert figures.recovery(folder_of(failed)).share is None


def test_gates_are_summed_and_what_nobody_measured_is_not_zero() -> None:
    record = failing(sample("double-click", 1), "", "", "", nudges=2, lost_messages=1)
    record = ending(record, ended="deadlock", invariants_broken=["a", "b"])
    records = [record, failing(sample("double-click", 2), "", "", "", nudges=1)]
    sums = {gate.name: figures.total(records, gate.name) for gate in figures.GATES}
    assert {name: total for name, total in sums.items() if total is not None} == {
        "nudges": 3,
        "unnecessary_confirmations": 0,
        "missed_confirmations": 0,
        "duplicate_generations": 0,
        "lost_messages": 1,
        "deadlocks": 1,
        "invariants": 2,
    }
    assert sums["stale_uses"] is None, "the sample does not measure it"


def test_gates_are_those_that_trials_are_judged_by() -> None:
    zero = {name for name, most in metrics.GATES.items() if most == 0}
    assert {gate.name for gate in figures.GATES} == zero | {"invariants"}
    assert zero >= metrics.HARD
    assert all(gate.meaning for gate in figures.GATES)


# ---------------------------------------------------------------- the folder


def test_a_killed_trial_is_told_and_counted_as_broken(tmp_path: Path) -> None:
    write_all(tmp_path, [sample("double-click", 1), sample("double-click", 2)])
    killed = min(tmp_path.glob("*.jsonl"))
    killed.write_text("\n".join(killed.read_text("utf-8").splitlines()[:4]), "utf-8")
    (tmp_path / "other.jsonl").write_text('{"kind": "song"}\n', "utf-8")
    (tmp_path / "picture.jsonl").write_bytes(b"\x89PNG")
    folder = load(tmp_path)
    broke_off, other, picture = [each.problem for each in folder.unread]
    assert broke_off == "It breaks off before its outcome."
    assert other == "A line is none of a record: there is no 'song'."
    assert picture == "It is not UTF-8."
    assert figures.tally(folder) == {"failed": 0, "broken": 3, "passed": 1}
    assert "picture.jsonl" in page(folder)
    assert "The only trial that could be judged passed</h1>" in page(folder)
    assert "- picture.jsonl: It is not UTF-8." in summary(folder)


def test_where_nothing_broke_all_passed(tmp_path: Path) -> None:
    write_all(tmp_path, [sample("double-click", 1), sample("double-click", 2)])
    assert "All 2 trials passed</h1>" in page(load(tmp_path))


def test_two_records_of_one_trial_are_refused(tmp_path: Path) -> None:
    write_all(tmp_path, [sample("double-click", 1)] * 2)
    with pytest.raises(ConfigurationError, match="more than one record of double-click, seed 1"):
        load(tmp_path)


def test_the_command_writes_a_report_beside_the_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_all(tmp_path / "run", samples())
    assert main(["report", str(tmp_path / "run")]) == 0
    assert capsys.readouterr().out.startswith("41 passed, 6 failed, 1 broke; pass rate 87.2%.\n")
    written = {path.name for path in (tmp_path / "run").iterdir() if path.suffix != ".jsonl"}
    assert written == {"report.html", "junit.xml", "summary.md"}


def test_a_folder_without_records_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"There are no records (*.jsonl) in {tmp_path}.\n"


# ---------------------------------------------------------------- the page


@pytest.fixture(scope="module")
def html(run: Folder) -> str:
    return page(run)


@pytest.fixture(scope="module")
def shown(html: str) -> Page:
    return Page(html)


def test_the_matrix_has_a_cell_for_each_trial_that_leads_to_it(run: Folder, shown: Page) -> None:
    cells = [each for each in shown.attributes("a") if "sign" in (each.get("class") or "")]
    said = {str(each["title"]): str(each["href"])[1:] for each in cells}
    assert len(said) == len(cells) == len(run.records) == 48
    for place, key in enumerate(run.records, start=1):
        assert [at for each, at in said.items() if each.startswith(f"{key}:")] == [f"trial-{place}"]
    assert [each for each in said if ": failed" in each] == [
        "long-film, seed 3, with faults: failed",
        "a-week-away, seed 3, with faults: failed (deadlock)",
        "change-mind-mid-render, seed 2, with faults: failed",
        "double-click, seed 1, with faults: failed (limit)",
        "impatient, seed 1, no faults: failed",
        "prompt-injection <b>&, seed 1, with faults: failed",
    ]
    assert [each for each in said if ": broke" in each] == ["long-film, seed 2, no faults: broke"]
    ids = [str(attributes["id"]) for _, attributes in shown.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert set(said.values()) <= set(ids)


def test_failing_trials_come_first_and_are_open(shown: Page) -> None:
    kinds = [str(each["class"]) for each in shown.attributes("article")]
    assert kinds == ["trial failed"] * 6 + ["trial broken"] + ["trial passed"] * 41
    pairs = pairwise(shown.elements)
    opened = ["open" in inside for (name, _), (_, inside) in pairs if name == "article"]
    assert opened == [True] * 7 + [False] * 41


def test_a_long_trial_is_listed_whole_but_not_open() -> None:
    record = ending(sample("long-film", 1), passed=False)
    html = page(folder_of([record]))
    assert len(record.happenings) > 400
    assert all(f'id="trial-1-{each.number}"' in html for each in record.happenings)
    assert '<details class="happened"><summary>' in html


def test_an_untried_cell_says_so() -> None:
    html = page(folder_of([sample("double-click", 1), sample("poster-series", 2)]))
    assert html.count("not tried") == 2


def test_the_page_has_no_script_and_loads_nothing(html: str, shown: Page) -> None:
    names = {name for name, _ in shown.elements}
    assert names & {"script", "link", "img", "iframe", "object", "base", "form"} == set()
    for _, attributes in shown.elements:
        assert [name for name in attributes if name.startswith("on") or name == "style"] == []
        assert not (attributes.get("href") or "#").strip("#").startswith(("http", "java", "/"))
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    assert style
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = next(str(each["content"]) for each in shown.attributes("meta") if "content" in each)
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'")
    assert "url(" not in style[1]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_only_ever_text(text: str) -> None:
    record = failing(sample("double-click", 1), text, text, text)
    said = Happening(number=7, at_s=1, track="person", what=text, told=text, data={text: text})
    trial = record.trial.model_copy(
        update={"scenario": text, "why": text, "policy": text, "commit": text, "began_at": text}
        | {"listed": [text]}
    )
    hostile = ending(record, invariants_broken=[text], metrics={text: 1})
    html = page(folder_of([hostile.model_copy(update={"trial": trial, "happenings": [said]})]))
    harmless = page(folder_of([sample("double-click", 1)]))
    found = Page(html)
    assert {name for name, _ in found.elements} <= {name for name, _ in Page(harmless).elements} | {
        "strong", "pre", "bdi", "sup"
    }  # fmt: skip
    used = {name for _, attributes in found.elements for name in attributes}
    assert not {name for name in used if name.startswith("on")}
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\u202a-\u202e]", re.sub("(?s)<pre>.*?</pre>", "", html)
    )
    assert one_line(text, longest=80) in [data for tag, data in found.texts if tag == "code"]


def test_every_control_of_the_page_has_a_name(shown: Page) -> None:
    assert shown.attributes("html") == [{"lang": "en"}]
    headings = [int(name[1]) for name, _ in shown.elements if re.fullmatch("h[1-6]", name)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(headings))
    inputs = shown.attributes("input")
    assert len(inputs) == len(shown.attributes("label")) > 0
    scrolled = [each for _, each in shown.elements if each.get("class") == "wide-table"]
    assert [(each["tabindex"], each["role"], each["aria-labelledby"]) for each in scrolled] == [
        ("0", "region", "matrix")
    ]


# ---------------------------------------------------------------- the timeline


def test_a_week_of_waiting_takes_little_of_the_axis_and_is_told() -> None:
    record = sample("a-week-away", 1)
    scale = Scale([each.at_s for each in record.happenings], record.outcome.virtual_s)
    (cut,) = scale.cuts
    assert span(cut.ends_s - cut.begins_s) == "6 d 21 h"
    assert cut.right - cut.left < 10
    places = [scale.place(each.at_s) for each in record.happenings]
    assert places == sorted(places)
    assert places[0] == 0
    assert scale.place(record.outcome.virtual_s) == pytest.approx(100)
    assert "Grey: empty time, cut out of the axis (6 d 21 h)." in page(folder_of([record]))
    labels = [tick.label for tick in scale.ticks()]
    assert labels[:2] == ["0 s", "30 s"]
    assert "6 d 21 h" in labels
    assert "+30 s" in labels


def test_evenly_spaced_time_is_drawn_to_scale() -> None:
    scale = Scale([0, 600, 1_200, 1_800], 2_400)
    assert not scale.cuts
    assert [scale.place(at_s) for at_s in (0, 600, 1_800)] == pytest.approx([0, 25, 75])


@pytest.mark.parametrize(
    ("times", "end_s"),
    [
        ([], 0),
        ([0, 0], 0),
        ([3], 1),
        ([0, 5, 5 + DAY, 5 + 2 * DAY], 9 * DAY),
        ([number * DAY for number in range(30)], 400 * DAY),
        ([each + day * DAY for day in range(9) for each in (0, 1, 2, 3)], 9 * DAY),
    ],
)
def test_any_axis_goes_from_left_to_right(times: list[float], end_s: float) -> None:
    scale = Scale(times, end_s)
    places = [scale.place(at_s) for at_s in sorted([*times, end_s])]
    assert places == sorted(places)
    assert all(-0.001 <= place <= 100.001 for place in places)
    ticks = [tick.place for tick in scale.ticks()]
    assert all(after - before >= 10 for before, after in pairwise(ticks))


def test_jobs_that_run_side_by_side_have_lanes_of_their_own() -> None:
    def job(at_s: float, what: str, name: str) -> Happening:
        body = {"id": name}
        return Happening(number=1, at_s=at_s, track="job", what=what, told="", data=body)

    found = bars(
        [
            job(0, "job.submitted", "a"),
            job(1, "job.submitted", "b"),
            job(2, "job.succeeded", "a"),
            job(3, "job.submitted", "c"),
            job(4, "job.failed", "b"),
        ],
        9,
    )
    assert [(bar.begins_s, bar.ends_s, bar.lane, bar.ended) for bar in found] == [
        (0, 2, 0, "succeeded"),
        (1, 4, 1, "failed"),
        (3, 9, 0, "open"),
    ]


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "0 s"), (0.44, "0.4 s"), (9.96, "10 s"), (59.7, "1 min"), (65, "1 min 5 s"),
     (3_600, "1 h"), (7 * DAY - 60, "6 d 23 h"), (2 * DAY + 59, "2 d")],
)  # fmt: skip
def test_spans_are_told_with_their_two_largest_units(seconds: float, told: str) -> None:
    assert span(seconds) == told


# ---------------------------------------------------------------- JUnit and the summary


def test_junit_says_what_failed_and_what_broke(run: Folder) -> None:
    root = ET.fromstring(junit(run))  # noqa: S314 — it is our own
    assert root.tag == "testsuites"
    assert [root.get(name) for name in ("tests", "failures", "errors")] == ["48", "6", "1"]
    assert [suite.tag for suite in root] == ["testsuite"] * 8
    for suite in root:
        cases = list(suite)
        assert {case.tag for case in cases} == {"testcase"}
        assert suite.get("tests") == str(len(cases))
        assert all(
            case.get("name") and case.get("classname") == suite.get("name") for case in cases
        )
        assert all(next(iter(case)).tag == "properties" for case in cases)
    case = root.find(".//testcase[@classname='change-mind-mid-render'][failure]")
    assert case is not None
    assert case.get("name") == "seed 2, with faults"
    assert case.findtext("failure") == (
        "no duplicate paid calls: The call image/sky was ordered twice (0.04 each) after its answer"
        " was lost."
    )
    told = {each.get("name"): each.get("value") for each in case.iter("property")}
    assert told["duplicate_generations"] == "1"
    assert told["ended"] == "done"
    broken = root.find(".//testcase[error]")
    assert broken is not None
    assert "no space left on device" in (broken.findtext("error") or "")


@pytest.mark.parametrize("text", HOSTILE)
def test_junit_stays_xml_whatever_the_texts_hold(text: str) -> None:
    record = failing(sample("double-click", 1), text, text, text)
    named = record.trial.model_copy(update={"scenario": text, "policy": text})
    root = ET.fromstring(junit(folder_of([record.model_copy(update={"trial": named})])))  # noqa: S314
    assert len(list(root.iter("failure"))) == 1


def test_a_summary_shows_figures_and_what_failed(run: Folder) -> None:
    text = summary(run)
    assert text.startswith("## Trials: 41 passed, 6 failed, 1 broke\n")
    assert "| pass rate | 87.2% |" in text
    assert "| recovery | 82.8% |" in text
    assert "| long-film | 2/2 | 2/3 | 80% | 0.00 (k=5) | 1 |" in text
    assert "- **impatient, seed 1, no faults**" in text


def test_a_summary_with_a_baseline_shows_what_changed(run: Folder) -> None:
    key = Key("impatient", 1, "none")
    mended = {**run.records, key: sample("impatient", 1)}
    text = summary(Folder(run.path, mended), baseline=run)
    assert "| nudges | 0 | 4 | −4 |" in text  # noqa: RUF001
    assert "| pass rate | 89.4% | 87.2% | +2.1 pp |" in text
    assert "- Fixed: failed before, pass now: impatient, seed 1, no faults" in text
    assert "No gate was lost." in text


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_shows_a_text_and_does_nothing_with_it(text: str) -> None:
    shown = markdown(text)
    assert not re.search(r"[<>|`*@\[\]\n\x1b]", shown)
