"""`report.html`: one file without a script, which its own policy would not let run either.

What is open and what is shown is the browser's own doing (`details`, `:has`), so the page works
from a disk, in a mail, printed, and with anything in the texts of the trials.
"""

import base64
import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from evals.reports import figures, matrix
from evals.reports.figures import GATES
from evals.reports.folder import STATUSES, Folder, Key, Status, Unread, status_of
from evals.reports.markup import Markup, join, tag
from evals.reports.trial import anchor_of, section
from evals.reports.wording import MISSING, number, one_line, plural, share, span

_CSS = Path(__file__).with_name("page.css")

HEADINGS: dict[Status, str] = {"failed": "Failed", "broken": "Broke", "passed": "Passed"}
_EXPLAINED: dict[Status, str] = {
    "failed": "The service did not do what the scenario wants.",
    "broken": "The harness or the machine failed. No figure counts these.",
    "passed": "Everything that was to hold did.",
}


def page(folder: Folder) -> str:
    """Return the report of a folder."""
    css = _CSS.read_text(encoding="utf-8")
    anchors = {key: anchor_of(place) for place, key in enumerate(folder.records, start=1)}
    html = tag(
        "html",
        tag(
            "head",
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=_policy(css)),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="color-scheme", content="light dark"),
            tag("title", _title(folder)),
            Markup(f"<style>{css}</style>"),
        ),
        tag(
            "body",
            tag("a", "Skip to the trials", href="#trials", class_="skip"),
            _header(folder),
            tag("main", *_overview(folder, anchors), *_trials(folder, anchors)),
        ),
        lang="en",
    )
    return f"<!doctype html>\n{html}\n"


def _policy(css: str) -> str:
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _title(folder: Folder) -> str:
    counts = figures.tally(folder)
    failed = counts["failed"]
    return f"{plural(failed, 'trial', 'trials')} failed" if failed else "Trials"


def _header(folder: Folder) -> Markup:
    counts = figures.tally(folder)
    everything = sum(counts.values())
    if counts["failed"]:
        verdict = f"{counts['failed']} of {plural(everything, 'trial', 'trials')} failed"
    elif counts["passed"]:
        passed = counts["passed"]
        whole = "The only trial" if passed == 1 else f"All {passed} trials"
        verdict = f"{whole}{' that could be judged' if counts['broken'] else ''} passed"
    else:
        verdict = "No trial could be judged"
    trials = [record.trial for record in folder.records.values()]
    facts = [
        f"{plural(len(folder.scenarios), 'scenario', 'scenarios')}",
        *_listed("commit", "commits", [trial.commit[:10] for trial in trials]),
        *_listed("user", "users", [trial.policy for trial in trials]),
    ]
    if trials:
        facts.append(f"began {_moment(min(trial.began_at for trial in trials))}")
        wall = sum(record.outcome.wall_s for record in folder.records.values())
        facts.append(f"{span(wall)} of work")
    return tag(
        "header",
        tag("p", "Atelier · trials with simulated users", class_="overline"),
        tag("h1", verdict, class_="bad" if counts["failed"] else None),
        tag("p", *[tag("span", fact) for fact in facts], class_="facts"),
        class_="top",
    )


def _moment(iso: str) -> str:
    try:
        return f"{datetime.fromisoformat(iso).astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    except ValueError:
        return one_line(iso, longest=40)


def _listed(one: str, many: str, values: Sequence[str]) -> list[str]:
    different = sorted({one_line(value, longest=40) for value in values})
    if not different:
        return []
    return [f"{one if len(different) == 1 else many}: {', '.join(different)}"]


def _overview(folder: Folder, anchors: dict[Key, str]) -> list[Markup]:
    parts = [
        ("figures", "Figures", _headlines(folder)),
        ("matrix", "Scenarios", matrix.matrix(folder, anchors)),
        ("powers", "How often all of k trials pass", _powers(folder)),
        ("gates", "What must be zero", _gates(folder, anchors)),
    ]
    is_tried_once = len(figures.mean_powers(folder)) < 2  # noqa: PLR2004 - then k is only 1
    return [
        tag("section", tag("h2", title, id=name), part, aria_labelledby=name)
        for name, title, part in parts
        if not (is_tried_once and name == "powers")
    ]


def _headlines(folder: Folder) -> Markup:
    records = list(folder.records.values())
    rated, counts, found = figures.rate(records), figures.tally(folder), figures.recovery(folder)
    faulty = f"{found.listed} with faults, {found.without} without"
    return tag(
        "dl",
        _headline("Pass rate", share(rated.share), f"{rated} trials", is_bad=rated.share != 1),
        _headline(
            "Recovery",
            share(found.share),
            faulty if found.share is not None else "nothing was tried both ways",
            is_bad=found.share is not None and found.share < 1,
        ),
        _headline("Failed", str(counts["failed"]), "the service", is_bad=counts["failed"] > 0),
        _headline(
            "Broke", str(counts["broken"]), "the harness or the machine; not counted", is_bad=False
        ),
        class_="headlines",
    )


def _headline(name: str, value: str, told: str, *, is_bad: bool) -> Markup:
    return tag(
        "div",
        tag("dt", name),
        tag("dd", value, class_="figure bad" if is_bad else "figure"),
        tag("dd", told, class_="told"),
    )


def _powers(folder: Folder) -> Markup:
    """Return pass^k as a row of columns: how fast trust is lost when all of k must pass."""
    means = figures.mean_powers(folder)
    columns = [
        tag(
            "li",
            tag("span", f"{mean.value:.0%}", class_="value"),
            tag(
                "svg",
                tag("rect", x="0", y="0", width="100%", height="100%", class_="rest"),
                tag(
                    "rect",
                    x="0",
                    y=f"{100 - 100 * mean.value:.1f}%",
                    width="100%",
                    height=f"{100 * mean.value:.1f}%",
                    class_="part",
                ),
                width="100%",
                height=64,
                aria_hidden="true",
            ),
            tag("span", "pass", tag("sup", str(k)), class_="name"),
            tag("span", f"of {mean.scenarios}", class_="told")
            if mean.scenarios < len(folder.scenarios)
            else None,
        )
        for k, mean in enumerate(means, start=1)
    ]
    return tag(
        "div",
        tag("ol", *columns, class_="powers"),
        tag(
            "p",
            "C(c, k) / C(n, k) of each scenario, c of whose n trials passed, with faults and"
            " without; then the mean of the scenarios that have k trials (“of” how many, where not"
            " all do).",
            class_="note",
        ),
    )


def _gates(folder: Folder, anchors: dict[Key, str]) -> Markup:
    rows: list[Markup] = []
    for gate in GATES:
        total = figures.total(folder.records.values(), gate.name)
        guilty = [
            key
            for key, record in folder.records.items()
            if status_of(record) != "broken" and figures.measured(record, gate.name)
        ]
        rows.append(
            tag(
                "tr",
                tag("th", gate.title, tag("small", gate.meaning), scope="row"),
                tag("td", _gated(total), class_="number bad" if total else "number"),
                tag("td", _where(guilty, anchors) if total is not None else None, class_="where"),
            )
        )
    head = tag(
        "tr",
        tag("th", "Metric", scope="col"),
        tag("th", "Sum", scope="col", class_="number"),
        tag("th", "Where", scope="col"),
    )
    return tag("table", tag("thead", head), tag("tbody", *rows), class_="gates")


def _gated(total: float | None) -> Markup:
    if total is None:
        return tag("span", MISSING, tag("small", "not measured"))
    return tag("span", number(total))


def _where(guilty: Sequence[Key], anchors: dict[Key, str]) -> Markup:
    links = [tag("li", tag("a", str(key), href=f"#{anchors[key]}")) for key in guilty]
    return tag("ul", *links) if links else tag("span", "nowhere", class_="quiet")


def _trials(folder: Folder, anchors: dict[Key, str]) -> list[Markup]:
    parts: list[Markup] = [tag("span", id="trials", tabindex=-1)]
    for status in STATUSES:
        keys = [key for key, record in folder.records.items() if status_of(record) == status]
        unread = folder.unread if status == "broken" else ()
        if not keys and not unread:
            continue
        parts.append(
            tag(
                "section",
                tag("h2", f"{HEADINGS[status]} ", tag("span", str(len(keys) + len(unread))),
                    id=f"those-{status}"),
                tag("p", _EXPLAINED[status], class_="note"),
                *[section(folder.records[key], anchors[key]) for key in keys],
                *[_unread(each) for each in unread],
                aria_labelledby=f"those-{status}",
            )
        )  # fmt: skip
    return parts


def _unread(each: Unread) -> Markup:
    name, problem = one_line(each.name), one_line(each.problem)
    return tag(
        "article",
        tag("h3", name),
        tag("p", join(["This file is no whole record. ", problem])),
        class_="trial broken unread",
    )
