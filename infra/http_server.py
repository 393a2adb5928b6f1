"""An HTTP server in a loop that goes on after it: deaf to signals, leaving nothing open."""

import contextlib
import socket
from collections.abc import Generator
from typing import override

import uvicorn


class HostedServer(uvicorn.Server):
    """Uvicorn, stopped by its owner through `should_exit`, after which no connection of it is open.

    Uvicorn itself leaves a connection that outlives the grace to the end of the process.
    """

    @override
    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for server in self.servers:
            await server.wait_closed()
