"""The end of the table of situations: what has changed, other tasks, and where nothing goes on."""

from dataclasses import replace

from execution.verdict import Facts, Next
from tests.unit.execution.situations import AT_WORK, COMPLETE, PLANNED

CHANGED_OR_STUCK: list[tuple[str, Facts, Next, str | None]] = [
    # what has changed, and other tasks
    (
        "results rest on something that has changed",
        replace(PLANNED, changes_undecided=3, jobs_open=2),
        Next.ACT,
        None,
    ),
    (
        "a plan for what has changed waits for a yes",
        replace(PLANNED, changes_undecided=3, pending_approvals=1),
        Next.WAIT,
        "approval",
    ),
    (
        "complete, a changed plan waits for a yes",
        replace(COMPLETE, pending_approvals=1, plan_asked=True),
        Next.WAIT,
        "approval",
    ),
    (
        "complete, a changed plan waits for a yes beside news",
        replace(COMPLETE, pending_approvals=1, plan_asked=True, unseen_happenings=1),
        Next.WAIT,
        "approval",
    ),
    (
        "complete, a changed plan waits for money",
        replace(COMPLETE, pending_approvals=1, plan_asked=True, unaffordable=("More",)),
        Next.WAIT,
        "budget",
    ),
    (
        "complete, a changed plan was answered",
        replace(COMPLETE, answered_approvals=1),
        Next.CALL,
        None,
    ),
    ("another task has written", replace(AT_WORK, task_words_waiting=1), Next.ACT, None),
    ("another task is waited for", replace(AT_WORK, tasks_awaited=("Music",)), Next.WAIT, "tasks"),
    (
        "complete but for another task",
        replace(COMPLETE, tasks_awaited=("Music",)),
        Next.WAIT,
        "tasks",
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
