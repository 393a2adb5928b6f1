"""One database for all tests of a folder, emptied after each: a tenth of the time of a fresh one.

For tests that only read and write rows. What a test leaves behind is deleted by the database's
owner with its triggers off, and whoever is still connected is cut off first.
"""

import secrets
from collections.abc import Generator

import psycopg
import pytest

from tests.database import database, with_database

_EMPTY = """
    do $$
    declare
        each record;
    begin
        perform pg_terminate_backend(pid)
        from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid();
        set local session_replication_role = replica;
        for each in
            select tablename
            from pg_tables
            where schemaname = 'public'
              and tablename not in ('callback_keys', 'clock', 'log_identity', 'schema_migrations')
              and tablename not like '%\\_migrations'
        loop
            execute format('delete from %I', each.tablename);
        end loop;
        update clock set offset_by = '0';
    end;
    $$
"""


@pytest.fixture(scope="session")
def shared_database(postgres_server: str, template_database: str) -> Generator[str]:
    """The address of a migrated database that the tests of a folder share."""
    with database(postgres_server, f"shared_{secrets.token_hex(4)}", template_database) as made:
        yield with_database(postgres_server, made)


@pytest.fixture
def database_url(shared_database: str) -> Generator[str]:
    """The address of an empty, migrated database that only this test uses meanwhile."""
    yield shared_database
    with psycopg.connect(shared_database, autocommit=True) as opened:
        opened.execute(_EMPTY)
