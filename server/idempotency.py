"""Answers a repeated request as the first one, and knows which log this is.

Owns `idempotency_keys` and `log_identity`. A key's answer is stored in the transaction of what
the request changed, so either both are there or neither; of two requests at once the second
waits for the first. The same key with another request is refused. Keys are kept for two days.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_one, fetch_value
from infra.ids import WorkspaceId
from server.errors import KeyReusedError

KEPT = timedelta(days=2)

type Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    request_sha256: str
    answer: dict[str, Any]


async def once(tx: Tx, key: str | None, request: Json, act: Callable[[], Awaitable[Json]]) -> Json:
    """Do what a request asks and return its answer; for a used key, only return its answer.

    Raises:
        KeyReusedError: the key was used for another request.
    """
    if key is None:
        return await act()
    digest = _hash(request)
    taken = await execute(
        tx.conn,
        """
        insert into idempotency_keys (workspace_id, scope, key, request_sha256)
        values (%(workspace_id)s, 'request', %(key)s, %(digest)s)
        on conflict do nothing
        """,
        {"workspace_id": tx.workspace_id, "key": key, "digest": digest},
    )
    if not taken:
        return await _answer(tx.conn, tx.workspace_id, key, digest)
    answer = await act()
    await execute(
        tx.conn,
        """
        update idempotency_keys
        set answer = %(answer)s
        where workspace_id = %(workspace_id)s
          and scope = 'request'
          and key = %(key)s
        """,
        {"answer": Jsonb(answer), "workspace_id": tx.workspace_id, "key": key},
    )
    return answer


async def _answer(conn: Conn, workspace_id: WorkspaceId, key: str, digest: str) -> Json:
    kept = await fetch_one(
        conn,
        _Kept,
        """
        select request_sha256, answer
        from idempotency_keys
        where workspace_id = %(workspace_id)s
          and scope = 'request'
          and key = %(key)s
        """,
        {"workspace_id": workspace_id, "key": key},
    )
    if kept is None or kept.request_sha256 != digest:
        raise KeyReusedError
    return kept.answer


async def remember_position(tx: Tx, client_id: str, position: int) -> None:
    """Keep the position of the log before a message's first event; the first one stays."""
    await execute(
        tx.conn,
        """
        insert into idempotency_keys (workspace_id, scope, key, request_sha256, answer)
        values (%(workspace_id)s, 'message', %(key)s, '', %(answer)s)
        on conflict do nothing
        """,
        {
            "workspace_id": tx.workspace_id,
            "key": client_id,
            "answer": Jsonb({"after": position}),
        },
    )


async def position_of(conn: Conn, workspace_id: WorkspaceId, client_id: str) -> int:
    """Return the position after which a message's events can be read; 0 when it is forgotten."""
    return (
        await fetch_value(
            conn,
            """
            select (answer ->> 'after')::bigint
            from idempotency_keys
            where workspace_id = %(workspace_id)s
              and scope = 'message'
              and key = %(key)s
            """,
            {"workspace_id": workspace_id, "key": client_id},
        )
        or 0
    )


async def forget_old(conn: Conn) -> int:
    """Drop keys that nobody will repeat any more; return how many."""
    return await execute(
        conn,
        "delete from idempotency_keys where created_at < app_now() - %(kept)s",
        {"kept": KEPT},
    )


async def read_epoch(conn: Conn) -> str:
    """Return the identity of this database's log."""
    epoch: UUID = await fetch_value(conn, "select epoch from log_identity", {})
    return str(epoch)


def _hash(request: Json) -> str:
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
