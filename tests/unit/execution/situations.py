"""Situations of a task that tests of the stop-check begin from."""

from dataclasses import replace

from execution.verdict import MAX_ROUNDS, MAX_ROUNDS_WITHOUT_PROGRESS, Facts

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
