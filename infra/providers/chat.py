"""Builds the chat model that a specification names; no other module knows the vendors' packages.

`rehearsal` is the model of rules that needs no key. Everything else is `provider:model`, as
LangChain's `init_chat_model` reads it; keys and base addresses come from the vendor's own
environment variables. A call is never repeated inside the client: whoever asked decides about
that, since a repeated call may be charged twice.
"""

import importlib
from typing import Any, cast

from langchain.chat_models import init_chat_model
from langchain_core.language_models import BaseChatModel
from pydantic import SecretStr

from infra.errors import ConfigurationError
from infra.providers.rehearsal.model import RehearsalModel

REHEARSAL = "rehearsal"
TIMEOUT_S = 120.0
_OPENAI = frozenset({"openai", "azure_openai"})
"""Providers that count tokens of a streamed answer only when asked to."""
_HINT = "Write rehearsal, or provider:model such as openai:gpt-5.5 or ollama:qwen3."


def get_chat_model(spec: str) -> BaseChatModel:
    """Return the chat model of a specification, `rehearsal` or `provider:model`.

    Raises:
        ConfigurationError: the provider is unknown, its package is missing or its key is not set.
    """
    if spec.strip().lower() == REHEARSAL:
        return RehearsalModel()
    provider, separator, model = spec.partition(":")
    provider, model = provider.strip().lower(), model.strip()
    if not separator or not provider or not model:
        message = f"'{spec}' names no chat model. {_HINT}"
        raise ConfigurationError(message)
    built = _build(provider, model)
    _check_key(provider, built)
    return built


def _build(provider: str, model: str) -> BaseChatModel:
    options: dict[str, Any] = {"max_retries": 0, "timeout": TIMEOUT_S}
    if provider == "ollama":
        options = {"client_kwargs": {"timeout": TIMEOUT_S}}
    if provider in _OPENAI:
        options["stream_usage"] = True
    try:
        built = cast("BaseChatModel", init_chat_model(model, model_provider=provider, **options))
    except ImportError as error:
        message = f"The chat models of {provider} need a package that is missing: {_reason(error)}"
        raise ConfigurationError(message) from error
    except (ValueError, *_client_errors(provider)) as error:
        message = f"The chat model {provider}:{model} cannot be used: {_reason(error)} {_HINT}"
        raise ConfigurationError(message) from error
    return built


def _client_errors(provider: str) -> tuple[type[Exception], ...]:
    """Return what a vendor's client raises when no key is set; imported only where it is used."""
    if provider not in _OPENAI:
        return ()
    error: type[Exception] = importlib.import_module("openai").OpenAIError
    return (error,)


def _check_key(provider: str, model: BaseChatModel) -> None:
    """Refuse a model without its key now, rather than at the first message of a person."""
    for name, variable in model.lc_secrets.items():
        secret = getattr(model, name, None)
        if isinstance(secret, SecretStr) and not secret.get_secret_value():
            message = f"The chat models of {provider} need a key; set {variable}. {_HINT}"
            raise ConfigurationError(message)


def _reason(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".") + "."
