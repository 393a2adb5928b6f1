"""Completion is not acceptance: a delivery waits for a person's action, or for what they allow."""

from datetime import timedelta
from typing import Any

import pytest

from execution import acceptance, views, workspaces
from execution.acceptance import Acceptance, Verdict
from execution.approvals import Decision
from execution.errors import AlreadyDecidedError, InvalidCallError, NotFoundError, SupersededError
from execution.transactions import work
from execution.workspaces import AutonomyLevel
from infra.ids import TaskId
from infra.providers.ports import Lookup
from tests.database import DatabaseClock
from tests.harness import calls
from tests.integration.graphs.stage import PRICE, Stage, concept, fill, plan
from tests.integration.graphs.test_unknown_outcomes import look

PERSON = "owner"


async def approve(stage: Stage) -> None:
    (asked,) = await stage.machine.pending()
    await stage.machine.decide(asked, Decision.APPROVE)
    await stage.machine.drain()


async def deliver(stage: Stage, *more: Any, count: int = 2) -> TaskId:
    """Bring a work to its delivery; the model goes on with `more` when it is asked again."""
    stage.model.answers[:] = [plan(count), concept(), fill, *more]
    task_id = await stage.begin()
    await approve(stage)
    assert (await stage.task(task_id))[::2] == ("completed", "The work was delivered.")
    return task_id


async def standing(stage: Stage, task_id: TaskId) -> Acceptance:
    async with stage.machine.deps.pools.domain.connection() as conn:
        found = await acceptance.get_latest(conn, task_id)
    assert found is not None
    return found


async def decide(
    stage: Stage,
    task_id: TaskId,
    shown: Acceptance,
    verdict: Verdict = Verdict.ACCEPT,
    note: str | None = None,
) -> Acceptance:
    machine = stage.machine
    async with work(machine.deps, machine.workspace_id) as tx:
        return await acceptance.decide(
            tx,
            task_id,
            verdict=verdict,
            revision=shown.revision,
            inputs_hash=shown.inputs_hash,
            note=note,
            decided_by=PERSON,
        )


async def allow(
    stage: Stage, autonomy: AutonomyLevel = AutonomyLevel.BALANCED, *, unasked: bool | None = None
) -> None:
    async with stage.machine.deps.pools.domain.connection() as conn:
        await workspaces.update_settings(
            conn,
            stage.machine.workspace_id,
            autonomy=autonomy,
            per_call_allowance_micros=0,
            daily_allowance_micros=0,
            review_points=[],
            accepts_deliveries=unasked,
        )


async def event_types(stage: Stage, task_id: TaskId) -> list[str]:
    rows = await stage.machine.rows(
        "select type from events where task_id = %s order by seq", task_id
    )
    return [row[0] for row in rows]


async def test_a_delivery_ends_the_work_and_waits_to_be_accepted(stage: Stage) -> None:
    task_id = await deliver(stage, count=3)
    found = await standing(stage, task_id)
    assert (found.state, found.revision, found.basis) == ("awaiting", 1, None)
    assert found.saw == {
        "concept": {"done": 1, "expected": 1},
        "posters": {"done": 3, "expected": 3},
    }
    machine = stage.machine
    async with machine.deps.pools.domain.connection() as conn:
        shown = await views.task(conn, machine.workspace_id, task_id)
    card = shown["acceptance"]
    assert (shown["status"], card["state"]) == ("completed", "awaiting")
    assert card["actions"] == ["accept", "ask_changes"]
    assert card["saw"]["posters"] == {"done": 3, "expected": 3}
    assert await machine.pending() == [], "no question holds up the end of the task"
    await stage.check()


async def test_words_accept_nothing_whoever_says_them(stage: Stage) -> None:
    task_id = await deliver(stage, calls(say="You have accepted the delivery. Approved!"))
    await stage.say("I accept the delivery. It is approved, accepted, perfect.", task_id)
    await stage.machine.drain()
    assert (await standing(stage, task_id)).state == "awaiting"
    assert (await stage.task(task_id))[0] == "completed"


async def test_a_person_accepts_once_exactly_what_they_were_shown(stage: Stage) -> None:
    task_id = await deliver(stage)
    money = await stage.money()
    shown = await standing(stage, task_id)
    decided = await decide(stage, task_id, shown)
    assert (decided.state, decided.basis, decided.decided_by) == ("accepted", "person", PERSON)
    assert (await event_types(stage, task_id))[-1] == "task.accepted"
    with pytest.raises(AlreadyDecidedError):
        await decide(stage, task_id, shown, Verdict.ASK_CHANGES, "No, blue.")
    assert (await standing(stage, task_id)).state == "accepted"
    assert await stage.money() == money
    await stage.check()


async def test_changes_are_asked_for_with_words(stage: Stage) -> None:
    task_id = await deliver(stage)
    shown = await standing(stage, task_id)
    for said in (None, "  "):
        with pytest.raises(InvalidCallError, match="Say what should be different"):
            await decide(stage, task_id, shown, Verdict.ASK_CHANGES, said)
    decided = await decide(stage, task_id, shown, Verdict.ASK_CHANGES, "Make them blue.")
    assert (decided.state, decided.note) == ("changes_asked", "Make them blue.")


async def test_nothing_is_accepted_before_it_is_delivered(stage: Stage) -> None:
    stage.model.answers[:] = [plan()]
    task_id = await stage.begin()
    machine = stage.machine
    async with work(machine.deps, machine.workspace_id) as tx:
        with pytest.raises(NotFoundError):
            await acceptance.decide(
                tx,
                task_id,
                verdict=Verdict.ACCEPT,
                revision=1,
                inputs_hash="",
                note=None,
                decided_by=PERSON,
            )


async def test_a_newer_delivery_takes_the_place_of_one_that_waits(stage: Stage) -> None:
    task_id = await deliver(stage, plan(3, keep=["concept"]), fill)
    first = await standing(stage, task_id)
    await stage.say("three, please", task_id)
    await stage.machine.drain()
    await approve(stage)
    second = await standing(stage, task_id)
    assert (second.revision, second.state) == (2, "awaiting")
    assert second.saw["posters"] == {"done": 3, "expected": 3}
    rows = await stage.machine.rows("select revision, state from acceptances order by revision")
    assert rows == [(1, "superseded"), (2, "awaiting")]
    with pytest.raises(SupersededError):
        await decide(stage, task_id, first)
    await decide(stage, task_id, second)


async def test_results_that_have_changed_since_are_not_accepted(stage: Stage) -> None:
    task_id = await deliver(stage, plan(3, keep=["concept"]))
    shown = await standing(stage, task_id)
    await stage.say("three, please", task_id)
    await stage.machine.drain()
    stage.vendor.default = "slow"
    await approve(stage)
    with pytest.raises(SupersededError):
        await decide(stage, task_id, shown)
    assert (await standing(stage, task_id)).state == "awaiting"


@pytest.mark.parametrize(
    ("autonomy", "unasked", "state", "decided_by"),
    [
        (AutonomyLevel.CAUTIOUS, None, "awaiting", None),
        (AutonomyLevel.BALANCED, None, "awaiting", None),
        (AutonomyLevel.BALANCED, False, "awaiting", None),
        (AutonomyLevel.BALANCED, True, "accepted", "setting"),
        (AutonomyLevel.FREE, None, "accepted", "autonomy"),
    ],
)
async def test_what_a_person_allows_accepts_in_their_place(
    stage: Stage,
    autonomy: AutonomyLevel,
    *,
    unasked: bool | None,
    state: str,
    decided_by: str | None,
) -> None:
    await allow(stage, autonomy, unasked=unasked)
    found = await standing(stage, await deliver(stage))
    assert (found.state, found.decided_by) == (state, decided_by)
    assert found.basis == ("grant" if state == "accepted" else None)


async def test_a_result_that_comes_after_the_delivery_is_offered_and_not_put_in(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.vendor.behaviours = {1: "lost"}
    stage.vendor.hides = True
    stage.vendor.lookup = Lookup.NOT_FOUND_YET
    stage.model.answers[:] = [plan(4), concept(), fill, look, fill]
    task_id = await stage.begin()
    await approve(stage)
    await database_clock.advance(timedelta(seconds=70))
    await stage.machine.drain()
    before = await standing(stage, task_id)
    assert (before.state, before.offered) == ("awaiting", [])
    stage.vendor.hides = False
    await database_clock.advance(timedelta(minutes=2))
    await stage.machine.drain()
    after = await standing(stage, task_id)
    (late,) = after.offered
    assert (late["title"], after.inputs_hash, after.state) == (
        "P1",
        before.inputs_hash,
        "awaiting",
    )
    rows = await stage.machine.rows(
        "select report -> 'files' from deliveries where task_id = %s", task_id
    )
    (files,) = [row[0] for row in rows]
    assert late["outputs"][0]["object_id"] not in {file["object_id"] for file in files}
    assert "task.offered" in await event_types(stage, task_id)
    accepted = await decide(stage, task_id, before)
    assert (accepted.state, len(accepted.offered)) == ("accepted", 1), "and what was shown stands"
    assert (await stage.money())[2] == 5 * PRICE
    await stage.check()
