"""Two folders side by side: what became better or worse, and whether a gate was lost.

A gate is judged trial by trial, never by sums over different trials: a violation that the same
trial did not have before, or any of a trial that is new, is worse; so is a gate that a trial no
longer measures, and a trial that was judged and is gone. A trial that breaks now judges nothing and
is named; one that broke before counts as new.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evals.reports import figures
from evals.reports.figures import GATES, Rate
from evals.reports.folder import Folder, Key, Status, status_of
from evals.reports.wording import MISSING, number
from evals.trials import Record


@dataclass(frozen=True, slots=True)
class Side:
    """A scenario, or all of them, in one of the folders."""

    rate: Rate
    powers: Sequence[float]

    @property
    def last_power(self) -> str:
        """Pass^n in words."""
        if not self.powers:
            return MISSING
        return f"{self.powers[-1]:.2f} (k={len(self.powers)})"


@dataclass(frozen=True, slots=True)
class MetricChange:
    """A metric per trial, over the trials of each side that measured it."""

    name: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """A scenario on both sides; None where it is not."""

    name: str
    before: Side | None
    after: Side | None
    changes: Sequence[MetricChange]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What lies between two folders."""

    rows: Sequence[Row]
    total: Row
    new: Sequence[Key]
    gone: Sequence[Key]
    fixed: Sequence[Key]
    lost: Sequence[Key]
    """Passed before and fail now."""
    unjudged: Sequence[Key]
    """On both sides, and broke on at least one."""
    worse: Sequence[str]
    """A sentence for each gate that a trial has lost."""


def compare(before: Folder, after: Folder) -> Comparison:
    """Put two folders side by side."""
    scenarios = sorted({*before.scenarios, *after.scenarios})
    both = [key for key in after.records if key in before.records]

    def went(was: Status, became: Status) -> list[Key]:
        return [
            key
            for key in both
            if (status_of(before.records[key]), status_of(after.records[key])) == (was, became)
        ]

    return Comparison(
        rows=[_row(name, before.of(name), after.of(name)) for name in scenarios],
        total=_total(before, after),
        new=[key for key in after.records if key not in before.records],
        gone=[key for key in before.records if key not in after.records],
        fixed=went("failed", "passed"),
        lost=went("passed", "failed"),
        unjudged=[
            key
            for key in both
            if "broken" in (status_of(before.records[key]), status_of(after.records[key]))
        ],
        worse=[
            *(
                f"{key}: it was judged before and is not there now."
                for key, record in before.records.items()
                if status_of(record) != "broken" and key not in after.records
            ),
            *(
                sentence
                for key, record in after.records.items()
                for sentence in _worse(key, before.records.get(key), record)
            ),
        ],
    )


def _total(before: Folder, after: Folder) -> Row:
    sides = [
        Side(
            figures.rate(folder.records.values()),
            [mean.value for mean in figures.mean_powers(folder)],
        )
        for folder in (before, after)
    ]
    changes = _changes(list(before.records.values()), list(after.records.values()))
    return Row("all", sides[0], sides[1], changes)


def _row(name: str, before: Sequence[Record], after: Sequence[Record]) -> Row:
    return Row(name, _side(before), _side(after), _changes(before, after))


def _side(records: Sequence[Record]) -> Side | None:
    return Side(figures.rate(records), figures.pass_powers(records)) if records else None


def _changes(before: Sequence[Record], after: Sequence[Record]) -> list[MetricChange]:
    if not before or not after:
        return []
    changes = [
        MetricChange(name, figures.average(before, name), figures.average(after, name))
        for name in figures.metric_names([*before, *after])
    ]
    return [change for change in changes if not _is_same(change.before, change.after)]


def _is_same(before: float | None, after: float | None) -> bool:
    if before is None or after is None:
        return before is after
    return math.isclose(before, after, rel_tol=1e-9)


def _worse(key: Key, before: Record | None, after: Record) -> list[str]:
    if status_of(after) == "broken":
        return []
    if before is not None and status_of(before) == "broken":
        before = None
    found: list[str] = []
    for gate in GATES:
        was = None if before is None else figures.measured(before, gate.name)
        now = figures.measured(after, gate.name)
        title = gate.title.lower()
        if now is None and was is not None:
            found.append(f"{key}: {title} were measured before and are not now.")
        elif now is not None and now > (was or 0):
            since = f"was {number(was)}" if before is not None else "nothing to compare it with"
            found.append(f"{key}: {number(now)} {title} ({since}).")
    return found
