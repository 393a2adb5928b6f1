"""A TCP proxy before the database: passes, cuts (RST), or takes everything and forwards nothing.

What is swallowed is never delivered: when the network is mended, those connections are reset, as
by a router that has forgotten them.
"""

import asyncio
import socket
import struct
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import urlsplit

from psycopg.conninfo import conninfo_to_dict

_CHUNK = 1 << 16
_RESET = struct.pack("ii", 1, 0)


@dataclass
class Proxy:
    """What stands between one process and the database."""

    database_url: str
    server: asyncio.Server | None = None
    is_cut: bool = False
    flowing: asyncio.Event = field(default_factory=asyncio.Event)
    writers: set[asyncio.StreamWriter] = field(default_factory=set[asyncio.StreamWriter])
    swallowed: set[asyncio.StreamWriter] = field(default_factory=set[asyncio.StreamWriter])

    @property
    def url(self) -> str:
        """The database's address through this proxy."""
        assert self.server is not None
        parts = urlsplit(self.database_url)
        user = f"{parts.username}:{parts.password}" if parts.password else parts.username
        port = self.server.sockets[0].getsockname()[1]
        return f"postgresql://{user}@127.0.0.1:{port}{parts.path}"

    def cut(self) -> None:
        """Reset every connection, and every new one."""
        self.is_cut = True
        self._reset(self.writers)

    def swallow(self) -> None:
        """Take what comes, on old connections and new ones, and forward nothing."""
        self.flowing.clear()
        self.swallowed |= self.writers

    def mend(self) -> None:
        """Let new connections pass; what was swallowed is reset."""
        self.is_cut = False
        self._reset(self.swallowed)
        self.swallowed.clear()
        self.flowing.set()

    def _reset(self, writers: set[asyncio.StreamWriter]) -> None:
        for writer in writers:
            connection = cast("socket.socket", writer.get_extra_info("socket"))
            if connection.family == socket.AF_INET and connection.fileno() >= 0:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection both ways until either side ends it."""
        self.writers.add(writer)
        there = None
        try:
            if self.is_cut:
                self._reset({writer})
                return
            if not self.flowing.is_set():
                self.swallowed.add(writer)
                await self._swallow(reader)
                return
            answers, there = await self._connect()
            self.writers.add(there)
            await asyncio.wait(
                (
                    asyncio.ensure_future(self._forward(reader, there)),
                    asyncio.ensure_future(self._forward(answers, writer)),
                ),
                return_when=asyncio.ALL_COMPLETED,
            )
        finally:
            for each in filter(None, (writer, there)):
                each.close()
                self.writers.discard(each)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        target = conninfo_to_dict(self.database_url)
        host, port = str(target.get("host", "127.0.0.1")), int(target.get("port") or 5432)
        if host.startswith("/"):
            return await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
        return await asyncio.open_connection(host, port)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one way; the end of one side is the end of the other."""
        try:
            while data := await reader.read(_CHUNK):
                if not self.flowing.is_set():
                    await self._swallow(reader)
                    break
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        await self.flowing.wait()
        writer.close()

    async def _swallow(self, reader: asyncio.StreamReader) -> None:
        try:
            while await reader.read(_CHUNK):
                pass
        except OSError:
            pass
        await self.flowing.wait()


@asynccontextmanager
async def open_proxy(database_url: str) -> AsyncGenerator[Proxy]:
    """Run a proxy before a database on a free port of this machine."""
    proxy = Proxy(database_url)
    proxy.flowing.set()
    proxy.server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    try:
        yield proxy
    finally:
        proxy.server.close()
        proxy.cut()
        proxy.mend()
        while proxy.writers:  # noqa: ASYNC110 - each ends with its streams
            await asyncio.sleep(0.01)
