"""A worker dies or freezes at any point: another one finishes from the tables, and pays once."""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from execution import jobs, leases
from execution.approvals import Decision
from execution.errors import StaleLeaseError
from infra.crash_points import CrashPoint, watched
from infra.ids import JobId, ThreadId, new_id
from infra.providers.ports import JobFailedError, Lookup
from infra.supervision import Supervisor
from nodes.main.check import check as main_check
from nodes.main.clarify import clarify
from nodes.main.reply import reply
from nodes.main.route import route
from nodes.main.start import start
from nodes.main.steer import steer
from nodes.state import RunContext
from nodes.task.act import act
from nodes.task.call import call
from nodes.task.deliver import deliver
from nodes.task.stop_check import stop_check
from server.workers.order import open_order
from tests.database import DatabaseClock
from tests.harness import Machine, calls
from tests.integration.graphs.conftest import OpenStage
from tests.integration.graphs.stage import (
    PRICE,
    Model,
    Stage,
    Vendor,
    concept,
    fill,
    picture,
    plan,
    routed,
)

IN_A_TRANSACTION = (CrashPoint.COMMITTING, CrashPoint.CHECKPOINT_WRITING)


@dataclass
class Fate:
    """Takes the work away from its holder at one of its windows; `seen` counts them all.

    Who is frozen there goes on after the takeover. Who dies stays there for ever, and the database
    loses its connection; an exception would not do, since LangGraph writes it down.
    """

    database_url: str
    bodies: Supervisor
    at: int = 0
    dies: bool = True
    within_transactions: bool = False
    works: bool = False
    seen: list[CrashPoint] = field(default_factory=list[CrashPoint])
    struck: CrashPoint | None = None
    latest: CrashPoint | None = None
    """The newest window outside of a transaction."""
    died: asyncio.Event = field(default_factory=asyncio.Event)
    never: asyncio.Event = field(default_factory=asyncio.Event)

    async def reached(self, point: CrashPoint) -> None:
        if not self.works or self.struck is not None:
            return
        is_open = point in IN_A_TRANSACTION
        if not is_open:
            self.latest = point
        if is_open is not self.within_transactions:
            return
        self.seen.append(point)
        if len(self.seen) != self.at:
            return
        self.struck = point
        if self.dies:
            self.died.set()
            await self.never.wait()
        self.take_over()

    @property
    def lost(self) -> str | None:
        """What a model had answered and nobody had committed."""
        answers = {CrashPoint.MODEL_ANSWERED: "decision", CrashPoint.ROUTE_INFERRED: "route"}
        return answers.get(self.latest) if self.latest else None

    def take_over(self) -> None:
        """Another worker claims everything that is held, and then is gone as well."""
        with psycopg.connect(self.database_url, autocommit=True) as conn:
            conn.execute(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and state = 'idle in transaction'
                """
            )
            conn.execute(
                """
                update threads set generation = generation + 1
                where thread_id in (select thread_id from turns where status = 'active')
                """
            )
            conn.execute(
                """
                update turns
                set generation = generation + 1, lease_expires_at = app_now() - interval '1 s'
                where status = 'active'
                """
            )
            conn.execute(
                """
                update jobs
                set generation = generation + 1, lease_expires_at = app_now() - interval '1 s'
                where lease_expires_at is not null
                """
            )


async def run_until_struck(machine: Machine, fate: Fate) -> None:
    """Drain, as long as this process lives."""
    fate.works = True
    while fate.struck is None:
        async with machine.deps.pools.domain.connection() as conn:
            threads, due = await leases.runnable(conn), await jobs.due(conn)
        if not threads and not due:
            break
        looks = [
            *(lambda each=each: machine.worker.look_at(str(each)) for each in threads),
            *(lambda each=each: machine.executor.look_at(str(each)) for each in due),
        ]
        for look in looks:
            living = fate.bodies.start(look(), name="a worker that may die")
            dying = asyncio.ensure_future(fate.died.wait())
            await asyncio.wait((living, dying), return_when=asyncio.FIRST_COMPLETED)
            if fate.died.is_set():
                fate.take_over()
                break
            dying.cancel()
    fate.works = False


def one_poster() -> Model:
    """Its router looks into a task first."""
    looked_into = [new_id()]
    route = routed(acknowledgement="On it.")
    return Model(route=route, reads=looked_into, answers=[plan(1), concept(), fill])


async def work_through(first: Stage, second: Stage, fate: Fate, title: str) -> Any:
    """One work from brief to delivery; whoever is alive answers the plan and goes on."""
    message_id = await first.machine.say(title)
    await run_until_struck(first.machine, fate)
    if fate.struck is not None:
        await second.machine.drain()
    task_id = await second.machine.task_of(message_id)
    for asked in await second.machine.pending():
        await second.machine.decide(asked, Decision.APPROVE)
    if fate.struck is None:
        await run_until_struck(first.machine, fate)
    if fate.struck is not None:
        await second.machine.drain()
    return task_id


async def from_every_window(
    open_stage: OpenStage,
    database_url: str,
    *,
    dies: Callable[[int], bool],
    within_transactions: bool = False,
) -> None:
    """Do one work after another, each with a fault at the next window of the one before any."""
    async with AsyncExitStack() as stack:
        vendor, model = Vendor(default="accepted"), one_poster()
        first = await stack.enter_async_context(open_stage(model, vendor))
        second = await stack.enter_async_context(open_stage(model, vendor))
        async with Supervisor("nobody dies") as bodies:
            counting = Fate(database_url, bodies, within_transactions=within_transactions)
            with watched(counting.reached):
                await work_through(first, second, counting, "without a fault")
        windows = list(counting.seen)
        inside = set(IN_A_TRANSACTION)
        assert set(windows) == (inside if within_transactions else set(CrashPoint) - inside)
        for at, window in enumerate(windows, start=1):
            before = await counts(first)
            async with Supervisor("bodies") as bodies:
                fate = Fate(database_url, bodies, at=at, dies=dies(at))
                fate.within_transactions = within_transactions
                with watched(fate.reached):
                    task_id = await work_through(first, second, fate, f"fault {at}")
                if within_transactions:
                    # LangGraph waits for a write that it has begun. Its connection is gone.
                    fate.never.set()
            assert fate.struck is window, "the run has other windows than the one before it"
            assert (await second.task(task_id))[::2] == ("completed", "The work was delivered.")
            after = await counts(first)
            made = {name: after[name] - before[name] for name in after}
            # A model is asked again where its answer was not committed, and only there.
            lost = fate.lost
            assert made == {
                "steps": 3,
                "prompts": 3 + (lost == "decision"),
                "routed": 2 + (lost == "route"),
                "looks": 1,
                "orders": 1,
                "said": 1,
                "tasks": 1,
                "delivered": 1,
                "objects": 3,
            }, window
        await second.check()


@pytest.mark.timeout(120)
async def test_work_is_finished_by_another_worker_from_every_window(
    open_stage: OpenStage, database_url: str
) -> None:
    """By turns the worker is killed there, or frozen and thawed after the takeover."""
    await from_every_window(open_stage, database_url, dies=lambda at: at % 2 == 0)


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("is_killed", [True, False], ids=["killed", "frozen-and-thawed"])
async def test_every_window_survives_both_faults(
    open_stage: OpenStage, database_url: str, *, is_killed: bool
) -> None:
    await from_every_window(open_stage, database_url, dies=lambda _: is_killed)


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_a_death_within_any_transaction_leaves_nothing_of_it(
    open_stage: OpenStage, database_url: str
) -> None:
    await from_every_window(open_stage, database_url, dies=lambda _: True, within_transactions=True)


async def counts(stage: Stage) -> Counter[str]:
    rows = await stage.machine.rows(
        """
        select (select count(*) from steps), (select count(*) from tasks),
               (select count(*) from deliveries), (select count(*) from objects),
               (select count(*) from messages where cause like 'start %%'),
               (select count(*) from route_reads)
        """
    )
    steps, tasks, delivered, objects, said, looks = rows[0]
    return Counter(
        steps=steps,
        tasks=tasks,
        delivered=delivered,
        objects=objects,
        said=said,
        looks=looks,
        prompts=len(stage.model.prompts),
        routed=len(stage.model.routed),
        orders=len(stage.vendor.orders),
    )


@pytest.mark.parametrize("lookup", [Lookup.PROVABLY_ABSENT, Lookup.CANNOT_TELL])
@pytest.mark.parametrize("had_arrived", [True, False])
async def test_an_order_found_half_sent_is_found_or_sent_once(
    stage: Stage, database_clock: DatabaseClock, lookup: Lookup, *, had_arrived: bool
) -> None:
    """The executor died after it had committed `submitting`."""
    stage.vendor.lookup = lookup
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture(), calls(say="I see.")]
    machine = stage.machine
    message_id = await machine.say("a picture")
    await machine.worker.look_at(str(message_id))
    await machine.worker.look_at(str(await machine.task_of(message_id)))
    ((job_id,),) = await machine.rows("select job_id from jobs")
    async with machine.deps.pools.domain.connection() as conn:
        job = await jobs.claim(conn, JobId(job_id), lease_seconds=30)
        assert job is not None
        await conn.execute("update ledger set status = 'submitting'")
    if had_arrived:
        order = await open_order(machine.deps, job)
        await stage.vendor.submit(order.attempt, lambda _: None)
    await database_clock.advance(timedelta(seconds=31))
    await machine.drain()
    if not had_arrived and lookup is Lookup.CANNOT_TELL:
        assert await machine.rows("select status, phase from ledger, jobs") == [
            ("unknown", "unknown")
        ]
        assert stage.vendor.requests == []
        assert await stage.money() == (PRICE, PRICE, 0, 0)
        return
    assert len(stage.vendor.orders) == 1
    assert len(stage.vendor.requests) == 1
    assert await stage.ledger() == [("settled", "succeeded")]
    await stage.check()


async def test_work_is_finished_without_checkpoints_queue_and_window(
    open_stage: OpenStage, database_url: str, database_clock: DatabaseClock
) -> None:
    vendor, model = Vendor(behaviours={1: "slow"}), one_poster()
    async with open_stage(model, vendor) as first:
        task_id = await first.begin()
        await wipe(first)
        (asked,) = await first.machine.pending()
        await first.machine.decide(asked, Decision.APPROVE)
        await first.machine.drain()
        await wipe(first)
    vendor.ready = True
    await database_clock.advance(timedelta(seconds=31))
    async with open_stage(model, vendor) as second:
        await second.machine.drain()
        assert (await second.task(task_id))[::2] == ("completed", "The work was delivered.")
        heads = await second.machine.rows(
            """
            select count(*) from threads
            join checkpoints on checkpoint_id = head_checkpoint_id
            where threads.kind = 'task'
            """
        )
        assert heads == [(1,)], "the thread has checkpoints again"
        assert len(model.prompts) == 3
        await second.check()


async def wipe(stage: Stage) -> None:
    async with stage.machine.deps.pools.domain.connection() as conn:
        for table in ("checkpoint_writes", "checkpoint_blobs", "checkpoints"):
            await conn.execute(f"delete from {table}")  # noqa: S608  # pyright: ignore[reportArgumentType]
        cursor = await conn.execute(
            "select tablename from pg_tables where tablename = 'procrastinate_jobs'"
        )
        if await cursor.fetchone():
            await conn.execute("delete from procrastinate_jobs")


TASK_NODES: list[Callable[..., Any]] = [act, call, stop_check]
MAIN_NODES: list[Callable[..., Any]] = [main_check, clarify, reply, route, start, steer]


class StaleRuntime:
    """What LangGraph gives a node, with a context of yesterday."""

    def __init__(self, context: RunContext) -> None:
        self.context = context


async def test_every_node_is_refused_with_a_stale_generation(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), concept(), fill]
    message_id = await stage.machine.say("a poster")
    await stage.machine.drain()
    task_id = await stage.machine.task_of(message_id)
    before = await everything(stage)
    asked = len(stage.model.prompts)
    for thread_id, nodes in ((task_id, TASK_NODES), (message_id, MAIN_NODES)):
        rows = await stage.machine.rows(
            """
            select threads.generation, turn_id from threads join turns using (thread_id)
            where thread_id = %s order by number desc limit 1
            """,
            thread_id,
        )
        context = RunContext(
            workspace_id=str(stage.machine.workspace_id),
            thread_id=str(thread_id),
            turn_id=str(rows[0][1]),
            generation=0,
        )
        for node in nodes:
            with pytest.raises(StaleLeaseError):
                await node({}, StaleRuntime(context), deps=stage.machine.deps)
    assert await everything(stage) == before
    assert len(stage.model.prompts) == asked, "a stale worker does not even ask the model"


async def test_a_stale_delivery_is_refused(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1), concept(), fill]
    task_id = await stage.begin()
    (asked,) = await stage.machine.pending()
    await stage.machine.decide(asked, Decision.APPROVE)
    await stage.machine.drain()
    before = await everything(stage)
    context = RunContext(
        workspace_id=str(stage.machine.workspace_id),
        thread_id=str(task_id),
        turn_id=str(task_id),
        generation=0,
    )
    with pytest.raises(StaleLeaseError):
        await deliver({}, StaleRuntime(context), deps=stage.machine.deps)  # pyright: ignore[reportArgumentType]
    assert await everything(stage) == before


async def everything(stage: Stage) -> list[tuple[Any, ...]]:
    return await stage.machine.rows(
        """
        select (select count(*) from events), (select sum(wake_seq) from threads),
               (select count(*) from steps), (select count(*) from messages),
               (select count(*) from objects), (select count(*) from deliveries),
               (select array_agg(status order by task_id) from tasks)
        """
    )


async def test_what_fails_while_the_model_thinks_is_told_to_it(stage: Stage) -> None:
    """The job fails after the prompt was read and before the decision is committed."""
    stage.vendor.behaviours = {1: "slow", 2: "made"}
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture(), calls(say="It is coming."), picture(prompt="simpler")]
    machine = stage.machine

    async def fail() -> None:
        stage.vendor.read_fails = [JobFailedError("It broke.")]
        await machine.rows("update jobs set due_at = app_now() returning job_id")
        await machine.executor.look_at(str((await machine.rows("select job_id from jobs"))[0][0]))

    stage.model.during[2] = fail
    task_id = await stage.begin()
    await stage.say("how is it going?", task_id)
    await machine.drain()
    told = [event["what_happened"] for event in stage.model.states[2]["events"]]
    assert told == ["'Harbour' failed (job_failed): It broke."]
    assert (await stage.task(task_id))[0] == "completed"


async def test_a_model_that_is_away_is_waited_for_and_work_goes_on_by_itself(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]
    message_id = await stage.machine.say("a picture")
    await stage.machine.worker.look_at(str(message_id))
    task_id = await stage.machine.task_of(message_id)
    stage.model.fails[:] = [ConnectionError("away")] * 5
    for _ in range(5):
        await stage.machine.drain()
        await stage.check()
        await database_clock.advance(timedelta(seconds=65))
    status, waiting, reason = await stage.task(task_id)
    assert (status, waiting) == ("waiting", "provider")
    assert reason.endswith("away It is tried again by itself.")
    await stage.machine.drain()
    assert (await stage.task(task_id))[0] == "waiting", "not before its time"
    await database_clock.advance(timedelta(minutes=5))
    async with stage.machine.deps.pools.domain.connection() as conn:
        assert await leases.fire_timers(conn) == [ThreadId(task_id)]
    await stage.machine.drain()
    assert (await stage.task(task_id))[0] == "completed"
    await stage.check()
