"""Runs jobs: one request per order, then read, collect, settle; its own lease and fence per job.

`submitting` is committed before a byte leaves, so a job found in it after a crash is `unknown` and
only `find` may say whether it exists. The bytes are in the blob store and verified before a job
counts as succeeded. Object, money, plan and the decision to wake the task commit together.
"""

import asyncio
from dataclasses import dataclass
from typing import Any, assert_never
from uuid import UUID

from execution import budget, facts, jobs, leases, ledger, steps
from execution.errors import StaleLeaseError
from execution.jobs import Job
from execution.ledger import LedgerEntry
from execution.transactions import work
from execution.tx import Tx
from execution.verdict import Next, decide
from infra.crash_points import CrashPoint, reached
from infra.deps import Deps
from infra.ids import JobId, TaskId, ThreadId, WorkspaceId
from infra.providers.ports import (
    Attempt,
    Found,
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
from server.workers import collection
from server.workers.heartbeat import Heart

_log = get_logger(__name__)
_QUOTA_DELAY_S = 30.0
_UNKNOWN_DELAY_S = 2.0


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
            return
        reached(CrashPoint.JOB_CLAIMED)
        async with self._heart.keep("job", job.job_id, job.generation) as beat:
            try:
                await self._advance(await self._order(job))
            except StaleLeaseError:
                _log.info("job_lost", job_id=job_id)
            except asyncio.CancelledError:
                if not beat.lost:
                    raise
                _log.info("job_lost", job_id=job_id)

    async def _order(self, job: Job) -> _Order:
        async with self._deps.pools.domain.connection() as conn:
            entry = await ledger.get(conn, WorkspaceId(job.workspace_id), job.call_key)
        request: dict[str, Any] = job.request
        files = {
            name: await self._deps.blobs.open(item["sha256"])
            for name, item in request["inputs"].items()
        }
        attempt = Attempt(
            attempt_id=job.job_id,
            operation=job.operation,
            payload=request["payload"],
            payload_sha256=job.request_sha256,
            seed=collection.seed_of(request["payload"]),
            hold_micros=entry.quote_micros or 0,
            deadline=job.deadline_at,
            files=files,
        )
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
                await self._close(order)

    async def _submit(self, order: _Order) -> None:
        """Commit `submitting`, then send exactly one request."""
        async with self._tx(order) as tx:
            await jobs.check(tx, order.job)
            if not await ledger.advance(
                tx, order.call_key, "submitting", leaving=("held", "unknown")
            ):
                return
            await jobs.set_phase(tx, order.job, "running", event_type="job.progress", progress=0.0)
            tx.touch_task(order.task_id)
        reached(CrashPoint.JOB_SUBMITTING)
        try:
            answer = await self._request(order)
        except OutcomeUnknownError:
            await self._reconcile(order)
            return
        except (NotDeliveredError, QuotaError) as error:
            await self._requeue(order, error)
            return
        except ProviderError as error:
            await self._fail(order, error)
            return
        reached(CrashPoint.JOB_ANSWERED)
        if isinstance(answer, JobRef):
            await self._accept(order, answer)
        else:
            await self._collect(order, answer)

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
                    async with self._tx(order) as tx:
                        await jobs.set_phase(
                            tx, order.job, "running", event_type="job.progress", progress=stored
                        )

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

    async def _reconcile(self, order: _Order) -> None:
        """Find out what became of a submission whose answer was lost; never resend on a guess."""
        async with self._tx(order) as tx:
            await jobs.check(tx, order.job)
            await ledger.advance(tx, order.call_key, "unknown", leaving=("submitting",))
            await jobs.set_phase(tx, order.job, "unknown", event_type="job.unknown")
        match await order.provider.find(order.attempt):
            case Found(ref=ref):
                await self._accept(order, ref)
            case Lookup.PROVABLY_ABSENT:
                await self._submit(order)
            case Lookup.NOT_FOUND_YET | Lookup.CANNOT_TELL:
                await self._wait_for_outcome(order)

    async def _wait_for_outcome(self, order: _Order) -> None:
        async with self._tx(order) as tx:
            if not await jobs.is_overdue(tx.conn, JobId(order.job.job_id)):
                await jobs.put_off(tx, order.job, delay_seconds=_UNKNOWN_DELAY_S)
            else:
                await self._end(
                    tx,
                    order,
                    phase="failed",
                    outcome="unknown",
                    result={"reason": "Its outcome is unknown and its deadline has passed."},
                )
                await budget.release(tx, order.task_id, order.call_key, "outcome unknown")
                await self._settled(tx, order)
                return
        await self._queue.wake_job(str(order.job.job_id), delay_seconds=_UNKNOWN_DELAY_S)

    async def _accept(self, order: _Order, ref: JobRef) -> None:
        """Store the provider's id the moment it is known, then read."""
        async with self._tx(order) as tx:
            await jobs.check(tx, order.job)
            await ledger.advance(tx, order.call_key, "accepted", leaving=("submitting", "unknown"))
            await jobs.set_phase(
                tx,
                order.job,
                "running",
                event_type="job.progress",
                provider_job_id=ref.provider_job_id,
                provider_ref=ref.raw,
            )
        reached(CrashPoint.JOB_ACCEPTED)
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
        except ProviderError as error:
            await self._fail(order, error)
            return
        if snapshot.phase == "terminal":
            await self._collect(order, snapshot)
            return
        delay = snapshot.retry_after_s or order.provider.capabilities.min_poll_s
        async with self._tx(order) as tx:
            await jobs.set_phase(
                tx, order.job, "running", event_type="job.progress", progress=snapshot.progress
            )
            await jobs.put_off(tx, order.job, delay_seconds=delay)
        await self._queue.wake_job(str(order.job.job_id), delay_seconds=delay)

    async def _collect(self, order: _Order, snapshot: Snapshot) -> None:
        """Copy the bytes, verify them, then commit object, money, plan and wake together."""
        if snapshot.outcome != "succeeded":
            await self._fail(order, snapshot.error or ProviderError("The job failed."))
            return
        try:
            collected = await collection.collect(self._deps, order.provider, snapshot)
        except collection.UnusableMediaError as error:
            await self._fail(order, ProviderError(error.message))
            return
        reached(CrashPoint.JOB_COLLECTED)
        async with self._tx(order) as tx:
            await leases.lock(tx.conn, ThreadId(order.task_id))
            await jobs.check(tx, order.job)
            outputs = await collection.keep(tx, order.job, snapshot, collected)
            await self._end(
                tx,
                order,
                phase="succeeded",
                outcome="succeeded",
                result={"outputs": outputs, "measured": snapshot.measured},
            )
            charge = snapshot.charge
            await budget.settle(
                tx,
                order.task_id,
                order.call_key,
                charge.amount_micros if charge else order.attempt.hold_micros,
                charge.basis if charge else "assumed_max",
            )
            await self._settled(tx, order)
        reached(CrashPoint.JOB_SETTLED)
        await order.provider.discard(order.attempt.attempt_id)

    async def _fail(self, order: _Order, error: ProviderError) -> None:
        """Record a failure, give the money back where nothing was charged, and tell the model."""
        async with self._tx(order) as tx:
            await leases.lock(tx.conn, ThreadId(order.task_id))
            await jobs.check(tx, order.job)
            await self._end(
                tx,
                order,
                phase="failed",
                outcome="failed",
                result={"reason": error.message, "code": error.code},
                error={"code": error.code, "message": error.message},
            )
            await budget.release(tx, order.task_id, order.call_key, error.code)
            await steps.happen(
                tx,
                order.task_id,
                f"'{order.job.title}' failed ({error.code}): {error.message}",
                call_key=order.call_key,
            )
            await self._settled(tx, order)
        await order.provider.discard(order.attempt.attempt_id)

    async def _requeue(self, order: _Order, error: ProviderError) -> None:
        """Nothing started at the provider: the same attempt may be sent again later."""
        async with self._tx(order) as tx:
            await jobs.check(tx, order.job)
            await ledger.advance(tx, order.call_key, "held", leaving=("submitting",))
            await jobs.put_off(tx, order.job, delay_seconds=_QUOTA_DELAY_S)
        _log.info("job_put_off", job_id=str(order.job.job_id), reason=error.message)
        await self._queue.wake_job(str(order.job.job_id), delay_seconds=_QUOTA_DELAY_S)

    async def _close(self, order: _Order) -> None:
        async with self._tx(order) as tx:
            await jobs.close(tx, order.job)

    async def _end(
        self,
        tx: Tx,
        order: _Order,
        *,
        phase: str,
        outcome: str,
        result: dict[str, Any],
        error: dict[str, Any] | None = None,
    ) -> None:
        await ledger.finish(tx, order.call_key, status="settled", outcome=outcome, result=result)
        event_type = "job.succeeded" if phase == "succeeded" else "job.failed"
        await jobs.set_phase(tx, order.job, phase, event_type=event_type, progress=1.0, error=error)
        await jobs.close(tx, order.job)

    async def _settled(self, tx: Tx, order: _Order) -> None:
        """Wake the task only if its stop-check would no longer just wait for jobs."""
        tx.touch_task(order.task_id)
        verdict = decide(await facts.load(tx.conn, tx.workspace_id, order.task_id))
        match verdict.next:
            case Next.ACT | Next.CALL | Next.DELIVER | Next.COMPLETE | Next.FAIL:
                rests = False
            case Next.WAIT:
                rests = verdict.waiting_reason in ("jobs", "paused")
            case Next.END:
                rests = True
            case _:
                assert_never(verdict.next)
        if not rests:
            await leases.wake(tx.conn, ThreadId(order.task_id))
            tx.woken.add(ThreadId(order.task_id))

    def _tx(self, order: _Order) -> Any:
        return work(self._deps, order.workspace_id, cause=order.call_key)
