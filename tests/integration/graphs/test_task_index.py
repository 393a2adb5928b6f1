"""The index of tasks is current when a turn has ended, whoever asks next."""

from execution import tasks
from execution.transactions import work
from infra.ids import MessageId, TaskId, new_id
from memory import task_index
from tests.integration.graphs.stage import Stage, picture, routed


async def indexed(stage: Stage) -> dict[str, str]:
    rows = await stage.machine.rows("select task_id::text, text from task_index")
    return dict(rows)


async def test_a_new_task_is_in_the_index_with_the_commit_that_makes_it(stage: Stage) -> None:
    seen: list[dict[str, str]] = []

    async def look() -> None:
        seen.append(await indexed(stage))

    stage.model.route[:] = routed("lightweight", title="Tea house poster", goal="a poster")
    stage.model.answers[:] = [picture()]
    stage.model.during[1] = look
    task_id = await stage.begin()
    assert seen == [{str(task_id): "Tea house poster\na poster"}]


async def test_what_a_turn_made_is_in_the_index_at_its_end(stage: Stage) -> None:
    stage.model.route[:] = routed("lightweight", title="Tea house poster")
    stage.model.answers[:] = [picture(name="Kettle at dawn")]
    task_id = await stage.begin()
    assert "Kettle at dawn" in (await indexed(stage))[str(task_id)]
    stage.model.answers.append(picture(name="Teapot at night", prompt="a teapot"))
    await stage.say("one more", task_id)
    await stage.machine.drain()
    assert "Teapot at night" in (await indexed(stage))[str(task_id)]
    await stage.check()


async def test_a_dormant_task_is_shown_to_the_router_when_its_words_are_said(stage: Stage) -> None:
    dormant = await add(stage, "Lighthouse in Lisbon")
    for number in range(25):
        await add(stage, f"Sketch {number}")
    stage.model.route[:] = routed("answer")
    for text, is_shown in (("hello", False), ("the lighthouses in Lisbon, brighter", True)):
        await stage.machine.say(text)
        await stage.machine.drain()
        asked = next(one for one in reversed(stage.model.routed) if text in str(one[-1].content))
        assert (str(dormant) in str(asked[-1].content)) is is_shown


async def add(stage: Stage, title: str) -> TaskId:
    """A task that has ended."""
    task_id = TaskId(new_id())
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        await tasks.create(
            tx, task_id, kind="persistent", title=title, goal=title, language="en", brief={},
            source_message_id=MessageId(new_id()),
        )  # fmt: skip
        await tasks.set_status(tx, task_id, tasks.TaskStatus.COMPLETED)
        await task_index.refresh(tx, task_id)
    return task_id
