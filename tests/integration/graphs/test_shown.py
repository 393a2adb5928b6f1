"""What was shown last can be meant by "this one": named, checked, asked about, told to workers."""

import json
import re
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from execution.approvals import Decision
from execution.intake import Incoming, accept
from execution.transactions import work
from infra.ids import MessageId, ObjectId, TaskId, new_id
from tests.integration.graphs.stage import Stage, concept, fill, plan, routed
from tests.integration.graphs.test_main import say, status
from tests.integration.graphs.test_targets import of_message, the_question
from workspace import objects
from workspace.objects import ObjectVersion


def section(prompt: Any, name: str) -> Any:
    found = re.search(rf"<{name}>(.*?)</{name}>", str(prompt[-1].content), re.DOTALL)
    return json.loads(found[1]) if found else None


async def posters(stage: Stage, count: int = 2) -> tuple[TaskId, list[ObjectVersion]]:
    """A task with so many pictures that are there; they come in the order of their slots."""
    stage.model.route[:] = routed("new")
    stage.model.answers[:] = [plan(count), concept(), fill]
    task_id = await stage.begin("two posters")
    (asked,) = [each for each in await stage.machine.pending() if each.kind == "plan"]
    await stage.machine.decide(asked, Decision.APPROVE)
    await stage.machine.drain()
    async with stage.machine.deps.pools.domain.connection() as conn:
        made = await objects.recent(conn, stage.machine.workspace_id, limit=99, task_id=task_id)
    pictures = [item for item in made if item.kind == "image"]
    assert len(pictures) == count
    return task_id, sorted(pictures, key=lambda item: item.slot or 0)


async def meant_by(stage: Stage, message_id: MessageId) -> list[UUID]:
    rows = await stage.machine.rows(
        "select object_ids from messages where message_id = %s", message_id
    )
    return rows[0][0]


async def test_the_router_sees_what_was_shown_last(stage: Stage) -> None:
    task_id, pictures = await posters(stage, 13)
    stage.model.route[:] = routed("answer")
    await say(stage, "the last one, in blue")
    shown = section(stage.model.routed[-2], "shown")
    assert len(shown) == 12
    assert shown == sorted(shown, key=lambda item: item["when"], reverse=True)
    first = next(item for item in shown if item["kind"] == "image")
    newest = next(item for item in pictures if str(item.object_id) == first["object_id"])
    assert first == {
        "object_id": str(newest.object_id),
        "name": f"P{newest.slot}",
        "kind": "image",
        "slot": newest.slot,
        "task_id": str(task_id),
        "when": newest.created_at.isoformat(timespec="seconds"),
    }
    await stage.check()


async def test_the_worker_is_told_which_object_the_words_mean(stage: Stage) -> None:
    task_id, pictures = await posters(stage)
    second = pictures[1]
    stage.model.answers.append(plan(2))
    stage.model.route[:] = routed(
        "existing", task_id=str(task_id), object_ids=[str(second.object_id)]
    )
    message_id = await say(stage, "make that one blue")
    assert await meant_by(stage, message_id) == [second.object_id]
    assert stage.model.states[-1]["meant"] == [
        {
            "words": "make that one blue",
            "objects": [
                {
                    "object_id": str(second.object_id),
                    "version": 1,
                    "name": "P2",
                    "kind": "image",
                    "step": "posters",
                    "slot": 2,
                }
            ],
        }
    ]
    assert "meant" not in stage.model.states[0]
    await stage.check()


async def test_two_objects_that_fit_equally_well_are_asked_about(stage: Stage) -> None:
    task_id, pictures = await posters(stage)
    both = [str(item.object_id) for item in pictures]
    stage.model.answers.append(plan(2))
    stage.model.route[:] = routed("ask", object_ids=both, language="de")
    message_id = await say(stage, "mach das blau")
    asked = await the_question(stage)
    assert asked.title == "Was davon meinen Sie?"
    assert {(each["id"], each["label"]) for each in asked.card["options"]} == {
        (f"object:{both[0]}", "P1"),
        (f"object:{both[1]}", "P2"),
        ("new", "Etwas Neues"),
    }
    assert await meant_by(stage, message_id) == []
    await say(stage, "P2")
    assert await meant_by(stage, message_id) == [pictures[1].object_id]
    assert await stage.machine.task_of(message_id) == task_id
    assert await status(stage, message_id) == "consumed"
    assert stage.model.states[-1]["meant"][0]["objects"][0]["slot"] == 2
    await stage.check()


async def test_an_object_that_is_gone_is_asked_about(stage: Stage) -> None:
    task_id, pictures = await posters(stage)
    await stage.machine.rows(
        "update objects set deleted_at = app_now() where object_id = %s returning 1",
        pictures[0].object_id,
    )
    stage.model.route[:] = routed(
        "existing", task_id=str(task_id), object_ids=[str(pictures[0].object_id)]
    )
    message_id = await say(stage, "make the first one blue")
    asked = await the_question(stage)
    assert asked.title.startswith("What this is about is no longer here.")
    assert [each["id"] for each in asked.card["options"]] == [str(task_id), "new"]
    assert (await of_message(stage, message_id))[3] == "The object is not here any more."
    await stage.check()


async def test_an_object_of_another_task_is_asked_about(stage: Stage) -> None:
    first, pictures = await posters(stage)
    second, _ = await posters(stage)
    stage.model.route[:] = routed(
        "existing", task_id=str(second), object_ids=[str(pictures[0].object_id)]
    )
    await say(stage, "make that one blue")
    asked = await the_question(stage)
    assert asked.title == "“P1” belongs to another work. Which one is your message for?"
    assert [each["id"] for each in asked.card["options"]] == [str(first), str(second), "new"]
    await stage.check()


async def test_what_a_router_makes_up_as_an_object_changes_nothing_new(stage: Stage) -> None:
    await posters(stage)
    stage.model.route[:] = routed("new", object_ids=["x", str(new_id())])
    message_id = await say(stage, "and a film")
    assert await meant_by(stage, message_id) == []
    assert await status(stage, message_id) == "consumed"
    await stage.check()


async def test_what_a_person_points_at_is_what_is_meant(stage: Stage) -> None:
    task_id, pictures = await posters(stage)
    pointed = ObjectId(pictures[0].object_id)
    stage.model.answers.append(plan(2))
    stage.model.route[:] = routed(
        "existing", task_id=str(task_id), object_ids=[str(pictures[1].object_id)]
    )
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        incoming = Incoming(text="bluer", client_id="c", object_id=pointed)
        message_id = await accept(tx, incoming)
    await stage.machine.drain()
    assert section(stage.model.routed[-1], "about") == [str(pointed)]
    assert await meant_by(stage, message_id) == [pointed]
    await stage.check()


async def test_an_object_of_another_task_that_this_one_uses_is_not_asked_about(
    stage: Stage,
) -> None:
    _, pictures = await posters(stage)
    second, made = await posters(stage)
    used = Jsonb([{"object_id": str(pictures[0].object_id), "version": 1}])
    await stage.machine.rows(
        "update object_versions set inputs = %s where object_id = %s returning 1",
        used,
        made[0].object_id,
    )
    stage.model.answers.append(plan(2))
    stage.model.route[:] = routed(
        "existing", task_id=str(second), object_ids=[str(pictures[0].object_id)]
    )
    message_id = await say(stage, "make that one blue")
    assert await stage.machine.task_of(message_id) == second
    assert await status(stage, message_id) == "consumed"
    await stage.check()
