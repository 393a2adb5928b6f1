"""What the fault tests share: a brief, a person who says yes, and the provider's own log."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from execution import tasks
from execution.approvals import Decision
from execution.tasks import Task
from infra.db.pool import Pools
from infra.ids import MessageId, WorkspaceId
from infra.providers.local.guard import ORDERS
from infra.providers.local.prices import price_micros
from nodes.main.clarify import NEW_TASK
from tests import invariants
from tests.harness import Machine, open_machine
from tests.processes import Workers, committed, workers

BRIEF = "A series of two posters about green tea, calm"
_SUBJECTS = """
anchors bakeries camels deserts eagles ferries glaciers harbours islands juggling kites
lanterns marbles night owls pianos quilts rivers sailors trams umbrellas violins whales
yaks zebras almonds bridges clocks dolphins embroidery foxes gardens hedgehogs irises jazz
knots lemons mushrooms nutmeg otters pears
""".split()  # noqa: SIM905 - forty lines of one word each say no more
STUCK = {"blocked", "no_progress", "answer", "provider", "limit", "budget"}
"""What a task may not come to wait for: nothing but the fault stands in its way."""


def briefs(count: int) -> list[str]:
    """Return briefs of so many works, none like another: the same one again may go on with it."""
    assert count <= len(_SUBJECTS)
    return [f"A series of two posters about {subject}, calm" for subject in _SUBJECTS[:count]]


@dataclass
class LocalLog:
    """What the local provider itself has written down, and its prices of that."""

    orders: list[UUID]
    billed: dict[UUID, int]


@dataclass
class Stage:
    """A database with real worker processes; this process only talks to its tables."""

    machine: Machine
    running: Workers
    database_url: str
    folder: Path

    async def approve_all(self) -> None:
        for question in await self.machine.pending():
            can_approve = "approve" in question.actions
            choice = None if can_approve else question.card["options"][0]["id"]
            if question.kind == "route":
                # The same brief said again is asked about; here each is a work of its own.
                choice = NEW_TASK
            decision = Decision.APPROVE if can_approve else Decision.CHOOSE
            await self.machine.decide(question, decision, choice=choice)

    async def task_of(self, message_id: MessageId) -> Task | None:
        found = await self.machine.rows(
            "select task_id from messages where message_id = %s", message_id
        )
        if found[0][0] is None:
            return None
        async with self.machine.deps.pools.domain.connection() as conn:
            return await tasks.get(conn, self.machine.workspace_id, found[0][0])

    async def until_finished(self, message_id: MessageId) -> AsyncGenerator[None]:
        """Answer every question until the message's work is delivered; yield after each commit."""
        async for _ in committed(self.database_url):
            await self.approve_all()
            yield
            task = await self.task_of(message_id)
            if task is not None and task.is_terminal:
                assert task.status == "completed", task.reason
                return
            assert task is None or task.waiting_reason not in STUCK, task.reason

    async def until_all_finished(self, said: list[MessageId]) -> AsyncGenerator[None]:
        """Answer every question until all these messages' works are delivered."""
        async for _ in committed(self.database_url):
            await self.approve_all()
            yield
            found = [await self.task_of(message_id) for message_id in said]
            for task in filter(None, found):
                assert task.status not in ("failed", "stopped"), task.reason
                assert task.waiting_reason not in STUCK, task.reason
            if all(task is not None and task.is_terminal for task in found):
                return

    def commits(self) -> AsyncGenerator[None]:
        """Yield after each commit that anybody announces."""
        return committed(self.database_url)

    async def check_checkpoints(self) -> None:
        """Fail unless each thread's checkpoints are a line that ends at its head."""
        forks = """
            select thread_id, parent_checkpoint_id from checkpoints
            where checkpoint_ns = ''
            group by thread_id, parent_checkpoint_id having count(*) > 1
        """
        assert await self.machine.rows(forks) == []
        ends = """
            select c.thread_id, c.checkpoint_id, threads.head_checkpoint_id
            from checkpoints as c
            join threads on threads.thread_id::text = c.thread_id
            where c.checkpoint_ns = ''
              and (c.checkpoint_id = threads.head_checkpoint_id) = exists (
                  select from checkpoints as child
                  where child.thread_id = c.thread_id
                    and child.parent_checkpoint_id = c.checkpoint_id
              )
        """
        assert await self.machine.rows(ends) == []

    async def check(self, *, works: int) -> None:
        """Fail unless every promise holds and each work has two posters, each made once."""
        pictures = await self.machine.rows(
            """
            select count(*), count(distinct cause)
            from object_versions
            where media_type = 'image/png'
            """
        )
        assert pictures == [(2 * works, 2 * works)]
        unread = "select text from messages where role = 'user' and status <> 'consumed'"
        assert await self.machine.rows(unread) == []
        async with self.machine.deps.pools.domain.connection() as conn:
            await invariants.check(conn, await self.provider_log())

    async def provider_log(self) -> LocalLog:
        log = self.folder / "attempts" / ORDERS
        lines = log.read_text(encoding="utf-8").split() if log.exists() else []
        orders = [UUID(line) for line in lines]
        prices = dict(await self.machine.rows("select job_id, operation from jobs"))
        return LocalLog(
            orders=orders, billed={order: price_micros(prices[order], {}) for order in orders}
        )


@asynccontextmanager
async def open_stage(
    database_url: str, pools: Pools, folder: Path, *, lease_seconds: float = 3.0
) -> AsyncGenerator[Stage]:
    async with (
        open_machine(database_url, pools, folder) as machine,
        workers(database_url, folder, lease_seconds=lease_seconds) as running,
    ):
        assert machine.workspace_id == WorkspaceId(UUID(int=1))
        yield Stage(machine=machine, running=running, database_url=database_url, folder=folder)
