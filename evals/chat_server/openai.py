"""OpenAI's Chat Completions: `POST /v1/chat/completions`, streamed as SSE or whole."""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.chat_server.history import openai_fault
from evals.chat_server.script import Call, Counted, Refusal, Reply, Script, pieces
from evals.chat_server.streaming import Streams

_HEAD: dict[str, Any] = {"id": "chatcmpl-1", "created": 1, "model": "scripted-2026-01-01"}


class OpenAIDialect:
    """Speaks as OpenAI does, from a script."""

    def __init__(self, script: Script, streams: Streams) -> None:
        self._script = script
        self._streams = streams

    @property
    def routes(self) -> list[Route]:
        """What it serves."""
        return [Route("/v1/chat/completions", self._complete, methods=["POST"])]

    async def _complete(self, request: Request) -> Response:
        body: dict[str, Any] = await request.json()
        answer = self._script.next(body)
        if (fault := openai_fault(body)) is not None:
            answer = Refusal(status=400, kind="invalid_request_error", message=fault)
        if isinstance(answer, Refusal):
            return _refused(answer)
        if body.get("stream"):
            options: dict[str, Any] = body.get("stream_options") or {}
            counts = bool(options.get("include_usage"))
            events = [f"data: {json.dumps(each)}\n\n" for each in _events(answer, counts=counts)]
            return await self._streams.answer(
                request, events, answer.fate, alive=": keep-alive\n\n", end="data: [DONE]\n\n"
            )
        return await self._streams.whole(request, JSONResponse(_whole(answer)), answer.fate)


def _events(reply: Reply, *, counts: bool) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in pieces(reply.text, reply.piece)]
    for index, call in enumerate(reply.calls):
        function = {"name": call.name, "arguments": ""}
        first = {"index": index, "id": _id(call, index), "type": "function", "function": function}
        deltas.append({"tool_calls": [first]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
            for piece in pieces(call.arguments, reply.piece)
        ]
    if reply.fate == "cut_short":
        deltas = deltas[: len(deltas) - len(deltas) // 4]
    ends = [(delta, None) for delta in deltas] + [({}, _reason(reply))]
    chunk = {**_HEAD, "object": "chat.completion.chunk"}
    events = [
        {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
        for delta, reason in ends
    ]
    if counts and reply.counted is not None:
        events.append({**chunk, "choices": [], "usage": _usage(reply.counted)})
    return events


def _whole(reply: Reply) -> dict[str, Any]:
    calls = [
        {
            "id": _id(call, index),
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for index, call in enumerate(reply.calls)
    ]
    message = {"role": "assistant", "content": reply.text or None, "tool_calls": calls or None}
    choice = {"index": 0, "message": message, "finish_reason": _reason(reply)}
    usage = {"usage": _usage(reply.counted)} if reply.counted else {}
    return {**_HEAD, "object": "chat.completion", "choices": [choice], **usage}


def _reason(reply: Reply) -> str:
    if reply.fate == "cut_short":
        return "length"
    return "tool_calls" if reply.calls else "stop"


def _id(call: Call, index: int) -> str:
    return call.call_id or f"call_{index}"


def _usage(counted: Counted) -> dict[str, Any]:
    prompt = counted.fresh + counted.cached + counted.kept
    return {
        "prompt_tokens": prompt,
        "completion_tokens": counted.output,
        "total_tokens": prompt + counted.output,
        "prompt_tokens_details": {"cached_tokens": counted.cached},
    }


def _refused(refusal: Refusal) -> Response:
    error = {
        "message": refusal.message,
        "type": refusal.kind,
        "param": None,
        "code": None,
    }
    after = refusal.retry_after_s
    headers = {"retry-after": str(after)} if after is not None else None
    return JSONResponse({"error": error}, refusal.status, headers=headers)
