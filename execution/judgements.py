"""What judges have proposed about results that were to be delivered.

Owns `judgements`. A row is evidence: which judge, of which version, has looked at exactly which
results, and what it proposes (adjust, make again, or ask the person), each with a reason. Nothing
of it approves, accepts, orders or pays; the worker reads it in its state, the person on the card.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal
from uuid import UUID

from psycopg.types.json import Jsonb

from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all
from infra.ids import TaskId

type JudgeName = Literal["rules", "model"]


class Advice(StrEnum):
    """What a judge may propose of a result."""

    ADJUST = "adjust"
    REGENERATE = "regenerate"
    ASK = "ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What should become of a result; no step: of the work as a whole; no slot: of all of it."""

    advice: Advice
    aspect: str
    reason: str
    step: str | None = None
    slot: int | None = None
    check: str | None = None
    """The measurement that it rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A row of `judgements`; `proposals` as JSON."""

    task_id: UUID
    inputs_hash: str
    judge: str
    model: str
    version: str
    proposals: list[dict[str, Any]]
    looked_at: list[str]
    failure: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJudgement:
    """What a judge has come to."""

    judge: JudgeName
    model: str
    version: str
    proposals: Sequence[Proposal] = ()
    looked_at: Sequence[str] = ()
    failure: str | None = None


async def record(tx: Tx, task_id: TaskId, inputs_hash: str, made: NewJudgement) -> None:
    """Keep what a judge has said of exactly these results; the first time stands."""
    await execute(
        tx.conn,
        """
        insert into judgements (task_id, workspace_id, inputs_hash, judge, model, version,
                                proposals, looked_at, failure)
        values (%(task_id)s, %(workspace_id)s, %(hash)s, %(judge)s, %(model)s, %(version)s,
                %(proposals)s, %(looked_at)s, %(failure)s)
        on conflict do nothing
        """,
        {
            "task_id": task_id,
            "workspace_id": tx.workspace_id,
            "hash": inputs_hash,
            "judge": made.judge,
            "model": made.model,
            "version": made.version,
            "proposals": Jsonb([asdict(each) for each in made.proposals]),
            "looked_at": Jsonb(list(made.looked_at)),
            "failure": made.failure,
        },
    )
    tx.touch_task(task_id)


async def of_results(conn: Conn, task_id: TaskId, inputs_hash: str) -> list[Judgement]:
    """Return what was said of exactly these results, the rules first."""
    return await fetch_all(
        conn,
        Judgement,
        """
        select task_id, inputs_hash, judge, model, version, proposals, looked_at, failure,
               created_at
        from judgements
        where task_id = %(task_id)s
          and inputs_hash = %(hash)s
        order by judge desc
        """,
        {"task_id": task_id, "hash": inputs_hash},
    )


def holds_back(proposals: Sequence[Proposal]) -> bool:
    """Tell whether a grant may not accept this unseen: something would be made again, or asked."""
    return any(each.advice is not Advice.ADJUST for each in proposals)


def view(found: Sequence[Judgement]) -> list[dict[str, Any]]:
    """Return judgements as a client and a worker see them."""
    return [
        {
            "judge": each.judge,
            "model": each.model,
            "version": each.version,
            "proposals": each.proposals,
            "failure": each.failure,
        }
        for each in found
    ]
