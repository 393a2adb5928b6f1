"""The evaluations: `python -m evals routing`, and others as they come.

What is wrong with the set-up is one sentence on standard error and exit code 1; a command that is
not there, or an option, ends with 2.
"""

import argparse
import importlib
import sys
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from infra.errors import AppError
from infra.libraries import tell_libraries
from infra.settings import load_settings
from infra.telemetry import configure_logging

_err = Console(stderr=True, highlight=False)


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its module has `add_options(parser)` and `execute(options, settings)`."""

    module: str
    what: str


COMMANDS = {
    "run": Command("evals.scenarios.command", "scenarios with simulated users"),
    "scenarios": Command("evals.scenarios.checking", "whether scenarios can be run, a line each"),
    "replay": Command("evals.replay", "a recorded trial once more, and what is different"),
    "routing": Command("evals.routing.command", "how often a message finds its work"),
    "report": Command("evals.reports.report", "write report.html, junit.xml, summary.md of a run"),
    "compare": Command("evals.reports.compare", "what is better or worse between two runs"),
}


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return the process's exit code."""
    tell_libraries()
    given = sys.argv[1:] if arguments is None else arguments
    name = next((each for each in given if not each.startswith("-")), None)
    if name is not None and name not in COMMANDS:
        known = f"There is no evaluation {name}. There is: {', '.join(COMMANDS)}."
        _err.print(known, markup=False, soft_wrap=True)
        return 2
    try:
        options = _parser(name).parse_args(given)
        settings = load_settings()
        configure_logging("error", settings.log_format)
        module: Any = importlib.import_module(COMMANDS[options.command].module)
        return module.execute(options, settings)
    except AppError as error:
        _err.print(error.message, markup=False, soft_wrap=True)
        return 1
    except KeyboardInterrupt:
        return 130


def _parser(name: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals", description="Evaluate Atelier.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for each, command in COMMANDS.items():
        added = commands.add_parser(each, help=command.what, description=command.what)
        if each == name:  # its module is only imported for itself: that takes seconds
            importlib.import_module(command.module).add_options(added)
    return parser


if __name__ == "__main__":
    sys.exit(main())
