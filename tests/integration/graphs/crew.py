"""A small film whose parts rest on each other: a script, keyframes by its scenes, shots from them.

`ByState` fills what is missing by the state alone, whatever was said before. `Crew` is a model in
this process that answers so; `tests.faults.documentary` answers so from a service.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, override
from uuid import UUID

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import Field

from execution import changes, checklist
from execution.changes import Change
from execution.progress import Plan
from execution.transactions import work
from infra.ids import ObjectId, TaskId
from tests.harness import calls
from tests.integration.graphs.stage import Model, Stage, routed, state_of
from tests.integration.graphs.test_plan import answer
from workspace import documents, objects
from workspace.objects import ObjectVersion

type OpenStage = Callable[..., AbstractAsyncContextManager[Stage]]
type Call = tuple[str, dict[str, Any]]

SCRIPT, CAST, FRAMES, SHOTS, MASTER = "script", "cast", "frames", "shots", "film"
MOST_CALLS = 16
"""What is proposed at once; a step takes no more."""


def script(scenes: int, **changed: str) -> str:
    """A script of so many scenes; `scene_2="Rain."` gives one other words."""
    words = [changed.get(f"scene_{number}", f"Sun {number}.") for number in range(1, scenes + 1)]
    parts = [f"## Scene {number}\n\n{said}\n" for number, said in enumerate(words, start=1)]
    return "# Weather\n\n" + "\n".join(parts)


def film(count: int) -> list[dict[str, Any]]:
    """The steps of the film, without its master."""
    return [
        {"key": SCRIPT, "title": "Script", "kind": "script"},
        {
            "key": FRAMES,
            "title": "Keyframes",
            "kind": "keyframes",
            "count": count,
            "depends_on": [SCRIPT],
        },
        {
            "key": SHOTS,
            "title": "Shots",
            "kind": "shots",
            "count": count,
            "seconds": 2 * count,
            "depends_on": [FRAMES],
        },
    ]


def film_with_cast(count: int) -> list[dict[str, Any]]:
    """The steps of the film with three characters, which its keyframes show, and its master."""
    script_, frames, shots = film(count)
    cast = {"key": CAST, "title": "Characters", "kind": "characters", "count": 3}
    master = {"key": MASTER, "title": "Film", "kind": "master", "depends_on": [SHOTS]}
    return [script_, cast, frames | {"depends_on": [SCRIPT, CAST]}, shots, master]


def propose(steps: list[dict[str, Any]], **given: Any) -> AIMessage:
    said = {"title": "Weather", "summary": "A film.", "language": "en", "steps": steps}
    return calls(("propose_plan", said | given))


def revise(
    steps: list[dict[str, Any]], sides: dict[str, int] | None = None, **remake: list[int]
) -> AIMessage:
    """The same plan once more, with these slots of its steps made again."""
    return propose(
        [step | {"remake": remake.get(step["key"], [])} for step in steps],
        keep=[step["key"] for step in steps],
        **sides or {},
    )


@dataclass(kw_only=True)
class ByState:
    """What a good worker answers, from the state that it is shown and nothing else.

    It looks at calls whose answer was lost, then fills every slot that is missing. `shows` tells
    which characters a keyframe shows, which are named as its references. With `remakes` it makes
    again whatever has changed, and nothing else. `sides` are the width and height of everything.
    """

    steps: list[dict[str, Any]]
    shows: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    remakes: bool = False
    sides: dict[str, int] = field(default_factory=dict[str, int])

    def answer(self, state: dict[str, Any]) -> AIMessage:
        if state["plan"] is None:
            return propose(self.steps, **self.sides)
        if not state["plan"]["approved"]:
            return AIMessage(content="")
        if state["doubts"]:
            lost = [("check_call", {"call": each["call"]}) for each in state["doubts"]]
            return calls(*lost[:MOST_CALLS])
        if self.remakes and state.get("changes"):
            return self.again(state)
        return calls(*self.orders(state)[:MOST_CALLS])

    def again(self, state: dict[str, Any]) -> AIMessage:
        """The same plan with exactly what is affected made again."""
        remake: dict[str, list[int]] = {}
        for change in state["changes"]:
            for result in change["results"]:
                remake.setdefault(result["step"], []).append(result["slot"])
        slots = {key: sorted({*each}) for key, each in remake.items()}
        return revise(self.steps, self.sides, **slots)

    def orders(self, state: dict[str, Any]) -> list[Call]:
        return [
            self.order(state, step, slot)
            for step in state["plan"]["steps"]
            if step["status"] in ("ready", "doing")
            for slot in step["missing_slots"]
        ]

    def order(self, state: dict[str, Any], step: dict[str, Any], slot: int) -> Call:
        named = {"step": step["key"], "name": f"{step['title']} {slot}"}
        version = state["plan"]["version"]
        match step["kind"]:
            case "script":
                return "write_document", named | {"text": script(self.count)}
            case "shots":
                frame = found(state, FRAMES, slot)
                given = {"slot": slot, "duration_s": 2, "image_object_id": frame} | self.sides
                return "generate_clip", named | given | {"prompt": f"shot {slot}. Take {version}"}
            case "master":
                return "assemble_film", named | {"title": "Weather", "burn_captions": False}
            case "keyframes":
                cast = [found(state, CAST, each) for each in self.shows.get(slot, [])]
                prompt = f"{step['key']} {slot}. Take {version}"
                given = {"slot": slot, "prompt": prompt, "reference_object_ids": cast} | self.sides
                return "generate_image", named | given
            case _:
                prompt = f"{step['key']} {slot}. Take {version}"
                return "generate_image", named | {"slot": slot, "prompt": prompt} | self.sides

    @property
    def count(self) -> int:
        return next(each["count"] for each in self.steps if each["kind"] == "keyframes")


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


def found(state: dict[str, Any], step: str, slot: int) -> str:
    """The newest object of a slot."""
    of_slot = [each for each in state["objects"] if (each["step"], each["slot"]) == (step, slot)]
    return of_slot[-1]["object_id"]


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

    async def edit(self, stored: ObjectVersion, data: bytes = b"other") -> None:
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
