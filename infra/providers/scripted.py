"""Fakes that say what they were told to: a chat model and a provider, for tests and for Studio.

`ScriptedChatModel` holds no position: which answer comes next is how many of its answers are in the
messages already, so a re-run after a crash gets the same one. `ScriptedProvider` makes a tiny real
picture at once and passes the provider conformance suite.
"""

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, override
from uuid import UUID

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from PIL import Image
from pydantic import Field

from infra.providers.ports import (
    Artifact,
    Attempt,
    CancelResult,
    Capabilities,
    Charge,
    Correlation,
    Found,
    JobRef,
    Lookup,
    ReportProgress,
    Snapshot,
)

_PICTURE_SIDE = 64


class ScriptedChatModel(BaseChatModel):
    """Answers from a list per caller: `route` when that tool is bound, `act` with other tools."""

    route: list[dict[str, Any]] = Field(default_factory=list)
    act: list[AIMessage] = Field(default_factory=list)
    reply: str = "Scripted."
    bound: list[str] = Field(default_factory=list)

    @property
    @override
    def _llm_type(self) -> str:
        return "scripted"

    @override
    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        names = [convert_to_openai_tool(tool)["function"]["name"] for tool in tools]
        return self.model_copy(update={"bound": names})

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._answer(messages))])

    def _answer(self, messages: list[BaseMessage]) -> AIMessage:
        if "route" in self.bound:
            arguments = self.route[0] if self.route else {"outcome": "answer"}
            call = {"name": "route", "args": arguments, "id": "route"}
            return AIMessage(content="", tool_calls=[call])
        if not self.bound:
            return AIMessage(content=self.reply)
        position = sum(isinstance(message, AIMessage) for message in messages)
        return self.act[position] if position < len(self.act) else AIMessage(content="")


class ScriptedProvider:
    """Makes a one-coloured picture for every operation, at no cost unless told otherwise."""

    def __init__(
        self, work_dir: Path, *, prices: Mapping[str, int] | None = None, name: str = "scripted"
    ) -> None:
        self._root = work_dir
        self._prices = dict(prices or {})
        self._name = name
        self.submitted: list[UUID] = []

    @property
    def name(self) -> str:
        """The provider's name."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """Everything at once, found by its id."""
        return Capabilities(
            operations=frozenset(
                {"image", "clip", "narration", "music", "captions", "render", "model3d"}
            ),
            shape="sync",
            correlation=frozenset({Correlation.CLIENT_ID}),
            webhook="none",
            cancel="none",
            policy_block_billed="no",
            quote="exact",
            charge="derived",
            min_poll_s=0.1,
            max_poll_s=1.0,
            result_ttl_s=None,
        )

    def quote_micros(self, operation: str, payload: dict[str, Any]) -> int:
        """Return the price that was set for the operation."""
        del payload
        return self._prices.get(operation, 0)

    def unit(self, operation: str) -> str:
        """Return that prices are per call."""
        del operation
        return "call"

    async def submit(self, attempt: Attempt, report: ReportProgress) -> JobRef | Snapshot:
        """Make the picture."""
        self.submitted.append(attempt.attempt_id)
        picture = io.BytesIO()
        colour = tuple(attempt.payload_sha256.encode()[:3])
        Image.new("RGB", (_PICTURE_SIDE, _PICTURE_SIDE), colour).save(picture, "PNG")
        path = self._path(attempt.attempt_id)
        await asyncio.to_thread(_write, path, picture.getvalue())
        report(1.0)
        return self._snapshot(attempt.operation, path)

    async def find(self, attempt: Attempt) -> Found | Lookup:
        """Look for the attempt's file."""
        if not self._path(attempt.attempt_id).exists():
            return Lookup.PROVABLY_ABSENT
        return Found(ref=self.ref_of(attempt, str(attempt.attempt_id)))

    def ref_of(self, attempt: Attempt, provider_job_id: str) -> JobRef:
        """Return an attempt's job, whose name is the attempt's id."""
        raw = {"operation": attempt.operation}
        return JobRef(provider=self._name, provider_job_id=provider_job_id, raw=raw)

    async def read(self, ref: JobRef) -> Snapshot:
        """Read a finished attempt."""
        return self._snapshot(str(ref.raw["operation"]), self._path(UUID(ref.provider_job_id)))

    async def cancel(self, ref: JobRef) -> CancelResult:
        """Say that it is done already."""
        del ref
        return CancelResult.ALREADY_TERMINAL

    async def fetch(self, artifact: Artifact) -> AsyncIterator[bytes]:
        """Yield the picture."""
        yield await asyncio.to_thread(Path(artifact.location).read_bytes)

    async def discard(self, attempt_id: UUID) -> None:
        """Keep everything: tests look at it."""

    def _path(self, attempt_id: UUID) -> Path:
        return self._root / f"{attempt_id}.png"

    def _snapshot(self, operation: str, path: Path) -> Snapshot:
        price = self._prices.get(operation, 0)
        return Snapshot(
            phase="terminal",
            outcome="succeeded",
            progress=1.0,
            artifacts=(Artifact(role="image", location=str(path), media_type="image/png"),),
            charge=Charge(amount_micros=price, basis="derived"),
        )


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
