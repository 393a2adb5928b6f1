"""Figures over records: pass rates, pass^k, recovery, and the sums that must be zero.

Trials that the harness or the machine broke say nothing about the service: they are left out of
every figure and counted apart. What was not measured is None, never 0.
"""

import inspect
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evals import metrics
from evals.reports.folder import Folder, Status, status_of
from evals.trials import Record


@dataclass(frozen=True, slots=True)
class Gate:
    """A figure that has to be zero."""

    name: str
    """Of the metric."""
    title: str
    meaning: str


def _gates() -> Iterable[Gate]:
    """Take over every measure whose gate is zero, in the measure's own words."""
    for measure in metrics.MEASURES:
        name = measure.__name__
        if metrics.GATES.get(name) == 0.0:
            title = name.removesuffix("_micros").replace("_", " ").capitalize()
            yield Gate(name, title, inspect.getdoc(measure) or "")
    yield Gate("invariants", "Invariants broken", "What the tables must never say.")


GATES = tuple(_gates())


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of how many passed."""

    passed: int
    counted: int

    @property
    def share(self) -> float | None:
        """The pass rate, where anything was counted."""
        return self.passed / self.counted if self.counted else None

    def __str__(self) -> str:
        return f"{self.passed}/{self.counted}"


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean, and over how many scenarios it is."""

    value: float
    scenarios: int


@dataclass(frozen=True, slots=True)
class Recovery:
    """Pass rates of the scenarios that were tried both ways."""

    without: Rate
    listed: Rate

    @property
    def share(self) -> float | None:
        """Pass rate with faults, by that without."""
        if not self.without.share or self.listed.share is None:
            return None
        return self.listed.share / self.without.share


def counted(records: Iterable[Record]) -> list[Record]:
    """Return the trials that say something about the service."""
    return [record for record in records if status_of(record) != "broken"]


def rate(records: Iterable[Record]) -> Rate:
    """Return the pass rate."""
    judged = counted(records)
    return Rate(sum(status_of(record) == "passed" for record in judged), len(judged))


def pass_power(rated: Rate, k: int) -> float:
    """Return pass^k: how likely k trials, drawn without putting back, all pass.

    Raises:
        ValueError: there are not so many trials.
    """
    if not 1 <= k <= rated.counted:
        msg = f"pass^{k} of {rated.counted} trials is not defined."
        raise ValueError(msg)
    return math.comb(rated.passed, k) / math.comb(rated.counted, k)


def pass_powers(records: Iterable[Record]) -> list[float]:
    """Return a scenario's pass^1 … pass^n."""
    rated = rate(records)
    return [pass_power(rated, k) for k in range(1, rated.counted + 1)]


def mean_powers(folder: Folder) -> list[Mean]:
    """Return the means of pass^1 … pass^n, each over the scenarios with so many trials."""
    each = [pass_powers(folder.of(scenario)) for scenario in folder.scenarios]
    means: list[Mean] = []
    for place in range(max(map(len, each), default=0)):
        values = [powers[place] for powers in each if len(powers) > place]
        means.append(Mean(sum(values) / len(values), len(values)))
    return means


def recovery(folder: Folder) -> Recovery:
    """Return how far the pass rate holds under faults."""
    without: list[Record] = []
    listed: list[Record] = []
    for scenario in folder.scenarios:
        judged = counted(folder.of(scenario))
        halves = [[r for r in judged if r.trial.faults == each] for each in ("none", "listed")]
        if all(halves):
            without += halves[0]
            listed += halves[1]
    return Recovery(rate(without), rate(listed))


def tally(folder: Folder) -> dict[Status, int]:
    """Return how many passed, failed and broke; a file that is no record broke."""
    found = [status_of(record) for record in folder.records.values()]
    return {
        "failed": found.count("failed"),
        "broken": found.count("broken") + len(folder.unread),
        "passed": found.count("passed"),
    }


def measured(record: Record, metric: str) -> float | None:
    """Return a trial's metric, or None where it was not measured."""
    if metric == "deadlocks":
        return float(record.outcome.ended == "deadlock")
    if metric == "invariants":
        return float(len(record.outcome.invariants_broken))
    return record.outcome.metrics.get(metric)


def total(records: Iterable[Record], metric: str) -> float | None:
    """Return the sum of a metric, or None where no trial measured it."""
    values = _values(records, metric)
    return sum(values) if values else None


def average(records: Iterable[Record], metric: str) -> float | None:
    """Return a metric per trial, over those that measured it."""
    values = _values(records, metric)
    return sum(values) / len(values) if values else None


def metric_names(records: Iterable[Record]) -> list[str]:
    """Return what is measured anywhere: what must be zero first, the rest by name."""
    gated = [gate.name for gate in GATES]
    others = {name for record in records for name in record.outcome.metrics}
    return [*gated, *sorted(others - set(gated))]


def _values(records: Iterable[Record], metric: str) -> Sequence[float]:
    found = (measured(record, metric) for record in counted(records))
    return [value for value in found if value is not None]
