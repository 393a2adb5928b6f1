"""Drawn schedules of faults, works and people: a short part of `make chaos`."""

from pathlib import Path

import pytest

from tests.chaos.schedule import run_schedule

pytestmark = pytest.mark.faults

SHORT = range(1, 4)
LONG = range(4, 44)
FOUND = [
    346,  # 500 looks at a message that had to wait for the one before it
]
"""Schedules in which something was wrong once."""


@pytest.mark.parametrize(
    "seed", [*SHORT, *(pytest.param(seed, marks=pytest.mark.long) for seed in (*LONG, *FOUND))]
)
async def test_no_schedule_breaks_a_promise(seed: int, database_url: str, tmp_path: Path) -> None:
    schedule = await run_schedule(database_url, tmp_path, seed)
    assert schedule.said
