"""Two tasks become one: words and open questions go to the other, and the first is put away.

Money stays on each account, and what was made is what was paid there. Nothing is merged while jobs
of the first task are running: their results would come to a task that is not there any more.
A yes is for exactly what it was given to, so none goes along: open questions are withdrawn, answers
that nothing has come of yet count for nothing, and both are told to the person and to the other
task, which asks anew for what it wants to do.
"""

from dataclasses import dataclass
from uuid import uuid5

from execution import (
    approvals,
    delegations,
    inbox,
    intake,
    jobs,
    leases,
    messages,
    route_examples,
    steps,
    tasks,
)
from execution.errors import NotPossibleNowError
from execution.inbox import InboxMessage
from execution.messages import Outcome
from execution.tasks import LIVE, Task, TaskStatus
from execution.tx import Tx
from infra.ids import MessageId, ObjectId, TaskId, ThreadId

MAX_WORDS = 20
"""So many of the first task's messages go with it, the newest; the rest stays readable there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """What has become of a task that was joined to another."""

    words: int
    """So many of its messages were given to the other."""
    left: int
    """So many older ones stay readable with it alone."""
    withdrawn: list[str]
    """The questions of it that nobody had answered."""
    void: list[str]
    """The questions of it that were answered, and nothing had come of the answer yet."""


async def merge(tx: Tx, task_id: TaskId, into: TaskId) -> Joined:
    """Join a task to another, which goes on with the words of both; doing it again is refused.

    A single picture that a work which goes on is joined to becomes one too. The objects of the
    first task are given over by the caller, who owns them.

    Raises:
        NotFoundError: one of them is not here.
        NotPossibleNowError: jobs are running, one is archived, or both are the same.
    """
    for thread_id in sorted({task_id, into}):
        await leases.lock(tx.conn, ThreadId(thread_id))
    task = await tasks.get(tx.conn, tx.workspace_id, task_id)
    other = await tasks.get(tx.conn, tx.workspace_id, into)
    await _check(tx, task, other)
    withdrawn = await _titles(tx, task_id, "pending")
    void = await _titles(tx, task_id, "approved")
    read = [each for each in await inbox.consumed(tx.conn, task_id) if each.is_a_persons]
    waiting = [each for each in await inbox.drain(tx.conn, task_id) if each.is_a_persons]
    for item in waiting:
        await inbox.take_back(tx, item, "moved")
        await messages.advance(tx, MessageId(item.message_id), "moved")
    for item in [*read, *waiting][-MAX_WORDS:]:
        await copy(tx, item, into, reason=f"It came with “{task.title}”, which you joined to this.")
    await tasks.set_status(
        tx, task_id, TaskStatus.STOPPED, reason=f"It was joined to “{other.title}”.", expected=LIVE
    )
    await tasks.put_into(tx, task_id, into)
    if task.kind == "persistent":
        await tasks.promote(tx, into)
    told = f"The person joined the task '{task.title}' to this one; what it made belongs here now."
    if withdrawn or void:
        told += (
            f" Still open there were: {'; '.join([*withdrawn, *void])}. Nothing of it is allowed."
        )
    await steps.happen(tx, into, told, call_key=None)
    await route_examples.remember(
        tx,
        MessageId(task.source_message_id),
        how="merged",
        words=task.goal,
        proposed=task.title,
        belongs_to=other.title,
    )
    left = max(len(read) + len(waiting) - MAX_WORDS, 0)
    return Joined(words=len(read) + len(waiting) - left, left=left, withdrawn=withdrawn, void=void)


async def _titles(tx: Tx, task_id: TaskId, status: str) -> list[str]:
    """Return what a task has asked and nothing has come of."""
    asked = await approvals.of_thread(
        tx.conn, ThreadId(task_id), statuses=[status], unused_only=True
    )
    return [each.title for each in asked]


async def _check(tx: Tx, task: Task, other: Task) -> None:
    if task.task_id == other.task_id:
        msg = "A task cannot be joined to itself."
        raise NotPossibleNowError(msg)
    for each in (task, other):
        if each.archived_at is not None:
            msg = f"The task “{each.title}” is archived. Bring it back first."
            raise NotPossibleNowError(msg)
        if await _works_with_others(tx, each):
            msg = f"“{each.title}” works with another task. Wait until that has ended, or stop it."
            raise NotPossibleNowError(msg)
    running = [
        job for job in await jobs.of_task(tx.conn, TaskId(task.task_id)) if job.closed_at is None
    ]
    if running:
        count = "A job of it is" if len(running) == 1 else f"{len(running)} jobs of it are"
        msg = f"{count} still running. Wait until they have ended, or stop the task first."
        raise NotPossibleNowError(msg)


async def _works_with_others(tx: Tx, task: Task) -> bool:
    """Tell whether a task is at work for another one, or another for it."""
    task_id = TaskId(task.task_id)
    works_for = await delegations.of_child(tx.conn, task_id)
    if works_for is not None and works_for.is_open:
        return True
    return bool(await delegations.family(tx.conn, task_id))


async def copy(tx: Tx, item: InboxMessage, into: TaskId, *, reason: str) -> MessageId:
    """Give the words of a message to a task as a message of their own; once, whoever asks again."""
    first = await messages.get(tx.conn, tx.workspace_id, MessageId(item.message_id))
    identity = MessageId(uuid5(item.message_id, f"copy for {into}"))
    _, is_new = await messages.accept(
        tx,
        message_id=identity,
        client_id=str(identity),
        text=first.text,
        language=first.language,
        origin=first.origin,
    )
    if is_new:
        meant = [ObjectId(object_id) for object_id in first.object_ids]
        await messages.point_at(tx, identity, meant)
        await messages.record_route(
            tx,
            identity,
            layer=1,
            outcome=Outcome.EXISTING,
            language=first.language,
            reason=reason,
            task_id=into,
        )
        await intake.deliver(tx, into, identity)
    return identity
