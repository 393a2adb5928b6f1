"""Runs dialects on a port of this machine, within the caller's loop."""

import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from evals.simulator.wire import Wires
from infra.http_server import HostedServer
from infra.supervision import Supervisor


@asynccontextmanager
async def serve(
    routes: Sequence[BaseRoute], wires: Wires | None = None, *, port: int = 0
) -> AsyncGenerator[str]:
    """Serve routes for as long as the block lasts, on a free port unless one is named.

    Gives the server's address.
    """
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    listening.listen()
    config = uvicorn.Config(
        Starlette(routes=list(routes)),
        http=(wires or Wires()).protocol,
        ws="websockets-sansio",
        lifespan="off",
        log_level="critical",
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    server = HostedServer(config)
    async with Supervisor("simulator") as supervisor:
        running = supervisor.start(server.serve(sockets=[listening]), name="simulator")
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.stop()
            await running
            listening.close()
