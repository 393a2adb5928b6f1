"""Money: reserve before, settle after, release the rest, record everything.

Owns `budgets`, `holds` and `money_entries`. All amounts are integer micro-units. The database
refuses `held + settled > limit`; what a provider charges above the hold, or long after it, is
booked as absorbed, which nothing may refuse. Each change writes an entry for good, and the database
refuses an account that is not the sum of its entries.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from execution.errors import BudgetExhaustedError
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all, fetch_one, fetch_value
from infra.ids import TaskId, WorkspaceId

ADDED = "added to the budget"
"""The note of what a person has added to a task's money, beside any question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """A row of `budgets`."""

    task_id: UUID
    limit_micros: int
    held_micros: int
    settled_micros: int
    absorbed_micros: int

    @property
    def free_micros(self) -> int:
        """What may still be reserved."""
        return self.limit_micros - self.held_micros - self.settled_micros


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The budgets of all tasks of a workspace together."""

    limit_micros: int
    held_micros: int
    settled_micros: int
    absorbed_micros: int


async def of_workspace(conn: Conn, workspace_id: WorkspaceId) -> Account:
    """Return the money of all tasks of a workspace together."""
    found = await fetch_one(
        conn,
        Account,
        """
        select coalesce(sum(limit_micros), 0)::bigint as limit_micros,
               coalesce(sum(held_micros), 0)::bigint as held_micros,
               coalesce(sum(settled_micros), 0)::bigint as settled_micros,
               coalesce(sum(absorbed_micros), 0)::bigint as absorbed_micros
        from budgets
        where workspace_id = %(workspace_id)s
        """,
        {"workspace_id": workspace_id},
    )
    assert found is not None  # noqa: S101 - a sum is always one row
    return found


async def get(conn: Conn, task_id: TaskId) -> Budget:
    """Return a task's money; a task without any has a limit of zero."""
    found = await fetch_one(
        conn,
        Budget,
        """
        select task_id, limit_micros, held_micros, settled_micros, absorbed_micros
        from budgets
        where task_id = %(task_id)s
        """,
        {"task_id": task_id},
    )
    return found or Budget(
        task_id=task_id, limit_micros=0, held_micros=0, settled_micros=0, absorbed_micros=0
    )


async def lock(conn: Conn, task_id: TaskId) -> Budget:
    """Return a task's money and hold its row, so that what is read stays true until the commit."""
    await execute(
        conn,
        "select 1 from budgets where task_id = %(task_id)s for no key update",
        {"task_id": task_id},
    )
    return await get(conn, task_id)


async def spent_today(conn: Conn, workspace_id: WorkspaceId) -> int:
    """Return what this workspace settled or holds since the start of the day, in UTC."""
    return await fetch_value(
        conn,
        """
        select coalesce(sum(case when status = 'held' then amount_micros else settled_micros end),
               0)
        from holds
        where workspace_id = %(workspace_id)s
          and created_at >= date_trunc('day', app_now(), 'UTC')
        """,
        {"workspace_id": workspace_id},
    )


async def raise_limit(tx: Tx, task_id: TaskId, amount_micros: int, note: str) -> None:
    """Add what a person (or a standing allowance) granted for one call to the task's limit."""
    await _move_limit(tx, task_id, amount_micros, note)


async def added(conn: Conn, task_id: TaskId, since: datetime | None) -> int:
    """Return what a person has added to a task's budget, since a moment or ever."""
    return await fetch_value(
        conn,
        """
        select coalesce(sum(amount_micros), 0)::bigint
        from money_entries
        where task_id = %(task_id)s
          and kind = 'limit'
          and note = %(added)s
          and (%(since)s::timestamptz is null or created_at > %(since)s)
        """,
        {"task_id": task_id, "added": ADDED, "since": since},
    )


async def allow(tx: Tx, task_id: TaskId, free_micros: int, note: str) -> None:
    """Let exactly so much be reserved from now on, beside what is held and settled already.

    What an earlier plan left over is not added to what a person saw as the most of the new one.
    """
    change = free_micros - (await lock(tx.conn, task_id)).free_micros
    if change:
        await _move_limit(tx, task_id, change, note)


async def carve(
    tx: Tx, task_id: TaskId, *, into: TaskId, call_key: str, amount_micros: int, note: str
) -> None:
    """Move money that is free from one task's account to another's: no more and no less.

    Raises:
        BudgetExhaustedError: the first has not so much that nothing holds.
    """
    if amount_micros <= 0:
        return
    taken = await execute(
        tx.conn,
        """
        update budgets
        set limit_micros = limit_micros - %(amount)s
        where task_id = %(task_id)s
          and workspace_id = %(workspace_id)s
          and held_micros + settled_micros + %(amount)s <= limit_micros
        """,
        {"amount": amount_micros, "task_id": task_id, "workspace_id": tx.workspace_id},
    )
    if not taken:
        raise BudgetExhaustedError
    await _open_account(tx, into)
    await execute(
        tx.conn,
        "update budgets set limit_micros = limit_micros + %(amount)s where task_id = %(into)s",
        {"amount": amount_micros, "into": into},
    )
    await _enter(tx, task_id, call_key, ("carve", -amount_micros, note))
    await _enter(tx, into, call_key, ("carve", amount_micros, note))


async def _move_limit(tx: Tx, task_id: TaskId, amount_micros: int, note: str) -> None:
    await execute(
        tx.conn,
        """
        insert into budgets (task_id, workspace_id, limit_micros)
        values (%(task_id)s, %(workspace_id)s, greatest(%(amount)s, 0))
        on conflict (task_id) do update set limit_micros = budgets.limit_micros + %(amount)s
        """,
        {"task_id": task_id, "workspace_id": tx.workspace_id, "amount": amount_micros},
    )
    await _enter(tx, task_id, None, ("limit", amount_micros, note))


async def reserve(tx: Tx, task_id: TaskId, call_key: str, amount_micros: int) -> None:
    """Hold the most that a call may cost; once per call.

    Raises:
        BudgetExhaustedError: the limit does not cover it.
    """
    stored = await execute(
        tx.conn,
        """
        insert into holds (workspace_id, call_key, task_id, amount_micros)
        values (%(workspace_id)s, %(call_key)s, %(task_id)s, %(amount)s)
        on conflict do nothing
        """,
        {
            "workspace_id": tx.workspace_id,
            "call_key": call_key,
            "task_id": task_id,
            "amount": amount_micros,
        },
    )
    if not stored:
        return
    await _open_account(tx, task_id)
    reserved = await execute(
        tx.conn,
        """
        update budgets
        set held_micros = held_micros + %(amount)s
        where task_id = %(task_id)s
          and held_micros + settled_micros + %(amount)s <= limit_micros
        """,
        {"amount": amount_micros, "task_id": task_id},
    )
    if not reserved:
        msg = "The approved budget does not cover this call."
        raise BudgetExhaustedError(msg)
    await _enter(tx, task_id, call_key, ("hold", amount_micros, ""))


async def _open_account(tx: Tx, task_id: TaskId) -> None:
    """Give the task an account with a limit of zero, which is enough for what costs nothing."""
    await execute(
        tx.conn,
        """
        insert into budgets (task_id, workspace_id)
        values (%(task_id)s, %(workspace_id)s)
        on conflict do nothing
        """,
        {"task_id": task_id, "workspace_id": tx.workspace_id},
    )


async def settle(tx: Tx, task_id: TaskId, call_key: str, actual_micros: int, basis: str) -> None:
    """Settle a hold at the actual cost and release the rest; a second settlement changes nothing.

    What exceeds the hold is absorbed.
    """
    cursor = await tx.conn.execute(
        """
        update holds
        set status = 'settled', settled_micros = least(amount_micros, %(actual)s),
            absorbed_micros = greatest(%(actual)s - amount_micros, 0), basis = %(basis)s,
            closed_at = app_now()
        where workspace_id = %(workspace_id)s
          and call_key = %(call_key)s
          and status = 'held'
        returning amount_micros, settled_micros, absorbed_micros
        """,
        {
            "actual": actual_micros,
            "basis": basis,
            "workspace_id": tx.workspace_id,
            "call_key": call_key,
        },
    )
    row = await cursor.fetchone()
    if row is None:
        return
    held, settled, absorbed = row
    await _close(tx, task_id, held=held, settled=settled, absorbed=absorbed)
    await _enter(tx, task_id, call_key, ("settle", settled, basis))
    if held > settled:
        await _enter(tx, task_id, call_key, ("release", held - settled, "unused"))
    if absorbed:
        await _enter(tx, task_id, call_key, ("absorb", absorbed, "above the hold"))


async def release(tx: Tx, task_id: TaskId, call_key: str, note: str) -> None:
    """Give a hold back whole, because nothing was charged; a second release changes nothing."""
    amount = await fetch_value(
        tx.conn,
        """
        update holds
        set status = 'released', closed_at = app_now()
        where workspace_id = %(workspace_id)s
          and call_key = %(call_key)s
          and status = 'held'
        returning amount_micros
        """,
        {"workspace_id": tx.workspace_id, "call_key": call_key},
    )
    if amount is None:
        return
    await _close(tx, task_id, held=amount, settled=0, absorbed=0)
    await _enter(tx, task_id, call_key, ("release", amount, note))


async def absorb(tx: Tx, task_id: TaskId, call_key: str, actual_micros: int, basis: str) -> bool:
    """Book what a call turned out to have cost after its hold was given back.

    Nothing may refuse it. Once per call: False when it was booked or the hold is not released.
    """
    booked = await execute(
        tx.conn,
        """
        update holds
        set absorbed_micros = %(actual)s, basis = %(basis)s
        where workspace_id = %(workspace_id)s
          and call_key = %(call_key)s
          and status = 'released'
          and basis is null
        """,
        {
            "actual": actual_micros,
            "basis": basis,
            "workspace_id": tx.workspace_id,
            "call_key": call_key,
        },
    )
    if not booked:
        return False
    await _close(tx, task_id, held=0, settled=0, absorbed=actual_micros)
    if actual_micros:
        await _enter(tx, task_id, call_key, ("absorb", actual_micros, "after its release"))
    return True


async def _close(tx: Tx, task_id: TaskId, *, held: int, settled: int, absorbed: int) -> None:
    await execute(
        tx.conn,
        """
        update budgets
        set held_micros = held_micros - %(held)s, settled_micros = settled_micros + %(settled)s,
            absorbed_micros = absorbed_micros + %(absorbed)s
        where task_id = %(task_id)s
        """,
        {"held": held, "settled": settled, "absorbed": absorbed, "task_id": task_id},
    )


async def _enter(
    tx: Tx, task_id: TaskId, call_key: str | None, entry: tuple[str, int, str]
) -> None:
    kind, amount_micros, note = entry
    await execute(
        tx.conn,
        """
        insert into money_entries (workspace_id, task_id, call_key, kind, amount_micros, note)
        values (%(workspace_id)s, %(task_id)s, %(call_key)s, %(kind)s, %(amount)s, %(note)s)
        """,
        {
            "workspace_id": tx.workspace_id,
            "task_id": task_id,
            "call_key": call_key,
            "kind": kind,
            "amount": amount_micros,
            "note": note,
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """What a call holds and what it came to; `basis` says how its cost is known."""

    call_key: str
    held_micros: int
    settled_micros: int
    absorbed_micros: int
    basis: str | None


async def holds_of(conn: Conn, task_id: TaskId) -> dict[str, Hold]:
    """Return what a task's calls hold and cost, by call key."""
    holds = await fetch_all(
        conn,
        Hold,
        """
        select call_key, case when status = 'held' then amount_micros else 0 end as held_micros,
               settled_micros, absorbed_micros, basis
        from holds
        where task_id = %(task_id)s
        """,
        {"task_id": task_id},
    )
    return {hold.call_key: hold for hold in holds}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row of `money_entries`: one change of an account, for good."""

    entry_id: int
    call_key: str | None
    kind: str
    amount_micros: int
    note: str
    created_at: datetime


async def entries_of(conn: Conn, task_id: TaskId) -> list[Entry]:
    """Return every change of a task's account, oldest first; the account is their sum."""
    return await fetch_all(
        conn,
        Entry,
        """
        select entry_id, call_key, kind, amount_micros, note, created_at
        from money_entries
        where task_id = %(task_id)s
        order by entry_id
        """,
        {"task_id": task_id},
    )
