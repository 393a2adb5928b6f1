"""`python -m evals replay RECORD`: makes a recorded trial once more and tells what is different.

The person does what the record says that they did; scenario, seed and faults are the record's own.
So what differs is the service's doing: another build of it, or chance that a trial does not hold.
"""

import argparse
import asyncio
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console

from evals import output, trials
from evals.reports import folder
from evals.reports.diff import differences
from evals.reports.lanes import in_lanes
from evals.scenarios.laboratory import Laboratory, laboratory
from evals.scenarios.policies import Person
from evals.scenarios.replay import replayed
from evals.scenarios.schema import Scenario
from evals.trials import Record
from infra.errors import ConfigurationError
from infra.settings import Settings


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what this command can be told."""
    parser.add_argument("record", type=Path, help="the record (*.jsonl) of a trial")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write the new record there, to a new file"
    )


def execute(options: argparse.Namespace, settings: Settings) -> int:
    """Print every difference; return 1 when there is one, else 0.

    Raises:
        ConfigurationError: it is no record, or one that cannot be made again, the new one could
            not be written, or the new trial broke.
    """
    del settings  # a record is the only input
    if options.out is not None:
        output.new_file(options.out)
    before = folder.read(options.record)
    with laboratory() as place:
        after = asyncio.run(again(place, before))
    if options.out is not None:
        trials.write(options.out, [after.trial, *after.happenings, after.outcome])
    if after.outcome.ended == "broken":
        message = f"The trial could not be made: {after.outcome.reason}"
        raise ConfigurationError(message)
    console = Console(highlight=False, soft_wrap=True)
    found = differences(in_lanes(before), in_lanes(after))
    console.print(found.told, markup=False)
    for each in found.all[1:]:
        console.print(each, markup=False)
    return 1 if found.first else 0


async def again(place: Laboratory, before: Record) -> Record:
    """Make the trial of a record once more.

    Raises:
        ConfigurationError: the record does not say enough for that.
    """
    trial = before.trial
    try:
        scenario = Scenario.model_validate(trial.setup)
    except ValidationError as error:
        message = f"The record of {trial.scenario} holds no scenario to make again: {error}"
        raise ConfigurationError(message) from error
    person = Person(policy=replayed(before), called=trial.policy)

    def cast(scenario: Scenario) -> Person:
        del scenario
        return person

    replayer = replace(place, cast=cast)
    return trials.whole(await replayer.attempt(scenario, trial.seed, trial.faults))
