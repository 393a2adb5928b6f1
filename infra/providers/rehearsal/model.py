"""A chat model made of rules: no key, no network, no clock, no randomness.

It tells its three callers apart by what they send: the tool `route` is bound for the router, a
last message `<state>…</state>` comes from a worker, everything else wants a plain answer. The same
messages and tools give the same answer in every process.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, override

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ToolCall,
    ToolCallChunk,
    UsageMetadata,
)
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from infra.providers.rehearsal import replies, routing, worker
from infra.providers.rehearsal.state import is_state, read_main, read_worker, text_of

MAX_CALLS = 16
_PIECE = re.compile(r"\s*(?:[!-\u2e7f]+|\S{1,4})")
_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    text: str
    calls: tuple[ToolCall, ...]


class RehearsalModel(BaseChatModel):
    """Routes, plans and works by rules, in nine languages."""

    model_name: str = "rehearsal"

    @property
    def _llm_type(self) -> str:
        return "rehearsal"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": self.model_name}

    @override
    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Let the model call these tools."""
        schemas = [convert_to_openai_tool(tool) for tool in tools]
        return self.bind(tools=schemas, tool_choice=tool_choice, **kwargs)

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        answer = _answer(messages, kwargs, stop)
        message = AIMessage(
            content=answer.text,
            tool_calls=list(answer.calls),
            usage_metadata=_usage(messages, kwargs, answer),
            response_metadata={"model_name": self.model_name},
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    @override
    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in self._chunks(messages, stop, kwargs):
            if run_manager is not None:
                run_manager.on_llm_new_token(str(chunk.message.text), chunk=chunk)
            yield chunk

    @override
    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        chunks = self._chunks(messages, stop, kwargs)
        if not (messages and is_state(messages[-1])):
            # What Main is asked is weighed by meaning too, and that engine takes its time.
            chunks = iter(await asyncio.to_thread(list, chunks))
        for chunk in chunks:
            if run_manager is not None:
                await run_manager.on_llm_new_token(str(chunk.message.text), chunk=chunk)
            yield chunk

    def _chunks(
        self, messages: list[BaseMessage], stop: list[str] | None, kwargs: dict[str, Any]
    ) -> Iterator[ChatGenerationChunk]:
        answer = _answer(messages, kwargs, stop)
        for piece in _pieces(answer.text):
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
        for index, call in enumerate(answer.calls):
            chunk = ToolCallChunk(
                name=call["name"],
                args=json.dumps(call["args"], ensure_ascii=False),
                id=call["id"],
                index=index,
                type="tool_call_chunk",
            )
            yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[chunk]))
        yield ChatGenerationChunk(
            message=AIMessageChunk(
                content="",
                usage_metadata=_usage(messages, kwargs, answer),
                response_metadata={"model_name": self.model_name},
                chunk_position="last",
            )
        )


def _answer(
    messages: Sequence[BaseMessage], kwargs: dict[str, Any], stop: Sequence[str] | None
) -> _Answer:
    tools = frozenset(_tool_names(kwargs))
    text, calls = _decide(messages, tools)
    for word in stop or ():
        text = text.partition(word)[0] if word else text
    allowed = [(name, arguments) for name, arguments in calls if name in tools]
    return _Answer(
        text=text,
        calls=tuple(
            ToolCall(name=name, args=arguments, id=f"call_{number}", type="tool_call")
            for number, (name, arguments) in enumerate(allowed[:MAX_CALLS], start=1)
        ),
    )


def _decide(
    messages: Sequence[BaseMessage], tools: frozenset[str]
) -> tuple[str, Sequence[tuple[str, dict[str, Any]]]]:
    if "route" in tools:
        return "", [("route", routing.route(read_main(messages)))]
    if messages and is_state(messages[-1]):
        done = worker.work(read_worker(messages))
        return done.text, done.calls
    return replies.reply(read_main(messages)), []


def _tool_names(kwargs: dict[str, Any]) -> Iterator[str]:
    for tool in kwargs.get("tools") or ():
        name = tool.get("function", {}).get("name")
        if isinstance(name, str):
            yield name


def _pieces(text: str) -> Iterator[str]:
    """Cut a text at its words, and long runs without spaces every few characters."""
    end = 0
    for match in _PIECE.finditer(text):
        end = match.end()
        yield match.group()
    if rest := text[end:]:
        yield rest


def _usage(
    messages: Sequence[BaseMessage], kwargs: dict[str, Any], answer: _Answer
) -> UsageMetadata:
    """Estimate tokens from characters: a steady number, not a vendor's."""
    shown = sum(len(text_of(message)) for message in messages)
    if tools := kwargs.get("tools"):
        shown += len(json.dumps(tools, ensure_ascii=False, default=str))
    written = len(answer.text) + sum(
        len(json.dumps(call["args"], ensure_ascii=False)) for call in answer.calls
    )
    tokens_in, tokens_out = (-(-n // _CHARACTERS_PER_TOKEN) for n in (shown, written))
    return UsageMetadata(
        input_tokens=tokens_in, output_tokens=tokens_out, total_tokens=tokens_in + tokens_out
    )
