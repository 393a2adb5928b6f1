"""Runs jobs: one request per order, then read, collect, settle; its own lease and fence per job.

`submitting` is committed before a byte leaves, so a job found in it after a crash is `unknown` and
only `find` may say whether it exists. The bytes are in the blob store and verified before a job
counts as succeeded. Object, money, plan and the decision to wake the task commit together.
"""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg

from execution import jobs, ledger, tasks
from execution.errors import StaleLeaseError
from execution.jobs import Job
from execution.ledger import LedgerEntry
from execution.tasks import TaskStatus
from execution.transactions import work
from execution.tx import Tx
from infra.crash_points import CrashPoint, reached
from infra.deps import Deps
from infra.ids import JobId, TaskId, WorkspaceId
from infra.providers.ports import (
    Attempt,
    Charge,
    Found,
    JobFailedError,
    JobRef,
    Lookup,
    NotDeliveredError,
    OutcomeUnknownError,
    Provider,
    ProviderError,
    QuotaError,
    Snapshot,
)
from infra.queue import WakeQueue
from infra.telemetry import get_logger
from server.outages import outage
from server.workers import charges, collection, endings, late_looks
from server.workers.heartbeat import Heart

_log = get_logger(__name__)
_LATER_S = 30.0
_MOST_LATER_S = 600.0
"""However long a provider asks to be left alone: its limits may be lifted before."""
_AFTER_OUTAGE_S = 2.0
_UNKNOWN_DELAY_S = 2.0
_MOST_UNKNOWN_DELAY_S = 60.0
_PATIENCE = timedelta(minutes=1)
"""How long a lost order may stay unfound before the model is told; vendors list a job late."""
_TELLS_NOTHING = (NotDeliveredError, QuotaError, OutcomeUnknownError)
"""Errors of a read or a download that say nothing about the job: it is tried again later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """A claimed job with its call and the provider that does it."""

    job: Job
    entry: LedgerEntry
    provider: Provider
    attempt: Attempt

    @property
    def workspace_id(self) -> WorkspaceId:
        return WorkspaceId(self.job.workspace_id)

    @property
    def task_id(self) -> TaskId:
        return TaskId(self.job.task_id)

    @property
    def call_key(self) -> str:
        return self.job.call_key


class Executor:
    """Runs the jobs of this process."""

    def __init__(self, deps: Deps, queue: WakeQueue, heart: Heart) -> None:
        self._deps = deps
        self._queue = queue
        self._heart = heart

    async def look_at(self, job_id: str) -> None:
        """Take a due job one step up its ladder, if nobody else holds it."""
        async with self._deps.pools.domain.connection() as conn, conn.transaction():
            job = await jobs.claim(
                conn, JobId(UUID(job_id)), lease_seconds=self._deps.settings.lease_seconds
            )
        if job is None:
            await late_looks.look(self._deps, JobId(UUID(job_id)))
            return
        await reached(CrashPoint.JOB_CLAIMED)
        log = _log.bind(job_id=job_id)
        async with self._heart.keep("job", job.job_id, job.generation) as beat:
            try:
                await self._run(job)
            except StaleLeaseError:
                log.info("job_lost")
            except asyncio.CancelledError:
                if not beat.lost:
                    raise
                log.info("job_lost")

    async def _run(self, job: Job) -> None:
        log = _log.bind(job_id=str(job.job_id))
        try:
            await self._advance(await self._order(job))
        except StaleLeaseError:
            raise
        except Exception as error:
            if (said := outage(error)) is not None:
                log.warning("job_put_off", reason=said)
                await self._put_off_broken(job, _AFTER_OUTAGE_S)
                return
            log.exception("job_could_not_be_run")
            await self._put_off_broken(job, _LATER_S)

    async def _put_off_broken(self, job: Job, delay_seconds: float) -> None:
        """Try a job again later that we ourselves failed to run; at its deadline it has failed."""
        async with work(self._deps, WorkspaceId(job.workspace_id), cause=job.call_key) as tx:
            if not await jobs.is_overdue(tx.conn, JobId(job.job_id)):
                await jobs.put_off(tx, job, delay_seconds=delay_seconds)
                return
            entry = await ledger.get(tx.conn, tx.workspace_id, job.call_key)
            was_sent = entry.status not in ("planned", "held")
            assumed = Charge(amount_micros=entry.quote_micros or 0, basis="assumed_max")
            error = ProviderError("It could not be run here before its deadline.")
            await endings.fail(tx, job, error, charge=assumed if was_sent else None)

    async def _order(self, job: Job) -> _Order:
        async with self._deps.pools.domain.connection() as conn:
            entry = await ledger.get(conn, WorkspaceId(job.workspace_id), job.call_key)
        request: dict[str, Any] = job.request
        files = {
            name: await self._deps.blobs.open(item["sha256"])
            for name, item in request["inputs"].items()
        }
        attempt = collection.attempt_of(job, entry.quote_micros or 0, files)
        return _Order(
            job=job, entry=entry, provider=self._deps.providers[job.provider], attempt=attempt
        )

    async def _advance(self, order: _Order) -> None:
        match order.entry.status:
            case "held":
                await self._submit(order)
            case "submitting" | "unknown":
                await self._reconcile(order)
            case "accepted" | "running":
                await self._read(order)
            case _:
                async with self._tx(order) as tx:
                    await endings.cancel(tx, order.job)

    async def _submit(self, order: _Order) -> None:
        """Commit `submitting`, then send exactly one request; none for a task that may not run."""
        async with self._tx(order) as tx:
            if not await self._may_send(tx, order):
                return
            is_first = order.job.phase == "queued"
            if not await ledger.advance(
                tx, order.call_key, "submitting", leaving=("held", "unknown")
            ):
                return
            if is_first:
                await jobs.restart_deadline(tx, order.job)
            await jobs.set_phase(tx, order.job, "running", event_type="job.progress", progress=0.0)
            tx.touch_task(order.task_id)
        await reached(CrashPoint.JOB_SUBMITTING)
        try:
            answer = await self._request(order)
        except OutcomeUnknownError:
            await self._reconcile(order, may_send=False)
            return
        except (NotDeliveredError, QuotaError) as error:
            await self._requeue(order, error)
            return
        except ProviderError as error:
            await self._fail(order, error, _charge_for(error, order))
            return
        await reached(CrashPoint.JOB_ANSWERED)
        if isinstance(answer, JobRef):
            await self._accept(order, answer)
        else:
            await self._collect(order, answer)

    async def _may_send(self, tx: Tx, order: _Order) -> bool:
        """Tell whether an order may be sent now, and end or put off one that may not."""
        await endings.lock(tx, order.job)
        task = await tasks.get(tx.conn, order.workspace_id, order.task_id)
        if task.is_terminal:
            await endings.cancel(tx, order.job)
            return False
        if task.status == TaskStatus.PAUSED:
            await jobs.put_off(tx, order.job, delay_seconds=_LATER_S)
            return False
        was_tried = order.job.phase != "queued"
        if was_tried and await jobs.is_overdue(tx.conn, JobId(order.job.job_id)):
            late = NotDeliveredError("It was not taken before its deadline.")
            await endings.fail(tx, order.job, late, charge=None)
            return False
        return True

    async def _request(self, order: _Order) -> JobRef | Snapshot:
        """Send the request, and store progress about once a second meanwhile."""
        latest = 0.0

        def report(progress: float) -> None:
            nonlocal latest
            latest = progress

        async def pump() -> None:
            stored = 0.0
            while True:
                await asyncio.sleep(1.0)
                if latest - stored >= 0.05:  # noqa: PLR2004 - a twentieth is worth an event
                    stored = latest
                    try:
                        await self._store_progress(order, stored)
                    except psycopg.Error as error:
                        _log.info("progress_lost", error=str(error))

        failure: ProviderError | None = None
        answer: JobRef | Snapshot | None = None
        async with asyncio.TaskGroup() as group:
            pumping = group.create_task(pump())
            try:
                answer = await order.provider.submit(order.attempt, report)
            except ProviderError as error:
                failure = error
            pumping.cancel()
        if failure is not None:
            raise failure
        assert answer is not None  # noqa: S101 - submit answers or raises
        return answer

    async def _store_progress(self, order: _Order, progress: float) -> None:
        async with self._tx(order) as tx:
            await jobs.set_phase(
                tx, order.job, "running", event_type="job.progress", progress=progress
            )

    async def _reconcile(self, order: _Order, *, may_send: bool = True) -> None:
        """Find out what became of a submission whose answer was lost; never resend on a guess."""
        async with self._tx(order) as tx:
            await jobs.check(tx, order.job)
            await ledger.advance(tx, order.call_key, "unknown", leaving=("submitting",))
            await jobs.set_phase(tx, order.job, "unknown", event_type="job.unknown")
            overdue = await jobs.is_overdue(tx.conn, JobId(order.job.job_id))
        try:
            found = await order.provider.find(order.attempt)
        except ProviderError:
            found = Lookup.NOT_FOUND_YET  # a provider that is away may tell later
        match found:
            case Found(ref=ref):
                await self._accept(order, ref)
            case Lookup.PROVABLY_ABSENT if order.entry.is_doubtful:
                # The model was told that it failed and may have ordered it again.
                never = NotDeliveredError("It never reached its provider.")
                await self._fail(order, never, None, looks_on=True)
            case Lookup.PROVABLY_ABSENT if may_send and not overdue:
                await self._submit(order)
            case _ if not overdue:
                nobody_can_tell = found is Lookup.CANNOT_TELL
                async with self._tx(order) as tx:
                    patience = timedelta(0) if nobody_can_tell else _PATIENCE
                    await endings.doubt(tx, order.job, patience=patience)
                await self._put_off(order, _delay_of(order.job))
            case _:
                error = OutcomeUnknownError("Its outcome is unknown and its deadline has passed.")
                async with self._tx(order) as tx:
                    await endings.fail(tx, order.job, error, charge=None, outcome="unknown")

    async def _put_off(self, order: _Order, delay: float, progress: float | None = None) -> None:
        async with self._tx(order) as tx:
            if progress is not None:
                await jobs.set_phase(
                    tx, order.job, "running", event_type="job.progress", progress=progress
                )
            await jobs.put_off(tx, order.job, delay_seconds=delay)
        await self._queue.wake_job(str(order.job.job_id), delay_seconds=delay)

    async def _accept(self, order: _Order, ref: JobRef) -> None:
        """Store the provider's id the moment it is known, then read."""
        async with self._tx(order) as tx:
            await endings.lock(tx, order.job)
            await endings.end_doubt(tx, order.job)
            await ledger.advance(tx, order.call_key, "accepted", leaving=("submitting", "unknown"))
            await jobs.set_phase(
                tx,
                order.job,
                "running",
                event_type="job.progress",
                provider_job_id=ref.provider_job_id,
                provider_ref=ref.raw,
            )
        await reached(CrashPoint.JOB_ACCEPTED)
        await self._look(order, ref)

    async def _read(self, order: _Order) -> None:
        job = order.job
        ref = JobRef(
            provider=job.provider,
            provider_job_id=job.provider_job_id or "",
            raw=job.provider_ref or {},
        )
        await self._look(order, ref)

    async def _look(self, order: _Order, ref: JobRef) -> None:
        try:
            snapshot = await order.provider.read(ref)
        except _TELLS_NOTHING:
            snapshot = Snapshot(phase="unknown")
        except ProviderError as error:
            await self._fail(order, error, _charge_for(error, order, was_accepted=True))
            return
        if snapshot.phase == "terminal":
            await self._collect(order, snapshot)
            return
        if await self._is_overdue(order):
            error = JobFailedError("It was not finished before its deadline.")
            await self._fail(order, error, snapshot.charge or _most(order), looks_on=True)
            return
        delay = snapshot.retry_after_s or order.provider.capabilities.min_poll_s
        await self._put_off(order, delay, snapshot.progress)

    async def _collect(self, order: _Order, snapshot: Snapshot) -> None:
        """Copy the bytes, verify them, then commit object, money, plan and wake together."""
        if snapshot.outcome != "succeeded":
            error = snapshot.error or JobFailedError("The job failed.")
            charge = snapshot.charge or _charge_for(error, order, was_accepted=True)
            await self._fail(order, error, charge)
            return
        charge = snapshot.charge or _most(order)
        try:
            collected = await collection.collect(self._deps, order.provider, snapshot)
        except _TELLS_NOTHING as error:
            if await self._is_overdue(order):
                await self._fail(order, error, charge)
            else:
                await self._put_off(order, _LATER_S)
            return
        except (collection.UnusableMediaError, ProviderError) as error:
            await self._fail(order, ProviderError(error.message), charge)
            return
        await reached(CrashPoint.JOB_COLLECTED)
        async with self._tx(order) as tx:
            await endings.lock(tx, order.job)
            outputs = await collection.keep(tx, order.job, snapshot, collected)
            result = {"outputs": outputs, "measured": snapshot.measured}
            await endings.succeed(tx, order.job, result=result, charge=charge)
        await reached(CrashPoint.JOB_SETTLED)
        await order.provider.discard(order.attempt.attempt_id)

    async def _fail(
        self,
        order: _Order,
        error: ProviderError,
        charge: Charge | None,
        *,
        looks_on: bool = False,
    ) -> None:
        """Record a failure, settle what was charged or give the money back, and tell the model."""
        async with self._tx(order) as tx:
            await endings.fail(tx, order.job, error, charge=charge, looks_on=looks_on)
        await order.provider.discard(order.attempt.attempt_id)

    async def _requeue(self, order: _Order, error: ProviderError) -> None:
        """Nothing started at the provider: the same attempt may be sent again, to its deadline."""
        if await self._is_overdue(order):
            await self._fail(order, error, None)
            return
        asked = error.retry_after_s if isinstance(error, QuotaError) else None
        delay = min(max(asked or _LATER_S, 1.0), _MOST_LATER_S)
        async with self._tx(order) as tx:
            await jobs.check(tx, order.job)
            await ledger.advance(tx, order.call_key, "held", leaving=("submitting",))
            await jobs.put_off(tx, order.job, delay_seconds=delay)
        _log.info("job_put_off", job_id=str(order.job.job_id), reason=error.message)
        await self._queue.wake_job(str(order.job.job_id), delay_seconds=delay)

    async def _is_overdue(self, order: _Order) -> bool:
        async with self._deps.pools.domain.connection() as conn:
            return await jobs.is_overdue(conn, JobId(order.job.job_id))

    def _tx(self, order: _Order) -> Any:
        return work(self._deps, order.workspace_id, cause=order.call_key)


def _delay_of(job: Job) -> float:
    """Return after how many seconds a lost job is looked for again: the longer, the rarer."""
    return min(_UNKNOWN_DELAY_S * 1.5 ** min(job.attempts, 20), _MOST_UNKNOWN_DELAY_S)


def _most(order: _Order) -> Charge:
    return charges.whole(order.attempt.hold_micros)


def _charge_for(
    error: ProviderError, order: _Order, *, was_accepted: bool = False
) -> Charge | None:
    return charges.of_failure(
        error,
        order.provider.capabilities,
        order.attempt.hold_micros,
        was_accepted=was_accepted,
    )
