"""`python -m evals scenarios`: whether scenarios can be run, a line each; nothing is started."""

import argparse
from pathlib import Path

from rich.console import Console

from evals.reports.wording import plural
from evals.scenarios.loading import FILES, files, load
from evals.scenarios.schema import Scenario
from infra.errors import ConfigurationError
from infra.settings import Settings


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what this command can be told."""
    parser.add_argument("id", nargs="*", metavar="ID", help="only these; default every one")
    parser.add_argument(
        "--files", type=Path, metavar="FOLDER", help="scenarios of your own, instead of ours"
    )


def execute(options: argparse.Namespace, settings: Settings) -> int:
    """Print a line for each scenario; return 1 when one is none, else 0.

    Raises:
        ConfigurationError: one that was asked for is not there, or there are none.
    """
    del settings  # files are the only input
    paths = files(options.files or FILES)
    known = [path.stem for path in paths]
    if unknown := sorted(set(options.id) - set(known)):
        message = f"There is no scenario {', '.join(unknown)}. There is: {', '.join(known)}."
        raise ConfigurationError(message)
    lines = [checked(path) for path in paths if not options.id or path.stem in options.id]
    console = Console(highlight=False, soft_wrap=True)
    for _, told in lines:
        console.print(told, markup=False)
    return 0 if all(is_sound for is_sound, _ in lines) else 1


def checked(path: Path) -> tuple[bool, str]:
    """Tell whether a file is a scenario, as it is and in a quick run, and a line about it."""
    try:
        scenario = load(path)
        load(path, quick=True)
    except ConfigurationError as error:
        return False, error.message
    return True, f"{path.name}: {_told(scenario)}"


def _told(scenario: Scenario) -> str:
    faults = f"{len(scenario.world.faults)} faults always, {len(scenario.faults)} listed"
    wishes = plural(len(scenario.user.requirements), "requirement", "requirements")
    quick = "" if scenario.in_quick else ", in no quick run"
    return f"{scenario.user.policy}, {wishes}, {faults}{quick}"
