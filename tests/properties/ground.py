"""What a state machine stands on: a loop of its own, real connections and one emptied database.

Hypothesis runs hundreds of machines within one test, and its rules are plain functions: so they
share a loop and a pool, and each machine leaves empty tables behind.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from execution import workspaces
from infra.crash_points import CrashPoint, watched
from tests.database import DatabaseClock
from tests.integration.execution.world import World

_MEETING_S = 0.03

_EMPTY = """
    do $$
    declare
        each record;
    begin
        set local session_replication_role = replica;
        for each in
            select tablename
            from pg_tables
            where schemaname = 'public'
              and tablename not in ('callback_keys', 'clock', 'log_identity', 'schema_migrations')
              and tablename not like '%\\_migrations'
              and tablename not like 'procrastinate%'
        loop
            execute format('delete from %I', each.tablename);
        end loop;
    end;
    $$
"""


@dataclass(slots=True, kw_only=True)
class Ground:
    """A loop to run on, and the world on this test's database."""

    runner: asyncio.Runner
    world: World
    clock: DatabaseClock
    prices: dict[str, int]
    """What the provider asks for; a machine may change it."""

    def run[T](self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    async def at_once[T](self, *works: Callable[[], Awaitable[T]]) -> list[T | BaseException]:
        """Do several things on connections of their own, all let go at the same moment.

        Each waits with its transaction open until all are there; who is missing by then waits for
        a lock, as it should.
        """
        barrier = asyncio.Barrier(len(works))
        written = 0
        everyone = asyncio.Event()

        async def watcher(point: CrashPoint) -> None:
            nonlocal written
            if point is not CrashPoint.COMMITTING:
                return
            written += 1
            if written == len(works):
                everyone.set()
            waiting = asyncio.ensure_future(everyone.wait())
            await asyncio.wait((waiting,), timeout=_MEETING_S)
            everyone.set()

        async def one(work: Callable[[], Awaitable[T]]) -> T:
            async with self.world.conn():
                pass  # the pool has a connection for each before they start
            await barrier.wait()
            return await work()

        with watched(watcher):
            return await asyncio.gather(*(one(work) for work in works), return_exceptions=True)

    async def prepare(self) -> None:
        async with self.world.conn() as conn:
            await workspaces.ensure(conn, self.world.workspace_id, name="test", currency="USD")

    async def empty(self) -> None:
        async with self.world.conn() as conn:
            await conn.execute(_EMPTY)


class Machine(RuleBasedStateMachine):
    """A state machine on a ground; `ground` is set by `play`."""

    ground: Ground

    def __init__(self) -> None:
        super().__init__()
        self.world = self.ground.world
        self.clock = self.ground.clock
        self.run = self.ground.run
        self.run(self.ground.prepare())

    def teardown(self) -> None:
        self.run(self.ground.empty())


def play(
    machine: type[Machine], ground: Ground, *, examples: int, steps: int, shrinks: bool = False
) -> None:
    """Run a machine so many times; a failure is printed as a program, made short if there is time.

    Shrinking takes minutes on a real database, and nothing would be told before the time limit.
    """
    machine.ground = ground
    phases = (Phase.generate, Phase.shrink) if shrinks else (Phase.generate,)
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            phases=phases,
            report_multiple_bugs=False,
            deadline=None,
            database=None,
            print_blob=False,
            suppress_health_check=list[Any](HealthCheck),
        ),
    )
