"""`python -m evals report FOLDER`: writes what people and machines read of a run."""

import argparse
from pathlib import Path

from rich.console import Console

from evals.reports import figures
from evals.reports.folder import Folder, load
from evals.reports.junit import junit
from evals.reports.page import page
from evals.reports.summary import summary
from evals.reports.wording import share
from infra.errors import ConfigurationError
from infra.settings import Settings


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what this command can be told."""
    parser.add_argument("folder", type=Path, help="where the records of the trials are")
    parser.add_argument(
        "--baseline", type=Path, metavar="FOLDER", help="records to tell the differences from"
    )
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="write there (default: beside the records)"
    )


def execute(options: argparse.Namespace, settings: Settings) -> int:
    """Write `report.html`, `junit.xml` and `summary.md`; return the exit code, which is 0.

    Raises:
        ConfigurationError: a folder has no records, or two of the same trial.
    """
    del settings  # records are the only input
    folder = load(options.folder)
    baseline = load(options.baseline) if options.baseline is not None else None
    written = write(folder, options.to or options.folder, baseline)
    counts = figures.tally(folder)
    console = Console(highlight=False)
    console.print(
        f"{counts['passed']} passed, {counts['failed']} failed, {counts['broken']} broke; pass rate"
        f" {share(figures.rate(folder.records.values()).share)}."
    )
    for unread in folder.unread:
        console.print(f"{unread.name}: {unread.problem}", markup=False, soft_wrap=True)
    for path in written:
        console.print(str(path), markup=False, soft_wrap=True)
    return 0


def write(folder: Folder, to: Path, baseline: Folder | None = None) -> list[Path]:
    """Write the files of a report; return them.

    Raises:
        ConfigurationError: the folder cannot be made.
    """
    try:
        to.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"The report cannot go to {to}: {error.strerror or error}."
        raise ConfigurationError(message) from None
    texts = {
        "report.html": page(folder),
        "junit.xml": junit(folder),
        "summary.md": summary(folder, baseline),
    }
    for name, text in texts.items():
        (to / name).write_text(text, encoding="utf-8")
    return [to / name for name in texts]
