"""Money that a person adds to a task on their own, beside what a plan asks for."""

import pytest

from tests.integration.graphs.stage import PRICE, Stage, concept, fill, plan
from tests.integration.graphs.test_limits import more, one_by_one
from tests.integration.graphs.test_plan import answer


@pytest.mark.parametrize(
    ("given", "free"),
    [
        pytest.param(9 * PRICE, 9 * PRICE, id="more than the plan needs"),
        pytest.param(PRICE, 5 * PRICE // 2, id="less: the card says the most of the plan"),
    ],
)
async def test_money_that_is_added_while_a_plan_is_asked_about_outlives_its_yes(
    stage: Stage, given: int, free: int
) -> None:
    stage.model.answers[:] = [plan(2), concept(), fill]
    task_id = await stage.begin()
    await more(stage, task_id, budget_micros=given)
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    assert await stage.money() == (free, 0, 2 * PRICE, 0)
    await stage.check()


async def test_of_added_money_what_is_spent_is_not_given_a_second_time(stage: Stage) -> None:
    stage.model.answers[:] = [plan(2), concept(), one_by_one, plan(4), one_by_one]
    task_id = await stage.begin()
    await more(stage, task_id, budget_micros=11 * PRICE // 2)
    await answer(stage)
    assert await stage.money() == (11 * PRICE // 2, 0, 2 * PRICE, 0)
    await answer(stage)  # the second plan says five at most, and that much is free from now on
    assert await stage.money() == (2 * PRICE + 5 * PRICE, 0, 2 * PRICE, 0)
    await stage.check()
