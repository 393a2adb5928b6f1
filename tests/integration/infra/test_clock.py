"""`app_now()`: one clock for every process of a database, which tests can move."""

from datetime import UTC, datetime, timedelta
from typing import Any

from psycopg import AsyncConnection

from infra.db.pool import DomainPool, transaction
from infra.db.query import Conn
from tests.database import DatabaseClock


async def _now(conn: AsyncConnection[Any]) -> datetime:
    cursor = await conn.execute("select app_now()")
    row = await cursor.fetchone()
    assert row
    return row[0]


async def test_time_goes_on_within_a_transaction(conn: Conn) -> None:
    first = await _now(conn)
    assert await _now(conn) > first


async def test_an_offset_moves_time_for_every_connection(
    pool: DomainPool, database_clock: DatabaseClock
) -> None:
    async with transaction(pool) as conn:
        before = await _now(conn)
    await database_clock.advance(timedelta(days=3))
    async with transaction(pool) as one, transaction(pool) as other:
        assert timedelta(days=3) < await _now(one) - before < timedelta(days=3, minutes=1)
        assert timedelta(days=3) < await _now(other) - before < timedelta(days=3, minutes=1)


async def test_a_session_setting_fixes_time_for_one_transaction(pool: DomainPool) -> None:
    fixed = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
    async with transaction(pool) as conn:
        await conn.execute("select set_config('atelier.now', %s, true)", [fixed.isoformat()])
        assert await _now(conn) == fixed
        assert await _now(conn) == fixed
    async with transaction(pool) as conn:
        assert await _now(conn) != fixed


async def test_an_index_serves_a_comparison_with_now(conn: Conn) -> None:
    await conn.execute("create temporary table leases (expires_at timestamptz)")
    await conn.execute("create index on leases (expires_at)")
    await conn.execute("set local enable_seqscan = off")
    cursor = await conn.execute("explain select from leases where expires_at < app_now()")
    plan = "\n".join(row[0] for row in await cursor.fetchall())
    assert "Index Cond" in plan
