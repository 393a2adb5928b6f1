"""What a judgement of a message says, and what it is about."""

from dataclasses import dataclass

from infra.providers.rehearsal.brief import Wish, WorkKind, kind_of
from infra.providers.rehearsal.evidence import Outcome
from infra.providers.rehearsal.state import Candidate
from infra.providers.rehearsal.utterance import Said


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Where a message belongs, and why."""

    outcome: Outcome
    about: str
    """What it is: wish, change, price, impossible …; names the answer for `answer`."""
    language: str
    said: Said
    wish: Wish | None = None
    goal: str = ""
    task: Candidate | None = None
    options: tuple[Candidate, ...] = ()
    impossible: str | None = None
    """What of it cannot be done: print, ship, live …"""


def kind_of_task(task: Candidate) -> WorkKind | None:
    """Return the kind of work that a task is, by its own words."""
    return kind_of(task.goal) or kind_of(task.title)
