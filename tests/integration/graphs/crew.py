"""A stage for a small film whose parts rest on each other (`evals.chat_server.filmmaker`).

`Crew` is a model in this process that answers as the filmmaker does; `tests.faults.documentary` has
it answer from a service.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, override
from uuid import UUID

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import Field

from evals.chat_server.filmmaker import SCRIPT, ByState, film, script
from execution import changes, checklist
from execution.changes import Change
from execution.progress import Plan
from execution.transactions import work
from infra.ids import ObjectId, TaskId
from tests.integration.graphs.stage import Model, Stage, noise, routed, state_of
from tests.integration.graphs.test_plan import answer
from workspace import documents, objects
from workspace.objects import ObjectVersion

type OpenStage = Callable[..., AbstractAsyncContextManager[Stage]]


class Crew(Model):
    """A model that answers by the state; what is in `says` comes first."""

    by_state: ByState = Field(repr=False)
    says: list[Any] = Field(default_factory=list, repr=False)

    @override
    def _worker(self, messages: list[BaseMessage]) -> AIMessage:
        state = state_of(messages)
        if self.says:
            said = self.says.pop(0)
            return said if isinstance(said, AIMessage) else said(state)
        return self.by_state.answer(state)


def tell(stage: Stage, *said: Any) -> None:
    """Let the crew say these first, an answer for each time that it is asked."""
    assert isinstance(stage.model, Crew)
    stage.model.says[:] = said


def crew(count: int = 3) -> Crew:
    return Crew(route=routed(), by_state=ByState(steps=film(count)))


@dataclass
class Film:
    """A stage on which a film is made."""

    stage: Stage
    task_id: TaskId = field(init=False)

    async def made(self) -> "Film":
        """Have the plan approved and everything made."""
        self.task_id = await self.stage.begin("a film about the weather")
        await answer(self.stage)
        return self

    async def plan(self) -> Plan:
        async with self.stage.machine.deps.pools.domain.connection() as conn:
            plan = await checklist.load(conn, self.task_id)
        assert plan is not None
        return plan

    async def object_of(self, step: str, slot: int = 1) -> ObjectVersion:
        """What a slot holds."""
        item = (await self.plan()).find(step)
        assert item is not None
        entry = item.slots[slot - 1].entry
        assert entry is not None
        assert entry.result is not None
        machine = self.stage.machine
        async with machine.deps.pools.domain.connection() as conn:
            object_id = ObjectId(UUID(entry.result["outputs"][0]["object_id"]))
            return await objects.get(conn, machine.workspace_id, object_id)

    async def edit_script(self, **changed: str) -> None:
        """A person puts other words into scenes."""
        stored, machine = await self.object_of(SCRIPT), self.stage.machine
        async with work(machine.deps, machine.workspace_id) as tx:
            await documents.rewrite(
                tx,
                machine.deps.blobs,
                ObjectId(stored.object_id),
                script(len(stored.meta["scenes"]), **changed),
                base_version=stored.version,
                author="user",
                cause=f"edit {stored.object_id} {stored.version}",
            )

    async def edit(self, stored: ObjectVersion, data: bytes = noise("a person's own")) -> None:
        """A person puts another picture in an object's place."""
        machine = self.stage.machine
        async with work(machine.deps, machine.workspace_id) as tx:
            await objects.put_version(
                tx,
                ObjectId(stored.object_id),
                base_version=stored.version,
                blob=await machine.deps.blobs.put_bytes(data),
                media_type=stored.media_type,
                author="user",
                cause=f"edit {stored.object_id} {stored.version}",
            )

    async def changes(self) -> list[Change]:
        async with self.stage.machine.deps.pools.domain.connection() as conn:
            return await changes.of_task(conn, self.task_id)

    async def marked(self, status: str = "pending") -> list[tuple[str, int]]:
        """Step and slot of what is in this state, in order."""
        return sorted(
            (each.step_key, each.slot) for each in await self.changes() if each.status == status
        )

    async def notices(self) -> list[str]:
        rows = await self.stage.machine.rows(
            "select text from happenings where task_id = %s and text like 'Changed:%%' order by 1",
            self.task_id,
        )
        return [row[0] for row in rows]
