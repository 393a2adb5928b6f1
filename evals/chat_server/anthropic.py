"""Anthropic's Messages: `POST /v1/messages`, streamed as SSE or whole."""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.chat_server.history import anthropic_fault
from evals.chat_server.script import Call, Counted, Refusal, Reply, Script, pieces
from evals.chat_server.streaming import Streams

_HEAD: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "scripted-20260101",
}
type _Event = tuple[str, dict[str, Any]]


class AnthropicDialect:
    """Speaks as Anthropic does, from a script."""

    def __init__(self, script: Script, streams: Streams) -> None:
        self._script = script
        self._streams = streams

    @property
    def routes(self) -> list[Route]:
        """What it serves."""
        return [Route("/v1/messages", self._message, methods=["POST"])]

    async def _message(self, request: Request) -> Response:
        body: dict[str, Any] = await request.json()
        answer = self._script.next(body)
        if (fault := anthropic_fault(body)) is not None:
            answer = Refusal(status=400, kind="invalid_request_error", message=fault)
        if isinstance(answer, Refusal):
            return _refused(answer)
        if body.get("stream"):
            events = [_sse(name, data) for name, data in _events(answer)]
            return await self._streams.answer(
                request,
                events,
                answer.fate,
                alive=_sse("ping", {}),
                end=_sse("message_stop", {}),
            )
        return await self._streams.whole(request, JSONResponse(_whole(answer)), answer.fate)


def _sse(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"


def _events(reply: Reply) -> list[_Event]:
    started = _usage(reply.counted or Counted(fresh=0, output=0)) | {"output_tokens": 1}
    message: dict[str, Any] = {**_HEAD, "content": [], "stop_reason": None, "stop_sequence": None}
    events: list[_Event] = []
    if reply.text:
        events += _block(
            0,
            {"type": "text", "text": ""},
            [{"type": "text_delta", "text": piece} for piece in pieces(reply.text, reply.piece)],
        )
    for number, call in enumerate(reply.calls):
        start: dict[str, Any] = {
            "type": "tool_use",
            "id": _id(call, number),
            "name": call.name,
            "input": {},
        }
        deltas = [
            {"type": "input_json_delta", "partial_json": piece}
            for piece in ["", *pieces(call.arguments, reply.piece)]
        ]
        events += _block(number + bool(reply.text), start, deltas)
    if reply.fate == "cut_short":
        events = events[: len(events) - len(events) // 4]
    delta = {"stop_reason": _reason(reply), "stop_sequence": None}
    usage = _usage(reply.counted) if reply.counted else {"output_tokens": 0}
    return [
        ("message_start", {"message": {**message, "usage": started}}),
        *events,
        ("message_delta", {"delta": delta, "usage": usage}),
    ]


def _block(index: int, start: dict[str, Any], deltas: list[dict[str, Any]]) -> list[_Event]:
    return [
        ("content_block_start", {"index": index, "content_block": start}),
        *(("content_block_delta", {"index": index, "delta": delta}) for delta in deltas),
        ("content_block_stop", {"index": index}),
    ]


def _whole(reply: Reply) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
    content += [
        {
            "type": "tool_use",
            "id": _id(call, number),
            "name": call.name,
            "input": json.loads(call.arguments),
        }
        for number, call in enumerate(reply.calls)
    ]
    ending = {"stop_reason": _reason(reply), "stop_sequence": None}
    counted = reply.counted or Counted(fresh=0, output=0)
    return {**_HEAD, "content": content, **ending, "usage": _usage(counted)}


def _reason(reply: Reply) -> str:
    if reply.fate == "cut_short":
        return "max_tokens"
    return "tool_use" if reply.calls else "end_turn"


def _id(call: Call, number: int) -> str:
    return call.call_id or f"toolu_{number}"


def _usage(counted: Counted) -> dict[str, Any]:
    return {
        "input_tokens": counted.fresh,
        "cache_read_input_tokens": counted.cached,
        "cache_creation_input_tokens": counted.kept,
        "output_tokens": counted.output,
    }


def _refused(refusal: Refusal) -> Response:
    error = {"type": refusal.kind, "message": refusal.message}
    after = refusal.retry_after_s
    headers = {"retry-after": str(after)} if after is not None else None
    return JSONResponse({"type": "error", "error": error}, refusal.status, headers=headers)
