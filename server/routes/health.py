"""`/healthz`: this process lives. `/readyz`: it can do its work."""

import asyncio
from typing import Any

import psycopg
from fastapi import APIRouter

from execution import workspaces
from infra.db.pool import transaction
from server.auth import LOCAL_WORKSPACE
from server.context import Opened
from server.errors import DatabaseUnavailableError

_PATIENCE_SECONDS = 2.0

router = APIRouter()


@router.get("/healthz")
async def read_health() -> dict[str, Any]:
    """Say that the process answers; asks nothing else."""
    return {"status": "ok"}


@router.get("/readyz")
async def read_readiness(opened: Opened) -> dict[str, Any]:
    """Say whether the database answers, and whether news of it arrive at once or by polling."""
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS), transaction(opened.pool) as conn:
            await workspaces.get(conn, LOCAL_WORKSPACE)
    except (TimeoutError, psycopg.Error) as error:
        raise DatabaseUnavailableError from error
    return {
        "status": "ready",
        "listening": opened.hub.is_listening,
        "streams": opened.hub.client_count,
    }
