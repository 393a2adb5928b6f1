"""The shapes of a tool: what it is given, and the three things it may come to.

A `ToolResult` is there at once, an `Order` is work for an executor, a `Question` waits for a
person. What cannot be undone comes to a `ToolResult`, and its tool is called only after a yes.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError

from execution.authorization import Authorization, Risk
from execution.errors import CapabilityError
from execution.progress import Plan
from execution.tasks import Task
from execution.tx import Tx
from infra.deps import Deps
from infra.ids import TaskId

MAX_CALLS_PER_STEP = 16
"""So many of the calls that one answer proposes are taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """What a call runs in: the open transaction of its decision and the state it may look at."""

    tx: Tx
    deps: Deps
    task: Task
    plan: Plan | None
    call_key: str

    @property
    def task_id(self) -> TaskId:
        """The task that calls."""
        return TaskId(self.task.task_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """A call that is done: what the model is told, and which objects came of it."""

    message: str
    outputs: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    step_key: str | None = None
    slot: int = 1
    looked_at: str | None = None
    """The key of a call of unknown outcome that this was the first look at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Work for an executor, fully resolved: the payload and the exact object versions that go in.

    `inputs` maps the payload's file names to `{object_id, version, sha256}`. What it rests on
    without sending it, such as the words of a script, is in `rests_on`, with the part it uses.
    """

    operation: str
    payload: dict[str, Any]
    name: str
    title: str
    inputs: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    rests_on: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    references: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Pictures of what is to be seen, shown to providers that take such."""
    step_key: str | None = None
    slot: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something a person must decide; `request` is what a yes is bound to."""

    kind: str
    title: str
    body: str
    request: dict[str, Any]
    actions: list[str]
    lines: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    options: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    free_text: bool = False
    price_micros: int | None = None
    maximum_micros: int | None = None
    estimate: dict[str, Any] | None = None
    """How long what is asked about would take."""
    saw: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    """How many of how many results are there, by step of the plan, as the person is shown it."""
    decided: Authorization | None = None
    """Why it must be asked, or that standing permission answers it; None where it is no matter of
    permission, but of what the person wants."""


type Outcome = ToolResult | Order | Question


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool; `call` is given arguments that were validated against `arguments`."""

    name: str
    description: str
    arguments: type[BaseModel]
    risk: Risk
    call: Callable[[ToolContext, Any], Awaitable[Outcome]]
    impossible: Callable[[ValidationError], CapabilityError | None] = lambda _: None
    """Says of arguments that are not taken that they want what cannot be done here."""

    def schema(self) -> dict[str, Any]:
        """Return the tool as a function schema for `bind_tools`; made once, never to be changed."""
        return _schema(self)


@cache
def _schema(tool: Tool) -> dict[str, Any]:
    parameters = tool.arguments.model_json_schema()
    parameters.pop("title", None)
    parameters.pop("description", None)
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": parameters,
        },
    }
