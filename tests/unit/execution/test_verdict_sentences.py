"""What the stop-check says to a person: why, what ends it, and when it looks again by itself."""

from dataclasses import replace

import pytest

from execution.verdict import ENDS, Facts, Next, decide, ends_with
from tests.unit.execution.situations import (
    AT_WORK,
    COMPLETE,
    DELIVERED,
    FRESH,
    LIGHT_ACTED,
    PLANNED,
    REFUSED,
    SPINNING,
)

SENTENCES = [
    (replace(DELIVERED, status="completed"), "The task has ended: completed."),
    (replace(AT_WORK, status="failed"), "The task has ended: failed."),
    (replace(AT_WORK, status="stopped"), "The task has ended: stopped."),
    (COMPLETE, "Every step of the plan is done."),
    (DELIVERED, "The work was delivered."),
    (replace(LIGHT_ACTED, results=1), "The result is there."),
    (LIGHT_ACTED, "There was nothing to make."),
    (
        replace(LIGHT_ACTED, failures=4, **SPINNING),
        "It could not be made after several tries.",
    ),
    (replace(PLANNED, answered_approvals=1), "Approved work is ready to run."),
    (replace(PLANNED, calls_to_hand_over=1), "Approved work is ready to run."),
    (replace(PLANNED, looks_due=1), "Results are there to be looked at."),
    (replace(PLANNED, messages_waiting=1), "A message is waiting to be read."),
    (FRESH, "The work begins."),
    (replace(PLANNED, ready_slots=1), "1 result can be made now."),
    (replace(PLANNED, ready_slots=2), "2 results can be made now."),
    (replace(PLANNED, doubts=1), "1 call has an unknown outcome."),
    (replace(PLANNED, doubts=2), "2 calls have an unknown outcome."),
    (
        replace(PLANNED, refused_steps=("Keyframes",), unseen_happenings=1),
        "Results were refused; the plan has to change.",
    ),
    (replace(PLANNED, unseen_happenings=1), "Something happened that the agent must know."),
]


@pytest.mark.parametrize(("facts", "sentence"), SENTENCES, ids=[row[1] for row in SENTENCES])
def test_what_is_no_wait_says_why_and_waits_for_nothing(facts: Facts, sentence: str) -> None:
    verdict = decide(facts)
    assert (verdict.reason, verdict.waiting_reason, verdict.look_again_s) == (sentence, None, None)


SHORT = replace(PLANNED, day_ends_in_s=3600)
WAITS: list[tuple[Facts, str, str, int | None]] = [
    (replace(PLANNED, status="paused"), "paused", "You paused this task.", None),
    (
        replace(PLANNED, rounds=7, max_rounds=7),
        "limit",
        "The task has reached its limit of 7 rounds of work.",
        None,
    ),
    (
        replace(PLANNED, rounds=1, max_rounds=1),
        "limit",
        "The task has reached its limit of 1 round of work.",
        None,
    ),
    (
        replace(PLANNED, worked_s=3600, max_seconds=3600),
        "limit",
        "The task has reached its limit of 1 hour of work.",
        None,
    ),
    (
        replace(PLANNED, worked_s=9_000, max_seconds=9_000),
        "limit",
        "The task has reached its limit of 2.5 hours of work.",
        None,
    ),
    (
        replace(PLANNED, jobs_open=1, worked_s=400, max_seconds=1000),
        "jobs",
        "1 job has not ended yet.",
        None,
    ),
    (
        replace(PLANNED, jobs_open=2, jobs_lost=1),
        "jobs",
        "2 jobs have not ended yet.",
        None,
    ),
    (replace(PLANNED, jobs_lost=2), "jobs", "2 jobs have not ended yet.", None),
    (
        replace(PLANNED, pending_approvals=2, pending_looks=("Script", "Keyframes")),
        "review",
        "Waiting for you to look at Script, Keyframes.",
        None,
    ),
    (replace(SHORT, pending_approvals=1), "approval", "A question is waiting for you.", None),
    (
        replace(SHORT, pending_approvals=2, unaffordable=("Shot 3",)),
        "approval",
        "A question is waiting for you.",
        3600,
    ),
    (
        replace(SHORT, pending_approvals=1, unaffordable=("Shot 3",)),
        "budget",
        "What may be spent does not cover 'Shot 3'.",
        3600,
    ),
    (
        replace(SHORT, pending_approvals=3, unaffordable=("A", "B", "C")),
        "budget",
        "What may be spent does not cover 'A', 'B', 'C'.",
        3600,
    ),
    (
        replace(SHORT, pending_approvals=4, unaffordable=("A", "B", "C", "D")),
        "budget",
        "What may be spent does not cover 'A', 'B', 'C' and 1 more.",
        3600,
    ),
    (
        replace(SHORT, pending_approvals=5, unaffordable=("A", "B", "C", "D", "E")),
        "budget",
        "What may be spent does not cover 'A', 'B', 'C' and 2 more.",
        3600,
    ),
    (
        replace(PLANNED, ready_slots=1, rounds_without_progress=5),
        "no_progress",
        "Nothing new came of the last 5 rounds. Say how to go on, or stop the task.",
        None,
    ),
    (
        replace(PLANNED, failed_steps=("Shots",)),
        "blocked",
        "1 step failed after several tries: Shots.",
        None,
    ),
    (
        replace(PLANNED, failed_steps=("Shots", "Music"), refused_steps=("Script",)),
        "blocked",
        "2 steps failed after several tries: Shots, Music.",
        None,
    ),
    (
        replace(PLANNED, refused_steps=("Script", "Keyframes")),
        "answer",
        "You did not accept Script, Keyframes. Say what should be different.",
        None,
    ),
    (
        REFUSED,
        "blocked",
        "The finished work did not pass its checks; the delivery report says why.",
        None,
    ),
    (AT_WORK, "answer", "The agent is waiting for your answer.", None),
]


@pytest.mark.parametrize(
    ("facts", "waiting_reason", "sentence", "look_again_s"), WAITS, ids=[row[2] for row in WAITS]
)
def test_a_wait_says_why_what_ends_it_and_when_it_looks_again(
    facts: Facts, waiting_reason: str, sentence: str, look_again_s: int | None
) -> None:
    verdict = decide(facts)
    assert (verdict.next, verdict.waiting_reason) == (Next.WAIT, waiting_reason)
    assert (verdict.reason, verdict.look_again_s) == (sentence, look_again_s)
    assert ends_with("waiting", waiting_reason) == ENDS[waiting_reason]


def test_what_ends_a_rest_is_said_of_every_wait_and_of_nothing_else() -> None:
    assert ends_with("paused", None) == ENDS["paused"] == "It goes on when you resume it."
    assert ends_with("active", None) is None
    assert ends_with("completed", None) is None
    assert all(said.startswith("It ") and said.endswith(".") for said in ENDS.values())
