"""Breaking the wire under an answer: closing it, cutting it, leaving it silent.

uvicorn gives an application no way to close its connection, so its protocol writes down which
transport belongs to which peer.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, override

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from uvicorn.protocols.http.h11_impl import H11Protocol

from evals.simulator.switches import RETRY_AFTER_S, Told

BROKEN = b"this is no picture"
"""What is given out as a result that is none."""

type Refusals = Mapping[Told, tuple[int, Any]]


class Wires:
    """The open connections of one server, by their peer's port."""

    def __init__(self) -> None:
        self._open: dict[int, asyncio.Transport] = {}
        wires = self

        class Protocol(H11Protocol):
            @override
            def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
                super().connection_made(transport)
                wires._open[transport.get_extra_info("peername")[1]] = transport

            @override
            def connection_lost(self, exc: Exception | None) -> None:
                super().connection_lost(exc)
                if self.client is not None:
                    wires._open.pop(self.client[1], None)

        self.protocol: type[asyncio.Protocol] = Protocol

    async def drop(self, request: Request) -> Response:
        """Close the connection; what is returned reaches nobody."""
        assert request.client is not None  # noqa: S101 - the server listens on TCP
        if (transport := self._open.get(request.client.port)) is not None:
            transport.abort()
        return Response(status_code=204)

    async def refuse(self, request: Request, told: Told, refusals: Refusals) -> Response | None:
        """Refuse a submission in the vendor's words, if that is what it is told."""
        if told == "lost_before":
            return await self.drop(request)
        if told not in refusals:
            return None
        status, body = refusals[told]
        headers = {"Retry-After": str(RETRY_AFTER_S)} if told == "rate_limited" else {}
        return JSONResponse(body, status, headers)

    async def answer(self, request: Request, told: Told, answer: Response) -> Response:
        """Give an answer as far as it is told to arrive."""
        match told:
            case "lost":
                return await self.drop(request)
            case "timeout":
                while (await request.receive())["type"] != "http.disconnect":
                    pass
                return Response(status_code=204)
            case "half":
                return StreamingResponse(
                    self._cut(request, bytes(answer.body)), media_type="application/json"
                )
            case "nonsense":
                return Response(b"<html>It works!</html>", media_type="text/html")
            case "accepted_500":
                return JSONResponse({"detail": "Internal Server Error"}, 500)
            case _:
                return answer

    async def file(
        self, request: Request, told: Told, data: bytes, media_type: str = "image/png"
    ) -> Response:
        """Give a result's bytes as far as they are told to arrive."""
        match told:
            case "broken_file":
                return Response(BROKEN, media_type=media_type)
            case "cut_file":
                return StreamingResponse(self._cut(request, data), media_type=media_type)
            case "expired":
                return Response(status_code=404)
            case _:
                return Response(data, media_type=media_type)

    async def _cut(self, request: Request, data: bytes) -> AsyncIterator[bytes]:
        yield data[: len(data) // 2]
        await asyncio.sleep(0)
        await self.drop(request)
