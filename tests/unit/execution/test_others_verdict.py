"""Other tasks and the stop-check: they are waited for by name, read once, and keep nobody awake."""

from dataclasses import replace

import pytest

from execution.verdict import Facts, Next, decide
from tests.unit.execution.situations import (
    AT_WORK,
    DELIVERED,
    LIGHT_ACTED,
    PLANNED,
    SPINNING,
    TIRED,
)

AWAITED = {"tasks_awaited": ("Music",)}
WRITTEN = {"task_words_waiting": 1}


@pytest.mark.parametrize(
    ("facts", "waiting_reason"),
    [
        (replace(AT_WORK, **AWAITED), "tasks"),
        (replace(AT_WORK, unread_answers=1, **AWAITED), "tasks"),
        (replace(DELIVERED, **AWAITED), "tasks"),
        (replace(LIGHT_ACTED, **AWAITED), "tasks"),
        (replace(AT_WORK, **SPINNING, **AWAITED), "tasks"),
        (replace(PLANNED, ready_slots=2, rounds_without_progress=1, **AWAITED), "tasks"),
        (replace(AT_WORK, jobs_open=1, **AWAITED), "jobs"),
        (replace(AT_WORK, pending_approvals=1, **AWAITED), "approval"),
        # a limit and a pause hold back what a person's word would pass
        (replace(AT_WORK, **TIRED, **WRITTEN), "limit"),
        (replace(AT_WORK, status="paused", **WRITTEN), "paused"),
    ],
)
def test_it_waits_for(facts: Facts, waiting_reason: str) -> None:
    verdict = decide(facts)
    assert (verdict.next, verdict.waiting_reason) == (Next.WAIT, waiting_reason)


def test_who_is_waited_for_is_named() -> None:
    facts = replace(AT_WORK, tasks_awaited=("Music", "Posters"))
    assert decide(facts).reason == "Waiting for 'Music', 'Posters'."


@pytest.mark.parametrize(
    "facts",
    [
        replace(AT_WORK, **WRITTEN),
        replace(AT_WORK, **SPINNING, **WRITTEN),
        replace(DELIVERED, **WRITTEN),
        replace(AT_WORK, jobs_open=1, **WRITTEN, **AWAITED),
    ],
)
def test_words_of_another_task_are_read(facts: Facts) -> None:
    verdict = decide(facts)
    assert (verdict.next, verdict.reason) == (Next.ACT, "Another task has written.")


def test_what_can_be_done_beside_them_is_done() -> None:
    assert decide(replace(PLANNED, ready_slots=2, **AWAITED)).next is Next.ACT
