"""How a service stands, read from its tables, so that time can be moved where nothing else happens.

Time is the database's `app_now()`: every lease, timer and deadline of every process follows it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from evals.scenarios.service import LEASE_S
from infra.db.query import Conn, fetch_one, fetch_value

_STANDING = """
    with held as (
        select lease_expires_at as until from turns where status = 'active'
        union all
        select lease_expires_at from jobs
        where closed_at is null and holder is not null and lease_expires_at is not null
    ),
    timers as (
        select wake_at as at from threads where wake_at is not null
        union all select due_at from jobs
            where closed_at is null
              and (lease_expires_at is null or lease_expires_at <= app_now())
        union all select late_look_at from jobs where late_look_at is not null
        union all select until from held where until > app_now() + %(lease)s
    )
    select (select count(*) from held
            where until between app_now() and app_now() + %(lease)s) as held,
           (select max(until) from held) as held_until,
           (select count(*) from threads as t
            where wake_seq > handled_seq and is_its_turn(t)
              and not exists (select from turns
                              where turns.thread_id = t.thread_id and status = 'active'
                                and lease_expires_at > app_now())) as woken,
           (select count(*) from timers where at <= app_now()) as due,
           (select min(at) from timers where at > app_now()) as next_at,
           (select min(expires_at) from approvals
            where status = 'pending' and expires_at > app_now()) as expiry_at,
           (select coalesce(sum(seq), 0)::bigint from event_counters) as seq,
           app_now() as now
"""
_ADVANCE = """
    with moved as (
        update clock
        set offset_by = offset_by + %(by)s
        where not exists (select from turns where status = 'active'
                          and lease_expires_at > app_now()
                          and lease_expires_at <= app_now() + %(lease)s)
          and not exists (select from jobs where closed_at is null
                          and lease_expires_at > app_now())
        returning true
    ),
    -- The queue keeps delayed wakes by the real clock; without one the tables are looked at.
    forgotten as (
        delete from procrastinate_jobs
        where status = 'todo' and scheduled_at > now() and exists (select from moved)
    )
    select true from moved
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One look at it."""

    held: int
    """Turns and jobs that a process is at this moment at work on."""
    held_until: datetime | None
    """Until when at the longest; it moves as long as a process is at work."""
    woken: int
    due: int
    next_at: datetime | None
    """The next timer of the service's own: it goes on by itself then."""
    expiry_at: datetime | None
    """When the next question is over."""
    seq: int
    now: datetime

    @property
    def is_busy(self) -> bool:
        """Whether something is being done, or could be at once."""
        return bool(self.held or self.woken or self.due)


async def look(conn: Conn) -> Standing:
    """Look once."""
    found = await fetch_one(conn, Standing, _STANDING, {"lease": timedelta(seconds=LEASE_S)})
    assert found is not None  # noqa: S101 - one row always
    return found


async def advance(conn: Conn, by: timedelta) -> bool:
    """Let time pass, unless somebody has begun to work meanwhile."""
    lease = timedelta(seconds=LEASE_S)
    return bool(await fetch_value(conn, _ADVANCE, {"by": by, "lease": lease}))
