"""What has changed under results is decided at once, and nothing spins over it."""

from dataclasses import replace

import pytest

from execution.authorization import PlanFacts, authorize_plan
from execution.verdict import Facts, Next, decide
from execution.workspaces import AutonomyLevel
from tests.unit.execution.situations import PLANNED, SPINNING

CHANGED = replace(PLANNED, changes_undecided=3)


def test_what_has_changed_is_decided_about_even_while_jobs_run() -> None:
    verdict = decide(replace(CHANGED, jobs_open=2))
    assert verdict.next is Next.ACT
    assert verdict.reason == "3 results rest on something that has changed."
    assert decide(replace(CHANGED, changes_undecided=1)).reason == (
        "1 result rests on something that has changed."
    )


@pytest.mark.parametrize(
    ("facts", "waiting_reason"),
    [
        (replace(CHANGED, pending_approvals=1), "approval"),
        (replace(CHANGED, jobs_open=1, rounds_without_progress=1), "jobs"),
        (replace(CHANGED, **SPINNING), "no_progress"),
    ],
)
def test_it_is_not_asked_again_while_a_plan_waits_or_nothing_comes_of_it(
    facts: Facts, waiting_reason: str
) -> None:
    verdict = decide(facts)
    assert (verdict.next, verdict.waiting_reason) == (Next.WAIT, waiting_reason)


def test_a_further_change_is_told_beside_the_plan_that_waits() -> None:
    assert decide(replace(CHANGED, pending_approvals=1, unseen_happenings=1)).next is Next.ACT


def test_rework_alone_begins_without_a_question_where_all_is_allowed() -> None:
    facts = PlanFacts(
        is_first=False,
        maximum_micros=100,
        dearest_call_micros=100,
        autonomy=AutonomyLevel.FREE,
        per_call_allowance_micros=100,
        daily_allowance_micros=1000,
        spent_today_micros=0,
        confirms_each_call=False,
        is_rework=True,
    )
    assert authorize_plan(facts).verdict == "allow"
    assert authorize_plan(replace(facts, is_rework=False)).verdict == "ask"
    assert authorize_plan(replace(facts, autonomy=AutonomyLevel.BALANCED)).verdict == "ask"
    assert authorize_plan(replace(facts, daily_allowance_micros=50)).verdict == "ask"
