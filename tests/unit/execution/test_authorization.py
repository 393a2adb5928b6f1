"""What runs, what asks and what is refused: code decides from facts, whatever a model says."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from execution.authorization import (
    AuthorizationFacts,
    PlanCover,
    PlanFacts,
    Risk,
    authorize,
    authorize_plan,
)
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
    confirms_each_call=False,
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


MONEY: dict[str, dict[str, Any]] = {
    "fits the budget": {"free_micros": 100},
    "within the allowances": {},
    "above the allowance per call": {"per_call_allowance_micros": 99},
    "above the day": {"spent_today_micros": 901},
    "free of charge": {
        "quote_micros": 0,
        "per_call_allowance_micros": 0,
        "daily_allowance_micros": 0,
    },
}
_ANY = "cautious balanced free"
MATRIX: list[tuple[str, PlanCover, str]] = [
    # autonomy, how the plan covers the call, and for each of MONEY: A allowed, P asked about as a
    # matter of permission, B of budget, R refused
    (_ANY, PlanCover.COVERED, "A B B B A"),
    ("cautious", PlanCover.WITHIN_ALLOWANCE, "A P P P A"),
    ("balanced free", PlanCover.WITHIN_ALLOWANCE, "A A B B A"),
    ("cautious", PlanCover.NO_PLAN, "P P P P P"),
    ("balanced free", PlanCover.NO_PLAN, "A A B B A"),
    (_ANY, PlanCover.OUTSIDE, "P P P P P"),
    (_ANY, PlanCover.NOT_APPROVED, "R R R R R"),
]
_LETTERS: dict[tuple[str, str | None], str] = {
    ("allow", None): "A",
    ("ask", "permission"): "P",
    ("ask", "budget"): "B",
    ("refuse", "permission"): "R",
}


def letter(facts: AuthorizationFacts) -> str:
    decided = authorize(facts)
    return _LETTERS[decided.verdict, decided.category]


def expected(autonomy: AutonomyLevel, cover: PlanCover) -> dict[str, str]:
    (row,) = [row for row in MATRIX if autonomy in row[0].split() and row[1] is cover]
    return dict(zip(MONEY, row[2].split(), strict=True))


@pytest.mark.parametrize(("autonomy", "cover"), list(product(AutonomyLevel, PlanCover)))
def test_the_whole_matrix_is_as_it_is_written_down(
    autonomy: AutonomyLevel, cover: PlanCover
) -> None:
    """A paid call at each level, under each plan, with each purse, from the page and by a key."""
    said = expected(autonomy, cover)
    for name, money in MONEY.items():
        facts = replace(FREE, autonomy=autonomy, cover=cover, **money)
        assert letter(facts) == said[name], name
        by_key = letter(replace(facts, confirms_each_call=True))
        assert by_key == {"A": "P"}.get(said[name], said[name]), f"{name}, by a key"
        for risk, always in ((Risk.READ, "A"), (Risk.WRITE, "A"), (Risk.IRREVERSIBLE, "P")):
            for confirms in (False, True):
                other = replace(facts, risk=risk, confirms_each_call=confirms)
                assert letter(other) == always, f"{name}, {risk}"


SMALL = PlanFacts(
    is_first=True,
    maximum_micros=400,
    dearest_call_micros=100,
    autonomy=AutonomyLevel.FREE,
    per_call_allowance_micros=100,
    daily_allowance_micros=1000,
    spent_today_micros=600,
    confirms_each_call=False,
)
PLANS = [
    ("small", SMALL, "allow", None),
    ("balanced", replace(SMALL, autonomy=AutonomyLevel.BALANCED), "ask", "permission"),
    ("cautious", replace(SMALL, autonomy=AutonomyLevel.CAUTIOUS), "ask", "permission"),
    ("a call too dear", replace(SMALL, dearest_call_micros=101), "ask", "budget"),
    ("too dear for the day", replace(SMALL, maximum_micros=401), "ask", "budget"),
    ("the day used up", replace(SMALL, spent_today_micros=601), "ask", "budget"),
    ("balanced, added to the budget", replace(SMALL, autonomy=AutonomyLevel.BALANCED,
     added_micros=400), "ask", "permission"),
    ("revised", replace(SMALL, is_first=False), "ask", "permission"),
    ("revised, for nothing", replace(SMALL, is_first=False, maximum_micros=0), "ask",
     "permission"),
    ("by a key", replace(SMALL, confirms_each_call=True), "ask", "permission"),
    ("added to the budget", replace(SMALL, dearest_call_micros=101, spent_today_micros=999,
     added_micros=400), "allow", None),
    ("too little was added", replace(SMALL, spent_today_micros=999, added_micros=399), "ask",
     "budget"),
    ("added, revised", replace(SMALL, is_first=False, added_micros=400), "ask", "permission"),
    ("a child's, within the money for it", replace(SMALL, carved_micros=400), "allow", None),
    ("a child's, above it", replace(SMALL, carved_micros=399), "ask", "budget"),
    ("a child's, added to that", replace(SMALL, carved_micros=399, added_micros=400), "allow",
     None),
    ("free of charge, the day used up and more", replace(SMALL, maximum_micros=0,
     dearest_call_micros=0, spent_today_micros=1001), "allow", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "verdict", "category"),
    [pytest.param(*row[1:], id=row[0].replace(" ", "-")) for row in PLANS],
)
def test_a_plan_begins_or_is_asked_about(
    facts: PlanFacts, verdict: str, category: str | None
) -> None:
    decided = authorize_plan(facts)
    assert (decided.verdict, decided.category) == (verdict, category)
    assert decided.verdict == "allow" or decided.reason.endswith(".")


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
    confirms_each_call=st.booleans(),
)


@given(any_facts)
def test_what_is_allowed_is_paid_for_by_a_person_or_an_allowance(facts: AuthorizationFacts) -> None:
    decided = authorize(facts)
    if facts.risk is not Risk.PAID or decided.verdict != "allow":
        assert decided.grant_micros == 0
        return
    assert facts.quote_micros <= facts.free_micros + decided.grant_micros
    if decided.grant_micros:
        assert facts.cover in (PlanCover.NO_PLAN, PlanCover.WITHIN_ALLOWANCE)
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
