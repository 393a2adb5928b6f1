"""Two things at the same moment, in a known order: each is held at a window of its own choice.

Windows are those of `infra.crash_points`. Who is inside an open transaction keeps its locks while
it is held, so the other one may have to wait for it; that is part of the schedule.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass, field

from infra.crash_points import CrashPoint, watched

_BLOCKED_S = 0.03
"""How long the second one may take before it counts as waiting for the first one's locks."""

_actor: ContextVar["Actor | None"] = ContextVar("actor", default=None)


@dataclass(eq=False)
class Actor:
    """Somebody at work, held at the `at`-th window that it reaches; 0 holds it nowhere."""

    work: Callable[[], Awaitable[None]]
    at: int = 0
    seen: list[CrashPoint] = field(default_factory=list[CrashPoint])
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def was_held(self) -> bool:
        return self.arrived.is_set()

    async def reached(self, point: CrashPoint) -> None:
        self.seen.append(point)
        if len(self.seen) == self.at:
            self.arrived.set()
            await self.released.wait()

    def start(self) -> "asyncio.Future[None]":
        async def act() -> None:
            _actor.set(self)
            await self.work()

        return asyncio.ensure_future(act())


async def meet(first: Actor, second: Actor, *, second_goes_on: bool = True) -> None:
    """Run the first to its window, then the second to its own or its end, then both to their ends.

    With `second_goes_on` the second is let go first. Without being held, the first is over before
    the second begins.
    """

    async def watcher(point: CrashPoint) -> None:
        actor = _actor.get()
        if actor is not None:
            await actor.reached(point)

    with watched(watcher):
        one = first.start()
        await _until(one, first)
        other = second.start()
        await _until(other, second, limit=_BLOCKED_S)
        order = (second, first) if second_goes_on else (first, second)
        order[0].released.set()
        running = {second: other, first: one}[order[0]]
        await asyncio.wait({running}, timeout=_BLOCKED_S)
        order[1].released.set()
        async with asyncio.timeout(25):
            await asyncio.gather(one, other)


async def _until(running: "asyncio.Future[None]", actor: Actor, limit: float | None = None) -> None:
    """Wait until an actor is held or has ended, or for so long."""
    arriving = asyncio.ensure_future(actor.arrived.wait())
    await asyncio.wait((running, arriving), timeout=limit, return_when=asyncio.FIRST_COMPLETED)
    arriving.cancel()
