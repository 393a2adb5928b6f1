"""Everything that a trial is judged by: rows of the tables, labels of what was done, the bill.

Nothing of it is what the agent says of itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from psycopg.rows import dict_row

from infra.db.query import Conn

type Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What a person did, with the labels of it."""

    at_s: float
    what: str
    accepted: bool
    intent: str | None = None
    message_id: UUID | None = None
    task_id: UUID | None = None
    begins: str | None = None
    target: str | None = None
    reveals: Sequence[str] = ()
    shown: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All of it; times are the database's own."""

    began: datetime
    messages: list[Row] = field(default_factory=list[Row])
    inbox: list[Row] = field(default_factory=list[Row])
    steps: list[Row] = field(default_factory=list[Row])
    turns: list[Row] = field(default_factory=list[Row])
    verdicts: list[Row] = field(default_factory=list[Row])
    approvals: list[Row] = field(default_factory=list[Row])
    calls: list[Row] = field(default_factory=list[Row])
    jobs: list[Row] = field(default_factory=list[Row])
    holds: list[Row] = field(default_factory=list[Row])
    tasks: list[Row] = field(default_factory=list[Row])
    versions: list[Row] = field(default_factory=list[Row])
    changes: list[Row] = field(default_factory=list[Row])
    deliveries: list[Row] = field(default_factory=list[Row])
    events: list[Row] = field(default_factory=list[Row])
    workspaces: list[Row] = field(default_factory=list[Row])
    deeds: Sequence[Deed] = ()
    orders: Sequence[UUID] = ()
    billed: Mapping[UUID, int] = field(default_factory=dict[UUID, int])
    wishes: Sequence[tuple[float, Mapping[str, bool]]] = ()
    """Which wishes were fulfilled, each time that a task was told of."""
    completed: Sequence[tuple[float, Row]] = ()
    """Each task as it was shown when it was completed."""
    gaps: Sequence[str] = ()
    ended: str = "done"
    ended_s: float = 0.0

    def since(self, moment: datetime) -> float:
        """Return the seconds from the beginning to a moment."""
        return (moment - self.began).total_seconds()


_QUERIES: dict[str, LiteralString] = {
    "messages": """
        select m.message_id, m.role, m.status, m.task_id, m.created_at, r.outcome
        from messages as m left join routes as r using (message_id)
        order by m.created_at
    """,
    "inbox": """
        select i.message_id, i.task_id, i.status, i.created_at, s.created_at as read_at,
               s.number as read_in
        from inbox as i left join steps as s on s.step_id = i.consumed_by
        order by i.created_at
    """,
    "steps": """
        select step_id, thread_id, turn_id, number, created_at from steps order by created_at
    """,
    "turns": """
        select t.turn_id, t.thread_id, t.number, t.status, t.outcome, t.started_at, t.finished_at,
               threads.kind
        from turns as t join threads using (thread_id)
        order by t.started_at
    """,
    "verdicts": """
        select verdict_id, task_id, turn_id, step_number, verdict, waiting_reason, created_at
        from verdicts order by verdict_id
    """,
    "approvals": """
        select approval_id, task_id, kind, call_key, args_hash, price_micros, maximum_micros,
               status, card ->> 'category' as category, created_at, decided_at, used_at
        from approvals order by created_at
    """,
    "calls": """
        select call_key, task_id, tool, risk, args_hash, step_key, slot, status, verdict, outcome,
               quote_micros, approval_id, plan_version, created_at
        from ledger order by created_at
    """,
    "jobs": """
        select job_id, task_id, call_key, provider, operation, step_key, slot, request_sha256,
               phase, request, created_at, begun_at, closed_at
        from jobs order by created_at
    """,
    "holds": """
        select call_key, task_id, amount_micros, settled_micros, absorbed_micros, status, basis
        from holds
    """,
    "tasks": """
        select task_id, kind, title, status, waiting_reason, source_message_id, created_at,
               reopened_at
        from tasks order by created_at
    """,
    "versions": """
        select v.object_id, v.version, v.author, v.cause, v.inputs, v.created_at, o.task_id, o.kind
        from object_versions as v join objects as o using (object_id)
        order by v.created_at
    """,
    "changes": "select task_id, status, created_at, decided_at from changes",
    "deliveries": """
        select task_id, revision, status, report, created_at from deliveries order by created_at
    """,
    "events": """
        select seq, type, task_id, data ->> 'id' as subject, created_at from events order by seq
    """,
    "workspaces": """
        select workspace_id, autonomy, per_call_allowance_micros, daily_allowance_micros
        from workspaces
    """,
}


async def rows(conn: Conn, statement: LiteralString) -> list[Row]:
    """Return the rows of a query by the names of its columns."""
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(statement)
        return await cursor.fetchall()


async def read(conn: Conn) -> dict[str, Any]:
    """Return what the tables say, by the fields of `Evidence`."""
    return {name: await rows(conn, statement) for name, statement in _QUERIES.items()}


async def money(conn: Conn) -> list[Row]:
    """Return every change of an account, oldest first."""
    statement: LiteralString = """
        select task_id, call_key, kind, amount_micros, note, created_at
        from money_entries order by entry_id
    """
    return await rows(conn, statement)
