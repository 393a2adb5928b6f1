"""How long work has taken in this installation: read from its jobs, by operation and service.

Of the latest that succeeded, the middle one counts, so that a single stall says nothing. Work whose
result has a length is measured for each second of that. Fewer than `FEWEST` say nothing yet.
"""

from dataclasses import dataclass

from infra.db.query import Conn, fetch_all

FEWEST = 5
_LATEST = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """How long a call takes: as a whole, or for each second of its result."""

    operation: str
    provider: str
    per_call_s: float
    per_second_s: float | None
    samples: int

    def expected_s(self, seconds: float) -> float:
        """Return how long a call for so many seconds of media takes."""
        if self.per_second_s is None or not seconds:
            return self.per_call_s
        return self.per_second_s * seconds


async def measured(conn: Conn) -> dict[tuple[str, str], Measured]:
    """Return what is known, by operation and service."""
    rows = await fetch_all(
        conn,
        Measured,
        """
        with latest as (
            select operation, provider,
                   extract(epoch from closed_at - begun_at)::float8 as took_s,
                   nullif(coalesce(
                       (request #>> '{payload,duration_s}')::float8,
                       (request #>> '{payload,timeline,duration_s}')::float8
                   ), 0) as media_s,
                   row_number() over (
                       partition by operation, provider order by closed_at desc
                   ) as place
            from jobs
            where phase = 'succeeded'
              and begun_at is not null
              and closed_at is not null
        )
        select operation, provider,
               percentile_cont(0.5) within group (order by took_s) as per_call_s,
               percentile_cont(0.5) within group (order by took_s / media_s) as per_second_s,
               count(*)::int as samples
        from latest
        where place <= %(latest)s
        group by operation, provider
        having count(*) >= %(fewest)s
        """,
        {"latest": _LATEST, "fewest": FEWEST},
    )
    return {(row.operation, row.provider): row for row in rows}
