"""Which chat model plays which role: router, worker, reply; a judge may be another one."""

from enum import StrEnum
from functools import cached_property

from langchain_core.language_models import BaseChatModel

from infra.providers.chat import TIMEOUT_S, get_chat_model

REHEARSAL = "rehearsal"


class ModelRole(StrEnum):
    """What a model is asked to do."""

    ROUTER = "router"
    REPLY = "reply"
    WORKER = "worker"
    JUDGE = "judge"


class ChatModels:
    """The chat models of a process, built when first asked for."""

    def __init__(self, spec: str, *, patience_s: float = TIMEOUT_S) -> None:
        self._spec = spec
        self._patience_s = patience_s
        self.takes_forced_calls = True
        """Until its service has refused a request for one; then a prompt must do."""

    @property
    def spec(self) -> str:
        """The specification, `rehearsal` or `provider:model`."""
        return self._spec

    @property
    def patience_s(self) -> float:
        """How long an answer may be silent, before its first piece and between any two."""
        return self._patience_s

    @property
    def is_rehearsal(self) -> bool:
        """Whether rules stand in for a language model."""
        return self._spec == REHEARSAL

    @cached_property
    def _model(self) -> BaseChatModel:
        return get_chat_model(self._spec)

    def get(self, role: ModelRole) -> BaseChatModel:
        """Return the model that plays a role; today one model plays all."""
        del role
        return self._model
