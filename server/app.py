"""The HTTP application: routes, protection and what it holds open.

`create_app` builds it without touching anything; its lifespan opens the handles, brings the
database up to date and makes sure that the local workspace is there. Whoever serves it enters
the lifespan first, so that what is wrong is an error of ours and not a server's traceback.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from urllib.parse import urlsplit

import psycopg
from fastapi import APIRouter, FastAPI
from pydantic import BaseModel

from execution import workspaces
from infra.db.migrate import migrate
from infra.db.pool import DomainPool, transaction
from infra.deps import OpenDeps, open_deps
from infra.settings import Settings
from infra.supervision import Supervisor
from infra.telemetry import get_logger
from server import errors, idempotency
from server.auth import LOCAL_NAME, LOCAL_WORKSPACE
from server.context import Context
from server.hub import MAX_QUEUED_BYTES, Hub
from server.protection import LOCAL_HOSTS, ProtectionMiddleware
from server.routes import (
    acceptance,
    account,
    approvals,
    chat,
    events,
    health,
    hooks,
    messages,
    objects,
    page,
    settings,
    tasks,
)

_log = get_logger(__name__)

TITLE = "Atelier"
VERSION = "1"
_FORGET_SECONDS = 3600.0
_LEND_SECONDS = 5.0
"""A person waits for an answer: without a connection by then, they are told so."""

type Open = Callable[[Settings, str, Supervisor], AbstractAsyncContextManager[OpenDeps]]


class Problem(BaseModel):
    """An error as application/problem+json: `detail` is a sentence, `code` is stable."""

    type: str
    title: str
    status: int
    detail: str
    code: str


def create_app(
    configuration: Settings,
    dsn: str,
    *,
    opening: Open = open_deps,
    max_stream_bytes: int = MAX_QUEUED_BYTES,
) -> FastAPI:
    """Return the application for a database; nothing is opened before its lifespan begins."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        await migrate(dsn)
        async with (
            Supervisor("http") as supervisor,
            opening(configuration, dsn, supervisor) as opened,
        ):
            pool = opened.deps.pools.domain
            pool.timeout = _LEND_SECONDS
            epoch = await _prepare(pool, configuration.currency)
            hub = Hub(pool, dsn, supervisor, max_bytes=max_stream_bytes)
            supervisor.start(_forget_old_keys(pool, supervisor), name="forget old keys")
            app.state.context = Context(deps=opened.deps, hub=hub, epoch=epoch)
            app.state.supervisor = supervisor
            yield
            hub.close()

    app = FastAPI(
        title=TITLE,
        version=VERSION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
        responses={
            status: {"model": Problem, "description": "A problem"} for status in ("4XX", "5XX", 422)
        },
    )
    app.add_middleware(
        ProtectionMiddleware,
        hosts=LOCAL_HOSTS | {configuration.host.lower()},
        callback_host=urlsplit(configuration.public_url or "").hostname,
    )
    errors.register(app)
    _include(app)
    return app


def _include(app: FastAPI) -> None:
    v1 = APIRouter(prefix="/v1")
    for module in (
        messages,
        chat,
        tasks,
        acceptance,
        approvals,
        objects,
        events,
        settings,
        account,
    ):
        v1.include_router(module.router)
    app.include_router(v1)
    app.include_router(health.router)
    app.include_router(hooks.router)
    app.include_router(page.router)


async def _prepare(pool: DomainPool, currency: str) -> str:
    async with transaction(pool) as conn:
        await workspaces.ensure(conn, LOCAL_WORKSPACE, name=LOCAL_NAME, currency=currency)
        return await idempotency.read_epoch(conn)


async def _forget_old_keys(pool: DomainPool, supervisor: Supervisor) -> None:
    go_on = True
    while go_on:
        try:
            async with transaction(pool) as conn:
                await idempotency.forget_old(conn)
        except psycopg.Error as error:
            _log.warning("keys_not_forgotten", error=str(error).strip())
        go_on = await supervisor.pause(_FORGET_SECONDS)
