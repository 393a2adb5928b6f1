"""Serves HTTP on this machine: binds the port first, then opens everything, then says where.

A port that is taken is told before anything is started. When the process is to stop, the open
streams are ended first; they would otherwise hold the server for as long as their readers like.
"""

import asyncio
import errno
import socket
from collections.abc import Callable
from typing import override

import uvicorn
from fastapi import FastAPI

from infra.http_server import HostedServer
from infra.settings import Settings
from infra.supervision import Supervisor
from server.context import Context
from server.errors import AddressUnusableError, PortTakenError
from server.everything import running_address

_GRACE_SECONDS = 3
_HEAD_BYTES = 64 << 10
_BACKLOG = 512
_LOOK_SECONDS = 0.01


class HttpServer(HostedServer):
    """Uvicorn, letting go of open streams first."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http="h11",
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_GRACE_SECONDS,
                h11_max_incomplete_event_size=_HEAD_BYTES,
            )
        )
        self._app = app

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        context: Context = self._app.state.context
        context.hub.close()
        await super().shutdown(sockets)


def bind(settings: Settings) -> socket.socket:
    """Return a listening socket on the configured address; port 0 takes any free one.

    Raises:
        PortTakenError: another program has the port.
        AddressUnusableError: the system refuses the address.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            running = running_address(settings.data_dir)
            is_ours = running is not None and running.endswith(f":{settings.port}")
            raise PortTakenError(
                settings.host, settings.port, running=running if is_ours else None
            ) from error
        reason = error.strerror or str(error)
        raise AddressUnusableError(settings.host, settings.port, reason) from error
    listener.setblocking(False)  # noqa: FBT003 - the socket module's own signature
    return listener


def address_of(listener: socket.socket) -> str:
    """Return the address that a browser opens."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def serve(
    app: FastAPI, listener: socket.socket, supervisor: Supervisor, on_ready: Callable[[], None]
) -> None:
    """Serve until the supervisor is asked to stop.

    Raises:
        OperatorError: the application cannot work as it was set up.
        EssentialTaskEndedError: a part that it needs has ended.
    """
    async with app.router.lifespan_context(app):
        server = HttpServer(app)
        parts: Supervisor = app.state.supervisor
        supervisor.start(parts.wait(), name="the server's parts", essential=True)
        running = supervisor.start(server.serve(sockets=[listener]), name="HTTP", essential=True)
        while not server.started and not running.done():  # noqa: ASYNC110 - uvicorn has no event
            await asyncio.sleep(_LOOK_SECONDS)
        if server.started:
            on_ready()
        try:
            await supervisor.wait()
        finally:
            server.stop()
            await asyncio.wait([running])
