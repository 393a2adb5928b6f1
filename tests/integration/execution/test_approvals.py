"""A person's yes: for exactly what was shown, once, in time, by whoever clicks first."""

import asyncio
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from execution import approvals, checklist, ledger, tasks
from execution.approvals import Approval, Decision
from execution.errors import (
    AlreadyDecidedError,
    ExpiredError,
    InvalidCallError,
    NotFoundError,
    SupersededError,
)
from execution.tasks import TaskStatus
from infra.ids import ApprovalId, TaskId, ThreadId, WorkspaceId, new_id
from server.workers.watchdog import sweep
from tests.database import DatabaseClock
from tests.integration.execution.world import World
from tools import answers


async def ask(world: World, task_id: TaskId, **given: Any) -> Approval:
    approval_id = ApprovalId(new_id())
    async with world.work() as tx:
        await approvals.request(
            tx,
            approval_id,
            **{
                "thread_id": ThreadId(task_id),
                "task_id": task_id,
                "kind": "question",
                "title": "Which one?",
                "body": "",
                "card": {"options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]},
                "actions": ["approve", "reject", "choose"],
                "args_hash": "shown",
                **given,
            },
        )
        return await approvals.get(tx.conn, tx.workspace_id, approval_id)


async def ask_price(world: World, task_id: TaskId, *, price: int = 100, **given: Any) -> Approval:
    """A paid call outside any plan that waits for a yes."""
    lease = await world.held(task_id)
    step_id = await world.step(lease)
    call_key = f"{lease.turn_id}/{step_id}/1"
    request = {
        "operation": "image",
        "provider": "scripted",
        "payload": {"prompt": "a harbour", "seq": 1},
        "inputs": {},
        "name": "A picture",
        "title": "A picture",
    }
    asked = await ask(
        world,
        task_id,
        **{
            "kind": "call",
            "call_key": call_key,
            "actions": ["approve", "reject"],
            "args_hash": ledger.hash_of("generate_image", request, price),
            "price_micros": price,
            "maximum_micros": price,
            "expires_in": timedelta(days=1),
            **given,
        },
    )
    await world.call(
        lease,
        step_id,
        price=price,
        status="planned",
        verdict="ask",
        approval_id=asked.approval_id,
    )
    return asked


async def decide(
    world: World, asked: Approval, decision: Decision = Decision.APPROVE, **given: Any
) -> Approval:
    workspace_id: WorkspaceId | None = given.pop("workspace_id", None)
    async with world.work(workspace_id=workspace_id) as tx:
        return await approvals.decide(
            tx,
            ApprovalId(asked.approval_id),
            **{
                "decision": decision,
                "args_hash": asked.args_hash,
                "choice": None,
                "note": None,
                "decided_by": "person",
                **given,
            },
        )


async def apply(world: World, task_id: TaskId) -> None:
    async with world.work() as tx:
        for answered in await approvals.of_thread(
            tx.conn, ThreadId(task_id), statuses=answers.ANSWERED, unused_only=True
        ):
            await answers.apply(tx, world.deps, task_id, answered)


async def money(world: World) -> tuple[int, int]:
    rows = await world.rows("select limit_micros, held_micros from budgets")
    return rows[0] if rows else (0, 0)


async def test_a_yes_is_recorded_with_who_gave_it_and_wakes_the_task(world: World) -> None:
    task_id = await world.task()
    asked = await ask(world, task_id)
    before = await world.value("select wake_seq from threads where thread_id = %s", task_id)
    answered = await decide(world, asked, note="go on")
    assert (answered.status, answered.decided_by) == ("approved", "person")
    assert answered.decision == {"decision": "approve", "choice": None, "note": "go on"}
    after = await world.value("select wake_seq from threads where thread_id = %s", task_id)
    assert after == before + 1


async def test_a_redelivered_answer_is_refused_and_changes_nothing(world: World) -> None:
    asked = await ask(world, await world.task())
    await decide(world, asked)
    wakes = await world.value("select sum(wake_seq) from threads")
    for again in (Decision.APPROVE, Decision.REJECT):
        with pytest.raises(AlreadyDecidedError):
            await decide(world, asked, again)
    assert await world.value("select sum(wake_seq) from threads") == wakes
    assert await world.value("select status from approvals") == "approved"


async def test_a_double_click_has_one_effect(world: World) -> None:
    for _ in range(10):
        asked = await ask(world, await world.task())
        results = await asyncio.gather(
            *(decide(world, asked) for _ in range(4)), return_exceptions=True
        )
        assert sum(isinstance(result, Approval) for result in results) == 1
        assert sum(isinstance(result, AlreadyDecidedError) for result in results) == 3


async def test_a_yes_and_a_no_at_once_are_one_answer(world: World) -> None:
    for _ in range(10):
        asked = await ask(world, await world.task())
        results = await asyncio.gather(
            decide(world, asked, Decision.APPROVE),
            decide(world, asked, Decision.REJECT),
            return_exceptions=True,
        )
        assert sum(isinstance(result, Approval) for result in results) == 1


async def test_an_answer_to_something_else_than_was_shown_is_refused(world: World) -> None:
    asked = await ask(world, await world.task())
    with pytest.raises(SupersededError):
        await decide(world, asked, args_hash="something else")
    assert await world.value("select status from approvals") == "pending"


async def test_an_answer_that_was_not_offered_is_refused(world: World) -> None:
    asked = await ask(world, await world.task(), actions=["choose"])
    with pytest.raises(InvalidCallError, match="offers choose"):
        await decide(world, asked, Decision.APPROVE)
    for choice in (None, "", "c"):
        with pytest.raises(InvalidCallError, match="one of the offered"):
            await decide(world, asked, Decision.CHOOSE, choice=choice)
    assert (await decide(world, asked, Decision.CHOOSE, choice="b")).status == "chosen"


async def test_own_words_are_an_answer_where_they_were_invited(world: World) -> None:
    asked = await ask(
        world, await world.task(), actions=["choose"], card={"options": [], "free_text": True}
    )
    answered = await decide(world, asked, Decision.CHOOSE, choice="the blue one, please")
    assert answered.decision is not None
    assert answered.decision["choice"] == "the blue one, please"


async def test_a_question_of_another_workspace_is_not_there(world: World) -> None:
    asked = await ask(world, await world.task())
    with pytest.raises(NotFoundError):
        await decide(world, asked, workspace_id=await world.workspace())
    assert await world.value("select status from approvals") == "pending"


async def test_a_question_is_over_when_its_time_is(
    world: World, database_clock: DatabaseClock
) -> None:
    asked = await ask(world, await world.task(), expires_in=timedelta(hours=1))
    await database_clock.advance(timedelta(minutes=59))
    async with world.conn() as conn:
        assert await approvals.overdue(conn) == []
    await database_clock.advance(timedelta(minutes=2))
    with pytest.raises(ExpiredError):
        await decide(world, asked)


async def test_an_expired_price_frees_its_slot_and_is_told(
    world: World, database_clock: DatabaseClock
) -> None:
    task_id = await world.task()
    asked = await ask_price(world, task_id)
    await database_clock.advance(timedelta(days=2))
    await sweep(world.deps)
    await sweep(world.deps)
    assert await world.value("select status from approvals") == "expired"
    assert await world.rows("select status, outcome, refusal from ledger") == [
        ("rejected", "refused", "permission")
    ]
    assert await world.rows("select text from happenings") == [
        ("Nobody answered 'Which one?' in time.",)
    ]
    announced = await world.value("select count(*) from events where type = 'approval.expired'")
    assert announced == 1
    with pytest.raises(ExpiredError):
        await decide(world, asked)


async def test_a_yes_pays_exactly_what_was_shown_once(world: World) -> None:
    task_id = await world.task()
    await decide(world, await ask_price(world, task_id, price=250))
    for _ in range(3):
        await apply(world, task_id)
    assert await money(world) == (250, 250)
    assert await world.rows("select status from ledger") == [("held",)]
    assert await world.value("select count(*) from approvals where used_at is not null") == 1


async def test_a_yes_applied_by_two_at_once_holds_money_once(world: World) -> None:
    task_id = await world.task()
    await decide(world, await ask_price(world, task_id, price=250))
    await asyncio.gather(*(apply(world, task_id) for _ in range(4)))
    assert await money(world) == (250, 250)


async def test_a_no_holds_nothing_and_its_words_are_kept(world: World) -> None:
    task_id = await world.task()
    await decide(world, await ask_price(world, task_id), Decision.REJECT, note="too dark")
    await apply(world, task_id)
    assert await money(world) == (0, 0)
    assert await world.rows("select status, refusal from ledger") == [("rejected", "permission")]
    assert "too dark" in await world.value("select text from happenings")


@pytest.mark.parametrize(
    "change",
    [
        "update ledger set request = jsonb_set(request, '{payload,prompt}', '\"a castle\"')",
        "update ledger set quote_micros = 1",
        "update ledger set tool = 'generate_clip'",
    ],
)
async def test_a_yes_to_something_that_has_changed_since_runs_nothing(
    world: World, change: Any
) -> None:
    task_id = await world.task()
    await decide(world, await ask_price(world, task_id))
    await world.run(change)
    await apply(world, task_id)
    assert await money(world) == (0, 0)
    assert await world.rows("select status, refusal from ledger") == [("rejected", "permission")]


async def test_a_newer_question_of_its_kind_takes_an_older_ones_place(world: World) -> None:
    task_id = await world.task()
    older = await ask(world, task_id, kind="plan")
    question = await ask(world, task_id, kind="question")
    newer = await ask(world, task_id, kind="plan")
    async with world.work() as tx:
        await approvals.supersede(
            tx, ThreadId(task_id), kind="plan", keep=ApprovalId(newer.approval_id)
        )
    with pytest.raises(SupersededError):
        await decide(world, older)
    await decide(world, newer)
    await decide(world, question)


@pytest.mark.parametrize("status", [TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.STOPPED])
async def test_an_ended_task_leaves_no_question_and_no_money_behind(
    world: World, status: TaskStatus
) -> None:
    task_id = await world.task(limit=70)
    asked = await ask_price(world, task_id)
    lease = await world.current_lease(task_id)
    await world.call(lease, await world.value("select step_id from steps"), price=70, seq=2)
    assert await money(world) == (70, 70)
    async with world.work() as tx:
        assert await tasks.set_status(tx, task_id, status, reason="Over.")
    assert await money(world) == (70, 0)
    assert await world.rows("select distinct status, outcome from ledger") == [
        ("rejected", "cancelled")
    ]
    with pytest.raises(SupersededError):
        await decide(world, asked)


async def test_a_yes_given_before_a_stop_counts_for_nothing_after_it(world: World) -> None:
    task_id = await world.task()
    await decide(world, await ask_price(world, task_id, price=250))
    async with world.work() as tx:
        await tasks.stop(tx, task_id)
    async with world.work() as tx:
        await tasks.reopen(tx, task_id)
    await apply(world, task_id)
    assert await money(world) == (0, 0)


async def test_the_same_call_asks_once_whoever_runs_it_again(world: World) -> None:
    task_id = await world.task()
    first = await ask(world, task_id, call_key="turn/1/1")
    async with world.work() as tx:
        await approvals.request(
            tx,
            ApprovalId(new_id()),
            thread_id=ThreadId(task_id),
            task_id=task_id,
            kind="question",
            title="Again",
            body="",
            card={},
            actions=["approve"],
            args_hash="other",
            call_key="turn/1/1",
        )
        assert tx.touched_approvals == {}
    assert await world.rows("select approval_id, title from approvals") == [
        (first.approval_id, "Which one?")
    ]


async def test_an_answer_without_its_time_is_refused_by_the_table(world: World) -> None:
    await ask(world, await world.task())
    with pytest.raises(psycopg.errors.CheckViolation):
        await world.run("update approvals set status = 'approved'")


async def test_a_plan_is_approved_or_rejected_once(world: World) -> None:
    task_id = await world.task()
    async with world.work() as tx:
        for call_key in ("one", "two"):
            await checklist.propose(
                tx,
                task_id,
                title="Plan",
                summary="",
                format_={},
                items=[],
                call_key=call_key,
                quote_micros=0,
                maximum_micros=0,
            )
        assert await checklist.decide(tx, task_id, "one", approved=True)
        assert await checklist.decide(tx, task_id, "one", approved=False) is None
        assert await checklist.decide(tx, task_id, "two", approved=True)
        plan = await checklist.load(tx.conn, task_id)
    assert plan is not None
    assert (plan.checklist.version, plan.is_approved) == (2, True)
    assert await world.rows("select version, status from checklists order by version") == [
        (1, "superseded"),
        (2, "approved"),
    ]


async def test_deciding_a_plan_that_was_superseded_leaves_the_approved_one(world: World) -> None:
    task_id = await world.task()
    async with world.work() as tx:
        for call_key in ("one", "two"):
            await checklist.propose(
                tx,
                task_id,
                title="Plan",
                summary="",
                format_={},
                items=[],
                call_key=call_key,
                quote_micros=0,
                maximum_micros=0,
            )
        await checklist.decide(tx, task_id, "one", approved=True)
        await checklist.supersede(tx, task_id, "two")
        assert await checklist.decide(tx, task_id, "two", approved=True) is None
        plan = await checklist.load(tx.conn, task_id)
    assert plan is not None
    assert (plan.checklist.version, plan.is_approved) == (1, True)
