"""The matrix: a row for each scenario, a cell for each seed, without faults and with them."""

from evals.reports import figures
from evals.reports.folder import Folder, Key, Status, conditions, status_of
from evals.reports.markup import Markup, tag
from evals.reports.wording import MISSING, one_line

_SIGNS: dict[Status, str] = {"passed": "✓", "failed": "✕", "broken": "!"}
_SAID: dict[Status, str] = {"passed": "passed", "failed": "failed", "broken": "broke"}


def matrix(folder: Folder, anchors: dict[Key, str]) -> Markup:
    """Return the matrix with pass^k beside it; scenarios that fail most come first."""
    columns = _columns(folder)
    most = max((len(figures.pass_powers(folder.of(each))) for each in folder.scenarios), default=0)
    scenarios = sorted(folder.scenarios, key=lambda each: _standing(folder, each))
    rows = [
        tag(
            "tr",
            tag("th", one_line(scenario, longest=80), scope="row"),
            *[_cell(folder, Key(scenario, seed, faults), anchors) for faults, seed in columns],
            *_powers(folder, scenario, most),
        )
        for scenario in scenarios
    ]
    table = tag("table", _head(columns, most), tag("tbody", *rows), class_="matrix")
    legend = [
        tag("li", tag("span", sign, class_=f"sign {status}"), f" {_SAID[status]}")
        for status, sign in _SIGNS.items()
    ]
    return tag(
        "div",
        tag("ul", *legend, class_="legend"),
        tag("div", table, class_="wide-table", tabindex=0, role="region", aria_labelledby="matrix"),
    )


def _columns(folder: Folder) -> list[tuple[str, int]]:
    found = {(key.faults, key.seed) for key in folder.records}
    return sorted(found, key=lambda each: (each[0] != "none", each[1]))


def _standing(folder: Folder, scenario: str) -> tuple[float, bool, str]:
    records = folder.of(scenario)
    rated = figures.rate(records).share
    is_broken = any(status_of(record) == "broken" for record in records)
    return (1.0 if rated is None else rated, not is_broken, scenario)


def _head(columns: list[tuple[str, int]], most: int) -> Markup:
    groups: list[Markup] = []
    for faults in ("none", "listed"):
        width = sum(each == faults for each, _ in columns)
        if width:
            name = conditions(faults).capitalize()
            groups.append(tag("th", name, colspan=width, scope="colgroup", class_="group"))
    if most:
        groups.append(tag("th", "All of k pass", colspan=most, scope="colgroup", class_="group"))
    seeds = [
        tag("th", tag("span", "seed ", class_="sr-only"), str(seed), scope="col",
            class_=_first(columns, place))
        for place, (_, seed) in enumerate(columns)
    ]  # fmt: skip
    powers = [
        tag("th", tag("span", "pass", class_="sr-only"), f"k={k}", scope="col",
            class_="first number" if k == 1 else "number")
        for k in range(1, most + 1)
    ]  # fmt: skip
    corner = tag("th", "Scenario", rowspan=2, scope="col", class_="corner")
    return tag("thead", tag("tr", corner, *groups), tag("tr", *seeds, *powers))


def _first(columns: list[tuple[str, int]], place: int) -> str | None:
    is_first = place == 0 or columns[place - 1][0] != columns[place][0]
    return "first" if is_first else None


def _cell(folder: Folder, key: Key, anchors: dict[Key, str]) -> Markup:
    record = folder.records.get(key)
    if record is None:
        untried = tag("span", "not tried", class_="sr-only")
        return tag("td", tag("span", MISSING, aria_hidden="true"), untried, class_="untried")
    status = status_of(record)
    said = f"{key}: {_SAID[status]}"
    ended = record.outcome.ended
    because = f" ({ended})" if status == "failed" and ended != "done" else ""
    return tag(
        "td",
        tag(
            "a",
            tag("span", _SIGNS[status], aria_hidden="true"),
            tag("span", f"{said}{because}", class_="sr-only"),
            href=f"#{anchors[key]}",
            title=f"{said}{because}",
            class_=f"sign {status}",
        ),
    )


def _powers(folder: Folder, scenario: str, most: int) -> list[Markup]:
    powers = figures.pass_powers(folder.of(scenario))
    shown = [f"{value:.2f}" if 0 < value < 1 else f"{value:.0f}" for value in powers]
    cells = shown + [MISSING] * (most - len(powers))
    return [
        tag("td", cell, class_="first number" if place == 0 else "number")
        for place, cell in enumerate(cells)
    ]
