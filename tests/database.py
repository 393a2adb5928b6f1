"""A real Postgres for tests: one server and one migrated template a session, one database a test.

Fixtures: `database_url`, `pools`, `pool`, `conn`, `database_clock`. The server is the embedded one
in a temporary folder, or the one that `ATELIER_TEST_DATABASE_URL` names (it needs the right to
create databases, and pgvector).
"""

import asyncio
import itertools
import secrets
from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack

import pytest
from psycopg import Rollback
from pydantic_settings import BaseSettings, SettingsConfigDict

from evals.databases import DatabaseClock, database, quick_postgres, with_database
from infra.db.migrate import migrate
from infra.db.pool import DomainPool, Limits, Pools, open_pools, transaction
from infra.db.query import Conn


class _Environment(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="ATELIER_TEST_")

    database_url: str | None = None


_numbers = itertools.count(1)
# A debugger or a busy machine must not end a test's transaction; tests of the limits set their own.
_LIMITS = Limits(lock=20.0, statement=60.0, idle_in_transaction=60.0, transaction=120.0)


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


@pytest.fixture
def database_clock(database_url: str) -> DatabaseClock:
    """The clock of this test's database."""
    return DatabaseClock(database_url)
