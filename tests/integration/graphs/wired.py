"""A stage whose model is a real client of a service, which answers from a script."""

import importlib
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal, override

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage, SystemMessage

from evals.chat_server.script import Answer, Call, Choose, Fate, Reply, Script, tools_of
from evals.chat_server.serving import chat_server
from execution import effects, leases
from execution.effects import Inference
from execution.model_calls import Asker
from graphs.invoke import Graphs
from infra.ids import ThreadId, TurnId
from infra.providers.models import ChatModels, ModelRole
from server.workers.worker import Worker
from tests.integration.graphs.stage import Stage, routed
from tools.registry import TOOLS

type Service = Literal["openai", "anthropic"]

SPECS: dict[Service, str] = {
    "openai": "openai:gpt-5.5",
    "anthropic": "anthropic:claude-sonnet-5",
}
PATIENCE_S = 20.0
IMPATIENT_S = 2.0
"""Long enough for a client's first request on a loaded machine: building one takes a part of it."""

NEVER_ENDING: tuple[Fate, ...] = ("stalled", "silent")


def patience_for(fate: object) -> float:
    """Seconds to wait: briefly for an answer that never comes, as ever for all others."""
    return IMPATIENT_S if fate in NEVER_ENDING else PATIENCE_S


class WholeModels(ChatModels):
    """The same clients, told not to stream."""

    @override
    def get(self, role: ModelRole) -> BaseChatModel:
        return super().get(role).model_copy(update={"disable_streaming": True})


@dataclass
class Wired:
    """A stage and the service its models are at; `said` are words as they were streamed."""

    stage: Stage
    script: Script
    service: Service
    said: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    used: list[ChatModels] = field(default_factory=list[ChatModels])

    def use(self, models: ChatModels) -> None:
        self.used.append(models)
        machine = self.stage.machine
        machine.deps = replace(machine.deps, models=models)
        machine.worker = Worker(machine.deps, Graphs(machine.deps), machine.worker._heart)

    async def ask(self, *, tools: bool = True) -> Inference:
        """Ask the model once, outside of any graph, on the account of a message's thread."""
        machine = self.stage.machine
        thread_id = ThreadId(await machine.say("hello"))
        async with machine.deps.pools.domain.connection() as conn, conn.transaction():
            lease = await leases.claim(conn, thread_id, lease_seconds=30, graph_version="test")
        assert lease is not None
        asker = Asker(
            workspace_id=machine.workspace_id, thread_id=thread_id, turn_id=TurnId(lease.turn_id)
        )
        return await effects.infer(
            machine.deps,
            ModelRole.WORKER,
            [SystemMessage("You are a worker."), HumanMessage("hello")],
            asker=asker,
            tools=[tool.schema() for tool in TOOLS.values()] if tools else [],
            on_text=lambda offset, text: self.said.append((offset, text)),
        )

    async def model_calls(self) -> list[tuple[Any, ...]]:
        """Role, outcome, tokens (all input, cached, kept, output) and price of each, in order."""
        return await self.stage.machine.rows(
            """
            select role, outcome, input_tokens, cached_tokens, cache_write_tokens, output_tokens,
                   price_micros
            from model_calls order by asked_at, model_call_id
            """
        )


def call(tool: str, /, **arguments: Any) -> Call:
    return Call(name=tool, arguments=json.dumps(arguments))


def working(*answers: Answer, route: str = "new") -> Choose:
    """Route to a task, and then answer its worker one after another, whatever is asked."""
    left = list(answers)

    def choose(body: dict[str, Any]) -> Answer:
        if "route" in tools_of(body):
            return Reply(calls=(call("route", **routed(route)[0]),))
        if not tools_of(body):
            return Reply(text="Good day.")
        return left.pop(0) if left else Reply()

    return choose


def spoken(said: Sequence[tuple[int, str]]) -> str:
    """The words as a page puts them together from where each piece belongs."""
    text = ""
    for offset, piece in said:
        assert offset == len(text)
        text += piece
    return text


@asynccontextmanager
async def wired(
    stage: Stage, service: Service, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Wired]:
    script = Script()
    async with chat_server(script) as address:
        monkeypatch.setenv("OPENAI_API_BASE", f"{address}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "nobody")
        made = Wired(stage=stage, script=script, service=service)
        made.use(ChatModels(SPECS[service], patience_s=PATIENCE_S))
        try:
            yield made
        finally:
            for models in made.used:
                await close(models)
            for module, name in _KEPT_CLIENTS.items():
                getattr(importlib.import_module(module), name).cache_clear()


_KEPT_CLIENTS = {
    "langchain_openai.chat_models._client_utils": "_cached_async_httpx_client",
    "langchain_anthropic._client_utils": "_get_default_async_httpx_client",
}
"""Where the libraries keep a client for its address: a later server may have the same port."""


async def close(models: ChatModels) -> None:
    """Close the connections that a client keeps open for the next request."""
    model: Any = vars(models).get("_model")  # built when it was first asked for
    client = getattr(model, "root_async_client", None) or getattr(model, "_async_client", None)
    if client is not None:
        await client.close()
