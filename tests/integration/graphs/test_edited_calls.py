"""A person changes a paid call before they say yes: the result runs, at a price they saw."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from datetime import timedelta
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from execution import approvals, tasks, workspaces
from execution.approvals import Approval, Decision
from execution.errors import (
    AlreadyDecidedError,
    CapabilityError,
    ExpiredError,
    InvalidCallError,
    SupersededError,
)
from execution.transactions import work
from infra.ids import ApprovalId, TaskId, WorkspaceId, new_id
from server.workers.watchdog import sweep
from tests.database import DatabaseClock
from tests.harness import calls
from tests.integration.graphs.conftest import OpenStage
from tests.integration.graphs.stage import (
    PricedByWidth,
    Stage,
    concept,
    fill,
    picture,
    plan,
    routed,
)
from workspace import objects
from workspace.objects import NewObject

WIDTH = 1000
PRICE = WIDTH // 10


@pytest.fixture(name="stage")
async def _stage(open_stage: OpenStage) -> AsyncGenerator[Stage]:
    """A person who wants to be asked, and a vendor whose price follows from the arguments."""
    async with open_stage(vendor=PricedByWidth()) as opened:
        await opened.machine.rows("update workspaces set autonomy = 'cautious' returning 1")
        opened.model.route[:] = routed("lightweight")
        opened.model.answers[:] = [picture(width=WIDTH, style="ink")]
        yield opened


async def asked(stage: Stage) -> tuple[TaskId, Approval]:
    """A picture that waits for a yes."""
    task_id = await stage.begin()
    return task_id, await question(stage)


async def question(stage: Stage) -> Approval:
    """The one question that is open."""
    (found,) = await stage.machine.pending()
    return found


async def again(stage: Stage, shown: Approval) -> Approval:
    """A question as it stands now."""
    machine = stage.machine
    async with machine.deps.pools.domain.connection() as conn:
        return await approvals.get(conn, machine.workspace_id, ApprovalId(shown.approval_id))


async def events(stage: Stage) -> list[tuple[Any, ...]]:
    return await stage.machine.rows(
        """
        select type, data ->> 'id', data ->> 'replaces', data ->> 'replaced_by'
        from events where type like 'approval.%%' order by seq
        """
    )


async def payloads(stage: Stage) -> list[dict[str, Any]]:
    """What the jobs were given."""
    rows = await stage.machine.rows("select request -> 'payload' from jobs order by created_at")
    return [row[0] for row in rows]


async def test_a_card_shows_what_may_be_changed_and_nothing_else(stage: Stage) -> None:
    _, shown = await asked(stage)
    assert shown.actions == ["approve", "edit", "reject"]
    assert shown.card["arguments"] == {
        "prompt": "a harbour",
        "name": "Harbour",
        "title": "",
        "subtitle": "",
        "style": "ink",
        "mood": "",
        "palette": [],
        "width": WIDTH,
        "height": 720,
    }


async def test_what_was_changed_runs_instead_of_what_was_proposed(stage: Stage) -> None:
    task_id, shown = await asked(stage)
    before = await stage.machine.rows("select arguments, tool_message from ledger")
    answered = await stage.machine.edit(shown, {"prompt": "a harbour at dawn", "width": 600})
    assert (answered.status, answered.decided_by) == ("approved", "person")
    assert answered.approval_id == shown.approval_id
    assert answered.decision is not None
    assert answered.decision["decision"] == "edit"
    assert answered.decision["edited"] == {"prompt": "a harbour at dawn", "width": 600}
    assert answered.decision["price_micros"] == 60
    assert answered.args_hash == shown.args_hash
    assert stage.vendor.requests == []
    await stage.machine.drain()
    (payload,) = await payloads(stage)
    assert (payload["prompt"], payload["width"], payload["style"]) == (
        "a harbour at dawn",
        600,
        "ink",
    )
    assert await stage.money() == (60, 0, 60, 0)
    assert await stage.machine.rows("select arguments, tool_message from ledger") == before
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_the_model_is_told_what_was_changed(stage: Stage) -> None:
    _, shown = await asked(stage)
    await stage.machine.edit(shown, {"prompt": "a harbour at dawn", "height": 700})
    await stage.machine.drain()
    (key,) = (await stage.machine.rows("select call_key from ledger"))[0]
    assert stage.model.states[-1]["events"] == [
        {
            "call": key,
            "what_happened": "The person changed 'Harbour' and approved that: "
            'height is now 700; prompt is now "a harbour at dawn".',
        }
    ]
    assert len(stage.vendor.orders) == 1
    await stage.check()


async def test_a_yes_to_the_call_as_it_is_tells_of_no_change(stage: Stage) -> None:
    _, shown = await asked(stage)
    await stage.machine.decide(shown, Decision.APPROVE)
    await stage.machine.drain()
    assert await stage.machine.rows("select text from happenings") == []
    assert len(stage.model.prompts) == 1


async def test_what_costs_more_is_asked_about_and_not_approved(stage: Stage) -> None:
    task_id, shown = await asked(stage)
    dearer = await stage.machine.edit(shown, {"width": 2000, "name": "Wide harbour"})
    assert (dearer.status, dearer.title) == ("pending", "Wide harbour")
    assert (dearer.price_micros, dearer.maximum_micros) == (200, 200)
    assert dearer.card["arguments"]["width"] == 2000
    await stage.machine.drain()
    assert stage.vendor.requests == []
    assert await stage.money() == (0, 0, 0, 0)
    assert (await stage.task(task_id))[1] == "approval"
    old = await again(stage, shown)
    assert (old.status, old.decided_at, old.used_at) == ("superseded", None, None)
    new_id, old_id = str(dearer.approval_id), str(shown.approval_id)
    assert await events(stage) == [
        ("approval.requested", old_id, None, None),
        ("approval.superseded", old_id, None, new_id),
        ("approval.requested", new_id, old_id, None),
    ]
    await stage.check()


async def test_a_dearer_change_runs_after_a_yes_to_its_own_price(stage: Stage) -> None:
    task_id, shown = await asked(stage)
    dearer = await stage.machine.edit(shown, {"width": 2000})
    for decision in (Decision.APPROVE, Decision.REJECT):
        with pytest.raises(SupersededError):
            await stage.machine.decide(shown, decision)
    await stage.machine.decide(dearer, Decision.APPROVE)
    await stage.machine.drain()
    assert [payload["width"] for payload in await payloads(stage)] == [2000]
    assert await stage.money() == (200, 0, 200, 0)
    assert "width is now 2000" in stage.model.states[-1]["events"][0]["what_happened"]
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()


async def test_a_dearer_change_can_be_refused(stage: Stage) -> None:
    _, shown = await asked(stage)
    dearer = await stage.machine.edit(shown, {"width": 2000})
    await stage.machine.decide(dearer, Decision.REJECT)
    await stage.machine.drain()
    assert stage.vendor.requests == []
    assert await stage.ledger() == [("rejected", "refused")]
    await stage.check()


async def test_a_second_edit_builds_on_the_first(stage: Stage) -> None:
    _, shown = await asked(stage)
    dearer = await stage.machine.edit(shown, {"width": 2000, "mood": "calm"})
    wider = await stage.machine.edit(dearer, {"width": 3000})
    assert wider.card["replaces"] == str(dearer.approval_id)
    assert wider.card["arguments"]["mood"] == "calm"
    done = await stage.machine.edit(wider, {"width": 400, "style": ""})
    assert (done.approval_id, done.status) == (wider.approval_id, "approved")
    await stage.machine.drain()
    (payload,) = await payloads(stage)
    assert (payload["width"], payload["mood"], payload["style"]) == (400, "calm", "")
    told = stage.model.states[-1]["events"][0]["what_happened"]
    assert told.endswith(': mood is now "calm"; style is now ""; width is now 400.')
    assert await stage.money() == (40, 0, 40, 0)
    await stage.check()


async def test_an_edit_that_takes_all_changes_back_tells_of_none(stage: Stage) -> None:
    _, shown = await asked(stage)
    dearer = await stage.machine.edit(shown, {"width": 2000})
    await stage.machine.edit(dearer, {"width": WIDTH})
    await stage.machine.drain()
    assert [payload["width"] for payload in await payloads(stage)] == [WIDTH]
    assert await stage.machine.rows("select text from happenings") == []
    await stage.check()


@pytest.mark.parametrize(
    ("edited", "says"),
    [
        ({}, "Nothing would change"),
        ({"prompt": "a harbour"}, "Nothing would change"),
        ({"step": "posters"}, "place of the plan"),
        ({"slot": 2, "prompt": "x"}, "place of the plan"),
        ({"colour": "red", "prompt": "x"}, "nothing called colour"),
        ({"x" * 9999: 1}, "nothing called x{60} to"),
        ({"prompt": ""}, "^prompt must not be empty.$"),
        ({"prompt": "x" * 2001}, "^prompt has more than 2,000 characters.$"),
        ({"prompt": None}, "^prompt must be a text.$"),
        ({"prompt": {"text": "x"}}, "^prompt must be a text.$"),
        ({"width": 100}, "^width must be at least 256.$"),
        ({"width": 9000, "name": ""}, "^name must not be empty. width must be at most 3,840.$"),
        ({"width": 1001}, "^width must be a multiple of 2.$"),
        ({"width": 800.5}, "^width must be a whole number.$"),
        ({"width": float("nan")}, "^width must be a number.$"),
        ({"width": None}, "^width must be a number.$"),
        ({"width": 10**400}, "^width"),
        ({"width": "wide", "mood": "calm"}, "^width must be a number.$"),
        ({"palette": ["red"]}, "^palette: String should match"),
    ],
)
async def test_an_edit_that_is_not_valid_changes_nothing(
    stage: Stage, edited: dict[str, Any], says: str
) -> None:
    _, shown = await asked(stage)
    tables = "select a.*, l.* from approvals as a join ledger as l using (workspace_id, call_key)"
    before = await stage.machine.rows(tables), await events(stage)
    with pytest.raises(InvalidCallError, match=says):
        await stage.machine.edit(shown, edited)
    assert (await stage.machine.rows(tables), await events(stage)) == before


async def test_an_edit_of_something_else_than_was_shown_is_refused(stage: Stage) -> None:
    _, shown = await asked(stage)
    with pytest.raises(SupersededError):
        await stage.machine.edit(shown, {"width": 600}, args_hash="another")
    dearer = await stage.machine.edit(shown, {"width": 2000})
    with pytest.raises(SupersededError):
        await stage.machine.edit(dearer, {"width": 600}, args_hash=shown.args_hash)
    assert (await question(stage)).approval_id == dearer.approval_id


@pytest.mark.parametrize("width", [600, 2000])
async def test_a_redelivered_edit_is_refused_and_changes_nothing(stage: Stage, width: int) -> None:
    _, shown = await asked(stage)
    await stage.machine.edit(shown, {"width": width})
    before = await events(stage)
    refusal = AlreadyDecidedError if width < WIDTH else SupersededError
    for _ in range(2):
        with pytest.raises(refusal):
            await stage.machine.edit(shown, {"width": width})
    assert await events(stage) == before
    await stage.machine.drain()
    assert len(stage.vendor.orders) == (1 if width < WIDTH else 0)
    await stage.check()


@pytest.mark.parametrize(
    ("widths", "approves"),
    [((600, 800), False), ((600, 2000), True), ((2000, 3000), False), ((2000, 2000), True)],
)
async def test_of_several_answers_at_once_one_counts(
    stage: Stage, widths: tuple[int, int], *, approves: bool
) -> None:
    stage.model.answers[:] = [
        calls(*[("generate_image", _numbered(number)) for number in range(6)])
    ]
    await stage.begin()
    machine = stage.machine
    for shown in await machine.pending():
        clicks: list[Awaitable[Approval]] = [
            machine.edit(shown, {"width": width}) for width in widths
        ]
        if approves:
            clicks.append(machine.decide(shown, Decision.APPROVE))
        done = await asyncio.gather(*clicks, return_exceptions=True)
        assert sum(isinstance(each, Approval) for each in done) == 1, done
        refused = (AlreadyDecidedError, SupersededError)
        assert sum(isinstance(each, refused) for each in done) == len(clicks) - 1, done
    for left in await machine.pending():
        await machine.decide(left, Decision.APPROVE)
    await machine.drain()
    assert len(stage.vendor.orders) == 6
    await stage.check()


def _numbered(number: int) -> dict[str, Any]:
    return {"prompt": f"harbour {number}", "name": f"Harbour {number}", "width": WIDTH}


@pytest.mark.parametrize("width", [600, 2000])
async def test_an_edit_and_a_stop_at_once_run_nothing(stage: Stage, width: int) -> None:
    machine = stage.machine

    async def stop(task_id: TaskId) -> None:
        async with work(machine.deps, machine.workspace_id) as tx:
            await tasks.stop(tx, task_id)

    for _ in range(6):
        task_id, shown = await asked(stage)
        edited, stopped = await asyncio.gather(
            machine.edit(shown, {"width": width}), stop(task_id), return_exceptions=True
        )
        assert stopped is None
        assert isinstance(edited, (Approval, SupersededError)), edited
        await machine.drain()
        assert await machine.pending() == []
        with pytest.raises((AlreadyDecidedError, SupersededError)):
            await machine.edit(shown, {"width": width})
    assert stage.vendor.requests == []
    await stage.check()


async def test_an_edit_that_comes_too_late_is_refused(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    _, shown = await asked(stage)
    await database_clock.advance(timedelta(days=31))
    with pytest.raises(ExpiredError):
        await stage.machine.edit(shown, {"width": 600})
    await sweep(stage.machine.deps)
    with pytest.raises(ExpiredError):
        await stage.machine.edit(shown, {"width": 600})
    await stage.machine.drain()
    await stage.check()


@pytest.mark.parametrize("width", [600, 2000])
async def test_an_edit_and_the_clock_at_once_are_one_end(
    stage: Stage, database_clock: DatabaseClock, width: int
) -> None:
    for _ in range(4):
        _, shown = await asked(stage)
        await database_clock.advance(timedelta(days=31))
        edited, swept = await asyncio.gather(
            stage.machine.edit(shown, {"width": width}),
            sweep(stage.machine.deps),
            return_exceptions=True,
        )
        assert swept is None
        assert isinstance(edited, ExpiredError), edited
    await stage.machine.drain()
    assert stage.vendor.requests == []
    await stage.check()


async def test_an_edit_of_a_call_that_was_changed_behind_it_is_refused(stage: Stage) -> None:
    _, shown = await asked(stage)
    await stage.machine.rows("update ledger set quote_micros = 7 returning 1")
    with pytest.raises(SupersededError):
        await stage.machine.edit(shown, {"width": 600})


async def test_what_was_changed_behind_an_edit_does_not_run(stage: Stage) -> None:
    _, shown = await asked(stage)
    await stage.machine.edit(shown, {"width": 600})
    await stage.machine.rows("update ledger set quote_micros = 7 returning 1")
    await stage.machine.drain()
    assert stage.vendor.requests == []
    assert await stage.ledger() == [("rejected", "refused")]


async def test_an_edit_meets_what_has_become_impossible_meanwhile(stage: Stage) -> None:
    _, shown = await asked(stage)
    stage.vendor.operations = frozenset({"music"})
    with pytest.raises(CapabilityError):
        await stage.machine.edit(shown, {"width": 600})
    assert (await question(stage)).approval_id == shown.approval_id


# ---------------------------------------------------------------- within a plan


async def test_a_call_keeps_its_own_slot_while_it_is_changed(open_stage: OpenStage) -> None:
    async with open_stage() as stage:
        stage.model.answers[:] = [plan(1), concept(), fill]
        task_id = await stage.begin()
        await stage.machine.decide(await question(stage), Decision.APPROVE)
        stage.vendor.prices = {"image": 10_000}  # dearer than what the plan was approved for
        await stage.machine.drain()
        shown = await question(stage)
        assert shown.body == "The approved budget does not cover this."
        for place in ({"slot": 1}, {"step": "concept"}):
            with pytest.raises(InvalidCallError, match="place of the plan"):
                await stage.machine.edit(shown, place)
        await stage.machine.edit(shown, {"prompt": "a teapot"})
        await stage.machine.drain()
        rows = await stage.machine.rows("select step_key, slot from ledger where risk = 'paid'")
        assert rows == [("posters", 1)]
        assert [payload["prompt"] for payload in await payloads(stage)] == ["a teapot"]
        assert (await stage.task(task_id))[0] in ("completed", "waiting")
        await stage.check()


def _frames_and_a_shot() -> dict[str, Any]:
    frames = {"key": "frames", "title": "Frames", "kind": "keyframes", "count": 2}
    shots = {"key": "shots", "title": "Shots", "kind": "shots", "depends_on": ["frames"]}
    said = {"title": "Harbour", "summary": "A shot.", "language": "en"}
    return {**said, "steps": [frames, {**shots, "seconds": 4}]}


def _frame(slot: int) -> tuple[str, dict[str, Any]]:
    place = {"step": "frames", "slot": slot, "name": f"Frame {slot}"}
    return "generate_image", {**place, "prompt": f"frame {slot}"}


def _shot(state: dict[str, Any]) -> AIMessage:
    picture_id = next(item["object_id"] for item in state["objects"] if item["name"] == "Frame 1")
    arguments = {"step": "shots", "name": "Shot", "prompt": "a shot", "duration_s": 4}
    return calls(("generate_clip", {**arguments, "image_object_id": picture_id}))


async def test_an_object_that_an_edit_names_is_looked_up_with_its_version(
    open_stage: OpenStage,
) -> None:
    async with open_stage() as stage:
        stage.model.answers[:] = [
            calls(("propose_plan", _frames_and_a_shot())),
            calls(_frame(1), _frame(2)),
            _shot,
        ]
        await stage.begin()
        await stage.machine.decide(await question(stage), Decision.APPROVE)
        stage.vendor.prices = {"clip": 10_000}  # dearer than what the plan was approved for
        await stage.machine.drain()
        shown = await question(stage)
        made = await stage.machine.rows(
            "select name, object_id::text from objects where kind = 'image' order by name"
        )
        frames = dict(made)
        assert shown.card["arguments"]["image_object_id"] == frames["Frame 1"]
        elsewhere = await _picture_of_another_workspace(stage)
        for wrong in (str(new_id()), "nothing", elsewhere):
            with pytest.raises(InvalidCallError, match="There is no object"):
                await stage.machine.edit(shown, {"image_object_id": wrong})
        await stage.machine.edit(shown, {"image_object_id": frames["Frame 2"], "camera": "orbit"})
        await stage.machine.drain()
        rows = await stage.machine.rows("select request from jobs where operation = 'clip'")
        (request,) = rows[0]
        assert request["inputs"]["image"]["object_id"] == frames["Frame 2"]
        assert request["inputs"]["image"]["version"] == 1
        assert request["payload"]["camera"] == "orbit"
        await stage.check()


async def _picture_of_another_workspace(stage: Stage) -> str:
    machine, foreign = stage.machine, WorkspaceId(new_id())
    async with machine.deps.pools.domain.connection() as conn:
        await workspaces.ensure(conn, foreign, name="another", currency="USD")
    blob = await machine.deps.blobs.put_bytes(b"a picture")
    picture = NewObject(
        kind="image",
        role="image",
        name="Theirs",
        blob=blob,
        media_type="image/png",
        author="user",
        cause="theirs",
    )
    async with work(machine.deps, foreign) as tx:
        return str((await objects.create(tx, picture)).object_id)
