"""The one maker of ids, and a type for each kind of id.

Ids are UUIDs of version 7 (RFC 9562): they sort by the time they were made, within a process
strictly, so indexes grow at their end. Nobody may read a time or a meaning out of one.
"""

import secrets
import threading
from typing import NewType
from uuid import UUID

from infra import clock

WorkspaceId = NewType("WorkspaceId", UUID)
ThreadId = NewType("ThreadId", UUID)
TaskId = NewType("TaskId", UUID)
TurnId = NewType("TurnId", UUID)
RunId = NewType("RunId", UUID)
StepId = NewType("StepId", UUID)
MessageId = NewType("MessageId", UUID)
CallId = NewType("CallId", UUID)
ApprovalId = NewType("ApprovalId", UUID)
GrantId = NewType("GrantId", UUID)
ChecklistId = NewType("ChecklistId", UUID)
LedgerEntryId = NewType("LedgerEntryId", UUID)
HoldId = NewType("HoldId", UUID)
AttemptId = NewType("AttemptId", UUID)
JobId = NewType("JobId", UUID)
ObjectId = NewType("ObjectId", UUID)
VersionId = NewType("VersionId", UUID)
DeliveryId = NewType("DeliveryId", UUID)
FactId = NewType("FactId", UUID)

_COUNTER_BITS = 12
_RANDOM_BITS = 62
_lock = threading.Lock()
_last_tick = 0


def new_id() -> UUID:
    """Return a new UUID of version 7, greater than every one this process made before."""
    tick = _next_tick()
    value = tick >> _COUNTER_BITS << 80
    value |= 0x7 << 76
    value |= (tick & (1 << _COUNTER_BITS) - 1) << 64
    value |= 0b10 << _RANDOM_BITS
    value |= secrets.randbits(_RANDOM_BITS)
    return UUID(int=value)


def _next_tick() -> int:
    """Return 48 bits of milliseconds and 12 bits of counter, never the same or less twice.

    A new millisecond starts at a random value of the lower half, so that ids of two processes mix;
    a full counter, or a clock set back, borrows from the next millisecond.
    """
    global _last_tick  # noqa: PLW0603 - the order holds for the whole process
    fresh = clock.unix_ms() << _COUNTER_BITS | secrets.randbits(_COUNTER_BITS - 1)
    with _lock:
        _last_tick = max(fresh, _last_tick + 1)
        return _last_tick
