"""What may no longer fit is found when something changes, and nothing else is."""

import contextlib
from datetime import timedelta

from evals.chat_server.filmmaker import FRAMES, SHOTS
from tests.database import DatabaseClock
from tests.integration.graphs.crew import Film, OpenStage, crew
from tests.integration.graphs.stage import Vendor
from workspace.errors import VersionConflictError


async def test_a_changed_scene_marks_its_keyframe_and_shot_and_no_other(
    open_stage: OpenStage,
) -> None:
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        await made.edit_script(scene_2="Rain.")
        assert await made.marked() == [(FRAMES, 2), (SHOTS, 2)]
        kept = [each for each in await made.changes() if each.status == "kept"]
        assert sorted((each.step_key, each.slot) for each in kept) == [(FRAMES, 1), (FRAMES, 3)]
        assert {each.reason for each in kept} == {
            "It used scene 1 only, and that is as it was.",
            "It used scene 3 only, and that is as it was.",
        }
        assert {each.decided_by for each in kept} == {"code"}
        (notice,) = await made.notices()
        assert "'Script 1'" in notice
        assert notice.endswith("frames 2; shots 2.")
        (status,) = await stage.machine.rows("select status from tasks")
        assert status == ("completed",), "a notice wakes nobody"
        await stage.check()


async def test_a_picture_that_was_edited_marks_what_was_made_from_it(open_stage: OpenStage) -> None:
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        await made.edit(await made.object_of(FRAMES, 3))
        (row,) = await made.changes()
        assert (row.step_key, row.slot, row.cause_from, row.cause_to, row.via) == (
            SHOTS, 3, 1, 2, []
        )  # fmt: skip
        assert row.object_id == (await made.object_of(SHOTS, 3)).object_id


async def test_what_was_changed_back_marks_nothing(open_stage: OpenStage) -> None:
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        await made.edit_script(scene_2="Rain.")
        await made.edit_script()
        assert await made.marked() == []
        assert await made.marked("obsolete") == [(FRAMES, 2), (SHOTS, 2)]
        assert {each.reason for each in await made.changes() if each.status == "obsolete"} == {
            "What it rests on is again as it was when it was made."
        }


async def test_what_was_changed_twice_is_pending_once_from_what_was_used(
    open_stage: OpenStage,
) -> None:
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        await made.edit_script(scene_2="Rain.")
        await made.edit_script(scene_2="Snow.")
        assert await made.marked() == [(FRAMES, 2), (SHOTS, 2)]
        pending = [each for each in await made.changes() if each.status == "pending"]
        assert {(each.cause_from, each.cause_to) for each in pending} == {(1, 3)}
        await made.edit_script(scene_2="Snow.", scene_3="Wind.")
        assert await made.marked() == [(FRAMES, 2), (FRAMES, 3), (SHOTS, 2), (SHOTS, 3)]


async def test_a_script_without_its_scenes_marks_everything(open_stage: OpenStage) -> None:
    async with open_stage(crew(2)) as stage:
        made = await Film(stage).made()
        await made.edit(await made.object_of("script"), b"Rain everywhere.")
        assert await made.marked() == [(FRAMES, 1), (FRAMES, 2), (SHOTS, 1), (SHOTS, 2)]


async def test_a_result_that_was_being_made_meanwhile_is_marked_when_it_is_there(
    open_stage: OpenStage, database_clock: DatabaseClock
) -> None:
    async with open_stage(crew(), Vendor(default="slow")) as stage:
        made = await Film(stage).made()
        assert len(stage.vendor.requests) == 3
        await made.edit_script(scene_2="Rain.")
        assert await made.changes() == [], "nothing is there yet that it could be about"
        stage.vendor.ready = True
        for _ in range(3):
            await database_clock.advance(timedelta(minutes=1))
            await stage.machine.drain()
        assert await made.marked() == [(FRAMES, 2)]
        shots = (await made.plan()).find(SHOTS)
        assert shots is not None
        assert [slot.state for slot in shots.slots] == ["done", "missing", "done"]
        assert shots.slots[1].needs == (FRAMES,)
        await stage.check()


async def test_a_refused_version_marks_nothing(open_stage: OpenStage) -> None:
    async with open_stage(crew(2)) as stage:
        made = await Film(stage).made()
        frame = await made.object_of(FRAMES, 1)
        await made.edit(frame)
        with contextlib.suppress(VersionConflictError):
            await made.edit(frame, b"of an old base")
        assert [each.cause_to for each in await made.changes()] == [2]
