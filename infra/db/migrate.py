"""Brings a database's tables up to date; safe to run by several processes at once.

Runs every file of `migrations/` in the order of its name, once, each in one transaction (a file
whose first line is `-- migrate: no-transaction` runs statement by statement, for concurrent
indexes). A file that has run must never change; there is no way back. The tables of LangGraph's
saver and of procrastinate are made under the same lock, which both lack.

The lock is polled. With a blocking one, four starts at once deadlocked: a waiting session holds a
virtual transaction, and `create index concurrently` waits for all of those.
"""

import asyncio
import hashlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import psycopg
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row

from infra import clock
from infra.db.errors import (
    DatabaseUnreachableError,
    MigrationChangedError,
    MigrationFailedError,
    MigrationLockedError,
    MigrationOrderError,
    MigrationUnknownError,
)
from infra.telemetry import get_logger

_log = get_logger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"
QUEUE = Path(str(resources.files("procrastinate"))) / "sql"
_VECTOR = "extension vector"
_QUEUE = "procrastinate/"
_NO_TRANSACTION = b"-- migrate: no-transaction"
LOCK_KEY = 0x61_74_65_6C_69_65_72  # "atelier"
_LOCK_POLL_SECONDS = 0.1
_LOCK_WAIT_SECONDS = 300.0

type _Conn = AsyncConnection[DictRow]


@dataclass(frozen=True, slots=True)
class _Migration:
    name: str
    sql: bytes

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql).hexdigest()


async def migrate(dsn: str, *, folder: Path = MIGRATIONS, queue: Path = QUEUE) -> list[str]:
    """Run what has not run yet and return its names; an empty list when all was up to date.

    Raises:
        DatabaseUnreachableError: nothing answers.
        MigrationError: the message says which file and why; what ran before it stays.
    """
    try:
        conn = await AsyncConnection[DictRow].connect(
            dsn, autocommit=True, row_factory=dict_row, application_name="atelier migrate"
        )
    except psycopg.OperationalError as error:
        raise DatabaseUnreachableError(dsn, str(error).strip()) from error
    async with conn, _lock(conn):
        await _without_limits(conn)
        await conn.execute(
            """
            create table if not exists schema_migrations (
                name text primary key,
                checksum text not null,
                applied_at timestamptz not null default clock_timestamp()
            )
            """
        )
        await _create_vector(conn)
        ran = await _run_files(conn, await asyncio.to_thread(_read, folder))
        await AsyncPostgresSaver(conn).setup()
        ran += await _run_queue(conn, queue)
    return ran


async def _without_limits(conn: _Conn) -> None:
    """Let a migration take its time, whatever limits the role carries for everybody else."""
    await conn.execute(
        """
        select set_config(name, '0', false)
        from pg_settings
        where name in ('statement_timeout', 'transaction_timeout')
        """
    )


async def _run_files(conn: _Conn, files: list[_Migration]) -> list[str]:
    applied = {
        name: checksum
        for name, checksum in (await _applied(conn)).items()
        if not name.startswith(_QUEUE)
    }
    unknown = applied.keys() - {file.name for file in files}
    if unknown:
        raise MigrationUnknownError(min(unknown))
    ran: list[str] = []
    for file in files:
        if file.name not in applied:
            last = max(applied, default="")
            if file.name < last:
                raise MigrationOrderError(file.name, last)
            await _run(conn, file)
            ran.append(file.name)
        elif applied[file.name] != file.checksum:
            raise MigrationChangedError(file.name)
    return ran


async def _run_queue(conn: _Conn, folder: Path) -> list[str]:
    """Make procrastinate's tables, or run those of its migrations that came since."""
    steps = await asyncio.to_thread(_read, folder / "migrations", prefix=_QUEUE)
    applied = await _applied(conn)
    if any(step.name in applied for step in steps):
        missing = [step for step in steps if step.name not in applied]
        for step in missing:
            await _run(conn, step)
        return [step.name for step in missing]
    schema = _Migration(
        _QUEUE + "schema.sql", await asyncio.to_thread((folder / "schema.sql").read_bytes)
    )
    await _run(conn, schema, also=steps)
    return [schema.name]


async def _run(conn: _Conn, file: _Migration, *, also: list[_Migration] | None = None) -> None:
    """Run one file and record it, and those it stands for, in the same transaction if it may."""
    started = clock.monotonic()
    try:
        if file.sql.startswith(_NO_TRANSACTION):
            for statement in file.sql.split(b";\n"):
                await conn.execute(statement)
            await _record(conn, [file])
        else:
            async with conn.transaction():
                await conn.execute(file.sql)
                await _record(conn, [file, *(also or [])])
    except psycopg.Error as error:
        raise MigrationFailedError(file.name, str(error).strip()) from error
    _log.info("migration_ran", name=file.name, seconds=round(clock.monotonic() - started, 3))


async def _record(conn: _Conn, files: list[_Migration]) -> None:
    async with conn.cursor() as cursor:
        await cursor.executemany(
            "insert into schema_migrations (name, checksum) values (%(name)s, %(checksum)s)",
            [{"name": file.name, "checksum": file.checksum} for file in files],
        )


async def _applied(conn: _Conn) -> dict[str, str]:
    cursor = await conn.execute("select name, checksum from schema_migrations order by name")
    return {row["name"]: row["checksum"] async for row in cursor}


async def _create_vector(conn: _Conn) -> None:
    """Create pgvector where the server has it; what needs it says so when it is missing."""
    cursor = await conn.execute(
        """
        select installed_version
        from pg_available_extensions
        where name = 'vector'
        """
    )
    row = await cursor.fetchone()
    if row is None:
        _log.warning("extension_missing", name="vector")
    elif row["installed_version"] is None:
        try:
            await conn.execute("create extension if not exists vector")
        except psycopg.Error as error:
            raise MigrationFailedError(_VECTOR, str(error).strip()) from error


def _read(folder: Path, *, prefix: str = "") -> list[_Migration]:
    files = sorted(folder.glob("*.sql"))
    return [_Migration(prefix + path.name, path.read_bytes()) for path in files]


@asynccontextmanager
async def _lock(conn: AsyncConnection[Any]) -> AsyncGenerator[None]:
    """Hold the migration lock; it ends with the connection, so a killed process frees it."""
    give_up = clock.monotonic() + _LOCK_WAIT_SECONDS
    params = {"key": LOCK_KEY}
    while True:
        cursor = await conn.execute("select pg_try_advisory_lock(%(key)s) as held", params)
        row = await cursor.fetchone()
        if row and row["held"]:
            break
        if clock.monotonic() > give_up:
            raise MigrationLockedError(_LOCK_WAIT_SECONDS)
        await asyncio.sleep(_LOCK_POLL_SECONDS)
    try:
        yield
    finally:
        if not conn.broken:
            await conn.execute("select pg_advisory_unlock(%(key)s)", params)
