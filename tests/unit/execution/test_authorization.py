"""What runs, what asks and what is refused: code decides from facts, whatever a model says."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from execution.authorization import AuthorizationFacts, PlanCover, Risk, authorize
from execution.workspaces import AutonomyLevel

FREE = AuthorizationFacts(
    risk=Risk.PAID,
    quote_micros=100,
    cover=PlanCover.NO_PLAN,
    free_micros=0,
    autonomy=AutonomyLevel.BALANCED,
    per_call_allowance_micros=100,
    daily_allowance_micros=1000,
    spent_today_micros=0,
)

TABLE = [
    ("read", replace(FREE, risk=Risk.READ), "allow", None),
    ("write", replace(FREE, risk=Risk.WRITE), "allow", None),
    ("write, cautious", replace(FREE, risk=Risk.WRITE, autonomy=AutonomyLevel.CAUTIOUS), "allow",
     None),
    ("irreversible", replace(FREE, risk=Risk.IRREVERSIBLE), "ask", "permission"),
    ("irreversible, free, covered", replace(FREE, risk=Risk.IRREVERSIBLE,
     autonomy=AutonomyLevel.FREE, cover=PlanCover.COVERED, free_micros=10**9), "ask",
     "permission"),
    ("covered", replace(FREE, cover=PlanCover.COVERED, free_micros=100), "allow", None),
    ("covered, one too much", replace(FREE, cover=PlanCover.COVERED, free_micros=99), "ask",
     "budget"),
    ("covered, cautious", replace(FREE, cover=PlanCover.COVERED, free_micros=100,
     autonomy=AutonomyLevel.CAUTIOUS), "allow", None),
    ("covered, above the allowance", replace(FREE, cover=PlanCover.COVERED, free_micros=500,
     quote_micros=500), "allow", None),
    ("outside", replace(FREE, cover=PlanCover.OUTSIDE, free_micros=10**9), "ask", "permission"),
    ("outside, free", replace(FREE, cover=PlanCover.OUTSIDE, autonomy=AutonomyLevel.FREE), "ask",
     "permission"),
    ("not approved", replace(FREE, cover=PlanCover.NOT_APPROVED, free_micros=10**9), "refuse",
     "permission"),
    ("not approved, free of charge", replace(FREE, cover=PlanCover.NOT_APPROVED, quote_micros=0),
     "refuse", "permission"),
    ("allowance to the last micro", FREE, "allow", None),
    ("one above the allowance per call", replace(FREE, quote_micros=101), "ask", "budget"),
    ("the day to the last micro", replace(FREE, spent_today_micros=900), "allow", None),
    ("one above the day", replace(FREE, spent_today_micros=901), "ask", "budget"),
    ("no allowance", replace(FREE, per_call_allowance_micros=0), "ask", "budget"),
    ("free of charge, no allowance", replace(FREE, quote_micros=0, per_call_allowance_micros=0,
     daily_allowance_micros=0), "allow", None),
    ("free of charge, the day used up and more", replace(FREE, quote_micros=0,
     spent_today_micros=1001), "allow", None),
    ("cautious", replace(FREE, autonomy=AutonomyLevel.CAUTIOUS), "ask", "permission"),
    ("cautious, free of charge", replace(FREE, autonomy=AutonomyLevel.CAUTIOUS, quote_micros=0),
     "ask", "permission"),
    ("free, above the allowance", replace(FREE, autonomy=AutonomyLevel.FREE, quote_micros=101),
     "ask", "budget"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "verdict", "category"),
    [pytest.param(*row[1:], id=row[0].replace(" ", "-")) for row in TABLE],
)
def test_a_call_is_allowed_asked_about_or_refused(
    facts: AuthorizationFacts, verdict: str, category: str | None
) -> None:
    decided = authorize(facts)
    assert (decided.verdict, decided.category) == (verdict, category)


micros = st.integers(min_value=0, max_value=2000)
any_facts = st.builds(
    AuthorizationFacts,
    risk=st.sampled_from(Risk),
    quote_micros=micros,
    cover=st.sampled_from(PlanCover),
    free_micros=micros,
    autonomy=st.sampled_from(AutonomyLevel),
    per_call_allowance_micros=micros,
    daily_allowance_micros=micros,
    spent_today_micros=micros,
)


@given(any_facts)
def test_what_is_allowed_is_paid_for_by_a_person_or_an_allowance(facts: AuthorizationFacts) -> None:
    decided = authorize(facts)
    if facts.risk is not Risk.PAID or decided.verdict != "allow":
        assert decided.grant_micros == 0
        return
    assert facts.quote_micros <= facts.free_micros + decided.grant_micros
    if decided.grant_micros:
        assert facts.cover is PlanCover.NO_PLAN
        assert decided.grant_micros == facts.quote_micros <= facts.per_call_allowance_micros
        assert facts.spent_today_micros + facts.quote_micros <= facts.daily_allowance_micros


@given(any_facts)
def test_whatever_does_not_run_says_why_and_in_which_category(facts: AuthorizationFacts) -> None:
    decided = authorize(facts)
    if decided.verdict != "allow":
        assert decided.category in ("permission", "budget")
        assert decided.reason.endswith(".")


@given(any_facts)
def test_nothing_irreversible_runs_unasked(facts: AuthorizationFacts) -> None:
    assert authorize(replace(facts, risk=Risk.IRREVERSIBLE)).verdict == "ask"
