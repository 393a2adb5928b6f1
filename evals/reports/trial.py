"""A trial's part of the page: how it ended, checks, timeline, what happened, metrics."""

import json
from collections import Counter
from collections.abc import Sequence

from evals.reports import figures
from evals.reports.figures import GATES
from evals.reports.folder import Status, conditions, status_of
from evals.reports.markup import Markup, tag
from evals.reports.scale import Scale
from evals.reports.timeline import NAMES, TRACKS, scale_of, timeline
from evals.reports.wording import clean, number, one_line, plural, span
from evals.trials import Check, Ended, Happening, Record

LONGEST_BODY = 4_000
"""So many characters of an event's body are shown."""
MOST_OPEN = 60
"""A failed trial's list is open when it is no longer than this."""

ENDED: dict[Ended, str] = {
    "done": "ran to its end",
    "leave": "the person left",
    "limit": "took too long",
    "deadlock": "deadlock",
    "broken": "the harness or the machine failed",
}
_STATUS: dict[Status, str] = {"failed": "Failed", "broken": "Broke", "passed": "Passed"}


def anchor_of(place: int) -> str:
    """Return the name by which links find the trial at a place."""
    return f"trial-{place}"


def section(record: Record, anchor: str) -> Markup:
    """Return a trial's part of the page, open where something is to be looked at."""
    status = status_of(record)
    return tag(
        "article",
        tag(
            "details",
            _summary(record, status),
            # The target lies inside: a link to it opens what is around it.
            tag("div", *_inside(record, anchor, status), id=anchor, class_="inside"),
            open=status != "passed",
        ),
        class_=f"trial {status}",
    )


def _summary(record: Record, status: Status) -> Markup:
    trial, outcome = record.trial, record.outcome
    return tag(
        "summary",
        tag("span", _STATUS[status], class_=f"chip {status}"),
        tag(
            "h3",
            one_line(trial.scenario, longest=120),
            tag("small", f"seed {trial.seed} · {conditions(trial.faults)}"),
        ),
        tag(
            "span",
            f"{ENDED[outcome.ended]} · {span(outcome.virtual_s)}",
            class_="ended",
        ),
    )


def _inside(record: Record, anchor: str, status: Status) -> list[Markup]:
    trial, outcome = record.trial, record.outcome
    scale = scale_of(record)
    return [
        tag("p", one_line(trial.why, longest=1_000), class_="why"),
        tag("p", one_line(outcome.reason, longest=2_000), class_="reason"),
        _checks(outcome.checks, outcome.invariants_broken),
        tag("h4", "Timeline"),
        timeline(record, anchor, scale),
        _log(
            record,
            anchor,
            scale,
            is_open=status == "failed" and len(record.happenings) <= MOST_OPEN,
        ),
        _metrics(record),
        _facts(record),
        tag("p", tag("a", "Back to the scenarios", href="#matrix"), class_="back"),
    ]


def _checks(checks: Sequence[Check], invariants: Sequence[str]) -> Markup:
    failed = [each for each in checks if not each.passed]
    passed = [each for each in checks if each.passed]
    rows = [
        *[_check("Broken invariant", each, is_good=False) for each in invariants],
        *[_check(each.name, each.told, is_good=False) for each in failed],
        *[_check(each.name, each.told, is_good=True) for each in passed],
    ]
    told = f"{len(passed)} of {plural(len(checks), 'check', 'checks')} passed" if checks else "none"
    heading = tag("h4", "Checks ", tag("small", told))
    return tag("div", heading, tag("ul", *rows, class_="checks") if rows else None)


def _check(name: str, told: str, *, is_good: bool) -> Markup:
    return tag(
        "li",
        tag("span", "✓" if is_good else "✕", aria_hidden="true"),
        tag(
            "div",
            tag("span", "passed: " if is_good else "failed: ", class_="sr-only"),
            tag("strong", one_line(name)),
            tag("span", one_line(told, longest=2_000)),
        ),
        class_="good" if is_good else "bad",
    )


def _log(record: Record, anchor: str, scale: Scale, *, is_open: bool) -> Markup:
    happenings = record.happenings
    counts = Counter(each.track for each in happenings)
    filters = [
        tag(
            "label",
            tag("input", type="checkbox", checked=True, class_=f"only-{track}"),
            f"{NAMES[track]} ",
            tag("small", str(counts[track])),
            class_=f"filter {track}",
        )
        for track in TRACKS
        if counts[track]
    ]
    return tag(
        "details",
        tag(
            "summary",
            tag("h4", "What happened ", tag("small", str(len(happenings)))),
        ),
        tag("fieldset", tag("legend", "Show"), *filters),
        tag("ol", *_rows(happenings, anchor, scale), class_="log"),
        class_="happened",
        open=is_open,
    )


def _rows(happenings: Sequence[Happening], anchor: str, scale: Scale) -> list[Markup]:
    rows: list[Markup] = []
    cuts = {cut.ends_s: cut for cut in scale.cuts}
    for each in happenings:
        cut = cuts.pop(each.at_s, None)
        if cut is not None:
            rows.append(tag("li", f"{span(cut.ends_s - cut.begins_s)} later", class_="later"))
        rows.append(_row(each, anchor))
    return rows


def _row(each: Happening, anchor: str) -> Markup:
    told = tag("span", one_line(each.told, longest=1_000), class_="told", dir="auto")
    return tag(
        "li",
        tag("span", span(each.at_s), class_="at"),
        tag("span", NAMES[each.track], class_="whose"),
        tag("code", one_line(each.what, longest=80), class_="what"),
        _with_body(told, each) if each.data else told,
        id=f"{anchor}-{each.number}",
        class_=each.track,
    )


def _with_body(told: Markup, each: Happening) -> Markup:
    body = json.dumps(each.data, ensure_ascii=False, indent=1, default=str)
    shown = clean(body)
    if len(shown) > LONGEST_BODY:
        shown = f"{shown[:LONGEST_BODY]}\n… {len(shown) - LONGEST_BODY} characters more"
    return tag("details", tag("summary", told), tag("pre", tag("bdi", shown)), class_="body")


def _metrics(record: Record) -> Markup:
    gated = {gate.name for gate in GATES}
    cells: list[Markup] = []
    for name in figures.metric_names([record]):
        value = figures.measured(record, name)
        if value is None:
            continue
        is_bad = name in gated and value > 0
        cells.append(
            tag(
                "div",
                tag("dt", one_line(name.replace("_", " "), longest=60)),
                tag("dd", number(value)),
                class_="bad" if is_bad else None,
            )
        )
    return tag("div", tag("h4", "Metrics"), tag("dl", *cells, class_="metrics"))


def _facts(record: Record) -> Markup:
    trial, outcome = record.trial, record.outcome
    faults = [tag("li", one_line(each)) for each in trial.listed]
    pairs: list[tuple[str, Markup | str]] = [
        ("User", one_line(trial.policy)),
        ("Faults", tag("ul", *faults) if faults else conditions(trial.faults)),
        ("Commit", tag("code", one_line(trial.commit))),
        ("Began", one_line(trial.began_at)),
        ("Took", f"{span(outcome.wall_s)} for {span(outcome.virtual_s)} of the trial's own time"),
    ]
    cells = [tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs]
    return tag("div", tag("h4", "How it was tried"), tag("dl", *cells, class_="tried"))
