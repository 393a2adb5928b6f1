"""Finds what nobody was told: woken threads without a worker, due jobs, timers, expired questions.

Reads the tables only, so an emptied queue or a lost notification costs a bounded delay and no work.
"""

import psycopg

from execution import approvals, families, jobs, leases
from execution.transactions import work
from infra.deps import Deps
from infra.ids import WorkspaceId
from infra.supervision import Supervisor
from infra.telemetry import get_logger
from tools import answers, exchange
from workspace import propagation

_log = get_logger(__name__)


async def watch(deps: Deps, supervisor: Supervisor) -> None:
    """Sweep now and every `watchdog_seconds`, until an end is asked for."""
    while True:
        try:
            await sweep(deps)
        except psycopg.Error as error:
            _log.warning("sweep_failed", error=str(error))
        if not await supervisor.pause(deps.settings.watchdog_seconds):
            return


async def sweep(deps: Deps) -> None:
    """Signal every thread and job that has something to do and that no live lease holds."""
    async with deps.pools.domain.connection() as conn:
        overdue = await approvals.overdue(conn)
    for asked in overdue:
        async with work(deps, WorkspaceId(asked.workspace_id), cause="watchdog") as tx:
            await answers.expire(tx, asked)
    async with deps.pools.domain.connection() as conn:
        left_behind = await families.left_behind(conn)
    for workspace_id, task_id in left_behind:
        async with work(deps, workspace_id, cause="watchdog") as tx:
            await families.end_left_behind(tx, task_id)
    await exchange.pass_on(deps)
    async with deps.pools.domain.connection() as conn:
        await leases.fire_timers(conn)
    async with deps.pools.domain.connection() as conn:
        await propagation.wake_waiting(conn)
    async with deps.pools.domain.connection() as conn:
        threads = await leases.runnable(conn)
        due = await jobs.due(conn)
    for thread_id in threads:
        deps.signals.wake_thread(thread_id)
    for job_id, lane in due.items():
        deps.signals.wake_job(job_id, lane)
