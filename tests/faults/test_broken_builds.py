"""The drawn schedules see what they are there to see: each broken build breaks a promise."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import psycopg
import pytest

from tests.chaos.market import run_market_schedule
from tests.chaos.schedule import Schedule, run_schedule
from tests.database import database, with_database
from tests.faults.builds import AT_VENDORS, IN_PROCESS, Build

type Run = Callable[[str, Path, int], Awaitable[Schedule]]

pytestmark = pytest.mark.faults
MOST_SEEDS = 200
PATIENCE_S = 90.0
"""What has not come to rest by then never will."""


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("broken", IN_PROCESS, ids=lambda build: build.__name__)
async def test_a_broken_build_is_found(
    broken: Build,
    postgres_server: str,
    template_database: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken(monkeypatch)
    patient = partial(_in_time, run_schedule)
    await _is_found(patient, postgres_server, template_database, tmp_path)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("broken", AT_VENDORS, ids=lambda build: build.__name__)
async def test_a_broken_build_is_found_at_vendors(
    broken: Build,
    postgres_server: str,
    template_database: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken(monkeypatch)
    await _is_found(run_market_schedule, postgres_server, template_database, tmp_path)


async def _in_time(run: Run, database_url: str, folder: Path, seed: int) -> Schedule:
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await run(database_url, folder, seed)
    except TimeoutError:
        message = f"it has not come to rest after {PATIENCE_S} s"
        raise AssertionError(message) from None


async def _is_found(run: Run, server: str, template: str, folder: Path) -> None:
    for seed in range(1, MOST_SEEDS + 1):
        own = folder / str(seed)
        own.mkdir()
        with database(server, f"broken_{seed}", template) as name:
            try:
                await run(with_database(server, name), own, seed)
            except (AssertionError, psycopg.IntegrityError) as found:
                # Of some faults it is the database itself that will not have them.
                seen = traceback.extract_tb(found.__traceback__)[-1].line
                print(f"seed {seed}: {seen}: {found}")  # noqa: T201 - what the schedule saw
                return
    pytest.fail(f"{MOST_SEEDS} schedules saw nothing of it")
