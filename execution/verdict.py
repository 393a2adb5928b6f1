"""Does a task go on? The stop-check's verdict: a pure function over persisted facts.

The questions come in the order of requirements 7.2: complete · paused or over a limit · waiting for
an external event · at a human checkpoint · meaningful progress. A task waits only for what keeps
all of it: what can be done beside a running job or an open question is done (decision 13). Every
stop carries a reason that a person can read, and says what ends it. Nothing of it asks the model.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

MAX_ROUNDS = 400
MAX_ROUNDS_WITHOUT_PROGRESS = 3
MAX_SECONDS = 86_400
_NAMED = 3
_HOUR_S = 3600


class Next(StrEnum):
    """Where the graph goes."""

    ACT = "act"
    CALL = "call"
    DELIVER = "deliver"
    WAIT = "wait"
    COMPLETE = "complete"
    FAIL = "fail"
    END = "end"


ENDS: Mapping[str | None, str] = {
    "paused": "It goes on when you resume it.",
    "limit": "It goes on when you raise the limit or write how to go on.",
    "jobs": "It goes on by itself when they have ended.",
    "review": "It goes on with your answer.",
    "budget": (
        "It goes on when you say yes to it, when you add to the budget or the allowances, or when "
        "a new day's allowance covers it."
    ),
    "approval": "It goes on with your answer.",
    "no_progress": "It goes on when you write how to go on.",
    "blocked": "It goes on when you write what to do instead.",
    "answer": "It goes on when you write.",
    "tasks": "It goes on by itself when they have answered or ended.",
    "provider": "It is tried again by itself, every few minutes.",
}
"""What ends each wait, as a sentence for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the verdict rests on: counts and states read from the tables in one snapshot."""

    status: str
    is_lightweight: bool
    steps: int
    rounds: int
    rounds_without_progress: int
    messages_waiting: int
    answered_approvals: int
    pending_approvals: int
    pending_looks: tuple[str, ...]  # those of them that ask to look at a step's results
    looks_due: int  # steps whose results nobody has been asked to look at yet
    refused_steps: tuple[str, ...]  # whose results a person has looked at and refused
    calls_to_hand_over: int
    jobs_open: int  # but for those that are lost
    jobs_lost: int  # sent, their answer lost, and not found: nothing of the plan waits for them
    has_plan: bool
    plan_approved: bool
    plan_complete: bool
    delivery: str | None  # of exactly these results: delivered, refused or none yet
    ready_slots: int
    doubts: int  # calls of unknown outcome that the model has not looked at, or has just now
    failed_steps: tuple[str, ...]
    unseen_happenings: int
    unread_answers: int  # of a last step that had nothing but answers: it goes on with them
    jobs_awaited: int  # of the lost ones: nothing was ordered in their place
    results: int  # since the newest message that was read
    failures: int
    asked_last: int = 0  # calls of the last step that wait for a person
    unaffordable: tuple[str, ...] = ()  # pending questions asked only because money is short
    day_ends_in_s: int = 0  # when another day's allowance begins
    worked_s: int = 0  # that it has gone on by itself, without waiting for a person
    max_rounds: int = MAX_ROUNDS
    max_rounds_without_progress: int = MAX_ROUNDS_WITHOUT_PROGRESS
    max_seconds: int = MAX_SECONDS
    changes_undecided: int = 0  # results under which something has changed
    task_words_waiting: int = 0  # words of other tasks that it has not read: no person's
    tasks_awaited: tuple[str, ...] = ()  # its children, and tasks that it has asked
    plan_asked: bool = False  # whether one of the pending questions is about a plan


@dataclass(frozen=True, slots=True, kw_only=True)
class StopVerdict:
    """Where to go, why (a sentence), and for a wait what it is called and when to look again."""

    next: Next
    reason: str
    waiting_reason: str | None = None
    look_again_s: int | None = None  # even if nothing wakes it before


def ends_with(status: str, waiting_reason: str | None) -> str | None:
    """Return what ends a task's rest, as a sentence; None where it is at work or has ended."""
    return ENDS.get("paused" if status == "paused" else waiting_reason)


def decide(facts: Facts) -> StopVerdict:
    """Return the verdict on these facts."""
    if facts.status in ("completed", "failed", "stopped"):
        return StopVerdict(next=Next.END, reason=f"The task has ended: {facts.status}.")
    due = _due(facts)
    return (
        _complete(facts)
        or _held(facts)
        or (None if due else _waits_for_an_event(facts))
        or (None if due else _at_a_checkpoint(facts))
        or _spins(facts)
        or due
        or _stuck(facts)
    )


# complete?


def _complete(facts: Facts) -> StopVerdict | None:
    """Deliver what is done and end, but not while a person is asked for something else instead."""
    others_go_on = facts.jobs_open or facts.tasks_awaited or facts.task_words_waiting
    if _a_person_has_spoken(facts) or others_go_on:
        return None
    is_due = facts.plan_complete and facts.delivery is None and not facts.plan_asked
    if is_due and facts.status != "paused":
        return StopVerdict(next=Next.DELIVER, reason="Every step of the plan is done.")
    if facts.pending_approvals or _has_news(facts):
        return None
    if facts.plan_complete and facts.delivery == "delivered":
        return StopVerdict(next=Next.COMPLETE, reason="The work was delivered.")
    if facts.is_lightweight and not facts.has_plan:
        return _lightweight_complete(facts)
    return None


def _lightweight_complete(facts: Facts) -> StopVerdict | None:
    if facts.results and not facts.jobs_awaited:
        return StopVerdict(next=Next.COMPLETE, reason="The result is there.")
    if facts.steps and not facts.failures:
        return StopVerdict(next=Next.COMPLETE, reason="There was nothing to make.")
    return None


# paused, or over a limit?


def _held(facts: Facts) -> StopVerdict | None:
    if facts.status == "paused":
        return _wait("paused", "You paused this task.")
    if _a_person_has_spoken(facts) or facts.calls_to_hand_over:
        return None  # what people have said and allowed is still read and carried out
    if facts.rounds >= facts.max_rounds:
        rounds = _counted(facts.max_rounds, "round", "rounds")
        said = f"The task has reached its limit of {rounds} of work."
        return _wait("limit", said)
    if facts.worked_s >= facts.max_seconds:
        hours = f"{facts.max_seconds / _HOUR_S:.3g}"
        unit = "hour" if hours == "1" else "hours"
        return _wait("limit", f"The task has reached its limit of {hours} {unit} of work.")
    return None


# waiting for an external event?


def _waits_for_an_event(facts: Facts) -> StopVerdict | None:
    if facts.jobs_open or (facts.jobs_lost and not facts.pending_approvals):
        # Which of them a provider has begun and which still wait for one is the jobs' own to tell.
        open_jobs = _counted(facts.jobs_open or facts.jobs_lost, "job has", "jobs have")
        return _wait("jobs", f"{open_jobs} not ended yet.")
    if facts.tasks_awaited and not facts.pending_approvals:
        return _wait("tasks", f"Waiting for {_listed(facts.tasks_awaited)}.")
    return None


# at a human checkpoint?


def _at_a_checkpoint(facts: Facts) -> StopVerdict | None:
    if not facts.pending_approvals:
        return None
    tomorrow = facts.day_ends_in_s if facts.unaffordable else None
    if len(facts.unaffordable) == facts.pending_approvals:
        said = f"What may be spent does not cover {_listed(facts.unaffordable)}."
        return _wait("budget", said, look_again_s=tomorrow)
    if len(facts.pending_looks) == facts.pending_approvals:
        return _wait("review", f"Waiting for you to look at {', '.join(facts.pending_looks)}.")
    return _wait("approval", "A question is waiting for you.", look_again_s=tomorrow)


# was there meaningful progress?


def _spins(facts: Facts) -> StopVerdict | None:
    if not _is_tired(facts) or _others_are_open(facts) or _a_person_has_spoken(facts):
        return None
    if facts.calls_to_hand_over or facts.looks_due or facts.task_words_waiting:
        return None
    if facts.is_lightweight and facts.failures:
        return StopVerdict(next=Next.FAIL, reason="It could not be made after several tries.")
    return _wait(
        "no_progress",
        f"Nothing new came of the last {facts.rounds_without_progress} rounds. "
        "Say how to go on, or stop the task.",
    )


# then the next round, if there is anything to do


def _due(facts: Facts) -> StopVerdict | None:
    if facts.answered_approvals or facts.calls_to_hand_over:
        return StopVerdict(next=Next.CALL, reason="Approved work is ready to run.")
    if facts.looks_due:
        return StopVerdict(next=Next.CALL, reason="Results are there to be looked at.")
    if facts.messages_waiting:
        return StopVerdict(next=Next.ACT, reason="A message is waiting to be read.")
    if facts.task_words_waiting:
        return StopVerdict(next=Next.ACT, reason="Another task has written.")
    if facts.steps == 0:
        return StopVerdict(next=Next.ACT, reason="The work begins.")
    return _changes_to_decide(facts) or _due_for_the_model(facts)


def _changes_to_decide(facts: Facts) -> StopVerdict | None:
    """Let the model decide about changes at once, but not again while a plan for them waits."""
    waits = facts.pending_approvals or _is_tired(facts) or _idles_beside_others(facts)
    if not facts.changes_undecided or (waits and not facts.unseen_happenings):
        return None
    changed = _counted(facts.changes_undecided, "result rests", "results rest")
    return StopVerdict(next=Next.ACT, reason=f"{changed} on something that has changed.")


def _due_for_the_model(facts: Facts) -> StopVerdict | None:
    if facts.ready_slots and not _idles_beside_others(facts):
        ready = _counted(facts.ready_slots, "result", "results")
        return StopVerdict(next=Next.ACT, reason=f"{ready} can be made now.")
    if facts.doubts and not _is_tired(facts):
        doubted = _counted(facts.doubts, "call has", "calls have")
        return StopVerdict(next=Next.ACT, reason=f"{doubted} an unknown outcome.")
    if facts.refused_steps and facts.unseen_happenings and not facts.rounds_without_progress:
        return StopVerdict(next=Next.ACT, reason="Results were refused; the plan has to change.")
    if facts.jobs_lost and _is_tired(facts):
        return None
    others_decide = facts.jobs_open or facts.pending_approvals or facts.tasks_awaited
    if _has_news(facts) and not others_decide:
        return StopVerdict(next=Next.ACT, reason="Something happened that the agent must know.")
    return None


def _idles_beside_others(facts: Facts) -> bool:
    """Tell whether the last round brought nothing while jobs run or a question is open.

    What the model leaves undone then may depend on them; asking it again before they end would
    spin. Each result and each answer starts the count anew. A round that only asked something is
    followed by one more, in which the model may go on with what does not depend on the answer.
    """
    allowed = 1 if facts.asked_last else 0
    return facts.rounds_without_progress > allowed and _others_are_open(facts)


def _stuck(facts: Facts) -> StopVerdict:
    if facts.failed_steps:
        failed = _counted(len(facts.failed_steps), "step", "steps")
        return _wait(
            "blocked", f"{failed} failed after several tries: {', '.join(facts.failed_steps)}."
        )
    if facts.refused_steps:
        refused = ", ".join(facts.refused_steps)
        return _wait("answer", f"You did not accept {refused}. Say what should be different.")
    if facts.delivery == "refused":
        return _wait(
            "blocked",
            "The finished work did not pass its checks; the delivery report says why.",
        )
    return _wait("answer", "The agent is waiting for your answer.")


# what several questions ask


def _a_person_has_spoken(facts: Facts) -> bool:
    """Tell whether words or an answer of a person have not been taken up yet."""
    return bool(facts.messages_waiting or facts.answered_approvals)


def _is_tired(facts: Facts) -> bool:
    """Tell whether so many of the last rounds brought nothing that no more are asked for."""
    return facts.rounds_without_progress >= facts.max_rounds_without_progress


def _has_news(facts: Facts) -> bool:
    """Tell whether something is known that no inference has read yet."""
    return bool(facts.unseen_happenings or facts.unread_answers)


def _others_are_open(facts: Facts) -> bool:
    """Tell whether something will happen by itself: a job ends, a person or a task answers."""
    return bool(
        facts.jobs_open or facts.jobs_lost or facts.pending_approvals or facts.tasks_awaited
    )


def _wait(waiting_reason: str, reason: str, *, look_again_s: int | None = None) -> StopVerdict:
    return StopVerdict(
        next=Next.WAIT,
        reason=reason,
        waiting_reason=waiting_reason,
        look_again_s=look_again_s,
    )


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _listed(titles: tuple[str, ...]) -> str:
    """Return titles in quotes, the first few of them by name."""
    named = ", ".join(f"'{title}'" for title in titles[:_NAMED])
    more = len(titles) - _NAMED
    return f"{named} and {more} more" if more > 0 else named
