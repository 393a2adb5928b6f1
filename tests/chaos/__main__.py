"""Draw schedules of faults and read the promises after each: `python -m tests.chaos --count 1000`.

With `--vendors` they order from simulated vendors over HTTP. Ends with 1 when a promise was broken,
naming the seeds; `--seed S --count 1` runs one again.
"""

import argparse
import asyncio
import logging
import secrets
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

from rich.console import Console

from infra import clock
from infra.db.migrate import migrate
from infra.libraries import tell_libraries
from infra.telemetry import configure_logging
from tests.chaos.market import run_market_schedule
from tests.chaos.schedule import Schedule, run_schedule
from tests.database import database, quick_postgres, with_database

_EVERY = 25


class Tally:
    """What happened in all schedules so far."""

    def __init__(self) -> None:
        self.counted: Counter[str] = Counter()
        self.broken: dict[int, str] = {}

    def add(self, schedule: Schedule, ends: Counter[str]) -> None:
        """Count one schedule whose promises all held."""
        self.counted["schedules"] += 1
        self.counted["messages"] += len(schedule.said)
        self.counted["orders"] += len(schedule.vendor.orders)
        self.counted["questions to the model"] += len(schedule.model.prompts)
        for struck in schedule.fates.struck:
            self.counted[struck.split(" at ")[0].split(" ", 2)[2]] += 1
        self.counted.update({f"end: {end}": count for end, count in ends.items()})

    def lines(self) -> list[str]:
        """Return one line for each count."""
        return [f"{count:7,}  {name}" for name, count in sorted(self.counted.items())]


type Run = Callable[[str, Path, int], Awaitable[Schedule]]


async def _one(run: Run, server: str, template: str, seed: int, tally: Tally) -> None:
    name = f"chaos_{secrets.token_hex(4)}"
    with (
        database(server, name, template) as made,
        tempfile.TemporaryDirectory(prefix="chaos-") as folder,
    ):
        schedule = await run(with_database(server, made), Path(folder), seed)
        tally.add(schedule, schedule.ends)


def main() -> int:
    """Run the schedules; return the process's exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--count", type=int, default=100, help="how many, from there")
    parser.add_argument("--vendors", action="store_true", help="at simulated vendors over HTTP")
    asked = parser.parse_args()
    run: Run = run_market_schedule if asked.vendors else run_schedule
    tell_libraries()
    configure_logging("critical")
    logging.getLogger("psycopg").setLevel("CRITICAL")  # it tells of each connection that is cut
    console, tally, began = Console(highlight=False), Tally(), clock.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="chaos-pg-") as folder,
        quick_postgres(Path(folder)) as server,
        database(server, "chaos_template") as template,
    ):
        asyncio.run(migrate(with_database(server, template)))
        for done, seed in enumerate(range(asked.seed, asked.seed + asked.count), start=1):
            try:
                asyncio.run(_one(run, server, template, seed, tally))
            except Exception as error:  # noqa: BLE001 - whatever broke, the seed is told
                tally.broken[seed] = f"{type(error).__name__}: {error}"
                console.print(f"seed {seed} broke a promise", style="bold red")
                traceback.print_exc()
            if done % _EVERY == 0 or done == asked.count:
                spent = clock.monotonic() - began
                console.print(
                    f"{done} of {asked.count} schedules, {len(tally.broken)} broken,"
                    f" {spent / done:.2f} s each"
                )
    for line in tally.lines():
        console.print(line)
    for seed, why in tally.broken.items():
        console.print(f"broken: seed {seed}: {why[:300]}", style="red")
    return 1 if tally.broken else 0


if __name__ == "__main__":
    sys.exit(main())
