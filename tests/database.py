"""A real Postgres for tests: one server and one migrated template a session, one database a test.

Fixtures: `database_url`, `pools`, `pool`, `conn`, `database_clock`. The server is the embedded one
in a temporary folder, or the one that `ATELIER_TEST_DATABASE_URL` names (it needs the right to
create databases, and pgvector).
"""

import asyncio
import itertools
import secrets
from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import Rollback, sql
from pydantic_settings import BaseSettings, SettingsConfigDict

from infra.db.embedded import embedded_postgres
from infra.db.migrate import migrate
from infra.db.pool import DomainPool, Limits, Pools, open_pools, transaction
from infra.db.query import Conn


class _Environment(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="ATELIER_TEST_")

    database_url: str | None = None


_numbers = itertools.count(1)
# A debugger or a busy machine must not end a test's transaction; tests of the limits set their own.
_LIMITS = Limits(lock=20.0, statement=60.0, idle_in_transaction=60.0, transaction=120.0)


def with_database(dsn: str, name: str) -> str:
    """Return the address of another database of the same server."""
    return urlsplit(dsn)._replace(path=f"/{name}").geturl()


@contextmanager
def quick_postgres(folder: Path) -> Generator[str]:
    """A server of its own for many databases that live for seconds.

    It leaves it to the machine when to write to the disk: only a fall of the whole machine would
    tell the difference, and making and dropping a database takes a quarter of the time.
    """
    with embedded_postgres(folder) as dsn:
        with psycopg.connect(dsn, autocommit=True) as opened:
            opened.execute("alter system set fsync = off")
            opened.execute("select pg_reload_conf()")
        yield dsn


@contextmanager
def database(server: str, name: str, template: str = "template1") -> Generator[str]:
    """Create a database and drop it at the end, whoever is still connected."""
    create = sql.SQL("create database {} template {} strategy file_copy")
    drop = sql.SQL("drop database {} with (force)")
    with psycopg.connect(server, autocommit=True) as opened:
        opened.execute(create.format(sql.Identifier(name), sql.Identifier(template)))
    try:
        yield name
    finally:
        with psycopg.connect(server, autocommit=True) as opened:
            opened.execute(drop.format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """The address of a database from which others may be created; ended with the session."""
    with ExitStack() as stack:
        dsn = _Environment().database_url
        if dsn is None:
            dsn = stack.enter_context(quick_postgres(tmp_path_factory.mktemp("server")))
        yield dsn


@pytest.fixture(scope="session")
def template_database(postgres_server: str) -> Generator[str]:
    """The name of a migrated database that nothing connects to."""
    with database(postgres_server, f"template_{secrets.token_hex(4)}") as name:
        asyncio.run(migrate(with_database(postgres_server, name)))
        yield name


@pytest.fixture
def database_url(postgres_server: str, template_database: str) -> Generator[str]:
    """The address of a fresh, migrated database that only this test uses."""
    name = f"{template_database}_{next(_numbers)}"
    with database(postgres_server, name, template_database) as made:
        yield with_database(postgres_server, made)


@pytest.fixture
def empty_database_url(postgres_server: str) -> Generator[str]:
    """The address of a fresh database without any table."""
    with database(postgres_server, f"empty_{secrets.token_hex(4)}") as made:
        yield with_database(postgres_server, made)


@pytest.fixture
async def pools(database_url: str) -> AsyncGenerator[Pools]:
    """Both pools on this test's database."""
    async with open_pools(database_url, name="test", limits=_LIMITS) as opened:
        yield opened


@pytest.fixture
def pool(pools: Pools) -> DomainPool:
    """The pool for our own tables."""
    return pools.domain


@pytest.fixture
async def conn(pool: DomainPool) -> AsyncGenerator[Conn]:
    """One open transaction, rolled back at the end; use `pool` where others must see it."""
    async with transaction(pool) as opened:
        yield opened
        raise Rollback


@dataclass(frozen=True)
class DatabaseClock:
    """Moves the time that `app_now()` tells to every process of one database."""

    database_url: str

    async def advance(self, by: timedelta) -> None:
        async with await psycopg.AsyncConnection.connect(self.database_url) as opened:
            await opened.execute("update clock set offset_by = offset_by + %s", [by])


@pytest.fixture
def database_clock(database_url: str) -> DatabaseClock:
    """The clock of this test's database."""
    return DatabaseClock(database_url)
