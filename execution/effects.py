"""The one path to a model or a generation service before a job exists.

Asks chat models and accounts for them, and quotes calls from what providers declare. A model's
answer comes back as plain data that promises nothing: each proposed call has a fresh id, arguments
that parsed or an error, and nothing has run.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, message_to_dict
from langchain_core.runnables import Runnable

from execution import model_calls
from execution.errors import CapabilityError
from execution.model_calls import Asker, Ended
from execution.proposed import ProposedCall, calls_of
from infra.db.pool import transaction
from infra.deps import Deps
from infra.errors import ConfigurationError, RetryableError
from infra.providers.chat_answers import Ending, FaultKind, ending_of, fault_of
from infra.providers.model_prices import TokenUsage, price_micros
from infra.providers.models import ChatModels, ModelRole
from infra.providers.ports import Lane, OperationLimits, Provider
from infra.sanitize import clean_json, clean_text

MAX_ANSWER_CHARACTERS = 1_000_000
"""Nobody reads more of an answer; it is cut short there."""
MAX_WORDS = 20_000
"""So many characters of it are kept as words; what is to be long is a document."""

type OnText = Callable[[int, str], None]
type ToolSchema = dict[str, Any]


class ModelUnavailableError(RetryableError):
    """The chat model could not be reached or answered with an error."""

    code = "model_unavailable"


class ModelSetupError(ModelUnavailableError):
    """The chat model's service does not take what this installation was set up with."""

    code = "model_setup"


class ModelRefusedError(ModelUnavailableError):
    """The chat model's service refuses the request as it stands."""

    code = "model_refused"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """An operation at a provider: what a call of it may ask for and what it costs."""

    operation: str
    provider: str
    limits: OperationLimits
    languages: frozenset[str]
    """Those in which it speaks; empty where it does not say, or speaks nothing."""
    price_micros: int
    unit: str
    lane: Lane

    def speaks(self, language: str) -> bool:
        """Tell whether it has a voice for a language (BCP 47), as far as it says."""
        return not self.languages or language.partition("-")[0].lower() in self.languages


def quote(
    deps: Deps, operation: str, payload: dict[str, Any], *, avoiding: Collection[str] = ()
) -> Quote:
    """Return the price of an operation at the provider that would do it.

    Raises:
        CapabilityError: no provider of this installation offers it.
    """
    provider = provider_for(deps, operation, payload, avoiding=avoiding)
    return Quote(provider=provider.name, micros=provider.quote_micros(operation, payload))


def lane_of(deps: Deps, provider: str) -> Lane:
    """Return whose executors run a provider's jobs; one that is gone keeps nobody busy here."""
    found = deps.providers.get(provider)
    return found.capabilities.lane if found else Lane.AWAY


def provider_for(
    deps: Deps, operation: str, payload: dict[str, Any], *, avoiding: Collection[str] = ()
) -> Provider:
    """Return the first provider that offers an operation, one to be avoided only if no other does.

    One whose declared limits refuse the payload is asked only if those of all others do too: what
    it says to it is then the reason.

    Raises:
        CapabilityError: none offers it.
    """
    offering = [
        provider
        for provider in deps.providers.values()
        if operation in provider.capabilities.operations
    ]
    offering = [each for each in offering if _takes(each, operation, payload)] or offering
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
    asker: Asker,
    tools: Sequence[ToolSchema] = (),
    tool_choice: str | None = None,
    on_text: OnText | None = None,
) -> Inference:
    """Ask a model once, streaming its words to `on_text(offset, text)`; account for what it used.

    Raises:
        ModelUnavailableError: it could not be reached or failed; asking again later may help.
        ModelSetupError, ModelRefusedError: so it did, and somebody must change something first.
    """
    prompt_sha256 = _hash(messages, tools)
    models = deps.judge if role is ModelRole.JUDGE and deps.judge else deps.models
    async with transaction(deps.pools.domain) as conn:
        call_id = await model_calls.begin(
            conn, asker, role=role, model=models.spec, prompt_sha256=prompt_sha256
        )
    answer = _Answer(on_text)
    outcome: Ended = "broken"
    try:
        forced = tool_choice if models.takes_forced_calls else None
        runnable = _bound(models.get(role), tools, forced)
        await answer.read(runnable, messages, models.patience_s)
        outcome = "answered"
    except Exception as error:
        failure, was_refused = _failure(models, error)
        outcome = "refused" if was_refused else "broken"
        raise failure from error
    finally:
        # Also for who was cancelled meanwhile: what was spent is spent.
        await asyncio.shield(_account(deps, models, call_id, outcome, answer))
    is_cut_short = answer.ending is Ending.CUT_SHORT
    return Inference(
        content=_words(answer.text, is_cut_short=is_cut_short),
        calls=calls_of(answer.whole, is_cut_short=is_cut_short),
        usage=clean_json(dict(answer.whole.usage_metadata or {})),
        model=models.spec,
        prompt_sha256=prompt_sha256,
    )


def _words(text: str, *, is_cut_short: bool) -> str:
    kept = text.strip()[:MAX_WORDS].strip()
    is_whole = not is_cut_short and len(text.strip()) <= MAX_WORDS
    return kept if is_whole or not kept else f"{kept} …"


def judge_spec(deps: Deps) -> str | None:
    """Return which chat model looks at finished works, if one is set."""
    return deps.judge.spec if deps.judge else None


class _BrokenOffError(Exception):
    """The answer ended without an end."""


class _Answer:
    """An answer as it arrives, piece by piece."""

    def __init__(self, on_text: OnText | None) -> None:
        self.whole = AIMessageChunk(content="")
        self.text = ""
        self._is_too_long = False
        self._on_text = on_text

    @property
    def ending(self) -> Ending:
        """How it ended, as far as is known."""
        return Ending.CUT_SHORT if self._is_too_long else ending_of(self.whole.response_metadata)

    async def read(
        self,
        runnable: Runnable[LanguageModelInput, AIMessage],
        messages: Sequence[BaseMessage],
        patience_s: float,
    ) -> None:
        """Read it to its end; no two pieces may be further apart than `patience_s`."""
        pieces: list[AIMessageChunk] = []
        size = 0
        stream = runnable.astream(list(messages))
        try:
            while not self._is_too_long:
                async with asyncio.timeout(patience_s):
                    piece = await anext(stream, None)
                if piece is None:
                    break
                pieces.append(_as_chunk(piece))
                size += self._take(pieces[-1])
                self._is_too_long = size > MAX_ANSWER_CHARACTERS
        except TimeoutError as error:
            message = f"nothing came for {patience_s:g} s"
            raise TimeoutError(message) from error
        finally:
            if pieces:
                # Once, since each addition copies everything before it.
                self.whole = pieces[0] + pieces[1:]
            if hasattr(stream, "aclose"):
                await stream.aclose()  # pyright: ignore[reportAttributeAccessIssue]
        if not pieces:
            message = "it answered nothing"
            raise _BrokenOffError(message)
        if self.ending is Ending.BROKEN_OFF:
            message = "its answer broke off"
            raise _BrokenOffError(message)

    def _take(self, piece: AIMessageChunk) -> int:
        text = clean_text(str(piece.text))
        if text and self._on_text is not None:
            self._on_text(len(self.text), text)
        self.text += text
        return len(text) + sum(len(part["args"] or "") for part in piece.tool_call_chunks)


def _failure(models: ChatModels, error: Exception) -> tuple[ModelUnavailableError, bool]:
    """Return what is told of a failed call, and whether its service never began to answer."""
    spec = models.spec
    if isinstance(error, ConfigurationError):
        return ModelSetupError(error.message), True
    fault = fault_of(error)
    was_refused = fault.status is not None
    if fault.kind is FaultKind.SETUP:
        message = (
            f"The chat model {spec} is not set up: its service refused the key or the model's name "
            f"({fault.said}). Whoever runs Atelier must correct the setting and start it again."
        )
        return ModelSetupError(message), was_refused
    if fault.kind is FaultKind.REFUSED:
        if "tool_choice" in fault.said:
            models.takes_forced_calls = False
        message = f"The chat model {spec} refused the request: {fault.said}"
        return ModelRefusedError(message), was_refused
    message = f"The chat model {spec} did not answer: {fault.said}"
    return ModelUnavailableError(message), was_refused


async def _account(
    deps: Deps, models: ChatModels, call_id: Any, outcome: Ended, answer: _Answer
) -> None:
    usage = _tokens(answer.whole) if outcome != "refused" else TokenUsage(input=0)
    price = 0 if outcome == "refused" else None
    if usage is not None and price is None:
        price = price_micros(models.spec, usage, deps.settings.currency)
    async with transaction(deps.pools.domain) as conn:
        await model_calls.end(conn, call_id, outcome, usage, price)


def _tokens(message: AIMessageChunk) -> TokenUsage | None:
    """Return what the service counted, if it has said so."""
    said = message.usage_metadata
    if said is None:
        return None
    details = said.get("input_token_details") or {}
    kept = ("cache_creation", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens")
    return TokenUsage(
        input=max(said["input_tokens"], 0),
        cached=max(details.get("cache_read") or 0, 0),
        cache_write=sum(max(details.get(name) or 0, 0) for name in kept),
        output=max(said["output_tokens"], 0),
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
        response_metadata=message.response_metadata,
    )


def _bound(
    model: BaseChatModel, tools: Sequence[ToolSchema], tool_choice: str | None
) -> Runnable[LanguageModelInput, AIMessage]:
    if not tools:
        return model
    if tool_choice is None:
        return model.bind_tools(list(tools))
    return model.bind_tools(list(tools), tool_choice=tool_choice)


def _hash(messages: Sequence[BaseMessage], tools: Sequence[ToolSchema]) -> str:
    dumped = [message_to_dict(message) for message in messages]
    text = json.dumps([dumped, list(tools)], sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _takes(provider: Provider, operation: str, payload: dict[str, Any]) -> bool:
    """Tell whether a provider's declared limits take a payload."""
    can = provider.capabilities
    limits = can.limits_of(operation)
    text, language = payload.get("text"), payload.get("language")
    if isinstance(text, str) and limits.characters and len(text) > limits.characters:
        return False
    if operation == "narration" and isinstance(language, str) and can.languages:
        return language.partition("-")[0].lower() in can.languages
    return (
        limits.refusal(
            seconds=float(payload.get("duration_s") or 0),
            width=int(payload.get("width") or 0),
            height=int(payload.get("height") or 0),
        )
        is None
    )


def offers(deps: Deps) -> list[Offer]:
    """Return every operation at each provider that does it, in the providers' order."""
    return [
        Offer(
            operation=operation,
            provider=provider.name,
            limits=provider.capabilities.limits_of(operation),
            languages=provider.capabilities.languages if operation == "narration" else frozenset(),
            price_micros=provider.quote_micros(operation, _PRICED_SAMPLE),
            unit=provider.unit(operation),
            lane=provider.capabilities.lane,
        )
        for provider in deps.providers.values()
        for operation in sorted(provider.capabilities.operations)
    ]


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
