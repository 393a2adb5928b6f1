"""Stop and pause: what was sent is settled and kept, nothing new starts, nothing is woken."""

from datetime import timedelta
from typing import Any

import pytest

from execution import tasks
from execution.approvals import Decision
from execution.errors import NotPossibleNowError, SupersededError
from execution.transactions import work
from infra.ids import TaskId
from infra.providers.rehearsal.model import RehearsalModel
from tests.database import DatabaseClock
from tests.harness import with_models
from tests.integration.graphs.stage import PRICE, Stage, concept, fill, picture, plan, routed
from tests.integration.graphs.test_limits import allowances
from tests.integration.graphs.test_plan import answer
from workspace.delivery import inspection


async def change(stage: Stage, task_id: TaskId, how: str) -> None:
    machine = stage.machine
    async with work(machine.deps, machine.workspace_id) as tx:
        await getattr(tasks, how)(tx, task_id)


async def wakes(stage: Stage, task_id: TaskId) -> int:
    rows = await stage.machine.rows("select wake_seq from threads where thread_id = %s", task_id)
    return rows[0][0]


async def begin_slow(stage: Stage) -> TaskId:
    stage.vendor.behaviours = {1: "slow"}
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture(), picture(name="Another")]
    return await stage.begin()


async def test_a_running_job_of_a_stopped_task_is_settled_and_kept_and_wakes_nothing(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    task_id = await begin_slow(stage)
    await change(stage, task_id, "stop")
    woken = await wakes(stage, task_id)
    stage.vendor.ready = True
    await database_clock.advance(timedelta(seconds=6))
    await stage.machine.drain()
    assert await stage.task(task_id) == ("stopped", None, "You stopped this task.")
    assert await stage.ledger() == [("settled", "succeeded")]
    assert await stage.money() == (PRICE, 0, PRICE, 0)
    assert await stage.machine.rows("select count(*) from objects") == [(1,)]
    assert await wakes(stage, task_id) == woken
    assert len(stage.model.prompts) == 1
    await stage.check()


async def test_a_stopped_task_sends_nothing_and_gives_its_money_back(stage: Stage) -> None:
    """The stop comes between the decision and the executor."""
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]
    machine = stage.machine
    message_id = await machine.say("a picture")
    await machine.worker.look_at(str(message_id))
    task_id = await machine.task_of(message_id)
    await machine.worker.look_at(str(task_id))
    assert await stage.money() == (PRICE, PRICE, 0, 0)
    await change(stage, task_id, "stop")
    assert await stage.money() == (PRICE, 0, 0, 0)
    await machine.drain()
    assert stage.vendor.requests == []
    assert await machine.rows("select phase, closed_at is not null from jobs") == [
        ("cancelled", True)
    ]
    assert await stage.ledger() == [("rejected", "cancelled")]
    await stage.check()


async def test_a_stop_while_the_model_thinks_discards_what_it_decides(stage: Stage) -> None:
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]

    async def stop() -> None:
        rows = await stage.machine.rows("select task_id from tasks")
        await change(stage, rows[0][0], "stop")

    stage.model.during[1] = stop
    task_id = await stage.begin()
    assert (await stage.task(task_id))[0] == "stopped"
    assert await stage.machine.rows("select count(*) from steps") == [(0,)]
    assert (stage.vendor.requests, len(stage.model.prompts)) == ([], 1)
    await stage.check()


async def test_a_stopped_task_s_question_can_no_longer_be_answered(stage: Stage) -> None:
    stage.model.answers[:] = [plan(2), concept(), fill]
    task_id = await stage.begin()
    (asked,) = await stage.machine.pending()
    await change(stage, task_id, "stop")
    with pytest.raises(SupersededError):
        await stage.machine.decide(asked, Decision.APPROVE)
    await stage.machine.drain()
    assert await stage.money() == (0, 0, 0, 0)
    await stage.check()


async def test_a_message_begins_a_stopped_task_again(stage: Stage) -> None:
    stage.model.answers[:] = [plan(2), plan(1), concept(), fill]
    task_id = await stage.begin()
    await change(stage, task_id, "stop")
    await stage.say("go on after all, with one", task_id)
    await stage.machine.drain()
    assert (await stage.task(task_id))[1] == "approval"
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


@pytest.mark.parametrize("kind", ["plan", "picture"])
async def test_what_a_stop_has_withdrawn_is_asked_anew_when_its_person_opens_the_task(
    stage: Stage, kind: str
) -> None:
    """With the model of an installation without a key: nobody types anything."""
    with_models(stage.machine, RehearsalModel())
    if kind == "picture":
        await allowances(stage, per_call=0, daily=0)
    task_id = await stage.begin(
        "Three posters about tea, please." if kind == "plan" else "A picture of a harbour."
    )
    (asked,) = await stage.machine.pending()
    before = await stage.task(task_id)
    await change(stage, task_id, "stop")
    await change(stage, task_id, "begin_again")
    await stage.machine.drain()
    (again,) = await stage.machine.pending()
    assert again.title == asked.title
    assert again.approval_id != asked.approval_id
    assert await stage.task(task_id) == before
    await answer(stage)
    assert len(stage.vendor.orders) == (3 if kind == "plan" else 1)
    await stage.check()


async def test_an_ended_task_cannot_be_stopped_paused_or_resumed(stage: Stage) -> None:
    task_id = await begin_slow(stage)
    with pytest.raises(NotPossibleNowError):
        await change(stage, task_id, "resume")
    await change(stage, task_id, "stop")
    for how in ("stop", "pause", "resume"):
        with pytest.raises(NotPossibleNowError):
            await change(stage, task_id, how)
    events = "select count(*) from events where type = 'task.stopped'"
    assert await stage.machine.rows(events) == [(1,)]


async def test_while_paused_nothing_new_is_sent_and_afterwards_it_goes_on(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.model.answers[:] = [plan(2), concept(), fill]
    task_id = await stage.begin()
    await change(stage, task_id, "pause")
    await answer(stage)
    assert (await stage.task(task_id))[0] == "paused"
    assert await stage.machine.rows("select status from checklists") == [("proposed",)]
    await stage.say("hurry", task_id)
    await stage.machine.drain()
    assert len(stage.model.prompts) == 1
    await stage.check()
    await change(stage, task_id, "resume")
    await stage.machine.drain()
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_an_order_that_waits_for_an_executor_waits_through_a_pause(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]
    machine = stage.machine
    message_id = await machine.say("a picture")
    await machine.worker.look_at(str(message_id))
    task_id = await machine.task_of(message_id)
    await machine.worker.look_at(str(task_id))
    await change(stage, task_id, "pause")
    await database_clock.advance(timedelta(days=1))
    await machine.drain()
    assert stage.vendor.requests == []
    await stage.check()
    await change(stage, task_id, "resume")
    await database_clock.advance(timedelta(minutes=1))
    await machine.drain()
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_a_work_that_is_stopped_while_it_is_audited_is_not_delivered(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.model.answers[:] = [plan(1), concept(), fill]
    task_id = await stage.begin()
    inspect = inspection.inspect

    async def stop_meanwhile(*given: Any) -> Any:
        await change(stage, task_id, "stop")
        return await inspect(*given)

    monkeypatch.setattr(inspection, "inspect", stop_meanwhile)
    await answer(stage)
    assert (await stage.task(task_id))[0] == "stopped"
    assert await stage.machine.rows("select count(*) from deliveries") == [(0,)]
    await stage.check()
