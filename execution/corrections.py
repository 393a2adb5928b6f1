"""A person corrects where their words went: withdraw, replace or move a message.

Each is a compare-and-set on the inbox row under the lock of the task's thread, so a step's decision
comes wholly before it (and the correction is refused) or after it (and the decision is discarded).
What has begun a task is its brief and stays: the task can be stopped, and further words are read.
"""

from dataclasses import dataclass
from uuid import uuid5

from execution import inbox, intake, joining, leases, messages, route_examples, steps, tasks
from execution.errors import (
    AlreadyReadError,
    ClientIdReusedError,
    ConflictError,
    NotPossibleNowError,
)
from execution.inbox import InboxMessage
from execution.messages import Origin, Outcome
from execution.tasks import Task
from execution.tx import Tx
from infra.ids import ApprovalId, MessageId, ObjectId, TaskId, ThreadId
from infra.language import detect_language

_TITLE = 80
_SHOWN = 300


async def withdraw(tx: Tx, message_id: MessageId) -> None:
    """Take a waiting message back; doing it again changes nothing.

    Raises:
        NotFoundError: there is no such message here.
        AlreadyReadError: a step has read it.
        NotPossibleNowError: it does not wait for a step, or it has begun its task.
    """
    waiting = await _find(tx, message_id)
    if waiting is not None and waiting.status == "withdrawn":
        return
    waiting = await _correctable(tx, message_id, waiting)
    await leases.lock(tx.conn, ThreadId(waiting.task_id))
    if not await inbox.take_back(tx, waiting, "withdrawn"):
        raise await _why_not(tx, message_id)
    await messages.advance(tx, message_id, "withdrawn")
    await _end_again(tx, TaskId(waiting.task_id))


async def replace(
    tx: Tx,
    message_id: MessageId,
    *,
    text: str,
    client_id: str,
    origin: Origin = Origin.PAGE,
) -> MessageId:
    """Put other words in a waiting message's place; return the new message's id.

    What came over the open API stays so, whoever changes its words.
    The same client id again brings the first replacement's id and changes nothing.

    Raises:
        NotFoundError, AlreadyReadError, NotPossibleNowError: as for `withdraw`.
        InvalidCallError: the text is too long, or nothing in it can be seen.
        ClientIdReusedError: the client id belongs to another message.
    """
    text = intake.cleaned(text)
    replaced = await messages.get(tx.conn, tx.workspace_id, message_id)
    identity = MessageId(uuid5(message_id, client_id))
    replacement, is_new = await messages.accept(
        tx,
        message_id=identity,
        client_id=client_id,
        text=text,
        language=detect_language(text),
        object_id=ObjectId(replaced.object_id) if replaced.object_id else None,
        approval_id=ApprovalId(replaced.approval_id) if replaced.approval_id else None,
        reply_to=MessageId(replaced.reply_to) if replaced.reply_to else None,
        origin=Origin.API_KEY if Origin.API_KEY in (origin, replaced.origin) else Origin.PAGE,
    )
    if replacement != identity:
        raise ClientIdReusedError
    if not is_new:
        return replacement
    waiting = await _correctable(tx, message_id, await _find(tx, message_id))
    task_id = TaskId(waiting.task_id)
    await leases.lock(tx.conn, ThreadId(task_id))
    if not await inbox.take_back(tx, waiting, "replaced"):
        raise await _why_not(tx, message_id)
    await messages.advance(tx, message_id, "replaced")
    await messages.record_route(
        tx,
        replacement,
        layer=1,
        outcome=Outcome.EXISTING,
        language=detect_language(text),
        reason="It takes another message's place.",
        task_id=task_id,
    )
    await intake.deliver(tx, task_id, replacement, position=waiting.position)
    return replacement


async def move(tx: Tx, message_id: MessageId, to: TaskId | None) -> TaskId:
    """Give a waiting message to another task, or to a new one; return that task.

    Raises:
        NotFoundError: there is no such message or task here.
        AlreadyReadError, NotPossibleNowError: as for `withdraw`, or the task is archived.
    """
    waiting = await _correctable(tx, message_id, await _find(tx, message_id))
    if to is not None and to == waiting.task_id:
        return to
    target = await _begin(tx, message_id, waiting) if to is None else to
    await tasks.get(tx.conn, tx.workspace_id, target)
    # Two moves in opposite directions take the two locks in the same order.
    for thread_id in sorted({waiting.task_id, target}):
        await leases.lock(tx.conn, ThreadId(thread_id))
    if not await inbox.take_back(tx, waiting, "moved"):
        raise await _why_not(tx, message_id)
    await inbox.revive(tx, target, message_id)
    await intake.deliver(tx, target, message_id)
    outcome = Outcome.NEW if to is None else Outcome.EXISTING
    await messages.reroute(tx, message_id, outcome=outcome, task_id=target)
    await messages.advance(tx, message_id, "moved", task_id=target)
    await _end_again(tx, TaskId(waiting.task_id))
    await _remember(tx, waiting, target, is_new=to is None)
    return target


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """The copy of a message's words, and the step that had used the words before."""

    message_id: MessageId
    used_in: int


async def give_copy(tx: Tx, message_id: MessageId, to: TaskId | None) -> Copied:
    """Give the words of a message that was read to another task, or to a new one, as a copy.

    What was used stays used: the first task is told that the words were not meant for it.

    Raises:
        NotFoundError: there is no such message or task here.
        NotPossibleNowError: nothing has read it, it has begun its task, or the other is archived.
    """
    found = await _find(tx, message_id)
    if found is None or found.consumed_by is None or found.task_id == to or not found.is_a_persons:
        msg = "This message is where it belongs."
        raise NotPossibleNowError(msg)
    await _check_begun_nothing(tx, message_id)
    target = await _begin(tx, message_id, found) if to is None else to
    first = await tasks.get(tx.conn, tx.workspace_id, TaskId(found.task_id))
    await tasks.get(tx.conn, tx.workspace_id, target)
    for thread_id in sorted({found.task_id, target}):
        await leases.lock(tx.conn, ThreadId(thread_id))
    step = await steps.number_of(tx.conn, found.consumed_by) or 0
    reason = f"You gave a copy of it to this task; step {step} of “{first.title}” had read it."
    copied = await joining.copy(tx, found, target, reason=reason)
    await _tell(tx, first, found, step)
    await _remember(tx, found, target, is_new=to is None)
    return Copied(message_id=copied, used_in=step)


async def _tell(tx: Tx, first: Task, read: InboxMessage, step: int) -> None:
    task_id = TaskId(first.task_id)
    await steps.happen(
        tx,
        task_id,
        f"The person says that these words were meant for another task: '{read.text[:_SHOWN]}'. "
        f"Step {step} has used them already; do nothing more because of them.",
        call_key=None,
    )
    if not first.is_terminal:
        await leases.wake(tx.conn, ThreadId(task_id))
        tx.woken.add(ThreadId(task_id))


async def _remember(tx: Tx, item: InboxMessage, target: TaskId, *, is_new: bool) -> None:
    first = await tasks.get(tx.conn, tx.workspace_id, TaskId(item.task_id))
    title = (await tasks.get(tx.conn, tx.workspace_id, target)).title
    await route_examples.remember(
        tx,
        MessageId(item.message_id),
        how="split_off" if is_new else "moved",
        words=item.text,
        proposed=first.title,
        belongs_to=route_examples.SOMETHING_NEW if is_new else title,
    )


async def _end_again(tx: Tx, task_id: TaskId) -> None:
    """End a task again that only the message which was taken from it had opened."""
    opened = await tasks.reopened_at(tx.conn, task_id)
    if opened is None or await inbox.waiting_count(tx.conn, task_id):
        return
    last = await steps.history(tx.conn, ThreadId(task_id), limit=1)
    if not last or last[0].created_at < opened:
        await tasks.end_again(tx, task_id)


async def _begin(tx: Tx, message_id: MessageId, waiting: InboxMessage) -> TaskId:
    task_id = TaskId(uuid5(tx.workspace_id, f"task {message_id}"))
    await tasks.create(
        tx,
        task_id,
        kind="persistent",
        title=waiting.text.strip()[:_TITLE],
        goal=waiting.text.strip(),
        language=waiting.language,
        brief={"words": [waiting.text]},
        source_message_id=message_id,
    )
    return task_id


async def _find(tx: Tx, message_id: MessageId) -> InboxMessage | None:
    await messages.get(tx.conn, tx.workspace_id, message_id)
    return await inbox.newest(tx.conn, tx.workspace_id, message_id)


async def _correctable(tx: Tx, message_id: MessageId, found: InboxMessage | None) -> InboxMessage:
    if found is None or found.status != "delivered":
        raise await _why_not(tx, message_id)
    if not found.is_a_persons:
        msg = "Another task wrote this. Write to one of the two tasks, or stop it."
        raise NotPossibleNowError(msg)
    await _check_begun_nothing(tx, message_id)
    return found


async def _check_begun_nothing(tx: Tx, message_id: MessageId) -> None:
    if await tasks.is_begun_by(tx.conn, tx.workspace_id, message_id):
        msg = "The task was begun with this message. Stop the task, or write what to change."
        raise NotPossibleNowError(msg)


async def _why_not(tx: Tx, message_id: MessageId) -> ConflictError:
    """Say what has become of a message, as it stands now."""
    found = await inbox.newest(tx.conn, tx.workspace_id, message_id)
    if found is None:
        return NotPossibleNowError("This message does not wait to be read by a task.")
    match found.status:
        case "consumed":
            return AlreadyReadError()
        case "delivered":
            return NotPossibleNowError("This message was given to another task just now.")
        case status:
            return NotPossibleNowError(f"This message was {status} already.")
