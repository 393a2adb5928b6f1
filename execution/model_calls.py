"""Model calls: what was asked of chat models, what their services counted, and what that cost.

Owns `model_calls`. A call is written down before it is sent and ended when its answer is there, in
transactions of their own: what was spent is spent, also when the decision is discarded or its
holder has lost the thread. A sum is of rows, never of memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from infra.db.query import Conn, execute, fetch_all
from infra.ids import TaskId, ThreadId, TurnId, WorkspaceId, new_id
from infra.providers.model_prices import TokenUsage
from infra.providers.models import ModelRole

type Ended = Literal["answered", "broken", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """On whose account a model is asked."""

    workspace_id: WorkspaceId
    thread_id: ThreadId
    turn_id: TurnId
    task_id: TaskId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUsage:
    """The calls of one model together.

    `uncounted` are those whose tokens nobody has told us, `unpriced` those whose price is unknown.
    """

    model: str
    calls: int
    uncounted: int
    unpriced: int
    input_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    output_tokens: int
    price_micros: int


async def begin(
    conn: Conn, asker: Asker, *, role: ModelRole, model: str, prompt_sha256: str
) -> UUID:
    """Write down that a model is about to be asked."""
    call_id = new_id()
    await execute(
        conn,
        """
        insert into model_calls (model_call_id, workspace_id, task_id, thread_id, turn_id, role,
                                 model, prompt_sha256)
        values (%(id)s, %(workspace_id)s, %(task_id)s, %(thread_id)s, %(turn_id)s, %(role)s,
                %(model)s, %(prompt_sha256)s)
        """,
        {
            "id": call_id,
            "workspace_id": asker.workspace_id,
            "task_id": asker.task_id,
            "thread_id": asker.thread_id,
            "turn_id": asker.turn_id,
            "role": role.value,
            "model": model,
            "prompt_sha256": prompt_sha256,
        },
    )
    return call_id


async def end(
    conn: Conn, call_id: UUID, outcome: Ended, usage: TokenUsage | None, price: int | None
) -> None:
    """Write down how a call ended and what was counted; a call ends once."""
    await execute(
        conn,
        """
        update model_calls
        set outcome = %(outcome)s, ended_at = app_now(), input_tokens = %(input)s,
            cached_tokens = %(cached)s, cache_write_tokens = %(cache_write)s,
            output_tokens = %(output)s, price_micros = %(price)s
        where model_call_id = %(id)s
          and outcome is null
        """,
        {
            "id": call_id,
            "outcome": outcome,
            "input": usage.input if usage else None,
            "cached": usage.cached if usage else None,
            "cache_write": usage.cache_write if usage else None,
            "output": usage.output if usage else None,
            "price": price,
        },
    )


async def usage(
    conn: Conn,
    workspace_id: WorkspaceId,
    *,
    task_id: TaskId | None = None,
    prompts: Sequence[str] | None = None,
) -> list[ModelUsage]:
    """Return what a workspace, one task of it, or these prompts have used of each model."""
    return await fetch_all(
        conn,
        ModelUsage,
        """
        select model, count(*) as calls,
               count(*) filter (where input_tokens is null) as uncounted,
               count(*) filter (where price_micros is null) as unpriced,
               coalesce(sum(input_tokens), 0)::bigint as input_tokens,
               coalesce(sum(cached_tokens), 0)::bigint as cached_tokens,
               coalesce(sum(cache_write_tokens), 0)::bigint as cache_write_tokens,
               coalesce(sum(output_tokens), 0)::bigint as output_tokens,
               coalesce(sum(price_micros), 0)::bigint as price_micros
        from model_calls
        where workspace_id = %(workspace_id)s
          and (%(task_id)s::uuid is null or task_id = %(task_id)s)
          and (%(prompts)s::text[] is null or prompt_sha256 = any(%(prompts)s))
        group by model
        order by model
        """,
        {
            "workspace_id": workspace_id,
            "task_id": task_id,
            "prompts": list(prompts) if prompts is not None else None,
        },
    )


def view(rows: Sequence[ModelUsage], currency: str) -> dict[str, Any]:
    """Return what was used of models, all together and by model, as a client sees it."""
    together = {name: sum(getattr(row, name) for row in rows) for name in _SUMMED}
    each = [{"model": row.model, **{name: getattr(row, name) for name in _SUMMED}} for row in rows]
    return {"currency": currency, **together, "models": each}


_SUMMED = (
    "calls",
    "uncounted",
    "unpriced",
    "input_tokens",
    "cached_tokens",
    "cache_write_tokens",
    "output_tokens",
    "price_micros",
)
