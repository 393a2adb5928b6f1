"""The one clock of a process.

Whatever decides expiry (leases, holds, timers) asks the database's `app_now()` instead; this clock
is for log lines, ids and measuring how long something took.
"""

import time
from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - this is the module the rule points to


def unix_ms() -> int:
    """Return milliseconds since 1970 in UTC."""
    return time.time_ns() // 1_000_000


def monotonic() -> float:
    """Return seconds from an arbitrary start that never run backwards."""
    return time.monotonic()
