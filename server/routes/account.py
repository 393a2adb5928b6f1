"""`/v1/account`: the workspace's money, and what its chat models have used."""

from typing import Any

from fastapi import APIRouter

from execution import views
from infra.db.pool import transaction
from server.auth import Caller
from server.context import Opened

router = APIRouter(prefix="/account")


@router.get("")
async def read_account(caller: Caller, opened: Opened) -> dict[str, Any]:
    """Return limits, holds and costs of all tasks together, and the tokens of every model.

    A model without a known price is counted in tokens; `unpriced` says how many calls that are.
    """
    async with transaction(opened.pool) as conn:
        return await views.account(conn, caller.workspace_id)
