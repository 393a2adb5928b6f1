"""Drawn schedules at simulated vendors over HTTP: a short part of `make chaos-vendors N=1000`.

No interleaving of crash, drop, duplicate and concurrent workers gives two orders for one call, a
lost hold, a double settlement or spending over budget.
"""

from pathlib import Path

import pytest

from tests.chaos.market import run_market_schedule

pytestmark = pytest.mark.faults

SHORT = range(1, 4)
LONG = range(4, 44)


@pytest.mark.parametrize(
    "seed", [*SHORT, *(pytest.param(seed, marks=pytest.mark.long) for seed in LONG)]
)
async def test_no_schedule_at_vendors_breaks_a_promise(
    seed: int, database_url: str, tmp_path: Path
) -> None:
    schedule = await run_market_schedule(database_url, tmp_path, seed)
    assert schedule.said
