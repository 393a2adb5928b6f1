"""A worker killed at every named window: the work is finished, nothing is made twice or lost."""

from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import pytest

from execution import tasks
from execution.approvals import Decision
from infra.crash_points import CrashPoint
from infra.db.pool import Pools
from infra.providers.local.guard import ORDERS
from infra.providers.local.prices import price_micros
from tests import invariants
from tests.harness import Machine, open_machine
from tests.processes import committed, workers

pytestmark = pytest.mark.faults

BRIEF = "A series of two posters about green tea, calm"
# A short part of the windows runs with every `make test`; all of them with `make test-faults`.
SHORT = {CrashPoint.DECISION_COMMITTED, CrashPoint.JOB_SUBMITTING, CrashPoint.JOB_COLLECTED}
# A synchronous provider's job is only ever accepted by being found again.
BEFORE = {CrashPoint.JOB_ACCEPTED: [CrashPoint.JOB_ANSWERED]}
STUCK = {"blocked", "no_progress", "answer", "provider"}
WINDOWS = [
    pytest.param(point, marks=[] if point in SHORT else [pytest.mark.long], id=point.value)
    for point in CrashPoint
]


async def _approve_all(machine: Machine) -> None:
    for question in await machine.pending():
        can_approve = "approve" in question.actions
        choice = None if can_approve else question.card["options"][0]["id"]
        decision = Decision.APPROVE if can_approve else Decision.CHOOSE
        await machine.decide(question, decision, choice=choice)


async def _finish(
    machine: Machine, database_url: str, folder: Path, windows: list[CrashPoint]
) -> int:
    """Do the work with workers that are killed and replaced; return how many died."""
    deaths = 0
    await machine.say(BRIEF)
    async with workers(database_url, folder) as running:
        coming = [(point, 1) for point in windows]
        process = await running.start(crash_at=coming.pop(0))
        async for _ in committed(database_url):
            await _approve_all(machine)
            if process.returncode is not None:
                deaths += 1
                process = await running.start(crash_at=coming.pop(0) if coming else None)
            async with machine.deps.pools.domain.connection() as conn:
                found = await tasks.recent(conn, machine.workspace_id, limit=1)
            if found and found[0].is_terminal:
                assert found[0].status == "completed", found[0].reason
                return deaths
            assert not found or found[0].waiting_reason not in STUCK, found[0].reason
    message = "the log ended"
    raise AssertionError(message)


@pytest.mark.parametrize("point", WINDOWS)
async def test_a_killed_worker_loses_and_repeats_nothing(
    point: CrashPoint, database_url: str, pools: Pools, tmp_path: Path
) -> None:
    async with open_machine(database_url, pools, tmp_path) as machine:
        windows = [*BEFORE.get(point, []), point]
        deaths = await _finish(machine, database_url, tmp_path, windows)
        assert deaths == len(windows), "a window was never reached"
        pictures = await machine.rows(
            """
            select count(*), count(distinct cause)
            from object_versions
            where media_type = 'image/png'
            """
        )
        assert pictures == [(2, 2)]
        async with pools.domain.connection() as conn:
            await invariants.check(conn, await _local_log(machine, tmp_path))


@dataclass
class LocalLog:
    """What the local provider itself has written down, and its prices of that."""

    orders: list[UUID]
    billed: dict[UUID, int]


async def _local_log(machine: Machine, folder: Path) -> LocalLog:
    lines = (folder / "attempts" / ORDERS).read_text(encoding="utf-8").split()
    orders = [UUID(line) for line in lines]
    prices = dict(await machine.rows("select job_id, operation from jobs"))
    return LocalLog(
        orders=orders, billed={order: price_micros(prices[order], {}) for order in orders}
    )
