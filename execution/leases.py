"""Who may work on a thread, until when, and what woke it.

Owns `threads` and `turns`. Every claim raises the thread's generation, which never restarts; it is
the fencing token that each writing transaction checks under a row lock (a check without the lock is
no fence). Expiry is judged by the database clock only. A wake raises `wake_seq` in the transaction
of what happened; a turn ends by compare-and-set on the value its stop-check had read, so nothing
that arrives at the finish is lost.
"""

from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Literal, LiteralString
from uuid import UUID, uuid4

from execution.errors import StaleLeaseError
from infra.db.query import Conn, execute, fetch_one, fetch_value
from infra.ids import ThreadId, TurnId, WorkspaceId, new_id

RENEW: LiteralString = """
    update turns
    set lease_expires_at = app_now() + %(lease)s
    where turn_id = %(id)s
      and generation = %(generation)s
      and status = 'active'
      and lease_expires_at > app_now()
"""
"""Extends a turn's lease by the database clock; no row when it has expired or was taken over."""

ENDED: LiteralString = """
    select 1
    from turns
    where turn_id = %(id)s
      and generation = %(generation)s
      and status <> 'active'
"""
"""A row when this holder's turn has ended: there is nothing to renew, and nothing was lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """The right to write to a thread: valid while its generation is the thread's."""

    thread_id: ThreadId
    generation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A claimed turn: what a worker holds while it runs a graph."""

    thread_id: ThreadId
    workspace_id: WorkspaceId
    kind: Literal["main", "task"]
    turn_id: TurnId
    generation: int
    holder: UUID
    attempts: int

    @property
    def fence(self) -> Fence:
        """The fence that this lease gives."""
        return Fence(thread_id=self.thread_id, generation=self.generation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A row of `threads`: whose it is, and its newest checkpoint."""

    thread_id: UUID
    workspace_id: UUID
    kind: Literal["main", "task"]
    head_checkpoint_id: str | None


async def create_thread(
    conn: Conn,
    thread_id: ThreadId,
    workspace_id: WorkspaceId,
    kind: Literal["main", "task"],
    *,
    holds_order: bool = False,
) -> None:
    """Create a thread; a second creation with the same id changes nothing."""
    await execute(
        conn,
        """
        insert into threads (thread_id, workspace_id, kind, holds_order)
        values (%(thread_id)s, %(workspace_id)s, %(kind)s, %(holds_order)s)
        on conflict do nothing
        """,
        {
            "thread_id": thread_id,
            "workspace_id": workspace_id,
            "kind": kind,
            "holds_order": holds_order,
        },
    )


async def wake(conn: Conn, thread_id: ThreadId) -> int:
    """Record that something happened to the thread; return its new wake_seq.

    Takes the thread's row lock: call it before touching ledger or money in the same transaction.
    """
    return await fetch_value(
        conn,
        """
        update threads
        set wake_seq = wake_seq + 1
        where thread_id = %(thread_id)s
        returning wake_seq
        """,
        {"thread_id": thread_id},
    )


async def lock(conn: Conn, thread_id: ThreadId) -> None:
    """Take the thread's row lock, to keep the lock order when a wake may follow."""
    sql: LiteralString = "select 1 from threads where thread_id = %(thread_id)s for no key update"
    await execute(conn, sql, {"thread_id": thread_id})


async def check(conn: Conn, fence: Fence) -> None:
    """Refuse a stale holder, and hold off takeovers until this transaction ends.

    Raises:
        StaleLeaseError: the thread has a newer generation.
    """
    found = await execute(
        conn,
        """
        select 1
        from threads
        where thread_id = %(thread_id)s
          and generation = %(generation)s
        for share
        """,
        {"thread_id": fence.thread_id, "generation": fence.generation},
    )
    if not found:
        raise StaleLeaseError


async def claim(
    conn: Conn, thread_id: ThreadId, *, lease_seconds: float, graph_version: str
) -> Lease | None:
    """Take the thread if it was woken and nobody holds it; otherwise return None.

    An expired turn is taken over: same turn, next attempt, next generation. Main threads are
    claimed in order within their workspace until their route is committed.
    """
    thread = await fetch_one(
        conn,
        Thread,
        """
        select thread_id, workspace_id, kind, head_checkpoint_id
        from threads as t
        where thread_id = %(thread_id)s
          and wake_seq > handled_seq
          and is_its_turn(t)
        for no key update skip locked
        """,
        {"thread_id": thread_id},
    )
    if thread is None or await _is_leased(conn, thread_id):
        return None
    generation = await fetch_value(
        conn,
        """
        update threads
        set generation = generation + 1, wake_at = null
        where thread_id = %(thread_id)s
        returning generation
        """,
        {"thread_id": thread_id},
    )
    holder = uuid4()
    turn_id, attempts = await _take_turn(
        conn,
        thread,
        generation=generation,
        holder=holder,
        lease_seconds=lease_seconds,
        graph_version=graph_version,
    )
    return Lease(
        thread_id=thread_id,
        workspace_id=WorkspaceId(thread.workspace_id),
        kind=thread.kind,
        turn_id=turn_id,
        generation=generation,
        holder=holder,
        attempts=attempts,
    )


async def current(conn: Conn, thread_id: ThreadId) -> Lease | None:
    """Return the live lease that Studio holds on a thread, if it holds one."""
    return await fetch_one(
        conn,
        Lease,
        """
        select threads.thread_id, threads.workspace_id, threads.kind, turns.turn_id,
               turns.generation, turns.holder, turns.attempts
        from turns
        join threads using (thread_id)
        where thread_id = %(thread_id)s
          and turns.status = 'active'
          and turns.graph_version = 'studio'
          and turns.lease_expires_at > app_now()
        """,
        {"thread_id": thread_id},
    )


async def _is_leased(conn: Conn, thread_id: ThreadId) -> bool:
    return bool(
        await fetch_value(
            conn,
            """
            select 1
            from turns
            where thread_id = %(thread_id)s
              and status = 'active'
              and lease_expires_at > app_now()
            """,
            {"thread_id": thread_id},
        )
    )


async def _take_turn(
    conn: Conn,
    thread: Thread,
    *,
    generation: int,
    holder: UUID,
    lease_seconds: float,
    graph_version: str,
) -> tuple[TurnId, int]:
    values = {
        "turn_id": new_id(),
        "thread_id": thread.thread_id,
        "workspace_id": thread.workspace_id,
        "generation": generation,
        "holder": holder,
        "lease": timedelta(seconds=lease_seconds),
        "graph_version": graph_version,
    }
    cursor = await conn.execute(
        """
        update turns
        set generation = %(generation)s, holder = %(holder)s, attempts = attempts + 1,
            lease_expires_at = app_now() + %(lease)s, graph_version = %(graph_version)s
        where thread_id = %(thread_id)s
          and status = 'active'
        returning turn_id, attempts
        """,
        values,
    )
    row = await cursor.fetchone()
    if row is None:
        cursor = await conn.execute(
            """
            insert into turns (turn_id, thread_id, workspace_id, number, generation, holder,
                               lease_expires_at, graph_version)
            select %(turn_id)s, %(thread_id)s, %(workspace_id)s,
                   coalesce(max(number), 0) + 1, %(generation)s, %(holder)s,
                   app_now() + %(lease)s, %(graph_version)s
            from turns
            where thread_id = %(thread_id)s
            returning turn_id, attempts
            """,
            values,
        )
        row = await cursor.fetchone()
    assert row is not None  # noqa: S101 - an insert ... select of an aggregate gives one row
    return TurnId(row[0]), row[1]


async def read_wake_seq(conn: Conn, thread_id: ThreadId) -> int:
    """Return the thread's wake_seq: read it before the facts that a verdict rests on."""
    return await fetch_value(
        conn,
        "select wake_seq from threads where thread_id = %(thread_id)s",
        {"thread_id": thread_id},
    )


async def end_turn(
    conn: Conn, fence: Fence, *, wake_seq: int, outcome: str, look_again: timedelta | None = None
) -> bool:
    """End the turn if nothing has woken the thread since `wake_seq` was read; else False.

    It is woken after `look_again`, unless something wakes it before.

    Raises:
        StaleLeaseError: the turn has ended, or is another holder's.
    """
    ended = await execute(
        conn,
        """
        update threads
        set handled_seq = %(wake_seq)s, wake_at = app_now() + %(look_again)s::interval
        where thread_id = %(thread_id)s
          and generation = %(generation)s
          and wake_seq = %(wake_seq)s
        """,
        {"wake_seq": wake_seq, "look_again": look_again, **asdict(fence)},
    )
    if ended:
        await _finish_turn(conn, fence, outcome)
    else:
        await _check_turn(conn, fence)
    return bool(ended)


async def _check_turn(conn: Conn, fence: Fence) -> None:
    sql: LiteralString = "select generation from turns where thread_id = %s and status = 'active'"
    cursor = await conn.execute(sql, [fence.thread_id])
    if await cursor.fetchone() != (fence.generation,):
        raise StaleLeaseError


async def give_back(conn: Conn, lease: Lease, *, delay_seconds: float) -> None:
    """End this attempt but not the turn: anyone may take it over after the delay."""
    await execute(
        conn,
        """
        update turns
        set lease_expires_at = app_now() + %(delay)s
        where turn_id = %(turn_id)s
          and holder = %(holder)s
          and status = 'active'
        """,
        {
            "delay": timedelta(seconds=delay_seconds),
            "turn_id": lease.turn_id,
            "holder": lease.holder,
        },
    )


async def release_order(conn: Conn, thread_id: ThreadId) -> ThreadId | None:
    """Let the workspace's next message be routed; return its thread, if one waits."""
    await execute(
        conn,
        "update threads set holds_order = false where thread_id = %(thread_id)s",
        {"thread_id": thread_id},
    )
    following = await fetch_value(
        conn,
        """
        select t.thread_id
        from threads as t
        join threads as this on this.workspace_id = t.workspace_id
        where this.thread_id = %(thread_id)s
          and t.holds_order
        order by t.created_at, t.thread_id
        limit 1
        """,
        {"thread_id": thread_id},
    )
    return ThreadId(following) if following else None


async def runnable(conn: Conn, *, limit: int = 200) -> list[ThreadId]:
    """Return threads that were woken, whose turn it is and that no live lease holds."""
    cursor = await conn.execute(
        """
        select thread_id
        from threads as t
        where wake_seq > handled_seq
          and not exists (
              select 1
              from turns
              where turns.thread_id = t.thread_id
                and status = 'active'
                and lease_expires_at > app_now()
          )
          and is_its_turn(t)
        order by created_at
        limit %(limit)s
        """,
        {"limit": limit},
    )
    return [ThreadId(row[0]) for row in await cursor.fetchall()]


async def fire_timers(conn: Conn, *, limit: int = 200) -> list[ThreadId]:
    """Wake every thread whose timer is due; return them."""
    cursor = await conn.execute(
        """
        update threads
        set wake_seq = wake_seq + 1, wake_at = null
        where thread_id in (
            select thread_id
            from threads
            where wake_at <= app_now()
            order by wake_at
            limit %(limit)s
            for update skip locked
        )
        returning thread_id
        """,
        {"limit": limit},
    )
    return [ThreadId(row[0]) for row in await cursor.fetchall()]


async def read_head(conn: Conn, thread_id: ThreadId) -> Thread | None:
    """Return the thread, or None when the id is no fenced thread."""
    return await fetch_one(
        conn,
        Thread,
        """
        select thread_id, workspace_id, kind, head_checkpoint_id
        from threads
        where thread_id = %(thread_id)s
        """,
        {"thread_id": thread_id},
    )


async def move_head(conn: Conn, fence: Fence, *, parent: str | None, head: str) -> bool:
    """Move the thread's checkpoint head by compare-and-set; True when it stands there now."""
    return (
        await execute(
            conn,
            """
            update threads
            set head_checkpoint_id = %(head)s
            where thread_id = %(thread_id)s
              and generation = %(generation)s
              and (head_checkpoint_id is not distinct from %(parent)s
                   or head_checkpoint_id = %(head)s)
            """,
            {
                "head": head,
                "parent": parent,
                "thread_id": fence.thread_id,
                "generation": fence.generation,
            },
        )
        == 1
    )


async def rest(conn: Conn, fence: Fence, *, outcome: str, seconds: float) -> None:
    """End the turn and wake the thread after a while, or as soon as something happens to it.

    Raises:
        StaleLeaseError: as for `end_turn`.
    """
    await _leave(conn, fence, timedelta(seconds=seconds))
    await _finish_turn(conn, fence, outcome)


async def finish(conn: Conn, fence: Fence, *, outcome: str) -> None:
    """End a thread that has nothing left to do, whatever has woken it meanwhile.

    Raises:
        StaleLeaseError: as for `end_turn`.
    """
    await _leave(conn, fence, None)
    await _finish_turn(conn, fence, outcome)


async def _leave(conn: Conn, fence: Fence, pause: timedelta | None) -> None:
    await execute(
        conn,
        """
        update threads
        set handled_seq = wake_seq, wake_at = app_now() + %(pause)s::interval,
            holds_order = holds_order and %(pause)s::interval is not null
        where thread_id = %(thread_id)s
          and generation = %(generation)s
        """,
        {"pause": pause, "thread_id": fence.thread_id, "generation": fence.generation},
    )


async def _finish_turn(conn: Conn, fence: Fence, outcome: str) -> None:
    # Its fence still stands, so that the checkpoint after it can be written: who has ended the
    # turn and does not know it would otherwise end it again, over wakes that nobody has seen.
    if not await execute(
        conn,
        """
        update turns
        set status = 'finished', outcome = %(outcome)s, finished_at = app_now()
        where thread_id = %(thread_id)s
          and status = 'active'
          and generation = %(generation)s
        """,
        {"outcome": outcome, "thread_id": fence.thread_id, "generation": fence.generation},
    ):
        raise StaleLeaseError
