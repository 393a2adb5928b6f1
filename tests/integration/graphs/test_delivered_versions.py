"""What is shown, checked and delivered is what people have left, where they wrote over a result."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from evals.chat_server.filmmaker import FRAMES, SCRIPT, SHOTS, film, revise
from execution import graph, views
from execution.transactions import work
from infra.ids import ObjectId, TaskId
from tests.database import DatabaseClock
from tests.harness import calls
from tests.integration.graphs.crew import Film, OpenStage, crew, tell
from tests.integration.graphs.stage import Stage, concept, picture
from tests.integration.graphs.test_acceptance import decide, standing
from tests.integration.graphs.test_plan import answer
from tests.integration.graphs.test_rework import rained_on
from workspace import documents, objects
from workspace.delivery import inspection
from workspace.objects import ObjectVersion

type Json = dict[str, Any]

NOTES = {
    "title": "Posters",
    "summary": "A poster, and notes that nothing rests on.",
    "language": "en",
    "steps": [
        {"key": "concept", "title": "Concept", "kind": "document"},
        {"key": "posters", "title": "Posters", "kind": "image", "count": 1},
    ],
}


async def reports(stage: Stage) -> list[Json]:
    rows = await stage.machine.rows("select report from deliveries order by revision")
    return [row[0] for row in rows]


async def names(stage: Stage, report: Json, stored: ObjectVersion) -> None:
    """The report names exactly this version, with its bytes."""
    (named,) = [each for each in report["files"] if each["object_id"] == str(stored.object_id)]
    assert named == objects.reference(stored)
    assert await stage.machine.deps.blobs.read(named["sha256"])


async def shown(stage: Stage, task_id: TaskId) -> Json:
    machine = stage.machine
    async with machine.deps.pools.domain.connection() as conn:
        return await views.task(conn, machine.workspace_id, task_id)


async def versions_shown(stage: Stage, task_id: TaskId, stored: ObjectVersion) -> set[int]:
    """The versions of an object that the plan and its graph name."""
    machine = stage.machine
    plan = (await shown(stage, task_id))["checklist"]
    async with machine.deps.pools.domain.connection() as conn:
        drawn = await graph.view(conn, machine.workspace_id, task_id)
    named = [output for item in plan["items"] for output in item["outputs"]]
    named += [
        output for node in drawn["nodes"] for slot in node["slots"] for output in slot["evidence"]
    ]
    return {each["version"] for each in named if each["object_id"] == str(stored.object_id)}


async def newest(stage: Stage, object_id: UUID) -> ObjectVersion:
    machine = stage.machine
    async with machine.deps.pools.domain.connection() as conn:
        return await objects.get(conn, machine.workspace_id, ObjectId(object_id))


async def write_over(stage: Stage, object_id: UUID, text: str) -> ObjectVersion:
    """A person writes a text anew."""
    machine, before = stage.machine, await newest(stage, object_id)
    async with work(machine.deps, machine.workspace_id) as tx:
        return await documents.rewrite(
            tx,
            machine.deps.blobs,
            ObjectId(object_id),
            text,
            base_version=before.version,
            author="user",
            cause=f"edit {object_id} {before.version}",
        )


async def the_document(stage: Stage) -> UUID:
    (row,) = await stage.machine.rows(
        "select object_id from objects where kind = 'document' and role <> 'delivery_report'"
    )
    return row[0]


async def test_a_film_made_from_a_changed_script_is_delivered_with_that_script(
    open_stage: OpenStage,
) -> None:
    async with open_stage(crew()) as stage:
        made = await rained_on(stage, revise(film(3), frames=[2], shots=[2]))
        await answer(stage)
        script = await made.object_of(SCRIPT)
        before, after = await reports(stage)
        assert (script.version, script.author) == (2, "user")
        await names(stage, after, script)
        (old,) = [each for each in before["files"] if each["object_id"] == str(script.object_id)]
        assert old["version"] == 1, "what was delivered before stays as it was told"
        assert await versions_shown(stage, made.task_id, script) == {2}
        await stage.check()


async def test_a_text_that_nothing_rests_on_is_delivered_as_its_person_has_left_it(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.vendor.default = "slow"
    stage.model.answers[:] = [calls(("propose_plan", NOTES)), both]
    task_id = await stage.begin()
    await answer(stage)
    notes = await write_over(stage, await the_document(stage), "Green tea.")
    assert await versions_shown(stage, task_id, notes) == {2}
    (told,) = await stage.machine.rows(
        "select data from events where type = 'task.updated' order by seq desc limit 1"
    )
    assert told[0]["checklist"] == (await shown(stage, task_id))["checklist"]
    stage.vendor.ready = True
    await database_clock.advance(timedelta(minutes=1))
    await stage.machine.drain()
    assert (await stage.task(task_id))[0] == "completed"
    (report,) = await reports(stage)
    await names(stage, report, notes)
    await stage.check()


def both(state: Json) -> Any:
    """The notes and the poster at once."""
    poster = ("generate_image", {"step": "posters", "slot": 1, "prompt": "Tea.", "name": "P1"})
    return concept().model_copy(
        update={"tool_calls": [*concept().tool_calls, *calls(poster).tool_calls]}
    )


async def test_what_was_kept_is_delivered_anew_with_what_it_was_kept_with(
    open_stage: OpenStage,
) -> None:
    keep = ("keep_results", {"step": FRAMES, "slots": [2], "reason": "Rain is not seen."})
    async with open_stage(crew()) as stage:
        made = await rained_on(stage, calls(keep))
        assert (await stage.task(made.task_id))[0] == "completed"
        assert len(stage.vendor.orders) == 6
        _, after = await reports(stage)
        await names(stage, after, await made.object_of(SCRIPT))
        rows = await stage.machine.rows("select state from acceptances order by revision")
        assert rows == [("superseded",), ("awaiting",)]
        await stage.check()


async def test_a_picture_that_a_person_has_put_in_is_the_one_that_is_checked(
    open_stage: OpenStage,
) -> None:
    keep = ("keep_results", {"step": SHOTS, "slots": [3], "reason": "It is as good."})
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        await made.edit(await made.object_of(FRAMES, 3), b"no picture at all")
        tell(stage, calls(keep), calls(say="It did not pass."))
        await stage.say("I have drawn the third keyframe myself", made.task_id)
        await stage.machine.drain()
        assert (await stage.task(made.task_id))[1] == "blocked"
        _, after = await reports(stage)
        await names(stage, after, await made.object_of(FRAMES, 3))
        assert [(each["id"], each["severity"]) for each in after["findings"]] == [
            ("unreadable_picture", "error")
        ]
        await stage.check()


async def test_a_text_that_is_written_over_during_the_checks_is_delivered_as_it_is_then(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.model.answers[:] = [calls(("propose_plan", NOTES)), both]
    task_id = await stage.begin()
    inspect, looks = inspection.inspect, 0

    async def written_meanwhile(*given: Any) -> Any:
        nonlocal looks
        looks += 1
        if looks == 1:
            await write_over(stage, await the_document(stage), "Green tea.")
        return await inspect(*given)

    monkeypatch.setattr(inspection, "inspect", written_meanwhile)
    await answer(stage)
    assert (await stage.task(task_id))[0] == "completed"
    (report,) = await reports(stage)
    assert looks == 2
    await names(stage, report, await newest(stage, await the_document(stage)))


async def test_an_edit_after_the_delivery_leaves_it_to_be_accepted_and_is_in_the_next(
    stage: Stage,
) -> None:
    stage.model.answers[:] = [calls(("propose_plan", NOTES)), both, calls(say="As you wish.")]
    task_id = await stage.begin()
    await answer(stage)
    document = await the_document(stage)
    first = await standing(stage, task_id)
    assert (await decide_after(stage, task_id, document, "Green tea.")) == "accepted"
    await stage.say("deliver it with my words", task_id)
    await stage.machine.drain()
    second = await standing(stage, task_id)
    assert (second.revision, second.state) == (2, "awaiting")
    assert second.inputs_hash != first.inputs_hash
    assert await decide_after(stage, task_id, document, "White tea.") == "accepted"
    before, after = await reports(stage)
    described = [each["object_id"] for each in (before["files"][-1], after["files"][-1])]
    assert len(set(described)) == 2, "each delivery has a report of its own"
    named = [each["version"] for each in after["files"] if each["object_id"] == str(document)]
    assert named == [2]
    await stage.check()


async def decide_after(stage: Stage, task_id: TaskId, document: UUID, text: str) -> str:
    """Accept the newest delivery after a text of it was written over."""
    found = await standing(stage, task_id)
    await write_over(stage, document, text)
    return (await decide(stage, task_id, found)).state


async def test_a_picture_outside_a_plan_is_shown_as_its_person_has_left_it(stage: Stage) -> None:
    stage.model.answers[:] = [picture(), calls(say="Here it is.")]
    task_id = await stage.begin("a picture")
    for question in await stage.machine.pending():
        assert question.kind == "call"
        await answer(stage)
    (made,) = (await shown(stage, task_id))["results"]
    stored = await newest(stage, UUID(made["object_id"]))
    film_of = Film(stage)
    film_of.task_id = task_id
    await film_of.edit(stored)
    assert (await shown(stage, task_id))["results"] == [
        objects.reference(await newest(stage, stored.object_id))
    ]


async def test_what_an_agent_has_written_over_stands_in_no_place_of_the_plan(
    open_stage: OpenStage,
) -> None:
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        await made.edit_script(scene_2="Rain.")
        script, machine = await made.object_of(SCRIPT), stage.machine
        async with work(machine.deps, machine.workspace_id) as tx:
            await objects.put_version(
                tx,
                ObjectId(script.object_id),
                base_version=2,
                blob=await machine.deps.blobs.put_bytes(b"Mine."),
                media_type=script.media_type,
                author="agent",
                cause="a model's own",
            )
        await write_over(stage, script.object_id, "A person's, but of the agent's words.")
        assert await versions_shown(stage, made.task_id, script) == {2}
