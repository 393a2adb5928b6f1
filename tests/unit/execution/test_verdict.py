"""The stop-check: which question comes first, and what holds for all facts."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from execution.verdict import (
    MAX_ROUNDS,
    MAX_ROUNDS_WITHOUT_PROGRESS,
    MAX_SECONDS,
    Facts,
    Next,
    decide,
)
from tests.unit.execution.situations import (
    PLANNED,
)

PRECEDENCE = [
    ("ended", {"status": "stopped"}, Next.END, None),
    ("paused", {"status": "paused"}, Next.WAIT, "paused"),
    ("complete", {"plan_complete": True, "delivery": None, "jobs_open": 0}, Next.DELIVER, None),
    ("over a limit", {"rounds": MAX_ROUNDS}, Next.WAIT, "limit"),
    ("jobs run", {"jobs_open": 1, "rounds_without_progress": 1}, Next.WAIT, "jobs"),
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
    unaffordable=st.sampled_from([(), ("Shot 3",)]),
    worked_s=st.sampled_from([0, MAX_SECONDS]),
)


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


@given(any_facts)
def test_a_persons_word_and_answer_are_taken_up_over_every_limit(facts: Facts) -> None:
    spoken = replace(facts, status="active", messages_waiting=1, rounds=MAX_ROUNDS)
    assert decide(spoken).next in (Next.ACT, Next.CALL)
    assert decide(replace(spoken, answered_approvals=1)).next is Next.CALL


@given(any_facts)
def test_a_wait_looks_again_at_a_time_to_come_or_not_by_itself(facts: Facts) -> None:
    again = decide(replace(facts, day_ends_in_s=1)).look_again_s
    assert again is None or again > 0
