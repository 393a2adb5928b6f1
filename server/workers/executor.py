"""Runs jobs: one request per order, then read, collect, settle; its own lease and fence per job.

`submitting` is committed before a byte leaves, so a job found in it after a crash is `unknown` and
only `find` may say whether it exists. The bytes are in the blob store and verified before a job
counts as succeeded. Object, money, plan and the decision to wake the task commit together.
"""

import asyncio
from datetime import timedelta
from uuid import UUID

import psycopg

from execution import jobs, ledger, tasks
from execution.errors import StaleLeaseError
from execution.jobs import Job
from execution.tasks import TaskStatus
from execution.transactions import work
from execution.tx import Tx
from infra.crash_points import CrashPoint, reached
from infra.deps import Deps
from infra.errors import AppError
from infra.ids import JobId, WorkspaceId
from infra.providers.ports import (
    Charge,
    Found,
    JobFailedError,
    JobRef,
    Lookup,
    NotDeliveredError,
    OutcomeUnknownError,
    ProviderError,
    QuotaError,
    ReportProgress,
    Snapshot,
)
from infra.queue import WakeQueue
from infra.telemetry import get_logger
from server.outages import outage
from server.workers import cancels, collection, endings, late_looks
from server.workers.heartbeat import Heart
from server.workers.order import Order, ProviderGoneError, open_order

_log = get_logger(__name__)
_LATER_S = 30.0
_MOST_LATER_S = 600.0
"""However long a provider asks to be left alone: its limits may be lifted before."""
_AFTER_OUTAGE_S = 2.0
_STORED_AGAIN_S = 0.5
_WORTH_WAITING_S = 60.0
"""A provider that has room again so soon is not left for another."""
_TRIES_BEFORE_ANOTHER = 3
_WORTH_AN_EVENT = 0.05
"""By how much a job's progress must have grown to be told again."""
_UNKNOWN_DELAY_S = 2.0
_MOST_UNKNOWN_DELAY_S = 60.0
_PATIENCE = timedelta(minutes=1)
"""How long a lost order may stay unfound before the model is told; vendors list a job late."""
_TELLS_NOTHING = (NotDeliveredError, QuotaError, OutcomeUnknownError)
"""Errors of a read or a download that say nothing about the job: it is tried again later."""
_UNWANTED = Snapshot(
    phase="terminal",
    outcome="cancelled",
    error=JobFailedError("It was ended here, as its task had ended."),
    charge=Charge(amount_micros=0, basis="derived"),
)


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
            await self._advance(await open_order(self._deps, job))
        except StaleLeaseError:
            raise
        except ProviderGoneError as error:
            log.warning("job_without_provider", provider=job.provider)
            await self._put_off_broken(job, _LATER_S, said=error)
        except Exception as error:
            if (said := outage(error)) is not None:
                log.warning("job_put_off", reason=said)
                await self._put_off_broken(job, _AFTER_OUTAGE_S)
                return
            log.exception("job_could_not_be_run")
            await self._put_off_broken(job, _LATER_S)

    async def _put_off_broken(
        self, job: Job, delay_seconds: float, *, said: AppError | None = None
    ) -> None:
        """Try a job again later that we ourselves failed to run; at its deadline it has failed."""
        async with work(self._deps, WorkspaceId(job.workspace_id), cause=job.call_key) as tx:
            if not await jobs.is_overdue(tx.conn, JobId(job.job_id)):
                if said is not None:
                    told = {"code": said.code, "message": said.message}
                    await jobs.note_problem(tx, job, told)
                await jobs.put_off(tx, job, delay_seconds=delay_seconds)
                return
            entry = await ledger.get(tx.conn, tx.workspace_id, job.call_key)
            was_sent = entry.status not in ("planned", "held")
            assumed = Charge(amount_micros=entry.quote_micros or 0, basis="assumed_max")
            error = ProviderError("It could not be run here before its deadline.")
            await endings.fail(tx, job, error, charge=assumed if was_sent else None)

    async def _advance(self, order: Order) -> None:
        match order.entry.status:
            case "held":
                await self._submit(order)
            case "submitting" | "unknown":
                await self._reconcile(order)
            case "accepted" | "running" | "cancel_requested":
                await self._read(order)
            case _:
                async with order.tx() as tx:
                    await endings.cancel(tx, order.job)

    async def _submit(self, order: Order) -> None:
        """Commit `submitting`, then send exactly one request; none for a task that may not run."""
        async with order.tx() as tx:
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
            await self._fail(order, error, order.charge_for(error))
            return
        await reached(CrashPoint.JOB_ANSWERED)
        if isinstance(answer, JobRef):
            await self._accept(order, answer)
        else:
            await self._collect(order, answer)

    async def _may_send(self, tx: Tx, order: Order) -> bool:
        """Tell whether an order may be sent now, and end or put off one that may not."""
        await endings.lock(tx, order.job)
        task = await tasks.get(tx.conn, order.workspace_id, order.task_id)
        if task.is_terminal or await jobs.is_unwanted(tx.conn, order.job_id):
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

    async def _request(self, order: Order) -> JobRef | Snapshot:
        """Send the request, and store progress about once a second meanwhile."""
        latest = 0.0
        is_unwanted = False

        def report(progress: float) -> None:
            nonlocal latest
            latest = progress

        async def pump(asking: asyncio.Task[JobRef | Snapshot | ProviderError]) -> None:
            nonlocal is_unwanted
            stored = 0.0
            while True:
                await asyncio.sleep(1.0)
                try:
                    if latest - stored >= _WORTH_AN_EVENT:
                        stored = latest
                        await self._store_progress(order, stored)
                    if await cancels.is_unwanted_here(order):
                        is_unwanted = True
                        asking.cancel()
                        return
                except psycopg.Error as error:
                    _log.info("progress_lost", error=str(error))

        async with asyncio.TaskGroup() as group:
            asking = group.create_task(_answer_of(order, report))
            pumping = group.create_task(pump(asking))
            await asyncio.wait([asking])
            pumping.cancel()
        if asking.cancelled():
            assert is_unwanted  # noqa: S101 - nobody else ends it alone
            return _UNWANTED
        answer = asking.result()
        if isinstance(answer, ProviderError):
            raise answer
        return answer

    async def _store_progress(self, order: Order, progress: float) -> None:
        async with order.tx() as tx:
            await jobs.set_phase(
                tx, order.job, "running", event_type="job.progress", progress=progress
            )

    async def _reconcile(self, order: Order, *, may_send: bool = True) -> None:
        """Find out what became of a submission whose answer was lost; never resend on a guess."""
        async with order.tx() as tx:
            await jobs.check(tx, order.job)
            await ledger.advance(tx, order.call_key, "unknown", leaving=("submitting",))
            await jobs.set_phase(tx, order.job, "unknown", event_type="job.unknown")
            overdue = await jobs.is_overdue(tx.conn, JobId(order.job.job_id))
        found = await self._find(order)
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
                async with order.tx() as tx:
                    patience = timedelta(0) if nobody_can_tell else _PATIENCE
                    await endings.doubt(tx, order.job, patience=patience)
                await self._put_off(order, _delay_of(order.job))
            case _:
                error = OutcomeUnknownError("Its outcome is unknown and its deadline has passed.")
                async with order.tx() as tx:
                    await endings.fail(tx, order.job, error, charge=None, outcome="unknown")

    async def _find(self, order: Order) -> Found | Lookup:
        """Ask what became of the attempt; a job that the provider itself named is taken for it."""
        if order.job.hinted_job_id is not None:
            return Found(ref=order.provider.ref_of(order.attempt, order.job.hinted_job_id))
        try:
            return await order.provider.find(order.attempt)
        except ProviderError:
            return Lookup.NOT_FOUND_YET  # a provider that is away may tell later

    async def _put_off(self, order: Order, delay: float, progress: float | None = None) -> None:
        async with order.tx() as tx:
            if progress is not None and progress - (order.job.progress or 0.0) >= _WORTH_AN_EVENT:
                await jobs.set_phase(
                    tx, order.job, "running", event_type="job.progress", progress=progress
                )
            delay = await jobs.put_off(tx, order.job, delay_seconds=delay)
        await self._wake(order, delay)

    async def _wake(self, order: Order, delay: float) -> None:
        lane = order.provider.capabilities.lane
        await self._queue.wake_job(str(order.job_id), lane, delay_seconds=delay)

    async def _accept(self, order: Order, ref: JobRef) -> None:
        """Store the provider's id the moment it is known, then read.

        Nobody else knows it, and some providers can never be asked for it again: whatever ails the
        database is tried again for as long as the job is ours.
        """
        while True:
            try:
                await self._store_id(order, ref)
                break
            except psycopg.OperationalError as error:
                _log.warning("id_not_stored_yet", job_id=str(order.job_id), error=str(error))
                await asyncio.sleep(_STORED_AGAIN_S)
        await reached(CrashPoint.JOB_ACCEPTED)
        await self._look(order, ref)

    async def _store_id(self, order: Order, ref: JobRef) -> None:
        async with order.tx() as tx:
            # Its task's row may be busy with other endings; only a doubt has to do with that.
            await (endings.lock if order.entry.is_doubtful else jobs.check)(tx, order.job)
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

    async def _read(self, order: Order) -> None:
        job = order.job
        ref = JobRef(
            provider=job.provider,
            provider_job_id=job.provider_job_id or "",
            raw=job.provider_ref or {},
        )
        await self._look(order, ref)

    async def _look(self, order: Order, ref: JobRef) -> None:
        await cancels.ask(order, ref)
        try:
            snapshot = await order.provider.read(ref)
        except _TELLS_NOTHING:
            snapshot = Snapshot(phase="unknown")
        except ProviderError as error:
            await self._fail(order, error, order.charge_for(error, was_accepted=True))
            return
        if snapshot.phase == "terminal":
            await self._collect(order, snapshot)
            return
        if await self._is_overdue(order):
            error = JobFailedError("It was not finished before its deadline.")
            await self._fail(order, error, snapshot.charge or order.whole_hold(), looks_on=True)
            return
        delay = snapshot.retry_after_s or _poll_delay(order)
        await self._put_off(order, delay, snapshot.progress)

    async def _collect(self, order: Order, snapshot: Snapshot) -> None:
        """Copy the bytes, verify them, then commit object, money, plan and wake together."""
        if snapshot.outcome != "succeeded":
            error = snapshot.error or JobFailedError("The job failed.")
            charge = snapshot.charge or order.charge_for(error, was_accepted=True)
            is_unwanted = snapshot is _UNWANTED or order.job.cancel_asked_at is not None
            # A ComfyUI that is asked to stop what waits leaves no trace of it.
            was_asked_for = is_unwanted and snapshot.outcome in ("cancelled", "expired")
            await self._fail(
                order, error, charge, outcome="cancelled" if was_asked_for else "failed"
            )
            return
        charge = snapshot.charge or order.whole_hold()
        try:
            collected = await collection.collect(
                self._deps, order.provider, snapshot, order.attempt.payload
            )
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
        async with order.tx() as tx:
            await endings.lock(tx, order.job)
            outputs = await collection.keep(tx, order.job, snapshot, collected)
            result = {"outputs": outputs, "measured": snapshot.measured}
            await endings.succeed(tx, order.job, result=result, charge=charge)
        await reached(CrashPoint.JOB_SETTLED)
        await order.provider.discard(order.attempt.attempt_id)

    async def _fail(
        self,
        order: Order,
        error: ProviderError,
        charge: Charge | None,
        *,
        outcome: str = "failed",
        looks_on: bool = False,
    ) -> None:
        """Record a failure, settle what was charged or give the money back, and tell the model."""
        async with order.tx() as tx:
            await endings.fail(
                tx, order.job, error, charge=charge, outcome=outcome, looks_on=looks_on
            )
        await order.provider.discard(order.attempt.attempt_id)

    async def _requeue(self, order: Order, error: ProviderError) -> None:
        """Nothing started at the provider: the same attempt may be sent again, to its deadline."""
        if await self._is_overdue(order) or self._is_better_elsewhere(order, error):
            await self._fail(order, error, None)
            return
        asked = error.retry_after_s if isinstance(error, QuotaError) else None
        delay = min(max(asked or _LATER_S, 1.0), _MOST_LATER_S)
        async with order.tx() as tx:
            await jobs.check(tx, order.job)
            await ledger.advance(tx, order.call_key, "held", leaving=("submitting",))
            told = {"code": error.code, "message": error.message}
            await jobs.note_problem(tx, order.job, told)
            delay = await jobs.put_off(tx, order.job, delay_seconds=delay)
        _log.info("job_put_off", job_id=str(order.job_id), reason=error.message)
        await self._wake(order, delay)

    def _is_better_elsewhere(self, order: Order, error: ProviderError) -> bool:
        """Tell whether another provider offers the same, and this one will not be back at once."""
        operation = order.job.operation
        others = [
            each
            for each in self._deps.providers.values()
            if each.name != order.provider.name and operation in each.capabilities.operations
        ]
        if not others:
            return False
        if isinstance(error, QuotaError):
            return error.retry_after_s is None or error.retry_after_s > _WORTH_WAITING_S
        return order.job.attempts > _TRIES_BEFORE_ANOTHER

    async def _is_overdue(self, order: Order) -> bool:
        async with self._deps.pools.domain.connection() as conn:
            return await jobs.is_overdue(conn, JobId(order.job.job_id))


async def _answer_of(order: Order, report: ReportProgress) -> JobRef | Snapshot | ProviderError:
    try:
        return await order.provider.submit(order.attempt, report)
    except ProviderError as error:
        return error


def _poll_delay(order: Order) -> float:
    """Return after how many seconds a job is read again: the longer it takes, the rarer.

    Never so rarely that its results could be gone, as providers keep them for minutes only.
    """
    can = order.provider.capabilities
    most = min(can.max_poll_s, can.result_ttl_s / 3 if can.result_ttl_s else can.max_poll_s)
    return min(can.min_poll_s * 1.25 ** min(order.job.attempts, 40), max(most, can.min_poll_s))


def _delay_of(job: Job) -> float:
    """Return after how many seconds a lost job is looked for again: the longer, the rarer."""
    return min(_UNKNOWN_DELAY_S * 1.5 ** min(job.attempts, 20), _MOST_UNKNOWN_DELAY_S)
