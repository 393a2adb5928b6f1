"""What was decided and then overtaken: by a stop, a newer plan, a job that turned up, or time."""

from datetime import timedelta
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from structlog.testing import CapturingLogger

from execution import tasks
from execution.approvals import Decision
from execution.transactions import work
from infra.ids import TaskId
from infra.providers.ports import Lookup, RejectedError
from server.workers import late_looks
from tests.database import DatabaseClock
from tests.harness import calls
from tests.integration.graphs.stage import (
    PICTURE,
    PRICE,
    Stage,
    concept,
    fill,
    picture,
    plan,
    routed,
)

SOON = timedelta(seconds=70)
DEADLINE = timedelta(hours=2)
ANOTHER = ("generate_image", {"prompt": "a quay", "name": "Quay"})


def look(state: dict[str, Any]) -> AIMessage:
    return calls(*(("check_call", {"call": lost["call"]}) for lost in state["doubts"]))


def revise(state: dict[str, Any]) -> AIMessage:
    del state
    return plan(2, title="Other posters", keep=["concept"])


async def pass_time(stage: Stage, clock: DatabaseClock, time: timedelta) -> None:
    await clock.advance(time)
    await stage.machine.drain()


async def approve(stage: Stage, kind: str = "plan") -> None:
    (asked,) = [each for each in await stage.machine.pending() if each.kind == kind]
    await stage.machine.decide(asked, Decision.APPROVE)
    await stage.machine.drain()


@pytest.fixture
def lost(stage: Stage) -> Stage:
    stage.vendor.behaviours = {1: "lost"}
    stage.vendor.hides = True
    stage.vendor.lookup = Lookup.NOT_FOUND_YET
    return stage


async def test_a_decision_from_before_a_stop_is_discarded_though_words_opened_the_task_again(
    stage: Stage,
) -> None:
    async def stop_and_say() -> None:
        ((task_id,),) = await stage.machine.rows("select task_id from tasks")
        async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
            await tasks.stop(tx, TaskId(task_id))
        await stage.say("no poster, only the concept", TaskId(task_id))

    def obey(state: dict[str, Any]) -> AIMessage:
        only = state["person_said"][-1].startswith("no poster")
        return calls(say="Only the concept, then.") if only else fill(state)

    stage.model.answers[:] = [plan(2), concept(), obey]
    stage.model.during[3] = stop_and_say
    await stage.begin()
    await approve(stage)
    assert stage.vendor.orders == [], "what was decided before the stop was sent after it"
    assert stage.model.states[3]["person_said"][-1] == "no poster, only the concept"
    await stage.check()


async def test_questions_of_a_plan_are_withdrawn_when_a_newer_one_is_approved(stage: Stage) -> None:
    stage.model.answers[:] = [plan(2), concept(), fill, revise, fill, calls(say="Well.")]
    task_id = await stage.begin()
    stage.vendor.prices = {"image": 10_000}
    await approve(stage)
    old = {each.approval_id for each in await stage.machine.pending()}
    assert len(old) == 2, "each is above the approved budget"
    await stage.say("all different please", task_id)
    await stage.machine.drain()
    await approve(stage)
    assert (await stage.task(task_id))[0] == "completed", "it waits for no question of the old plan"
    assert not old & {each.approval_id for each in await stage.machine.pending()}
    assert len(stage.vendor.orders) == 2
    await stage.check()


async def test_a_question_about_a_redo_is_withdrawn_when_the_lost_one_turns_up(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    lost.model.answers[:] = [plan(2), concept(), fill, look, fill]
    task_id = await lost.begin()
    await approve(lost)
    await pass_time(lost, database_clock, SOON)
    (dearer,) = await lost.machine.pending()
    assert dearer.kind == "call"
    lost.vendor.hides = False
    await pass_time(lost, database_clock, timedelta(minutes=3))
    assert await lost.machine.pending() == []
    assert (await lost.task(task_id))[0] == "completed"
    assert len(lost.vendor.orders) == 2
    await lost.check()


async def test_a_look_and_an_order_of_one_step_are_no_look_before_the_order(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    def both(state: dict[str, Any]) -> AIMessage:
        return calls(("check_call", {"call": state["doubts"][0]["call"]}), PICTURE)

    lost.model.route[:] = routed("lightweight")
    lost.model.answers[:] = [picture(), both, calls(say="I wait.")]
    await lost.begin()
    await pass_time(lost, database_clock, SOON)
    assert len(lost.vendor.orders) == 1
    assert [row[1] for row in await lost.ledger()] == ["unknown", "succeeded", "refused"]
    await lost.check()


async def test_a_newer_plan_is_no_way_round_the_look(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    lost.model.answers[:] = [plan(2), concept(), fill, revise, fill, look, fill]
    await lost.begin()
    await approve(lost)
    await pass_time(lost, database_clock, SOON)
    await approve(lost)
    tools = await lost.machine.rows(
        "select tool, verdict from ledger order by created_at, seq offset 4"
    )
    assert [tool for tool, verdict in tools if verdict != "refuse"][1] == "check_call"
    assert ("generate_image", "refuse") in tools
    await lost.check()


async def test_the_deadline_does_not_end_the_duty_to_look(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    lost.model.route[:] = routed("lightweight")
    tries = iter([picture(name="Again"), look])

    def wait(state: dict[str, Any]) -> AIMessage:
        if state["person_said"][-1] != "please try again":
            return calls(say="I see.")
        answer = next(tries, calls(say="Well."))
        return answer if isinstance(answer, AIMessage) else answer(state)

    lost.model.answers[:] = [picture(), *[wait] * 12]
    task_id = await lost.begin()
    await pass_time(lost, database_clock, SOON)
    await pass_time(lost, database_clock, DEADLINE)
    await lost.say("please try again", task_id)
    await lost.machine.drain()
    assert len(lost.vendor.orders) == 1, "ordered again without a look"
    refused = await lost.machine.rows("select count(*) from ledger where refusal = 'invalid'")
    assert refused == [(1,)]
    assert any("nothing is held" in said for said in lost.model.tool_messages())
    await lost.check()


async def test_a_single_work_that_waits_for_its_lost_part_is_not_complete(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    lost.model.route[:] = routed("lightweight")
    lost.model.answers[:] = [calls(PICTURE, ANOTHER), look, calls(say="I wait for the first.")]
    task_id = await lost.begin()
    await pass_time(lost, database_clock, SOON)
    assert (await lost.task(task_id))[:2] == ("waiting", "jobs")
    lost.vendor.hides = False
    await pass_time(lost, database_clock, timedelta(minutes=3))
    assert (await lost.task(task_id))[0] == "completed"
    assert len(lost.vendor.orders) == 2
    await lost.check()


async def test_a_job_has_its_whole_time_from_when_it_is_first_sent(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.vendor.behaviours = {1: "slow"}
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]
    message_id = await stage.machine.say("a picture")
    await stage.machine.worker.look_at(str(message_id))
    task_id = await stage.machine.task_of(message_id)
    await stage.machine.worker.look_at(str(task_id))
    await pass_time(stage, database_clock, DEADLINE + timedelta(hours=1))  # nobody was there
    stage.vendor.ready = True
    await pass_time(stage, database_clock, timedelta(seconds=31))
    assert await stage.ledger() == [("settled", "succeeded")]
    await stage.check()


async def test_what_was_found_too_late_to_be_fetched_is_paid_all_the_same(
    lost: Stage, database_clock: DatabaseClock
) -> None:
    lost.model.route[:] = routed("lightweight")
    lost.model.answers[:] = [picture(), look]
    await lost.begin()
    await pass_time(lost, database_clock, SOON)
    await pass_time(lost, database_clock, DEADLINE)
    lost.vendor.hides = False
    lost.vendor.fetch_fails = [RejectedError("It is gone.")]
    await pass_time(lost, database_clock, timedelta(minutes=11))
    assert await lost.money() == (PRICE, 0, 0, PRICE)
    assert await lost.machine.rows("select count(*) from objects") == [(0,)]
    await lost.check()


async def test_a_lost_job_of_a_provider_that_is_gone_is_looked_for_no_more(
    lost: Stage, database_clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = CapturingLogger()
    monkeypatch.setattr(late_looks, "_log", log)
    lost.model.route[:] = routed("lightweight")
    lost.model.answers[:] = [picture(), look]
    await lost.begin()
    await pass_time(lost, database_clock, SOON)
    await pass_time(lost, database_clock, DEADLINE)
    providers: Any = lost.machine.deps.providers
    providers.clear()
    await pass_time(lost, database_clock, timedelta(minutes=11))
    assert [call.args for call in log.calls] == [("late_look_without_provider",)]
    assert await lost.machine.rows("select late_look_at from jobs") == [(None,)]
    await lost.check()
