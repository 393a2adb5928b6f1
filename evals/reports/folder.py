"""A folder of records, read whole: what cannot be read is told, never left out in silence."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import ValidationError

from evals import trials
from evals.refusals import dotted, refusals
from evals.reports.wording import one_line
from evals.trials import Record
from infra.errors import ConfigurationError

type Status = Literal["failed", "broken", "passed"]

STATUSES: tuple[Status, ...] = ("failed", "broken", "passed")
"""What a reader wants to see first comes first."""


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """Which trial it is."""

    scenario: str
    seed: int
    faults: str

    def __str__(self) -> str:
        return f"{one_line(self.scenario, longest=80)}, seed {self.seed}, {conditions(self.faults)}"


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that is no whole record, as one leaves behind that was killed."""

    name: str
    problem: str


@dataclass(frozen=True, slots=True)
class Folder:
    """All records of a folder, by what they tried."""

    path: Path
    records: dict[Key, Record]
    unread: Sequence[Unread] = ()

    @property
    def scenarios(self) -> list[str]:
        """The names of the scenarios."""
        return sorted({key.scenario for key in self.records})

    def of(self, scenario: str) -> list[Record]:
        """Return the records of a scenario."""
        return [record for key, record in self.records.items() if key.scenario == scenario]


def conditions(faults: str) -> str:
    """Return in words whether a trial had faults."""
    return "no faults" if faults == "none" else "with faults"


def key_of(record: Record) -> Key:
    """Return which trial a record is of."""
    return Key(record.trial.scenario, record.trial.seed, record.trial.faults)


def status_of(record: Record) -> Status:
    """Return what is said of a trial; a broken one says nothing about the service."""
    if record.outcome.ended == "broken":
        return "broken"
    return "passed" if record.outcome.passed else "failed"


def load(path: Path) -> Folder:
    """Read every `*.jsonl` below a folder.

    Raises:
        ConfigurationError: it is none or has none, or two are of the same trial.
    """
    if not path.is_dir():
        message = f"{path} is no folder."
        raise ConfigurationError(message)
    files = sorted(path.rglob("*.jsonl"))
    if not files:
        message = f"There are no records (*.jsonl) in {path}."
        raise ConfigurationError(message)
    records: dict[Key, Record] = {}
    names: dict[Key, str] = {}
    unread: list[Unread] = []
    for file in files:
        name = str(file.relative_to(path))
        try:
            record = _read(file)
        except ValueError as error:
            unread.append(Unread(name, _problem(error)))
            continue
        key = key_of(record)
        if key in records:
            message = (
                f"{path} has more than one record of {key}: {names[key]} and {name}. Keep the"
                " records of each run in a folder of its own."
            )
            raise ConfigurationError(message)
        records[key], names[key] = record, name
    return Folder(path, dict(sorted(records.items())), unread)


def read(path: Path) -> Record:
    """Read one record.

    Raises:
        ConfigurationError: it cannot be read, or is none.
    """
    try:
        return _read(path)
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror or error}."
        raise ConfigurationError(message) from None
    except ValueError as error:
        message = f"{path} is no record of a trial. {_problem(error)}"
        raise ConfigurationError(message) from None


class _UntrueError(ValueError):
    """It has the form of a record, but cannot be one; the message says why."""


def _read(file: Path) -> Record:
    lines = [line for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]
    if lines and (found := _format(lines[0])) != trials.FORMAT:
        message = f"Its format is {found}, and only {trials.FORMAT} can be read."
        raise _UntrueError(message)
    record = trials.read(file)
    if len(lines) != len(record.happenings) + 2:
        message = "It has more than one trial or more than one outcome."
        raise _UntrueError(message)
    outcome = record.outcome
    failed = [each.name for each in outcome.checks if not each.passed]
    failed += [*outcome.invariants_broken, *(["broken"] if outcome.ended == "broken" else [])]
    if outcome.passed and failed:
        message = f"It says that it passed, and what failed is there: {one_line(failed[0])}."
        raise _UntrueError(message)
    return record


def _format(line: str) -> object:
    """Return which format a first line says that it has: read before a newer one is refused."""
    try:
        first: Any = json.loads(line)
    except ValueError:
        return trials.FORMAT
    return (
        cast("dict[str, Any]", first).get("format", trials.FORMAT)
        if isinstance(first, dict)
        else trials.FORMAT
    )


def _problem(error: ValueError) -> str:
    if isinstance(error, _UntrueError):
        return str(error)
    if isinstance(error, ValidationError):
        place, said = next(refusals(error))
        return f"A line is none of a record: {f'{dotted(place)}: ' if place else ''}{said}."
    if isinstance(error, UnicodeDecodeError):
        return "It is not UTF-8."
    return "It breaks off before its outcome."
