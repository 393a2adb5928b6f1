"""The words that a scenario may use of the service: events, questions, vendors, facts.

What the product declares is taken from there. `tests/unit/evals/scenarios/test_vocabulary.py` holds
the rest to the product's own sources.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from evals.simulator.vendors import OFFERS
from execution.tasks import TaskStatus
from execution.verdict import ENDS
from tools.plan import StepKind

EVENTS = frozenset(
    {
        *("task.created", "task.updated", "task.waiting", "task.paused", "task.completed"),
        *("task.failed", "task.stopped", "task.reopened", "task.archived", "task.unarchived"),
        *("task.offered", "task.accepted", "task.changes_asked"),
        *("message.received", "message.routed", "message.delivered", "message.consumed"),
        *("message.answered", "message.withdrawn", "message.replaced", "message.moved"),
        *("message.refused", "assistant.completed"),
        *("approval.requested", "approval.answered", "approval.superseded", "approval.expired"),
        *("job.submitted", "job.progress", "job.succeeded", "job.failed", "job.cancelled"),
        *("job.unknown", "object.created", "object.version", "step.started", "step.finished"),
    }
)
"""Every type of event in the service's log, which is all that a person hears."""

QUESTIONS = frozenset({"plan", "call", "question", "route", "review", "gaps"})

THIS_MACHINE = "local"
"""The service that needs no vendor."""
SERVICES = frozenset({*OFFERS, THIS_MACHINE})
REVIEW_POINTS: frozenset[str] = frozenset(get_args(StepKind.__value__))

NOBODY = "none"
"""As a target: the words are for nobody's work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What a condition may say of a fact: of a number a number, of words one of them."""

    is_number: bool = False
    words: frozenset[str] | None = None
    """What it can be; none where it is a free text."""


_NUMBER = Fact(is_number=True)
_TEXT = Fact()
_STATUSES = frozenset(map(str, TaskStatus))
ACCEPTANCES = frozenset({"awaiting", "accepted", "changes_asked", "superseded"})
DELIVERIES = frozenset({"delivered", "refused"})
TASK_KINDS = frozenset({"lightweight", "persistent"})

FACTS: Mapping[str, Fact] = dict.fromkeys(
    (
        *("tasks", "tasks.open", "questions", "jobs.open", "messages.unread", "messages.answered"),
        *(f"tasks.{status}" for status in sorted(_STATUSES)),
    ),
    _NUMBER,
)
"""What can be said of everything together."""

FACTS_OF_A_WORK: Mapping[str, Fact] = {
    "status": Fact(words=_STATUSES),
    "kind": Fact(words=TASK_KINDS),
    "waiting": Fact(words=frozenset({"nothing", *filter(None, ENDS)})),
    "delivery": Fact(words=frozenset({"none", *DELIVERIES})),
    "acceptance": Fact(words=frozenset({"none", *ACCEPTANCES})),
    "language": _TEXT,
    "agreed": _TEXT,
    "format.language": _TEXT,
    **dict.fromkeys(("spent_micros", "held_micros", "questions", "jobs", "jobs_open"), _NUMBER),
    **dict.fromkeys(("plan", "expected", "made", "revision"), _NUMBER),
    **dict.fromkeys(("images", "videos", "models", "sounds", "others"), _NUMBER),
    **{f"format.{name}": _NUMBER for name in ("width", "height", "fps", "duration_s")},
    **{f"master.{name}": _NUMBER for name in ("width", "height", "duration_s")},
}
"""What can be said of a work, behind its name."""

RESERVED = frozenset({NOBODY, *(name.partition(".")[0] for name in FACTS)})
"""What no work can be called: conditions mean something else by it."""
