"""The drawn schedules see what they are there to see: each broken build breaks a promise."""

import asyncio
from pathlib import Path

import pytest

from tests.chaos.schedule import run_schedule
from tests.database import database, with_database
from tests.faults.builds import IN_PROCESS, Build

pytestmark = pytest.mark.faults
MOST_SEEDS = 40
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
    for seed in range(1, MOST_SEEDS + 1):
        with database(postgres_server, f"broken_{seed}", template_database) as name:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await run_schedule(with_database(postgres_server, name), tmp_path, seed)
            except (AssertionError, TimeoutError) as found:
                print(f"seed {seed}: {found}")  # noqa: T201 - what the schedule saw
                return
    pytest.fail(f"{MOST_SEEDS} schedules saw nothing of it")
