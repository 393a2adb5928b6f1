"""The product behind pgbouncer: what `docs/operations.md` says of poolers is tried here."""

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from infra.db.errors import RoleWithoutLimitsError
from infra.db.pool import Pools, open_pools
from tests.faults.stage import BRIEF, briefs, open_stage
from tests.integration.server.conftest import free_port
from tests.proxy import open_proxy

PGBOUNCER = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(
        not Path(PGBOUNCER).exists(),
        reason="2026-11-29: pgbouncer is no part of the set-up; apt-get install pgbouncer tries it",
    ),
]


@pytest.mark.long
async def test_work_is_done_through_a_pooler_in_session_mode(
    database_url: str, pools: Pools, tmp_path: Path
) -> None:
    async with (
        open_proxy(database_url) as proxy,  # the server's socket is in a private folder
        pooler(proxy.url, tmp_path) as address,
        open_stage(database_url, pools, tmp_path) as stage,
    ):
        said = await stage.machine.say(BRIEF)
        worker = await stage.running.start(database_url=address)
        async for _ in stage.until_finished(said):
            assert worker.is_alive()
        await stage.check(works=1)


@pytest.mark.long
async def test_work_is_done_through_a_pooler_that_shares_sessions(
    database_url: str, pools: Pools, tmp_path: Path
) -> None:
    async with (
        open_proxy(database_url) as proxy,
        pooler(proxy.url, tmp_path, mode="transaction", size=4) as address,
        open_stage(database_url, pools, tmp_path) as stage,
    ):
        with pytest.raises(RoleWithoutLimitsError, match="alter role"):
            async with open_pools(address, shares_sessions=True):
                pass
        await give_limits(database_url)
        said = [await stage.machine.say(brief) for brief in briefs(3)]
        running = [await stage.running.start(pooler_url=address) for _ in range(2)]
        async for _ in stage.until_all_finished(said):
            assert all(worker.is_alive() for worker in running)
        await stage.check(works=3)


async def give_limits(database_url: str) -> None:
    """Let every new session of this database begin with the limits."""
    limits = {
        "lock_timeout": "5s",
        "statement_timeout": "30s",
        "idle_in_transaction_session_timeout": "1500ms",
        "transaction_timeout": "30s",
    }
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as conn:
        for name, most in limits.items():
            statement = sql.SQL("alter database {} set {} = {}")
            names = sql.Identifier(conn.info.dbname), sql.Identifier(name), sql.Literal(most)
            await conn.execute(statement.format(*names))
        # The pooler's sessions that are there already began without them.
        await conn.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and application_name = 'atelier'"
        )


@asynccontextmanager
async def pooler(
    database_url: str, folder: Path, *, mode: str = "session", size: int = 40
) -> AsyncGenerator[str]:
    """Run pgbouncer before a database on a port of this machine."""
    target, port = conninfo_to_dict(database_url), free_port()
    settings = folder / "pgbouncer.ini"
    settings.write_text(
        f"""
        [databases]
        {target["dbname"]} = host={target["host"]} port={target["port"]} user={target["user"]}
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = {port}
        unix_socket_dir =
        auth_type = any
        pool_mode = {mode}
        default_pool_size = {size}
        max_client_conn = 200
        """
    )
    command = [PGBOUNCER, str(settings)]
    if os.geteuid() == 0:  # it refuses to run as root
        command.insert(1, "--user=nobody")
    process = await asyncio.create_subprocess_exec(*command)
    address = f"postgresql://{target['user']}@127.0.0.1:{port}/{target['dbname']}"
    try:
        await answers(address)
        yield address
    finally:
        process.kill()
        await process.wait()


async def answers(address: str, *, seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while True:
            try:
                await (await psycopg.AsyncConnection.connect(address)).close()
            except psycopg.OperationalError:
                await asyncio.sleep(0.05)
            else:
                return
