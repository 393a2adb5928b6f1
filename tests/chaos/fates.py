"""What befalls whoever works: held at a named window, killed there, or cut off from the database.

Each actor draws from a generator of its own, so that a seed gives it the same fates at the same
windows; how actors interleave is left to the database and the loop.
"""

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass, field
from random import Random

import psycopg

from infra.crash_points import CrashPoint

IN_A_TRANSACTION = frozenset({CrashPoint.COMMITTING, CrashPoint.CHECKPOINT_WRITING})
_HOLD_IN_A_TRANSACTION_S = 0.4


@dataclass(eq=False)
class Actor:
    """One worker, executor or person, as its crash windows see it."""

    name: str
    random: Random
    died: asyncio.Event = field(default_factory=asyncio.Event)


ACTOR: ContextVar[Actor | None] = ContextVar("actor", default=None)


@dataclass
class Fates:
    """Decides at every window; `calm` from the moment that faults are over."""

    database_url: str
    rate: float
    calm: bool = False
    struck: list[str] = field(default_factory=list[str])
    _thaw: asyncio.Event = field(default_factory=asyncio.Event)
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    async def reached(self, point: CrashPoint) -> None:
        """Hold whoever is here, as its generator says."""
        actor = ACTOR.get()
        if actor is None or actor.died.is_set():
            return
        drawn = actor.random.random()
        if self.calm or drawn >= self.rate:
            await asyncio.sleep(0)
            return
        share = drawn / self.rate
        if actor.name == "person":
            await asyncio.sleep(0.02 * share)
        elif share < 1 / 3:
            await self._die(actor, point)
        elif share < 2 / 3:
            await self._freeze(actor, point)
        else:
            await self._cut(actor, point)

    async def _die(self, actor: Actor, point: CrashPoint) -> None:
        """Never come back. What it had open is rolled back by the database."""
        self.struck.append(f"{actor.name} dies at {point}")
        actor.died.set()
        if point in IN_A_TRANSACTION:
            await self._end_open_transactions()
        await self._over.wait()

    async def _freeze(self, actor: Actor, point: CrashPoint) -> None:
        """Stand still until the others have gone on; within a transaction, not for long."""
        self.struck.append(f"{actor.name} freezes at {point}")
        if point in IN_A_TRANSACTION:
            await asyncio.sleep(_HOLD_IN_A_TRANSACTION_S)
            return
        await self._thaw.wait()

    async def _cut(self, actor: Actor, point: CrashPoint) -> None:
        """Lose the connection to the database, whoever else has a transaction open with it."""
        self.struck.append(f"{actor.name} is cut off at {point}")
        await self._end_open_transactions()

    async def _end_open_transactions(self) -> None:
        async with await psycopg.AsyncConnection.connect(
            self.database_url, autocommit=True
        ) as conn:
            await conn.execute(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and state = 'idle in transaction'
                """
            )

    def thaw(self) -> None:
        """Let everybody go on who stands still until now."""
        self._thaw.set()
        self._thaw = asyncio.Event()

    def end(self) -> None:
        """Let the dead go, with whatever they held: nothing of theirs may count any more."""
        self.calm = True
        self.thaw()
        self._over.set()
