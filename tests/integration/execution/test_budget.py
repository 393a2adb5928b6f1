"""A task's money under concurrency: reserved before, settled once, the sum of its entries."""

import asyncio
import random
from collections import Counter
from collections.abc import Coroutine
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from evals.invariants import money_adds_up
from execution import budget
from execution.budget import Budget
from execution.errors import BudgetExhaustedError
from execution.leases import Lease
from infra.ids import StepId, TaskId
from tests.integration.execution.world import World, record_call

CONNECTIONS = 8


class Till:
    """A task whose calls are only their money."""

    def __init__(self, world: World, task_id: TaskId, lease: Lease, step_id: StepId) -> None:
        self.world, self.task_id = world, task_id
        self._lease, self._step_id = lease, step_id
        self._calls = 0

    @classmethod
    async def open(cls, world: World, *, limit: int) -> "Till":
        task_id = await world.task(limit=limit)
        lease = await world.held(task_id)
        return cls(world, task_id, lease, await world.step(lease))

    async def call(self) -> str:
        """A call without money yet."""
        self._calls += 1
        async with self.world.work() as tx:
            return await record_call(
                tx, self._lease, self._step_id, seq=self._calls, status="planned"
            )

    async def reserve(self, call_key: str, amount: int) -> bool:
        try:
            async with self.world.work() as tx:
                await budget.reserve(tx, self.task_id, call_key, amount)
        except BudgetExhaustedError:
            return False
        return True

    async def settle(self, call_key: str, actual: int) -> None:
        async with self.world.work() as tx:
            await budget.settle(tx, self.task_id, call_key, actual, "reported")

    async def release(self, call_key: str) -> None:
        async with self.world.work() as tx:
            await budget.release(tx, self.task_id, call_key, "test")

    async def account(self) -> Budget:
        async with self.world.conn() as conn:
            await money_adds_up(conn, {})
            return await budget.get(conn, self.task_id)


@pytest.fixture
async def till(world: World) -> Till:
    return await Till.open(world, limit=1000)


async def test_a_hold_reserves_and_a_settlement_gives_the_rest_back(till: Till) -> None:
    call_key = await till.call()
    assert await till.reserve(call_key, 600)
    assert (await till.account()).free_micros == 400
    await till.settle(call_key, 250)
    account = await till.account()
    assert (account.held_micros, account.settled_micros, account.free_micros) == (0, 250, 750)


async def test_more_than_the_limit_is_not_held(till: Till) -> None:
    first, second = await till.call(), await till.call()
    assert await till.reserve(first, 1000)
    assert not await till.reserve(second, 1)
    assert (await till.account()).held_micros == 1000


async def test_a_call_is_held_and_settled_once(till: Till) -> None:
    call_key = await till.call()
    for _ in range(3):
        assert await till.reserve(call_key, 300)
    await till.settle(call_key, 100)
    before = await till.account()
    await till.settle(call_key, 300)
    await till.release(call_key)
    assert await till.reserve(call_key, 300)
    assert await till.account() == before


async def test_what_exceeds_the_hold_is_absorbed_and_refused_by_nothing(till: Till) -> None:
    call_key = await till.call()
    assert await till.reserve(call_key, 1000)
    await till.settle(call_key, 10**12)
    account = await till.account()
    assert (account.settled_micros, account.absorbed_micros) == (1000, 10**12 - 1000)


async def test_a_call_that_costs_nothing_needs_no_limit(world: World) -> None:
    till = await Till.open(world, limit=0)
    await world.run("truncate money_entries, budgets")
    call_key = await till.call()
    assert await till.reserve(call_key, 0)
    await till.settle(call_key, 0)
    assert (await till.account()).limit_micros == 0


async def test_the_database_refuses_a_budget_that_is_not_the_sum_of_its_entries(till: Till) -> None:
    call_key = await till.call()
    await till.reserve(call_key, 300)
    for statement in (
        "update budgets set limit_micros = limit_micros + 1",
        "update budgets set held_micros = held_micros - 1, settled_micros = settled_micros + 1",
        "update budgets set absorbed_micros = 5",
        """
        insert into money_entries (workspace_id, task_id, kind, amount_micros)
        select workspace_id, task_id, 'limit', 7 from budgets
        """,
    ):
        with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="sum of its entries"):
            await till.world.run(statement)
    assert (await till.account()).held_micros == 300


async def test_what_was_entered_is_for_good(till: Till) -> None:
    for statement in ("update money_entries set amount_micros = 0", "delete from money_entries"):
        with pytest.raises(psycopg.errors.IntegrityConstraintViolation, match="for good"):
            await till.world.run(statement)


async def test_the_table_refuses_to_hold_more_than_the_limit(till: Till) -> None:
    with pytest.raises(psycopg.errors.CheckViolation):
        await till.world.run("update budgets set held_micros = limit_micros + 1")


async def test_what_was_spent_today_counts_holds_and_forgets_yesterday(till: Till) -> None:
    first, second = await till.call(), await till.call()
    await till.reserve(first, 300)
    await till.reserve(second, 500)
    await till.settle(second, 200)
    async with till.world.conn() as conn:
        assert await budget.spent_today(conn, till.world.workspace_id) == 500
    await till.world.run("update holds set created_at = created_at - interval '1 day'")
    async with till.world.conn() as conn:
        assert await budget.spent_today(conn, till.world.workspace_id) == 0


@pytest.mark.parametrize("seed", range(3))
async def test_eight_connections_never_hold_more_than_the_limit(till: Till, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - a game, not a secret
    keys = [await till.call() for _ in range(12)]

    async def spend(dice: random.Random) -> None:
        for _ in range(12):
            call_key = dice.choice(keys)
            match dice.randrange(4):
                case 0 | 1:
                    await till.reserve(call_key, dice.randrange(0, 600))
                case 2:
                    await till.settle(call_key, dice.randrange(0, 900))
                case _:
                    await till.release(call_key)

    async def watch(done: asyncio.Event) -> None:
        while not done.is_set():
            account = await till.account()
            assert account.held_micros + account.settled_micros <= account.limit_micros

    done = asyncio.Event()
    watching = asyncio.ensure_future(watch(done))
    dices = [random.Random(dice.random()) for _ in range(CONNECTIONS)]  # noqa: S311
    await asyncio.gather(*(spend(each) for each in dices))
    done.set()
    await watching
    await till.account()


class Spending(RuleBasedStateMachine):
    """Any order of reserve, settle and release, up to eight at once, against a plain model.

    Operations of one batch touch different calls, so that their outcome does not depend on who
    comes first, except for what fits into the limit: there the sums decide.
    """

    run: Any = None
    till: Till

    @initialize(limit=st.integers(min_value=0, max_value=2000))
    def start(self, limit: int) -> None:
        self.till = self.wait(Till.open(world_of(self), limit=limit))
        self.keys: list[str] = [self.wait(self.till.call()) for _ in range(CONNECTIONS)]
        self.state: dict[str, tuple[str, int, int, int]] = {}
        self.limit = limit

    def wait(self, doing: Coroutine[Any, Any, Any]) -> Any:
        return type(self).run(doing)

    @rule(amounts=st.lists(st.integers(min_value=0, max_value=900), min_size=1, max_size=8))
    def reserve(self, amounts: list[int]) -> None:
        chosen = [key for key in self.keys if key not in self.state][: len(amounts)]
        wanted = dict(zip(chosen, amounts, strict=False))

        async def together() -> list[bool]:
            return await asyncio.gather(*(self.till.reserve(*pair) for pair in wanted.items()))

        free = self.free()
        granted = dict(zip(wanted, self.wait(together()), strict=True))
        for key, was_granted in granted.items():
            if was_granted:
                self.state[key] = ("held", wanted[key], 0, 0)
        refused = [wanted[key] for key, was_granted in granted.items() if not was_granted]
        taken = sum(wanted[key] for key, was_granted in granted.items() if was_granted)
        assert taken <= free
        assert all(amount > free - taken for amount in refused), "money was there and not given"

    @rule(actuals=st.lists(st.integers(min_value=0, max_value=1500), min_size=1, max_size=8))
    def settle(self, actuals: list[int]) -> None:
        pairs = list(zip(self.keys, actuals, strict=False))

        async def together() -> None:
            await asyncio.gather(*(self.till.settle(*pair) for pair in pairs))

        self.wait(together())
        for key, actual in pairs:
            status, amount, *_ = self.state.get(key, ("none", 0, 0, 0))
            if status == "held":
                over = max(actual - amount, 0)
                self.state[key] = ("settled", amount, min(actual, amount), over)

    @rule(count=st.integers(min_value=1, max_value=8))
    def release(self, count: int) -> None:
        chosen = self.keys[-count:]

        async def together() -> None:
            await asyncio.gather(*(self.till.release(key) for key in chosen))

        self.wait(together())
        for key in chosen:
            if self.state.get(key, ("none",))[0] == "held":
                self.state[key] = ("released", self.state[key][1], 0, 0)

    def free(self) -> int:
        held = sum(row[1] for row in self.state.values() if row[0] == "held")
        return self.limit - held - sum(row[2] for row in self.state.values())

    @invariant()
    def the_account_is_what_the_model_says(self) -> None:
        if not hasattr(self, "till"):
            return
        account = self.wait(self.till.account())
        assert account.free_micros == self.free() >= 0
        assert account.settled_micros == sum(row[2] for row in self.state.values())
        assert account.absorbed_micros == sum(row[3] for row in self.state.values())
        assert Counter(row[0] for row in self.state.values())["held"] == self.wait(
            self.till.world.value(
                "select count(*) from holds where status = 'held' and task_id = %s",
                self.till.task_id,
            )
        )


def world_of(machine: Spending) -> World:
    return type(machine).world  # pyright: ignore[reportAttributeAccessIssue]


async def test_any_order_of_reserve_settle_and_release_keeps_the_account(world: World) -> None:
    """Hypothesis drives from a thread; each operation runs on this loop."""
    loop = asyncio.get_running_loop()

    def run(doing: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(doing, loop).result(timeout=20)

    machine = type("Machine", (Spending,), {"run": staticmethod(run), "world": world})
    case = machine.TestCase
    case.settings = settings(
        max_examples=8,
        stateful_step_count=8,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    await asyncio.to_thread(case("runTest").runTest)


async def test_an_account_tells_every_change_and_how_each_cost_is_known(till: Till) -> None:
    call_key = await till.call()
    await till.reserve(call_key, 300)
    await till.settle(call_key, 200)
    async with till.world.conn() as conn:
        entries = await budget.entries_of(conn, till.task_id)
        holds = await budget.holds_of(conn, till.task_id)
    assert [(entry.kind, entry.amount_micros) for entry in entries][1:] == [
        ("hold", 300),
        ("settle", 200),
        ("release", 100),
    ]
    assert entries[0].kind == "limit"
    hold = holds[call_key]
    assert (hold.held_micros, hold.settled_micros, hold.absorbed_micros) == (0, 200, 0)
    assert hold.basis is not None
