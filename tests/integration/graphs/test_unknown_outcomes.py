"""A call was sent, its answer lost: the model looks before it decides, and no money is lost."""

from datetime import timedelta
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from execution.approvals import Decision
from execution.verdict import MAX_ROUNDS_WITHOUT_PROGRESS
from infra.providers.ports import Lookup
from tests.database import DatabaseClock
from tests.harness import calls
from tests.integration.graphs.stage import PRICE, Stage, concept, fill, picture, plan, routed

DEADLINE = timedelta(hours=2)
SOON = timedelta(seconds=70)


def look(state: dict[str, Any]) -> AIMessage:
    return calls(*(("check_call", {"call": lost["call"]}) for lost in state["doubts"]))


def again(state: dict[str, Any]) -> AIMessage:
    assert state["doubts"] == []
    return picture(name="Harbour again")


@pytest.fixture
def lost(stage: Stage) -> Stage:
    """A vendor that takes the first order, loses its answer and does not show it for now."""
    stage.vendor.behaviours = {1: "lost"}
    stage.vendor.hides = True
    stage.vendor.lookup = Lookup.NOT_FOUND_YET
    stage.model.route[:] = routed("lightweight")
    return stage


async def pass_time(stage: Stage, clock: DatabaseClock, time: timedelta) -> None:
    await clock.advance(time)
    await stage.machine.drain()


async def test_what_was_lost_is_looked_at_before_it_is_ordered_again(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    lost.model.answers[:] = [picture(), picture(), look, again, calls(say="Well.")]
    await lost.begin()
    assert len(lost.model.prompts) == 1, "an answer may be late; nobody is told at once"
    await pass_time(lost, database_clock, SOON)
    first, second, looked, redone = await lost.ledger()
    assert first == ("unknown", "unknown")
    assert second == ("rejected", "refused"), "ordered again without a look"
    assert looked == ("settled", "succeeded")
    assert redone == ("settled", "succeeded")
    refusal, said = lost.model.tool_messages()[1:3]
    assert "check_call" in refusal
    assert "may still come" in said
    await lost.check()


async def test_a_lost_call_that_is_found_later_is_adopted_beside_its_redo(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    lost.model.answers[:] = [picture(), look, again]
    await lost.begin()
    await pass_time(lost, database_clock, SOON)
    assert len(lost.vendor.orders) == 2
    lost.vendor.hides = False
    await pass_time(lost, database_clock, timedelta(minutes=2))
    assert [row[1] for row in await lost.ledger()] == ["succeeded"] * 3
    assert (await lost.money())[2:] == (2 * PRICE, 0)
    assert await lost.machine.rows("select count(*) from objects") == [(2,)]
    await lost.check()


async def test_a_look_that_was_had_brings_nothing_more(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    seen: list[str] = []

    def once_more(state: dict[str, Any]) -> AIMessage:
        seen.extend(event["call"] for event in state["events"])
        return calls(("check_call", {"call": seen[0]}))

    lost.model.answers[:] = [picture(), look, once_more, once_more, once_more]
    await lost.begin()
    await pass_time(lost, database_clock, SOON)
    fruitless = MAX_ROUNDS_WITHOUT_PROGRESS
    assert len(lost.model.prompts) == 2 + fruitless, "nobody lets it ask on and on"
    outcomes = [row[1] for row in await lost.ledger()]
    assert outcomes == ["unknown", "succeeded", *["refused"] * fruitless]
    await pass_time(lost, database_clock, DEADLINE)
    await lost.check()


async def test_calls_of_other_tasks_and_of_none_cannot_be_looked_at(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    lost.model.answers[:] = [picture(), calls(say="I wait.")]
    await lost.begin()
    await pass_time(lost, database_clock, SOON)
    (key,) = (await lost.machine.rows("select call_key from ledger"))[0]
    lost.model.answers[:] = [calls(("check_call", {"call": key}), ("check_call", {"call": "x"}))]
    await lost.begin("another")
    refused = await lost.machine.rows("select refusal from ledger where tool = 'check_call'")
    assert refused == [("invalid",), ("invalid",)]


async def test_a_slot_whose_call_was_lost_is_ordered_again_only_after_a_look(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    lost.model.route[:] = routed()
    lost.model.answers[:] = [plan(2), concept(), fill, look, fill]
    await lost.begin()
    (asked,) = await lost.machine.pending()
    await lost.machine.decide(asked, Decision.APPROVE)
    await lost.machine.drain()
    await pass_time(lost, database_clock, SOON)
    *_, told, looked = lost.model.states[:5]
    assert [step["missing_slots"] for step in told["plan"]["steps"]] == [[], []]
    assert [doubt["slot"] for doubt in told["doubts"]] == [1]
    assert [step["missing_slots"] for step in looked["plan"]["steps"]] == [[], [1]]
    (dearer,) = await lost.machine.pending()
    assert (dearer.kind, dearer.price_micros) == ("call", PRICE), "both holds are over the budget"
    await lost.machine.decide(dearer, Decision.APPROVE)
    await lost.machine.drain()
    assert len(lost.vendor.orders) == 3
    await lost.check()


async def test_a_lost_call_holds_up_no_delivery_once_its_slot_was_filled_again(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    lost.model.route[:] = routed()
    lost.model.answers[:] = [plan(4), concept(), fill, look, fill]
    task_id = await lost.begin()
    (asked,) = await lost.machine.pending()
    await lost.machine.decide(asked, Decision.APPROVE)
    await lost.machine.drain()
    await pass_time(lost, database_clock, SOON)
    assert (await lost.task(task_id))[::2] == ("completed", "The work was delivered.")
    assert (await lost.money())[1:] == (PRICE, 4 * PRICE, 0), "the lost one may still be charged"
    lost.vendor.hides = False
    await pass_time(lost, database_clock, timedelta(minutes=2))
    assert (await lost.task(task_id))[0] == "completed"
    assert (await lost.money())[1:] == (0, 5 * PRICE, 0)
    pictures = "select count(*) from objects where kind = 'image'"
    assert await lost.machine.rows(pictures) == [(5,)]
    await lost.check()


async def test_what_costs_money_after_its_hold_was_given_back_is_booked_and_kept(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    lost.model.answers[:] = [picture(), look]
    task_id = await lost.begin()
    await pass_time(lost, database_clock, SOON)
    await pass_time(lost, database_clock, DEADLINE)
    assert await lost.money() == (PRICE, 0, 0, 0), "given back at the deadline"
    before, prompts = await lost.task(task_id), len(lost.model.prompts)
    lost.vendor.hides = False
    await pass_time(lost, database_clock, timedelta(minutes=11))
    assert await lost.money() == (PRICE, 0, 0, PRICE)
    assert await lost.machine.rows("select count(*) from objects") == [(1,)]
    assert (await lost.task(task_id), len(lost.model.prompts)) == (before, prompts), "woke nobody"
    entries = "select kind, amount_micros from money_entries order by entry_id desc limit 1"
    assert await lost.machine.rows(entries) == [("absorb", PRICE)]
    await pass_time(lost, database_clock, timedelta(days=3))
    assert await lost.money() == (PRICE, 0, 0, PRICE), "once"
    await lost.check()


async def test_what_is_never_found_is_looked_for_ever_more_rarely_and_then_no_more(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    lost.model.answers[:] = [picture(), look]
    await lost.begin()
    await pass_time(lost, database_clock, SOON)
    await pass_time(lost, database_clock, DEADLINE)
    for _ in range(40):
        await pass_time(lost, database_clock, timedelta(hours=2))
    assert await lost.machine.rows("select late_looks, late_look_at from jobs") == [(4, None)]
    await lost.check()


async def test_what_provably_never_arrived_is_sent_again_unless_the_model_was_told(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    lost.vendor.behaviours = {1: "lost_before"}
    lost.model.answers[:] = [picture(), look, again]
    await lost.begin()
    await pass_time(lost, database_clock, SOON)
    lost.vendor.lookup = Lookup.PROVABLY_ABSENT
    await pass_time(lost, database_clock, timedelta(minutes=2))
    assert len(lost.vendor.orders) == 1, "the redo, and not the first one beside it"
    assert [row[1] for row in await lost.ledger()] == ["failed", "succeeded", "succeeded"]
    assert (await lost.money())[1:] == (0, PRICE, 0)
    await lost.check()
