"""The real executor at a simulated vendor, held against the vendor's own bill."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from evals.simulator.switches import Told
from execution import views
from infra.db.pool import Pools
from infra.ids import TaskId
from tests.database import DatabaseClock
from tests.harness import Machine, open_machine
from tests.integration.graphs.stage import Model, picture, routed
from tests.integration.infra.providers.vendors import OPEN, Pair
from tests.invariants import check


@dataclass
class Run:
    """A machine that orders one picture at a vendor."""

    machine: Machine
    pair: Pair
    model: Model
    clock: DatabaseClock

    async def order(self) -> None:
        await self.machine.say("a picture, please")
        await self.machine.drain()

    async def later(self, **time: int) -> None:
        await self.clock.advance(timedelta(**time))
        await self.machine.drain()

    async def calls(self) -> list[tuple[str, str | None]]:
        rows = await self.machine.rows("select status, outcome from ledger order by seq")
        return [(row[0], row[1]) for row in rows]

    async def money(self) -> tuple[int, int, int]:
        """Held, settled and absorbed."""
        rows = await self.machine.rows(
            """
            select sum(held_micros)::bigint, sum(settled_micros)::bigint,
                   sum(absorbed_micros)::bigint from budgets
            """
        )
        return rows[0]  # pyright: ignore[reportReturnType]

    async def objects(self) -> int:
        return (await self.machine.rows("select count(*) from objects"))[0][0]

    async def check(self) -> None:
        """Everything that must hold, with the vendor's books as the bill."""
        async with self.machine.deps.pools.domain.connection() as conn:
            await check(conn, self.pair.books, prompts=self.model.prompts)


@pytest.fixture(params=["fal", "replicate"])
async def run(
    request: pytest.FixtureRequest,
    database_url: str,
    pools: Pools,
    tmp_path: Path,
    database_clock: DatabaseClock,
) -> AsyncGenerator[Run]:
    async with opened(request.param, database_url, pools, tmp_path, database_clock) as made:
        yield made


@pytest.fixture(params=["comfyui", "comfyui_newest"])
async def own(
    request: pytest.FixtureRequest,
    database_url: str,
    pools: Pools,
    tmp_path: Path,
    database_clock: DatabaseClock,
) -> AsyncGenerator[Run]:
    """At a server of one's own, which takes our id and costs nothing."""
    async with opened(request.param, database_url, pools, tmp_path, database_clock) as made:
        yield made


@asynccontextmanager
async def opened(
    vendor: str, database_url: str, pools: Pools, folder: Path, clock: DatabaseClock
) -> AsyncGenerator[Run]:
    model = Model(route=routed("lightweight"), answers=[picture()])
    async with (
        OPEN[vendor](folder) as pair,
        open_machine(database_url, pools, folder, model=model, provider=pair.provider) as machine,
    ):
        yield Run(machine=machine, pair=pair, model=model, clock=clock)


async def test_a_picture_is_made_kept_and_paid_as_the_vendor_counted(run: Run) -> None:
    await run.order()
    assert await run.calls() == [("settled", "succeeded")]
    (billed,) = run.pair.books.billed.values()
    assert await run.money() == (0, billed, 0)
    assert await run.objects() == 1
    await run.check()


@pytest.mark.parametrize("told", ["lost", "accepted_500", "half", "timeout"])
async def test_what_was_lost_is_adopted_and_paid_once(run: Run, told: Told) -> None:
    run.pair.vendor.switches.default = told
    await run.order()
    assert (run.pair.books.submissions, len(run.pair.books.orders)) == (1, 1)
    assert await run.calls() == [("settled", "succeeded")]
    assert await run.objects() == 1
    await run.check()


async def test_what_was_lost_and_is_shown_late_is_not_ordered_again(run: Run) -> None:
    run.pair.vendor.switches.default = "lost"
    run.pair.vendor.switches.shows_late = True
    await run.order()
    assert await run.calls() == [("unknown", None)]
    await run.later(seconds=5)
    assert run.pair.books.submissions == 1
    held, settled, _ = await run.money()
    assert (held > 0, settled) == (True, 0)
    await run.check()
    run.pair.vendor.switches.shows_late = False
    await run.later(seconds=60)
    assert run.pair.books.submissions == 1
    assert await run.calls() == [("settled", "succeeded")]
    await run.check()


async def test_what_was_never_taken_is_given_up_unpaid_and_never_sent_again(run: Run) -> None:
    run.pair.vendor.switches.default = "lost_before"
    await run.order()
    for _ in range(3):
        await run.later(hours=1)
    assert (run.pair.books.submissions, run.pair.books.orders) == (1, [])
    assert await run.money() == (0, 0, 0)
    await run.check()


async def test_a_vendor_without_room_is_asked_again_later(run: Run) -> None:
    run.pair.vendor.switches.by_number = {1: "rate_limited"}
    await run.order()
    ((task_id,),) = await run.machine.rows("select task_id from tasks")
    async with run.machine.deps.pools.domain.connection() as conn:
        told = await views.jobs_view(conn, TaskId(task_id))
    assert (told["queued"], told["running"], told["items"][0]["status"]) == (1, 0, "queued")
    assert told["items"][0]["error"]["code"] == "quota", "it says why it waits"
    assert run.pair.books.orders == []
    await run.later(seconds=31)
    assert (run.pair.books.submissions, len(run.pair.books.orders)) == (2, 1)
    assert await run.calls() == [("settled", "succeeded")]
    await run.check()


@pytest.mark.parametrize("told", ["rejected", "policy", "failed", "policy_billed", "broken_file"])
async def test_what_ends_badly_is_never_paid_less_than_it_cost(run: Run, told: Told) -> None:
    run.pair.vendor.switches.default = told
    await run.order()
    assert [outcome for _, outcome in await run.calls()] == ["failed"]
    held, settled, _ = await run.money()
    assert held == 0
    assert settled >= sum(run.pair.books.billed.values())
    assert await run.objects() == 0
    await run.check()


@pytest.mark.parametrize("told", ["made", "lost", "accepted_500", "half", "timeout"])
async def test_what_a_server_of_one_s_own_made_is_kept_once(own: Run, told: Told) -> None:
    own.pair.vendor.switches.default = told
    await own.order()
    assert (own.pair.books.submissions, len(own.pair.books.orders)) == (1, 1)
    assert await own.calls() == [("settled", "succeeded")]
    assert (await own.objects(), await own.money()) == (1, (0, 0, 0))
    await own.check()


async def test_what_provably_never_arrived_is_sent_again(own: Run) -> None:
    own.pair.vendor.switches.by_number = {1: "lost_before"}
    await own.order()
    assert own.pair.books.orders == []
    await own.later(seconds=5)
    assert (own.pair.books.submissions, len(own.pair.books.orders)) == (2, 1)
    assert await own.calls() == [("settled", "succeeded")]
    await own.check()


async def test_what_a_restart_lost_has_failed_and_cost_nothing(own: Run) -> None:
    own.pair.vendor.switches.default = "never"
    await own.order()
    own.pair.vendor.jobs.clear()
    await own.later(seconds=5)
    assert await own.calls() == [("settled", "failed")]
    assert await own.money() == (0, 0, 0)
    await own.check()
