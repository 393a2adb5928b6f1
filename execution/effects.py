"""The one path to a model or a generation service before a job exists.

Asks chat models and accounts for them, and quotes calls from what providers declare. A model's
answer comes back as plain data that promises nothing: each proposed call has a fresh id, arguments
that parsed or an error, and nothing has run.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, message_to_dict
from langchain_core.runnables import Runnable

from execution.errors import CapabilityError
from infra.deps import Deps
from infra.errors import RetryableError
from infra.providers.models import ModelRole
from infra.providers.ports import Lane, Provider
from infra.sanitize import clean_json, clean_text

type OnText = Callable[[int, str], None]
type ToolSchema = dict[str, Any]


class ModelUnavailableError(RetryableError):
    """The chat model could not be reached or answered with an error."""

    code = "model_unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCall:
    """A call as the model wrote it; `error` says why its arguments could not be read."""

    name: str
    arguments: dict[str, Any]
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inference:
    """One answer of a model."""

    content: str
    calls: tuple[ProposedCall, ...]
    usage: dict[str, Any]
    model: str
    prompt_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """The most a call may cost, and who would do it."""

    provider: str
    micros: int


def quote(
    deps: Deps, operation: str, payload: dict[str, Any], *, avoiding: Collection[str] = ()
) -> Quote:
    """Return the price of an operation at the provider that would do it.

    Raises:
        CapabilityError: no provider of this installation offers it.
    """
    provider = provider_for(deps, operation, avoiding=avoiding)
    return Quote(provider=provider.name, micros=provider.quote_micros(operation, payload))


def lane_of(deps: Deps, provider: str) -> Lane:
    """Return whose executors run a provider's jobs; one that is gone keeps nobody busy here."""
    found = deps.providers.get(provider)
    return found.capabilities.lane if found else Lane.AWAY


def provider_for(deps: Deps, operation: str, *, avoiding: Collection[str] = ()) -> Provider:
    """Return the first provider that offers an operation, one to be avoided only if no other does.

    Raises:
        CapabilityError: none does.
    """
    offering = [
        provider
        for provider in deps.providers.values()
        if operation in provider.capabilities.operations
    ]
    for provider in (*(each for each in offering if each.name not in avoiding), *offering):
        return provider
    offered = sorted({name for p in deps.providers.values() for name in p.capabilities.operations})
    message = f"Nothing here can do '{operation}'. Possible are: {', '.join(offered)}."
    raise CapabilityError(message)


async def infer(
    deps: Deps,
    role: ModelRole,
    messages: Sequence[BaseMessage],
    *,
    tools: Sequence[ToolSchema] = (),
    tool_choice: str | None = None,
    on_text: OnText | None = None,
) -> Inference:
    """Ask a model, streaming its words to `on_text(offset, text)`.

    Raises:
        ModelUnavailableError: it could not be reached or failed; asking again later may help.
    """
    model = deps.models.get(role)
    runnable = _bound(model, tools, tool_choice)
    whole: AIMessageChunk | None = None
    offset = 0
    try:
        async for chunk in runnable.astream(list(messages)):
            piece = _as_chunk(chunk)
            whole = piece if whole is None else whole + piece
            text = clean_text(str(piece.text))
            if text and on_text is not None:
                on_text(offset, text)
            offset += len(text)
    except Exception as error:
        message = f"The chat model {deps.models.spec} did not answer: {error}"
        raise ModelUnavailableError(message) from error
    if whole is None:
        message = f"The chat model {deps.models.spec} answered nothing."
        raise ModelUnavailableError(message)
    return Inference(
        content=clean_text(str(whole.text)).strip(),
        calls=_calls(whole),
        usage=clean_json(dict(whole.usage_metadata or {})),
        model=deps.models.spec,
        prompt_sha256=_hash(messages, tools),
    )


def _as_chunk(message: AIMessage) -> AIMessageChunk:
    """Return a streamed message as a chunk; a model that does not stream yields a whole one."""
    if isinstance(message, AIMessageChunk):
        return message
    return AIMessageChunk(
        content=message.content,
        tool_calls=message.tool_calls,
        invalid_tool_calls=message.invalid_tool_calls,
        usage_metadata=message.usage_metadata,
    )


def _bound(
    model: BaseChatModel, tools: Sequence[ToolSchema], tool_choice: str | None
) -> Runnable[LanguageModelInput, AIMessage]:
    if not tools:
        return model
    if tool_choice is None:
        return model.bind_tools(list(tools))
    return model.bind_tools(list(tools), tool_choice=tool_choice)


def _calls(message: AIMessageChunk) -> tuple[ProposedCall, ...]:
    calls = [
        ProposedCall(name=clean_text(call["name"]), arguments=clean_json(call["args"]))
        for call in message.tool_calls
    ]
    calls += [
        ProposedCall(
            name=clean_text(call.get("name") or "unknown"),
            arguments={},
            error="The arguments are not valid JSON.",
        )
        for call in message.invalid_tool_calls
    ]
    return tuple(calls)


def _hash(messages: Sequence[BaseMessage], tools: Sequence[ToolSchema]) -> str:
    dumped = [message_to_dict(message) for message in messages]
    text = json.dumps([dumped, list(tools)], sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


_PRICED_SAMPLE: dict[str, Any] = {"duration_s": 1}


def capabilities(deps: Deps) -> dict[str, Any]:
    """Return what this installation can make and the price of one call or one second of it."""
    return {
        "operations": [
            {
                "name": operation,
                "provider": provider.name,
                "price_micros": provider.quote_micros(operation, _PRICED_SAMPLE),
                "unit": provider.unit(operation),
            }
            for provider in deps.providers.values()
            for operation in sorted(provider.capabilities.operations)
        ],
        "currency": deps.settings.currency,
        "narration_languages": sorted(
            {tag for provider in deps.providers.values() for tag in provider.capabilities.languages}
        ),
    }
