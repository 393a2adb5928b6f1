"""The plan as persisted structure: its versions, of which an approved one drives the work.

Owns `checklists` and `checklist_items`. The model proposes versions, and none is ever rewritten: a
revision names what it keeps, which slots of that are made again, what it leaves out and why. How
far the work has come is not stored but derived (`execution.progress`).
"""

from dataclasses import asdict
from typing import Any

from psycopg.types.json import Jsonb

from execution import changes, ledger, outputs, reviews
from execution.progress import Checklist, ChecklistItem, Plan, derive
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all, fetch_one, fetch_value
from infra.ids import TaskId


async def propose(
    tx: Tx,
    task_id: TaskId,
    *,
    title: str,
    summary: str,
    format_: dict[str, Any],
    items: list[ChecklistItem],
    call_key: str,
    quote_micros: int,
    maximum_micros: int,
    within_allowance: bool = False,
    revision: dict[str, Any] | None = None,
) -> int:
    """Store a proposed version of the plan; return its number."""
    version = await next_version(tx.conn, task_id)
    await execute(
        tx.conn,
        """
        insert into checklists (task_id, version, workspace_id, title, summary, format, call_key,
                                quote_micros, maximum_micros, within_allowance, revision)
        values (%(task_id)s, %(version)s, %(workspace_id)s, %(title)s, %(summary)s, %(format)s,
                %(call_key)s, %(quote)s, %(maximum)s, %(within_allowance)s, %(revision)s)
        """,
        {
            "task_id": task_id,
            "version": version,
            "workspace_id": tx.workspace_id,
            "title": title,
            "summary": summary,
            "format": Jsonb(format_),
            "call_key": call_key,
            "quote": quote_micros,
            "maximum": maximum_micros,
            "within_allowance": within_allowance,
            "revision": Jsonb(revision or {}),
        },
    )
    for item in items:
        await execute(
            tx.conn,
            """
            insert into checklist_items (task_id, version, key, workspace_id, position, title, kind,
                                         depends_on, expected_count, seconds, review, from_version,
                                         slot_versions, price_micros)
            values (%(task_id)s, %(version)s, %(key)s, %(workspace_id)s, %(position)s, %(title)s,
                    %(kind)s, %(depends_on)s, %(expected_count)s, %(seconds)s, %(review)s,
                    %(from_version)s, %(slot_versions)s, %(price_micros)s)
            """,
            {
                **asdict(item),
                "slot_versions": Jsonb(item.slot_versions),
                "task_id": task_id,
                "version": version,
                "workspace_id": tx.workspace_id,
            },
        )
    return version


async def next_version(conn: Conn, task_id: TaskId) -> int:
    """Return the number that the next proposal will have."""
    return await fetch_value(
        conn,
        "select coalesce(max(version), 0) + 1 from checklists where task_id = %(task_id)s",
        {"task_id": task_id},
    )


async def is_decided(conn: Conn, task_id: TaskId) -> bool:
    """Tell whether any version has ever held or was refused: before, there is nothing agreed."""
    return bool(
        await fetch_value(
            conn,
            """
            select 1
            from checklists
            where task_id = %(task_id)s
              and status in ('approved', 'rejected')
            limit 1
            """,
            {"task_id": task_id},
        )
    )


async def decide(
    tx: Tx, task_id: TaskId, call_key: str, *, approved: bool, within_allowance: bool | None = None
) -> Checklist | None:
    """Approve or reject the version that a call proposed; None when it was decided before.

    Whether each of its calls takes from the allowances stays as it was proposed unless given.
    """
    if approved:
        await execute(
            tx.conn,
            """
            update checklists
            set status = 'superseded'
            where task_id = %(task_id)s
              and status = 'approved'
              and exists (
                  select 1
                  from checklists as proposed
                  where proposed.task_id = %(task_id)s
                    and proposed.call_key = %(call_key)s
                    and proposed.status = 'proposed'
              )
            """,
            {"task_id": task_id, "call_key": call_key},
        )
    decided = await fetch_one(
        tx.conn,
        Checklist,
        """
        update checklists
        set status = %(status)s,
            within_allowance = coalesce(%(within_allowance)s, within_allowance)
        where task_id = %(task_id)s
          and call_key = %(call_key)s
          and status = 'proposed'
        returning task_id, version, title, summary, format, status, call_key, quote_micros,
                  maximum_micros, within_allowance, created_at, revision
        """,
        {
            "status": "approved" if approved else "rejected",
            "within_allowance": within_allowance,
            "task_id": task_id,
            "call_key": call_key,
        },
    )
    if decided is not None:
        tx.touch_task(task_id)
    return decided


async def supersede(tx: Tx, task_id: TaskId, call_key: str) -> None:
    """Withdraw a proposed version that nobody has decided, because a newer one takes its place."""
    await execute(
        tx.conn,
        """
        update checklists
        set status = 'superseded'
        where task_id = %(task_id)s
          and call_key = %(call_key)s
          and status = 'proposed'
        """,
        {"task_id": task_id, "call_key": call_key},
    )


async def load(conn: Conn, task_id: TaskId) -> Plan | None:
    """Return the plan with its progress: the approved version, else the newest proposal."""
    checklist = await fetch_one(
        conn,
        Checklist,
        """
        select task_id, version, title, summary, format, status, call_key, quote_micros,
               maximum_micros, within_allowance, created_at, revision
        from checklists
        where task_id = %(task_id)s
          and status in ('approved', 'proposed')
        order by (status = 'approved') desc, version desc
        limit 1
        """,
        {"task_id": task_id},
    )
    if checklist is None:
        return None
    items = await items_of(conn, task_id, checklist.version)
    entries = await ledger.of_task(conn, task_id)
    undecided = await changes.pending(conn, task_id)
    return derive(
        checklist,
        items,
        entries,
        await reviews.of_task(conn, task_id),
        {(change.step_key, change.slot) for change in undecided},
        newer=await outputs.newer(conn, [made for entry in entries for made in entry.outputs]),
    )


async def items_of(conn: Conn, task_id: TaskId, version: int) -> list[ChecklistItem]:
    """Return the steps of a version, in their order."""
    return await fetch_all(
        conn,
        ChecklistItem,
        """
        select key, position, title, kind, depends_on, expected_count, seconds, review,
               from_version, slot_versions, price_micros
        from checklist_items
        where task_id = %(task_id)s
          and version = %(version)s
        order by position
        """,
        {"task_id": task_id, "version": version},
    )


async def versions(conn: Conn, task_id: TaskId) -> list[Checklist]:
    """Return every version that was ever proposed, oldest first."""
    return await fetch_all(
        conn,
        Checklist,
        """
        select task_id, version, title, summary, format, status, call_key, quote_micros,
               maximum_micros, within_allowance, created_at, revision
        from checklists
        where task_id = %(task_id)s
        order by version
        """,
        {"task_id": task_id},
    )
