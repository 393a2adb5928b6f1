"""A documentary of forty shots with real parts: workers, vendors and a chat model over HTTP.

The model answers by the state alone (`crew.ByState`), as a good worker does. Pictures come from
one vendor and clips from another; the film is put together on this machine. `Set` holds it all,
the person who speaks to a real server, and what the test waits for.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from evals.chat_server.filmmaker import ByState, answering, film_with_cast, in_turn
from evals.chat_server.script import Script
from evals.chat_server.serving import chat_server
from evals.simulator.control import KEY, Everything, open_everything
from evals.simulator.jobs import Job, Vendor, picture
from evals.simulator.vendors import OFFERS
from execution import jobs, leases
from execution.transactions import work
from infra.crash_points import CrashPoint
from infra.db.pool import transaction
from infra.ids import ObjectId
from infra.providers.local.guard import ORDERS
from infra.providers.local.prices import price_micros
from server.auth import LOCAL_WORKSPACE
from tests import invariants
from tests.database import DatabaseClock
from tests.faults.stage import STUCK
from tests.integration.server.conftest import Live, live_server
from tests.processes import WorkerProcess, Workers, committed, workers
from workspace import objects

BRIEF = "A documentary about the weather, with three people who live by it"
PEOPLE = 3
SIDES = {"width": 256, "height": 256}
PICTURES, CLIPS = "fal", "runway"

LEASE_S = 30.0
"""Long enough for a busy machine: what was being sent by one taken for dead is lost at Runway."""

type Held = dict[tuple[str, int], tuple[str, int]]
"""The object and version that each slot of each step holds."""
type Rows = list[tuple[Any, ...]]
type Told = tuple[tuple[CrashPoint, int] | None, Mapping[str, str]]
"""Where a process dies, and more settings for it."""

_ONE_AT_A_TIME = {"ATELIER_AWAY_SLOTS": "1"}
"""Whoever is to die sends one order at a time, so it dies at this window and at no other too."""


def lives(count: int) -> list[Told]:
    """Of a film of so many shots: the first worker dies when a clip was taken but not yet read, the
    second when one was fetched but not yet stored.
    """
    return [
        ((CrashPoint.JOB_ACCEPTED, PEOPLE + count + 2), _ONE_AT_A_TIME),
        ((CrashPoint.JOB_COLLECTED, 1 + count // 8), _ONE_AT_A_TIME),
        (None, {}),
    ]


@dataclass
class Books:
    """What all who were ordered from have written down themselves."""

    orders: list[UUID]
    billed: dict[UUID, int]


@dataclass
class Set:
    """Everything that has a part in the film."""

    live: Live
    running: Workers
    everything: Everything
    script: Script
    clock: DatabaseClock
    folder: Path
    coming: list[Told]
    task_id: str = ""
    is_asking: bool = False
    """Whether a question is what is being waited for; else nobody may ask one."""
    worker: WorkerProcess | None = None
    deaths: list[int] = field(default_factory=list[int])
    """How many shots there were when each worker was killed."""

    @property
    def pictures(self) -> Vendor:
        return self.everything.stands[PICTURES].vendor

    @property
    def clips(self) -> Vendor:
        return self.everything.stands[CLIPS].vendor

    async def rows(self, statement: Any, *values: Any) -> Rows:
        async with self.live.deps.pools.domain.connection() as conn:
            return await (await conn.execute(statement, values)).fetchall()

    async def number(self, statement: Any, *values: Any) -> int:
        return int((await self.rows(statement, *values))[0][0])

    # what a person does

    async def allow(self, autonomy: str, *, review_points: list[str]) -> None:
        """Say what may be done without a question: each call up to a dollar, fifty a day."""
        granted = {
            "autonomy": autonomy,
            "per_call_allowance_micros": 1_000_000,
            "daily_allowance_micros": 50_000_000,
            "review_points": review_points,
        }
        answer = await self.live.http.put("/v1/settings", json=granted)
        assert answer.status_code == 200, answer.text

    async def say(self, text: str) -> None:
        self.message_id = (await self.live.say(text))["message_id"]

    async def question(self, kind: str) -> dict[str, Any]:
        """Wait for the one open question, which is of this kind."""
        found: list[dict[str, Any]] = []

        async def is_asked() -> bool:
            answer = await self.live.http.get("/v1/approvals")
            found[:] = [each for each in answer.json()["approvals"] if each["status"] == "pending"]
            return bool(found)

        self.is_asking = True
        await self.until(is_asked)
        self.is_asking = False
        (asked,) = found
        assert asked["kind"] == kind, asked
        return asked

    async def approve(self, asked: dict[str, Any]) -> None:
        body = {"decision": "approve", "args_hash": asked["args_hash"]}
        answer = await self.live.http.post(f"/v1/approvals/{asked['id']}", json=body)
        assert answer.status_code == 200, answer.text

    async def edit(self, object_id: str) -> None:
        """Put another picture in an object's place."""
        deps = self.live.deps
        blob = await deps.blobs.put_bytes(await picture("a person, older"))
        async with work(deps, LOCAL_WORKSPACE) as tx:
            await objects.put_version(
                tx,
                ObjectId(UUID(object_id)),
                base_version=1,
                blob=blob,
                media_type="image/png",
                author="user",
                cause=f"edit {object_id} 1",
            )

    # what is there

    async def read(self, part: str, **params: Any) -> dict[str, Any]:
        answer = await self.live.http.get(f"/v1/tasks/{self.task_id}{part}", params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def held(self) -> Held:
        """What the plan's slots hold, by the graph over HTTP."""
        return {
            (node["key"], slot["slot"]): (evidence["object_id"], evidence["version"])
            for node in (await self.read("/graph"))["nodes"]
            for slot in node["slots"]
            for evidence in slot["evidence"][:1]
        }

    async def versions(self) -> Rows:
        """Every version of every object, to the byte."""
        return await self.rows(
            """
            select object_id, version, blob_sha256, media_type, size, meta, author, cause, inputs
            from object_versions order by object_id, version
            """
        )

    async def is_completed(self) -> bool:
        return await self.rows("select status from tasks") == [("completed",)]

    async def shots(self) -> int:
        """How many clips were made, and are kept."""
        return await self.number(
            "select count(*) from jobs where operation = 'clip' and phase = 'succeeded'"
        )

    def working(self, vendor: Vendor) -> list[Job]:
        """The jobs that a vendor itself says it works on."""
        return [job for job in vendor.jobs.values() if job.state == "running"]

    async def books(self) -> Books:
        log = self.folder / "attempts" / ORDERS
        here = [UUID(line) for line in log.read_text("utf-8").split()] if log.exists() else []
        requests = {
            row[0]: (row[1], row[2])
            for row in await self.rows("select job_id, operation, request -> 'payload' from jobs")
        }
        vendors = [stand.vendor.books for stand in self.everything.stands.values()]
        billed = {order: price_micros(*requests[order]) for order in here}
        for each in vendors:
            billed |= each.billed
        return Books([order for each in vendors for order in each.orders] + here, billed)

    async def check(self) -> None:
        """Everything in `tests.invariants`."""
        async with transaction(self.live.deps.pools.domain) as conn:
            await invariants.check(conn, await self.books())

    # time

    async def until(self, holds: Callable[[], Awaitable[bool]], *, hurry: bool = False) -> None:
        """Wait, with a worker for each that died; `hurry` lets time pass where nothing is done."""
        async for _ in committed(self.running.database_url):
            await self._keep_working()
            if await holds():
                return
            if hurry and await self.is_quiet():
                await self.clock.advance(timedelta(minutes=2))

    async def pass_time(self, time: timedelta, step: timedelta) -> None:
        """Let time pass in steps, each after everything that was due has been done."""
        for _ in range(time // step):
            await self.until(self.is_quiet)
            await self.clock.advance(step)
        await self.until(self.is_quiet)

    async def is_quiet(self) -> bool:
        """Tell whether nobody holds or is to do anything before some time has passed."""
        async with transaction(self.live.deps.pools.domain) as conn:
            if await leases.runnable(conn) or await jobs.due(conn):
                return False
        held = """
            select (select count(*) from jobs
                    where closed_at is null and lease_expires_at > app_now())
                 + (select count(*) from turns where status = 'active')
        """
        return await self.number(held) == 0

    async def _keep_working(self) -> None:
        if self.worker is None or self.worker.returncode is not None:
            if self.worker is not None:
                self.deaths.append(await self.shots())
                await self.clock.advance(timedelta(seconds=LEASE_S))  # nobody else holds anything
            crash_at, settings = self.coming.pop(0)
            self.worker = await self.running.start(crash_at=crash_at, settings=settings)
        if not self.task_id:
            answer = await self.live.http.get(f"/v1/messages/{self.message_id}")
            self.task_id = answer.json()["task_id"] or ""
            return
        for reason, said in await self.rows("select waiting_reason, reason from tasks"):
            assert reason not in STUCK, said
        asked = await self.rows("select title from approvals where status = 'pending'")
        assert self.is_asking or not asked


@asynccontextmanager
async def open_set(database_url: str, folder: Path, count: int) -> AsyncGenerator[Set]:
    """Open everything for a film of so many shots; nobody works before something is waited for."""
    (folder / "books").mkdir()
    by_state = ByState(
        steps=film_with_cast(count), shows=in_turn(count, PEOPLE), remakes=True, sides=SIDES
    )
    script = Script(otherwise=answering(by_state))
    async with AsyncExitStack() as stack:
        chat = await stack.enter_async_context(chat_server(script))
        everything = await stack.enter_async_context(open_everything(folder / "books"))
        settings = {
            "ATELIER_MODEL": "openai:gpt-5.5",
            "OPENAI_API_BASE": f"{chat}/v1",
            "OPENAI_API_KEY": "nobody",
            "ATELIER_PROVIDERS": f"{PICTURES},{CLIPS},local",
        }
        for name in (PICTURES, CLIPS):
            settings |= OFFERS[name].settings(everything.stands[name].vendor.address, KEY)
        live = await stack.enter_async_context(live_server(database_url, folder))
        running = await stack.enter_async_context(
            workers(database_url, folder, lease_seconds=LEASE_S)
        )
        running.settings = settings
        yield Set(
            live=live,
            running=running,
            everything=everything,
            script=script,
            clock=DatabaseClock(database_url),
            folder=folder,
            coming=lives(count),
        )
