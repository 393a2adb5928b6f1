"""Four ways to run a statement, each typed by the row it returns.

The SQL stands in the function that runs it; these only open the cursor. None opens or commits a
transaction.
"""

from collections.abc import Mapping
from typing import Any, LiteralString

from psycopg import AsyncConnection
from psycopg.rows import class_row

type Conn = AsyncConnection[tuple[Any, ...]]
type Params = Mapping[str, Any]


async def fetch_all[Row](
    conn: Conn, row: type[Row], sql: LiteralString, params: Params
) -> list[Row]:
    """Return every row as an instance of `row`; column names are its fields."""
    async with conn.cursor(row_factory=class_row(row)) as cursor:
        await cursor.execute(sql, params)
        return await cursor.fetchall()


async def fetch_one[Row](
    conn: Conn, row: type[Row], sql: LiteralString, params: Params
) -> Row | None:
    """Return the first row as an instance of `row`, or None."""
    async with conn.cursor(row_factory=class_row(row)) as cursor:
        await cursor.execute(sql, params)
        return await cursor.fetchone()


async def fetch_value(conn: Conn, sql: LiteralString, params: Params) -> Any:
    """Return the first column of the first row, or None when there is no row."""
    cursor = await conn.execute(sql, params)
    row = await cursor.fetchone()
    return row[0] if row else None


async def execute(conn: Conn, sql: LiteralString, params: Params) -> int:
    """Run a statement and return how many rows it changed."""
    cursor = await conn.execute(sql, params)
    return cursor.rowcount
