"""A task gives work to another: money moves and comes back, rights stay, its end is told."""

import json
from datetime import timedelta

import pytest

from execution import tasks, views
from execution.approvals import Decision
from execution.errors import NotPossibleNowError
from execution.joining import merge
from execution.transactions import work
from server.workers import watchdog
from tests.database import DatabaseClock
from tests.harness import calls
from tests.integration.graphs.conftest import OpenStage
from tests.integration.graphs.family import (
    CARVED,
    GIVEN,
    PARENT,
    Family,
    account,
    begin,
    cast,
    delegate,
    go,
)
from tests.integration.graphs.stage import (
    PRICE,
    Stage,
    Vendor,
    concept,
    fill,
    picture,
    plan,
    routed,
)
from tests.integration.graphs.test_limits import more
from tests.integration.graphs.test_permission import allow, say_by_key
from tests.integration.graphs.test_plan import answer


async def carved(family: Family) -> tuple[int, int, bool]:
    """Of the one delegation: what was carved, what came back, and whether it is over."""
    rows = await family.stage.machine.rows(
        "select carved_micros, returned_micros, closed_at is not null from delegations"
    )
    return rows[0]  # pyright: ignore[reportReturnType]


async def test_money_moves_to_the_child_and_what_it_has_not_spent_comes_back(
    open_stage: OpenStage,
) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(2), concept(), fill])) as stage:
        family = await begin(stage)
        await go(family)
        child_id = await family.child()
        assert await account(family, family.parent_id) == (GIVEN - CARVED, 0, 0)
        assert await account(family, child_id) == (CARVED, 0, 0)
        assert await stage.task(child_id) == (
            "waiting",
            "approval",
            "A question is waiting for you.",
        )
        await answer(stage)
        assert (await stage.task(child_id))[0] == "completed"
        assert await account(family, child_id) == (2 * PRICE, 0, 2 * PRICE)
        assert await account(family, family.parent_id) == (GIVEN - 2 * PRICE, 0, 0)
        assert await carved(family) == (CARVED, CARVED - 2 * PRICE, True)
        await stage.check()


async def test_a_plan_that_costs_less_than_was_carved_gives_the_rest_back_at_once(
    open_stage: OpenStage,
) -> None:
    async with open_stage(
        cast(parent=[delegate()], child=[plan(2), concept(), fill]), Vendor(default="slow")
    ) as stage:
        family = await begin(stage)
        await go(family)
        await answer(stage)
        child_id = await family.child()
        assert await account(family, child_id) == (250, 2 * PRICE, 0), "what the person saw"
        assert await account(family, family.parent_id) == (GIVEN - 250, 0, 0)
        await stage.check()


async def test_what_a_person_gives_the_child_beyond_it_never_goes_to_the_parent(
    open_stage: OpenStage,
) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(8), concept(), fill])) as stage:
        family = await begin(stage)
        await go(family)
        await answer(stage)
        child_id = await family.child()
        assert await account(family, child_id) == (1000, 0, 8 * PRICE), "as approved"
        assert await account(family, family.parent_id) == (GIVEN - CARVED, 0, 0)
        assert await carved(family) == (CARVED, 0, True)
        await stage.check()


async def test_the_end_of_a_child_wakes_its_parent_with_summary_and_objects(
    open_stage: OpenStage,
) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(2), concept(), fill])) as stage:
        family = await begin(stage)
        await go(family)
        assert await stage.task(family.parent_id) == ("waiting", "tasks", "Waiting for 'Posters'.")
        await answer(stage)
        waits, done = map(json.loads, await family.heard(family.parent_id))
        assert (waits["status"], waits["waiting_for"]) == ("waiting", "approval")
        assert (done["status"], done["delivery"]) == ("completed", "delivered")
        assert done["summary"]
        here = {str(row[0]) for row in await stage.machine.rows("select object_id from objects")}
        assert {each["object_id"] for each in done["objects"]} <= here
        assert sum(each["kind"] == "image" for each in done["objects"]) == 2
        shown = [str(each.content) for each in stage.model.prompts[-1] if each.type == "human"]
        assert any(each.startswith('<from_task kind="report"') for each in shown)
        assert family.model.said[-1] == PARENT
        assert family.model.states[-1]["person_said"] == ["please", "go on"]
        await stage.check()


async def test_a_parent_is_told_that_its_child_was_stopped_and_has_its_money_back(
    open_stage: OpenStage,
) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(2)])) as stage:
        family = await begin(stage)
        await go(family)
        await family.change("stop", await family.child())
        assert await account(family, family.parent_id) == (GIVEN, 0, 0)
        await watchdog.sweep(stage.machine.deps)
        await stage.machine.drain()
        told = json.loads((await family.heard(family.parent_id))[-1])
        assert (told["status"], told["reason"]) == ("stopped", "You stopped this task.")
        assert (await stage.task(family.parent_id))[1] == "answer"
        assert await stage.machine.pending() == []
        await stage.check()


async def test_a_parent_is_told_that_its_child_has_failed(open_stage: OpenStage) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(2)])) as stage:
        family = await begin(stage)
        await go(family)
        machine = stage.machine
        async with work(machine.deps, machine.workspace_id) as tx:
            await tasks.set_status(
                tx, await family.child(), tasks.TaskStatus.FAILED, reason="It broke."
            )
        await watchdog.sweep(machine.deps)
        await machine.drain()
        told = json.loads((await family.heard(family.parent_id))[-1])
        assert (told["status"], told["reason"]) == ("failed", "It broke.")
        assert await account(family, family.parent_id) == (GIVEN, 0, 0)
        await stage.check()


async def test_one_wait_of_a_child_is_told_once(open_stage: OpenStage) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(2), calls(), calls()])) as stage:
        family = await begin(stage)
        await go(family)
        asked = family.model.said.count(PARENT)
        for _ in range(2):
            await stage.say("take your time", await family.child())
            await stage.machine.drain()
        assert len(await family.heard(family.parent_id)) == 1
        assert family.model.said.count(PARENT) == asked
        await stage.check()


async def test_a_stop_of_the_parent_stops_who_works_for_it(
    open_stage: OpenStage, database_clock: DatabaseClock
) -> None:
    vendor = Vendor(default="slow")
    async with open_stage(
        cast(parent=[delegate()], child=[plan(2), concept(), fill]), vendor
    ) as stage:
        family = await begin(stage)
        await go(family)
        await answer(stage)
        child_id = await family.child()
        await family.change("stop", family.parent_id)
        stopped = ("stopped", None, "The task that it worked for has ended.")
        assert await stage.task(child_id) == stopped
        assert await account(family, child_id) == (2 * PRICE, 2 * PRICE, 0), "what is under way"
        vendor.cancels_for_free = True
        await database_clock.advance(timedelta(seconds=30))
        await watchdog.sweep(stage.machine.deps)
        await stage.machine.drain()
        await database_clock.advance(timedelta(seconds=30))
        vendor.ready = True
        await stage.machine.drain()
        spent = sum(vendor.billed.values())
        assert await account(family, child_id) == (spent, 0, spent)
        assert await account(family, family.parent_id) == (GIVEN - spent, 0, 0)
        asked = len(stage.model.prompts)
        await stage.machine.drain()
        assert len(stage.model.prompts) == asked, "nobody was woken"
        await stage.check()


async def test_who_works_for_a_paused_task_is_paused_and_goes_on_with_it(
    open_stage: OpenStage,
) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(2), concept(), fill])) as stage:
        family = await begin(stage)
        await go(family)
        child_id = await family.child()
        await family.change("pause", family.parent_id)
        assert (await stage.task(child_id))[0] == "paused"
        await answer(stage)
        assert (await stage.task(child_id))[0] == "paused"
        assert len(await family.heard(family.parent_id)) == 1, "no word about what it knows"
        await family.change("resume", family.parent_id)
        await stage.machine.drain()
        assert (await stage.task(child_id))[0] == "completed"
        await stage.check()


async def test_a_child_that_a_person_paused_stays_so_when_its_parent_goes_on(
    open_stage: OpenStage,
) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(2)])) as stage:
        family = await begin(stage)
        await go(family)
        child_id = await family.child()
        await family.change("pause", child_id)
        await family.change("pause", family.parent_id)
        await family.change("resume", family.parent_id)
        await stage.machine.drain()
        assert (await stage.task(child_id))[0] == "paused"
        await stage.check()


async def test_a_child_that_goes_on_before_its_parent_does_is_its_persons_to_pause(
    open_stage: OpenStage,
) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(2)])) as stage:
        family = await begin(stage)
        await go(family)
        child_id = await family.child()
        await family.change("pause", family.parent_id)
        await family.change("resume", child_id)
        await family.change("pause", child_id)
        await family.change("resume", family.parent_id)
        await stage.machine.drain()
        assert (await stage.task(child_id))[0] == "paused"
        await stage.check()


async def test_a_parent_that_could_not_be_run_leaves_nobody_at_work(open_stage: OpenStage) -> None:
    """A worker gives up a task by itself; the watchdog ends who works for it."""
    async with open_stage(cast(parent=[delegate()], child=[plan(2)])) as stage:
        family = await begin(stage)
        await go(family)
        machine = stage.machine
        async with work(machine.deps, machine.workspace_id) as tx:
            await tasks.set_status(
                tx, family.parent_id, tasks.TaskStatus.FAILED, reason="It could not be done."
            )
        await watchdog.sweep(machine.deps)
        await machine.drain()
        assert (await stage.task(await family.child()))[0] == "stopped"
        assert await account(family, family.parent_id) == (GIVEN, 0, 0)
        await stage.check()


# rights


async def test_a_childs_plan_needs_its_yes_and_nothing_of_it_runs_before(
    open_stage: OpenStage,
) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(2)])) as stage:
        family = await begin(stage)
        await go(family)
        assert stage.vendor.requests == []
        await answer(stage, Decision.REJECT, note="no")
        assert stage.vendor.requests == []
        await stage.check()


async def test_a_child_has_no_allowance_beside_what_was_carved_for_it(
    open_stage: OpenStage,
) -> None:
    """Outside a plan its parent would be asked; so is it, though a single picture is allowed."""
    async with open_stage(cast(parent=[delegate()], child=[picture(step=None)])) as stage:
        await allow(stage, "free")
        family = await begin(stage)
        await go(family)
        (asked,) = await stage.machine.pending()
        assert (asked.kind, asked.card["category"]) == ("call", "permission")
        assert asked.task_id == await family.child()
        assert stage.vendor.requests == []
        await stage.check()


@pytest.mark.parametrize(("count", "begins"), [(4, True), (5, False)])
async def test_at_the_level_free_a_childs_plan_begins_only_if_its_carved_money_covers_it(
    open_stage: OpenStage, count: int, *, begins: bool
) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(count), concept(), fill])) as stage:
        await allow(stage, "free")
        family = await begin(stage)
        await go(family)
        pending = await stage.machine.pending()
        assert [each.kind for each in pending] == ([] if begins else ["plan"])
        assert len(stage.vendor.orders) == (count if begins else 0)
        if begins:
            assert await account(family, family.parent_id) == (GIVEN - count * PRICE, 0, 0)
        await stage.check()


async def test_a_childs_plan_begins_when_its_person_adds_what_was_not_carved(
    open_stage: OpenStage,
) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(8), concept(), fill])) as stage:
        await allow(stage, "free")
        family = await begin(stage)
        await go(family)
        child_id = await family.child()
        assert (await stage.task(child_id))[1] == "budget"
        await more(stage, child_id, budget_micros=10 * PRICE - CARVED)
        assert (await stage.task(child_id))[0] == "completed"
        assert await stage.machine.pending() == []
        await stage.check()


async def test_a_child_of_a_task_that_came_over_the_open_api_confirms_each_call(
    open_stage: OpenStage,
) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(2), concept(), fill])) as stage:
        await allow(stage, "free")
        family = await begin(stage)
        await say_by_key(stage, "go on", family.parent_id)
        await answer(stage)
        pending = await stage.machine.pending()
        assert [each.kind for each in pending] == ["call", "call"]
        assert {each.task_id for each in pending} == {await family.child()}
        assert stage.vendor.requests == []
        await stage.check()


# measured, isolated, corrected


async def test_what_coordination_costs_is_told_beside_the_own_work(open_stage: OpenStage) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(2), concept(), fill])) as stage:
        family = await begin(stage)
        await go(family)
        await answer(stage)
        machine = stage.machine
        async with machine.deps.pools.domain.connection() as conn:
            told = (await views.task(conn, machine.workspace_id, family.parent_id))["coordination"]
            of_child = await views.task(conn, machine.workspace_id, await family.child())
        assert told["asked_by"] is None
        assert (told["words"]["sent"], told["words"]["received"]) == (1, 2)
        assert told["words"]["rounds"] == 3, "given away, told that it waits, told that it is there"
        assert told["own_work"]["rounds"] == 1
        (child,) = told["children"]
        assert (child["carved_micros"], child["returned_micros"]) == (CARVED, CARVED - 2 * PRICE)
        assert (child["settled_micros"], child["rounds"]) == (2 * PRICE, 3)
        assert told["children_together"]["settled_micros"] == 2 * PRICE
        assert of_child["coordination"]["asked_by"] == str(family.parent_id)
        assert of_child["coordination"]["own_work"]["rounds"] == 2


async def test_a_task_without_others_says_nothing_of_them(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1)]
    task_id = await stage.begin()
    machine = stage.machine
    async with machine.deps.pools.domain.connection() as conn:
        assert (await views.task(conn, machine.workspace_id, task_id))["coordination"] is None
    assert "tasks" not in stage.model.states[-1]


async def test_a_task_that_works_with_others_is_not_merged(open_stage: OpenStage) -> None:
    async with open_stage(cast(parent=[delegate()], child=[plan(2)])) as stage:
        family = await begin(stage)
        stage.model.route[:] = routed(goal="something else")
        other = await stage.begin("something else")
        await go(family)
        machine = stage.machine
        for each in (family.parent_id, await family.child()):
            with pytest.raises(NotPossibleNowError):
                async with work(machine.deps, machine.workspace_id) as tx:
                    await merge(tx, each, other)
        await stage.check()


async def test_an_ended_child_that_its_person_opens_again_is_theirs(open_stage: OpenStage) -> None:
    async with open_stage(
        cast(parent=[delegate()], child=[plan(2), concept(), fill, picture(step=None)])
    ) as stage:
        family = await begin(stage)
        await go(family)
        await answer(stage)
        child_id = await family.child()
        heard = await family.heard(family.parent_id)
        await stage.say("one more, please", child_id)
        await stage.machine.drain()
        (asked,) = await stage.machine.pending()
        assert asked.task_id == child_id
        await answer(stage)
        assert await family.heard(family.parent_id) == heard
        assert await carved(family) == (CARVED, CARVED - 2 * PRICE, True)
        assert await account(family, child_id) == (3 * PRICE, 0, 3 * PRICE)
        assert await account(family, family.parent_id) == (GIVEN - 2 * PRICE, 0, 0)
        await stage.check()
