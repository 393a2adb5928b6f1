"""A yes to so many of so many is none to other counts."""

from typing import Any

from execution.counted import outdated, seen_of_plan
from execution.ledger import LedgerEntry
from execution.progress import Plan, derive
from tests.unit.execution.entries import checklist, entry, item


def made(*slots: int) -> list[LedgerEntry]:
    return [entry(step_key="shots", slot=slot) for slot in slots]


def agreed(*slots: int, **saw: int) -> LedgerEntry:
    gap: dict[str, Any] = {"step": "shots", "slots": list(slots), "version": 1}
    return entry(tool="leave_out", result={"left_out": gap | ({"saw": saw} if saw else {})})


def plan_of(count: int, *entries: LedgerEntry) -> Plan:
    return derive(checklist(), [item("shots", count, kind="shots")], entries)


def states(plan: Plan) -> list[str]:
    return [slot.state for slot in plan.items[0].slots]


def test_what_was_agreed_holds_while_the_counts_are_those_that_were_seen() -> None:
    entries = [*made(1, 2), agreed(3, done=2, expected=3)]
    plan = plan_of(3, *entries)
    assert states(plan) == ["done", "done", "left_out"]
    assert outdated(plan, entries) == []
    assert seen_of_plan(plan) == {"shots": {"done": 2, "expected": 3}}


def test_a_yes_to_two_of_three_leaves_nothing_out_of_five() -> None:
    entries = [*made(1, 2), agreed(3, done=2, expected=3)]
    assert states(plan_of(5, *entries)) == ["done", "done", "missing", "missing", "missing"]


def test_other_counts_than_were_seen_are_told_before_a_delivery() -> None:
    entries = [*made(1), agreed(2, 3, done=2, expected=3)]
    plan = plan_of(3, *entries)
    assert outdated(plan, entries) == [
        "You agreed to do without 2–3 of 'Shots' when 2 of 3 were there; now it is 1 of 3."
    ]


def test_the_newest_agreement_counts() -> None:
    entries = [*made(1), agreed(3, done=2, expected=3), agreed(2, 3, done=1, expected=3)]
    assert outdated(plan_of(3, *entries), entries) == []


def test_an_agreement_from_before_counts_were_kept_holds() -> None:
    entries = [*made(1, 2), agreed(3)]
    plan = plan_of(3, *entries)
    assert (states(plan)[2], outdated(plan, entries)) == ("left_out", [])
