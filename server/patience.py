"""A person's word waits for its turn: what works on a task at the moment does not refuse it."""

from collections.abc import Awaitable, Callable

import psycopg

HELD = (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected)
"""Another transaction had the rows for longer than one may wait for them."""
_TRIES = 4


async def patiently[T](act: Callable[[], Awaitable[T]]) -> T:
    """Return what a transaction comes to, trying anew while others hold its rows.

    Raises:
        psycopg.OperationalError: they held them at every try.
    """
    for _ in range(_TRIES - 1):
        try:
            return await act()
        except HELD:
            continue
    return await act()
