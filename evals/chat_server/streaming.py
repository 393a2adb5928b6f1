"""Sends an answer as server-sent events as far as it is told to arrive."""

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from evals.chat_server.script import Fate
from evals.simulator.wire import Wires

_ALIVE_S = 0.02
_BROKEN = 'event: content_block_delta\ndata: {"choices": [{"del\n\n'
_TO_THE_END: frozenset[Fate] = frozenset({"whole", "cut_short"})


class Streams:
    """Streams over one server's wires."""

    def __init__(self, wires: Wires) -> None:
        self._wires = wires

    async def answer(
        self, request: Request, events: list[str], fate: Fate, *, alive: str, end: str
    ) -> Response:
        """Stream events; `alive` is what a service sends while it has nothing to say."""
        body = self._send(request, events, fate, alive=alive, end=end)
        streamed = StreamingResponse(body, media_type="text/event-stream")
        if fate == "silent":
            return await self._wires.answer(request, "timeout", streamed)
        return streamed

    async def whole(self, request: Request, answer: Response, fate: Fate) -> Response:
        """Give an answer at once, or lose it."""
        match fate:
            case "silent" | "stalled":
                return await self._wires.answer(request, "timeout", answer)
            case "dropped":
                return await self._wires.answer(request, "half", answer)
            case "malformed" | "ended_early":
                return await self._wires.answer(request, "nonsense", answer)
            case _:
                return answer

    async def _send(
        self, request: Request, events: list[str], fate: Fate, *, alive: str, end: str
    ) -> AsyncIterator[str]:
        sent = events if fate in _TO_THE_END else events[: len(events) // 2]
        for event in sent:
            yield event
        match fate:
            case "stalled":
                while not await request.is_disconnected():
                    yield alive
                    await asyncio.sleep(_ALIVE_S)
            case "dropped":
                await asyncio.sleep(0)
                await self._wires.drop(request)
            case "malformed":
                yield _BROKEN
            case "ended_early":
                return
            case _:
                yield end
