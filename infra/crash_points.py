"""Named crash windows: the places before and after each of our commits and the one paid request.

Outside tests `reached` does nothing. With `ATELIER_CRASH_AT=<point>:<n>` the process kills itself
with SIGKILL the n-th time it reaches that point, with `<point>:<n>:stop` it freezes itself with
SIGSTOP; an exception would not do, since LangGraph writes exceptions into its checkpoint and a kill
writes nothing. Tests within one process may instead watch the points and hold a coroutine there.
"""

import os
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum


class CrashPoint(StrEnum):
    """Where a process may die; each name says what has just happened or is about to."""

    ROUTER_READ = "router.read"
    ROUTE_INFERRED = "route.inferred"
    ROUTE_COMMITTED = "route.committed"
    MODEL_ANSWERED = "model.answered"
    DECISION_COMMITTED = "decision.committed"
    CALL_COMMITTED = "call.committed"
    STOP_CHECK_COMMITTED = "stop_check.committed"
    DELIVERY_COMMITTED = "delivery.committed"
    TURN_RETURNED = "turn.returned"
    JOB_CLAIMED = "job.claimed"
    JOB_SUBMITTING = "job.submitting"
    JOB_ANSWERED = "job.answered"
    JOB_ACCEPTED = "job.accepted"
    JOB_COLLECTED = "job.collected"
    JOB_SETTLED = "job.settled"
    COMMITTING = "committing"
    """Any transaction of ours is written and still open."""
    CHECKPOINT_WRITING = "checkpoint.writing"
    """A checkpoint is written and its transaction still open."""


type Watcher = Callable[[CrashPoint], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Armed:
    point: CrashPoint
    count: int
    signal: signal.Signals


_SIGNALS = {"": signal.SIGKILL, "stop": signal.SIGSTOP}
_armed: _Armed | None = None
_watcher: Watcher | None = None
_seen: Counter[CrashPoint] = Counter()


def arm(spec: str | None) -> None:
    """Arm one point, `<point>:<n>` or `<point>:<n>:stop`; None or an empty string disarms all."""
    global _armed  # noqa: PLW0603 - one switch per process, set once at its start
    if not spec:
        _armed = None
        return
    name, count, action = (*spec.split(":"), "")[:3]
    _armed = _Armed(point=CrashPoint(name), count=int(count), signal=_SIGNALS[action])


@contextmanager
def watched(watcher: Watcher) -> Generator[None]:
    """Let `watcher` hold whoever reaches a point, for tests within one process."""
    global _watcher  # noqa: PLW0603 - one switch per process, as above
    before, _watcher = _watcher, watcher
    try:
        yield
    finally:
        _watcher = before


async def reached(point: CrashPoint) -> None:
    """End or freeze this process if the point is armed and this is its n-th time here."""
    if _watcher is not None:
        await _watcher(point)
    if _armed is None or _armed.point is not point:
        return
    _seen[point] += 1
    if _seen[point] == _armed.count:
        os.kill(os.getpid(), _armed.signal)
