"""Steps: one inference and the calls it proposed; and what happened to the calls afterwards.

Owns `steps` and `happenings`. A step's row is the proof that the model was asked: a re-run that
finds it does not ask again. A call's key `turn/step/seq` is minted here, once, and afterwards only
read.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all, fetch_one, fetch_value
from infra.ids import StepId, TaskId, ThreadId, TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A row of `steps`; `calls` are as the model wrote them, with their keys."""

    step_id: UUID
    thread_id: UUID
    turn_id: UUID
    number: int
    model: str
    content: str
    calls: list[dict[str, Any]]
    usage: dict[str, Any]
    status: str
    verdict: str | None
    reason: str | None
    progress: bool | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """Something that became known about a call after its tool message was written."""

    happening_id: int
    call_key: str | None
    text: str
    created_at: datetime


def call_key(turn_id: TurnId, number: int, seq: int) -> str:
    """Mint the stable business id of a call: `turn/step/seq`."""
    return f"{turn_id}/{number}/{seq}"


async def next_number(conn: Conn, thread_id: ThreadId) -> int:
    """Return the number that the thread's next step will have."""
    return await fetch_value(
        conn,
        "select coalesce(max(number), 0) + 1 from steps where thread_id = %(thread_id)s",
        {"thread_id": thread_id},
    )


async def open_step(conn: Conn, thread_id: ThreadId) -> Step | None:
    """Return the thread's open step, if its decision was committed and not yet closed."""
    return await fetch_one(
        conn,
        Step,
        """
        select step_id, thread_id, turn_id, number, model, content, calls, usage, status, verdict,
               reason, progress, created_at
        from steps
        where thread_id = %(thread_id)s
          and status = 'open'
        """,
        {"thread_id": thread_id},
    )


async def record(
    tx: Tx,
    step_id: StepId,
    *,
    thread_id: ThreadId,
    turn_id: TurnId,
    number: int,
    model: str,
    content: str,
    calls: list[dict[str, Any]],
    usage: dict[str, Any],
    prompt_sha256: str,
    read_wake_seq: int,
    read_at: datetime,
) -> None:
    """Store a decision; the unique number and the one open step per thread refuse a second one.

    `read_at` is when its prompt was read, by the database clock: what happened later is unseen.
    """
    await execute(
        tx.conn,
        """
        insert into steps (step_id, workspace_id, thread_id, turn_id, number, model, content, calls,
                           usage, prompt_sha256, read_wake_seq, created_at)
        values (%(step_id)s, %(workspace_id)s, %(thread_id)s, %(turn_id)s, %(number)s, %(model)s,
                %(content)s, %(calls)s, %(usage)s, %(prompt_sha256)s, %(read_wake_seq)s,
                %(read_at)s)
        """,
        {
            "step_id": step_id,
            "workspace_id": tx.workspace_id,
            "thread_id": thread_id,
            "turn_id": turn_id,
            "number": number,
            "model": model,
            "content": content,
            "calls": Jsonb(calls),
            "usage": Jsonb(usage),
            "prompt_sha256": prompt_sha256,
            "read_wake_seq": read_wake_seq,
            "read_at": read_at,
        },
    )
    tx.emit(
        "step.started",
        {"task_id": str(thread_id), "number": number},
        task_id=TaskId(thread_id),
    )


async def close(tx: Tx, thread_id: ThreadId, *, verdict: str, reason: str, progress: bool) -> None:
    """Close the thread's open step with the stop-check's verdict; nothing when none is open."""
    number = await fetch_value(
        tx.conn,
        """
        update steps
        set status = 'closed', verdict = %(verdict)s, reason = %(reason)s, progress = %(progress)s,
            closed_at = app_now()
        where thread_id = %(thread_id)s
          and status = 'open'
        returning number
        """,
        {"verdict": verdict, "reason": reason, "progress": progress, "thread_id": thread_id},
    )
    if number is not None:
        tx.emit(
            "step.finished",
            {"task_id": str(thread_id), "number": number, "verdict": verdict, "reason": reason},
            task_id=TaskId(thread_id),
        )


async def history(conn: Conn, thread_id: ThreadId, *, limit: int) -> list[Step]:
    """Return the thread's newest steps, oldest of them first."""
    rows = await fetch_all(
        conn,
        Step,
        """
        select step_id, thread_id, turn_id, number, model, content, calls, usage, status, verdict,
               reason, progress, created_at
        from steps
        where thread_id = %(thread_id)s
        order by number desc
        limit %(limit)s
        """,
        {"thread_id": thread_id, "limit": limit},
    )
    return rows[::-1]


async def now(conn: Conn) -> datetime:
    """Return the time by the database clock, for a prompt that is being read."""
    return await fetch_value(conn, "select app_now()", {})


async def read_at(conn: Conn, step_id: UUID) -> datetime | None:
    """Return when a step's prompt was read."""
    return await fetch_value(
        conn, "select created_at from steps where step_id = %(step_id)s", {"step_id": step_id}
    )


async def number_of(conn: Conn, step_id: UUID) -> int | None:
    """Return a step's number within its thread."""
    return (await numbers_of(conn, [step_id])).get(step_id)


async def numbers_of(conn: Conn, step_ids: Collection[UUID]) -> dict[UUID, int]:
    """Return the steps' numbers, each within its thread."""
    cursor = await conn.execute(
        "select step_id, number from steps where step_id = any(%(step_ids)s)",
        {"step_ids": list(step_ids)},
    )
    return dict(await cursor.fetchall())


async def prompts_of(conn: Conn, step_ids: Collection[UUID]) -> list[str]:
    """Return the prints of the prompts that these steps came of."""
    cursor = await conn.execute(
        "select prompt_sha256 from steps where step_id = any(%(step_ids)s) order by created_at",
        {"step_ids": list(step_ids)},
    )
    return [row[0] for row in await cursor.fetchall()]


async def happen(tx: Tx, task_id: TaskId, text: str, *, call_key: str | None) -> None:
    """Record what the model must be told at its next step, and about which call."""
    await execute(
        tx.conn,
        """
        insert into happenings (workspace_id, task_id, call_key, text)
        values (%(workspace_id)s, %(task_id)s, %(call_key)s, %(text)s)
        """,
        {
            "workspace_id": tx.workspace_id,
            "task_id": task_id,
            "call_key": call_key,
            "text": text,
        },
    )


async def recent_happenings(conn: Conn, task_id: TaskId, *, limit: int) -> list[Happening]:
    """Return the newest happenings of a task, oldest of them first."""
    rows = await fetch_all(
        conn,
        Happening,
        """
        select happening_id, call_key, text, created_at
        from happenings
        where task_id = %(task_id)s
        order by happening_id desc
        limit %(limit)s
        """,
        {"task_id": task_id, "limit": limit},
    )
    return rows[::-1]


async def happened_since(conn: Conn, task_id: TaskId, since: datetime | None) -> int:
    """Return how many happenings the last inference has not seen."""
    return await fetch_value(
        conn,
        """
        select count(*)
        from happenings
        where task_id = %(task_id)s
          and (%(since)s::timestamptz is null or created_at > %(since)s)
        """,
        {"task_id": task_id, "since": since},
    )
