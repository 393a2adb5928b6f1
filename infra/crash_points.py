"""Named crash windows: the places before and after each of our commits and the one paid request.

Outside tests `reached` does nothing. With `ATELIER_CRASH_AT=<point>:<n>` the process kills itself
with SIGKILL the n-th time it reaches that point; an exception would not do, since LangGraph writes
exceptions into its checkpoint and a kill writes nothing.
"""

import os
import signal
from collections import Counter
from enum import StrEnum


class CrashPoint(StrEnum):
    """Where a process may die; each name says what has just happened or is about to."""

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


_armed: tuple[CrashPoint, int] | None = None
_seen: Counter[CrashPoint] = Counter()


def arm(spec: str | None) -> None:
    """Arm one point, `<point>:<n>`; None or an empty string disarms all."""
    global _armed  # noqa: PLW0603 - one switch per process, set once at its start
    if not spec:
        _armed = None
        return
    name, _, count = spec.rpartition(":")
    _armed = (CrashPoint(name), int(count))


def reached(point: CrashPoint) -> None:
    """Kill this process if the point is armed and this is its n-th time here."""
    if _armed is None or _armed[0] is not point:
        return
    _seen[point] += 1
    if _seen[point] == _armed[1]:
        os.kill(os.getpid(), signal.SIGKILL)
