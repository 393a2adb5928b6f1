"""One owner per table: only it names the table in SQL."""

from tests.contracts.owners import JOINS, JUDGES, JUDGES_WRITE, OWNERS
from tests.contracts.sources import (
    ROOT,
    modules,
    name,
    strings,
    tables,
    tables_read,
    tables_written,
)


def test_every_table_has_an_owner() -> None:
    assert sorted(OWNERS) == sorted(tables()), "add a row to tests/contracts/owners.py"


def test_every_owner_exists() -> None:
    assert [owner for owner in OWNERS.values() if not (ROOT / owner).is_file()] == []


def test_only_the_owner_names_a_table_in_sql() -> None:
    trespassers = [
        f"{name(path)} names {table}, which {OWNERS[table]} owns"
        for path in modules()
        for table in tables_read(strings(path))
        if OWNERS.get(table) != name(path)
        and (name(path), table) not in JOINS
        and not name(path).startswith(JUDGES)
    ]
    assert trespassers == []


def test_what_judges_runs_changes_nothing_of_them_but_the_time() -> None:
    written = {
        (name(path), table)
        for path in modules()
        if name(path).startswith(JUDGES)
        for table in tables_written(strings(path))
    }
    assert written == JUDGES_WRITE


def test_joined_tables_are_only_read_and_still_joined() -> None:
    for (module, table), reason in JOINS.items():
        text = strings(ROOT / module)
        assert reason
        assert table in tables_read(text), f"{module} does not join {table} any more"
        assert table not in tables_written(text), f"{module} writes {table}"


def test_the_reader_of_sql_sees_what_it_has_to() -> None:
    sql = "with x as (select 1 from threads) update only tasks set a = 1 from public.steps; "
    assert tables_read(sql) == {"threads", "tasks", "steps"}
    assert tables_written(sql) == {"tasks"}
    assert tables_written("insert into events; delete from jobs using tasks") == {"events", "jobs"}
