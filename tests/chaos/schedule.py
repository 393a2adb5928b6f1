"""One schedule: works, people, vendor and faults, drawn from a seed; then promises are read."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, override

import psycopg
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import PrivateAttr

from evals.invariants import ProviderLog
from execution import jobs, leases, tasks
from execution.approvals import Decision
from execution.errors import ConflictError, NotFoundError
from execution.transactions import work
from infra.crash_points import watched
from infra.db.pool import Limits, Pools, open_pools
from infra.errors import AppError
from infra.ids import MessageId, TaskId
from infra.providers.ports import Attempt, Found, JobRef, Lookup, ReportProgress, Snapshot
from infra.supervision import Supervisor
from server.workers import watchdog
from tests.chaos.fates import ACTOR, Actor, Fates
from tests.database import DatabaseClock
from tests.harness import Machine, calls, open_machine
from tests.integration.graphs.stage import Behaviour, Model, Vendor, routed, state_of
from tests.invariants import check

BEHAVIOURS: list[Behaviour] = [
    "made", "accepted", "over", "cheap", "broken_file", "not_delivered", "rejected", "policy",
    "quota", "failed", "failed_charged", "lost", "lost_before",
]  # fmt: skip
POOLS = partial(
    open_pools,
    name="chaos",
    size=8,
    checkpoint_size=4,
    limits=Limits(lock=2.0, statement=20.0, idle_in_transaction=1.0),
)
_MOVES = 40
_CALM_ROUNDS = 100
_LAST_WORDS_S = 20.0
_GONE = (psycopg.Error, AppError)
"""What a client is told when the database is cut off or the answer comes too late."""


class Capricious(Model):
    """A worker that mostly does what the plan still lacks, and sometimes less, or nothing."""

    _random: Random = PrivateAttr(default_factory=Random)

    @override
    def _worker(self, messages: list[BaseMessage]) -> AIMessage:
        state = state_of(messages)
        plan, mood = state["plan"], self._random.random()
        if mood < 0.04:
            return AIMessage(content="I am thinking.")
        if plan is None or (not plan["approved"] and mood < 0.6):
            return calls(("propose_plan", self._proposal()))
        if not plan["approved"]:
            return AIMessage(content="")
        if state["doubts"]:
            return calls(*(("check_call", {"call": each["call"]}) for each in state["doubts"]))
        wanted = [
            self._call(step, slot) for step in plan["steps"] for slot in step["missing_slots"]
        ]
        if mood > 0.9:
            wanted = wanted[:1]
        return calls(*wanted, say="" if wanted else "Done.")

    def _proposal(self) -> dict[str, Any]:
        images = {"key": "posters", "title": "Posters", "kind": "image"}
        images |= {"count": self._random.randint(1, 3), "depends_on": ["concept"]}
        concept = {"key": "concept", "title": "Concept", "kind": "document"}
        said = {"title": "Posters", "summary": "Posters.", "language": "en"}
        return {**said, "steps": [concept, images]}

    def _call(self, step: dict[str, Any], slot: int) -> tuple[str, dict[str, Any]]:
        name = f"{step['title']} {slot}"
        if step["kind"] == "document":
            return "write_document", {"step": step["key"], "name": name, "text": "Tea."}
        place = {"step": step["key"], "slot": slot, "name": name}
        return "generate_image", {**place, "prompt": f"poster {slot}"}


@dataclass
class BlindVendor(Vendor):
    """A vendor that knows no client ids: it finds nothing, and makes each order that it is sent."""

    @override
    async def submit(self, attempt: Attempt, report: ReportProgress) -> JobRef | Snapshot:
        self._jobs.pop(attempt.attempt_id, None)
        return await super().submit(attempt, report)

    @override
    async def find(self, attempt: Attempt) -> Found | Lookup:
        return Lookup.CANNOT_TELL


@dataclass
class Schedule:
    """One run; `struck` says what befell whom, for whoever reads a broken promise."""

    seed: int
    machines: list[Machine]
    vendor: ProviderLog
    model: Model
    fates: Fates
    clock: DatabaseClock
    bodies: Supervisor
    said: list[tuple[MessageId | None, str]] = field(
        default_factory=list[tuple[MessageId | None, str]]
    )
    ends: Counter[str] = field(default_factory=Counter[str])

    @property
    def machine(self) -> Machine:
        return self.machines[0]

    async def run(self) -> None:
        """Let everything happen at once, then let it come to rest and read the promises."""
        random = Random(self.seed)  # noqa: S311 - a schedule
        with watched(self.fates.reached):
            actors = [
                self.bodies.start(self._worker(number), name=f"worker {number}")
                for number in range(len(self.machines))
            ]
            actors += [
                self.bodies.start(self._executor(number), name=f"executor {number}")
                for number in range(len(self.machines))
            ]
            person = self.bodies.start(self._person(random), name="person")
            await person
            self.fates.end()
            await asyncio.wait(actors)
            await self.bodies.drain(seconds=_LAST_WORDS_S)
            for machine in self.machines:
                for pool in (machine.deps.pools.domain, machine.deps.pools.checkpoints):
                    await pool.check()  # some connections were cut while nobody used them
            await self._come_to_rest()
            await self._check()

    # ---------------------------------------------------------------- those who work

    async def _worker(self, number: int) -> None:
        async def look(machine: Machine) -> None:
            async with machine.deps.pools.domain.connection() as conn:
                threads = await leases.runnable(conn)
            for thread_id in threads:
                await machine.worker.look_at(str(thread_id))

        await self._live(f"worker {number}", number, look)

    async def _executor(self, number: int) -> None:
        async def look(machine: Machine) -> None:
            async with machine.deps.pools.domain.connection() as conn:
                due = await jobs.due(conn)
            for job_id in due:
                await machine.executor.look_at(str(job_id))

        await self._live(f"executor {number}", number, look)

    async def _live(
        self, name: str, number: int, look: Callable[[Machine], Awaitable[None]]
    ) -> None:
        """Look again and again; who dies is followed by another one of its name."""
        machine, life = self.machines[number], 0
        while not self.fates.calm:
            life += 1
            actor = Actor(name, Random(f"{self.seed} {name} {life}"))  # noqa: S311 - a schedule
            while not (self.fates.calm or actor.died.is_set()):
                ACTOR.set(actor)
                body = self.bodies.start(self._one(look, machine), name=name)
                ACTOR.set(None)
                grave = self.bodies.start(_until(actor.died), name=f"the death of {name}")
                await asyncio.wait((body, grave), return_when=asyncio.FIRST_COMPLETED)
                grave.cancel()
                await asyncio.sleep(0.005)

    async def _one(self, look: Callable[[Machine], Awaitable[None]], machine: Machine) -> None:
        try:
            await look(machine)
        except psycopg.Error:
            await asyncio.sleep(0.01)  # its process goes on, and looks again

    # ---------------------------------------------------------------- those who want something

    async def _person(self, random: Random) -> None:
        ACTOR.set(Actor("person", random))
        for number in range(random.randint(1, 3)):
            await self._say(f"work {number}", random)
        moves = self._moves()
        for _ in range(_MOVES):
            await asyncio.sleep(random.random() * 0.04)
            move = random.choices([*moves], weights=[*moves.values()])[0]
            try:
                await move(random)
            except _GONE:
                continue

    def _moves(self) -> dict[Callable[[Random], Awaitable[None]], int]:
        """Return what happens beside the work, and how often one of them against the others."""
        return {self._answer: 10, self._steer: 3, self._rein: 2, self._time: 4, self._thaw: 6}

    async def _say(self, text: str, random: Random, task_id: TaskId | None = None) -> None:
        """Say something as a client does: again with the same id, until it is answered."""
        client_id = f"{text} {random.random()}"
        for _ in range(20):
            try:
                accepted = await self.machine.say(text, client_id=client_id, task_id=task_id)
            except (ConflictError, NotFoundError):
                return  # refused aloud
            except _GONE:
                await asyncio.sleep(0.02)
                continue
            self.said.append((accepted, text))
            if random.random() < 0.8:
                return

    async def _answer(self, random: Random) -> None:
        for asked in await self.machine.pending():
            sure = "approve" in asked.actions and random.random() < 0.8
            decision = Decision.APPROVE if sure else Decision.REJECT
            changes = "edit" in asked.actions and random.random() < 0.7
            for _ in range(random.choice([1, 1, 2])):
                if changes:
                    await self.machine.edit(asked, {"prompt": f"poster {random.random()}"})
                else:
                    await self.machine.decide(asked, decision)

    async def _steer(self, random: Random) -> None:
        if (task_id := await self._any_task(random)) is not None:
            await self._say(f"warmer {random.random()}", random, task_id)

    async def _rein(self, random: Random) -> None:
        if (task_id := await self._any_task(random)) is None:
            return
        rein = random.choice([tasks.stop, tasks.pause, tasks.resume, tasks.resume])
        async with work(self.machine.deps, self.machine.workspace_id) as tx:
            await rein(tx, task_id)

    async def _time(self, random: Random) -> None:
        await self.clock.advance(timedelta(seconds=random.choice([1, 6, 31, 31, 90])))
        await watchdog.sweep(self.machine.deps)

    async def _thaw(self, random: Random) -> None:
        del random
        self.fates.thaw()

    async def _any_task(self, random: Random) -> TaskId | None:
        found = await self.machine.rows("select task_id from tasks order by created_at")
        return TaskId(random.choice(found)[0]) if found else None

    # ---------------------------------------------------------------- the end

    async def _come_to_rest(self) -> None:
        """Without faults: resume, answer, and let time pass until nothing has anything to do."""
        for paused in await self.machine.rows("select task_id from tasks where status = 'paused'"):
            async with work(self.machine.deps, self.machine.workspace_id) as tx:
                await tasks.resume(tx, TaskId(paused[0]))
        for _ in range(_CALM_ROUNDS):
            for asked in await self.machine.pending():
                can = "approve" in asked.actions
                choice = None if can else asked.card["options"][0]["id"]
                decision = Decision.APPROVE if can else Decision.CHOOSE
                await self.machine.decide(asked, decision, choice=choice)
            await self.machine.drain()
            open_jobs = await self.machine.rows("select 1 from jobs where closed_at is null")
            moving = await self.machine.rows(
                "select 1 from tasks where status = 'active' or waiting_reason in"
                " ('jobs', 'provider', 'approval')"
            )
            turns = await self.machine.rows("select 1 from turns where status = 'active'")
            if not (open_jobs or moving or turns):
                return
            await self.clock.advance(timedelta(minutes=5))
            await watchdog.sweep(self.machine.deps)
        states = await self.machine.rows("select status, waiting_reason, reason from tasks")
        phases = await self.machine.rows("select phase, due_at, closed_at from jobs")
        message = f"it never came to rest: {states} {phases}"
        raise AssertionError(message)

    async def _check(self) -> None:
        states = await self.machine.rows(
            "select coalesce(waiting_reason, status) from tasks order by created_at"
        )
        self.ends.update(row[0] for row in states)
        async with self.machine.deps.pools.domain.connection() as conn:
            await check(conn, self.vendor, prompts=self.model.prompts)
        kept = await self.machine.rows("select message_id from messages where role = 'user'")
        assert {row[0] for row in kept} >= {said for said, _ in self.said}, "a message is gone"
        unread = await self.machine.rows(
            """
            select i.inbox_id from inbox as i join tasks as t using (task_id)
            where i.status = 'pending' and t.status not in ('stopped', 'failed')
            """
        )
        assert unread == [], "a message was never read"


async def _until(event: asyncio.Event) -> None:
    await event.wait()


def _vendor(random: Random) -> Vendor:
    """A vendor that is mostly well, and answers some requests in every other way it knows."""
    ill = random.random() * 0.5
    behaviours = {
        number: random.choice(BEHAVIOURS) for number in range(2, 60) if random.random() < ill
    }
    kind = random.choice([Vendor, Vendor, BlindVendor])
    return kind(
        behaviours=behaviours,
        default=random.choice(["made", "accepted"]),
        lookup=random.choice([Lookup.PROVABLY_ABSENT, Lookup.NOT_FOUND_YET]),
        charge=random.choice(["reported", "derived"]),
        policy_block_billed=random.choice(["yes", "no", "unknown"]),
    )


@asynccontextmanager
async def _machine(
    database_url: str, folder: Path, model: BaseChatModel, vendor: Vendor
) -> AsyncGenerator[tuple[Machine, Pools]]:
    async with (
        POOLS(database_url) as pools,
        open_machine(database_url, pools, folder, model=model, provider=vendor) as machine,
    ):
        yield machine, pools


async def run_schedule(database_url: str, folder: Path, seed: int) -> Schedule:
    """Run one schedule on an empty, migrated database.

    Raises:
        AssertionError: a promise is broken.
    """
    random = Random(f"{seed} world")  # noqa: S311 - a schedule
    vendor, model = _vendor(random), Capricious(route=routed())
    model._random = Random(f"{seed} model")  # noqa: S311 - a schedule
    fates = Fates(database_url, rate=random.choice([0.02, 0.05, 0.1, 0.2]))
    first, second = (_machine(database_url, folder, model, vendor) for _ in range(2))
    async with first as (one, _), second as (other, _), Supervisor("bodies") as bodies:
        schedule = Schedule(
            seed=seed,
            machines=[one, other],
            vendor=vendor,
            model=model,
            fates=fates,
            clock=DatabaseClock(database_url),
            bodies=bodies,
        )
        try:
            await schedule.run()
        finally:
            fates.end()
    return schedule
