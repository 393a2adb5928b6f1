"""What changed under a result is decided: made again by a revised plan, or kept with a reason."""

from typing import Any

import pytest

from evals.chat_server.filmmaker import FRAMES, SCRIPT, SHOTS, ByState, film, propose, revise
from execution.approvals import Decision
from execution.transactions import work
from infra.ids import ObjectId
from server.workers.watchdog import sweep
from tests.harness import calls
from tests.integration.graphs.crew import Crew, Film, OpenStage, crew, tell
from tests.integration.graphs.stage import (
    PRICE,
    Stage,
    Vendor,
    concept,
    fill,
    picture,
    plan,
    plan_arguments,
    routed,
)
from tests.integration.graphs.test_limits import allowances, more
from tests.integration.graphs.test_plan import answer
from workspace import objects

KEEP = ("keep_results", {"step": SHOTS, "slots": [2], "reason": "It shows no rain."})


async def refusals(stage: Stage) -> list[str]:
    rows = await stage.machine.rows(
        "select tool_message from ledger where verdict = 'refuse' order by created_at, seq"
    )
    return [row[0] for row in rows]


async def rained_on(stage: Stage, *said: Any, words: str = "it rains in scene 2 now") -> Film:
    """A finished film whose second scene has changed, and whose model says this to it."""
    made = await Film(stage).made()
    await made.edit_script(scene_2="Rain.")
    tell(stage, *said)
    await stage.say(words, made.task_id)
    await stage.machine.drain()
    return made


async def test_only_what_is_affected_is_made_again_and_paid(open_stage: OpenStage) -> None:
    async with open_stage(crew()) as stage:
        made = await rained_on(stage, revise(film(3), frames=[2], shots=[2]))
        before = [await made.object_of(SHOTS, slot) for slot in (1, 2, 3)]
        (asked,) = await stage.machine.pending()
        assert asked.price_micros == 2 * PRICE
        assert [(line["label"], line["detail"]) for line in asked.card["lines"]] == [
            ("Script", ""),
            ("Keyframes", "1 × (2)"),
            ("Shots", "1 × 2 s (2)"),
        ]
        await answer(stage)
        assert (await stage.task(made.task_id))[0] == "completed"
        assert len(stage.vendor.orders) == 6 + 2
        after = [await made.object_of(SHOTS, slot) for slot in (1, 2, 3)]
        assert [old.object_id == new.object_id for old, new in zip(before, after, strict=True)] == [
            True, False, True
        ]  # fmt: skip
        frame = await made.object_of(FRAMES, 2)
        used = {(each["object_id"], each["version"]) for each in after[1].inputs}
        assert used == {(str(frame.object_id), 1)}
        assert await made.marked() == []
        assert await made.marked("remade") == [(FRAMES, 2), (SHOTS, 2)]
        assert await stage.machine.rows("select revision from deliveries order by 1") == [
            (1,),
            (2,),
        ]
        await stage.check()


async def test_a_plan_that_leaves_something_undecided_is_refused_with_the_list(
    open_stage: OpenStage,
) -> None:
    async with open_stage(crew()) as stage:
        made = await rained_on(stage, revise(film(3), frames=[2]), calls(say="Hm."))
        (refused,) = await refusals(stage)
        assert refused.startswith("refused (invalid): Undecided: shots 2. ")
        assert await stage.machine.pending() == []
        assert await made.marked() == [(FRAMES, 2), (SHOTS, 2)]
        await stage.check()


async def test_a_result_that_rests_on_one_that_is_made_again_is_decided_with_it(
    open_stage: OpenStage,
) -> None:
    """Words ask for a keyframe to be made again: nothing has changed yet, but its shot will."""
    steps = [step | {"remake": [3] if step["key"] == FRAMES else []} for step in film(3)]
    kept = [{"step": SHOTS, "slots": [3], "reason": "It is only seen from behind."}]
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        tell(
            stage,
            propose(steps, keep=[SCRIPT, FRAMES, SHOTS]),
            propose(steps, keep=[SCRIPT, FRAMES, SHOTS], kept_results=kept),
        )
        await stage.say("the third keyframe again, darker", made.task_id)
        await stage.machine.drain()
        (refused,) = await refusals(stage)
        assert "Undecided: shots 3." in refused
        (asked,) = await stage.machine.pending()
        assert asked.price_micros == PRICE
        assert asked.card["lines"][-1]["label"] == "Kept as it is: Shots 3"
        await answer(stage)
        assert len(stage.vendor.orders) == 7
        (row,) = await made.changes()
        assert (row.step_key, row.slot, row.status) == (SHOTS, 3, "kept")
        assert row.reason == "It is only seen from behind."
        assert (await stage.task(made.task_id))[0] == "completed"
        await stage.check()


async def test_a_reason_counts_for_what_its_plan_made_and_not_for_what_becomes_of_that(
    open_stage: OpenStage,
) -> None:
    steps = [step | {"remake": [3] if step["key"] == FRAMES else []} for step in film(3)]
    kept = [{"step": SHOTS, "slots": [3], "reason": "It is only seen from behind."}]
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        tell(stage, propose(steps, keep=[SCRIPT, FRAMES, SHOTS], kept_results=kept))
        await stage.say("the third keyframe again, darker", made.task_id)
        await stage.machine.drain()
        await answer(stage)
        assert await made.marked("kept") == [(SHOTS, 3)]
        await made.edit(await made.object_of(FRAMES, 3))
        assert await made.marked() == [(SHOTS, 3)]


async def test_a_reason_counts_for_nothing_that_another_task_makes_again(
    open_stage: OpenStage,
) -> None:
    two, kept = plan_arguments(2), {"step": "posters", "slots": [1], "reason": "A colour only."}
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        frame = await made.object_of(FRAMES, 2)
        shown = picture(step="posters", slot=1, reference_object_ids=[str(frame.object_id)])
        tell(stage, plan(1), concept(), shown)
        posters = Film(stage)
        posters.task_id = await stage.begin("posters of the film")
        await answer(stage)
        await made.edit(frame)
        assert await posters.marked() == [("posters", 1)]
        revised = {**two, "keep": ["concept", "posters"], "kept_results": [kept]}
        tell(stage, calls(("propose_plan", revised)), fill)
        await stage.say("one more poster", posters.task_id)
        await stage.machine.drain()
        await answer(stage)
        assert await posters.marked("kept") == [("posters", 1)]
        tell(stage, revise(film(3), frames=[2], shots=[2]))
        await stage.say("a dragon in the second keyframe", made.task_id)
        await stage.machine.drain()
        await answer(stage)
        assert await posters.marked() == [("posters", 1)]
        await stage.check()


async def test_results_that_still_fit_are_kept_with_a_reason_and_nothing_is_made(
    open_stage: OpenStage,
) -> None:
    keep = ("keep_results", {"step": FRAMES, "slots": [2], "reason": "Rain is not seen."})
    async with open_stage(crew()) as stage:
        made = await rained_on(stage, calls(keep))
        assert (await stage.task(made.task_id))[0] == "completed"
        assert len(stage.vendor.orders) == 6
        kept = {
            (each.step_key, each.slot): each.reason
            for each in await made.changes()
            if each.slot == 2
        }
        assert kept == {
            (FRAMES, 2): "Rain is not seen.",
            (SHOTS, 2): "What it was made from is kept.",
        }
        await made.edit_script(scene_2="Snow.")
        assert await made.marked() == [(FRAMES, 2), (SHOTS, 2)], "another change is asked anew"
        await stage.check()


async def test_what_is_kept_where_nothing_is_undecided_is_refused(open_stage: OpenStage) -> None:
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        tell(stage, calls(KEEP), calls(say="Hm."))
        await stage.say("is it all right?", made.task_id)
        await stage.machine.drain()
        (refused,) = await refusals(stage)
        assert refused == "refused (invalid): Nothing is undecided about [2] of 'shots'."


async def test_a_step_with_results_is_left_out_only_by_name_and_shown(
    open_stage: OpenStage,
) -> None:
    fewer = film(3)[:2]
    gone = [{"step": SHOTS, "reason": "You want pictures only."}]
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        tell(
            stage,
            propose(fewer, keep=[SCRIPT, FRAMES]),
            propose(fewer, keep=[SCRIPT, FRAMES], left_out=gone),
        )
        await stage.say("only the keyframes, please", made.task_id)
        await stage.machine.drain()
        (refused,) = await refusals(stage)
        assert "'shots' has results that the plan would do without" in refused
        (asked,) = await stage.machine.pending()
        assert asked.card["lines"][-1] == {
            "label": "Left out: Shots",
            "detail": "You want pictures only.",
            "amount_micros": 0,
            "review": False,
        }
        await answer(stage)
        assert (await stage.task(made.task_id))[0] == "completed"
        await stage.check()


async def test_results_of_a_kept_step_are_not_cut_off_silently(open_stage: OpenStage) -> None:
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        said = propose(film(2), keep=[SCRIPT, FRAMES, SHOTS])
        tell(stage, said, calls(say="Hm."))
        await stage.say("two are enough", made.task_id)
        await stage.machine.drain()
        (refused,) = await refusals(stage)
        assert "'frames' 3 has results" in refused


async def test_a_refused_rework_leaves_everything_undecided(open_stage: OpenStage) -> None:
    async with open_stage(crew()) as stage:
        made = await rained_on(stage, revise(film(3), frames=[2], shots=[2]), calls(say="Well."))
        await answer(stage, Decision.REJECT, note="too dear")
        assert await made.marked() == [(FRAMES, 2), (SHOTS, 2)]
        assert len(stage.vendor.orders) == 6
        await stage.check()


async def test_a_change_while_the_rework_waits_for_its_yes_is_decided_anew(
    open_stage: OpenStage,
) -> None:
    async with open_stage(crew()) as stage:
        made = await rained_on(stage, revise(film(3), frames=[2], shots=[2]))
        await made.edit_script(scene_2="Rain.", scene_3="Wind.")
        tell(stage, *[revise(film(3), frames=[3], shots=[3])] * 2)
        await answer(stage)
        assert await made.marked("remade") == [(FRAMES, 2), (SHOTS, 2)]
        assert await made.marked() == [(FRAMES, 3), (SHOTS, 3)]


@pytest.mark.parametrize(("autonomy", "asks"), [("free", 0), ("balanced", 1)])
async def test_rework_proceeds_or_asks_by_the_grants(
    open_stage: OpenStage, autonomy: str, asks: int
) -> None:
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        await stage.machine.rows("update workspaces set autonomy = %s returning 1", autonomy)
        await made.edit_script(scene_2="Rain.")
        tell(stage, revise(film(3), frames=[2], shots=[2]))
        await stage.say("it rains in scene 2 now", made.task_id)
        await stage.machine.drain()
        assert len(await stage.machine.pending()) == asks
        assert len(stage.vendor.orders) == (6 if asks else 8)
        await stage.check()


async def test_a_work_that_waits_for_a_job_reworks_what_has_changed_at_once(
    open_stage: OpenStage,
) -> None:
    vendor = Vendor(behaviours={6: "quota"}, quota_for_s=300.0)
    model = Crew(route=routed(), by_state=ByState(steps=film(3), remakes=True))
    async with open_stage(model, vendor) as stage:
        made = await Film(stage).made()
        await stage.machine.rows("update workspaces set autonomy = 'free' returning 1")
        assert (await stage.task(made.task_id))[1] == "jobs"
        await made.edit(await made.object_of(FRAMES, 1))
        assert await made.marked() == [(SHOTS, 1)]
        asked = len(stage.model.prompts)
        for _ in range(3):  # once is enough: what has been looked at wakes nobody again
            await sweep(stage.machine.deps)
            await stage.machine.drain()
        assert await made.marked() == []
        assert await made.marked("remade") == [(SHOTS, 1)]
        assert len(stage.model.prompts) == asked + 2
        assert (await stage.task(made.task_id))[1] == "jobs"
        await stage.check()


async def test_a_change_that_no_look_could_see_yet_wakes_the_work_when_it_is_there(
    open_stage: OpenStage,
) -> None:
    """Its transaction ends after that of a look which began later."""
    vendor = Vendor(behaviours={6: "quota"}, quota_for_s=300.0)
    model = Crew(route=routed(), by_state=ByState(steps=film(3), remakes=True))
    async with open_stage(model, vendor) as stage:
        made = await Film(stage).made()
        machine = stage.machine
        await machine.rows("update workspaces set autonomy = 'free' returning 1")
        frame = await made.object_of(FRAMES, 1)
        async with work(machine.deps, machine.workspace_id) as tx:
            await objects.put_version(
                tx,
                ObjectId(frame.object_id),
                base_version=frame.version,
                blob=await machine.deps.blobs.put_bytes(b"other"),
                media_type=frame.media_type,
                author="user",
                cause="edit",
            )
            await more(stage, made.task_id)  # whatever wakes it, it looks and sees nothing new
        assert await made.marked() == [(SHOTS, 1)]
        await sweep(machine.deps)
        await machine.drain()
        assert await made.marked("remade") == [(SHOTS, 1)]
        await stage.check()


LOOKED_AT = [step | {"review": step["key"] == FRAMES} for step in film(3)]


@pytest.mark.parametrize("given", [{}, {"width": 640}], ids=["a look less", "another size"])
async def test_rework_that_changes_what_was_agreed_asks_whatever_the_grants(
    open_stage: OpenStage, given: dict[str, int]
) -> None:
    steps = film(3) if not given else LOOKED_AT
    async with open_stage(Crew(route=routed(), by_state=ByState(steps=LOOKED_AT))) as stage:
        made = await Film(stage).made()
        await answer(stage)
        assert (await stage.task(made.task_id))[0] == "completed"
        await stage.machine.rows("update workspaces set autonomy = 'free' returning 1")
        await made.edit_script(scene_2="Rain.")
        tell(stage, revise(steps, given, frames=[2], shots=[2]))
        await stage.say("it rains in scene 2 now", made.task_id)
        await stage.machine.drain()
        (asked,) = await stage.machine.pending()
        assert (asked.kind, asked.card["category"]) == ("plan", "permission")
        assert len(stage.vendor.orders) == 6


async def test_rework_that_waits_for_money_begins_only_while_something_has_changed(
    open_stage: OpenStage,
) -> None:
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        await allowances(stage, per_call=PRICE, daily=PRICE, autonomy="free")
        await made.edit_script(scene_2="Rain.")
        tell(stage, revise(film(3), frames=[2], shots=[2]))
        await stage.say("it rains in scene 2 now", made.task_id)
        await stage.machine.drain()
        assert (await stage.task(made.task_id))[1] == "budget"
        await made.edit_script()
        await allowances(stage, per_call=PRICE, daily=99 * PRICE, autonomy="free")
        assert (await stage.task(made.task_id))[1] == "budget"
        assert len(stage.vendor.orders) == 6, "all fits again"
        await made.edit_script(scene_2="Rain.")
        await more(stage, made.task_id)
        assert await made.marked("remade") == [(FRAMES, 2), (SHOTS, 2)]
        assert len(stage.vendor.orders) == 8
        await stage.check()
