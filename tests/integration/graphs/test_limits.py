"""The limits of a production: each stop is named, and what ends it lets the work go on by itself.

Rounds, time, money. What ends a stop comes by itself (a job, a provider, another day) or from a
person (an answer, more money, a word); nobody types "continue".
"""

from datetime import timedelta
from typing import Any

import pytest

from execution import limits, tasks, verdicts, workspaces
from execution.approvals import Decision
from execution.transactions import work
from execution.verdict import ENDS, Facts, decide
from execution.workspaces import AutonomyLevel
from infra.ids import TaskId
from server.workers.watchdog import sweep
from tests.database import DatabaseClock
from tests.harness import calls
from tests.integration.graphs.stage import (
    PRICE,
    Stage,
    concept,
    fill,
    picture,
    plan,
    routed,
)
from tests.integration.graphs.test_plan import answer

DAY = timedelta(days=1)
DEAR = 150_000
DONE = calls(say="It is under way.")


async def limit(stage: Stage, **columns: int) -> None:
    """Set how much each production may do by itself."""
    wanted = {"max_rounds": 400, "max_rounds_without_progress": 3, "max_seconds": 86_400}
    machine = stage.machine
    async with work(machine.deps, machine.workspace_id) as tx:
        await workspaces.update_limits(tx.conn, machine.workspace_id, **{**wanted, **columns})


async def more(stage: Stage, task_id: TaskId, **given: int) -> None:
    machine = stage.machine
    async with work(machine.deps, machine.workspace_id) as tx:
        wanted = {"rounds": 0, "seconds": 0, "budget_micros": 0, **given}
        await limits.extend(tx, task_id, **wanted)
    await machine.drain()


async def allowances(
    stage: Stage, *, per_call: int, daily: int, autonomy: str = "balanced"
) -> None:
    """Set what may be spent without asking, as the settings route does."""
    machine = stage.machine
    async with work(machine.deps, machine.workspace_id) as tx:
        await limits.wake_those_short_of_money(tx)
        await workspaces.update_settings(
            tx.conn,
            machine.workspace_id,
            autonomy=AutonomyLevel(autonomy),
            per_call_allowance_micros=per_call,
            daily_allowance_micros=daily,
            review_points=[],
        )
    await machine.drain()


async def pass_time(stage: Stage, clock: DatabaseClock, by: timedelta) -> None:
    await clock.advance(by)
    await sweep(stage.machine.deps)
    await stage.machine.drain()


async def worked(stage: Stage, task_id: TaskId) -> int:
    async with stage.machine.deps.pools.domain.connection() as conn:
        return (await limits.of_task(conn, stage.machine.workspace_id, task_id)).worked_s


def one_by_one(state: dict[str, Any]) -> Any:
    """Fill the next slot only: every round brings something, and there are many."""
    step = next(step for step in state["plan"]["steps"] if step["key"] == "posters")
    slot = (step["missing_slots"] or [1])[0]
    return picture(step="posters", slot=slot, name=f"P{slot}")


# rounds


async def test_a_production_stops_at_its_rounds_and_goes_on_when_it_is_given_more(
    stage: Stage,
) -> None:
    await limit(stage, max_rounds=4)
    stage.model.answers[:] = [plan(6), concept(), *[one_by_one] * 20]
    task_id = await stage.begin()
    await answer(stage)
    assert await stage.task(task_id) == (
        "waiting",
        "limit",
        "The task has reached its limit of 4 rounds of work.",
    )
    assert len(stage.model.prompts) == 4
    await more(stage, task_id, rounds=2)
    assert (await stage.task(task_id))[1] == "limit"
    assert len(stage.model.prompts) == 6
    await more(stage, task_id, rounds=10)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_a_word_of_the_person_gives_a_production_at_its_limit_as_much_again(
    stage: Stage,
) -> None:
    await limit(stage, max_rounds=4)
    stage.model.answers[:] = [plan(10), concept(), *[one_by_one] * 20]
    task_id = await stage.begin()
    await answer(stage)
    assert (await stage.task(task_id))[1] == "limit"
    await stage.say("go on", task_id)
    await stage.machine.drain()
    assert len(stage.model.prompts) == 8
    await stage.say("go on", task_id)
    await stage.machine.drain()
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_results_that_come_after_the_limit_are_kept_and_wake_nobody(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    await limit(stage, max_rounds=3)
    stage.vendor.default = "slow"
    stage.vendor.behaviours = {1: "slow"}
    stage.model.answers[:] = [plan(2), concept(), one_by_one, one_by_one]
    task_id = await stage.begin()
    await answer(stage)
    assert (await stage.task(task_id))[1] == "limit"
    stage.vendor.ready = True
    await pass_time(stage, database_clock, timedelta(seconds=10))
    assert (await stage.task(task_id))[1] == "limit"
    assert len(stage.model.prompts) == 3
    assert (await stage.ledger())[-1] == ("settled", "succeeded")
    await more(stage, task_id, rounds=5)
    await pass_time(stage, database_clock, timedelta(seconds=10))
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


# time


async def test_a_production_stops_when_its_time_is_over_as_soon_as_a_job_ends(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    await limit(stage, max_seconds=3600)
    stage.vendor.behaviours = {1: "slow"}
    stage.model.answers[:] = [plan(2), concept(), one_by_one, DONE, one_by_one]
    task_id = await stage.begin()
    await answer(stage)
    assert (await stage.task(task_id))[1] == "jobs"
    await pass_time(stage, database_clock, timedelta(minutes=61))
    assert (await stage.task(task_id))[1] == "jobs", "nothing new begins beside them anyway"
    stage.vendor.ready = True
    await pass_time(stage, database_clock, timedelta(minutes=1))
    assert await stage.task(task_id) == (
        "waiting",
        "limit",
        "The task has reached its limit of 1 hour of work.",
    )
    assert len(stage.model.prompts) == 4
    await more(stage, task_id, seconds=3600)
    await pass_time(stage, database_clock, timedelta(seconds=10))
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_time_in_which_a_task_waits_for_a_person_or_is_paused_does_not_count(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    await limit(stage, max_seconds=3600)
    stage.model.answers[:] = [plan(1), concept(), fill]
    task_id = await stage.begin()
    await database_clock.advance(timedelta(days=20))
    machine = stage.machine
    async with work(machine.deps, machine.workspace_id) as tx:
        await tasks.pause(tx, task_id)
    await database_clock.advance(timedelta(days=5))
    assert await worked(stage, task_id) < 60
    async with work(machine.deps, machine.workspace_id) as tx:
        await tasks.resume(tx, task_id)
    await machine.drain()
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_time_in_which_jobs_run_or_the_model_is_away_counts(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.vendor.behaviours = {1: "slow"}
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]
    task_id = await stage.begin()
    await database_clock.advance(timedelta(minutes=30))
    assert 1800 <= await worked(stage, task_id) < 1900
    stage.vendor.ready = True
    await stage.machine.drain()
    assert (await stage.task(task_id))[0] == "completed"
    await database_clock.advance(DAY)
    assert await worked(stage, task_id) < 1900
    await stage.say("another one", task_id)
    assert await worked(stage, task_id) < 60, "what is opened again begins anew"
    await stage.machine.drain()
    await stage.check()


# money


async def test_money_that_is_short_is_named_and_added_money_is_enough(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), concept(), fill]
    task_id = await stage.begin()
    stage.vendor.prices = {"image": DEAR}
    await answer(stage)
    assert await stage.task(task_id) == (
        "waiting",
        "budget",
        "What may be spent does not cover 'P1'.",
    )
    await more(stage, task_id, budget_micros=DEAR // 2)
    assert (await stage.task(task_id))[1] == "budget"
    assert stage.vendor.orders == []
    await more(stage, task_id, budget_micros=DEAR // 2)
    assert (await stage.task(task_id))[0] == "completed"
    decided = await stage.machine.rows("select status, decided_by from approvals where kind='call'")
    assert decided == [("approved", "allowance")]
    await stage.check()


async def test_a_raised_allowance_lets_what_waits_for_it_run(stage: Stage) -> None:
    stage.vendor.prices = {"image": DEAR}
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]
    task_id = await stage.begin()
    assert (await stage.task(task_id))[1] == "budget"
    await allowances(stage, per_call=DEAR - 1, daily=10 * DEAR)
    assert stage.vendor.orders == []
    await allowances(stage, per_call=DEAR, daily=10 * DEAR)
    assert (await stage.task(task_id))[0] == "completed"
    assert await stage.money() == (DEAR, 0, DEAR, 0)
    await stage.check()


async def test_another_days_allowance_lets_what_waits_for_it_run(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    await allowances(stage, per_call=PRICE, daily=PRICE)
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]
    await stage.begin("the first")
    task_id = await stage.begin("the second")
    assert (await stage.task(task_id))[1] == "budget"
    await pass_time(stage, database_clock, timedelta(0))
    assert (await stage.task(task_id))[1] == "budget"
    wake = await stage.machine.rows(
        """
        select wake_at between date_trunc('day', app_now(), 'UTC') + interval '1 day'
                           and date_trunc('day', app_now(), 'UTC') + interval '1 day 1 minute'
        from threads where thread_id = %s
        """,
        task_id,
    )
    assert wake == [(True,)]
    await pass_time(stage, database_clock, DAY)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_of_two_that_wait_for_money_one_runs_if_there_is_enough_for_one(
    stage: Stage,
) -> None:
    await allowances(stage, per_call=PRICE - 1, daily=10 * PRICE)
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]
    both = [await stage.begin("the first"), await stage.begin("the second")]
    assert [(await stage.task(task_id))[1] for task_id in both] == ["budget", "budget"]
    await allowances(stage, per_call=PRICE, daily=PRICE)
    states = sorted([(await stage.task(task_id))[0] for task_id in both])
    assert states == ["completed", "waiting"]
    assert len(stage.vendor.orders) == 1
    await stage.check()


async def test_a_first_plan_that_is_free_to_begin_begins_when_the_allowances_cover_it(
    stage: Stage,
) -> None:
    await allowances(stage, per_call=PRICE, daily=2 * PRICE, autonomy="free")
    stage.model.answers[:] = [plan(3), concept(), fill]
    task_id = await stage.begin()
    assert await stage.task(task_id) == (
        "waiting",
        "budget",
        "What may be spent does not cover 'Posters'.",
    )
    await allowances(stage, per_call=PRICE, daily=3 * PRICE, autonomy="free")
    assert (await stage.task(task_id))[1] == "budget", "its reserve is not covered"
    assert stage.vendor.orders == []
    await allowances(stage, per_call=PRICE, daily=4 * PRICE, autonomy="free")
    assert (await stage.task(task_id))[0] == "completed"
    assert len(stage.vendor.orders) == 3
    decided = await stage.machine.rows(
        """
        select approvals.status, decided_by, within_allowance
        from approvals join checklists using (call_key)
        """
    )
    assert decided == [("approved", "allowance", True)]
    assert await stage.money() == (3 * PRICE, 0, 3 * PRICE, 0)
    await stage.check()


async def test_a_first_plan_that_is_free_to_begin_begins_when_its_budget_is_added(
    stage: Stage,
) -> None:
    await allowances(stage, per_call=PRICE - 1, daily=PRICE, autonomy="free")
    stage.model.answers[:] = [plan(3), concept(), fill]
    task_id = await stage.begin()
    assert (await stage.task(task_id))[1] == "budget"
    await more(stage, task_id, budget_micros=3 * PRICE)
    assert (await stage.task(task_id))[1] == "budget", "its reserve is not covered"
    assert stage.vendor.orders == []
    await more(stage, task_id, budget_micros=PRICE)
    assert (await stage.task(task_id))[0] == "completed"
    assert await stage.money() == (4 * PRICE, 0, 3 * PRICE, 0)
    await stage.check()


async def test_a_plan_is_the_first_until_one_was_decided(stage: Stage) -> None:
    await allowances(stage, per_call=PRICE, daily=4 * PRICE, autonomy="free")
    stage.model.answers[:] = [plan(9), plan(2), concept(), fill]
    task_id = await stage.begin()
    assert (await stage.task(task_id))[1] == "budget"
    await stage.say("two are enough", task_id)
    await stage.machine.drain()
    assert (await stage.task(task_id))[0] == "completed"
    assert len(stage.vendor.orders) == 2
    await stage.check()


async def test_after_a_plan_was_refused_the_next_one_asks(stage: Stage) -> None:
    await allowances(stage, per_call=PRICE, daily=4 * PRICE, autonomy="free")
    stage.model.answers[:] = [plan(9), plan(2), concept(), fill]
    await stage.begin()
    await answer(stage, Decision.REJECT)
    (asked,) = await stage.machine.pending()
    assert (asked.kind, asked.card["category"]) == ("plan", "permission")
    assert stage.vendor.orders == []


@pytest.mark.parametrize("change", ["price", "autonomy"])
async def test_a_plan_begins_for_money_alone_only_as_it_was_shown(
    stage: Stage, change: str
) -> None:
    await allowances(stage, per_call=PRICE - 1, daily=9 * PRICE, autonomy="free")
    stage.model.answers[:] = [plan(2), concept(), fill]
    task_id = await stage.begin()
    assert (await stage.task(task_id))[1] == "budget"
    if change == "price":
        stage.vendor.prices = {"image": PRICE + 1}
    autonomy = "balanced" if change == "autonomy" else "free"
    await allowances(stage, per_call=9 * PRICE, daily=99 * PRICE, autonomy=autonomy)
    assert (await stage.task(task_id))[0] == "waiting"
    assert stage.vendor.orders == []
    await stage.check()


@pytest.mark.parametrize("change", ["price", "autonomy"])
async def test_money_alone_answers_no_question_about_anything_else(
    stage: Stage, change: str
) -> None:
    stage.vendor.prices = {"image": DEAR}
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]
    task_id = await stage.begin()
    if change == "price":
        stage.vendor.prices = {"image": DEAR + 1}
    await allowances(
        stage,
        per_call=9 * DEAR,
        daily=9 * DEAR,
        autonomy="cautious" if change == "autonomy" else "balanced",
    )
    assert (await stage.task(task_id))[0] == "waiting"
    assert stage.vendor.orders == []
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


# what is outside comes back


async def test_a_provider_that_is_back_goes_on_by_itself(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.vendor.behaviours = dict.fromkeys(range(1, 4), "not_delivered")
    stage.model.answers[:] = [plan(1), concept(), fill]
    task_id = await stage.begin()
    await answer(stage)
    for _ in range(3):
        assert (await stage.task(task_id))[:2] == ("waiting", "jobs")
        await pass_time(stage, database_clock, timedelta(minutes=20))
    assert (await stage.task(task_id))[0] == "completed"
    assert len(stage.model.prompts) == 3
    await stage.check()


async def test_a_chat_model_that_is_back_goes_on_by_itself(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.model.answers[:] = [plan(1), concept(), fill]
    task_id = await stage.begin()
    stage.model.fails[:] = [ConnectionError("away")] * 5
    await answer(stage)
    for _ in range(5):
        await pass_time(stage, database_clock, timedelta(seconds=65))
    assert (await stage.task(task_id))[1] == "provider"
    await pass_time(stage, database_clock, timedelta(minutes=6))
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


# the record


async def test_every_look_is_kept_with_its_facts_and_decides_the_same_again(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.vendor.behaviours = {1: "slow"}
    stage.model.answers[:] = [plan(2), concept(), fill]
    task_id = await stage.begin()
    machine = stage.machine
    async with work(machine.deps, machine.workspace_id) as tx:
        await tasks.pause(tx, task_id)
    await answer(stage)
    async with work(machine.deps, machine.workspace_id) as tx:
        await tasks.resume(tx, task_id)
    await machine.drain()
    stage.vendor.ready = True
    await pass_time(stage, database_clock, timedelta(seconds=10))
    assert (await stage.task(task_id))[0] == "completed"
    async with machine.deps.pools.domain.connection() as conn:
        kept = await verdicts.history(conn, task_id, limit=100)
    said = [(row.step_number, row.verdict, row.waiting_reason) for row in kept]
    assert said == [
        (None, "act", None),  # before the first step
        (1, "wait", "approval"),
        (None, "wait", "paused"),
        (None, "act", None),  # after the yes
        (2, "act", None),
        (3, "wait", "jobs"),
        (None, "deliver", None),
        (None, "complete", None),
    ]
    for row in kept:
        given = {**(row.facts or {})}
        again = decide(Facts(**{name: _as_it_was(value) for name, value in given.items()}))
        assert (again.next, again.reason) == (row.verdict, row.reason)
        assert again.look_again_s == row.look_again_s
        assert (row.verdict == "wait") == (row.waiting_reason in ENDS)
    turns = await machine.rows("select count(*) from turns where thread_id = %s", task_id)
    assert len({row.turn_id for row in kept}) == turns[0][0]
    await stage.check()


def _as_it_was(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
