"""The record of a trial: one scenario, one seed, with or without its faults, as JSON lines.

The first line is the trial, the last one its outcome, those between what happened, in order.
Whoever reads a record needs nothing else: reports, comparisons and replays are made from it alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

FORMAT = 1

type Track = Literal["person", "agent", "job", "money", "world"]
"""Whose doing it was: a person's action, the agent's, a job's, an account's, or a fault's."""

type Ended = Literal["done", "leave", "limit", "deadlock", "broken"]
"""As the scenario wished · the person left · too long · nothing runnable and nobody needed · the
harness or the machine failed, which says nothing about the service."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Trial(_Line):
    """What was tried."""

    kind: Literal["trial"] = "trial"
    format: int = FORMAT
    scenario: str
    why: str
    """What the scenario is for, in one sentence."""
    seed: int
    faults: Literal["none", "listed"]
    listed: list[str] = []
    """The faults in words, where there are any."""
    policy: str
    commit: str
    began_at: str
    """Wall time, ISO 8601."""
    setup: dict[str, Any] = {}
    """The scenario as it was tried, so that it can be made once more; older records have none."""


class Happening(_Line):
    """Something that happened, as a person at the API saw it or did it, or as the world did it."""

    kind: Literal["happening"] = "happening"
    number: int
    at_s: float
    """Seconds of the trial's own clock (the database's) since it began."""
    track: Track
    what: str
    """`say`, `decide`, … of a person's actions; the type of an event; the name of a fault."""
    told: str
    """One line for a reader."""
    task_id: str | None = None
    data: dict[str, Any] = {}
    """An action's arguments and labels, or the event's body."""


class Check(_Line):
    """One thing that must hold at the end."""

    name: str
    passed: bool
    told: str
    """What was found; a sentence where it failed."""


class Outcome(_Line):
    """How it ended."""

    kind: Literal["outcome"] = "outcome"
    ended: Ended
    reason: str
    passed: bool
    checks: list[Check]
    invariants_broken: list[str] = []
    metrics: dict[str, float]
    """By name, as `evals/metrics.py` defines them."""
    virtual_s: float
    wall_s: float


type Line = Annotated[Trial | Happening | Outcome, Field(discriminator="kind")]

_LINE: TypeAdapter[Line] = TypeAdapter(Line)


class NotWholeError(ValueError):
    """It has no first line, or breaks off before its outcome."""


class Record(BaseModel):
    """A whole record."""

    trial: Trial
    happenings: list[Happening]
    outcome: Outcome


def write(path: Path, lines: Iterable[Line]) -> None:
    """Write a record."""
    text = "".join(f"{line.model_dump_json()}\n" for line in lines)
    path.write_text(text, encoding="utf-8")


def read(path: Path) -> Record:
    """Read a record.

    Raises:
        ValueError: it is none, or breaks off before its outcome.
    """
    try:
        return whole(list(_lines(path)))
    except NotWholeError:
        msg = f"{path} is no whole record of a trial."
        raise ValueError(msg) from None


def whole(lines: Sequence[Line]) -> Record:
    """Return the record that these lines are.

    Raises:
        NotWholeError: they are none.
    """
    if not lines or not isinstance(lines[0], Trial) or not isinstance(lines[-1], Outcome):
        msg = "no whole record of a trial"
        raise NotWholeError(msg)
    happenings = [line for line in lines if isinstance(line, Happening)]
    return Record(trial=lines[0], happenings=happenings, outcome=lines[-1])


def _lines(path: Path) -> Iterator[Line]:
    # Not by `splitlines`: it parts lines at signs that JSON leaves as they are in a text.
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            yield _LINE.validate_json(line)
