"""Where a person wants to look before the work goes on: code asks, and only their yes goes on."""

from contextlib import AsyncExitStack
from uuid import UUID

import pytest

from execution import tasks
from execution.approvals import Approval, Decision
from execution.errors import SupersededError
from execution.transactions import work
from infra.crash_points import CrashPoint, watched
from infra.ids import ObjectId, TaskId
from infra.supervision import Supervisor
from tests.harness import calls
from tests.integration.graphs.conftest import OpenStage
from tests.integration.graphs.stage import (
    PRICE,
    Model,
    Stage,
    Vendor,
    concept,
    fill,
    plan,
    plan_arguments,
    routed,
)
from tests.integration.graphs.test_plan import answer, items
from tests.integration.graphs.test_recovery import Fate, run_until_struck
from workspace import objects


async def stop_at(stage: Stage, *kinds: str) -> None:
    """Let the owner want to look at the results of these kinds of steps."""
    await stage.machine.rows("update workspaces set review_points = %s returning 1", list(kinds))


async def begun(stage: Stage, *kinds: str) -> TaskId:
    """A task whose plan was approved while these review points were set."""
    await stop_at(stage, *kinds)
    task_id = await stage.begin()
    await answer(stage)
    return task_id


async def the_look(stage: Stage) -> Approval:
    (asked,) = [each for each in await stage.machine.pending() if each.kind == "review"]
    return asked


async def edit_by_hand(stage: Stage, object_id: str) -> None:
    """A person puts other words into a document."""
    machine = stage.machine
    blob = await machine.deps.blobs.put_bytes(b"Coffee.")
    async with work(machine.deps, machine.workspace_id) as tx:
        await objects.put_version(
            tx,
            ObjectId(UUID(object_id)),
            base_version=1,
            blob=blob,
            media_type="text/markdown",
            author="user",
            cause=f"edit {object_id}",
        )


async def test_nothing_that_depends_on_a_step_begins_before_somebody_has_looked(
    stage: Stage,
) -> None:
    stage.model.answers[:] = [plan(2), concept(), fill]
    task_id = await begun(stage, "document")
    assert await stage.task(task_id) == (
        "waiting",
        "review",
        "Waiting for you to look at Concept.",
    )
    asked = await the_look(stage)
    assert (asked.title, asked.actions, asked.price_micros) == (
        "Concept",
        ["approve", "reject"],
        None,
    )
    (shown,) = asked.card["results"]
    assert (shown["kind"], shown["name"], shown["version"]) == ("document", "Concept", 1)
    assert (await items(stage, task_id))["posters"][0] == "todo"
    assert stage.vendor.requests == []
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    assert len(stage.vendor.orders) == 2
    assert len(stage.model.prompts) == 3, "a yes alone costs no inference"
    await stage.check()


async def test_the_last_step_is_looked_at_before_it_is_delivered(stage: Stage) -> None:
    stage.model.answers[:] = [plan(2), concept(), fill]
    task_id = await begun(stage, "image")
    assert (await stage.task(task_id))[1] == "review"
    assert await stage.machine.rows("select count(*) from deliveries") == [(0,)]
    assert len((await the_look(stage)).card["results"]) == 2
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    assert await stage.machine.rows("select status from deliveries") == [("delivered",)]
    await stage.check()


async def test_a_step_that_the_plan_itself_stops_at_is_looked_at(stage: Stage) -> None:
    arguments = plan_arguments(1)
    arguments["steps"][0]["review"] = True
    stage.model.answers[:] = [calls(("propose_plan", arguments)), concept(), fill]
    task_id = await begun(stage)
    assert (await stage.task(task_id))[1] == "review"
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_the_plan_stops_where_the_approved_card_said(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), concept(), fill]
    await stop_at(stage, "image")
    task_id = await stage.begin()
    (asked,) = await stage.machine.pending()
    assert [line["review"] for line in asked.card["lines"]] == [False, True]
    await stop_at(stage, "document")
    await answer(stage)
    assert (await the_look(stage)).title == "Posters"
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_a_look_is_asked_for_while_other_work_goes_on(open_stage: OpenStage) -> None:
    async with open_stage(vendor=Vendor(default="slow")) as stage:
        arguments = plan_arguments(1)
        arguments["steps"][1]["depends_on"] = []
        stage.model.answers[:] = [calls(("propose_plan", arguments)), fill, concept()]
        task_id = await begun(stage, "document")
        # The poster is out, and the model wrote no concept beside it before it was told to.
        assert (await stage.task(task_id))[1] == "jobs"
        await stage.say("write the concept", task_id)
        await stage.machine.drain()
        assert (await the_look(stage)).title == "Concept"
        assert (await stage.task(task_id))[1] == "jobs"


async def test_a_no_with_words_makes_the_step_anew_by_a_revised_plan(stage: Stage) -> None:
    stage.model.answers[:] = [
        plan(2),
        concept(),
        fill,
        plan(2, keep=["concept"]),
        fill,
    ]
    task_id = await begun(stage, "image")
    first = await the_look(stage)
    await answer(stage, Decision.REJECT, note="warmer, please")
    told = [event["what_happened"] for event in stage.model.states[3]["events"]]
    assert "The person refused 'Posters' (permission): warmer, please" in told
    assert stage.model.states[3]["plan"]["steps"][1]["status"] == "rejected"
    (asked,) = await stage.machine.pending()
    assert (asked.kind, asked.price_micros) == ("plan", 2 * PRICE), "more costs more, and is asked"
    assert len(stage.vendor.orders) == 2
    await answer(stage)
    second = await the_look(stage)
    assert second.args_hash != first.args_hash, "made anew, it is asked anew"
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    assert len(stage.vendor.orders) == 4
    await stage.check()


async def test_a_model_that_does_not_care_about_a_no_delivers_nothing(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), concept(), fill, calls(say="Fine.")]
    task_id = await begun(stage, "image")
    await answer(stage, Decision.REJECT)
    assert await stage.task(task_id) == (
        "waiting",
        "answer",
        "You did not accept Posters. Say what should be different.",
    )
    assert await stage.machine.rows("select count(*) from deliveries") == [(0,)]
    await stage.check()


async def test_what_was_refused_is_not_kept_until_the_person_says_so(stage: Stage) -> None:
    kept = plan(1, keep=["concept", "posters"])
    stage.model.answers[:] = [plan(1), concept(), fill, kept, calls(say="Sorry."), kept]
    task_id = await begun(stage, "image")
    await answer(stage, Decision.REJECT, note="too dark")
    assert stage.model.tool_messages()[-1].startswith(
        "refused (permission): The person has refused the results of 'posters'."
    )
    await stage.say("on second thoughts they are fine", task_id)
    await stage.machine.drain()
    await answer(stage)
    assert (await the_look(stage)).title == "Posters", "a new version asks about them again"
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    assert len(stage.vendor.orders) == 1
    await stage.check()


async def test_what_was_accepted_is_not_asked_about_again(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), concept(), fill, plan(2, keep=["concept", "posters"]), fill]
    task_id = await begun(stage, "document", "image")
    await answer(stage)
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.say("make it two", task_id)
    await stage.machine.drain()
    await answer(stage)
    asked = await the_look(stage)
    assert (asked.title, len(asked.card["results"])) == ("Posters", 2)
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_an_edit_while_it_is_looked_at_is_what_goes_on(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), concept(), fill]
    task_id = await begun(stage, "document")
    (shown,) = (await the_look(stage)).card["results"]
    await edit_by_hand(stage, shown["object_id"])
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    (report,) = (await stage.machine.rows("select report from deliveries"))[0]
    (document,) = [each for each in report["files"] if each["object_id"] == shown["object_id"]]
    assert document["version"] == 2
    assert await stage.machine.deps.blobs.read(document["sha256"]) == b"Coffee."
    await stage.check()


async def test_a_new_plan_without_the_step_withdraws_the_question(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), concept(), plan(1), concept(), fill]
    task_id = await begun(stage, "document")
    look = await the_look(stage)
    await stage.say("start all over", task_id)
    await stage.machine.drain()
    (proposed,) = [each for each in await stage.machine.pending() if each.kind == "plan"]
    await stage.machine.decide(proposed, Decision.APPROVE)
    await stage.machine.drain()
    assert (await the_look(stage)).approval_id != look.approval_id
    with pytest.raises(SupersededError):
        await stage.machine.decide(look, Decision.APPROVE)
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_an_answer_to_what_has_changed_meanwhile_lets_nothing_go_on(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), concept(), plan(1), concept(), fill]
    task_id = await begun(stage, "document")
    look = await the_look(stage)
    await stage.say("start all over", task_id)
    await stage.machine.drain()
    (proposed,) = [each for each in await stage.machine.pending() if each.kind == "plan"]
    # Both are answered before the task takes its next turn.
    await stage.machine.decide(proposed, Decision.APPROVE)
    await stage.machine.decide(look, Decision.APPROVE)
    await stage.machine.drain()
    assert (await stage.task(task_id))[1] == "review"
    assert (await the_look(stage)).args_hash != look.args_hash
    assert stage.vendor.requests == []


async def test_an_end_withdraws_the_question_and_a_reopened_task_asks_anew(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), concept(), calls(say="Here again."), fill]
    task_id = await begun(stage, "document")
    machine = stage.machine
    look = await the_look(stage)
    await machine.decide(look, Decision.APPROVE)
    async with work(machine.deps, machine.workspace_id) as tx:
        await tasks.stop(tx, task_id)
    await machine.drain()
    assert await machine.pending() == []
    await stage.say("go on after all", task_id)
    await machine.drain()
    again = await the_look(stage)
    assert again.approval_id != look.approval_id, "a yes of before the end counts for nothing"
    assert stage.vendor.requests == []
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_one_set_of_results_is_asked_about_once(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), concept(), calls(say="One moment."), calls(say="Still.")]
    task_id = await begun(stage, "document")
    look = await the_look(stage)
    for words in ("and?", "well?"):
        await stage.say(words, task_id)
        await stage.machine.drain()
    assert (await the_look(stage)).approval_id == look.approval_id
    kinds = await stage.machine.rows("select count(*) from approvals where kind = 'review'")
    assert kinds == [(1,)]
    await stage.check()


async def _up_to_the_look(first: Stage, second: Stage, fate: Fate, title: str) -> TaskId:
    """One work from its approved plan to the question about its concept, with a fault."""
    message_id = await first.machine.say(title)
    await first.machine.drain()
    (asked,) = await first.machine.pending()
    await first.machine.decide(asked, Decision.APPROVE)
    await run_until_struck(first.machine, fate)
    if fate.struck is not None:
        await second.machine.drain()
    return await second.machine.task_of(message_id)


@pytest.mark.timeout(120)
async def test_a_look_is_asked_for_once_whoever_dies_on_the_way(
    open_stage: OpenStage, database_url: str
) -> None:
    async with AsyncExitStack() as stack:
        vendor = Vendor()
        model = Model(route=routed(), answers=[plan(1), concept(), fill])
        first = await stack.enter_async_context(open_stage(model, vendor))
        second = await stack.enter_async_context(open_stage(model, vendor))
        await stop_at(first, "document")
        async with Supervisor("nobody dies") as bodies:
            counting = Fate(database_url, bodies)
            with watched(counting.reached):
                await _up_to_the_look(first, second, counting, "without a fault")
        await answer(second)
        assert CrashPoint.STOP_CHECK_COMMITTED in counting.seen
        for at, window in enumerate(list(counting.seen), start=1):
            async with Supervisor("bodies") as bodies:
                fate = Fate(database_url, bodies, at=at, dies=at % 2 == 0)
                with watched(fate.reached):
                    task_id = await _up_to_the_look(first, second, fate, f"fault {at}")
            assert fate.struck is window
            assert (await second.task(task_id))[1] == "review", window
            await answer(second)
            assert (await second.task(task_id))[0] == "completed", window
            looks = await second.machine.rows(
                "select count(*) from approvals where kind = 'review' and task_id = %s", task_id
            )
            assert looks == [(1,)], window
        await second.check()
