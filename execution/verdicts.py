"""The record of the stop-check: each verdict, its reason, and the facts that it rested on.

Owns `verdicts`. A row is written in the transaction that acts on it, also where no step was open:
after a wake that changed nothing, after a delivery, at the end of a task. Its facts are enough to
ask `execution.verdict.decide` again.
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from execution.tx import Tx
from execution.verdict import Facts, StopVerdict
from infra.db.query import Conn, execute, fetch_all
from infra.ids import TaskId, TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A row of `verdicts`; `progress` and `step_number` are of the step that it closed."""

    verdict_id: int
    turn_id: UUID
    step_number: int | None
    verdict: str
    waiting_reason: str | None
    reason: str
    look_again_s: int | None
    progress: bool | None
    facts: dict[str, Any] | None
    created_at: datetime


async def record(
    tx: Tx,
    task_id: TaskId,
    turn_id: TurnId,
    verdict: StopVerdict,
    *,
    facts: Facts | None = None,
    step_number: int | None = None,
    progress: bool | None = None,
) -> None:
    """Keep a verdict for good."""
    await execute(
        tx.conn,
        """
        insert into verdicts (workspace_id, task_id, turn_id, step_number, verdict, waiting_reason,
                              reason, look_again_s, progress, facts)
        values (%(workspace_id)s, %(task_id)s, %(turn_id)s, %(step_number)s, %(verdict)s,
                %(waiting_reason)s, %(reason)s, %(look_again_s)s, %(progress)s, %(facts)s)
        """,
        {
            "workspace_id": tx.workspace_id,
            "task_id": task_id,
            "turn_id": turn_id,
            "step_number": step_number,
            "verdict": verdict.next,
            "waiting_reason": verdict.waiting_reason,
            "reason": verdict.reason,
            "look_again_s": verdict.look_again_s,
            "progress": progress,
            "facts": Jsonb(asdict(facts)) if facts is not None else None,
        },
    )


async def history(conn: Conn, task_id: TaskId, *, limit: int) -> list[Verdict]:
    """Return a task's newest verdicts, oldest of them first."""
    rows = await fetch_all(
        conn,
        Verdict,
        """
        select verdict_id, turn_id, step_number, verdict, waiting_reason, reason, look_again_s,
               progress, facts, created_at
        from verdicts
        where task_id = %(task_id)s
        order by verdict_id desc
        limit %(limit)s
        """,
        {"task_id": task_id, "limit": limit},
    )
    return rows[::-1]
