"""`python -m evals run`: makes the trials of the scenarios and tells what came of each."""

import argparse
import asyncio
import os
import signal
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import get_args

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evals import trials
from evals.metrics import HARD
from evals.reports import report
from evals.reports.folder import load as load_folder
from evals.reports.wording import plural, span
from evals.scenarios.destination import destination, stopped
from evals.scenarios.laboratory import Faults, Laboratory, laboratory
from evals.scenarios.loading import FILES, load_all
from evals.scenarios.personas import cast_of
from evals.scenarios.played import played_by
from evals.scenarios.schema import Scenario
from evals.trials import Line, Outcome, Trial
from infra.clock import utc_now
from infra.errors import ConfigurationError
from infra.settings import Settings

_FAULTS: tuple[Faults, ...] = get_args(Faults.__value__)

_MOST_K = 4
_MOST_AT_ONCE = 4
"""All of them are served by one Postgres and by one simulator's process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A trial and how it ended."""

    trial: Trial
    outcome: Outcome
    path: Path

    @property
    def failed_hard(self) -> bool:
        """Whether something failed that must hold in every trial."""
        failed = {each.name for each in self.outcome.checks if not each.passed}
        return bool(self.outcome.invariants_broken or failed & HARD)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what this command can be told."""
    parser.add_argument(
        "--user", type=_model, metavar="model:SPEC", help="a chat model plays every person"
    )
    parser.add_argument("--quick", action="store_true", help="one short trial of each scenario")
    parser.add_argument("--scenario", action="append", metavar="ID", help="only this one; repeat")
    parser.add_argument(
        "--files", type=Path, metavar="FOLDER", help="scenarios of your own, instead of ours"
    )
    parser.add_argument("--seeds", type=_seeds, metavar="1,2,3", help="default 1,2,3")
    parser.add_argument(
        "--faults", type=_faults, metavar="none,listed", help="default both; none in a quick run"
    )
    parser.add_argument(
        "--at-once",
        type=_at_once,
        metavar="N",
        help=f"so many trials at a time, at most {_MOST_AT_ONCE}; default as processors",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where the records and the report go"
    )


def execute(options: argparse.Namespace, settings: Settings) -> int:
    """Make every trial that was asked for; return the exit code.

    Whatever is wrong with what was asked for is told before anything is started.

    Raises:
        ConfigurationError: a scenario is not there, or is none; none has the faults that were asked
            for; or the records cannot go where they should.
    """
    cast = played_by(options.user) if options.user else cast_of
    plan = planned(options)
    stamp = f"{utc_now():%Y%m%d-%H%M%S}"
    out: Path = options.out or settings.data_dir / "evals" / stamp
    console = Console(highlight=False)
    at_once: int = options.at_once or min(os.cpu_count() or 1, _MOST_AT_ONCE)
    # Asked to end in either way, it takes its processes, databases and folders with it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with destination(out):
        trials_of_it = plural(len(plan), "trial", "trials")
        console.print(f"{trials_of_it}, {at_once} at a time; each tells here how it ended.")
        try:
            with laboratory(cast=cast) as place:
                tried = asyncio.run(_try_all(place, plan, out, console, at_once=at_once))
        except KeyboardInterrupt:
            console.print(stopped(out, len(plan)), markup=False, soft_wrap=True)
            raise
        _show(console, tried)
        for path in report.write(load_folder(out), out):
            console.print(str(path), markup=False, soft_wrap=True)
    return 1 if any(not each.outcome.passed for each in tried) else 0


def planned(options: argparse.Namespace) -> list[tuple[Scenario, int, Faults]]:
    """Return every trial that is asked for.

    Raises:
        ConfigurationError: a scenario is not there, or is none; or none has the faults.
    """
    chosen = load_all(options.files or FILES, quick=options.quick, names=options.scenario or ())
    seeds: list[int] = options.seeds or ([1] if options.quick else [1, 2, 3])
    faults: list[Faults] = options.faults or (["none"] if options.quick else list(_FAULTS))
    plan: list[tuple[Scenario, int, Faults]] = [
        (scenario, seed, each)
        for scenario in chosen
        for seed in seeds
        for each in faults
        if each == "none" or scenario.faults
    ]
    without = [each.id for each in chosen if not each.faults and "none" not in faults]
    if without and (options.scenario or not plan):
        message = f"No faults are listed in {', '.join(without)}, so --faults listed tries nothing."
        raise ConfigurationError(message)
    if not plan:
        message = "None of the scenarios is in a quick run: name one with --scenario."
        raise ConfigurationError(message)
    return plan


async def _try_all(
    place: Laboratory,
    plan: Sequence[tuple[Scenario, int, Faults]],
    out: Path,
    console: Console,
    *,
    at_once: int,
) -> list[Tried]:
    places = asyncio.Semaphore(at_once)

    async def attempt(scenario: Scenario, seed: int, faults: Faults) -> Tried:
        async with places:
            lines = await place.attempt(scenario, seed, faults)
            path = out / f"{scenario.id}.{seed}.{faults}.jsonl"
            await asyncio.to_thread(trials.write, path, lines)
            tried = _tried(lines, path)
            console.print(_line(tried))
            return tried

    return await asyncio.gather(*(attempt(*each) for each in plan))


def _tried(lines: list[Line], path: Path) -> Tried:
    trial, outcome = lines[0], lines[-1]
    if not isinstance(trial, Trial) or not isinstance(outcome, Outcome):
        msg = f"{path} is no whole record"
        raise TypeError(msg)
    return Tried(trial=trial, outcome=outcome, path=path)


def _line(tried: Tried) -> Text:
    trial, outcome = tried.trial, tried.outcome
    word, style = _verdict(outcome)
    failed = [f"{each.name} ({each.told})" for each in outcome.checks if not each.passed]
    why = "; ".join([*failed, *outcome.invariants_broken]) or outcome.reason
    return Text.assemble(
        (f"{word:7}", style),
        f"{trial.scenario} {trial.seed} {trial.faults}",
        (f"  {span(outcome.virtual_s)} in {span(outcome.wall_s)}  ", "dim"),
        "" if outcome.passed else why,
    )


def _verdict(outcome: Outcome) -> tuple[str, str]:
    if outcome.ended == "broken":
        return "broken", "yellow"
    return ("passed", "green") if outcome.passed else ("failed", "red")


def _show(console: Console, tried: Sequence[Tried]) -> None:
    """Print a line for each scenario: how many trials passed, and pass^k for the largest k."""
    by_name: dict[str, list[Tried]] = defaultdict(list)
    for each in tried:
        by_name[each.trial.scenario].append(each)
    table = Table(title="Scenarios", title_justify="left", box=SIMPLE_HEAD, padding=(0, 0, 0, 1))
    table.add_column("scenario", no_wrap=True)
    for heading in ("passed", "broken", "pass^k", "virtual", "wall"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, each in by_name.items():
        sound = [one for one in each if one.outcome.ended != "broken"]
        passed = sum(one.outcome.passed for one in sound)
        table.add_row(
            name,
            f"{passed} of {len(sound)}",
            str(len(each) - len(sound)),
            _last(pass_hat(passed, len(sound))),
            span(sum(one.outcome.virtual_s for one in each)),
            span(sum(one.outcome.wall_s for one in each)),
        )
    console.print(table)
    if hard := [each for each in tried if each.failed_hard]:
        console.print(f"[red]{len(hard)} trials failed a hard gate.[/red]")


def _last(powers: Sequence[float]) -> str:
    return f"{powers[-1]:.2f}" if powers else ""


def pass_hat(passed: int, count: int) -> list[float]:
    """Return for k from 1 on the chance that k trials drawn of these all passed."""
    return [comb(passed, k) / comb(count, k) for k in range(1, min(count, _MOST_K) + 1)]


def _seeds(text: str) -> list[int]:
    try:
        seeds = [int(part) for part in text.split(",")]
    except ValueError:
        message = f"{text} is no list of numbers, such as 1,2,3"
        raise argparse.ArgumentTypeError(message) from None
    if min(seeds) < 0:
        message = f"{min(seeds)} is no seed: they are whole numbers from 0 on"
        raise argparse.ArgumentTypeError(message)
    if twice := [each for each in seeds if seeds.count(each) > 1]:
        message = f"{twice[0]} is named twice, and the same trial is made once"
        raise argparse.ArgumentTypeError(message)
    return seeds


def _at_once(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_AT_ONCE:
        message = f"{text} is no number from 1 to {_MOST_AT_ONCE}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def _model(text: str) -> str:
    kind, separator, spec = text.partition(":")
    if kind != "model" or not separator or not spec:
        message = f"{text} is no model, such as model:openai:gpt-5.5"
        raise argparse.ArgumentTypeError(message)
    return spec


def _faults(text: str) -> list[Faults]:
    found: list[Faults] = [each for each in _FAULTS if each in text.split(",")]
    if len(found) != len(set(text.split(","))):
        message = f"{text} must be of none and listed"
        raise argparse.ArgumentTypeError(message)
    return found
