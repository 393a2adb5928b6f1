"""What was delivered, or refused delivery, at which state of the work.

Owns `deliveries`. A delivery is bound to a hash of the results it was made of, as people have left
them; when one of them changes, the next delivery is another revision and is validated and audited
again.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from execution.progress import Plan
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_one
from infra.ids import TaskId

_SHORT = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A row of `deliveries`."""

    task_id: UUID
    revision: int
    status: str
    report: dict[str, Any]
    inputs_hash: str
    created_at: datetime


def inputs_hash(plan: Plan) -> str:
    """Return a hash of the results that the plan's slots hold now.

    Where people have written over some, a hash of their versions stands behind that of the calls.
    """
    slots = [slot for item in plan.items for slot in item.slots]
    made = [
        slot.entry.call_key if slot.entry and slot.state == "done" else f"-{slot.state}"
        for slot in slots
    ]
    written_over = [
        f"{output['object_id']} {output['version']}"
        for slot in slots
        if slot.state == "done"
        for output in slot.outputs
        if output not in slot.made
    ]
    of_calls = _hash([str(plan.checklist.version), *made])
    return f"{of_calls}.{_hash(written_over)[:_SHORT]}" if written_over else of_calls


def same_calls(one: str, other: str) -> bool:
    """Tell whether two hashes are of the same calls, whatever people made of their results."""
    return one.partition(".")[0] == other.partition(".")[0]


def _hash(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


async def record(
    tx: Tx, task_id: TaskId, *, status: str, report: dict[str, Any], inputs_hash: str
) -> Delivery:
    """Store a delivery as the task's next revision; the same results are recorded once."""
    latest = await get_latest(tx.conn, task_id)
    if latest is not None and latest.inputs_hash == inputs_hash:
        return latest
    await execute(
        tx.conn,
        """
        insert into deliveries (task_id, revision, workspace_id, status, report, inputs_hash)
        values (%(task_id)s, %(revision)s, %(workspace_id)s, %(status)s, %(report)s, %(hash)s)
        on conflict do nothing
        """,
        {
            "task_id": task_id,
            "revision": (latest.revision if latest else 0) + 1,
            "workspace_id": tx.workspace_id,
            "status": status,
            "report": Jsonb(report),
            "hash": inputs_hash,
        },
    )
    tx.touch_task(task_id)
    stored = await get_latest(tx.conn, task_id)
    assert stored is not None  # noqa: S101 - it has just been stored
    return stored


async def get_latest(conn: Conn, task_id: TaskId) -> Delivery | None:
    """Return the newest delivery of a task, or None."""
    return await fetch_one(
        conn,
        Delivery,
        """
        select task_id, revision, status, report, inputs_hash, created_at
        from deliveries
        where task_id = %(task_id)s
        order by revision desc
        limit 1
        """,
        {"task_id": task_id},
    )
