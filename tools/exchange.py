"""Delivers what tasks say to each other: after the commit that said it, once, whoever does it.

Each word is delivered in a transaction of its own, under both threads' locks. It opens nothing: a
task that has ended or was archived does not get it, and who asked is told so. A report is written
when it is delivered, from the tables: how the task stands, and the objects that it has come to,
each looked up in the workspace.
"""

import json
from typing import Any
from uuid import UUID

from execution import deliveries, inbox, leases, messages, steps, tasks, views, words
from execution.messages import Origin
from execution.tasks import Task, TaskStatus
from execution.transactions import work
from execution.tx import Tx
from execution.verdict import ends_with
from execution.words import Kind, Word
from infra.deps import Deps
from infra.ids import MessageId, TaskId, ThreadId, WorkspaceId
from workspace import objects

_OBJECTS = 30
_TEXT = 600


async def pass_on(deps: Deps, task_id: TaskId | None = None) -> None:
    """Deliver what a task, or any task, has said and nobody has delivered yet."""
    async with deps.pools.domain.connection() as conn:
        waiting = await words.pending(conn, from_task=task_id)
    for word in waiting:
        workspace_id = WorkspaceId(word.workspace_id)
        async with work(deps, workspace_id, cause=f"word {word.word_id}") as tx:
            await _deliver(tx, word)


async def _deliver(tx: Tx, word: Word) -> None:
    from_task, to_task = TaskId(word.from_task), TaskId(word.to_task)
    for thread_id in sorted((from_task, to_task)):
        await leases.lock(tx.conn, ThreadId(thread_id))
    sender = await tasks.get(tx.conn, tx.workspace_id, from_task)
    target = await tasks.get(tx.conn, tx.workspace_id, to_task)
    is_open = not target.is_terminal and target.archived_at is None
    is_taken = is_open and not (word.kind == Kind.QUESTION and sender.is_terminal)
    text = await _report(tx, sender, word.text) if word.kind == Kind.REPORT else word.text
    word_id = MessageId(word.word_id)
    if not await words.settle(tx, word_id, "delivered" if is_taken else "undelivered", text):
        return
    if is_taken:
        await hand_in(tx, to_task, word_id, text=text, language=word.language)
        if word.kind == Kind.REPORT and not word.text and sender.status == TaskStatus.COMPLETED:
            await tasks.reset_rounds(tx, to_task)
    elif word.kind != Kind.REPORT and not sender.is_terminal:
        told = f"'{target.title}' has ended and reads nothing any more: {word.text[:_TEXT]}"
        await steps.happen(tx, from_task, told, call_key=None)
        await leases.wake(tx.conn, ThreadId(from_task))
        tx.woken.add(ThreadId(from_task))


async def hand_in(tx: Tx, to_task: TaskId, word_id: MessageId, *, text: str, language: str) -> None:
    """Make a word a message in a task's inbox, and wake it."""
    await messages.accept(
        tx,
        message_id=word_id,
        client_id=f"task word {word_id}",
        text=text,
        language=language,
        origin=Origin.TASK,
    )
    await inbox.post(tx, to_task, word_id)


async def _report(tx: Tx, task: Task, note: str) -> str:
    """Return how a task stands: what it came to, or what it waits for."""
    task_id = TaskId(task.task_id)
    delivery = await deliveries.get_latest(tx.conn, task_id)
    report = delivery.report if delivery else {}
    made = report.get("files") or await views.results_view(tx.conn, task_id)
    told = {
        "status": task.status,
        "waiting_for": task.waiting_reason,
        "reason": task.reason,
        "ends_with": ends_with(task.status, task.waiting_reason),
        "note": note,
        "summary": (report.get("summary") or task.summary)[:_TEXT],
        "delivery": delivery.status if delivery else None,
        "objects": await _here(tx, made),
    }
    return json.dumps({name: value for name, value in told.items() if value}, ensure_ascii=False)


async def _here(tx: Tx, made: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return those of the results that are in this workspace and not deleted."""
    versions = {UUID(str(each["object_id"])): each["version"] for each in made}
    found = await objects.of_ids(tx.conn, tx.workspace_id, list(versions))
    return [
        {
            "object_id": str(each.object_id),
            "version": versions[each.object_id],
            "kind": each.kind,
            "name": each.name,
        }
        for each in found[:_OBJECTS]
    ]
