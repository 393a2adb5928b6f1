"""The rehearsal model behaves as every LangChain chat model does."""

from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_tests.unit_tests import ChatModelUnitTests

from infra.providers.rehearsal.model import RehearsalModel


class TestRehearsalModel(ChatModelUnitTests):
    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return RehearsalModel

    @property
    def chat_model_params(self) -> dict[str, object]:
        return {}

    @property
    def init_from_env_params(self) -> tuple[dict[str, str], dict[str, Any], dict[str, Any]]:
        """No variable of the environment changes it."""
        return {"REHEARSAL_MODEL_NAME": "other"}, {}, {"model_name": "rehearsal"}
