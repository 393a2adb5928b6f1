"""Each measure is 0 for a sound trial, and trips for what it is there to see, alone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from evals import metrics
from evals.evidence import Deed, Evidence, Row

BEGAN = datetime(2026, 11, 30, tzinfo=UTC)
TASK, OTHER, STEP, SAID, JOB, MADE = (UUID(int=number) for number in range(1, 7))
FIGURES = {"reading_p50_s", "reading_p95_s", "unattended_s", "spent_micros"}


def at(seconds: float) -> datetime:
    return BEGAN + timedelta(seconds=seconds)


def job(**given: Any) -> Row:
    return {
        "job_id": JOB,
        "task_id": TASK,
        "call_key": "1/1",
        "step_key": "posters",
        "slot": 1,
        "request_sha256": "abc",
        "phase": "succeeded",
        "created_at": at(20),
        "closed_at": at(30),
    } | given


def call(**given: Any) -> Row:
    return {
        "call_key": "1/1",
        "step_key": "posters",
        "quote_micros": 50_000,
        "created_at": at(19),
    } | given


def asked(**given: Any) -> Row:
    return {
        "task_id": TASK,
        "kind": "plan",
        "call_key": None,
        "args_hash": "plan",
        "price_micros": 50_000,
        "category": None,
        "status": "approved",
        "created_at": at(10),
        "decided_at": at(15),
        "used_at": at(16),
    } | given


def version(**given: Any) -> Row:
    return {
        "object_id": MADE,
        "version": 1,
        "author": "job",
        "cause": "1/1",
        "inputs": [],
        "created_at": at(30),
    } | given


def message(**given: Any) -> Row:
    return {"message_id": SAID, "role": "user", "status": "consumed", "task_id": TASK} | given


def read(**given: Any) -> Row:
    return {"task_id": TASK, "created_at": at(1), "read_at": at(3)} | given


def deed(**given: Any) -> Deed:
    return Deed(**{"at_s": 0.0, "what": "say", "accepted": True} | given)


def step(seconds: float, **given: Any) -> Row:
    return {"thread_id": TASK, "turn_id": STEP, "created_at": at(seconds)} | given


def event(kind: str, seconds: float, subject: str = "") -> Row:
    return {"type": kind, "task_id": TASK, "subject": subject, "created_at": at(seconds)}


def hold(**given: Any) -> Row:
    return {
        "call_key": "1/1",
        "task_id": TASK,
        "amount_micros": 50_000,
        "settled_micros": 50_000,
        "absorbed_micros": 0,
        "status": "settled",
        "basis": "reported",
    } | given


def verdict(turn: int, reason: str = "jobs") -> Row:
    return {
        "task_id": TASK,
        "turn_id": UUID(int=turn),
        "verdict": "wait",
        "waiting_reason": reason,
    }


def turn(number: int, begun: float, ended: float) -> Row:
    return {
        "turn_id": UUID(int=number),
        "thread_id": TASK,
        "started_at": at(begun),
        "finished_at": at(ended),
    }


def shown(**item: Any) -> Row:
    made = [{"object_id": str(MADE)}]
    whole = {"expected": 1, "done": 1, "absent": {}, "outputs": made} | item
    return {"id": str(TASK), "checklist": {"items": [whole]}, "results": []}


SOUND = Evidence(
    began=BEGAN,
    messages=[message()],
    inbox=[read()],
    steps=[step(2), step(18)],
    approvals=[asked()],
    calls=[call()],
    jobs=[job()],
    holds=[hold()],
    tasks=[{"task_id": TASK, "status": "completed", "source_message_id": SAID}],
    versions=[version()],
    deliveries=[{"task_id": TASK, "status": "delivered"}],
    events=[event("job.progress", 21, str(JOB))],
    workspaces=[
        {
            "autonomy": "balanced",
            "per_call_allowance_micros": 100_000,
            "daily_allowance_micros": 1_000_000,
        }
    ],
    deeds=[deed(message_id=SAID, begins="posters", reveals=["three"])],
    orders=[JOB],
    billed={JOB: 50_000},
    wishes=[(30.0, {"three": True})],
    completed=[(31.0, shown())],
    ended_s=31.0,
)
NUDGE = {"what": "say", "intent": "nudge"}
TRIPS: list[tuple[str, dict[str, Any]]] = [
    ("nudges", {"deeds": [deed(**NUDGE, shown={"open_tasks": 1})]}),
    ("unnecessary_confirmations", {"approvals": [asked(), asked()]}),
    (
        "unnecessary_confirmations",
        {"approvals": [asked(), asked(kind="call", call_key="1/1", args_hash="again")]},
    ),
    ("missed_confirmations", {"approvals": []}),
    ("missed_confirmations", {"approvals": [asked(status="rejected")]}),
    ("missed_confirmations", {"approvals": [asked(decided_at=at(25))]}),
    ("missed_confirmations", {"approvals": [], "calls": [call(step_key=None, quote_micros=9**9)]}),
    ("duplicate_generations", {"orders": [JOB, JOB]}),
    (
        "duplicate_generations",
        {"jobs": [job(), job(job_id=UUID(int=9), call_key="2/1", created_at=at(40))]}
        | {"calls": [call(), call(call_key="2/1")]},
    ),
    ("misrouted_messages", {"messages": [message(task_id=OTHER)]}),
    (
        "misrouted_messages",
        {
            "messages": [message(), message(message_id=OTHER, task_id=OTHER)],
            "deeds": [*SOUND.deeds, deed(message_id=OTHER, target="posters")],
        },
    ),
    ("repeated_requirements", {"deeds": [*SOUND.deeds, deed(intent="repeat")]}),
    ("forgotten_requirements", {"wishes": [*SOUND.wishes, (31.0, {"three": False})]}),
    (
        "stale_uses",
        {
            "versions": [
                version(inputs=[{"object_id": str(OTHER), "version": 1}]),
                version(object_id=OTHER, author="user", cause="", created_at=at(1)),
                version(object_id=OTHER, version=2, author="user", cause="", created_at=at(2)),
            ]
        },
    ),
    ("stale_uses", {"approvals": [asked(), asked(status="superseded", args_hash="old")]}),
    ("lost_messages", {"messages": [message(status="delivered")]}),
    ("lost_messages", {"deeds": [*SOUND.deeds, deed(message_id=OTHER)]}),
    ("late_messages", {"steps": [step(1.5), step(2), step(18)]}),
    ("effects_after_stop", {"events": [event("task.stopped", 19), *SOUND.events]}),
    (
        "stop_latency_s",
        {"deeds": [*SOUND.deeds, deed(what="stop", at_s=10.0, task_id=TASK)]},
    ),
    ("deadlocks", {"ended": "deadlock"}),
    ("premature_ends", {"completed": [(31.0, shown(done=0))]}),
    ("premature_ends", {"deliveries": []}),
    (
        "money_leaked_micros",
        {"holds": [hold(), hold(call_key="2/1", status="held", settled_micros=0)]},
    ),
    ("money_leaked_micros", {"billed": {JOB: 60_000}}),
    ("money_wasted_micros", {"completed": [(31.0, shown(outputs=[]))]}),
    ("empty_turns", {"verdicts": [verdict(20), verdict(21)], "turns": [turn(21, 11, 12)]}),
    ("stream_gaps", {"gaps": ["event 4 came after 2"]}),
]


def test_a_sound_trial_trips_nothing() -> None:
    figures = metrics.measure(SOUND)
    assert {name: value for name, value in figures.items() if value and name not in FIGURES} == {}
    assert (figures["reading_p50_s"], figures["spent_micros"]) == (2.0, 50_000)
    assert figures["unattended_s"] == 30.0


@pytest.mark.parametrize(("name", "change"), TRIPS)
def test_a_measure_trips_for_what_it_names(name: str, change: dict[str, Any]) -> None:
    figures = metrics.measure(replace(SOUND, **change))
    tripped = {each for each, value in figures.items() if value and each not in FIGURES}
    assert tripped == {name}


def test_every_measure_is_seen_to_trip() -> None:
    named = {measure.__name__ for measure in metrics.MEASURES}
    assert named - FIGURES == {name for name, _ in TRIPS}
    assert set(metrics.GATES) <= named


@pytest.mark.parametrize(
    "change",
    [
        {"deeds": [deed(**NUDGE, shown={"open_tasks": 1, "jobs": 1})]},
        {"deeds": [deed(**NUDGE, shown={"open_tasks": 1, "needs_person": True})]},
        {"approvals": [asked(), asked(kind="call", call_key="1/1", category="permission")]},
        {"approvals": [], "calls": [call(step_key=None)]},
        {
            "jobs": [
                job(phase="failed", call_key="2/1"),
                job(job_id=UUID(int=9), call_key="2/1", created_at=at(40)),
                job(slot=2),
            ],
            "calls": [call(), call(call_key="2/1")],
        },
        {"messages": [message(status="withdrawn", task_id=OTHER)]},
        {"verdicts": [verdict(20), verdict(21, "review")]},
        {
            "versions": [  # written between the decision and the order
                version(inputs=[{"object_id": str(OTHER), "version": 1}]),
                version(object_id=OTHER, author="user", cause="", created_at=at(1)),
                version(object_id=OTHER, version=2, author="user", cause="", created_at=at(19.5)),
            ]
        },
        {"verdicts": [verdict(20), verdict(21)], "turns": [turn(21, 9, 11)]},
        {"verdicts": [verdict(20), verdict(21)], "turns": [turn(21, 15.5, 17)]},
        {"holds": [hold(basis="assumed_max", settled_micros=90_000)], "deeds": []},
        {
            "events": [
                event("task.stopped", 5),
                event("task.reopened", 6),
                *SOUND.events,
            ]
        },
    ],
)
def test_what_only_looks_alike_trips_nothing(change: dict[str, Any]) -> None:
    figures = metrics.measure(replace(SOUND, **change))
    assert {each for each, value in figures.items() if value} <= FIGURES
