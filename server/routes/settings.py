"""`/v1/settings`: how freely the agent may act, what it may spend unasked, where it must stop."""

from typing import Any

from fastapi import APIRouter

from execution import workspaces
from execution.workspaces import Workspace
from infra.db.pool import transaction
from server.auth import Caller
from server.context import Opened
from server.models import SettingsBody

router = APIRouter(prefix="/settings")


@router.get("")
async def read_settings(caller: Caller, opened: Opened) -> dict[str, Any]:
    """Return what the owner allows."""
    async with transaction(opened.pool) as conn:
        return _view(await workspaces.get(conn, caller.workspace_id))


@router.put("")
async def write_settings(body: SettingsBody, caller: Caller, opened: Opened) -> dict[str, Any]:
    """Replace what the owner allows."""
    async with transaction(opened.pool) as conn:
        await workspaces.update_settings(
            conn,
            caller.workspace_id,
            autonomy=body.autonomy,
            per_call_allowance_micros=body.per_call_allowance_micros,
            daily_allowance_micros=body.daily_allowance_micros,
            review_points=[*dict.fromkeys(body.review_points)],
            accepts_deliveries=body.accepts_deliveries,
        )
        return _view(await workspaces.get(conn, caller.workspace_id))


def _view(row: Workspace) -> dict[str, Any]:
    return {
        "autonomy": row.autonomy,
        "per_call_allowance_micros": row.per_call_allowance_micros,
        "daily_allowance_micros": row.daily_allowance_micros,
        "review_points": row.review_points,
        "accepts_deliveries": row.accepts_deliveries,
    }
