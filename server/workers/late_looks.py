"""Looks again for jobs that were given up with their outcome unknown.

Their holds are released and their tasks went on. What such a job did cost after all is booked as
absorbed, what it made becomes objects of the task, and nobody is woken by it: no end that was told
is taken back.
"""

from execution import budget, jobs, ledger, steps, tasks
from execution.errors import StaleLeaseError
from execution.jobs import Job
from execution.ledger import LedgerEntry
from execution.transactions import work
from infra.deps import Deps
from infra.ids import JobId, TaskId, WorkspaceId
from infra.money import Money
from infra.providers.ports import Charge, Found, Lookup, Provider, ProviderError, Snapshot
from infra.telemetry import get_logger
from server.workers import collection

_log = get_logger(__name__)


async def look(deps: Deps, job_id: JobId) -> None:
    """Look once for a job whose time for it has come; nothing for any other job."""
    async with deps.pools.domain.connection() as conn:
        job = await jobs.claim_late(conn, job_id)
        if job is None:
            return
        entry = await ledger.get(conn, WorkspaceId(job.workspace_id), job.call_key)
    try:
        await _look(deps, job, entry, deps.providers[job.provider])
    except StaleLeaseError:
        _log.info("late_look_lost", job_id=str(job_id))
    except ProviderError as error:
        _log.info("late_look_failed", job_id=str(job_id), reason=error.message)


async def _look(deps: Deps, job: Job, entry: LedgerEntry, provider: Provider) -> None:
    found = await provider.find(collection.attempt_of(job, entry.quote_micros or 0, {}))
    if not isinstance(found, Found):
        if found is Lookup.PROVABLY_ABSENT:
            async with work(deps, WorkspaceId(job.workspace_id), cause=job.call_key) as tx:
                await jobs.end_late_looks(tx, job)
        return
    snapshot = await provider.read(found.ref)
    if snapshot.phase == "terminal":
        await _keep(deps, job, entry, provider, snapshot)


async def _keep(
    deps: Deps, job: Job, entry: LedgerEntry, provider: Provider, snapshot: Snapshot
) -> None:
    """Book what it cost and keep what it made, once."""
    collected: list[collection.Collected] = []
    if snapshot.outcome == "succeeded":
        try:
            collected = await collection.collect(deps, provider, snapshot)
        except collection.UnusableMediaError as error:
            _log.info("late_result_unusable", job_id=str(job.job_id), reason=error.message)
    made = snapshot.outcome == "succeeded"
    most = Charge(amount_micros=entry.quote_micros or 0, basis="assumed_max")
    charge = snapshot.charge or (most if made else None)
    task_id = TaskId(job.task_id)
    async with work(deps, WorkspaceId(job.workspace_id), cause=job.call_key) as tx:
        await jobs.end_late_looks(tx, job)
        await collection.keep(tx, job, snapshot, collected)
        cost = charge.amount_micros if charge else 0
        basis = str(charge.basis) if charge else "derived"
        await budget.absorb(tx, task_id, job.call_key, cost, basis)
        if not (await tasks.get(tx.conn, tx.workspace_id, task_id)).is_terminal:
            price = Money(cost, deps.settings.currency).format()
            await steps.happen(
                tx,
                task_id,
                f"'{job.title}', given up before, was found at {job.provider}: it "
                f"{'made a result, which is among the objects,' if collected else 'made nothing'} "
                f"and cost {price}.",
                call_key=job.call_key,
            )
        tx.touch_task(task_id)
