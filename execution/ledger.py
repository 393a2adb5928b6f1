"""The ledger: one row per call that a model proposed, from the decision to the settled end.

Owns `ledger`. Its status is the only vocabulary for how far a call got (planned, held, submitting,
accepted, rejected, unknown, running, succeeded, collecting, collected, failed, cancel_requested,
cancelled, expired, settled). The ladder never goes back: `advance` names the states it may leave. A
call whose answer was lost is `unknown`, and only reconciliation or its deadline decides it; while
it is not found its outcome reads `unknown` too, and the plan counts it as failed.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from execution.errors import NotFoundError
from execution.outputs import Reference
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all, fetch_one
from infra.ids import ApprovalId, StepId, TaskId, WorkspaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """A row of `ledger`; `request` is what would really run, `arguments` what the model wrote."""

    workspace_id: UUID
    call_key: str
    task_id: UUID
    step_id: UUID
    seq: int
    tool: str
    risk: str
    arguments: dict[str, Any]
    args_hash: str
    tool_call_id: str
    tool_message: str
    plan_version: int | None
    step_key: str | None
    slot: int | None
    request: dict[str, Any] | None
    status: str
    verdict: str
    refusal: str | None
    quote_micros: int | None
    approval_id: UUID | None
    result: dict[str, Any] | None
    outcome: str | None
    created_at: datetime
    updated_at: datetime

    @property
    def is_asked(self) -> bool:
        """Whether it waits for a person's answer: nothing of it has begun."""
        return self.status == "planned" and self.verdict == "ask"

    @property
    def is_open(self) -> bool:
        """Whether its end is still to come."""
        return self.status not in ("settled", "rejected")

    @property
    def is_doubtful(self) -> bool:
        """Whether it was sent, its answer was lost, and the model has been told so.

        It stays so when its deadline has ended the search: it may have been made all the same.
        """
        return self.outcome == "unknown"

    @property
    def provider(self) -> str | None:
        """Who makes what it ordered, if it ordered something."""
        return (self.request or {}).get("provider")

    @property
    def outputs(self) -> list[Reference]:
        """The references of what it made."""
        return (self.result or {}).get("outputs", [])

    @property
    def is_agreed_gap(self) -> bool:
        """Whether a person has agreed by it that the work is finished without some results."""
        return self.outcome == "succeeded" and "left_out" in (self.result or {})

    @property
    def looked_at(self) -> str | None:
        """The doubtful call that this one looked at, if it is such a look."""
        return (self.result or {}).get("looked_at")


def hash_of(tool: str, request: dict[str, Any], quote_micros: int | None) -> str:
    """Return what an approval is bound to: tool, resolved request, object versions and price."""
    text = json.dumps(
        {"tool": tool, "request": request, "quote": quote_micros},
        sort_keys=True,
        ensure_ascii=False,
    )
    return hashlib.sha256(text.encode()).hexdigest()


async def record(
    tx: Tx,
    *,
    call_key: str,
    task_id: TaskId,
    step_id: StepId,
    seq: int,
    tool: str,
    risk: str,
    arguments: dict[str, Any],
    args_hash: str,
    tool_call_id: str,
    tool_message: str,
    status: str,
    verdict: str,
    refusal: str | None = None,
    quote_micros: int | None = None,
    approval_id: ApprovalId | None = None,
    request: dict[str, Any] | None = None,
    plan_version: int | None = None,
    step_key: str | None = None,
    slot: int | None = None,
    result: dict[str, Any] | None = None,
    outcome: str | None = None,
) -> None:
    """Store a proposed call with its one tool message, in the transaction of its decision."""
    await execute(
        tx.conn,
        """
        insert into ledger (workspace_id, call_key, task_id, step_id, seq, tool, risk, arguments,
                            args_hash, tool_call_id, tool_message, plan_version, step_key, slot,
                            request, status, verdict, refusal, quote_micros, approval_id, result,
                            outcome)
        values (%(workspace_id)s, %(call_key)s, %(task_id)s, %(step_id)s, %(seq)s, %(tool)s,
                %(risk)s, %(arguments)s, %(args_hash)s, %(tool_call_id)s, %(tool_message)s,
                %(plan_version)s, %(step_key)s, %(slot)s, %(request)s, %(status)s, %(verdict)s,
                %(refusal)s, %(quote_micros)s, %(approval_id)s, %(result)s, %(outcome)s)
        """,
        {
            "workspace_id": tx.workspace_id,
            "call_key": call_key,
            "task_id": task_id,
            "step_id": step_id,
            "seq": seq,
            "tool": tool,
            "risk": risk,
            "arguments": Jsonb(arguments),
            "args_hash": args_hash,
            "tool_call_id": tool_call_id,
            "tool_message": tool_message,
            "plan_version": plan_version,
            "step_key": step_key,
            "slot": slot,
            "request": Jsonb(request) if request is not None else None,
            "status": status,
            "verdict": verdict,
            "refusal": refusal,
            "quote_micros": quote_micros,
            "approval_id": approval_id,
            "result": Jsonb(result) if result is not None else None,
            "outcome": outcome,
        },
    )


async def get(conn: Conn, workspace_id: WorkspaceId, call_key: str) -> LedgerEntry:
    """Return a call.

    Raises:
        NotFoundError: there is none with this key here.
    """
    found = await fetch_one(
        conn,
        LedgerEntry,
        """
        select workspace_id, call_key, task_id, step_id, seq, tool, risk, arguments, args_hash,
               tool_call_id, tool_message, plan_version, step_key, slot, request, status, verdict,
               refusal, quote_micros, approval_id, result, outcome, created_at, updated_at
        from ledger
        where workspace_id = %(workspace_id)s
          and call_key = %(call_key)s
        """,
        {"workspace_id": workspace_id, "call_key": call_key},
    )
    if found is None:
        raise NotFoundError
    return found


async def of_task(conn: Conn, task_id: TaskId) -> list[LedgerEntry]:
    """Return a task's calls in the order they were proposed."""
    return await fetch_all(
        conn,
        LedgerEntry,
        """
        select workspace_id, call_key, task_id, step_id, seq, tool, risk, arguments, args_hash,
               tool_call_id, tool_message, plan_version, step_key, slot, request, status, verdict,
               refusal, quote_micros, approval_id, result, outcome, created_at, updated_at
        from ledger
        where task_id = %(task_id)s
        order by created_at, step_id, seq
        """,
        {"task_id": task_id},
    )


async def ready(conn: Conn, task_id: TaskId) -> list[LedgerEntry]:
    """Return calls that wait for an executor; handing one over twice is harmless."""
    return await fetch_all(
        conn,
        LedgerEntry,
        """
        select workspace_id, call_key, task_id, step_id, seq, tool, risk, arguments, args_hash,
               tool_call_id, tool_message, plan_version, step_key, slot, request, status, verdict,
               refusal, quote_micros, approval_id, result, outcome, created_at, updated_at
        from ledger
        where task_id = %(task_id)s
          and status = 'held'
        order by created_at, seq
        """,
        {"task_id": task_id},
    )


async def advance(tx: Tx, call_key: str, status: str, *, leaving: tuple[str, ...]) -> bool:
    """Move a call up the ladder from one of the named states; False when it is past them."""
    return (
        await execute(
            tx.conn,
            """
            update ledger
            set status = %(status)s, outcome = null, updated_at = app_now()
            where workspace_id = %(workspace_id)s
              and call_key = %(call_key)s
              and status = any(%(leaving)s)
            """,
            {
                "status": status,
                "workspace_id": tx.workspace_id,
                "call_key": call_key,
                "leaving": list(leaving),
            },
        )
        == 1
    )


async def doubt(tx: Tx, call_key: str, *, patience: timedelta) -> bool:
    """Count a call as failed whose outcome has been unknown for so long; False when it was before.

    Its hold stays, and whatever is found of it later still decides.
    """
    return (
        await execute(
            tx.conn,
            """
            update ledger
            set outcome = 'unknown', updated_at = app_now()
            where workspace_id = %(workspace_id)s
              and call_key = %(call_key)s
              and status = 'unknown'
              and outcome is null
              and updated_at <= app_now() - %(patience)s
            """,
            {"workspace_id": tx.workspace_id, "call_key": call_key, "patience": patience},
        )
        == 1
    )


def doubts(entries: Iterable[LedgerEntry], *, deciding: str | None = None) -> list[LedgerEntry]:
    """Return the calls of unknown outcome that the model has not looked at yet.

    A look of the step of the call `deciding` does not count: its answer has not been read.
    """
    listed = list(entries)
    step = deciding.rpartition("/")[0] + "/" if deciding else None
    looked_at = {
        entry.looked_at for entry in listed if step is None or not entry.call_key.startswith(step)
    }
    return [entry for entry in listed if entry.is_doubtful and entry.call_key not in looked_at]


async def revise(
    tx: Tx,
    call_key: str,
    *,
    expected_hash: str,
    request: dict[str, Any],
    args_hash: str,
    quote_micros: int,
    approval_id: ApprovalId,
) -> bool:
    """Let a call that waits for a yes run otherwise, as a person changed it; False when it is past.

    What the model wrote stays: its arguments, and the tool message that answered them.
    """
    return (
        await execute(
            tx.conn,
            """
            update ledger
            set request = %(request)s, args_hash = %(args_hash)s, quote_micros = %(quote_micros)s,
                approval_id = %(approval_id)s, updated_at = app_now()
            where workspace_id = %(workspace_id)s
              and call_key = %(call_key)s
              and status = 'planned'
              and args_hash = %(expected_hash)s
            """,
            {
                "request": Jsonb(request),
                "args_hash": args_hash,
                "quote_micros": quote_micros,
                "approval_id": approval_id,
                "workspace_id": tx.workspace_id,
                "call_key": call_key,
                "expected_hash": expected_hash,
            },
        )
        == 1
    )


async def abandon(tx: Tx, task_id: TaskId, reason: str) -> list[str]:
    """Give up every call of a task that was not yet sent anywhere; return their keys."""
    cursor = await tx.conn.execute(
        """
        update ledger
        set status = 'rejected', verdict = 'refuse', refusal = 'permission',
            outcome = 'cancelled', result = %(result)s, updated_at = app_now()
        where task_id = %(task_id)s
          and status in ('planned', 'held')
        returning call_key
        """,
        {"task_id": task_id, "result": Jsonb({"reason": reason})},
    )
    return [row[0] for row in await cursor.fetchall()]


async def finish(
    tx: Tx,
    call_key: str,
    *,
    status: str,
    outcome: str,
    result: dict[str, Any],
    refusal: str | None = None,
) -> bool:
    """Give a call its final state and result, once; False when it already has one."""
    return (
        await execute(
            tx.conn,
            """
            update ledger
            set status = %(status)s, outcome = %(outcome)s, result = %(result)s,
                verdict = case when %(refusal)s::text is null then verdict else 'refuse' end,
                refusal = %(refusal)s, updated_at = app_now()
            where workspace_id = %(workspace_id)s
              and call_key = %(call_key)s
              and status not in ('settled', 'rejected')
            """,
            {
                "status": status,
                "outcome": outcome,
                "result": Jsonb(result),
                "refusal": refusal,
                "workspace_id": tx.workspace_id,
                "call_key": call_key,
            },
        )
        == 1
    )
