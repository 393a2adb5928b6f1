"""A real Postgres for many short trials: one server, one migrated template, a database each.

Whoever leaves a block has its database dropped, whoever is still connected.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from infra.db.embedded import embedded_postgres


def with_database(dsn: str, name: str) -> str:
    """Return the address of another database of the same server."""
    return urlsplit(dsn)._replace(path=f"/{name}").geturl()


@contextmanager
def quick_postgres(folder: Path) -> Generator[str]:
    """Keep a server of its own for many databases that live for seconds.

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


@dataclass(frozen=True)
class DatabaseClock:
    """Moves the time that `app_now()` tells to every process of one database."""

    database_url: str

    async def advance(self, by: timedelta) -> None:
        """Let so much time pass."""
        async with await psycopg.AsyncConnection.connect(self.database_url) as opened:
            await opened.execute("update clock set offset_by = offset_by + %s", [by])
