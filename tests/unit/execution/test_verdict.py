"""The stop-check: each situation that a task can be in, and which question comes first."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from execution.verdict import MAX_ROUNDS, MAX_ROUNDS_WITHOUT_PROGRESS, Facts, Next, decide

FRESH = Facts(
    status="active",
    is_lightweight=False,
    steps=0,
    rounds=0,
    rounds_without_progress=0,
    messages_waiting=0,
    answered_approvals=0,
    pending_approvals=0,
    pending_looks=(),
    looks_due=0,
    refused_steps=(),
    calls_to_hand_over=0,
    jobs_open=0,
    jobs_lost=0,
    has_plan=False,
    plan_approved=False,
    plan_complete=False,
    delivery=None,
    ready_slots=0,
    doubts=0,
    failed_steps=(),
    unseen_happenings=0,
    unread_answers=0,
    jobs_awaited=0,
    results=0,
    failures=0,
)
AT_WORK = replace(FRESH, steps=3, rounds=3)
PLANNED = replace(AT_WORK, has_plan=True, plan_approved=True)
COMPLETE = replace(PLANNED, plan_complete=True)
DELIVERED = replace(COMPLETE, delivery="delivered")
REFUSED = replace(COMPLETE, delivery="refused")
LIGHT = replace(FRESH, is_lightweight=True)
LIGHT_ACTED = replace(LIGHT, steps=1, rounds=1)
SPINNING = {"rounds_without_progress": MAX_ROUNDS_WITHOUT_PROGRESS}
TIRED = {"rounds": MAX_ROUNDS}

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
    ("400 rounds", replace(PLANNED, ready_slots=2, **TIRED), Next.FAIL, None),
    ("399 rounds", replace(PLANNED, ready_slots=2, rounds=MAX_ROUNDS - 1), Next.ACT, None),
    ("400 rounds, jobs open", replace(PLANNED, jobs_open=1, **TIRED), Next.FAIL, None),
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
    # stuck
    ("a step failed", replace(PLANNED, failed_steps=("Shots",)), Next.WAIT, "blocked"),
    (
        "a step failed, another is ready",
        replace(PLANNED, failed_steps=("Shots",), ready_slots=1),
        Next.ACT,
        None,
    ),
    ("said something and did nothing", AT_WORK, Next.WAIT, "answer"),
    ("plan refused by the person, told", replace(AT_WORK, has_plan=True), Next.WAIT, "answer"),
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
    known = {"paused", "jobs", "approval", "review", "blocked", "no_progress", "answer"}
    assert reasons == known
    assert len({row[0] for row in SITUATIONS}) == len(SITUATIONS)


PRECEDENCE = [
    ("ended", {"status": "stopped"}, Next.END, None),
    ("paused", {"status": "paused"}, Next.WAIT, "paused"),
    ("complete", {"plan_complete": True, "delivery": None}, Next.DELIVER, None),
    ("over a limit", {"rounds": MAX_ROUNDS}, Next.FAIL, None),
    ("ready", {"ready_slots": 1}, Next.ACT, None),
    ("failed", {"failed_steps": ("Shots",)}, Next.WAIT, "blocked"),
]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(first, second, id=f"{first[0]}-before-{second[0]}".replace(" ", "-"))
        for first, second in combinations(PRECEDENCE, 2)
    ],
)
def test_the_earlier_question_decides(
    first: tuple[str, dict[str, object], Next, str | None],
    second: tuple[str, dict[str, object], Next, str | None],
) -> None:
    verdict = decide(replace(PLANNED, **{**second[1], **first[1]}))  # pyright: ignore[reportArgumentType]
    assert (verdict.next, verdict.waiting_reason) == first[2:]


counts = st.integers(min_value=0, max_value=3)
any_facts = st.builds(
    Facts,
    status=st.sampled_from(["active", "waiting", "paused", "completed", "failed", "stopped"]),
    is_lightweight=st.booleans(),
    steps=counts,
    rounds=st.integers(min_value=0, max_value=MAX_ROUNDS + 1),
    rounds_without_progress=st.integers(min_value=0, max_value=MAX_ROUNDS_WITHOUT_PROGRESS + 1),
    messages_waiting=counts,
    answered_approvals=counts,
    pending_approvals=counts,
    calls_to_hand_over=counts,
    jobs_open=counts,
    has_plan=st.booleans(),
    plan_approved=st.booleans(),
    plan_complete=st.booleans(),
    delivery=st.sampled_from([None, "delivered", "refused"]),
    ready_slots=counts,
    failed_steps=st.sampled_from([(), ("Shots",)]),
    unseen_happenings=counts,
    unread_answers=counts,
    results=counts,
    failures=counts,
)


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, ["1 result can be made now.", "1 job has not ended yet.", "1 step failed"]),
        (2, ["2 results can be made now.", "2 jobs have not ended yet.", "2 steps failed"]),
    ],
)
def test_one_and_many_are_told_apart(count: int, said: list[str]) -> None:
    names = ("Shots", "Music")[:count]
    reasons = [
        decide(replace(PLANNED, ready_slots=count)).reason,
        decide(replace(PLANNED, jobs_open=count)).reason,
        decide(replace(PLANNED, failed_steps=names)).reason,
    ]
    assert [told[: len(start)] for told, start in zip(reasons, said, strict=True)] == said
    assert reasons[2].endswith(f"several tries: {', '.join(names)}.")


@given(any_facts)
def test_every_verdict_says_why_in_a_sentence(facts: Facts) -> None:
    verdict = decide(facts)
    assert verdict.reason[0].isupper() or verdict.reason[0].isdigit()
    assert verdict.reason.endswith(".")
    assert (verdict.waiting_reason is None) == (verdict.next is not Next.WAIT)


@given(any_facts)
def test_nothing_ends_well_over_a_message_a_question_or_a_running_job(facts: Facts) -> None:
    verdict = decide(facts)
    if verdict.next is Next.COMPLETE:
        assert not facts.messages_waiting
        assert not facts.answered_approvals
        assert not facts.pending_approvals
        assert not facts.jobs_open
        assert not facts.unseen_happenings


@given(any_facts)
def test_a_model_that_brings_nothing_is_not_asked_for_ever(facts: Facts) -> None:
    """Without anything new from outside, the count of fruitless rounds ends the asking."""
    quiet = replace(
        facts,
        messages_waiting=0,
        answered_approvals=0,
        jobs_open=0,
        jobs_lost=facts.jobs_lost if facts.steps else 0,  # there is no job without a step
        pending_approvals=0,
        calls_to_hand_over=0,
        rounds_without_progress=MAX_ROUNDS_WITHOUT_PROGRESS,
    )
    assert decide(quiet).next is not Next.ACT
