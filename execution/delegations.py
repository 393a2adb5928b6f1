"""Children: tasks that work for another one, with money and rounds carved from its own.

Owns `delegations`. Carved money moves in the transaction of the decision that gives the work away;
what the child has not spent comes back in the transaction in which it ends, and what its running
jobs still held, in those in which they end. Of a child's money the carved part is spent first, so
nothing that a person gave to the child itself ever goes to its parent. Locks: a child's account is
locked before its parent's, and who locks several threads takes them in the order of their ids.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from execution import approvals, budget, words
from execution.budget import Budget
from execution.tx import Tx
from execution.words import Kind
from infra.db.query import Conn, execute, fetch_all, fetch_one, fetch_value
from infra.ids import TaskId, ThreadId, WorkspaceId, new_id

MAX_DEPTH = 2
"""A child may have children of its own; these have none."""
MAX_OPEN_CHILDREN = 3
MAX_CHILDREN = 8
"""So many children a task may have in one life of it."""
ROUNDS_SHARE = 4
"""A child gets this part of the rounds that its parent has left."""
TELLS_OF = frozenset(
    {"approval", "review", "budget", "limit", "answer", "no_progress", "blocked", "paused"}
)
"""Rests of a child that end with a person: its parent is told once of each."""
GIVES_UP = frozenset({"answer", "no_progress", "blocked"})
"""Rests in which a task does nothing more by itself: what it was asked stays unanswered."""
_NOTED = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """A row of `delegations`."""

    child_id: UUID
    workspace_id: UUID
    parent_id: UUID
    call_key: str
    epoch: int
    depth: int
    carved_micros: int
    returned_micros: int
    carved_rounds: int
    used_rounds: int | None
    reported: str | None
    paused_with_parent: bool
    created_at: datetime
    closed_at: datetime | None

    @property
    def is_open(self) -> bool:
        """Whether the child has not ended yet."""
        return self.closed_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """A task that has come to rest, or has ended."""

    task_id: TaskId
    title: str
    language: str
    rounds: int
    name: str
    """What it waits for, `paused`, or how it has ended."""
    has_ended: bool


async def begin(
    tx: Tx,
    *,
    child_id: TaskId,
    parent_id: TaskId,
    call_key: str,
    epoch: int,
    depth: int,
    micros: int,
    rounds: int,
) -> None:
    """Make a new task another's child, and move the money to it.

    Raises:
        BudgetExhaustedError: the parent has not so much that is free.
    """
    await execute(
        tx.conn,
        """
        insert into delegations (child_id, workspace_id, parent_id, call_key, epoch, depth,
                                 carved_micros, carved_rounds)
        values (%(child_id)s, %(workspace_id)s, %(parent_id)s, %(call_key)s, %(epoch)s, %(depth)s,
                %(micros)s, %(rounds)s)
        """,
        {
            "child_id": child_id,
            "workspace_id": tx.workspace_id,
            "parent_id": parent_id,
            "call_key": call_key,
            "epoch": epoch,
            "depth": depth,
            "micros": micros,
            "rounds": rounds,
        },
    )
    await budget.carve(
        tx, parent_id, into=child_id, call_key=call_key, amount_micros=micros, note="to a child"
    )


async def of_child(conn: Conn, child_id: TaskId) -> Delegation | None:
    """Return whose child a task is, or was."""
    return await fetch_one(
        conn,
        Delegation,
        """
        select child_id, workspace_id, parent_id, call_key, epoch, depth, carved_micros,
               returned_micros, carved_rounds, used_rounds, reported, paused_with_parent,
               created_at, closed_at
        from delegations
        where child_id = %(child_id)s
        """,
        {"child_id": child_id},
    )


async def of_parent(conn: Conn, workspace_id: WorkspaceId, parent_id: TaskId) -> list[Delegation]:
    """Return the children of a task, oldest first."""
    return await fetch_all(
        conn,
        Delegation,
        """
        select child_id, workspace_id, parent_id, call_key, epoch, depth, carved_micros,
               returned_micros, carved_rounds, used_rounds, reported, paused_with_parent,
               created_at, closed_at
        from delegations
        where workspace_id = %(workspace_id)s
          and parent_id = %(parent_id)s
        order by created_at, child_id
        """,
        {"workspace_id": workspace_id, "parent_id": parent_id},
    )


async def family(conn: Conn, task_id: TaskId) -> list[Delegation]:
    """Return everybody who works for a task now, the deepest first."""
    return await fetch_all(
        conn,
        Delegation,
        """
        with recursive below as (
            select child_id
            from delegations
            where parent_id = %(task_id)s
              and closed_at is null
            union
            select d.child_id
            from delegations as d
            join below on below.child_id = d.parent_id
            where d.closed_at is null
        )
        select child_id, workspace_id, parent_id, call_key, epoch, depth, carved_micros,
               returned_micros, carved_rounds, used_rounds, reported, paused_with_parent,
               created_at, closed_at
        from delegations
        join below using (child_id)
        order by depth desc, child_id
        """,
        {"task_id": task_id},
    )


async def ancestors(conn: Conn, task_id: TaskId) -> list[TaskId]:
    """Return for whom a task works, the nearest first."""
    cursor = await conn.execute(
        """
        with recursive above as (
            select parent_id, depth
            from delegations
            where child_id = %(task_id)s
            union
            select d.parent_id, d.depth
            from delegations as d
            join above on above.parent_id = d.child_id
        )
        select parent_id from above order by depth desc
        """,
        {"task_id": task_id},
    )
    return [TaskId(row[0]) for row in await cursor.fetchall()]


async def rounds_taken(conn: Conn, task_id: TaskId, epoch: int) -> int:
    """Return how many of a task's rounds its children have: all that they got, or what they used.

    Rounds are a production's, not a worker's.
    """
    return await fetch_value(
        conn,
        """
        select coalesce(sum(coalesce(used_rounds, carved_rounds)), 0)::int
        from delegations
        where parent_id = %(task_id)s
          and epoch = %(epoch)s
        """,
        {"task_id": task_id, "epoch": epoch},
    )


async def carved_for(conn: Conn, task_id: TaskId) -> int | None:
    """Return what a child may still use of its carved money; None for a task of a person's own."""
    found = await of_child(conn, task_id)
    if found is None or not found.is_open:
        return None
    return _left(found, await budget.get(conn, task_id))


async def allow(tx: Tx, task_id: TaskId, free_micros: int, note: str) -> None:
    """Let exactly so much be reserved from now on; what was carved beyond it goes back at once."""
    found = await of_child(tx.conn, task_id)
    if found is not None and found.is_open:
        money = await budget.lock(tx.conn, task_id)
        beyond = money.free_micros - free_micros
        await _return(tx, found, min(beyond, _left(found, money)))
    await budget.allow(tx, task_id, free_micros, note)


async def settle_rest(tx: Tx, task_id: TaskId) -> None:
    """Give back what an ended child's last jobs have not spent."""
    found = await of_child(tx.conn, task_id)
    if found is not None and not found.is_open:
        await _give_back(tx, found)


async def note_rest(tx: Tx, rest: Rest) -> None:
    """Do what a task's rest or end means for those that it works for, or that have asked it.

    Called where its state changes. The words are delivered after the commit.
    """
    found = await of_child(tx.conn, rest.task_id)
    if found is not None and found.is_open:
        await _tell_parent(tx, found, rest)
    if rest.has_ended:
        await words.forget_questions(tx, rest.task_id)
    if rest.has_ended or rest.name in GIVES_UP:
        for asked in await words.lapse(tx, rest.task_id):
            note = f"It has not answered: {asked.text[:_NOTED]}"
            cause = f"lapse {asked.word_id}"
            await _report(tx, rest, TaskId(asked.from_task), cause, note=note)


async def _tell_parent(tx: Tx, found: Delegation, rest: Rest) -> None:
    if rest.has_ended:
        await _give_back(tx, found)
        await _close(tx, found, rest.rounds)
    elif rest.name not in TELLS_OF or found.paused_with_parent:
        return
    seen = await _seen(tx, rest)
    if seen == found.reported:
        return
    await execute(
        tx.conn,
        "update delegations set reported = %(seen)s where child_id = %(child_id)s",
        {"seen": seen, "child_id": found.child_id},
    )
    await _report(tx, rest, TaskId(found.parent_id), f"report {new_id()}")
    tx.touch_task(TaskId(found.parent_id))


async def _seen(tx: Tx, rest: Rest) -> str:
    """Return what a rest is, with the questions that are open in it."""
    asked = await approvals.of_thread(tx.conn, ThreadId(rest.task_id), statuses=["pending"])
    return " ".join([rest.name, *sorted(str(each.approval_id) for each in asked)])


async def _report(tx: Tx, rest: Rest, to_task: TaskId, cause: str, *, note: str = "") -> None:
    await words.send(
        tx,
        kind=Kind.REPORT,
        from_task=rest.task_id,
        to_task=to_task,
        from_title=rest.title,
        text=note,
        language=rest.language,
        cause=cause,
    )


async def _close(tx: Tx, found: Delegation, rounds: int) -> None:
    await execute(
        tx.conn,
        """
        update delegations
        set closed_at = app_now(), used_rounds = %(rounds)s
        where child_id = %(child_id)s
          and closed_at is null
        """,
        {"rounds": rounds, "child_id": found.child_id},
    )


async def _give_back(tx: Tx, found: Delegation) -> None:
    money = await budget.lock(tx.conn, TaskId(found.child_id))
    current = await of_child(tx.conn, TaskId(found.child_id)) or found
    await _return(tx, current, _left(current, money))


async def _return(tx: Tx, found: Delegation, micros: int) -> None:
    if micros <= 0:
        return
    parent_id = TaskId(found.parent_id)
    await budget.carve(
        tx,
        TaskId(found.child_id),
        into=parent_id,
        call_key=found.call_key,
        amount_micros=micros,
        note="back from a child",
    )
    await execute(
        tx.conn,
        """
        update delegations
        set returned_micros = returned_micros + %(micros)s
        where child_id = %(child_id)s
        """,
        {"micros": micros, "child_id": found.child_id},
    )
    tx.touch_task(parent_id)


def _left(found: Delegation, money: Budget) -> int:
    """Return what is left of the carved money, which is spent before any other."""
    used = money.settled_micros + money.held_micros
    left = found.carved_micros - found.returned_micros - used
    return max(min(left, money.free_micros), 0)


async def pause_with_parent(tx: Tx, child_id: TaskId, *, paused: bool) -> None:
    """Remember that a child rests only because its parent does, or forget it."""
    await execute(
        tx.conn,
        """
        update delegations
        set paused_with_parent = %(paused)s
        where child_id = %(child_id)s
        """,
        {"paused": paused, "child_id": child_id},
    )
