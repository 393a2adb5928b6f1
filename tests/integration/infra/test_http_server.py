import asyncio
import contextlib
import socket

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from infra.http_server import HostedServer
from infra.supervision import Supervisor


async def test_no_connection_is_open_after_it_even_one_that_outlives_the_grace() -> None:
    asked, ended = asyncio.Event(), asyncio.Event()

    async def hold(request: Request) -> Response:
        del request
        asked.set()
        await ended.wait()
        return PlainTextResponse("late")

    listening = socket.create_server(("127.0.0.1", 0))
    server = HostedServer(
        uvicorn.Config(
            Starlette(routes=[Route("/", hold)]),
            lifespan="off",
            log_level="critical",
            timeout_graceful_shutdown=0,
        )
    )
    async with Supervisor("test") as supervisor:
        serving = supervisor.start(server.serve(sockets=[listening]), name="server")
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        writer.write(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n")
        await asked.wait()
        server.stop()
        await serving
        assert not server.server_state.connections
        async with asyncio.timeout(5):
            with contextlib.suppress(ConnectionResetError):
                assert await reader.read() == b""
        ended.set()
        writer.close()
