"""A folder of records, read whole: what cannot be read is told, never left out in silence."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from evals import trials
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
        ConfigurationError: there is none, or two are of the same trial.
    """
    files = sorted(path.rglob("*.jsonl"))
    if not files:
        message = f"There are no records (*.jsonl) in {path}."
        raise ConfigurationError(message)
    found: list[Record] = []
    unread: list[Unread] = []
    for file in files:
        try:
            found.append(trials.read(file))
        except ValueError as error:
            unread.append(Unread(str(file.relative_to(path)), _problem(error)))
    _refuse_twice(path, found)
    records = {key_of(record): record for record in found}
    return Folder(path, dict(sorted(records.items())), unread)


def _refuse_twice(path: Path, found: Sequence[Record]) -> None:
    twice = [key for key, count in Counter(map(key_of, found)).items() if count > 1]
    if twice:
        message = (
            f"{path} has more than one record of {twice[0]}. Keep the records of each run in a"
            " folder of its own."
        )
        raise ConfigurationError(message)


def _problem(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"A line is none of a record: {first['msg']}."
    if isinstance(error, UnicodeDecodeError):
        return "It is not UTF-8."
    return "It breaks off before its outcome."
