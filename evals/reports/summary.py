"""`summary.md`: what a change request shows of a run, and how it differs from the baseline."""

from collections.abc import Sequence

from evals.reports import figures
from evals.reports.comparison import Comparison, compare
from evals.reports.figures import GATES
from evals.reports.folder import Folder, Key, status_of
from evals.reports.junit import sentences
from evals.reports.tables import gate_lines, kinds, table
from evals.reports.wording import MISSING, delta, markdown, number, plural, share
from evals.trials import Record

MOST_TOLD = 20
"""So many failed trials are told with their sentences; more are in the report."""


def summary(folder: Folder, baseline: Folder | None = None) -> str:
    """Return the summary of a folder."""
    found = compare(baseline, folder) if baseline is not None else None
    lines = [
        f"## Trials: {_verdict(folder)}",
        "",
        *_headlines(folder, baseline),
        "",
        *_scenarios(folder, baseline),
        *_failed(folder),
        *_broken(folder),
        *(_compared(found) if found is not None else []),
    ]
    return "\n".join(lines) + "\n"


def _verdict(folder: Folder) -> str:
    counts = figures.tally(folder)
    said = [f"{counts['passed']} passed", f"{counts['failed']} failed"]
    return ", ".join([*said, *([f"{counts['broken']} broke"] if counts["broken"] else [])])


def _headlines(folder: Folder, baseline: Folder | None) -> list[str]:
    rows = [_figures(folder)]
    if baseline is not None:
        rows.append(_figures(baseline))
    names = list(rows[0])
    shown = [[name, *[_shown(row.get(name)) for row in rows]] for name in names]
    if baseline is None:
        return table(("", "now"), shown)
    for cells, name in zip(shown, names, strict=True):
        after, before = rows[0][name], rows[1].get(name)
        is_share = after is not None and after[1]
        change = delta(before and before[0], after and after[0], is_share=is_share)
        cells.append(change)
    return table(("", "now", "baseline", "change"), shown)


type _Figure = tuple[float, bool] | None
"""A value, and whether it is a share."""


def _figures(folder: Folder) -> dict[str, _Figure]:
    records = list(folder.records.values())
    found: dict[str, _Figure] = {"pass rate": _as_share(figures.rate(records).share)}
    for k, mean in enumerate(figures.mean_powers(folder), start=1):
        found[f"pass^{k} (mean)"] = (mean.value, True)
    found["recovery"] = _as_share(figures.recovery(folder).share)
    for gate in GATES:
        total = figures.total(records, gate.name)
        found[gate.title.lower()] = None if total is None else (total, False)
    return found


def _as_share(value: float | None) -> _Figure:
    return None if value is None else (value, True)


def _shown(figure: _Figure) -> str:
    if figure is None:
        return MISSING
    value, is_share = figure
    return share(value) if is_share else number(value)


def _scenarios(folder: Folder, baseline: Folder | None) -> list[str]:
    rows: list[list[str]] = []
    for name in folder.scenarios:
        records = folder.of(name)
        rated = figures.rate(records)
        powers = figures.pass_powers(records)
        cells = [
            name,
            *[str(figures.rate(_with(records, each))) for each in ("none", "listed")],
            share(rated.share),
            f"{powers[-1]:.2f} (k={len(powers)})" if powers else MISSING,
            str(len(records) - rated.counted) if len(records) > rated.counted else "",
        ]
        if baseline is not None:
            before = figures.rate(baseline.of(name))
            is_new = not baseline.of(name)
            cells.append("new" if is_new else delta(before.share, rated.share, is_share=True))
        rows.append(cells)
    columns = ("scenario", "no faults", "with faults", "passed", "pass^n", "broke")
    return table(columns if baseline is None else (*columns, "change"), rows)


def _with(records: Sequence[Record], faults: str) -> list[Record]:
    return [record for record in records if record.trial.faults == faults]


def _failed(folder: Folder) -> list[str]:
    failed = [key for key, record in folder.records.items() if status_of(record) == "failed"]
    if not failed:
        return []
    lines = ["", "### Failed", ""]
    for key in failed[:MOST_TOLD]:
        lines += _told(key, folder.records[key])
    if len(failed) > MOST_TOLD:
        lines.append(f"- and {plural(len(failed) - MOST_TOLD, 'trial', 'trials')} more")
    return lines


def _broken(folder: Folder) -> list[str]:
    broken = [key for key, record in folder.records.items() if status_of(record) == "broken"]
    if not broken and not folder.unread:
        return []
    lines = ["", "### Broke: the harness or the machine, not counted", ""]
    for key in broken:
        lines += _told(key, folder.records[key])
    lines += [f"- {markdown(each.name)}: {markdown(each.problem)}" for each in folder.unread]
    return lines


def _told(key: Key, record: Record) -> list[str]:
    return [
        f"- **{markdown(str(key))}**",
        *[f"  - {markdown(sentence)}" for sentence in sentences(record)],
    ]


def _compared(found: Comparison) -> list[str]:
    lines = ["", "### Since the baseline", ""]
    for title, keys in kinds(found):
        if keys:
            lines.append(f"- {title}: {', '.join(markdown(str(key)) for key in keys)}")
    return [*lines, "", *gate_lines(found)]
