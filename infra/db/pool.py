"""Connections to Postgres: two pools a process, and the one way to open a transaction.

Checkpoints have a pool of their own, so a burst of queries cannot starve them. Every connection is
checked before it is lent (a server may have dropped it) and refuses to wait for ever: for a lock,
for a statement, inside a transaction that nobody continues, or for a network that swallows what it
is given. No statement is prepared, so a pooler such as pgbouncer may stand between.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from infra.db.errors import DatabaseUnreachableError, RoleWithoutLimitsError
from infra.db.query import Conn, fetch_value

type DomainPool = AsyncConnectionPool[Conn]
type CheckpointPool = AsyncConnectionPool[AsyncConnection[DictRow]]

_OPEN_SECONDS = 15.0
_REASON_SECONDS = 5
_LEND_SECONDS = 30.0
_NETWORK = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""A dead network is noticed within half a minute; the kernel's own limits are minutes to hours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long one connection may wait, in seconds."""

    lock: float = 5.0
    statement: float = 30.0
    idle_in_transaction: float = 5.0
    transaction: float = 30.0
    """From Postgres 17 on; also ends a transaction that a pipeline has left idle (ADR 0009)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pools:
    """The two pools of a process."""

    domain: DomainPool
    """Our tables; each `connection()` is one transaction, tuples unless a cursor says otherwise."""
    checkpoints: CheckpointPool
    """LangGraph's tables; autocommit and dict rows, as its saver wants them."""


@asynccontextmanager
async def open_pools(
    dsn: str,
    *,
    name: str = "atelier",
    size: int = 12,
    checkpoint_size: int = 4,
    limits: Limits | None = None,
    shares_sessions: bool = False,
) -> AsyncGenerator[Pools]:
    """Open both pools and close them at the end.

    `shares_sessions` says that a pooler at the address lends a session for each transaction: what
    one sets for its session reaches others then, so the role itself must carry the limits.

    Raises:
        DatabaseUnreachableError: the database did not answer in time.
        RoleWithoutLimitsError: sessions are shared, and the role lets a connection wait for ever.
    """
    settings = limits or Limits()
    own = None if shares_sessions else settings
    domain = _pool(dsn, name=name, size=size, limits=own)
    checkpoints = _pool(
        dsn,
        name=f"{name} checkpoints",
        size=checkpoint_size,
        limits=own,
        options={"autocommit": True, "row_factory": dict_row},
    )
    try:
        for pool in (domain, checkpoints):
            await _open(pool, dsn)
        if shares_sessions:
            await _check_role(domain, settings)
        yield Pools(domain=domain, checkpoints=checkpoints)
    finally:
        await checkpoints.close()
        await domain.close()


@asynccontextmanager
async def transaction(pool: DomainPool) -> AsyncGenerator[Conn]:
    """Lend a connection inside one transaction: committed at the end, rolled back by an error."""
    async with pool.connection() as conn, conn.transaction():
        yield conn


def network_limits(dsn: str) -> dict[str, int]:
    """Return how long a connection waits for a silent network, where its address does not say."""
    said = conninfo_to_dict(dsn)
    return {name: value for name, value in _NETWORK.items() if name not in said}


async def set_limits(conn: AsyncConnection[Any], limits: Limits) -> None:
    """Let a new connection wait for nothing longer than the limits, for as long as it lives."""
    # Set here and not with the start-up packet's `options`, which pgbouncer refuses.
    await conn.execute(
        """
        select set_config('lock_timeout', %(lock)s, false),
               set_config('statement_timeout', %(statement)s, false),
               set_config('idle_in_transaction_session_timeout', %(idle)s, false)
        """,
        {
            "lock": _milliseconds(limits.lock),
            "statement": _milliseconds(limits.statement),
            "idle": _milliseconds(limits.idle_in_transaction),
        },
    )
    await conn.execute(
        """
        select set_config(name, %(transaction)s, false)
        from pg_settings
        where name = 'transaction_timeout'
        """,
        {"transaction": _milliseconds(limits.transaction)},
    )
    await conn.commit()


async def _check_role(pool: DomainPool, limits: Limits) -> None:
    """Refuse a role under which a lock or an idle transaction may last longer than the limits."""
    wanted = {
        "lock_timeout": limits.lock,
        "statement_timeout": limits.statement,
        "idle_in_transaction_session_timeout": limits.idle_in_transaction,
        "transaction_timeout": limits.transaction,
    }
    async with pool.connection() as conn:
        # What a new session begins with, whatever somebody has set for this one since.
        cursor = await conn.execute(
            "select name, reset_val::int from pg_settings where name = any(%(names)s)",
            {"names": list(wanted)},
        )
        found = {name: milliseconds / 1000 for name, milliseconds in await cursor.fetchall()}
        role: str = await fetch_value(conn, "select current_user::text", {})
    missing = {
        name: most for name, most in wanted.items() if name in found and not 0 < found[name] <= most
    }
    if missing:
        raise RoleWithoutLimitsError(role, missing)


def _pool(
    dsn: str,
    *,
    name: str,
    size: int,
    limits: Limits | None,
    options: dict[str, Any] | None = None,
) -> AsyncConnectionPool[Any]:
    async def configure(conn: AsyncConnection[Any]) -> None:
        if limits is not None:
            await set_limits(conn, limits)

    return AsyncConnectionPool(
        dsn,
        kwargs={
            "application_name": name,
            "prepare_threshold": None,
            **network_limits(dsn),
            **(options or {}),
        },
        min_size=1,
        max_size=size,
        open=False,
        configure=configure,
        check=AsyncConnectionPool.check_connection,
        timeout=_LEND_SECONDS,
        max_idle=300.0,
        reconnect_timeout=60.0,
        name=name,
    )


async def _open(pool: AsyncConnectionPool[Any], dsn: str) -> None:
    try:
        await pool.open(wait=True, timeout=_OPEN_SECONDS)
    except PoolTimeout as error:
        raise DatabaseUnreachableError(dsn, await _reason(dsn)) from error


async def _reason(dsn: str) -> str:
    """Return what one more try says; the pool itself only knows that it waited."""
    try:
        conn = await AsyncConnection.connect(dsn, connect_timeout=_REASON_SECONDS)
    except psycopg.Error as error:
        return str(error).strip()
    await conn.close()
    return "it answers too slowly"


def _milliseconds(seconds: float) -> str:
    return f"{round(seconds * 1000)}ms"
