"""Makes a record readable: whose doing an event was, and one line about it."""

from collections import defaultdict
from datetime import datetime
from typing import Any

from evals.scenarios.performing import Done
from evals.scenarios.view import Told
from evals.trials import Happening, Track

_LONGEST = 160


def of_event(told: Told) -> Happening:
    """Return an event of the log as a line of the record."""
    return Happening(
        number=0,
        at_s=told.at_s,
        track=_track(told.type),
        what=told.type,
        told=_sentence(told.type, told.data)[:_LONGEST],
        task_id=told.task_id,
        data=told.data,
    )


def of_act(done: Done) -> Happening:
    """Return what a person did, with its labels."""
    return Happening(
        number=0,
        at_s=done.at_s,
        track="person",
        what=done.act.what,
        told=done.told[:_LONGEST],
        task_id=done.task_id,
        data={
            "act": done.act.model_dump(mode="json", exclude_none=True, exclude_defaults=True),
            "status": done.answer.status,
            "message_id": done.message_id,
            "question_id": (done.question or {}).get("id"),
            "apart": done.apart,
            "shown": done.shown,
        },
    )


def of_world(at_s: float, what: str, told: str) -> Happening:
    """Return what the world did: a fault, or that time passed."""
    return Happening(number=0, at_s=at_s, track="world", what=what, told=told)


def of_money(row: dict[str, Any], began: datetime) -> Happening:
    """Return a change of an account."""
    amount = f"{row['amount_micros'] / 1e6:.4f}"
    return Happening(
        number=0,
        at_s=(row["created_at"] - began).total_seconds(),
        track="money",
        what=row["kind"],
        told=f"{row['kind']} {amount} {row['note']}".strip()[:_LONGEST],
        task_id=str(row["task_id"]),
        data={"amount_micros": row["amount_micros"], "call_key": row["call_key"]},
    )


def in_order(happenings: list[Happening]) -> list[Happening]:
    """Return everything by its time, numbered from one."""
    ordered = sorted(happenings, key=lambda each: each.at_s)
    return [
        each.model_copy(update={"number": number, "at_s": round(each.at_s, 3)})
        for number, each in enumerate(ordered, start=1)
    ]


def _track(event: str) -> Track:
    return "job" if event.startswith("job.") else "agent"


def _sentence(event: str, data: dict[str, Any]) -> str:
    say = defaultdict[str, Any](str, data)
    match event.partition(".")[0]:
        case "message":
            who = "" if say["role"] == "user" else "says: "
            told = f"{who}{say['text']} [{say['status']}]"
        case "task":
            reason = say["reason"] or say["waiting_reason"] or ""
            told = f"{say['title']}: {say['status']} {reason}".strip()
        case "approval":
            told = f"{say['title']} [{say['status']}]"
        case "assistant":
            told = str(say["text"])
        case "job":
            told = f"{say['title']} at {say['provider']}: {say['status']}"
        case "object":
            told = f"{say['name']} ({say['kind']} v{say['version']})"
        case "step":
            told = str(say["reason"] or say["content"] or say["number"])
        case _:
            told = ""
    return told
