"""Decisions that rest on counts: how many of how many there were when a person said yes.

What was seen is kept with the decision. Before a delivery it is compared with what is there now:
where the counts have changed, the decision was about something else and does not hold any more.
"""

from collections.abc import Iterable
from typing import Any

from execution.ledger import LedgerEntry
from execution.progress import ItemProgress, Plan, ranges

type Seen = dict[str, int]


def seen_of(item: ItemProgress) -> Seen:
    """Return how many of how many results of a step are there."""
    return {"done": item.count("done"), "expected": item.item.expected_count}


def seen_of_plan(plan: Plan) -> dict[str, Seen]:
    """Return how many of how many results are there, by step."""
    return {item.item.key: seen_of(item) for item in plan.items}


def outdated(plan: Plan, entries: Iterable[LedgerEntry]) -> list[str]:
    """Return why decisions to do without results do not hold any more; empty if all do."""
    agreed = [gap for entry in entries if entry.is_agreed_gap and (gap := _gap(entry))]
    told: list[str] = []
    for item in plan.items:
        slots = item.in_state("left_out")
        of_step = [
            gap
            for gap in agreed
            if gap["step"] == item.item.key and gap["version"] >= item.item.from_version
        ]
        if not slots or not of_step:
            continue
        seen, now = of_step[-1].get("saw"), seen_of(item)
        if seen is not None and seen != now:
            told.append(
                f"You agreed to do without {ranges(slots)} of '{item.item.title}' when "
                f"{seen['done']} of {seen['expected']} were there; now it is {now['done']} of "
                f"{now['expected']}."
            )
    return told


def _gap(entry: LedgerEntry) -> dict[str, Any] | None:
    return (entry.result or {}).get("left_out")
