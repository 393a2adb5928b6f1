"""The operator's look for live work that nothing will ever move again."""

import importlib
import importlib.util

import psycopg
from psycopg import AsyncConnection

from infra.db.errors import DatabaseUnreachableError


async def list_orphans(dsn: str) -> list[str]:
    """Return a line for each live row without an owner, a timer or a person to wait for.

    Raises:
        DatabaseUnreachableError: the database does not answer.
    """
    try:
        conn = await AsyncConnection.connect(dsn)
    except psycopg.OperationalError as error:
        raise DatabaseUnreachableError(dsn, str(error).strip()) from error
    async with conn:
        if importlib.util.find_spec("execution.orphans") is None:
            return []
        return [
            str(found) for found in await importlib.import_module("execution.orphans").find(conn)
        ]
