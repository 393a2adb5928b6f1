"""The stop-check: each situation that a task can be in, and what it then does."""

from dataclasses import replace

import pytest

from execution.verdict import (
    ENDS,
    MAX_ROUNDS,
    MAX_ROUNDS_WITHOUT_PROGRESS,
    MAX_SECONDS,
    Facts,
    Next,
    decide,
)
from tests.unit.execution.situations import (
    AT_WORK,
    COMPLETE,
    DELIVERED,
    FRESH,
    LIGHT,
    LIGHT_ACTED,
    PLANNED,
    REFUSED,
    SPINNING,
    TIRED,
)
from tests.unit.execution.stuck_situations import CHANGED_OR_STUCK

type Row = tuple[str, Facts, Next, str | None]

SITUATIONS: list[Row] = [
    # the model has done what it can beside what is still open
    (
        "ready slots beside a question, after a round without progress",
        replace(PLANNED, ready_slots=2, pending_approvals=1, rounds_without_progress=1),
        Next.WAIT,
        "approval",
    ),
    (
        "ready slots beside jobs, after a round without progress",
        replace(PLANNED, ready_slots=2, jobs_open=3, rounds_without_progress=1),
        Next.WAIT,
        "jobs",
    ),
    (
        "ready slots beside a question, after a round that brought something",
        replace(PLANNED, ready_slots=2, pending_approvals=1),
        Next.ACT,
        None,
    ),
    (
        "ready slots beside a question, after the round that asked it",
        replace(
            PLANNED, ready_slots=2, pending_approvals=1, rounds_without_progress=1, asked_last=1
        ),
        Next.ACT,
        None,
    ),
    (
        "ready slots beside questions, after two rounds that only asked",
        replace(
            PLANNED, ready_slots=2, pending_approvals=2, rounds_without_progress=2, asked_last=1
        ),
        Next.WAIT,
        "approval",
    ),
    # a call was sent and its answer lost
    (
        "a call of unknown outcome beside its own open job",
        replace(PLANNED, doubts=1, jobs_lost=1),
        Next.ACT,
        None,
    ),
    (
        "a call of unknown outcome of a single picture",
        replace(LIGHT_ACTED, doubts=1, jobs_lost=1, failures=1),
        Next.ACT,
        None,
    ),
    (
        "a call of unknown outcome that the model did not care about",
        replace(PLANNED, doubts=1, jobs_lost=1, **SPINNING),
        Next.WAIT,
        "jobs",
    ),
    (
        "a plan that is complete without a lost job",
        replace(COMPLETE, jobs_lost=1),
        Next.DELIVER,
        None,
    ),
    ("delivered beside a lost job", replace(DELIVERED, jobs_lost=1), Next.COMPLETE, None),
    (
        "a lost job that the model chose to wait for",
        replace(PLANNED, jobs_lost=1, ready_slots=1, rounds_without_progress=1),
        Next.WAIT,
        "jobs",
    ),
    (
        "a question beside a lost job",
        replace(PLANNED, jobs_lost=1, pending_approvals=1),
        Next.WAIT,
        "approval",
    ),
    (
        "something happened beside a lost job",
        replace(PLANNED, jobs_lost=1, unseen_happenings=1),
        Next.ACT,
        None,
    ),
    # over
    ("completed", replace(DELIVERED, status="completed"), Next.END, None),
    ("failed", replace(AT_WORK, status="failed"), Next.END, None),
    ("stopped with open jobs", replace(PLANNED, status="stopped", jobs_open=4), Next.END, None),
    (
        "stopped with a message",
        replace(FRESH, status="stopped", messages_waiting=1),
        Next.END,
        None,
    ),
    (
        "paused with everything",
        replace(
            PLANNED,
            status="paused",
            messages_waiting=1,
            ready_slots=3,
            answered_approvals=1,
            calls_to_hand_over=2,
        ),
        Next.WAIT,
        "paused",
    ),
    ("paused and complete", replace(COMPLETE, status="paused"), Next.WAIT, "paused"),
    ("paused after the delivery", replace(DELIVERED, status="paused"), Next.COMPLETE, None),
    (
        "paused after the delivery, question open",
        replace(DELIVERED, status="paused", pending_approvals=1),
        Next.WAIT,
        "paused",
    ),
    (
        "a single picture paused while it was made",
        replace(LIGHT_ACTED, status="paused", results=1),
        Next.COMPLETE,
        None,
    ),
    (
        "a single picture paused before it was made",
        replace(LIGHT_ACTED, status="paused", jobs_open=1),
        Next.WAIT,
        "paused",
    ),
    ("paused over the limit", replace(PLANNED, status="paused", **TIRED), Next.WAIT, "paused"),
    # complete
    ("plan complete", COMPLETE, Next.DELIVER, None),
    ("plan complete over the limit", replace(COMPLETE, **TIRED), Next.DELIVER, None),
    ("plan complete, question open", replace(COMPLETE, pending_approvals=1), Next.DELIVER, None),
    ("plan complete, spinning", replace(COMPLETE, **SPINNING), Next.DELIVER, None),
    ("delivered", DELIVERED, Next.COMPLETE, None),
    ("delivered after 400 rounds", replace(DELIVERED, **TIRED), Next.COMPLETE, None),
    ("delivered, follow-up unread", replace(DELIVERED, messages_waiting=1), Next.ACT, None),
    (
        "delivered, revision awaits a yes",
        replace(DELIVERED, pending_approvals=1),
        Next.WAIT,
        "approval",
    ),
    ("delivered, revision answered", replace(DELIVERED, answered_approvals=1), Next.CALL, None),
    (
        "delivered, revision refused in words",
        replace(DELIVERED, unseen_happenings=1),
        Next.ACT,
        None,
    ),
    (
        "delivered, follow-up looked something up",
        replace(DELIVERED, unread_answers=1),
        Next.ACT,
        None,
    ),
    ("complete while a redo runs", replace(DELIVERED, jobs_open=1), Next.WAIT, "jobs"),
    ("delivery refused", REFUSED, Next.WAIT, "blocked"),
    ("delivery refused, not yet told", replace(REFUSED, unseen_happenings=1), Next.ACT, None),
    # lightweight
    ("lightweight begins", LIGHT, Next.ACT, None),
    ("lightweight runs", replace(LIGHT_ACTED, jobs_open=1), Next.WAIT, "jobs"),
    ("lightweight has its result", replace(LIGHT_ACTED, results=1), Next.COMPLETE, None),
    ("lightweight only answered", LIGHT_ACTED, Next.COMPLETE, None),
    (
        "lightweight asks its price",
        replace(LIGHT_ACTED, pending_approvals=1),
        Next.WAIT,
        "approval",
    ),
    (
        "lightweight follow-up unread",
        replace(LIGHT_ACTED, results=1, messages_waiting=1),
        Next.ACT,
        None,
    ),
    ("lightweight looked something up", replace(LIGHT_ACTED, unread_answers=1), Next.ACT, None),
    (
        "lightweight call refused",
        replace(LIGHT_ACTED, failures=1, unread_answers=1),
        Next.ACT,
        None,
    ),
    (
        "lightweight job failed",
        replace(LIGHT_ACTED, failures=1, unseen_happenings=1),
        Next.ACT,
        None,
    ),
    ("lightweight gave up in words", replace(LIGHT_ACTED, failures=1), Next.WAIT, "answer"),
    ("lightweight keeps failing", replace(LIGHT_ACTED, failures=4, **SPINNING), Next.FAIL, None),
    (
        "lightweight reads for ever",
        replace(LIGHT_ACTED, unread_answers=1, **SPINNING),
        Next.WAIT,
        "no_progress",
    ),
    (
        "lightweight with a plan is no longer light",
        replace(LIGHT_ACTED, has_plan=True, results=1),
        Next.WAIT,
        "answer",
    ),
    # over a limit
    ("400 rounds", replace(PLANNED, ready_slots=2, **TIRED), Next.WAIT, "limit"),
    ("399 rounds", replace(PLANNED, ready_slots=2, rounds=MAX_ROUNDS - 1), Next.ACT, None),
    ("400 rounds, jobs open", replace(PLANNED, jobs_open=1, **TIRED), Next.WAIT, "limit"),
    (
        "400 rounds, question open",
        replace(PLANNED, pending_approvals=1, **TIRED),
        Next.WAIT,
        "limit",
    ),
    (
        "400 rounds, and a message of before",
        replace(PLANNED, messages_waiting=1, **TIRED),
        Next.ACT,
        None,
    ),
    (
        "400 rounds, and an answer of before",
        replace(PLANNED, answered_approvals=1, **TIRED),
        Next.CALL,
        None,
    ),
    (
        "400 rounds, and a call that was allowed",
        replace(PLANNED, calls_to_hand_over=1, **TIRED),
        Next.CALL,
        None,
    ),
    (
        "more rounds given by a person",
        replace(PLANNED, ready_slots=2, max_rounds=MAX_ROUNDS + 1, **TIRED),
        Next.ACT,
        None,
    ),
    (
        "a day of work",
        replace(PLANNED, ready_slots=2, worked_s=MAX_SECONDS),
        Next.WAIT,
        "limit",
    ),
    (
        "a day of work but for a second",
        replace(PLANNED, ready_slots=2, worked_s=MAX_SECONDS - 1),
        Next.ACT,
        None,
    ),
    (
        "a day of work, jobs open",
        replace(PLANNED, jobs_open=2, worked_s=MAX_SECONDS),
        Next.WAIT,
        "limit",
    ),
    (
        "a day of work, and then complete",
        replace(COMPLETE, worked_s=MAX_SECONDS),
        Next.DELIVER,
        None,
    ),
    (
        "more time given by a person",
        replace(PLANNED, ready_slots=2, worked_s=MAX_SECONDS, max_seconds=MAX_SECONDS + 60),
        Next.ACT,
        None,
    ),
    (
        "another limit of rounds without progress",
        replace(PLANNED, ready_slots=2, max_rounds_without_progress=4, **SPINNING),
        Next.ACT,
        None,
    ),
    (
        "spinning with ready slots",
        replace(PLANNED, ready_slots=2, **SPINNING),
        Next.WAIT,
        "no_progress",
    ),
    (
        "one round less",
        replace(PLANNED, ready_slots=2, rounds_without_progress=MAX_ROUNDS_WITHOUT_PROGRESS - 1),
        Next.ACT,
        None,
    ),
    (
        "spinning, jobs open",
        replace(PLANNED, jobs_open=1, ready_slots=1, **SPINNING),
        Next.WAIT,
        "jobs",
    ),
    ("spinning, message", replace(PLANNED, messages_waiting=1, **SPINNING), Next.ACT, None),
    (
        "spinning, question open",
        replace(PLANNED, pending_approvals=1, **SPINNING),
        Next.WAIT,
        "approval",
    ),
    (
        "spinning, just answered",
        replace(PLANNED, answered_approvals=1, **SPINNING),
        Next.CALL,
        None,
    ),
    (
        "spinning, and a call that was allowed",
        replace(PLANNED, calls_to_hand_over=1, **SPINNING),
        Next.CALL,
        None,
    ),
    (
        "spinning, and results to be asked about",
        replace(PLANNED, looks_due=1, **SPINNING),
        Next.CALL,
        None,
    ),
    # work to do
    ("begins", FRESH, Next.ACT, None),
    ("begins with its message", replace(FRESH, messages_waiting=1), Next.ACT, None),
    ("plan approved", replace(PLANNED, answered_approvals=1), Next.CALL, None),
    ("held call without a job", replace(PLANNED, calls_to_hand_over=1), Next.CALL, None),
    (
        "approved work comes before a message",
        replace(PLANNED, calls_to_hand_over=1, messages_waiting=1),
        Next.CALL,
        None,
    ),
    ("message while jobs run", replace(PLANNED, jobs_open=5, messages_waiting=1), Next.ACT, None),
    (
        "message while a question is open",
        replace(PLANNED, pending_approvals=1, messages_waiting=1),
        Next.ACT,
        None,
    ),
    ("slots ready", replace(PLANNED, ready_slots=7), Next.ACT, None),
    ("slots ready while jobs run", replace(PLANNED, ready_slots=1, jobs_open=2), Next.ACT, None),
    ("something happened", replace(PLANNED, unseen_happenings=2), Next.ACT, None),
    (
        "something happened while jobs run",
        replace(PLANNED, unseen_happenings=1, jobs_open=1),
        Next.WAIT,
        "jobs",
    ),
    (
        "something happened, question open",
        replace(PLANNED, unseen_happenings=1, pending_approvals=1),
        Next.WAIT,
        "approval",
    ),
    ("plan refused as invalid", replace(AT_WORK, failures=1, unread_answers=1), Next.ACT, None),
    ("looked something up before planning", replace(AT_WORK, unread_answers=2), Next.ACT, None),
    (
        "a message waits and nothing was done yet",
        replace(PLANNED, steps=0, messages_waiting=2, pending_approvals=1),
        Next.ACT,
        None,
    ),
    # money
    (
        "money is short for all that is asked",
        replace(PLANNED, pending_approvals=2, unaffordable=("Shot 3", "Shot 4")),
        Next.WAIT,
        "budget",
    ),
    (
        "money is short for one of two things asked",
        replace(PLANNED, pending_approvals=2, unaffordable=("Shot 3",)),
        Next.WAIT,
        "approval",
    ),
    (
        "money is short while jobs run",
        replace(PLANNED, pending_approvals=1, unaffordable=("Shot 3",), jobs_open=1),
        Next.WAIT,
        "jobs",
    ),
    (
        "money is short beside work that is ready",
        replace(PLANNED, pending_approvals=1, unaffordable=("Shot 3",), ready_slots=1),
        Next.ACT,
        None,
    ),
    (
        "money is short and a look is asked for",
        replace(
            PLANNED, pending_approvals=2, unaffordable=("Shot 3",), pending_looks=("Keyframes",)
        ),
        Next.WAIT,
        "approval",
    ),
    (
        "money was short and a person has said yes",
        replace(PLANNED, answered_approvals=1),
        Next.CALL,
        None,
    ),
    # waiting
    ("jobs run", replace(PLANNED, jobs_open=3), Next.WAIT, "jobs"),
    (
        "jobs run and a question is open",
        replace(PLANNED, jobs_open=1, pending_approvals=1),
        Next.WAIT,
        "jobs",
    ),
    (
        "plan awaits a yes",
        replace(AT_WORK, has_plan=True, pending_approvals=1),
        Next.WAIT,
        "approval",
    ),
    # results that a person is to look at
    ("results that nobody was asked about", replace(PLANNED, looks_due=1), Next.CALL, None),
    (
        "results that nobody was asked about while jobs run",
        replace(PLANNED, looks_due=1, jobs_open=2),
        Next.CALL,
        None,
    ),
    (
        "results to be looked at",
        replace(PLANNED, pending_approvals=1, pending_looks=("Keyframes",)),
        Next.WAIT,
        "review",
    ),
    (
        "results to be looked at beside another question",
        replace(PLANNED, pending_approvals=2, pending_looks=("Keyframes",)),
        Next.WAIT,
        "approval",
    ),
    (
        "results to be looked at beside work that is ready",
        replace(PLANNED, pending_approvals=1, pending_looks=("Keyframes",), ready_slots=1),
        Next.ACT,
        None,
    ),
    (
        "results were refused while other jobs run",
        replace(PLANNED, refused_steps=("Keyframes",), unseen_happenings=2, jobs_open=2),
        Next.ACT,
        None,
    ),
    (
        "results were refused and the model did nothing",
        replace(PLANNED, refused_steps=("Keyframes",), rounds_without_progress=1),
        Next.WAIT,
        "answer",
    ),
    *CHANGED_OR_STUCK,
]


@pytest.mark.parametrize(
    ("facts", "where", "waiting_reason"),
    [pytest.param(*row[1:], id=row[0].replace(" ", "-")) for row in SITUATIONS],
)
def test_a_situation_has_one_verdict(facts: Facts, where: Next, waiting_reason: str | None) -> None:
    verdict = decide(facts)
    assert (verdict.next, verdict.waiting_reason) == (where, waiting_reason)


def test_the_table_has_every_verdict_and_every_reason() -> None:
    assert {row[2] for row in SITUATIONS} == set(Next)
    reasons = {row[3] for row in SITUATIONS} - {None}
    assert reasons == set(ENDS) - {"provider"}  # of which the worker itself tells
    assert len({row[0] for row in SITUATIONS}) == len(SITUATIONS)
