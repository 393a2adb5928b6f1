"""Prints and writes what a run has found; single cases of the unseen half only when asked twice."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evals.routing.cases import Half, Label
from evals.routing.metrics import (
    ACCURACY,
    WRONG_TARGETS,
    Figures,
    Judged,
    count,
    count_by,
    missed_thresholds,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One half, sent through the product with one model."""

    model: str
    half: Half
    seconds: float
    judged: Sequence[Judged]

    @property
    def figures(self) -> Figures:
        """The figures of all its cases."""
        return count(self.judged)

    def groups(self) -> dict[str, dict[str, Figures]]:
        """Return the figures per outcome that was expected, per language and per tag."""
        return {
            "outcome": count_by(self.judged, lambda each: [each.case.expect.outcome]),
            "language": count_by(self.judged, lambda each: [each.language]),
            "tag": count_by(self.judged, lambda each: each.case.tags),
        }


def show(console: Console, run: Run) -> None:
    """Print the figures of a run."""
    table = Table(
        title=f"{run.half}, {run.model}: {run.figures.cases} messages in {run.seconds:.0f} s",
        title_justify="left",
        title_style="bold",
    )
    table.add_column("")
    for name in ("cases", "accuracy", "wrong target", "needless question", "missed question"):
        table.add_column(name, justify="right")
    table.add_row("all", *_cells(run.figures), style="bold", end_section=True)
    groups = run.groups()
    for kind in ("outcome", "language"):
        for number, (name, figures) in enumerate(groups[kind].items(), start=1):
            is_last = number == len(groups[kind])
            table.add_row(name, *_cells(figures), end_section=is_last)
    console.print(table)
    console.print(_risk(run.figures), style="red" if run.figures.risky_wrong_targets else "")
    if run.figures.unrouted:
        console.print(f"{run.figures.unrouted} were not routed at all.", style="red")


def show_wrong(console: Console, run: Run) -> None:
    """Print each case that went wrong."""
    for each in run.judged:
        if each.is_right:
            continue
        console.print(f"[bold]{each.situation}.{each.case.id}[/] {escape(each.case.say)}")
        console.print(f"   expected {_said(each.case.expect)}, got {_got(each)}")
        console.print(f"   reason: {escape(each.got.reason) or '–'}", style="dim")


def show_thresholds(console: Console, run: Run) -> bool:
    """Print what misses the thresholds; return whether nothing does."""
    missed = missed_thresholds(run.figures)
    for sentence in missed:
        console.print(f"{run.half}, {run.model}: {sentence}.", style="bold red")
    if not missed:
        console.print(
            f"{run.half}, {run.model}: accuracy is at least {ACCURACY:.0%}, wrong targets are"
            f" at most {WRONG_TARGETS:.0%}, none of them would spend or delete.",
            style="green",
        )
    return not missed


def as_json(run: Run, *, reveals: bool) -> dict[str, Any]:
    """Return a run for machines; with its single cases where they may be looked at."""
    found: dict[str, Any] = {
        "model": run.model,
        "half": run.half,
        "seconds": round(run.seconds, 1),
        "all": run.figures.as_json(),
    }
    for kind, groups in run.groups().items():
        found[f"by_{kind}"] = {name: figures.as_json() for name, figures in groups.items()}
    if reveals:
        found["cases"] = [_case_as_json(each) for each in run.judged]
    return found


def _case_as_json(each: Judged) -> dict[str, Any]:
    return {
        "id": f"{each.situation}.{each.case.id}",
        "language": each.language,
        "say": each.case.say,
        "expect": each.case.expect.model_dump(exclude_defaults=True),
        "got": asdict(each.got),
        "is_right": each.is_right,
        "is_wrong_target": each.is_wrong_target,
        "risk": each.case.risk,
    }


def _cells(figures: Figures) -> tuple[str, ...]:
    return (
        str(figures.cases),
        f"{figures.accuracy:.1%}",
        _share(figures.wrong_target_rate, figures.wrong_targets),
        _share(figures.needless_question_rate, figures.needless_questions),
        _share(figures.missed_question_rate, figures.missed_questions),
    )


def _share(rate: float, number: int) -> str:
    return f"{rate:.1%} ({number})" if number else "–"


def _risk(figures: Figures) -> str:
    return (
        f"Where a wrong target would spend or delete ({figures.risky} messages):"
        f" {figures.risky_wrong_targets} wrong targets."
        f" Of all {figures.wrong_targets}, {figures.guesses} were guesses between equals."
    )


def _said(label: Label) -> str:
    return " ".join([label.outcome, *([label.task] if label.task else []), *label.options])


def _got(each: Judged) -> str:
    got = each.got
    return " ".join([got.outcome, *([got.task] if got.task else []), *got.options])
