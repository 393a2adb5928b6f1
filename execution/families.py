"""A task with everybody who works for it: stopped, paused and resumed together, in one transaction.

The threads are locked in the order of their ids, as everywhere where several are. A child that its
person has paused by itself stays so when its parent is resumed.
"""

from execution import delegations, leases, tasks
from execution.delegations import Delegation
from execution.tasks import LIVE, TaskStatus
from execution.tx import Tx
from infra.db.query import Conn, fetch_all
from infra.ids import TaskId, ThreadId, WorkspaceId

_STOPPED = "The task that it worked for has ended."
_PAUSED = "The task that it works for was paused."


async def stop(tx: Tx, task_id: TaskId) -> None:
    """Stop a task and everybody who works for it; the children's money goes back.

    Raises:
        NotPossibleNowError: it is in a terminal state already.
    """
    for child in await _locked(tx, task_id):
        await _end(tx, child)
    await tasks.stop(tx, task_id)


async def pause(tx: Tx, task_id: TaskId) -> None:
    """Pause a task and everybody who works for it.

    Raises:
        NotPossibleNowError: it is paused already or has ended.
    """
    for child in await _locked(tx, task_id):
        child_id = TaskId(child.child_id)
        status = (await tasks.get(tx.conn, tx.workspace_id, child_id)).status
        if status in (TaskStatus.ACTIVE, TaskStatus.WAITING):
            await delegations.pause_with_parent(tx, child_id, paused=True)
            await tasks.set_status(tx, child_id, TaskStatus.PAUSED, reason=_PAUSED)
    await tasks.pause(tx, task_id)


async def resume(tx: Tx, task_id: TaskId) -> None:
    """Let a paused task go on, and those who were paused with it.

    Raises:
        NotPossibleNowError: it is not paused.
    """
    for child in await _locked(tx, task_id):
        if not child.paused_with_parent:
            continue
        child_id = TaskId(child.child_id)
        await delegations.pause_with_parent(tx, child_id, paused=False)
        if (await tasks.get(tx.conn, tx.workspace_id, child_id)).status == TaskStatus.PAUSED:
            await tasks.resume(tx, child_id)
    # From now on it rests and goes on by its person's word, whoever had paused it.
    await delegations.pause_with_parent(tx, task_id, paused=False)
    await tasks.resume(tx, task_id)


async def end_left_behind(tx: Tx, task_id: TaskId) -> None:
    """Stop everybody who still works for a task that has ended."""
    below = await _locked(tx, task_id)
    if (await tasks.get(tx.conn, tx.workspace_id, task_id)).is_terminal:
        for child in below:
            await _end(tx, child)


async def left_behind(conn: Conn) -> list[tuple[WorkspaceId, TaskId]]:
    """Return the tasks that have ended while others still work for them."""
    found = await fetch_all(
        conn,
        Delegation,
        """
        select d.child_id, d.workspace_id, d.parent_id, d.call_key, d.epoch, d.depth,
               d.carved_micros, d.returned_micros, d.carved_rounds, d.used_rounds, d.reported,
               d.paused_with_parent, d.created_at, d.closed_at
        from delegations as d
        join tasks as t on t.task_id = d.parent_id
        where d.closed_at is null
          and t.status in ('completed', 'failed', 'stopped')
        order by d.created_at
        """,
        {},
    )
    return [(WorkspaceId(each.workspace_id), TaskId(each.parent_id)) for each in found]


async def _end(tx: Tx, child: Delegation) -> None:
    await tasks.set_status(
        tx, TaskId(child.child_id), TaskStatus.STOPPED, reason=_STOPPED, expected=LIVE
    )


async def _locked(tx: Tx, task_id: TaskId) -> list[Delegation]:
    """Lock a task with everybody who works for it; return those, the deepest first.

    Whoever was given work while the locks were waited for is locked too: with its parent locked,
    nobody else comes.
    """
    locked: set[TaskId] = set()
    while True:
        below = await delegations.family(tx.conn, task_id)
        wanted = {task_id, *(TaskId(each.child_id) for each in below)}
        if wanted <= locked:
            return below
        for each in sorted(wanted - locked):
            await leases.lock(tx.conn, ThreadId(each))
        locked |= wanted
