"""A film of forty shots at two simulated vendors, with a model that does what the plan lacks.

The first vendor makes seven of them, works on twenty-eight and fails at five; the second makes two
of those five, and the last three fail at both.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, override

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import Field

from evals.simulator.jobs import Job
from execution.approvals import Approval, Decision
from infra.db.pool import Pools
from infra.ids import TaskId
from infra.providers.http.models import Model as Sold
from infra.providers.local.prices import price_micros
from infra.providers.local.provider import LocalProvider
from infra.providers.ports import Capabilities
from infra.providers.replicate.provider import ReplicateProvider
from infra.providers.runway.models import seconds
from server.auth import LOCAL_WORKSPACE
from tests.harness import Machine, calls, open_machine
from tests.integration.graphs.stage import Model, routed, state_of
from tests.integration.infra.providers.vendors import KEY, Pair, open_runway, open_seller
from tests.invariants import check

SHOTS, SHOT_S = 40, 2
MADE, WORKING, FAILING, RESCUED = 7, 28, 5, 2
CALLS_AT_ONCE = 16
CLIPS = Sold(
    operation="clip",
    address="maker/clips",
    inputs=lambda payload: {"prompt": payload["prompt"], "duration": int(seconds(payload))},
    unit="second",
    unit_micros=6_000,
    most_units=lambda _: 60,
    role="clip",
    media_type="video/mp4",
    source="a test",
    as_of="2026-11-30",
)
"""A clip at the second vendor, which counts the seconds that its machine works."""


class RendersOnly(LocalProvider):
    """Puts films together on this machine, and makes nothing else."""

    @property
    @override
    def capabilities(self) -> Capabilities:
        return replace(super().capabilities, operations=frozenset({"render"}))


class Director(Model):
    """Proposes the plan, orders what is missing and assembles what is complete.

    What stands in `says` is said first, an answer for each time that it is asked.
    """

    says: list[Any] = Field(default_factory=list, repr=False)

    @override
    def _worker(self, messages: list[BaseMessage]) -> AIMessage:
        state = state_of(messages)
        plan = state["plan"]
        if plan is None:
            return propose()
        if self.says:
            answer: AIMessage | Callable[[dict[str, Any]], AIMessage] = self.says.pop(0)
            return answer if isinstance(answer, AIMessage) else answer(state)
        if not plan["approved"]:
            return AIMessage(content="")
        shots, film = plan["steps"]
        if shots["missing_slots"]:
            return calls(
                *(clip(slot, plan["version"]) for slot in shots["missing_slots"][:CALLS_AT_ONCE])
            )
        if shots["status"] == "done" and film["missing_slots"]:
            return assemble()
        return AIMessage(content="")


def propose(**given: Any) -> AIMessage:
    shots = {"key": "shots", "title": "Shots", "kind": "shots", "count": SHOTS}
    shots |= {"seconds": SHOTS * SHOT_S}
    film = {"key": "film", "title": "Film", "kind": "master", "depends_on": ["shots"]}
    said = {"title": "Harbour", "summary": "A harbour in forty shots.", "language": "en"}
    size = {"width": 456, "height": 256, "duration_s": SHOTS * SHOT_S}
    return calls(("propose_plan", {**said, **size, "steps": [shots, film], **given}))


def clip(slot: int, version: int) -> tuple[str, dict[str, Any]]:
    place = {"step": "shots", "slot": slot, "name": f"Shot {slot}", "duration_s": SHOT_S}
    return "generate_clip", {**place, "prompt": f"a harbour, shot {slot}. Take {version}"}


def assemble() -> AIMessage:
    named = {"step": "film", "name": "Harbour", "title": "Harbour", "burn_captions": False}
    return calls(("assemble_film", named))


def leave_out(slots: list[int], *, step: str = "shots") -> AIMessage:
    return calls(("leave_out", {"step": step, "slots": slots, "reason": "They do not come."}))


@dataclass(kw_only=True)
class Slots:
    """What became of each shot by the vendors' own books."""

    made: set[int]
    rescued: set[int]
    working: set[int]
    failed: set[int]

    @property
    def done(self) -> list[int]:
        return sorted(self.made | self.rescued)

    @property
    def absent(self) -> list[int]:
        return sorted(self.working | self.failed)


@dataclass(kw_only=True)
class Production:
    """The machine, its vendors and its model."""

    machine: Machine
    first: Pair
    second: Pair
    model: Director
    task_id: TaskId

    async def say(self, text: str, *answers: Any) -> None:
        """Say something to the task, which the model answers so."""
        self.model.says[:] = answers
        await self.machine.say(text, task_id=self.task_id)
        await self.machine.drain()
        assert self.model.says == [], "the model was not asked so often"

    async def question(self) -> Approval:
        (asked,) = await self.machine.pending()
        return asked

    async def answer(self, decision: Decision) -> None:
        await self.machine.decide(await self.question(), decision)
        await self.machine.drain()

    def slots(self) -> Slots:
        """Tell by what was ordered which shot the vendors made, work on and failed at."""
        first, second = (
            {
                (slot_of(job), job.told)
                for job in pair.vendor.jobs.values()
                if job.state != "cancelled"
            }
            for pair in (self.first, self.second)
        )
        rescued = {slot for slot, told in second if told == "made"}
        return Slots(
            made={slot for slot, told in first if told == "made"},
            rescued=rescued,
            working={slot for slot, told in first if told == "slow"},
            failed={slot for slot, told in second if told != "made"},
        )

    async def refusals(self) -> list[tuple[str, str]]:
        """The tool and the tool message of each refused call, in order."""
        rows = await self.machine.rows(
            """
            select tool, tool_message from ledger where verdict = 'refuse' and refusal = 'invalid'
            order by created_at, seq
            """
        )
        return [(row[0], row[1]) for row in rows]

    async def check(self) -> None:
        """Everything in `tests.invariants`, on the books of both vendors."""
        books = _Books(
            orders=self.first.books.orders + self.second.books.orders,
            billed=self.first.books.billed | self.second.books.billed,
        )
        for job_id, payload in await self.machine.rows(
            "select job_id, request -> 'payload' from jobs where operation = 'render'"
        ):
            books.orders.append(job_id)
            books.billed[job_id] = price_micros("render", payload)
        async with self.machine.deps.pools.domain.connection() as conn:
            await check(conn, books, prompts=self.model.prompts)


@dataclass
class _Books:
    orders: list[Any]
    billed: dict[Any, int]


def slot_of(job: Job) -> int:
    """The shot that a vendor was asked for, by the words of the order."""
    prompt = str(job.given.get("promptText") or job.given["prompt"])
    return int(prompt.partition("shot ")[2].partition(".")[0])


@asynccontextmanager
async def open_production(
    database_url: str, pools: Pools, folder: Path
) -> AsyncGenerator[Production]:
    """Order all forty shots; nine are there when this is open, and the money fits the books."""
    places = {name: folder / name for name in ("runway", "replicate")}
    for place in places.values():
        place.mkdir()
    model = Director(route=routed())
    async with open_runway(places["runway"]) as first, open_clips(places["replicate"]) as second:
        ordered = MADE + WORKING + FAILING
        first.vendor.switches.by_number = {
            **dict.fromkeys(range(1, MADE + 1), "made"),
            **dict.fromkeys(range(MADE + 1, MADE + WORKING + 1), "slow"),
            **dict.fromkeys(range(MADE + WORKING + 1, ordered + 3), "failed"),
            ordered + 3: "policy_after",
        }
        second.vendor.switches.by_number = dict.fromkeys(range(1, RESCUED + 1), "made")
        second.vendor.switches.default = "failed"
        here = RendersOnly(folder / "attempts")
        async with open_machine(
            database_url,
            pools,
            folder,
            model=model,
            provider=first.provider,
            others=[second.provider, here],
            workspace_id=LOCAL_WORKSPACE,
        ) as machine:
            message_id = await machine.say("a film of a harbour in forty shots")
            await machine.drain()
            production = Production(
                machine=machine,
                first=first,
                second=second,
                model=model,
                task_id=await machine.task_of(message_id),
            )
            await production.answer(Decision.APPROVE)
            yield production


def _second(address: str, folder: Path, **given: Any) -> ReplicateProvider:
    del folder
    return ReplicateProvider(KEY, url=f"{address}/v1", models=[CLIPS], **given)


open_clips = open_seller("replicate", _second, "clip")
