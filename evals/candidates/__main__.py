"""`python -m evals.candidates --tasks 100 10000 100000`: does a message find its task, how fast?

Two ways to ask: the search was tuned on the first (`corpus`), not on the second (`second`). Ends
with 1 when the right task is not among the first five as often as it should be, or the most tasks
take more than three times as long as the fewest. Embeddings are kept in the temporary folder.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from evals.candidates import corpus, measure, second, stage
from evals.candidates.vectors import embeddings
from infra.db.embedded import embedded_postgres
from infra.db.migrate import migrate
from infra.db.pool import DomainPool, open_pools
from infra.telemetry import configure_logging
from memory.task_index import describe, is_empty

_TASKS = (100, 10_000, 100_000)


async def run(dsn: str, sizes: list[int], *, queries: int, seed: int) -> list[measure.Result]:
    """Fill a database for each size and ask all of them."""
    every = corpus.make_tasks(max(sizes), seed=seed)
    vectors = await embeddings(
        [describe(one.title, one.goal, one.summary, one.objects).text for one in every]
    )
    asked = {
        size: {
            "first": corpus.make_queries(every[:size], queries, seed=seed + 1),
            "second": second.Asker(every[:size], seed=seed + 2).queries(queries),
        }
        for size in sorted(sizes)
    }
    async with AsyncExitStack() as stack:
        pools: dict[int, DomainPool] = {}
        for size in sorted(sizes):
            own = await _database(dsn, f"tasks_{size}_{seed}")
            opened = await stack.enter_async_context(open_pools(own, size=2, checkpoint_size=1))
            pools[size] = opened.domain
            async with opened.domain.connection() as conn:
                is_new = await is_empty(conn)
            if is_new:
                await stage.fill(opened.domain, every[:size], vectors[:size])
                sys.stderr.write(f"filled {size} tasks\n")
        return await measure.ask_all(pools, asked)


async def _database(dsn: str, name: str) -> str:
    """Return the address of a migrated database, which is made if need be."""
    own = make_conninfo(dsn, dbname=name)
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
        cursor = await conn.execute("select 1 from pg_database where datname = %s", [name])
        if await cursor.fetchone() is None:
            await conn.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
    await migrate(own)
    return own


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(prog="python -m evals.candidates", description=__doc__)
    parser.add_argument("--tasks", type=int, nargs="+", default=list(_TASKS))
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    parser.add_argument("--data", type=Path, help="keep the filled databases here for the next run")
    options = parser.parse_args()
    configure_logging("warning")
    with ExitStack() as stack:
        folder = options.data or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        dsn = stack.enter_context(embedded_postgres(folder))
        results = asyncio.run(run(dsn, options.tasks, queries=options.queries, seed=options.seed))
    sys.stdout.write("\n".join(measure.table(results)) + "\n")
    if options.json:
        options.json.write_text(json.dumps(measure.as_json(results), indent=1), encoding="utf-8")
    faults = measure.faults(results)
    for fault in faults:
        sys.stderr.write(f"Short of the aim: {fault}.\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
