"""Tasks that work with each other on one stage: a model that speaks for each by its goal."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, override

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import Field

from execution import families, limits
from execution.transactions import work
from infra.ids import TaskId
from tests.harness import calls
from tests.integration.graphs.stage import Model, Stage, routed, state_of
from tools import exchange

PARENT, CHILD = "work", "a series of posters about tea"
GIVEN = 1000
CARVED = 500
"""Four pictures at a hundred each, and a quarter of that."""
WORK = [{"kind": "document", "count": 4}, {"kind": "image", "count": 4}]
"""Five rounds: four texts one after another, and four pictures at once."""

type Line = Callable[[dict[str, Any]], AIMessage]


def always(message: AIMessage) -> Line:
    """Says the same again, however often it is asked."""

    def line(state: dict[str, Any]) -> AIMessage:
        del state
        return message

    return line


class Cast(Model):
    """Says for each task what its goal's lines say, one after another, and then nothing."""

    lines: dict[str, list[Any]] = Field(default_factory=dict, repr=False)
    said: list[str] = Field(default_factory=list, repr=False)

    @override
    def _worker(self, messages: list[BaseMessage]) -> AIMessage:
        state = state_of(messages)
        goal = state["task"]["goal"]
        self.said.append(goal)
        lines = self.lines.get(goal, [])
        if not lines:
            return AIMessage(content="")
        line: Any = lines[0] if len(lines) == 1 and callable(lines[0]) else lines.pop(0)
        return line if isinstance(line, AIMessage) else line(state)


def delegate(**given: Any) -> AIMessage:
    arguments = {"title": "Posters", "goal": CHILD, "work": WORK, **given}
    return calls(("delegate", arguments))


def ask(task_id: object, text: str = "Which blue?", **given: Any) -> AIMessage:
    return calls(("ask_task", {"task_id": str(task_id), "text": text, **given}))


def cast(**lines: list[Any]) -> Cast:
    """A cast with the lines of the parent and of the child."""
    names = {"parent": PARENT, "child": CHILD}
    return Cast(route=routed(), lines={names.get(name, name): said for name, said in lines.items()})


@dataclass
class Family:
    """A stage with a parent that has money of its own."""

    stage: Stage
    parent_id: TaskId

    @property
    def model(self) -> Cast:
        assert isinstance(self.stage.model, Cast)
        return self.stage.model

    async def child(self) -> TaskId:
        ((child_id,),) = await self.stage.machine.rows("select child_id from delegations")
        return TaskId(child_id)

    async def free(self, task_id: TaskId) -> int:
        rows = await self.stage.machine.rows(
            "select limit_micros - held_micros - settled_micros from budgets where task_id = %s",
            task_id,
        )
        return rows[0][0] if rows else 0

    async def change(self, how: str, task_id: TaskId) -> None:
        machine = self.stage.machine
        async with work(machine.deps, machine.workspace_id, cause="page") as tx:
            await getattr(families, how)(tx, task_id)
        await exchange.pass_on(machine.deps)

    async def refusals(self, tool: str) -> list[str]:
        rows = await self.stage.machine.rows(
            "select tool_message from ledger where tool = %s and verdict = 'refuse'"
            " order by created_at, seq",
            tool,
        )
        return [row[0] for row in rows]

    async def heard(self, task_id: TaskId, kind: str = "report") -> list[str]:
        """What the words of a kind say that a task has got, in order."""
        rows = await self.stage.machine.rows(
            "select text from task_words where to_task = %s and kind = %s and status = 'delivered'"
            " order by created_at",
            task_id,
            kind,
        )
        return [row[0] for row in rows]


async def begin(stage: Stage, micros: int = GIVEN) -> Family:
    """Begin a task that does nothing yet, and give it money."""
    lines = stage.model.lines if isinstance(stage.model, Cast) else {}
    held = lines.pop(PARENT, [])
    task_id = await stage.begin()
    machine = stage.machine
    async with work(machine.deps, machine.workspace_id) as tx:
        await limits.extend(tx, task_id, rounds=0, seconds=0, budget_micros=micros)
    await machine.drain()
    lines[PARENT] = held
    return Family(stage=stage, parent_id=task_id)


async def go(family: Family, text: str = "go on") -> None:
    """Say something to the parent and let everybody run to their rest."""
    await family.stage.say(text, family.parent_id)
    await family.stage.machine.drain()


async def account(family: Family, task_id: TaskId) -> tuple[Any, ...]:
    """Limit, held and settled of a task."""
    rows = await family.stage.machine.rows(
        "select limit_micros, held_micros, settled_micros from budgets where task_id = %s", task_id
    )
    return rows[0]
