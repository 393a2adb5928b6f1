"""Messages given to a task: delivered is not consumed.

Owns `inbox`. Rows are ordered per task; a step consumes them in the transaction of its decision, so
what each inference had read is on record and a message that arrives meanwhile belongs to the next
step.
"""

from dataclasses import dataclass
from uuid import UUID

from execution import leases, messages
from execution.errors import DiscardedDecisionError
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all, fetch_value
from infra.ids import MessageId, StepId, TaskId, ThreadId, WorkspaceId, new_id


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxMessage:
    """An inbox row with the words of its message."""

    inbox_id: UUID
    task_id: UUID
    message_id: UUID
    position: int
    status: str
    consumed_by: UUID | None
    text: str
    language: str


async def post(tx: Tx, task_id: TaskId, message_id: MessageId) -> None:
    """Deliver a message to a task and wake its thread; a second delivery changes nothing."""
    await leases.wake(tx.conn, ThreadId(task_id))
    delivered = await execute(
        tx.conn,
        """
        insert into inbox (inbox_id, workspace_id, task_id, message_id)
        values (%(inbox_id)s, %(workspace_id)s, %(task_id)s, %(message_id)s)
        on conflict do nothing
        """,
        {
            "inbox_id": new_id(),
            "workspace_id": tx.workspace_id,
            "task_id": task_id,
            "message_id": message_id,
        },
    )
    tx.woken.add(ThreadId(task_id))
    if delivered:
        await messages.advance(tx, message_id, "delivered", task_id=task_id)


async def drain(conn: Conn, task_id: TaskId) -> list[InboxMessage]:
    """Return the messages that wait for the next step, in order; takes nothing."""
    return await _list(conn, task_id, status="delivered")


async def consumed(conn: Conn, task_id: TaskId) -> list[InboxMessage]:
    """Return the messages that steps of this task have read, in order."""
    return await _list(conn, task_id, status="consumed")


async def _list(conn: Conn, task_id: TaskId, *, status: str) -> list[InboxMessage]:
    return await fetch_all(
        conn,
        InboxMessage,
        """
        select i.inbox_id, i.task_id, i.message_id, i.position, i.status, i.consumed_by,
               m.text, m.language
        from inbox as i
        join messages as m using (message_id)
        where i.task_id = %(task_id)s
          and i.status = %(status)s
        order by i.position
        """,
        {"task_id": task_id, "status": status},
    )


async def consume(tx: Tx, read: list[InboxMessage], step_id: StepId) -> None:
    """Mark what a step's inference had read as consumed by it.

    Raises:
        DiscardedDecisionError: one of them was withdrawn, replaced or moved during the inference.
    """
    ids = [message.inbox_id for message in read]
    changed = await execute(
        tx.conn,
        """
        update inbox
        set status = 'consumed', consumed_by = %(step_id)s
        where inbox_id = any(%(ids)s)
          and status = 'delivered'
        """,
        {"step_id": step_id, "ids": ids},
    )
    if changed != len(ids):
        raise DiscardedDecisionError
    for message in read:
        await messages.advance(tx, MessageId(message.message_id), "consumed")


async def last_reader(conn: Conn, task_id: TaskId) -> UUID | None:
    """Return the step that read the newest of the messages that were read."""
    return await fetch_value(
        conn,
        """
        select consumed_by
        from inbox
        where task_id = %(task_id)s
          and status = 'consumed'
        order by position desc
        limit 1
        """,
        {"task_id": task_id},
    )


async def waiting_count(conn: Conn, task_id: TaskId) -> int:
    """Return how many messages wait for the task's next step."""
    return await fetch_value(
        conn,
        "select count(*) from inbox where task_id = %(task_id)s and status = 'delivered'",
        {"task_id": task_id},
    )


async def consumed_by(conn: Conn, workspace_id: WorkspaceId, message_id: MessageId) -> UUID | None:
    """Return the step that read a message, if one has."""
    return await fetch_value(
        conn,
        """
        select consumed_by
        from inbox
        where workspace_id = %(workspace_id)s
          and message_id = %(message_id)s
        order by position desc
        limit 1
        """,
        {"workspace_id": workspace_id, "message_id": message_id},
    )
