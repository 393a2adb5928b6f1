"""What counts as progress, and what the agent has not read yet."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from execution.approvals import Approval
from execution.facts import (
    LOOK,
    _asked_last,
    _awaited,
    _just_looked,
    _titles,
    _unread_answers,
    is_about_money,
    is_new_result,
    is_progress,
    looks_due,
)
from execution.ledger import LedgerEntry
from execution.progress import ItemStatus, derive
from execution.reviews import Review
from execution.steps import Step
from tests.unit.execution.entries import (
    START,
    asked,
    checklist,
    doubtful,
    entry,
    failed,
    item,
    look_at,
    refused,
    running,
)

STEP = uuid4()
EARLIER = uuid4()


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(running(step_id=STEP), id="a-new-job"),
        pytest.param(failed(step_id=STEP), id="a-new-job-that-failed-at-once"),
        pytest.param(entry(step_id=STEP, risk="write", step_key="script"), id="a-slot-filled"),
        pytest.param(asked(step_id=STEP, step_key="shots", slot=1), id="a-slot-asked-for"),
        pytest.param(
            entry(step_id=STEP, risk="read", tool="check_call", result={"looked_at": "a/1/1"}),
            id="the-look-at-a-lost-call",
        ),
        pytest.param(
            entry(step_id=STEP, risk="write", tool="propose_plan", result={"version": 2}),
            id="a-plan-that-begins-without-a-question",
        ),
    ],
)
def test_work_that_is_ordered_and_a_filled_slot_are_progress(call: LedgerEntry) -> None:
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
        pytest.param([asked(step_id=STEP, risk="write", tool="ask_person")], id="a-question"),
        pytest.param([asked(step_id=STEP, risk="write", tool="propose_plan")], id="a-plan"),
        pytest.param([asked(step_id=STEP)], id="a-price-asked-for-outside-the-plan"),
        pytest.param([entry(step_id=EARLIER), running(step_id=STEP)], id="one-more-of-the-same"),
        pytest.param(
            [running(step_id=EARLIER), running(step_id=STEP)], id="one-more-while-the-first-runs"
        ),
        pytest.param(
            [failed(step_id=EARLIER), running(step_id=STEP)], id="the-same-again-after-it-failed"
        ),
        pytest.param(
            [failed(step_id=EARLIER, outcome="unknown"), running(step_id=STEP)],
            id="the-same-again-after-it-was-lost",
        ),
    ],
)
def test_questions_reading_refusals_and_repetitions_are_none(calls: list[LedgerEntry]) -> None:
    assert not is_progress(STEP, calls)


@pytest.mark.parametrize(
    "before",
    [
        pytest.param([], id="the-first"),
        pytest.param([refused(step_id=EARLIER)], id="after-a-refused-one"),
        pytest.param([asked(step_id=EARLIER)], id="after-one-that-was-only-asked-for"),
        pytest.param([entry(step_id=EARLIER, step_key="shots")], id="after-one-of-the-plan"),
        pytest.param([entry(step_id=EARLIER, tool="generate_music")], id="after-another-kind"),
    ],
)
def test_an_order_outside_the_plan_is_progress_once(before: list[LedgerEntry]) -> None:
    assert is_progress(STEP, [*before, running(step_id=STEP), running(step_id=STEP)])


def test_what_is_ordered_beside_a_refusal_is_progress() -> None:
    assert is_progress(STEP, [refused(step_id=STEP), running(step_id=STEP)])
    assert not is_progress(STEP, [refused(step_id=STEP), entry(step_id=STEP, risk="read")])


# a result that starts the count of fruitless rounds anew

MADE = entry(step_id=STEP)


@pytest.mark.parametrize(
    "others",
    [
        pytest.param([], id="the-first"),
        pytest.param([entry(step_id=STEP)], id="two-of-one-step"),
        pytest.param([failed(step_id=EARLIER)], id="after-a-failure"),
        pytest.param([entry(step_id=EARLIER, tool="generate_music")], id="after-another-kind"),
        pytest.param([entry(step_id=EARLIER, step_key="shots")], id="after-one-of-the-plan"),
    ],
)
def test_a_new_result_is_told_from_more_of_the_same(others: list[LedgerEntry]) -> None:
    assert is_new_result(MADE.call_key, [*others, MADE])


def test_one_more_of_the_same_is_no_new_result() -> None:
    assert not is_new_result(MADE.call_key, [entry(step_id=EARLIER), MADE])
    assert not is_new_result(MADE.call_key, [MADE, entry(step_id=EARLIER)])


def test_each_slot_of_the_plan_that_is_filled_is_a_new_result() -> None:
    of_plan = entry(step_id=STEP, step_key="shots", slot=2)
    others = [entry(step_id=EARLIER), entry(step_id=EARLIER, step_key="shots", slot=1)]
    assert is_new_result(of_plan.call_key, [*others, of_plan])


def test_what_is_not_there_is_no_new_result() -> None:
    assert not is_new_result("none", [MADE])


# questions


def question(**changes: Any) -> Approval:
    return replace(
        Approval(
            approval_id=uuid4(),
            workspace_id=uuid4(),
            task_id=uuid4(),
            thread_id=uuid4(),
            kind="call",
            call_key="turn/1/1",
            title="A harbour",
            body="",
            card={"category": "budget"},
            actions=["approve"],
            args_hash="hash",
            price_micros=1,
            maximum_micros=1,
            status="pending",
            decision=None,
            decided_by=None,
            decided_at=None,
            used_at=None,
            expires_at=None,
            created_at=START,
        ),
        **changes,
    )


def test_only_a_call_or_a_plan_that_the_money_does_not_cover_is_about_money() -> None:
    assert is_about_money(question())
    assert not is_about_money(question(card={"category": "permission"}))
    assert not is_about_money(question(card={}))
    assert is_about_money(question(kind="plan"))
    assert not is_about_money(question(kind="plan", card={"category": "permission"}))
    assert not is_about_money(question(kind="question"))
    assert not is_about_money(question(card={"category": "budget", "replaces": "another"}))


LOOKED_AT = item("keyframes", 2, review=True)
FIRST = entry(step_key="keyframes", slot=1)
SECOND = entry(step_key="keyframes", slot=2)
SHOWN = derive(checklist(), [LOOKED_AT, item("shots")], [FIRST, SECOND])


def look(**changes: Any) -> Approval:
    card = {"step": "keyframes"}
    given = {"kind": LOOK, "card": card, "args_hash": SHOWN.items[0].results_hash, **changes}
    return question(**given)


def test_results_that_a_person_wants_to_see_are_asked_about_once() -> None:
    assert [each.item.key for each in looks_due(SHOWN, [])] == ["keyframes"]
    assert looks_due(SHOWN, [look()]) == []


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(look(args_hash="other"), id="of-other-results"),
        pytest.param(look(card={"step": "shots"}), id="of-another-step"),
        pytest.param(look(kind="question"), id="of-another-kind"),
    ],
)
def test_a_question_about_something_else_is_no_look_at_these(other: Approval) -> None:
    assert len(looks_due(SHOWN, [other])) == 1
    assert looks_due(SHOWN, [other, look()]) == []


def test_nothing_is_to_be_looked_at_before_it_is_there_or_approved_or_after_the_look() -> None:
    unfinished = derive(checklist(), [LOOKED_AT], [FIRST])
    proposed = derive(checklist(status="proposed"), [LOOKED_AT], [FIRST, SECOND])
    seen = Review(
        approval_id=uuid4(),
        step_key="keyframes",
        results_hash=SHOWN.items[0].results_hash,
        plan_version=1,
        accepted=True,
        created_at=START,
    )
    accepted = derive(checklist(), [LOOKED_AT], [FIRST, SECOND], [seen])
    assert [looks_due(plan, []) for plan in (unfinished, proposed, accepted)] == [[], [], []]


def test_steps_are_named_by_what_became_of_them() -> None:
    assert _titles(SHOWN.items, ItemStatus.REVIEW) == ("Keyframes",)
    assert _titles(SHOWN.items, ItemStatus.READY) == ("Shots",)
    assert _titles(SHOWN.items, ItemStatus.FAILED) == ()


# what the agent has not read


def step(number: int = 1) -> Step:
    return Step(
        step_id=STEP,
        thread_id=uuid4(),
        turn_id=uuid4(),
        number=number,
        model="test",
        content="",
        calls=[],
        usage={},
        status="closed",
        verdict=None,
        reason=None,
        progress=None,
        created_at=START,
    )


READ = entry(step_id=STEP, risk="read", tool="read_object")
OF_SLOT = entry(step_id=STEP, risk="write", step_key="script", slot=1)


@pytest.mark.parametrize(
    ("calls", "unread"),
    [
        pytest.param([], 0, id="nothing"),
        pytest.param([READ], 1, id="what-was-read"),
        pytest.param([READ, READ], 2, id="two-things-read"),
        pytest.param([refused(step_id=STEP)], 1, id="a-refused-order"),
        pytest.param([refused(step_id=STEP, step_key="shots")], 1, id="a-refused-slot"),
        pytest.param([OF_SLOT], 0, id="a-filled-slot"),
        pytest.param([OF_SLOT, READ], 1, id="a-filled-slot-and-a-read"),
        pytest.param([READ, running(step_id=STEP)], 0, id="a-read-beside-an-order"),
        pytest.param(
            [READ, asked(step_id=STEP, risk="write", tool="ask_person")],
            0,
            id="a-read-beside-a-question",
        ),
        pytest.param([replace(READ, step_id=EARLIER)], 0, id="an-earlier-step's"),
        pytest.param([READ, running(step_id=EARLIER)], 1, id="a-read-and-an-earlier-step's-order"),
    ],
)
def test_answers_at_once_are_unread_if_nothing_else_came(
    calls: list[LedgerEntry], unread: int
) -> None:
    assert _unread_answers(step(), calls) == unread
    assert _unread_answers(None, calls) == 0


LOST = doubtful(step_id=EARLIER, step_key="shots", slot=1)
AGAIN = running(step_id=STEP, step_key="shots", slot=1)


@pytest.mark.parametrize(
    ("entries", "awaited"),
    [
        pytest.param([LOST], 1, id="nothing-in-its-place"),
        pytest.param([LOST, AGAIN], 0, id="ordered-again"),
        pytest.param([AGAIN, LOST], 1, id="ordered-before-it"),
        pytest.param([LOST, replace(AGAIN, step_id=EARLIER)], 1, id="of-the-same-step"),
        pytest.param([LOST, replace(AGAIN, slot=2)], 1, id="another-slot"),
        pytest.param([LOST, replace(AGAIN, step_key="other")], 1, id="another-step-of-the-plan"),
        pytest.param([LOST, replace(AGAIN, tool="generate_clip")], 1, id="another-kind"),
        pytest.param(
            [LOST, refused(step_id=STEP, step_key="shots", slot=1)], 1, id="refused-in-its-place"
        ),
        pytest.param([LOST, AGAIN, AGAIN], 0, id="ordered-twice-again"),
    ],
)
def test_a_lost_call_is_awaited_until_it_is_ordered_again(
    entries: list[LedgerEntry], awaited: int
) -> None:
    assert _awaited(entries, {LOST.call_key}) == awaited
    assert _awaited(entries, set()) == 0


def test_each_lost_call_is_awaited() -> None:
    second = doubtful(step_id=EARLIER, step_key="shots", slot=2)
    assert _awaited([LOST, second], {LOST.call_key, second.call_key}) == 2
    assert _awaited([LOST, second, AGAIN], {LOST.call_key, second.call_key}) == 1


def test_only_what_the_last_step_has_asked_counts_as_asked_last() -> None:
    of_last, before = asked(step_id=STEP), asked(step_id=EARLIER)
    assert _asked_last([step()], [of_last, before, of_last, running(step_id=STEP)]) == 2
    assert _asked_last([step()], [before, entry(step_id=STEP, verdict="ask")]) == 0
    assert _asked_last([], [of_last]) == 0


def test_what_the_last_step_has_looked_at_it_can_decide_about_now() -> None:
    now = replace(look_at(LOST), step_id=STEP)
    assert _just_looked([step()], [LOST, now, now]) == 2
    assert _just_looked([step()], [LOST, replace(now, step_id=EARLIER), READ]) == 0
    assert _just_looked([], [now]) == 0
