"""Two tasks become one: nothing is lost, nothing is paid twice, and no yes goes along."""

import asyncio
from typing import Any

import pytest

from execution import joining, tasks
from execution.approvals import Decision
from execution.errors import NotPossibleNowError, SupersededError
from execution.intake import Incoming, accept
from execution.joining import Joined
from execution.messages import Origin
from execution.transactions import work
from infra.crash_points import CrashPoint, watched
from infra.ids import MessageId, ObjectId, TaskId, new_id
from tests.harness import calls
from tests.integration.graphs.stage import PRICE, Stage, picture, plan, routed
from tests.integration.graphs.test_main import say, status
from tests.integration.graphs.test_shown import posters
from tests.integration.graphs.test_targets import (
    begun,
    choose,
    of_message,
    stop,
    the_question,
    unclear,
)
from workspace import objects


async def merge(stage: Stage, task_id: TaskId, into: TaskId) -> Joined:
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        joined = await joining.merge(tx, task_id, into)
        await objects.give_over(tx, task_id, into)
    return joined


async def single(stage: Stage, title: str = "Harbour") -> TaskId:
    stage.model.route[:] = routed("lightweight", title=title)
    stage.model.answers[:] = [picture(), calls(say="Well.")]
    return await stage.begin(f"a picture: {title}")


async def account(stage: Stage, task_id: TaskId) -> tuple[Any, ...]:
    rows = await stage.machine.rows(
        "select held_micros, settled_micros from budgets where task_id = %s", task_id
    )
    return rows[0] if rows else (0, 0)


async def test_nothing_is_merged_while_a_paid_job_of_it_runs(stage: Stage) -> None:
    other = await begun(stage)
    stage.vendor.behaviours = {1: "slow"}
    task_id = await single(stage)
    with pytest.raises(NotPossibleNowError, match="A job of it is still running"):
        await merge(stage, task_id, other)
    assert await account(stage, task_id) == (PRICE, 0)
    assert (await stage.task(task_id))[0] == "waiting"
    stage.vendor.ready = True
    await stage.machine.rows("update jobs set due_at = app_now() returning 1")
    await stage.machine.drain()
    await merge(stage, task_id, other)
    await stage.machine.drain()
    assert len(stage.vendor.orders) == 1
    assert await account(stage, task_id) == (0, PRICE), "what was paid there stays there"
    assert await account(stage, other) == (0, 0)
    await stage.check()


async def test_an_open_question_is_withdrawn_and_told_to_both(stage: Stage) -> None:
    task_id, other = await begun(stage), await begun(stage, "Rain")
    asked = next(each for each in await stage.machine.pending() if each.task_id == task_id)
    joined = await merge(stage, task_id, other)
    assert joined == Joined(words=1, left=0, withdrawn=["Posters"], void=[])
    with pytest.raises(SupersededError):
        await stage.machine.decide(asked, Decision.APPROVE)
    await stage.machine.drain()
    (event,) = [each for each in stage.model.states[-1]["events"] if "joined" in str(each)]
    assert "Still open there were: Posters. Nothing of it is allowed." in str(event)
    assert stage.vendor.requests == []
    assert await stage.money() == (0, 0, 0, 0)
    await stage.check()


async def test_a_yes_that_nothing_has_come_of_goes_nowhere_and_is_told(stage: Stage) -> None:
    stage.vendor.prices = {"image": 150_000}
    task_id, other = await single(stage), await begun(stage)
    asked = next(each for each in await stage.machine.pending() if each.task_id == task_id)
    await stage.machine.decide(asked, Decision.APPROVE)
    joined = await merge(stage, task_id, other)
    assert joined.void == [asked.title]
    await stage.machine.drain()
    assert stage.vendor.requests == [], "what was approved there runs in no task"
    assert (await stage.money())[1:] == (0, 0, 0)
    assert (await stage.task(task_id))[0] == "stopped"
    await stage.check()


async def test_what_its_model_decides_meanwhile_is_discarded(stage: Stage) -> None:
    other = await begun(stage)
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]
    message_id = await stage.machine.say("a picture")
    await stage.machine.worker.look_at(str(message_id))
    task_id = await stage.machine.task_of(message_id)

    async def join() -> None:
        await merge(stage, task_id, other)

    stage.model.during[len(stage.model.prompts) + 1] = join
    await stage.machine.drain()
    assert stage.vendor.requests == []
    assert (await stage.task(task_id))[0] == "stopped"
    await stage.check()


async def test_of_two_merges_in_opposite_directions_one_is_done(stage: Stage) -> None:
    one, other = await begun(stage), await begun(stage, "Rain")
    done = await asyncio.gather(
        merge(stage, one, other), merge(stage, other, one), return_exceptions=True
    )
    assert sorted(type(each).__name__ for each in done) == ["Joined", "NotPossibleNowError"]
    away = await stage.machine.rows("select count(*) from tasks where archived_at is not null")
    assert away == [(1,)]
    await stage.machine.drain()
    await stage.check()


async def test_a_picture_that_a_work_is_joined_to_is_a_work_that_goes_on(stage: Stage) -> None:
    task_id, other = await begun(stage), await single(stage)
    await merge(stage, task_id, other)
    kinds = await stage.machine.rows("select kind from tasks where task_id = %s", other)
    assert kinds == [("persistent",)]
    third = await single(stage, "Quay")
    fourth = await single(stage, "Pier")
    await merge(stage, third, fourth)
    kinds = await stage.machine.rows("select kind from tasks where task_id = %s", fourth)
    assert kinds == [("lightweight",)]


async def test_the_newest_twenty_of_its_words_go_along_and_the_rest_is_counted(
    stage: Stage,
) -> None:
    task_id, other = await begun(stage), await begun(stage, "Rain")
    for number in range(22):
        await stage.say(f"wish {number}", task_id)
    joined = await merge(stage, task_id, other)
    assert (joined.words, joined.left) == (20, 3)
    given = await stage.machine.rows(
        """
        select text from inbox join messages using (message_id)
        where inbox.task_id = %s and inbox.status = 'delivered' order by position
        """,
        other,
    )
    assert [text for (text,) in given] == [f"wish {number}" for number in range(2, 22)]


async def test_a_question_that_offered_it_leads_to_the_task_it_was_joined_to(
    stage: Stage,
) -> None:
    both, message_id = await unclear(stage)
    asked = await the_question(stage)
    await merge(stage, both[0], both[1])
    await choose(stage, asked, str(both[0]))
    assert await stage.machine.task_of(message_id) == both[1]
    away = "select archived_at is not null, merged_into from tasks where task_id = %s"
    assert await stage.machine.rows(away, both[0]) == [(True, both[1])]
    await stage.check()


async def test_a_reply_to_its_words_is_asked_about_with_the_other_first(stage: Stage) -> None:
    task_id, other = await begun(stage), await begun(stage, "Rain")
    first = await stage.say("and blue", task_id)
    await stage.machine.drain()
    await merge(stage, task_id, other)
    last = await begun(stage, "Snow")
    await merge(stage, other, last)
    await stage.machine.drain()
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        incoming = Incoming(text="and green", client_id=str(new_id()), reply_to=first)
        message_id = await accept(tx, incoming)
    await stage.machine.drain()
    asked = await the_question(stage)
    assert asked.title == "“Tea” was joined to “Snow”. What should happen with your message?"
    assert [(each["id"], each["label"]) for each in asked.card["options"]] == [
        (str(last), "Snow"),
        (str(task_id), "Bring back “Tea”"),
        ("new", "Something new"),
    ]
    assert (await of_message(stage, message_id))[3] == "The task was joined to another one."
    await choose(stage, asked, str(last))
    assert await stage.machine.task_of(message_id) == last
    await stage.check()


async def meanwhile_after_the_check(stage: Stage, text: str, change: Any) -> MessageId:
    """Send a message; between the check of its route and its delivery something happens."""
    seen: list[CrashPoint] = []

    async def look(point: CrashPoint) -> None:
        if point is CrashPoint.ROUTE_COMMITTED:
            seen.append(point)
        elif point is CrashPoint.COMMITTING and seen:
            seen.clear()
            await change()

    with watched(look):
        return await say(stage, text)


@pytest.mark.parametrize("archived", [False, True])
async def test_a_task_stopped_between_check_and_delivery_is_asked_about(
    stage: Stage, *, archived: bool
) -> None:
    task_id = await begun(stage)

    async def change() -> None:
        async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
            await tasks.stop(tx, task_id)
            if archived:
                await tasks.archive(tx, task_id)

    stage.model.route[:] = routed("existing", task_id=str(task_id), acknowledgement="On it.")
    message_id = await meanwhile_after_the_check(stage, "make it blue", change)
    assert (await stage.task(task_id))[0] == "stopped", "only a person opens it again"
    asked = await the_question(stage)
    assert ("archived" if archived else "was stopped") in asked.title
    assert await status(stage, message_id) == "routed"
    await choose(stage, asked, str(task_id))
    assert await status(stage, message_id) == "consumed"
    await stage.check()


async def test_something_new_in_place_of_what_code_had_routed_has_its_words_as_title(
    stage: Stage,
) -> None:
    task_id = await begun(stage)
    first = await stage.say("and blue", task_id)
    await stage.machine.drain()
    await stop(stage, task_id)
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        await tasks.archive(tx, task_id)
        incoming = Incoming(text="a lantern", client_id=str(new_id()), reply_to=first)
        message_id = await accept(tx, incoming)
    await stage.machine.drain()
    stage.model.answers[:] = [plan(1)]
    await choose(stage, await the_question(stage), "new")
    made = await stage.machine.rows(
        "select title, goal from tasks where source_message_id = %s", message_id
    )
    assert made == [("a lantern", "a lantern")]
    await stage.check()


async def test_a_task_brought_back_and_opened_at_once_is_said_to_be_open(stage: Stage) -> None:
    task_id = await begun(stage)
    await stop(stage, task_id)
    for change in (tasks.archive, tasks.begin_again):
        async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
            await change(tx, task_id)
    last = "select type from events where task_id = %s and type like 'task.%%' order by seq desc"
    assert (await stage.machine.rows(last, task_id))[0] == ("task.reopened",)
    await stage.check()


async def test_words_that_go_along_keep_what_they_mean_and_where_they_came_in(
    stage: Stage,
) -> None:
    """What came over the open API stays so: its paid calls are confirmed one by one there too."""
    task_id, pictures = await posters(stage)
    other = await begun(stage)
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        incoming = Incoming(
            text="make that one blue",
            client_id=str(new_id()),
            task_id=task_id,
            object_id=ObjectId(pictures[0].object_id),
            origin=Origin.API_KEY,
        )
        await accept(tx, incoming)
    await merge(stage, task_id, other)
    given = await stage.machine.rows(
        """
        select origin, object_ids from inbox join messages using (message_id)
        where inbox.task_id = %s and inbox.status = 'delivered' order by position desc limit 1
        """,
        other,
    )
    assert given == [("api_key", [pictures[0].object_id])]


async def test_waiting_words_are_read_by_the_other_task_only(stage: Stage) -> None:
    task_id, other = await begun(stage), await begun(stage, "Rain")
    first = await stage.say("and blue", task_id)
    await merge(stage, task_id, other)
    await stage.machine.drain()
    assert await status(stage, first) == "moved"
    readers = await stage.machine.rows(
        """
        select i.task_id from inbox as i join messages as m using (message_id)
        where m.text = 'and blue' and i.status = 'consumed'
        """
    )
    assert readers == [(other,)]
    await stage.check()
