"""The migration runner on a real Postgres: once, in order, whole or not at all, many at once."""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from execution.approvals import Decision
from infra.db import migrate as module
from infra.db.errors import (
    DatabaseUnreachableError,
    MigrationChangedError,
    MigrationFailedError,
    MigrationLockedError,
    MigrationOrderError,
    MigrationUnknownError,
)
from infra.db.migrate import MIGRATIONS, QUEUE, migrate
from infra.db.pool import Pools, open_pools
from infra.ids import TaskId
from tests.harness import open_machine
from tests.integration.graphs.stage import Model, Stage, Vendor, concept, fill, plan, routed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "0001_first.sql").write_text(
        "create table first (n int);\ninsert into first values (1);\n"
    )
    (tmp_path / "0002_second.sql").write_text("alter table first rename to second;\n")
    return tmp_path


async def rows(dsn: str, statement: str) -> list[tuple[Any, ...]]:
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        cursor = await conn.execute(statement.encode())
        return await cursor.fetchall()


async def test_a_new_database_gets_all_tables_once(empty_database_url: str) -> None:
    ran = await migrate(empty_database_url)
    assert ran[0] == "0001_clock.sql"
    assert ran[-1] == "procrastinate/schema.sql"
    tables = {name for (name,) in await rows(empty_database_url, "select tablename from pg_tables")}
    assert {"clock", "checkpoints", "checkpoint_writes", "procrastinate_jobs"} <= tables
    assert await rows(empty_database_url, "select from pg_extension where extname = 'vector'")
    assert await migrate(empty_database_url) == []


async def test_four_starts_at_once_run_each_file_once(empty_database_url: str) -> None:
    ran = await asyncio.gather(*(migrate(empty_database_url) for _ in range(4)))
    assert sorted(len(names) for names in ran)[:3] == [0, 0, 0]
    assert await migrate(empty_database_url) == []


def test_two_processes_at_once_run_each_file_once(empty_database_url: str) -> None:
    script = (
        "import asyncio, sys; from infra.db.migrate import migrate;"
        "from infra.telemetry import configure_logging; configure_logging('error');"
        "print(len(asyncio.run(migrate(sys.argv[1]))))"
    )
    command = [sys.executable, "-c", script, empty_database_url]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    ran = sorted(int(process.communicate()[0]) for process in processes)
    assert ran == [0, len(list(MIGRATIONS.glob("*.sql"))) + 1]


async def test_files_run_in_order_and_each_once(empty_database_url: str, folder: Path) -> None:
    ran = await migrate(empty_database_url, folder=folder)
    assert ran[:2] == ["0001_first.sql", "0002_second.sql"]
    (folder / "0003_third.sql").write_text("update second set n = n + 1")
    assert await migrate(empty_database_url, folder=folder) == ["0003_third.sql"]
    assert await rows(empty_database_url, "select n from second") == [(2,)]


async def test_a_changed_file_is_refused(empty_database_url: str, folder: Path) -> None:
    await migrate(empty_database_url, folder=folder)
    with (folder / "0001_first.sql").open("a") as file:
        file.write("-- a word more\n")
    with pytest.raises(MigrationChangedError, match=r"0001_first\.sql"):
        await migrate(empty_database_url, folder=folder)


async def test_a_file_that_sorts_before_the_last_is_refused(
    empty_database_url: str, folder: Path
) -> None:
    await migrate(empty_database_url, folder=folder)
    (folder / "0001_zero.sql").write_text("select 1")
    with pytest.raises(MigrationOrderError, match="Renumber it"):
        await migrate(empty_database_url, folder=folder)


async def test_a_database_from_a_newer_version_is_refused(
    empty_database_url: str, folder: Path
) -> None:
    await migrate(empty_database_url, folder=folder)
    (folder / "0002_second.sql").unlink()
    with pytest.raises(MigrationUnknownError, match="Start the newer version"):
        await migrate(empty_database_url, folder=folder)


async def test_a_failing_file_leaves_nothing_behind(empty_database_url: str, folder: Path) -> None:
    (folder / "0003_third.sql").write_text("create table third ();\ncreate table second ();\n")
    with pytest.raises(MigrationFailedError, match="already exists"):
        await migrate(empty_database_url, folder=folder)
    assert await rows(empty_database_url, "select to_regclass('third')") == [(None,)]
    assert await rows(empty_database_url, "select name from schema_migrations order by 1") == [
        ("0001_first.sql",),
        ("0002_second.sql",),
    ]
    (folder / "0003_third.sql").write_text("create table third ();\n")
    assert (await migrate(empty_database_url, folder=folder))[0] == "0003_third.sql"


async def test_a_file_may_build_indexes_without_a_transaction(
    empty_database_url: str, folder: Path
) -> None:
    (folder / "0003_index.sql").write_text(
        "-- migrate: no-transaction\n"
        "create index concurrently one on second (n);\n"
        "create index concurrently two on second (n);\n"
    )
    await migrate(empty_database_url, folder=folder)
    found = await rows(
        empty_database_url, "select indexname from pg_indexes where tablename = 'second' order by 1"
    )
    assert found == [("one",), ("two",)]


async def test_a_newer_queue_library_brings_its_own_migrations(
    empty_database_url: str, tmp_path: Path
) -> None:
    await migrate(empty_database_url)
    newer = tmp_path / "sql"
    shutil.copytree(QUEUE, newer)
    (newer / "migrations" / "99.00.00_01_pre_more.sql").write_text(
        "alter table procrastinate_jobs add column more int"
    )
    ran = await migrate(empty_database_url, queue=newer)
    assert ran == ["procrastinate/99.00.00_01_pre_more.sql"]
    assert await migrate(empty_database_url, queue=newer) == []


async def test_a_lock_that_is_never_freed_is_not_ignored(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LOCK_WAIT_SECONDS", 0.3)
    async with await psycopg.AsyncConnection.connect(empty_database_url) as other:
        await other.execute("select pg_advisory_lock(%s)", [module.LOCK_KEY])
        with pytest.raises(MigrationLockedError):
            await migrate(empty_database_url)
    assert await migrate(empty_database_url)


async def test_a_database_that_does_not_answer_is_named_without_its_password() -> None:
    with pytest.raises(DatabaseUnreachableError) as raised:
        await migrate("postgresql://me:secret@127.0.0.1:1/there")
    assert "database there at 127.0.0.1" in raised.value.message
    assert "secret" not in raised.value.message


async def test_work_begun_before_the_newest_migration_survives_it_and_is_finished(
    database_url: str, empty_database_url: str, pools: Pools, tmp_path: Path
) -> None:
    """Rows as the version before had them are brought up to date and gone on with."""
    *earlier, newest = sorted(MIGRATIONS.glob("*.sql"))
    for path in earlier:
        (tmp_path / "earlier").mkdir(exist_ok=True)
        shutil.copy(path, tmp_path / "earlier")
    await migrate(empty_database_url, folder=tmp_path / "earlier")
    vendor, model = Vendor(), Model(route=routed(), answers=[plan(2), concept(), fill])
    async with open_machine(database_url, pools, tmp_path, model=model, provider=vendor) as machine:
        task_id = await Stage(machine=machine, vendor=vendor, model=model).begin()
    tables = await copy_rows(database_url, empty_database_url)
    before = {table: await contents(empty_database_url, table, tables[table]) for table in tables}
    assert sum(len(found) > 0 for found in before.values()) > 10, "there is hardly a row"
    assert await migrate(empty_database_url) == [newest.name]
    for table, columns in tables.items():
        assert await contents(empty_database_url, table, columns) == before[table]
    async with (
        open_pools(empty_database_url, name="test") as upgraded,
        open_machine(
            empty_database_url, upgraded, tmp_path, model=model, provider=vendor
        ) as machine,
    ):
        stage = Stage(machine=machine, vendor=vendor, model=model)
        (asked,) = await machine.pending()
        await machine.decide(asked, Decision.APPROVE)
        await machine.drain()
        assert (await stage.task(TaskId(task_id)))[0] == "completed"
        await stage.check()


async def copy_rows(source: str, target: str) -> dict[str, list[str]]:
    """Copy every row into the tables and columns that the target has; return those."""
    copied: dict[str, list[str]] = {}
    async with (
        await psycopg.AsyncConnection.connect(source) as old,
        await psycopg.AsyncConnection.connect(target) as new,
    ):
        await new.execute("set session_replication_role = replica")  # in any order of tables
        known, wanted = await columns_of(old), await columns_of(new)
        for table in wanted.keys() & known.keys():
            names = [name for name in wanted[table] if name in known[table]]
            copied[table] = names
            await new.execute(sql.SQL("delete from {}").format(sql.Identifier(table)))
            listed = sql.SQL(", ").join(map(sql.Identifier, names))
            read = sql.SQL("copy (select {} from {}) to stdout").format(
                listed, sql.Identifier(table)
            )
            write = sql.SQL("copy {} ({}) from stdin").format(sql.Identifier(table), listed)
            async with old.cursor().copy(read) as rows, new.cursor().copy(write) as into:
                async for row in rows:
                    await into.write(row)
        cursor = await old.execute(
            "select sequencename, last_value from pg_sequences where last_value is not null"
        )
        for name, value in await cursor.fetchall():
            await new.execute("select setval(to_regclass(%s), %s)", [name, value])
    return copied


async def columns_of(conn: psycopg.AsyncConnection) -> dict[str, list[str]]:
    """Return the columns of each table that is written by the product."""
    cursor = await conn.execute(
        """
        select table_name::text, array_agg(column_name::text order by ordinal_position)
        from information_schema.columns
        join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
          and table_name not like '%migrations' and table_name not like 'procrastinate%'
        group by table_name
        """
    )
    return dict(await cursor.fetchall())


async def contents(dsn: str, table: str, columns: list[str]) -> list[str]:
    async with await psycopg.AsyncConnection.connect(dsn) as conn:
        listed = sql.SQL(", ").join(map(sql.Identifier, columns))
        read = sql.SQL("select {} from {}").format(listed, sql.Identifier(table))
        return sorted(map(str, await (await conn.execute(read)).fetchall()))
