"""Pools and transactions against a real Postgres: nothing waits for ever, nothing leaks."""

import asyncio
import os
import socket
from typing import Any

import psycopg
import pytest
from psycopg.errors import (
    DivisionByZero,
    IdleInTransactionSessionTimeout,
    LockNotAvailable,
    QueryCanceled,
    TransactionTimeout,
)

from infra.db import pool as module
from infra.db.errors import DatabaseUnreachableError
from infra.db.pool import DomainPool, Limits, Pools, open_pools, transaction
from infra.db.query import Conn, execute, fetch_value
from tests.proxy import open_proxy


async def make_counter(pool: DomainPool) -> None:
    async with transaction(pool) as conn:
        await conn.execute("create table counter (n int)")
        await conn.execute("insert into counter values (0)")


async def count(conn: Conn) -> Any:
    return await fetch_value(conn, "select n from counter", {})


async def test_a_transaction_commits_at_its_end(pool: DomainPool) -> None:
    await make_counter(pool)
    async with transaction(pool) as conn:
        assert await execute(conn, "update counter set n = 1", {}) == 1
    async with transaction(pool) as conn:
        assert await count(conn) == 1


async def test_an_error_rolls_a_transaction_back(pool: DomainPool) -> None:
    await make_counter(pool)
    with pytest.raises(DivisionByZero):
        async with transaction(pool) as conn:
            await conn.execute("update counter set n = 1; select 1 / 0")
    async with transaction(pool) as conn:
        assert await count(conn) == 0


async def test_waiting_for_a_lock_has_an_end(database_url: str) -> None:
    async with open_pools(database_url, limits=Limits(lock=0.1)) as pools:
        await make_counter(pools.domain)
        async with transaction(pools.domain) as one:
            await one.execute("update counter set n = 1")
            with pytest.raises(LockNotAvailable):
                async with transaction(pools.domain) as other:
                    await other.execute("update counter set n = 2")


async def test_a_statement_has_an_end(database_url: str) -> None:
    async with open_pools(database_url, limits=Limits(statement=0.1)) as pools:
        with pytest.raises(QueryCanceled):
            async with transaction(pools.domain) as conn:
                await conn.execute("select pg_sleep(20)")


async def test_a_frozen_transaction_does_not_block_a_takeover(database_url: str) -> None:
    limits = Limits(idle_in_transaction=0.2)
    async with open_pools(database_url, limits=limits) as pools:
        await make_counter(pools.domain)
        async with pools.domain.connection() as frozen:
            await frozen.execute("update counter set n = 1")
            async with transaction(pools.domain) as other:  # waits for the row, then gets it
                await other.execute("update counter set n = n + 10")
            with pytest.raises(IdleInTransactionSessionTimeout):
                await frozen.execute("select 1")
        async with transaction(pools.domain) as conn:
            assert await count(conn) == 10


async def test_connections_that_the_server_dropped_are_not_lent(
    pools: Pools, postgres_server: str
) -> None:
    async with transaction(pools.domain) as conn:
        pid = await fetch_value(conn, "select pg_backend_pid()", {})
    async with await psycopg.AsyncConnection.connect(postgres_server, autocommit=True) as admin:
        await admin.execute("select pg_terminate_backend(%s, 5000)", [pid])
    async with transaction(pools.domain) as conn:
        assert await fetch_value(conn, "select pg_backend_pid()", {}) != pid


async def test_cancelled_borrowers_give_their_connections_back(database_url: str) -> None:
    async with open_pools(database_url, size=2) as pools:

        async def borrow() -> None:
            async with transaction(pools.domain) as conn:
                await conn.execute("select pg_sleep(20)")

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(borrow()) for _ in range(20)]
            for _ in range(50):
                await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
        async with transaction(pools.domain) as one, transaction(pools.domain) as other:
            assert await fetch_value(one, "select 1", {}) == 1
            assert await fetch_value(other, "select 2", {}) == 2


async def test_nothing_is_prepared_so_a_pooler_may_stand_between(pool: DomainPool) -> None:
    async with transaction(pool) as conn:
        for _ in range(20):
            await fetch_value(conn, "select %(n)s::int", {"n": 1})
        assert await fetch_value(conn, "select count(*) from pg_prepared_statements", {}) == 0


async def test_checkpoint_connections_commit_at_once_and_return_dicts(pools: Pools) -> None:
    async with pools.checkpoints.connection() as conn:
        assert conn.autocommit
        cursor = await conn.execute("select 1 as one")
        assert await cursor.fetchone() == {"one": 1}


async def test_a_connection_tells_whose_it_is(pools: Pools) -> None:
    async with transaction(pools.domain) as conn:
        assert await fetch_value(conn, "show application_name", {}) == "test"


async def test_a_database_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_OPEN_SECONDS", 0.2)
    with pytest.raises(DatabaseUnreachableError, match=r"database there at 127\.0\.0\.1") as raised:
        async with open_pools("postgresql://me:secret@127.0.0.1:1/there"):
            pass
    assert "secret" not in raised.value.message


async def test_a_network_that_swallows_everything_is_noticed(database_url: str) -> None:
    """The kernel is told when to give up; its own limits are a quarter of an hour and longer."""
    async with (
        open_proxy(database_url) as proxy,
        open_pools(proxy.url, name="test") as pools,
        pools.checkpoints.connection() as other,
        transaction(pools.domain) as conn,
    ):
        for each in (conn, other):
            with socket.socket(fileno=os.dup(each.fileno())) as same:
                assert same.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
                assert same.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 10
                assert same.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000


async def test_what_the_address_says_of_the_network_is_kept(database_url: str) -> None:
    async with (
        open_proxy(database_url) as proxy,
        open_pools(f"{proxy.url}?tcp_user_timeout=7000", name="test") as pools,
        transaction(pools.domain) as conn,
    ):
        with socket.socket(fileno=os.dup(conn.fileno())) as same:
            assert same.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 7_000


async def test_a_transaction_that_a_pipeline_left_idle_is_ended_too(database_url: str) -> None:
    """The limit of an idle transaction may not see it (ADR 0009); that of the whole one does."""
    limits = Limits(idle_in_transaction=0.2, transaction=1.0)
    async with open_pools(database_url, limits=limits) as pools:
        with pytest.raises((TransactionTimeout, IdleInTransactionSessionTimeout)):
            await _stand_idle_after_a_pipeline(pools.domain)


async def _stand_idle_after_a_pipeline(pool: DomainPool) -> None:
    async with transaction(pool) as conn:
        await conn.execute("create temporary table lines (line integer)")
        async with conn.cursor() as cursor:
            await cursor.executemany("insert into lines values (%s)", [(1,), (2,)])
        told, loop = asyncio.Event(), asyncio.get_running_loop()
        loop.add_reader(conn.fileno(), told.set)
        try:
            await told.wait()
        finally:
            loop.remove_reader(conn.fileno())
        await conn.execute("select 1")
