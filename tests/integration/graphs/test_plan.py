"""From a brief over a plan and a yes to a delivered work, and what a no does."""

from datetime import timedelta
from typing import Any

import pytest

from execution import approvals, checklist
from execution.approvals import Approval, Decision
from execution.errors import SupersededError
from execution.transactions import work
from infra.ids import ApprovalId, TaskId
from tests.database import DatabaseClock
from tests.harness import calls
from tests.integration.graphs.conftest import OpenStage
from tests.integration.graphs.stage import (
    PRICE,
    Model,
    PricedByWidth,
    Stage,
    concept,
    fill,
    picture,
    plan,
    plan_arguments,
    routed,
)


async def answer(
    stage: Stage, decision: Decision = Decision.APPROVE, *, note: str | None = None
) -> Approval:
    """Answer the one open question and let the work go on."""
    (asked,) = await stage.machine.pending()
    machine = stage.machine
    async with work(machine.deps, machine.workspace_id) as tx:
        answered = await approvals.decide(
            tx,
            ApprovalId(asked.approval_id),
            decision=decision,
            args_hash=asked.args_hash,
            choice=None,
            note=note,
            decided_by="person",
        )
    await machine.drain()
    return answered


async def items(stage: Stage, task_id: TaskId) -> dict[str, tuple[str, int, list[int]]]:
    async with stage.machine.deps.pools.domain.connection() as conn:
        found = await checklist.load(conn, task_id)
    assert found is not None
    return {
        each.item.key: (each.status.value, each.count("done"), each.missing_slots)
        for each in found.items
    }


async def test_a_brief_becomes_a_plan_a_yes_work_and_a_delivery(stage: Stage) -> None:
    stage.model.answers[:] = [plan(3), concept(), fill]
    task_id = await stage.begin("three posters about tea")
    assert (await stage.task(task_id))[1] == "approval"
    assert (stage.vendor.requests, await stage.money()) == ([], (0, 0, 0, 0))
    asked = (await stage.machine.pending())[0]
    assert (asked.price_micros, asked.maximum_micros) == (3 * PRICE, 375)
    await answer(stage)
    assert (await stage.task(task_id))[::2] == ("completed", "The work was delivered.")
    assert await items(stage, task_id) == {"concept": ("done", 1, []), "posters": ("done", 3, [])}
    assert await stage.money() == (375, 0, 3 * PRICE, 0)
    delivered = await stage.machine.rows("select status, revision from deliveries")
    assert delivered == [("delivered", 1)]
    assert len(stage.model.prompts) == 3
    await stage.check()


async def test_each_answer_of_the_model_is_shown_as_a_legal_history(stage: Stage) -> None:
    stage.model.answers[:] = [plan(2), concept(), fill]
    await stage.begin()
    await answer(stage)
    kinds = [message.type for message in stage.model.prompts[-1]]
    assert kinds == ["system", "human", "ai", "tool", "ai", "tool", "human"]
    assert stage.model.tool_messages()[0].startswith("pending: approval")
    told = [event["what_happened"] for event in stage.model.states[-1]["events"]]
    assert told == ["The person approved plan version 1 and its budget."]


async def test_a_no_with_words_reaches_the_model_and_a_new_plan(stage: Stage) -> None:
    stage.model.answers[:] = [plan(3), plan(1, title="One poster"), concept(), fill]
    task_id = await stage.begin()
    await answer(stage, Decision.REJECT, note="one poster is enough")
    told = [event["what_happened"] for event in stage.model.states[1]["events"]]
    assert told == ["The person refused 'Posters' (permission): one poster is enough"]
    assert stage.model.states[1]["plan"] is None
    assert (await stage.task(task_id))[1] == "approval"
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    assert await stage.money() == (125, 0, PRICE, 0)
    await stage.check()


async def test_a_message_while_a_plan_waits_is_read_next_and_the_plan_stays(stage: Stage) -> None:
    stage.model.answers[:] = [plan(2), calls(say="It waits for you."), concept(), fill]
    task_id = await stage.begin()
    await stage.say("what will it cost?", task_id)
    await stage.machine.drain()
    assert stage.model.states[1]["person_said"][-1] == "what will it cost?"
    assert stage.model.states[1]["waiting"] == ["approval: Posters"]
    assert (await stage.task(task_id))[1] == "approval"
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_a_revised_plan_takes_the_place_of_the_one_that_waits(stage: Stage) -> None:
    stage.model.answers[:] = [plan(3), plan(1), concept(), fill]
    task_id = await stage.begin()
    (first,) = await stage.machine.pending()
    await stage.say("only one, please", task_id)
    await stage.machine.drain()
    (second,) = await stage.machine.pending()
    assert second.approval_id != first.approval_id
    with pytest.raises(SupersededError):
        await stage.machine.decide(first, Decision.APPROVE)
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    assert (await items(stage, task_id))["posters"] == ("done", 1, [])
    assert await stage.machine.rows("select version, status from checklists order by 1") == [
        (1, "superseded"),
        (2, "approved"),
    ]
    await stage.check()


async def test_a_follow_up_after_delivery_stays_open_until_its_plan_is_decided(
    stage: Stage,
) -> None:
    stage.model.answers[:] = [plan(1), concept(), fill, plan(3, keep=["concept", "posters"]), fill]
    task_id = await stage.begin()
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.say("make it three", task_id)
    await stage.machine.drain()
    assert (await stage.task(task_id))[:2] == ("waiting", "approval")
    (asked,) = await stage.machine.pending()
    assert asked.price_micros == 2 * PRICE, "what stays costs nothing again"
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    assert (await items(stage, task_id))["posters"] == ("done", 3, [])
    assert len(stage.vendor.orders) == 3
    # What was spent, and the most of the new plan: two pictures and the reserve of a step of three.
    # What the first plan left over is not added to it.
    assert await stage.money() == (PRICE + 275, 0, 3 * PRICE, 0)
    delivered = await stage.machine.rows("select status, revision from deliveries order by 2")
    assert delivered == [("delivered", 1), ("delivered", 2)]
    await stage.check()


@pytest.mark.parametrize(
    ("decision", "then", "delivered"),
    [(Decision.REJECT, calls(say="As it is."), (1, 1)), (Decision.APPROVE, fill, (2, 3))],
)
async def test_what_is_complete_is_not_delivered_while_a_changed_plan_waits_for_a_yes(
    stage: Stage,
    database_clock: DatabaseClock,
    decision: Decision,
    then: Any,
    delivered: tuple[int, int],
) -> None:
    stage.vendor.default = "slow"
    more = plan(3, keep=["concept", "posters"])
    stage.model.answers[:] = [plan(1), concept(), fill, more, then]
    task_id = await stage.begin()
    await answer(stage)
    await stage.say("make it three", task_id)
    await stage.machine.drain()
    stage.vendor.ready = True
    await database_clock.advance(timedelta(minutes=1))
    await stage.machine.drain()
    assert (await items(stage, task_id))["posters"] == ("done", 1, [])
    assert (await stage.task(task_id))[:2] == ("waiting", "approval")
    assert await stage.machine.rows("select count(*) from deliveries") == [(0,)]
    await answer(stage, decision)
    for _ in range(2):
        await database_clock.advance(timedelta(minutes=1))
        await stage.machine.drain()
    told = """
        select status, (report ->> 'plan_version')::int,
               (report -> 'counts' -> 'posters' ->> 'expected')::int
        from deliveries
    """
    assert await stage.machine.rows(told) == [("delivered", *delivered)]
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_a_new_plan_takes_back_what_the_last_one_left_over(stage: Stage) -> None:
    again = plan(1, keep=["concept"])
    stage.model.answers[:] = [plan(6), again, concept(), fill, fill]
    task_id = await stage.begin()
    await answer(stage)
    assert await stage.money() == (750, 0, 6 * PRICE, 0)
    await answer(stage)
    assert await stage.money() == (6 * PRICE + 125, 0, 7 * PRICE, 0)
    granted = "select amount_micros from money_entries where kind = 'limit' order by entry_id"
    assert await stage.machine.rows(granted) == [(750,), (-25,)]
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_a_refused_follow_up_plan_is_heard_before_the_task_ends_again(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), concept(), fill, plan(3), calls(say="As you wish.")]
    task_id = await stage.begin()
    await answer(stage)
    await stage.say("make it three", task_id)
    await stage.machine.drain()
    await answer(stage, Decision.REJECT, note="too dear")
    assert "too dear" in stage.model.states[4]["events"][-1]["what_happened"]
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_a_plan_that_cannot_run_is_refused_and_proposed_again(stage: Stage) -> None:
    wrong: dict[str, Any] = plan_arguments(1)
    wrong["steps"][1]["depends_on"] = ["sketches"]
    stage.model.answers[:] = [calls(("propose_plan", wrong)), plan(1)]
    task_id = await stage.begin()
    assert stage.model.tool_messages()[0].startswith(
        "refused (invalid): The step 'posters' depends on sketches, which no earlier step is."
    )
    assert (await stage.task(task_id))[1] == "approval"
    assert await stage.machine.rows("select version from checklists") == [(1,)]
    await stage.check()


async def test_a_plan_with_a_step_that_nobody_here_can_do_is_a_matter_of_capability(
    stage: Stage,
) -> None:
    arguments = plan_arguments(1)
    arguments["steps"] += [
        {"key": "shots", "title": "Shots", "kind": "shots"},
        {"key": "film", "title": "Film", "kind": "master", "depends_on": ["shots"]},
    ]
    stage.model.answers[:] = [calls(("propose_plan", arguments)), calls(say="No films here.")]
    task_id = await stage.begin()
    assert stage.model.tool_messages()[0].startswith(
        "refused (capability): Nothing here can do 'render'. Possible are:"
    )
    assert (await stage.task(task_id))[1] == "answer"
    assert await stage.machine.rows("select refusal from ledger") == [("capability",)]
    await stage.check()


async def test_a_failed_slot_is_made_again_within_the_reserve(stage: Stage) -> None:
    stage.vendor.behaviours = {1: "failed"}
    stage.model.answers[:] = [plan(4), concept(), fill, fill]
    task_id = await stage.begin()
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    assert stage.model.states[3]["plan"]["steps"][1]["attempts"] == {"1": 1}
    assert await stage.money() == (500, 0, 4 * PRICE, 0)
    await stage.check()


async def test_a_step_that_keeps_failing_blocks_the_task_with_its_name(stage: Stage) -> None:
    stage.vendor.default = "failed"
    stage.model.answers[:] = [plan(1), concept(), fill, fill, fill, calls(say="It fails.")]
    task_id = await stage.begin()
    await answer(stage)
    assert await stage.task(task_id) == (
        "waiting",
        "blocked",
        "1 step failed after several tries: Posters.",
    )
    assert len(stage.vendor.orders) == 3
    await stage.check()


async def test_work_beyond_the_approved_budget_asks_again(stage: Stage) -> None:
    stage.vendor.default, stage.vendor.charge = "failed_charged", "reported"
    stage.model.answers[:] = [plan(1), concept(), fill, fill]
    task_id = await stage.begin()
    await answer(stage)
    assert (await stage.task(task_id))[1] == "budget"
    (asked,) = await stage.machine.pending()
    assert (asked.kind, asked.body) == ("call", "The approved budget does not cover this.")
    assert await stage.money() == (125, 0, PRICE, 0)
    await answer(stage)
    assert (await stage.money())[2] == 2 * PRICE
    await stage.check()


async def test_a_picture_outside_the_approved_plan_asks_for_itself(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), picture(name="Extra"), concept(), fill]
    task_id = await stage.begin()
    await answer(stage)
    (asked,) = await stage.machine.pending()
    assert (asked.kind, asked.body) == ("call", "This is outside the approved plan.")
    assert len(stage.vendor.orders) == 1, "the plan's own picture does not wait for it"
    await answer(stage, Decision.REJECT)
    assert (await stage.task(task_id))[0] == "completed"
    assert len(stage.vendor.orders) == 1
    await stage.check()


async def test_nothing_of_a_plan_runs_before_its_yes(stage: Stage) -> None:
    eager = calls(
        ("propose_plan", plan_arguments(1)),
        ("write_document", {"step": "concept", "name": "Concept", "text": "Tea."}),
        ("generate_image", {"step": "posters", "slot": 1, "prompt": "tea", "name": "P1"}),
    )
    stage.model.answers[:] = [eager, concept(), fill]
    task_id = await stage.begin()
    messages = await stage.machine.rows("select tool_message from ledger order by seq")
    assert [row[0].split(":")[0] for row in messages] == [
        "pending",
        "refused (permission)",
        "refused (permission)",
    ]
    assert await stage.machine.rows("select count(*) from objects") == [(0,)]
    created = "select count(*) from events where type = 'object.created'"
    assert await stage.machine.rows(created) == [(0,)]
    assert stage.vendor.requests == []
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


@pytest.mark.parametrize("captions", [True, False])
async def test_pictures_leave_room_where_captions_are_planned(
    stage: Stage, *, captions: bool
) -> None:
    film = plan_arguments(1)
    film["duration_s"] = 10
    film["steps"] += [
        {"key": "shots", "title": "Shots", "kind": "shots", "seconds": 10},
        {"key": "voice", "title": "Voice", "kind": "narration"},
    ]
    if captions:
        needs = ["shots", "voice"]
        film["steps"].append(
            {"key": "captions", "title": "Captions", "kind": "captions", "depends_on": needs}
        )
    stage.vendor.operations |= {"captions"}
    stage.model.answers[:] = [calls(("propose_plan", film)), concept(), fill]
    await stage.begin("a film about tea")
    await answer(stage)
    rooms = await stage.machine.rows(
        "select request -> 'payload' -> 'caption_room' from ledger where tool = 'generate_image'"
    )
    assert rooms == [(captions,)]


async def test_pictures_are_priced_by_the_size_that_the_plan_gives_them(
    open_stage: OpenStage,
) -> None:
    model = Model(route=routed(), answers=[plan(3, width=1000, height=600)])
    async with open_stage(model, PricedByWidth()) as stage:
        await stage.begin()
        (asked,) = await stage.machine.pending()
        assert asked.price_micros == 3 * (1000 // 10)
        await stage.check()
