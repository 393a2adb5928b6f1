"""`junit.xml`: each trial a test case, its metrics as properties, as CI systems show it."""

from collections.abc import Sequence
from pathlib import PurePath
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from evals.reports import figures
from evals.reports.folder import Folder, Unread, conditions, status_of
from evals.reports.trial import ENDED
from evals.reports.wording import clean
from evals.trials import Record


def junit(folder: Folder) -> str:
    """Return the trials as JUnit knows them: failed is a failure, broken an error."""
    root = Element("testsuites", name="atelier trials")
    for scenario in folder.scenarios:
        _suite(root, clean(scenario), folder.of(scenario), ())
    if folder.unread:
        _suite(root, "unread", (), folder.unread)
    _count(root, [case for suite in root for case in suite])
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _suite(root: Element, name: str, records: Sequence[Record], unread: Sequence[Unread]) -> None:
    suite = SubElement(root, "testsuite", name=name)
    for record in records:
        _case(suite, name, record)
    for each in unread:
        stem = PurePath(each.name).with_suffix("").as_posix()
        case = SubElement(suite, "testcase", classname=name, name=clean(stem), time="0")
        SubElement(case, "error", type="unread", message=clean(each.problem))
    _count(suite, list(suite))


def _count(element: Element, cases: Sequence[Element]) -> None:
    element.set("tests", str(len(cases)))
    element.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    element.set("errors", str(sum(case.find("error") is not None for case in cases)))
    element.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")


def _case(suite: Element, scenario: str, record: Record) -> None:
    trial, outcome = record.trial, record.outcome
    case = SubElement(
        suite,
        "testcase",
        classname=scenario,
        name=f"seed {trial.seed}, {conditions(trial.faults)}",
        time=f"{outcome.wall_s:.3f}",
    )
    properties = SubElement(case, "properties")
    for name in figures.metric_names([record]):
        value = figures.measured(record, name)
        if value is not None:
            SubElement(properties, "property", name=clean(name), value=f"{value:g}")
    for name, told in (
        ("ended", outcome.ended),
        ("policy", trial.policy),
        ("commit", trial.commit),
        ("virtual_s", f"{outcome.virtual_s:g}"),
    ):
        SubElement(properties, "property", name=name, value=clean(told))
    status = status_of(record)
    if status == "passed":
        return
    is_failed = status == "failed"
    found = SubElement(case, "failure" if is_failed else "error", type=outcome.ended)
    found.set("message", clean(outcome.reason))
    found.text = "\n".join(map(clean, sentences(record)))


def sentences(record: Record) -> list[str]:
    """Return what is wrong with a trial, a sentence each."""
    outcome = record.outcome
    found = [f"{each.name}: {each.told}" for each in outcome.checks if not each.passed]
    found += [f"Broken invariant: {each}" for each in outcome.invariants_broken]
    if outcome.ended not in ("done", "leave") or not found:
        found.insert(0, f"{ENDED[outcome.ended].capitalize()}: {outcome.reason}")
    return found
