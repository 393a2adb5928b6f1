"""Looks again for jobs that were given up with their outcome unknown.

Their holds are released and their tasks went on. What such a job did cost after all is booked as
absorbed, what it made becomes objects of the task, and nobody is woken by it: no end that was told
is taken back.
"""

from collections.abc import Awaitable, Callable

from execution import acceptance, budget, jobs, leases, ledger, steps, tasks
from execution.errors import StaleLeaseError
from execution.jobs import Job
from execution.ledger import LedgerEntry
from execution.transactions import work
from execution.tx import Tx
from infra.deps import Deps
from infra.ids import JobId, TaskId, ThreadId, WorkspaceId
from infra.money import Money
from infra.providers.ports import (
    Charge,
    Found,
    JobFailedError,
    Lookup,
    Provider,
    ProviderError,
    Snapshot,
)
from infra.telemetry import get_logger
from server.workers import charges, collection

_log = get_logger(__name__)


async def look(deps: Deps, job_id: JobId) -> None:
    """Look once for a job whose time for it has come; nothing for any other job."""
    async with deps.pools.domain.connection() as conn:
        job = await jobs.claim_late(conn, job_id)
        if job is None:
            return
        entry = await ledger.get(conn, WorkspaceId(job.workspace_id), job.call_key)
    provider = deps.providers.get(job.provider)
    try:
        if provider is None:
            _log.warning("late_look_without_provider", job_id=str(job_id), provider=job.provider)
            await _count(deps, job, jobs.end_late_looks)
            return
        await _look(deps, job, entry, provider)
    except StaleLeaseError:
        _log.info("late_look_lost", job_id=str(job_id))


async def _look(deps: Deps, job: Job, entry: LedgerEntry, provider: Provider) -> None:
    try:
        found = await provider.find(collection.attempt_of(job, entry.quote_micros or 0, {}))
        snapshot = await provider.read(found.ref) if isinstance(found, Found) else None
    except ProviderError as error:
        _log.info("late_look_failed", job_id=str(job.job_id), reason=error.message)
        found, snapshot = Lookup.NOT_FOUND_YET, None
    if found is Lookup.PROVABLY_ABSENT:
        await _count(deps, job, jobs.end_late_looks)
    elif snapshot is None or snapshot.phase != "terminal":
        await _count(deps, job, jobs.put_off_late)
    else:
        await _keep(deps, job, entry, provider, snapshot)


async def _count(deps: Deps, job: Job, how: Callable[[Tx, Job], Awaitable[None]]) -> None:
    async with work(deps, WorkspaceId(job.workspace_id), cause=job.call_key) as tx:
        await how(tx, job)


async def _keep(
    deps: Deps, job: Job, entry: LedgerEntry, provider: Provider, snapshot: Snapshot
) -> None:
    """Book what it cost and keep what can still be fetched of it, once."""
    hold, made = entry.quote_micros or 0, snapshot.outcome == "succeeded"
    collected: list[collection.Collected] = []
    if made:
        try:
            collected = await collection.collect(deps, provider, snapshot, job.request["payload"])
        except (collection.UnusableMediaError, ProviderError) as error:
            _log.info("late_result_unusable", job_id=str(job.job_id), reason=error.message)
    failure = snapshot.error or JobFailedError("The job failed.")
    assumed = (
        charges.whole(hold)
        if made
        else charges.of_failure(failure, provider.capabilities, hold, was_accepted=True)
    )
    charge = snapshot.charge or assumed or Charge(amount_micros=0, basis="derived")
    task_id = TaskId(job.task_id)
    async with work(deps, WorkspaceId(job.workspace_id), cause=job.call_key) as tx:
        await leases.lock(tx.conn, ThreadId(task_id))
        await jobs.end_late_looks(tx, job)
        outputs = await collection.keep(tx, job, snapshot, collected)
        is_news = await budget.absorb(
            tx, task_id, job.call_key, charge.amount_micros, str(charge.basis)
        )
        task = await tasks.get(tx.conn, tx.workspace_id, task_id)
        if task.is_terminal and outputs:
            await acceptance.offer(
                tx, task_id, call_key=job.call_key, title=job.title, outputs=outputs
            )
        if not task.is_terminal and (collected or is_news):
            await steps.happen(
                tx, task_id, _told(deps, job, charge, made=bool(collected)), call_key=job.call_key
            )
        tx.touch_task(task_id)
    await provider.discard(job.job_id)


def _told(deps: Deps, job: Job, charge: Charge, *, made: bool) -> str:
    price = Money(charge.amount_micros, deps.settings.currency).format()
    result = "made a result, which is among the objects," if made else "brought nothing"
    found = f"'{job.title}', given up before, was found at {job.provider}"
    return f"{found}: it {result} and cost {price}."
