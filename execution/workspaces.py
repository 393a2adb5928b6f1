"""Workspaces: the tenant and what its owner allows.

Owns `workspaces`. Three dimensions are kept apart: how freely the agent may act (autonomy), what it
may spend without asking (allowances) and where it must stop to be looked at (review points). Beside
them stands how much of each production goes on without a word of theirs (limits).
"""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from execution import events
from execution.errors import NotFoundError
from infra.db.query import Conn, execute, fetch_one
from infra.ids import WorkspaceId


class AutonomyLevel(StrEnum):
    """How much the agent may do without being asked."""

    CAUTIOUS = "cautious"
    BALANCED = "balanced"
    FREE = "free"


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A row of `workspaces`; money in micro-units of `currency`."""

    workspace_id: UUID
    name: str
    currency: str
    autonomy: str
    per_call_allowance_micros: int
    daily_allowance_micros: int
    review_points: list[str]
    max_rounds: int
    max_rounds_without_progress: int
    max_seconds: int
    accepts_deliveries: bool


async def ensure(conn: Conn, workspace_id: WorkspaceId, *, name: str, currency: str) -> None:
    """Create the workspace and its log if they are not there yet."""
    await execute(
        conn,
        """
        insert into workspaces (workspace_id, name, currency)
        values (%(workspace_id)s, %(name)s, %(currency)s)
        on conflict do nothing
        """,
        {"workspace_id": workspace_id, "name": name, "currency": currency},
    )
    await events.create_counter(conn, workspace_id)


async def get(conn: Conn, workspace_id: WorkspaceId) -> Workspace:
    """Return the workspace.

    Raises:
        NotFoundError: there is none with this id.
    """
    found = await fetch_one(
        conn,
        Workspace,
        """
        select workspace_id, name, currency, autonomy, per_call_allowance_micros,
               daily_allowance_micros, review_points, max_rounds, max_rounds_without_progress,
               max_seconds, accepts_deliveries
        from workspaces
        where workspace_id = %(workspace_id)s
        """,
        {"workspace_id": workspace_id},
    )
    if found is None:
        raise NotFoundError
    return found


async def lock(conn: Conn, workspace_id: WorkspaceId) -> None:
    """Hold the workspace, so that two tasks cannot both spend the rest of its allowance."""
    await execute(
        conn,
        "select 1 from workspaces where workspace_id = %(workspace_id)s for no key update",
        {"workspace_id": workspace_id},
    )


async def update_settings(
    conn: Conn,
    workspace_id: WorkspaceId,
    *,
    autonomy: AutonomyLevel,
    per_call_allowance_micros: int,
    daily_allowance_micros: int,
    review_points: list[str],
    accepts_deliveries: bool | None = None,
) -> None:
    """Replace what the owner allows; only a person's request may call this."""
    await execute(
        conn,
        """
        update workspaces
        set autonomy = %(autonomy)s, per_call_allowance_micros = %(per_call)s,
            daily_allowance_micros = %(daily)s, review_points = %(review_points)s,
            accepts_deliveries = coalesce(%(accepts_deliveries)s, accepts_deliveries)
        where workspace_id = %(workspace_id)s
        """,
        {
            "autonomy": autonomy,
            "per_call": per_call_allowance_micros,
            "daily": daily_allowance_micros,
            "review_points": review_points,
            "accepts_deliveries": accepts_deliveries,
            "workspace_id": workspace_id,
        },
    )


async def update_limits(
    conn: Conn,
    workspace_id: WorkspaceId,
    *,
    max_rounds: int,
    max_rounds_without_progress: int,
    max_seconds: int,
) -> None:
    """Replace how much each production may do by itself; only a person's request may call this."""
    await execute(
        conn,
        """
        update workspaces
        set max_rounds = %(max_rounds)s, max_seconds = %(max_seconds)s,
            max_rounds_without_progress = %(max_rounds_without_progress)s
        where workspace_id = %(workspace_id)s
        """,
        {
            "max_rounds": max_rounds,
            "max_rounds_without_progress": max_rounds_without_progress,
            "max_seconds": max_seconds,
            "workspace_id": workspace_id,
        },
    )
