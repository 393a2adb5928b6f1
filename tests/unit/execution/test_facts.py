"""What counts as progress, and what the agent has not read yet."""

from uuid import uuid4

import pytest

from execution.facts import is_progress
from execution.ledger import LedgerEntry
from tests.unit.execution.entries import entry, failed, refused, running

STEP = uuid4()
EARLIER = uuid4()
ASKED = uuid4()


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(running(step_id=STEP), id="a-new-job"),
        pytest.param(failed(step_id=STEP), id="a-new-job-that-failed-at-once"),
        pytest.param(entry(step_id=STEP, risk="write", step_key="script"), id="a-slot-filled"),
        pytest.param(
            entry(step_id=STEP, risk="write", verdict="ask", approval_id=ASKED), id="a-question"
        ),
        pytest.param(
            running(step_id=STEP, verdict="ask", approval_id=ASKED), id="a-price-asked-for"
        ),
    ],
)
def test_work_a_filled_slot_and_a_question_are_progress(call: LedgerEntry) -> None:
    assert is_progress(STEP, [failed(step_id=EARLIER, tool="generate_music"), call])


@pytest.mark.parametrize(
    "calls",
    [
        pytest.param([], id="words-only"),
        pytest.param([entry(step_id=STEP, risk="read", tool="read_object")], id="reading"),
        pytest.param([refused(step_id=STEP)], id="a-refused-call"),
        pytest.param([refused(step_id=STEP, step_key="shots")], id="a-taken-slot"),
        pytest.param([entry(step_id=STEP, risk="write")], id="a-document-outside-the-plan"),
        pytest.param([running(step_id=EARLIER)], id="an-earlier-step's-job"),
        pytest.param(
            [failed(step_id=EARLIER), running(step_id=STEP)], id="the-same-again-after-it-failed"
        ),
        pytest.param(
            [failed(step_id=EARLIER, outcome="unknown"), running(step_id=STEP)],
            id="the-same-again-after-it-was-lost",
        ),
    ],
)
def test_reading_refusals_and_repeated_failures_are_none(calls: list[LedgerEntry]) -> None:
    assert not is_progress(STEP, calls)
