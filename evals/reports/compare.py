"""`python -m evals compare BEFORE AFTER`: what has changed between two runs."""

import argparse
from pathlib import Path

from rich.console import Console

from evals import output
from evals.reports import figures
from evals.reports.comparison import compare
from evals.reports.folder import load
from evals.reports.tables import as_markdown, show
from infra.errors import ConfigurationError
from infra.settings import Settings


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what this command can be told."""
    parser.add_argument("before", type=Path, help="the records to compare with")
    parser.add_argument("after", type=Path, help="the records to judge")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write it there as well")


def execute(options: argparse.Namespace, settings: Settings) -> int:
    """Print the comparison; return 1 when a gate was lost, else 0.

    Raises:
        ConfigurationError: a folder has no records, or two of the same trial, there is nothing to
            judge, or the comparison could not be written.
    """
    del settings  # records are the only input
    if options.markdown is not None:
        output.file(options.markdown)
    before, after = load(options.before), load(options.after)
    if not figures.counted(after.records.values()):
        message = f"No trial of {options.after} can be judged: all of them broke."
        raise ConfigurationError(message)
    found = compare(before, after)
    show(Console(highlight=False), found)
    if options.markdown is not None:
        options.markdown.write_text(as_markdown(found), encoding="utf-8")
    return 1 if found.worse else 0
