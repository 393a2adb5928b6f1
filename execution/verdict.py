"""Does a task go on? The stop-check's verdict: a pure function over persisted facts.

Order of the questions (requirements 7.2): complete · paused, blocked or over a limit · waiting for
an external event · at a human checkpoint · meaningful progress. Every stop carries a reason that a
person can read. Nothing of it asks the model.
"""

from dataclasses import dataclass
from enum import StrEnum

MAX_ROUNDS = 400
MAX_ROUNDS_WITHOUT_PROGRESS = 3


class Next(StrEnum):
    """Where the graph goes."""

    ACT = "act"
    CALL = "call"
    DELIVER = "deliver"
    WAIT = "wait"
    COMPLETE = "complete"
    FAIL = "fail"
    END = "end"


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
    changes_undecided: int = 0  # results under which something has changed


@dataclass(frozen=True, slots=True, kw_only=True)
class StopVerdict:
    """Where to go, why (a sentence), and for a wait what ends it."""

    next: Next
    reason: str
    waiting_reason: str | None = None


def decide(facts: Facts) -> StopVerdict:
    """Return the verdict on these facts."""
    if facts.status in ("completed", "failed", "stopped"):
        return StopVerdict(next=Next.END, reason=f"The task has ended: {facts.status}.")
    if facts.status == "paused":
        return StopVerdict(next=Next.WAIT, reason="You paused this task.", waiting_reason="paused")
    return (
        _finished(facts)
        or _over_a_limit(facts)
        or _work_to_do(facts)
        or _waiting(facts)
        or _stuck(facts)
    )


def _finished(facts: Facts) -> StopVerdict | None:
    if facts.messages_waiting or facts.answered_approvals or facts.jobs_open:
        return None
    if facts.plan_complete and facts.delivery is None:
        return StopVerdict(next=Next.DELIVER, reason="Every step of the plan is done.")
    if facts.pending_approvals or _has_news(facts):
        return None
    if facts.plan_complete and facts.delivery == "delivered":
        return StopVerdict(next=Next.COMPLETE, reason="The work was delivered.")
    if facts.is_lightweight and not facts.has_plan:
        return _lightweight_finished(facts)
    return None


def _has_news(facts: Facts) -> bool:
    """Tell whether something is known that no inference has read yet."""
    return bool(facts.unseen_happenings or facts.unread_answers)


def _lightweight_finished(facts: Facts) -> StopVerdict | None:
    if facts.results and not facts.jobs_awaited:
        return StopVerdict(next=Next.COMPLETE, reason="The result is there.")
    if facts.steps and not facts.failures:
        return StopVerdict(next=Next.COMPLETE, reason="There was nothing to make.")
    return None


def _over_a_limit(facts: Facts) -> StopVerdict | None:
    if facts.rounds >= MAX_ROUNDS:
        return StopVerdict(
            next=Next.FAIL, reason=f"The task was stopped after {MAX_ROUNDS} rounds of work."
        )
    has_new_input = facts.messages_waiting or facts.answered_approvals
    if has_new_input or _others_are_open(facts):
        return None
    if facts.rounds_without_progress < MAX_ROUNDS_WITHOUT_PROGRESS:
        return None
    if facts.is_lightweight and facts.failures:
        return StopVerdict(next=Next.FAIL, reason="It could not be made after several tries.")
    return StopVerdict(
        next=Next.WAIT,
        reason=f"Nothing new came of the last {facts.rounds_without_progress} rounds. "
        "Say how to go on, or stop the task.",
        waiting_reason="no_progress",
    )


def _work_to_do(facts: Facts) -> StopVerdict | None:
    if facts.answered_approvals or facts.calls_to_hand_over:
        return StopVerdict(next=Next.CALL, reason="Approved work is ready to run.")
    if facts.looks_due:
        return StopVerdict(next=Next.CALL, reason="Results are there to be looked at.")
    if facts.messages_waiting:
        return StopVerdict(next=Next.ACT, reason="A message is waiting to be read.")
    if facts.steps == 0:
        return StopVerdict(next=Next.ACT, reason="The work begins.")
    return _changes_to_decide(facts) or _work_for_the_model(facts)


def _changes_to_decide(facts: Facts) -> StopVerdict | None:
    """Let the model decide about changes at once, but not again while a plan for them waits."""
    is_tired = facts.rounds_without_progress >= MAX_ROUNDS_WITHOUT_PROGRESS
    waits = facts.pending_approvals or is_tired or _idles_beside_others(facts)
    if not facts.changes_undecided or (waits and not facts.unseen_happenings):
        return None
    changed = _counted(facts.changes_undecided, "result rests", "results rest")
    return StopVerdict(next=Next.ACT, reason=f"{changed} on something that has changed.")


def _work_for_the_model(facts: Facts) -> StopVerdict | None:
    if facts.ready_slots and not _idles_beside_others(facts):
        ready = _counted(facts.ready_slots, "result", "results")
        return StopVerdict(next=Next.ACT, reason=f"{ready} can be made now.")
    is_tired = facts.rounds_without_progress >= MAX_ROUNDS_WITHOUT_PROGRESS
    if facts.doubts and not is_tired:
        doubted = _counted(facts.doubts, "call has", "calls have")
        return StopVerdict(next=Next.ACT, reason=f"{doubted} an unknown outcome.")
    if facts.refused_steps and facts.unseen_happenings and not facts.rounds_without_progress:
        return StopVerdict(next=Next.ACT, reason="Results were refused; the plan has to change.")
    if facts.jobs_lost and is_tired:
        return None
    if _has_news(facts) and not facts.jobs_open and not facts.pending_approvals:
        return StopVerdict(next=Next.ACT, reason="Something happened that the agent must know.")
    return None


def _idles_beside_others(facts: Facts) -> bool:
    """Tell whether the last round brought nothing while jobs run or a question is open.

    What the model leaves undone then may depend on them; asking it again before they end would
    spin. Each result and each answer starts the count anew.
    """
    return bool(facts.rounds_without_progress and _others_are_open(facts))


def _others_are_open(facts: Facts) -> bool:
    """Tell whether something will happen by itself: a job ends, or a person answers."""
    return bool(facts.jobs_open or facts.jobs_lost or facts.pending_approvals)


def _waiting(facts: Facts) -> StopVerdict | None:
    if facts.jobs_open or (facts.jobs_lost and not facts.pending_approvals):
        # Which of them a provider has begun and which still wait for one is the jobs' own to tell.
        open_jobs = _counted(facts.jobs_open or facts.jobs_lost, "job has", "jobs have")
        return StopVerdict(
            next=Next.WAIT, reason=f"{open_jobs} not ended yet.", waiting_reason="jobs"
        )
    if facts.pending_looks and len(facts.pending_looks) == facts.pending_approvals:
        return StopVerdict(
            next=Next.WAIT,
            reason=f"Waiting for you to look at {', '.join(facts.pending_looks)}.",
            waiting_reason="review",
        )
    if facts.pending_approvals:
        return StopVerdict(
            next=Next.WAIT, reason="A question is waiting for you.", waiting_reason="approval"
        )
    return None


def _stuck(facts: Facts) -> StopVerdict:
    if facts.failed_steps:
        failed = _counted(len(facts.failed_steps), "step", "steps")
        return StopVerdict(
            next=Next.WAIT,
            reason=f"{failed} failed after several tries: {', '.join(facts.failed_steps)}.",
            waiting_reason="blocked",
        )
    if facts.refused_steps:
        return StopVerdict(
            next=Next.WAIT,
            reason=f"You did not accept {', '.join(facts.refused_steps)}. "
            "Say what should be different.",
            waiting_reason="answer",
        )
    if facts.delivery == "refused":
        return StopVerdict(
            next=Next.WAIT,
            reason="The finished work did not pass its checks; the delivery report says why.",
            waiting_reason="blocked",
        )
    return StopVerdict(
        next=Next.WAIT, reason="The agent is waiting for your answer.", waiting_reason="answer"
    )


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
