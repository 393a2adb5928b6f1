"""When a single picture becomes a work that goes on: by code, from what its person does with it.

A plan in it, or a second wish of the person that more was ordered for. Everything stays with the
task: words, objects, money and history; only its kind changes, and with it its place in the list.
"""

from collections.abc import Sequence

from execution import inbox, tasks
from execution.ledger import LedgerEntry
from execution.tasks import Task
from execution.tx import Tx
from infra.ids import TaskId

PLANS = "propose_plan"
_ITERATES = 2
"""So many messages of its person mean that they go on with it."""


async def consider(tx: Tx, task: Task, entries: Sequence[LedgerEntry]) -> bool:
    """Promote a lightweight task if it has become more than one picture; tell whether it has."""
    if task.kind != "lightweight":
        return False
    task_id = TaskId(task.task_id)
    if not any(_is_plan(entry) for entry in entries) and not await _iterates(tx, task_id, entries):
        return False
    return await tasks.promote(tx, task_id)


def _is_plan(entry: LedgerEntry) -> bool:
    return entry.tool == PLANS and entry.verdict != "refuse"


async def _iterates(tx: Tx, task_id: TaskId, entries: Sequence[LedgerEntry]) -> bool:
    ordered = [entry for entry in entries if entry.risk == "paid" and entry.verdict != "refuse"]
    if len({entry.step_id for entry in ordered}) < _ITERATES:
        return False
    said = [each for each in await inbox.consumed(tx.conn, task_id) if each.is_a_persons]
    return len(said) >= _ITERATES
