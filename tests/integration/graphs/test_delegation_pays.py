"""Work is given away only where that pays: separable, large, affordable, and not too often."""

from typing import Any

import pytest

from tests.harness import calls
from tests.integration.graphs.conftest import OpenStage
from tests.integration.graphs.family import (
    CARVED,
    GIVEN,
    PARENT,
    Family,
    account,
    always,
    begin,
    cast,
    delegate,
    go,
)
from tests.integration.graphs.stage import Stage, plan
from tests.integration.graphs.test_limits import more
from tests.integration.graphs.test_plan import answer


async def refused(stage: Stage, family: Family, proposed: Any) -> str:
    family.model.lines[PARENT] = [proposed]
    await go(family)
    (message,) = await family.refusals("delegate")
    assert await stage.machine.rows("select count(*) from delegations") == [(0,)]
    assert await account(family, family.parent_id) == (GIVEN, 0, 0)
    await stage.check()
    return message


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"work": [{"kind": "image", "count": 4}]}, "refused (invalid): This takes about 1 rounds"),
        ({"work": [{"kind": "model3d", "count": 60}, {"kind": "document", "count": 9}]},
         "refused (capability)"),
        ({"work": [{"kind": "image", "count": 60}, {"kind": "script", "count": 1}]},
         "refused (budget): This costs up to $0.0075; beside the $0.00"),
        ({"goal": "  WORK "}, "refused (invalid): This is the whole goal"),
        ({"uses": ["concept"]}, "refused (invalid): There is no plan"),
        ({"object_ids": ["7"]}, "refused (invalid): Not all of these objects"),
        ({"object_ids": ["00000000-0000-0000-0000-000000000001"]},
         "refused (invalid): Not all of these objects"),
    ],
)  # fmt: skip
async def test_work_that_does_not_pay_or_is_nobodys_to_give_is_refused_with_the_nearer_way(
    open_stage: OpenStage, given: dict[str, Any], said: str
) -> None:
    async with open_stage(cast()) as stage:
        family = await begin(stage)
        assert (await refused(stage, family, delegate(**given))).startswith(said)


async def test_work_that_rests_on_an_unfinished_step_or_is_in_the_plan_stays_where_it_is(
    open_stage: OpenStage,
) -> None:
    proposals = [
        delegate(),
        delegate(uses=["concept"]),
        delegate(uses=["nothing"]),
        delegate(work=[{"kind": "image", "count": 4}, {"kind": "script", "count": 4}]),
    ]
    async with open_stage(cast(parent=[delegate(), plan(2), *proposals])) as stage:
        family = await begin(stage, 0)
        for _ in range(2):
            await go(family)
        await answer(stage)
        assert [each[:52] for each in await family.refusals("delegate")] == [
            "refused (budget): This costs up to $0.0005; beside t",
            "refused (permission): The plan has not been approved",
            "refused (invalid): It rests on concept, which is not",
            "refused (invalid): The plan has no step 'nothing'.",
            "refused (invalid): Your own plan makes such results ",
        ]
        await stage.check()


async def test_what_was_refused_for_want_of_money_is_looked_at_again_when_that_is_added(
    open_stage: OpenStage,
) -> None:
    lines = [delegate(), calls(say="Please add to the budget."), delegate()]
    async with open_stage(cast(parent=lines)) as stage:
        family = await begin(stage, CARVED - 1)
        await go(family)
        assert (await stage.task(family.parent_id))[1] == "answer"
        await more(stage, family.parent_id, budget_micros=1)
        assert await account(family, await family.child()) == (CARVED, 0, 0)
        assert family.model.states[-1]["person_said"] == ["please", "go on"]
        await stage.check()


async def test_what_the_own_plan_still_needs_is_not_given_away(open_stage: OpenStage) -> None:
    music = [{"kind": "music", "count": 1}, {"kind": "script", "count": 4}]
    async with open_stage(cast(parent=[plan(2), delegate(work=music)])) as stage:
        family = await begin(stage, 0)
        await go(family)
        await answer(stage)
        (message,) = await family.refusals("delegate")
        assert message.startswith(
            "refused (budget): This costs up to $0.000125; beside the $0.0002 that your own plan "
            "still needs, $0.00005 is free."
        )
        await stage.check()


async def test_there_are_only_so_many_at_once_and_only_so_deep(open_stage: OpenStage) -> None:
    goals = [f"part {number}" for number in range(4)]
    lines: dict[str, list[Any]] = {
        PARENT: [delegate(goal=each, work=[{"kind": "document", "count": 5}]) for each in goals],
        "part 0": [delegate(goal="deeper", work=[{"kind": "document", "count": 5}])],
        "deeper": [delegate(goal="deepest", work=[{"kind": "document", "count": 5}])],
    }
    async with open_stage(cast(**lines)) as stage:
        family = await begin(stage)
        for _ in range(4):
            await go(family)
        depths = await stage.machine.rows("select depth from delegations order by depth")
        assert depths == [(1,), (1,), (1,), (2,)]
        messages = sorted(await family.refusals("delegate"))
        assert [each[:55] for each in messages] == [
            "refused (invalid): 3 tasks work for you already. Wait f",
            "refused (invalid): You work for a task that works for a",
        ]
        await family.change("stop", family.parent_id)
        assert await stage.machine.rows("select count(*) from tasks where status <> 'stopped'") == [
            (0,)
        ], "with everybody below"
        await stage.check()


async def test_rounds_are_the_productions_and_a_child_stops_at_its_part(
    open_stage: OpenStage,
) -> None:
    spins = [always(calls(("find_capabilities", {}), say="hm"))]
    async with open_stage(cast(parent=[delegate()], child=spins)) as stage:
        await stage.machine.rows(
            "update workspaces set max_rounds = 30, max_rounds_without_progress = 99 returning 1"
        )
        family = await begin(stage)
        await go(family)
        ((given, used),) = await stage.machine.rows(
            "select carved_rounds, rounds from delegations join tasks on task_id = child_id"
        )
        assert (given, used) == (7, 7)
        assert (await stage.task(await family.child()))[1] == "limit"
        ((rounds,),) = await stage.machine.rows(
            "select (facts ->> 'rounds')::int from verdicts where task_id = %s"
            " order by verdict_id desc limit 1",
            family.parent_id,
        )
        ((own,),) = await stage.machine.rows(
            "select rounds from tasks where task_id = %s", family.parent_id
        )
        assert rounds == own + given
        await stage.check()
