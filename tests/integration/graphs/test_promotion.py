"""A single picture that its person goes on with becomes a work of its own, with all it has."""

from langchain_core.messages import AIMessage

from infra.ids import TaskId
from tests.harness import calls
from tests.integration.graphs.stage import PRICE, Stage, picture, plan, routed


async def begun(stage: Stage, *answers: object) -> TaskId:
    stage.model.route[:] = routed("lightweight", title="Harbour")
    stage.model.answers[:] = answers
    return await stage.begin("a picture of a harbour")


async def kind(stage: Stage, task_id: TaskId) -> tuple[str, str]:
    rows = await stage.machine.rows("select kind, status from tasks where task_id = %s", task_id)
    return rows[0]  # pyright: ignore[reportReturnType]


async def test_a_second_wish_makes_it_a_work_that_goes_on_with_everything_kept(
    stage: Stage,
) -> None:
    task_id = await begun(stage, picture(), picture(prompt="a harbour at night"), picture())
    assert await kind(stage, task_id) == ("lightweight", "completed")
    await stage.say("at night", task_id)
    await stage.machine.drain()
    assert await kind(stage, task_id) == ("persistent", "completed")
    assert await stage.money() == (2 * PRICE, 0, 2 * PRICE, 0)
    owners = await stage.machine.rows("select distinct task_id from objects")
    assert owners == [(task_id,)]
    events = await stage.machine.rows(
        "select data ->> 'kind' from events where task_id = %s and type like 'task.%%'"
        " order by seq",
        task_id,
    )
    assert (events[0], events[-1]) == (("lightweight",), ("persistent",))
    assert stage.model.states[-1]["task"]["kind"] == "lightweight", "it still needs no plan"
    await stage.say("and greener", task_id)
    await stage.machine.drain()
    assert await kind(stage, task_id) == ("persistent", "completed")
    assert len(stage.vendor.orders) == 3
    await stage.check()


async def test_words_that_nothing_is_made_for_leave_it_a_single_picture(stage: Stage) -> None:
    task_id = await begun(stage, picture(), AIMessage(content="You are welcome."))
    await stage.say("thanks", task_id)
    await stage.machine.drain()
    assert await kind(stage, task_id) == ("lightweight", "completed")
    await stage.check()


async def test_a_second_try_of_the_same_wish_leaves_it_a_single_picture(stage: Stage) -> None:
    stage.vendor.behaviours = {1: "failed"}
    task_id = await begun(stage, picture(), picture(prompt="a simpler harbour"))
    assert await kind(stage, task_id) == ("lightweight", "completed")
    await stage.check()


async def test_a_plan_makes_it_a_work_that_goes_on(stage: Stage) -> None:
    task_id = await begun(stage, plan(2))
    assert await kind(stage, task_id) == ("persistent", "waiting")
    await stage.check()


async def test_a_plan_that_was_refused_leaves_it_a_single_picture(stage: Stage) -> None:
    task_id = await begun(stage, plan(2, steps=[]), picture())
    assert await stage.machine.rows("select tool, verdict from ledger order by created_at") == [
        ("propose_plan", "refuse"),
        ("generate_image", "allow"),
    ]
    assert await kind(stage, task_id) == ("lightweight", "completed")
    await stage.check()


async def test_a_second_wish_whose_order_was_refused_leaves_it_a_single_picture(
    stage: Stage,
) -> None:
    task_id = await begun(stage, picture(), picture(width="wide"), AIMessage(content="Sorry."))
    await stage.say("wider", task_id)
    await stage.machine.drain()
    verdicts = [row[0] for row in await stage.machine.rows("select verdict from ledger")]
    assert sorted(verdicts) == ["allow", "refuse"]
    assert (await kind(stage, task_id))[0] == "lightweight"
    await stage.check()


async def test_a_second_wish_for_what_costs_nothing_leaves_it_a_single_picture(
    stage: Stage,
) -> None:
    note = calls(("write_document", {"name": "Note", "text": "words"}))
    task_id = await begun(stage, picture(), note, AIMessage(content="There."))
    await stage.say("describe it", task_id)
    await stage.machine.drain()
    assert (await kind(stage, task_id))[0] == "lightweight"
    await stage.check()
