"""Words between tasks: asked, answered, given as a goal, or told by code. Data, never a permission.

Owns `task_words`. A word is written with the decision that said it and delivered afterwards, in a
transaction of its own, under both threads' locks: so no task holds its own thread while it wants
another's. Delivered, it is a message of the origin `task` in the other's inbox.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID

from execution import inbox
from execution.messages import Origin
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all, fetch_one, fetch_value
from infra.ids import MessageId, TaskId, WorkspaceId, new_id

MAX_CHARACTERS = 4000
MAX_WORDS = 10
"""So many words a task may say to others until a person writes to it again."""
MAX_OPEN_QUESTIONS = 3
"""So many of its questions may be open at once."""


class Kind(StrEnum):
    """What a word is."""

    GOAL = "goal"
    QUESTION = "question"
    WORD = "word"
    ANSWER = "answer"
    REPORT = "report"


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A row of `task_words`; its id is that of the message that it becomes."""

    word_id: UUID
    workspace_id: UUID
    kind: Kind
    from_task: UUID
    to_task: UUID
    from_title: str
    text: str
    language: str
    cause: str
    confirms_each_call: bool
    status: str
    question: str | None
    created_at: datetime


async def send(
    tx: Tx,
    *,
    kind: Kind,
    from_task: TaskId,
    to_task: TaskId,
    from_title: str,
    text: str,
    language: str,
    cause: str,
    word_id: MessageId | None = None,
) -> None:
    """Write a word that waits to be delivered; one cause says it once."""
    await execute(
        tx.conn,
        """
        insert into task_words (word_id, workspace_id, kind, from_task, to_task, from_title, text,
                                language, cause, confirms_each_call, question)
        values (%(word_id)s, %(workspace_id)s, %(kind)s, %(from_task)s, %(to_task)s,
                %(from_title)s, %(text)s, %(language)s, %(cause)s, %(confirms)s, %(question)s)
        on conflict (workspace_id, cause) do nothing
        """,
        {
            "word_id": word_id or new_id(),
            "workspace_id": tx.workspace_id,
            "kind": kind,
            "from_task": from_task,
            "to_task": to_task,
            "from_title": from_title,
            "text": text,
            "language": language,
            "cause": cause,
            "confirms": await confirms_each_call(tx.conn, from_task),
            "question": "open" if kind is Kind.QUESTION else None,
        },
    )


async def confirms_each_call(conn: Conn, task_id: TaskId) -> bool:
    """Tell whether words that came over the open API have a part in a task's work.

    A person's words to it, or the words of another task in whose work they had a part.
    """
    if await inbox.has_read_from(conn, task_id, Origin.API_KEY):
        return True
    return bool(
        await fetch_value(
            conn,
            """
            select 1
            from task_words
            where to_task = %(task_id)s
              and status = 'delivered'
              and confirms_each_call
            limit 1
            """,
            {"task_id": task_id},
        )
    )


async def settle(
    tx: Tx, word_id: MessageId, status: Literal["delivered", "undelivered"], text: str
) -> Word | None:
    """Say what became of a word that waited, and what it says; None when somebody else has.

    A question that nobody gets has lapsed. The caller holds the locks of both threads.
    """
    return await fetch_one(
        tx.conn,
        Word,
        """
        update task_words
        set status = %(status)s, text = %(text)s,
            question = case when question = 'open' and %(status)s = 'undelivered' then 'lapsed'
                            else question end
        where word_id = %(word_id)s
          and workspace_id = %(workspace_id)s
          and status = 'pending'
        returning word_id, workspace_id, kind, from_task, to_task, from_title, text, language,
                  cause, confirms_each_call, status, question, created_at
        """,
        {
            "status": status,
            "text": text,
            "word_id": word_id,
            "workspace_id": tx.workspace_id,
        },
    )


async def pending(conn: Conn, *, from_task: TaskId | None = None, limit: int = 200) -> list[Word]:
    """Return the words that wait to be delivered, of one task or of all, oldest first."""
    return await fetch_all(
        conn,
        Word,
        """
        select word_id, workspace_id, kind, from_task, to_task, from_title, text, language, cause,
               confirms_each_call, status, question, created_at
        from task_words
        where status = 'pending'
          and (%(from_task)s::uuid is null or from_task = %(from_task)s)
        order by created_at, word_id
        limit %(limit)s
        """,
        {"from_task": from_task, "limit": limit},
    )


async def of_messages(
    conn: Conn, workspace_id: WorkspaceId, message_ids: Sequence[UUID]
) -> dict[UUID, Word]:
    """Return what is known of those of these messages that other tasks have written."""
    rows = await fetch_all(
        conn,
        Word,
        """
        select word_id, workspace_id, kind, from_task, to_task, from_title, text, language, cause,
               confirms_each_call, status, question, created_at
        from task_words
        where workspace_id = %(workspace_id)s
          and word_id = any(%(message_ids)s)
        """,
        {"workspace_id": workspace_id, "message_ids": list(message_ids)},
    )
    return {row.word_id: row for row in rows}


async def open_questions(
    conn: Conn, *, from_task: UUID | None = None, to_task: UUID | None = None
) -> list[Word]:
    """Return the questions that nobody has answered, oldest first."""
    return await fetch_all(
        conn,
        Word,
        """
        select word_id, workspace_id, kind, from_task, to_task, from_title, text, language, cause,
               confirms_each_call, status, question, created_at
        from task_words
        where question = 'open'
          and (%(from_task)s::uuid is null or from_task = %(from_task)s)
          and (%(to_task)s::uuid is null or to_task = %(to_task)s)
        order by created_at, word_id
        """,
        {"from_task": from_task, "to_task": to_task},
    )


async def answer(tx: Tx, from_task: TaskId, to_task: TaskId) -> bool:
    """Answer what a task was asked by another; False when nothing was open between them."""
    return bool(
        await execute(
            tx.conn,
            """
            update task_words
            set question = 'answered'
            where from_task = %(asker)s
              and to_task = %(asked)s
              and question = 'open'
              and status = 'delivered'
            """,
            {"asker": to_task, "asked": from_task},
        )
    )


async def lapse(tx: Tx, asked: TaskId) -> list[Word]:
    """End the questions that a task was asked and will not answer by itself; return them."""
    return await fetch_all(
        tx.conn,
        Word,
        """
        update task_words
        set question = 'lapsed'
        where to_task = %(asked)s
          and question = 'open'
          and status = 'delivered'
        returning word_id, workspace_id, kind, from_task, to_task, from_title, text, language,
                  cause, confirms_each_call, status, question, created_at
        """,
        {"asked": asked},
    )


async def forget_questions(tx: Tx, asker: TaskId) -> None:
    """End the questions of a task that has ended itself: nobody waits for their answers."""
    await execute(
        tx.conn,
        """
        update task_words
        set question = 'lapsed'
        where from_task = %(asker)s
          and question = 'open'
          and status = 'delivered'
        """,
        {"asker": asker},
    )


async def would_close_a_cycle(conn: Conn, asker: TaskId, asked: TaskId) -> bool:
    """Tell whether who is to be asked waits, through open questions, for the one that asks."""
    return bool(
        await fetch_value(
            conn,
            """
            with recursive waits_for as (
                select %(asked)s::uuid as task_id
                union
                select w.to_task
                from task_words as w
                join waits_for on waits_for.task_id = w.from_task
                where w.question = 'open'
            )
            select 1 from waits_for where task_id = %(asker)s
            """,
            {"asker": asker, "asked": asked},
        )
    )


async def said_since(conn: Conn, task_id: TaskId, since: datetime | None) -> int:
    """Return how many words a task has said to others by itself since then."""
    return await fetch_value(
        conn,
        """
        select count(*)
        from task_words
        where from_task = %(task_id)s
          and kind in ('question', 'word', 'answer')
          and (%(since)s::timestamptz is null or created_at > %(since)s)
        """,
        {"task_id": task_id, "since": since},
    )


async def awaited_by(conn: Conn, task_id: TaskId) -> list[UUID]:
    """Return the tasks whose words will come to this one: asked and not answered, or on the way."""
    cursor = await conn.execute(
        """
        select to_task from task_words where from_task = %(task_id)s and question = 'open'
        union
        select from_task from task_words where to_task = %(task_id)s and status = 'pending'
        """,
        {"task_id": task_id},
    )
    return sorted(row[0] for row in await cursor.fetchall())


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many words a task has sent and got."""

    sent: int
    received: int


async def counts(conn: Conn, task_id: TaskId) -> Counts:
    """Return how many words a task has sent to others and got of them."""
    found = await fetch_one(
        conn,
        Counts,
        """
        select count(*) filter (where from_task = %(task_id)s) as sent,
               count(*) filter (where to_task = %(task_id)s and status = 'delivered') as received
        from task_words
        where from_task = %(task_id)s or to_task = %(task_id)s
        """,
        {"task_id": task_id},
    )
    assert found is not None  # noqa: S101 - a count is always one row
    return found
