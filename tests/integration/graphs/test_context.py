"""What an inference is given of a task that has more objects than fit."""

import json
from functools import partial
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from execution import tasks
from execution.approvals import Decision
from execution.transactions import work
from infra.ids import TaskId
from memory import layers
from tests.harness import calls
from tests.integration.graphs.stage import Stage, concept, fill, plan
from workspace import objects
from workspace.objects import NewObject

RESULTS = 12
OTHERS = 300


async def add_objects(stage: Stage, task_id: TaskId, count: int, *, kind: str = "image") -> None:
    """Make objects that no plan asked for."""
    machine = stage.machine
    blob = await machine.deps.blobs.put_bytes(b"any")
    async with work(machine.deps, machine.workspace_id) as tx:
        for number in range(count):
            new = NewObject(
                kind=kind,
                role=kind,
                name=f"{kind} {number}",
                blob=blob,
                media_type="text/plain",
                author="agent",
                cause=f"{kind} {number}",
                task_id=task_id,
            )
            await objects.create(tx, new)
    await machine.rows(
        """
        update objects
        set created_at = created_at + substring(name from '[0-9]+$')::int * interval '1 second'
        where task_id = %s
          and name like %s
        returning 1
        """,
        task_id,
        f"{kind} %",
    )


async def state_of(stage: Stage, task_id: TaskId) -> dict[str, Any]:
    machine = stage.machine
    async with machine.deps.pools.domain.connection() as conn:
        task = await tasks.get(conn, machine.workspace_id, task_id)
        context = await layers.assemble(conn, machine.deps, machine.workspace_id, task, rules="")
    text = str(context.messages[-1].content)
    return json.loads(text.removeprefix("<state>").removesuffix("</state>"))


async def with_results(stage: Stage) -> TaskId:
    stage.model.answers[:] = [plan(RESULTS), concept(), fill]
    task_id = await stage.begin("many posters about tea")
    (asked,) = await stage.machine.pending()
    await stage.machine.decide(asked, Decision.APPROVE)
    await stage.machine.drain()
    return task_id


async def test_of_more_objects_than_fit_the_plans_results_and_the_newest_are_listed(
    stage: Stage,
) -> None:
    task_id = await with_results(stage)
    before = await state_of(stage, task_id)
    results = {item["object_id"] for item in before["objects"] if item["step"] is not None}
    assert len(results) >= RESULTS
    assert "objects_left_out" not in before
    await add_objects(stage, task_id, OTHERS)
    after = await state_of(stage, task_id)
    listed = {item["object_id"] for item in after["objects"]}
    assert results <= listed
    assert len(after["objects"]) == layers.MAX_OBJECTS
    names = [item["name"] for item in after["objects"] if item["name"].startswith("image ")]
    assert names == [f"image {number}" for number in range(OTHERS - len(names), OTHERS)]
    left_out = len(before["objects"]) + OTHERS - len(after["objects"])
    assert after["objects_left_out"].startswith(f"{left_out} older objects")


async def test_documents_stay_readable_however_many_pictures_came_after_them(stage: Stage) -> None:
    task_id = await with_results(stage)
    await add_objects(stage, task_id, 3, kind="document")
    await add_objects(stage, task_id, OTHERS)
    await add_objects(stage, task_id, OTHERS, kind="timings")
    state = await state_of(stage, task_id)
    names = {document["name"] for document in state["documents"]}
    assert {"document 0", "document 1", "document 2"} <= names
    assert "timings" not in {item["kind"] for item in state["objects"]}
    assert len(state["objects"]) == layers.MAX_OBJECTS


CHAPTERS = ("north", "east", "south", "west")
WISHES = {4: "No brand names, please.", 30: "And each with the hours of its tide."}


def four_chapters(texts: int) -> AIMessage:
    """A plan of four times so many texts."""
    step = {"kind": "document", "count": texts}
    steps = [{"key": key, "title": key.title(), **step} for key in CHAPTERS]
    return calls(
        ("propose_plan", {"title": "Guide", "summary": "", "language": "en", "steps": steps})
    )


def one_more(state: dict[str, Any]) -> AIMessage:
    """Write the one text that is missing first: a step for each."""
    step = next(each for each in state["plan"]["steps"] if each["missing_slots"])
    place = {"step": step["key"], "slot": step["missing_slots"][0]}
    name = f"{step['title']} {place['slot']}"
    return calls(("write_document", place | {"name": name, "text": name}))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("texts", [12, pytest.param(52, marks=pytest.mark.long)])
async def test_after_many_steps_the_goal_the_words_and_the_plan_are_those_of_the_tables(
    stage: Stage, texts: int
) -> None:
    total = texts * len(CHAPTERS)
    stage.model.answers[:] = [four_chapters(texts)] + [one_more] * (2 * total)
    task_id = await stage.begin("a guide to the harbour in four chapters, calm and short")
    for number, words in WISHES.items():
        stage.model.during[number] = partial(stage.say, words, task_id)
    (asked,) = await stage.machine.pending()
    await stage.machine.decide(asked, Decision.APPROVE)
    await stage.machine.drain()
    assert len(stage.model.prompts) > total > layers.MAX_STEPS
    prompt, state = stage.model.prompts[-1], stage.model.states[-1]
    assert sum(isinstance(each, AIMessage) for each in prompt) == layers.MAX_STEPS
    told = await stage.machine.rows(
        "select text from messages where role = 'user' order by created_at"
    )
    assert [text for (text,) in told][1:] == list(WISHES.values())
    assert state["person_said"] == [text for (text,) in told]
    tables = await stage.machine.rows("select title, goal, language from tasks")
    assert [tuple(state["task"][key] for key in ("title", "goal", "language"))] == tables
    ((done,),) = await stage.machine.rows(
        "select count(*)::int from ledger where outcome = 'succeeded' and slot is not null"
    )
    planned = await stage.machine.rows(
        "select key, expected_count from checklist_items order by position"
    )
    assert [(step["key"], step["count"]) for step in state["plan"]["steps"]] == planned
    assert sum(step["done"] for step in state["plan"]["steps"]) == done - 1, "but for its own"
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()
