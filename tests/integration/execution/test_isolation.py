"""Nothing of one workspace is visible to another, or changed by it, by any id."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from execution import (
    approvals,
    budget,
    events,
    inbox,
    intake,
    ledger,
    limits,
    messages,
    route_reads,
    tasks,
    views,
    workspaces,
)
from execution.approvals import Decision
from execution.errors import NotFoundError
from execution.intake import Incoming
from execution.messages import Outcome
from execution.tx import Tx
from infra.blobs import Blob
from infra.ids import ApprovalId, MessageId, ObjectId, TaskId, ThreadId, WorkspaceId, new_id
from memory.candidates import find
from tests.contracts.sources import tables
from tests.integration.execution.world import World
from workspace import objects
from workspace.objects import NewObject

SHARED = {
    "checklist_items": "by the task of its checklist",
    "clock": "one row for all",
    "callback_keys": "one row for all",
    "log_identity": "one row for all",
    "schema_migrations": "one row for all",
    "event_counters": "",
}


def _blob(letter: str) -> Blob:
    return Blob(sha256=letter * 64, size=1, media_type="text/markdown")


class Rows:
    """One row of everything in the first workspace."""

    message_id: MessageId
    task_id: TaskId
    approval_id: ApprovalId
    object_id: ObjectId
    call_key: str


async def fill(world: World) -> Rows:
    rows = Rows()
    rows.task_id, job = await world.new_job(price=100)
    rows.call_key = job.call_key
    rows.message_id = await world.message("a secret", task_id=rows.task_id)
    rows.approval_id = ApprovalId(new_id())
    async with world.work() as tx:
        await messages.record_route(
            tx, rows.message_id, layer=1, outcome=Outcome.NEW, language="en", reason="secret"
        )
        await route_reads.record(
            tx, rows.message_id, number=1, asked="x", task_id=rows.task_id, told="secret"
        )
        await approvals.request(
            tx,
            rows.approval_id,
            thread_id=ThreadId(rows.task_id),
            task_id=rows.task_id,
            kind="question",
            title="A secret?",
            body="",
            card={},
            actions=["approve"],
            args_hash="h",
        )
        made = await objects.create(
            tx,
            NewObject(
                kind="document",
                role="document",
                name="Secret",
                blob=_blob("a"),
                media_type="text/markdown",
                author="agent",
                cause="turn/1/1",
                task_id=rows.task_id,
            ),
        )
        rows.object_id = ObjectId(made.object_id)
    return rows


async def _quietly(tx: Tx, doing: Awaitable[None]) -> None:
    await doing
    tx.touched_messages.clear()
    tx.touched_tasks.clear()


async def _reopen(tx: Tx, rows: Rows) -> None:
    await _quietly(tx, tasks.reopen(tx, rows.task_id))


type Look = Callable[[Tx, Rows], Awaitable[Any]]

NOT_FOUND: dict[str, Look] = {
    "message": lambda tx, r: messages.get(tx.conn, tx.workspace_id, r.message_id),
    "message view": lambda tx, r: views.message(tx.conn, tx.workspace_id, r.message_id),
    "task": lambda tx, r: tasks.get(tx.conn, tx.workspace_id, r.task_id),
    "task view": lambda tx, r: views.task(tx.conn, tx.workspace_id, r.task_id),
    "approval": lambda tx, r: approvals.get(tx.conn, tx.workspace_id, r.approval_id),
    "approval view": lambda tx, r: views.approval(tx.conn, tx.workspace_id, r.approval_id),
    "call": lambda tx, r: ledger.get(tx.conn, tx.workspace_id, r.call_key),
    "object": lambda tx, r: objects.get(tx.conn, tx.workspace_id, r.object_id),
    "object version": lambda tx, r: objects.get(tx.conn, tx.workspace_id, r.object_id, version=1),
    "write a version": lambda tx, r: objects.put_version(
        tx,
        r.object_id,
        base_version=1,
        blob=_blob("b"),
        media_type="text/markdown",
        author="user",
        cause="theirs",
    ),
    "answer": lambda tx, r: approvals.decide(
        tx,
        r.approval_id,
        decision=Decision.APPROVE,
        args_hash="h",
        choice=None,
        note=None,
        decided_by="them",
    ),
    "limits of the task": lambda tx, r: limits.of_task(tx.conn, tx.workspace_id, r.task_id),
    "give the task more": lambda tx, r: limits.extend(
        tx, r.task_id, rounds=1, seconds=1, budget_micros=1
    ),
    "write to the task": lambda tx, r: intake.accept(
        tx, Incoming(text="hi", client_id="c", task_id=r.task_id)
    ),
    "reply to the message": lambda tx, r: intake.accept(
        tx, Incoming(text="hi", client_id="c", reply_to=r.message_id)
    ),
}

NOTHING: dict[str, Look] = {
    "recent messages": lambda tx, r: messages.recent(tx.conn, tx.workspace_id, limit=99),
    "messages of the task": lambda tx, r: messages.recent(
        tx.conn, tx.workspace_id, limit=99, task_id=r.task_id
    ),
    "route": lambda tx, r: messages.get_route(tx.conn, tx.workspace_id, r.message_id),
    "reader": lambda tx, r: inbox.readers_of(tx.conn, tx.workspace_id, [r.message_id]),
    "recent tasks": lambda tx, r: tasks.recent(tx.conn, tx.workspace_id, limit=99),
    "candidates": lambda tx, r: find(tx.conn, None, tx.workspace_id, "poster"),
    "what was read for a message": lambda tx, r: route_reads.of_message(
        tx.conn, tx.workspace_id, r.message_id
    ),
    "recent questions": lambda tx, r: approvals.recent(tx.conn, tx.workspace_id, limit=99),
    "recent objects": lambda tx, r: objects.recent(tx.conn, tx.workspace_id, limit=99),
    "objects of the task": lambda tx, r: objects.recent(
        tx.conn, tx.workspace_id, limit=99, task_id=r.task_id
    ),
    "object versions": lambda tx, r: objects.versions(tx.conn, tx.workspace_id, r.object_id),
    "task of the object": lambda tx, r: objects.task_of(tx.conn, tx.workspace_id, r.object_id),
    "tasks with the object": lambda tx, r: objects.tasks_using(
        tx.conn, tx.workspace_id, r.object_id
    ),
    "log": lambda tx, r: events.read(tx.conn, tx.workspace_id, after=0),
    "log of the task": lambda tx, r: events.read(
        tx.conn, tx.workspace_id, after=0, task_id=r.task_id
    ),
    "spent today": lambda tx, r: budget.spent_today(tx.conn, tx.workspace_id),
    "pause": lambda tx, r: tasks.set_status(tx, r.task_id, tasks.TaskStatus.PAUSED),
    "finish a call": lambda tx, r: ledger.finish(
        tx, r.call_key, status="settled", outcome="failed", result={}
    ),
    "move a call": lambda tx, r: ledger.advance(tx, r.call_key, "rejected", leaving=("held",)),
    "settle": lambda tx, r: budget.settle(tx, r.task_id, r.call_key, 1, "reported"),
    "release": lambda tx, r: budget.release(tx, r.task_id, r.call_key, "theirs"),
    "reopen": _reopen,
    "advance a message": lambda tx, r: _quietly(tx, messages.advance(tx, r.message_id, "refused")),
}


async def fingerprint(world: World) -> list[Any]:
    """Everything that the first workspace has."""
    found: list[Any] = []
    for table in sorted(tables() - set(SHARED)):
        # The names are those of our own migrations.
        statement = f"select to_jsonb(t) - 'workspace_id' from {table} as t where workspace_id = %s"  # noqa: S608
        found += sorted(str(row) for row in await world.rows(statement, world.workspace_id))
    return found


async def test_another_workspace_sees_and_changes_nothing_by_any_id(world: World) -> None:
    rows = await fill(world)
    before = await fingerprint(world)
    assert len(before) >= 12
    other = await world.workspace()
    for name, look in NOT_FOUND.items():
        assert await is_not_found(world, other, look, rows), name
    for name, look in NOTHING.items():
        assert not await attempt(world, other, look, rows), name
    assert await fingerprint(world) == before


async def test_its_own_workspace_sees_all_of_it(world: World) -> None:
    rows = await fill(world)
    for name, look in NOT_FOUND.items():
        if name not in ("write a version", "answer", "write to the task", "reply to the message",
                        "give the task more"):  # fmt: skip
            assert await attempt(world, world.workspace_id, look, rows), name
    for name in ("recent messages", "messages of the task", "route", "recent tasks", "candidates",
                 "recent questions", "recent objects", "objects of the task", "object versions",
                 "task of the object", "tasks with the object", "log", "log of the task",
                 "spent today"):  # fmt: skip
        assert await attempt(world, world.workspace_id, NOTHING[name], rows), name


async def is_not_found(world: World, workspace_id: WorkspaceId, look: Look, rows: Rows) -> bool:
    try:
        await attempt(world, workspace_id, look, rows)
    except NotFoundError:
        return True
    return False


async def attempt(world: World, workspace_id: WorkspaceId, look: Look, rows: Rows) -> Any:
    async with world.work(workspace_id=workspace_id) as tx:
        return await look(tx, rows)


async def test_every_table_names_its_workspace_or_says_why_not(world: World) -> None:
    found = await world.rows(
        """
        select table_name
        from information_schema.columns
        where table_schema = 'public'
          and column_name = 'workspace_id'
        """
    )
    assert tables() - {row[0] for row in found} <= set(SHARED)


async def test_the_same_client_id_in_two_workspaces_is_two_messages(world: World) -> None:
    other = World(deps=world.deps, workspace_id=await world.workspace())
    sent: list[MessageId] = []
    for each in (world, other):
        async with each.work() as tx:
            sent.append(await intake.accept(tx, Incoming(text="hi", client_id="same")))
    assert len(set(sent)) == 2


async def test_a_workspace_that_is_not_there_is_not_found(world: World) -> None:
    async with world.conn() as conn:
        with pytest.raises(NotFoundError):
            await workspaces.get(conn, WorkspaceId(new_id()))
