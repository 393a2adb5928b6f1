"""`/v1/settings`: how freely the agent may act, what it may spend unasked, where it must stop.

`/v1/settings/limits`: how much each production does by itself before it asks for a person's word.
"""

from typing import Any

from fastapi import APIRouter

from execution import limits, workspaces
from execution.tx import Tx
from execution.workspaces import Workspace
from infra.db.pool import transaction
from server.auth import Caller
from server.context import Opened
from server.models import LimitsBody, SettingsBody
from server.requests import carry_out

router = APIRouter(prefix="/settings")


@router.get("")
async def read_settings(caller: Caller, opened: Opened) -> dict[str, Any]:
    """Return what the owner allows."""
    async with transaction(opened.pool) as conn:
        return _view(await workspaces.get(conn, caller.workspace_id))


@router.put("")
async def write_settings(body: SettingsBody, caller: Caller, opened: Opened) -> dict[str, Any]:
    """Replace what the owner allows; what waits only for money looks whether there is enough."""

    async def act(tx: Tx) -> dict[str, Any]:
        await limits.wake_those_short_of_money(tx)
        await workspaces.update_settings(
            tx.conn,
            caller.workspace_id,
            autonomy=body.autonomy,
            per_call_allowance_micros=body.per_call_allowance_micros,
            daily_allowance_micros=body.daily_allowance_micros,
            review_points=[*dict.fromkeys(body.review_points)],
            accepts_deliveries=body.accepts_deliveries,
        )
        return _view(await workspaces.get(tx.conn, caller.workspace_id))

    return await carry_out(opened, caller, act)


@router.get("/limits")
async def read_limits(caller: Caller, opened: Opened) -> dict[str, Any]:
    """Return how much each production does by itself."""
    async with transaction(opened.pool) as conn:
        return _limits(await workspaces.get(conn, caller.workspace_id))


@router.put("/limits")
async def write_limits(body: LimitsBody, caller: Caller, opened: Opened) -> dict[str, Any]:
    """Replace it, for every production that was not given more; those at a limit look again."""

    async def act(tx: Tx) -> dict[str, Any]:
        await limits.wake_those_at_one(tx)
        await workspaces.update_limits(
            tx.conn,
            caller.workspace_id,
            max_rounds=body.rounds,
            max_rounds_without_progress=body.rounds_without_progress,
            max_seconds=body.seconds,
        )
        return _limits(await workspaces.get(tx.conn, caller.workspace_id))

    return await carry_out(opened, caller, act)


def _limits(row: Workspace) -> dict[str, Any]:
    return {
        "rounds": row.max_rounds,
        "rounds_without_progress": row.max_rounds_without_progress,
        "seconds": row.max_seconds,
    }


def _view(row: Workspace) -> dict[str, Any]:
    return {
        "autonomy": row.autonomy,
        "per_call_allowance_micros": row.per_call_allowance_micros,
        "daily_allowance_micros": row.daily_allowance_micros,
        "review_points": row.review_points,
        "accepts_deliveries": row.accepts_deliveries,
    }
