"""`python -m evals routing`: sends the labelled messages and prints how many found their work."""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, get_args

from rich.console import Console
from rich.progress import Progress

from evals.routing import cases, recording, report, runner
from evals.routing.cases import Case, Half, Situation
from evals.routing.recording import Recorded
from evals.routing.report import Run
from infra import clock
from infra.db.embedded import embedded_postgres
from infra.db.migrate import migrate
from infra.errors import ConfigurationError
from infra.settings import Settings

type Database = Callable[[], AbstractContextManager[str]]
"""Lends the address of a Postgres."""

HALVES: tuple[Half, ...] = get_args(Half.__value__)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what this command can be told."""
    parser.add_argument("--half", choices=(*HALVES, "both"), default="both")
    parser.add_argument(
        "--model",
        action="append",
        metavar="SPEC",
        help="rehearsal, or provider:name; may be given several times (default: ATELIER_MODEL)",
    )
    parser.add_argument("--language", help="only messages in this language, such as de")
    parser.add_argument("--show", action="store_true", help="print each message that went wrong")
    parser.add_argument(
        "--reveal", action="store_true", help="also show single messages of the unseen half"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    parser.add_argument(
        "--record", type=Path, metavar="FOLDER", help="only keep there what the router is shown"
    )
    parser.add_argument(
        "--replay", type=Path, metavar="FOLDER", help="judge what is kept there by the rules of now"
    )
    parser.add_argument(
        "--require", action="store_true", help="end with 1 when a threshold is missed"
    )


@contextmanager
def own_database() -> Generator[str]:
    """Keep a Postgres in a temporary folder, which is gone afterwards."""
    with (
        tempfile.TemporaryDirectory(prefix="atelier-routing-") as folder,
        embedded_postgres(Path(folder)) as dsn,
    ):
        yield dsn


def execute(
    options: argparse.Namespace, settings: Settings, *, database: Database = own_database
) -> int:
    """Run every half that was asked for with every model; return the exit code.

    Raises:
        ConfigurationError: single messages of the unseen half were asked for without meaning to.
    """
    halves: tuple[Half, ...] = HALVES if options.half == "both" else (options.half,)
    is_shown = options.show or options.record is not None
    if is_shown and "unseen" in halves and not options.reveal:
        message = (
            "The unseen half is not to be looked at while rules are written. Take --half dev, or"
            " add --reveal if you mean it."
        )
        raise ConfigurationError(message)
    console = Console(highlight=False)
    if options.replay is not None:
        runs = [_replay(options, half) for half in halves]
        return _end(console, runs, options)
    with database() as dsn, tempfile.TemporaryDirectory(prefix="atelier-routing-") as folder:
        told: dict[str, Any] = {"data_dir": Path(folder), "blob_dir": Path(folder) / "blobs"}
        runs = asyncio.run(_run_all(options, settings.model_copy(update=told), halves, dsn))
    return 0 if options.record is not None else _end(console, runs, options)


def _replay(options: argparse.Namespace, half: Half) -> Run:
    """Judge a half by what was recorded of it."""
    began = clock.monotonic()
    known = recording.read(recording.path_of(options.replay, half))
    judged = recording.replay(known, cases.load(half), is_wanted=_wanted(options.language))
    seconds = clock.monotonic() - began
    return Run(model="rehearsal, replayed", half=half, seconds=seconds, judged=judged)


def _end(console: Console, runs: Sequence[Run], options: argparse.Namespace) -> int:
    """Print and write what was found; return the exit code."""
    holds = [_tell(console, run, options) for run in runs]
    if options.json is not None:
        written = [
            report.as_json(run, reveals=options.reveal or run.half != "unseen") for run in runs
        ]
        options.json.write_text(json.dumps({"runs": written}, ensure_ascii=False, indent=1) + "\n")
    return 0 if all(holds) or not options.require else 1


def _tell(console: Console, run: Run, options: argparse.Namespace) -> bool:
    """Print a run; return whether it holds what is required."""
    report.show(console, run)
    if options.show:
        report.show_wrong(console, run)
    return report.show_thresholds(console, run) if options.require else True


async def _run_all(
    options: argparse.Namespace, settings: Settings, halves: Sequence[Half], dsn: str
) -> list[Run]:
    await migrate(dsn)
    situations = {half: cases.load(half) for half in halves}
    return [
        await _run(
            settings.model_copy(update={"model": model}),
            dsn,
            half,
            situations[half],
            options,
        )
        for model in options.model or [settings.model]
        for half in halves
    ]


async def _run(
    settings: Settings,
    dsn: str,
    half: Half,
    situations: Sequence[Situation],
    options: argparse.Namespace,
) -> Run:
    is_wanted = _wanted(options.language)
    total = sum(is_wanted(each, case) for each in situations for case in each.cases)
    if not total:
        message = f"There is no message in the language {options.language}."
        raise ConfigurationError(message)
    began = clock.monotonic()
    kept: list[Recorded] = []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(f"{half}, {settings.model}", total=total)
        async with runner.open_deps(settings, dsn) as deps:
            judged = await runner.run(
                deps,
                situations,
                is_wanted=is_wanted,
                told=lambda _: progress.advance(bar),
                keep=kept.append if options.record is not None else None,
            )
    if options.record is not None:
        recording.write(recording.path_of(options.record, half), kept)
    return Run(model=settings.model, half=half, seconds=clock.monotonic() - began, judged=judged)


def _wanted(language: str | None) -> Callable[[Situation, Case], bool]:
    def is_wanted(situation: Situation, case: Case) -> bool:
        return language is None or situation.language_of(case) == language

    return is_wanted
