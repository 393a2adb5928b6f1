"""Ledger rows and plan steps for pure tests."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from execution.ledger import LedgerEntry
from execution.progress import Checklist, ChecklistItem

START = datetime(2030, 1, 1, tzinfo=UTC)
_STEP = uuid4()

BASE = LedgerEntry(
    workspace_id=UUID(int=1),
    call_key="turn/1/1",
    task_id=UUID(int=2),
    step_id=_STEP,
    seq=1,
    tool="generate_image",
    risk="paid",
    arguments={},
    args_hash="",
    tool_call_id="call_1_1",
    tool_message="pending: job",
    plan_version=1,
    step_key=None,
    slot=None,
    request=None,
    status="settled",
    verdict="allow",
    refusal=None,
    quote_micros=0,
    approval_id=None,
    result={},
    outcome="succeeded",
    created_at=START,
    updated_at=START,
)


def entry(**changes: Any) -> LedgerEntry:
    """A call that succeeded, unless told otherwise."""
    return replace(BASE, call_key=str(uuid4()), **changes)


def running(**changes: Any) -> LedgerEntry:
    return entry(**{"status": "submitting", "outcome": None, "result": None, **changes})


def asked(**changes: Any) -> LedgerEntry:
    """A call that waits for a person's answer."""
    asking = {"status": "planned", "verdict": "ask", "outcome": None, "approval_id": uuid4()}
    return entry(**{**asking, **changes})


def doubtful(**changes: Any) -> LedgerEntry:
    """A call that was sent, whose answer was lost, and which the model was told of."""
    return entry(**{"status": "unknown", "outcome": "unknown", "result": None, **changes})


def look_at(lost: LedgerEntry) -> LedgerEntry:
    return entry(tool="check_call", risk="read", result={"looked_at": lost.call_key})


def failed(**changes: Any) -> LedgerEntry:
    return entry(**{"outcome": "failed", **changes})


def refused(**changes: Any) -> LedgerEntry:
    return entry(
        **{
            "status": "rejected",
            "verdict": "refuse",
            "refusal": "invalid",
            "outcome": "refused",
            **changes,
        }
    )


def item(key: str, count: int = 1, **changes: Any) -> ChecklistItem:
    return replace(
        ChecklistItem(
            key=key,
            position=0,
            title=key.title(),
            kind="image",
            depends_on=[],
            expected_count=count,
            seconds=0,
            review=False,
            from_version=1,
        ),
        **changes,
    )


def checklist(**changes: Any) -> Checklist:
    return replace(
        Checklist(
            task_id=UUID(int=2),
            version=1,
            title="Film",
            summary="",
            format={},
            status="approved",
            call_key="turn/1/1",
            quote_micros=0,
            maximum_micros=0,
            within_allowance=False,
            created_at=START,
        ),
        **changes,
    )


def later(minutes: int) -> datetime:
    return START + timedelta(minutes=minutes)
