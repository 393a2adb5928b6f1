"""A single picture: one question to the model, one order, done."""

from datetime import timedelta

from execution.approvals import Decision
from tests.database import DatabaseClock
from tests.harness import calls
from tests.integration.graphs.stage import PRICE, Stage, picture, routed


async def light(stage: Stage, *answers: object) -> None:
    stage.model.route[:] = routed("lightweight", acknowledgement="On it.")
    stage.model.answers[:] = answers


async def test_a_picture_costs_one_question_to_the_model_and_completes(stage: Stage) -> None:
    await light(stage, picture())
    task_id = await stage.begin("a picture of a harbour")
    assert (await stage.task(task_id))[::2] == ("completed", "The result is there.")
    assert len(stage.model.prompts) == 1
    assert await stage.money() == (PRICE, 0, PRICE, 0)
    assert len(stage.vendor.orders) == 1
    await stage.check()


async def test_what_was_made_is_an_object_that_can_be_read(stage: Stage) -> None:
    await light(stage, picture())
    await stage.begin()
    rows = await stage.machine.rows("select blob_sha256, media_type from object_versions")
    blob = await stage.machine.deps.blobs.read(rows[0][0])
    assert blob.startswith(b"\x89PNG")
    assert rows[0][1] == "image/png"


async def test_looking_something_up_first_is_no_end(stage: Stage) -> None:
    await light(stage, calls(("find_capabilities", {})), picture())
    task_id = await stage.begin()
    assert (await stage.task(task_id))[0] == "completed"
    assert len(stage.model.prompts) == 2
    assert "operations" in stage.model.tool_messages()[0]
    await stage.check()


async def test_a_picture_that_fails_is_tried_again_by_the_model(stage: Stage) -> None:
    stage.vendor.behaviours = {1: "failed"}
    await light(stage, picture(), picture(prompt="a simpler harbour"))
    task_id = await stage.begin()
    assert (await stage.task(task_id))[0] == "completed"
    told = stage.model.states[1]["events"]
    assert [event["what_happened"] for event in told] == [
        "'Harbour' failed (job_failed): It broke."
    ]
    assert await stage.money() == (2 * PRICE, 0, PRICE, 0)
    await stage.check()


async def test_a_picture_that_always_fails_ends_with_a_reason_after_a_few_tries(
    stage: Stage,
) -> None:
    stage.vendor.default = "failed"
    await light(stage, *[picture()] * 20)
    task_id = await stage.begin()
    assert (await stage.task(task_id))[::2] == (
        "failed",
        "It could not be made after several tries.",
    )
    assert len(stage.vendor.orders) <= 5
    assert await stage.money() == (len(stage.vendor.orders) * PRICE, 0, 0, 0)
    await stage.check()


async def test_a_follow_up_is_worked_on_and_completes_again(stage: Stage) -> None:
    await light(stage, picture(), picture(prompt="the same in blue", name="Blue"))
    task_id = await stage.begin()
    await stage.say("the same in blue", task_id)
    await stage.machine.drain()
    assert (await stage.task(task_id))[0] == "completed"
    assert stage.model.states[1]["person_said"][-1] == "the same in blue"
    assert len(stage.vendor.orders) == 2
    await stage.check()


async def test_a_follow_up_that_fails_is_not_called_done(stage: Stage) -> None:
    stage.vendor.behaviours = {2: "rejected"}
    await light(stage, picture(), picture(name="Blue"), calls(say="That cannot be made."))
    task_id = await stage.begin()
    await stage.say("the same in blue", task_id)
    await stage.machine.drain()
    status, waiting, _ = await stage.task(task_id)
    assert (status, waiting) == ("waiting", "answer")
    await stage.check()


async def test_a_question_while_a_picture_is_made_does_not_hide_how_it_ends(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.vendor.behaviours = {1: "slow"}
    await light(stage, picture(), calls(say="It is being made."))
    task_id = await stage.begin()
    await stage.say("how is it going?", task_id)
    await stage.machine.drain()
    assert (await stage.task(task_id))[1] == "jobs"
    stage.vendor.ready = True
    await database_clock.advance(timedelta(seconds=6))
    await stage.machine.drain()
    assert await stage.task(task_id) == ("completed", None, "The result is there.")
    assert len(stage.model.prompts) == 2
    await stage.check()


async def test_a_word_of_thanks_needs_no_second_picture(stage: Stage) -> None:
    await light(stage, picture(), calls(say="You are welcome."))
    task_id = await stage.begin()
    await stage.say("thanks!", task_id)
    await stage.machine.drain()
    assert (await stage.task(task_id))[0] == "completed"
    assert len(stage.vendor.orders) == 1
    await stage.check()


async def test_a_price_above_the_allowance_is_asked_for_first(stage: Stage) -> None:
    stage.vendor.prices = {"image": 150_000}
    await light(stage, picture())
    task_id = await stage.begin()
    assert (await stage.task(task_id))[1] == "budget"
    assert (stage.vendor.requests, await stage.money()) == ([], (0, 0, 0, 0))
    asked = (await stage.machine.pending())[0]
    assert (asked.kind, asked.price_micros) == ("call", 150_000)
    await stage.machine.decide(asked, Decision.APPROVE)
    await stage.machine.drain()
    assert (await stage.task(task_id))[0] == "completed"
    assert len(stage.model.prompts) == 1
    assert await stage.money() == (150_000, 0, 150_000, 0)
    await stage.check()
