"""Runs turns: claim a woken thread, keep its lease, run its graph to the next rest.

What ends a run never ends a task by itself: a lost lease is somebody else's turn now, an
unavailable model is tried again until it is back, and only a turn that keeps failing for our own
reasons tells the person so.
"""

import asyncio
from datetime import timedelta
from uuid import UUID

from execution import leases, messages, steps, tasks, verdicts
from execution.effects import ModelSetupError
from execution.errors import StaleLeaseError
from execution.leases import Lease
from execution.tasks import TaskStatus
from execution.transactions import work
from execution.tx import Tx
from execution.verdict import Next, StopVerdict
from graphs.invoke import Graphs
from infra.crash_points import CrashPoint, reached
from infra.deps import Deps
from infra.errors import RetryableError
from infra.ids import MessageId, TaskId, ThreadId
from infra.telemetry import get_logger
from server.outages import outage
from server.workers.heartbeat import Heart

MAX_ATTEMPTS = 5
_LONGEST_DELAY_S = 60.0
_LONG_PAUSE_S = 300.0
_MESSAGES_WAIT = timedelta(hours=6)
"""How long a message waits for a chat model that is away."""
_log = get_logger(__name__)


class Worker:
    """Runs the turns of this process."""

    def __init__(self, deps: Deps, graphs: Graphs, heart: Heart) -> None:
        self._deps = deps
        self._graphs = graphs
        self._heart = heart

    async def look_at(self, thread_id: str) -> None:
        """Run a thread's turn if it was woken and nobody else holds it."""
        async with self._deps.pools.domain.connection() as conn, conn.transaction():
            lease = await leases.claim(
                conn,
                ThreadId(UUID(thread_id)),
                lease_seconds=self._deps.settings.lease_seconds,
                graph_version=self._graphs.version,
            )
        if lease is not None:
            await self._run(lease)

    async def _run(self, lease: Lease) -> None:
        log = _log.bind(thread_id=str(lease.thread_id), generation=lease.generation)
        log.debug("turn_claimed", attempts=lease.attempts)
        async with self._heart.keep("turn", lease.turn_id, lease.generation) as beat:
            try:
                await self._graphs.run_turn(lease)
                await reached(CrashPoint.TURN_RETURNED)
            except StaleLeaseError:
                log.info("turn_lost")
            except asyncio.CancelledError:
                if beat.lost:
                    log.info("turn_lost")
                    return
                await asyncio.shield(self._give_back(lease, 0.0))
                raise
            except RetryableError as error:
                log.warning("turn_put_off", reason=error.message)
                is_lasting = isinstance(error, ModelSetupError)
                await self._retry_or_rest(lease, error.message, is_lasting=is_lasting)
            except Exception as error:
                if (said := outage(error)) is not None:
                    log.warning("turn_put_off", reason=said)
                    await self._retry_or_rest(lease, "The database was away.")
                    return
                log.exception("turn_failed")
                await self._retry_or_fail(lease, f"an internal error ({type(error).__name__})")

    async def _give_back(self, lease: Lease, delay_seconds: float) -> None:
        async with self._deps.pools.domain.connection() as conn:
            await leases.give_back(conn, lease, delay_seconds=delay_seconds)
        self._deps.signals.wake_thread(lease.thread_id)

    async def _retry_or_rest(self, lease: Lease, reason: str, *, is_lasting: bool = False) -> None:
        """Try again soon; what was tried often enough rests, says so, and tries again by itself.

        What only somebody can mend is told at once. A message is kept for hours and then refused,
        so that one which nobody can answer does not hold up the others for ever.
        """
        if lease.attempts < MAX_ATTEMPTS and not is_lasting:
            await self._give_back(lease, min(2.0**lease.attempts, _LONGEST_DELAY_S))
            return
        try:
            async with work(self._deps, lease.workspace_id, fence=lease.fence) as tx:
                if lease.kind == "task":
                    await self._wait_for_the_model(tx, lease, reason)
                elif not await self._keep_message(tx, lease, reason):
                    return
                await leases.rest(tx.conn, lease.fence, outcome="put_off", seconds=_LONG_PAUSE_S)
        except StaleLeaseError:
            _log.info("turn_lost", thread_id=str(lease.thread_id))

    async def _wait_for_the_model(self, tx: Tx, lease: Lease, reason: str) -> None:
        task_id = TaskId(lease.thread_id)
        verdict = StopVerdict(
            next=Next.WAIT,
            reason=f"{reason} It is tried again by itself.",
            waiting_reason="provider",
            look_again_s=int(_LONG_PAUSE_S),
        )
        await verdicts.record(tx, task_id, lease.turn_id, verdict)
        await tasks.set_status(
            tx,
            task_id,
            TaskStatus.WAITING,
            waiting_reason=verdict.waiting_reason,
            reason=verdict.reason,
        )

    async def _keep_message(self, tx: Tx, lease: Lease, reason: str) -> bool:
        """Tell the person once that their message waits; False when it was refused at last."""
        message_id = MessageId(lease.thread_id)
        message = await messages.get(tx.conn, lease.workspace_id, message_id)
        if await steps.now(tx.conn) - message.created_at > _MESSAGES_WAIT:
            await self._refuse(tx, lease, f"This could not be done in time: {reason}")
            return False
        await messages.say(
            tx,
            text=f"{reason} Your message is kept, and tried again by itself.",
            language="en",
            cause=f"waits {message_id}",
            reply_to=message_id,
        )
        return True

    async def _refuse(self, tx: Tx, lease: Lease, sentence: str) -> None:
        """Answer a message with why nothing will come of it, and end its thread."""
        message_id = MessageId(lease.thread_id)
        await messages.say(
            tx, text=sentence, language="en", cause=f"failed {message_id}", reply_to=message_id
        )
        await messages.advance(tx, message_id, "refused")
        await leases.finish(tx.conn, lease.fence, outcome="failed")

    async def _retry_or_fail(self, lease: Lease, reason: str) -> None:
        if lease.attempts < MAX_ATTEMPTS:
            await self._give_back(lease, min(2.0**lease.attempts, _LONGEST_DELAY_S))
            return
        sentence = f"This could not be done after {lease.attempts} tries: {reason}"
        try:
            async with work(self._deps, lease.workspace_id, fence=lease.fence) as tx:
                if lease.kind == "main":
                    await self._refuse(tx, lease, sentence)
                    return
                await tasks.set_status(
                    tx, TaskId(lease.thread_id), TaskStatus.FAILED, reason=sentence
                )
                await leases.finish(tx.conn, lease.fence, outcome="failed")
        except StaleLeaseError:
            _log.info("turn_lost", thread_id=str(lease.thread_id))
