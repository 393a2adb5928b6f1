"""Carries out what a request asks: in one transaction, once for its key, in its turn.

What works on a task at the moment does not refuse a person's word; it is waited for.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from execution.transactions import work
from execution.tx import Tx
from server import idempotency
from server.auth import Principal
from server.context import Context
from server.errors import HELD

_TRIES = 4

type Json = dict[str, Any]


async def carry_out(
    opened: Context,
    caller: Principal,
    act: Callable[[Tx], Awaitable[Json]],
    *,
    key: str | None = None,
    request: Json | None = None,
) -> Json:
    """Do what a request asks and return its answer; for a used key, only return its answer.

    It is tried anew, as a whole, while others hold its rows for longer than one may wait for them.

    Raises:
        KeyReusedError: the key was used for another request.
        psycopg.OperationalError: others held its rows at every try.
    """

    async def attempt() -> Json:
        async with work(opened.deps, caller.workspace_id, cause=caller.name) as tx:
            return await idempotency.once(tx, key, request or {}, lambda: act(tx))

    for _ in range(_TRIES - 1):
        try:
            return await attempt()
        except HELD:
            continue
    return await attempt()
