"""A comparison in words: for the terminal and as Markdown, from the same rows."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evals.reports.comparison import Comparison, MetricChange, Row, Side
from evals.reports.folder import Key
from evals.reports.wording import MISSING, delta, markdown, number, one_line, share

MOST_NAMED = 30
"""So many trials of a kind are named; more are counted."""

COLUMNS = ("", "passed before", "passed now", "change", "pass^n before", "pass^n now")
METRIC_COLUMNS = ("", "metric per trial", "before", "now", "change")


def show(console: Console, found: Comparison) -> None:
    """Print a comparison."""
    table = _table("Scenarios", COLUMNS)
    for row in (found.total, *found.rows):
        cells = [escape(one_line(cell)) for cell in _cells(row)]
        is_total = row is found.total
        table.add_row(*cells, style="bold" if is_total else "", end_section=is_total)
    console.print(table)
    changed = [(row, change) for row in (found.total, *found.rows) for change in row.changes]
    if changed:
        metrics = _table("What else has changed", METRIC_COLUMNS)
        for row, change in changed:
            metrics.add_row(*[escape(one_line(cell)) for cell in _metric_cells(row, change)])
        console.print(metrics)
    for title, keys in kinds(found):
        if keys:
            console.print(f"{title} ({len(keys)}): {escape(_named(keys))}", soft_wrap=True)
    for sentence in found.worse:
        console.print(f"Worse: {escape(one_line(sentence))}", style="bold red", soft_wrap=True)
    if not found.worse:
        console.print("No gate was lost.", style="green")


def as_markdown(found: Comparison) -> str:
    """Return a comparison as Markdown."""
    lines = ["## Compared", "", *table(COLUMNS, [_cells(r) for r in (found.total, *found.rows)])]
    changed = [
        _metric_cells(row, change) for row in (found.total, *found.rows) for change in row.changes
    ]
    if changed:
        lines += ["", "### What else has changed", "", *table(METRIC_COLUMNS, changed)]
    for title, keys in kinds(found):
        if keys:
            lines += ["", f"**{title}** ({len(keys)}): {markdown(_named(keys), longest=5_000)}"]
    lines += ["", *gate_lines(found)]
    return "\n".join(lines) + "\n"


def gate_lines(found: Comparison) -> list[str]:
    """Return, as Markdown, which gates were lost."""
    if not found.worse:
        return ["No gate was lost."]
    return ["**Gates lost**", "", *[f"- {markdown(each)}" for each in found.worse]]


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table as Markdown; the first column is text, the others numbers."""
    return [
        f"| {' | '.join(columns)} |",
        f"|{'|'.join(['---', *['---:'] * (len(columns) - 1)])}|",
        *[f"| {' | '.join(map(markdown, row))} |" for row in rows],
    ]


def kinds(found: Comparison) -> list[tuple[str, Sequence[Key]]]:
    """Return the trials that have changed, by how."""
    return [
        ("Broken: passed before, fail now", found.lost),
        ("Fixed: failed before, pass now", found.fixed),
        ("New", found.new),
        ("Gone", found.gone),
        ("Not judged: the harness or the machine failed on a side", found.unjudged),
    ]


def _named(keys: Sequence[Key]) -> str:
    names = [one_line(str(key)) for key in keys[:MOST_NAMED]]
    more = [f"and {len(keys) - MOST_NAMED} more"] if len(keys) > MOST_NAMED else []
    return " · ".join([*names, *more])


def _cells(row: Row) -> list[str]:
    before, after = row.before, row.after
    return [
        row.name,
        _rate(before),
        _rate(after),
        _rate_change(before, after),
        before.last_power if before else "not there",
        after.last_power if after else "not there",
    ]


def _rate(side: Side | None) -> str:
    return f"{side.rate} ({share(side.rate.share)})" if side else MISSING


def _rate_change(before: Side | None, after: Side | None) -> str:
    if before is None:
        return "new"
    return "gone" if after is None else delta(before.rate.share, after.rate.share, is_share=True)


def _metric_cells(row: Row, change: MetricChange) -> list[str]:
    before, after = change.before, change.after
    name = change.name.replace("_", " ")
    return [row.name, name, number(before), number(after), delta(before, after)]


def _table(title: str, columns: Sequence[str]) -> Table:
    made = Table(title=title, title_justify="left", title_style="bold")
    for place, column in enumerate(columns):
        made.add_column(column, justify="left" if place == 0 else "right", overflow="fold")
    return made
