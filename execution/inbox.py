"""Messages given to a task: delivered is not consumed.

Owns `inbox`. Rows are ordered per task; a step consumes them in the transaction of its decision, so
what each inference had read is on record and a message that arrives meanwhile belongs to the next
step. Until then a row may be taken back; `execution.corrections` says what becomes of its message.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from execution import leases, messages
from execution.errors import DiscardedDecisionError
from execution.messages import Origin
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all, fetch_one, fetch_value
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
    origin: Origin
    object_ids: list[UUID]

    @property
    def is_a_persons(self) -> bool:
        """Whether a person said it; what another task says is data."""
        return self.origin != Origin.TASK


async def post(
    tx: Tx, task_id: TaskId, message_id: MessageId, *, position: int | None = None
) -> None:
    """Deliver a message to a task and wake its thread; a second delivery changes nothing.

    It comes after all others, or stands at the position of one that it replaces.
    """
    await leases.wake(tx.conn, ThreadId(task_id))
    delivered = await execute(
        tx.conn,
        """
        insert into inbox (inbox_id, workspace_id, task_id, message_id, position)
        overriding system value
        values (%(inbox_id)s, %(workspace_id)s, %(task_id)s, %(message_id)s,
                coalesce(%(position)s, nextval(pg_get_serial_sequence('inbox', 'position'))))
        on conflict do nothing
        """,
        {
            "inbox_id": new_id(),
            "workspace_id": tx.workspace_id,
            "task_id": task_id,
            "message_id": message_id,
            "position": position,
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
               m.text, m.language, m.origin, m.object_ids
        from inbox as i
        join messages as m using (message_id)
        where i.task_id = %(task_id)s
          and i.status = %(status)s
        order by i.position
        """,
        {"task_id": task_id, "status": status},
    )


async def has_read_from(conn: Conn, task_id: TaskId, origin: Origin) -> bool:
    """Tell whether the task has read words that came in there."""
    return bool(
        await fetch_value(
            conn,
            """
            select 1
            from inbox as i
            join messages as m using (message_id)
            where i.task_id = %(task_id)s
              and i.status = 'consumed'
              and m.origin = %(origin)s
            limit 1
            """,
            {"task_id": task_id, "origin": origin},
        )
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


async def newest(
    conn: Conn, workspace_id: WorkspaceId, message_id: MessageId
) -> InboxMessage | None:
    """Return the row of the task that a message was given to last, or None."""
    return await fetch_one(
        conn,
        InboxMessage,
        """
        select i.inbox_id, i.task_id, i.message_id, i.position, i.status, i.consumed_by,
               m.text, m.language, m.origin, m.object_ids
        from inbox as i
        join messages as m using (message_id)
        where i.workspace_id = %(workspace_id)s
          and i.message_id = %(message_id)s
        order by i.position desc
        limit 1
        """,
        {"workspace_id": workspace_id, "message_id": message_id},
    )


async def take_back(
    tx: Tx, waiting: InboxMessage, status: Literal["withdrawn", "replaced", "moved"]
) -> bool:
    """Take a row away that no step has read; False when one has, or it was taken before.

    The caller holds the lock of the task's thread. An inference that has read the row is discarded
    when it wants to commit.
    """
    return (
        await execute(
            tx.conn,
            """
            update inbox
            set status = %(status)s
            where inbox_id = %(inbox_id)s
              and workspace_id = %(workspace_id)s
              and status = 'delivered'
            """,
            {
                "status": status,
                "inbox_id": waiting.inbox_id,
                "workspace_id": tx.workspace_id,
            },
        )
        == 1
    )


async def revive(tx: Tx, task_id: TaskId, message_id: MessageId) -> None:
    """Let a message wait again for a task that it was once moved away from, after all others."""
    await execute(
        tx.conn,
        """
        update inbox
        set status = 'delivered', position = default
        where task_id = %(task_id)s
          and message_id = %(message_id)s
          and workspace_id = %(workspace_id)s
          and status = 'moved'
        """,
        {"task_id": task_id, "message_id": message_id, "workspace_id": tx.workspace_id},
    )


async def last_reader(conn: Conn, task_id: TaskId) -> UUID | None:
    """Return the step that read the newest of the words of people that were read."""
    return await fetch_value(
        conn,
        """
        select i.consumed_by
        from inbox as i
        join messages as m using (message_id)
        where i.task_id = %(task_id)s
          and i.status = 'consumed'
          and m.origin <> 'task'
        order by i.position desc
        limit 1
        """,
        {"task_id": task_id},
    )


async def waiting_count(conn: Conn, task_id: TaskId) -> int:
    """Return how many messages of people wait for the task's next step."""
    return sum(each.is_a_persons for each in await drain(conn, task_id))


async def readers_of(
    conn: Conn, workspace_id: WorkspaceId, message_ids: Sequence[UUID]
) -> dict[UUID, UUID]:
    """Return the steps that read these messages, where they were given last."""
    cursor = await conn.execute(
        """
        select message_id, consumed_by
        from (
            select distinct on (message_id) message_id, consumed_by
            from inbox
            where workspace_id = %(workspace_id)s
              and message_id = any(%(message_ids)s)
            order by message_id, position desc
        ) as given_last
        where consumed_by is not null
        """,
        {"workspace_id": workspace_id, "message_ids": list(message_ids)},
    )
    return dict(await cursor.fetchall())
