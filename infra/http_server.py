"""An HTTP server in a loop that goes on after it: deaf to signals, leaving nothing open."""

import asyncio
import contextlib
import socket
from collections.abc import Generator
from typing import override

import uvicorn

_TICK_SECONDS = 1.0
"""How often the date that answers carry is brought up to date."""
_TURNS = 3
"""So many turns of the loop see a connection closed on which nothing is being answered."""


class HostedServer(uvicorn.Server):
    """Uvicorn, stopped by its owner through `stop`, after which no connection of it is open.

    It stops at once where nothing is being answered; uvicorn itself looks every tenth of a second,
    and leaves a connection that outlives the grace to the end of the process.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Ask it to stop; `serve` returns when it has."""
        self.should_exit = True
        self._stopping.set()

    @override
    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    @override
    async def main_loop(self) -> None:
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_TICK_SECONDS):
                    await self._stopping.wait()

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for listening in sockets or ():
            listening.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        if self.server_state.connections or self.server_state.tasks:
            await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for server in self.servers:
            await server.wait_closed()
